// Python's view of the space kernels. No algorithm here: arrays in, arrays out, the GIL released while kernels run.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bind.hpp"
#include "space/align.hpp"
#include "space/annealing.hpp"
#include "space/auto.hpp"
#include "space/components.hpp"
#include "space/decompose.hpp"
#include "space/demand_cut.hpp"
#include "space/different_bound.hpp"
#include "space/group_prices.hpp"
#include "space/leaving.hpp"
#include "space/matching_bound.hpp"
#include "space/mdav.hpp"
#include "space/neighbours.hpp"
#include "space/searches.hpp"
#include "space/sequence.hpp"
#include "space/sets.hpp"
#include "space/starts.hpp"
#include "space/transport.hpp"
#include "space/walk.hpp"

using namespace covey;
using namespace covey::space;
using namespace nb::literals;

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ManyLabels = nb::ndarray<const std::uint32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ordered = std::tuple<Array<std::uint32_t>, Array<std::uint32_t>>;

Points to_points(const Matrix& x) { return {x.data(), x.shape(0), x.shape(1)}; }
std::vector<std::uint32_t> to_vector(const Labels& labels) { return {labels.data(), labels.data() + labels.shape(0)}; }
Poll signals() { return Poll(check_signals); }

// work(points, poll) without the GIL.
template <class Work>
auto released(const Matrix& x, const Work& work) {
    nb::gil_scoped_release release;
    return work(to_points(x), signals());
}

Ordered to_arrays(const Grouping& grouping) { return {to_array(grouping.order), to_array(grouping.sizes)}; }

template <Grouping (*Method)(const Points&, std::size_t, Poll)>
Ordered grouped(const Matrix& x, std::size_t k) {
    return to_arrays(released(x, [&](const Points& points, Poll poll) { return Method(points, k, poll); }));
}

std::tuple<Array<std::uint32_t>, double> cut(const Matrix& x, const Labels& order, std::size_t k) {
    std::vector<std::uint32_t> sizes;
    const double loss = released(
        x, [&](const Points& points, Poll poll) { return Cutter(points).cut(to_vector(order), k, sizes, poll); });
    return {to_array(sizes), loss};
}

// One row of labels for every start; the best of them, and the losses of all iterations of every start.
std::tuple<Array<std::uint32_t>, Array<std::uint32_t>, std::vector<std::vector<double>>> from_starts(
    const Matrix& x, const ManyLabels& starts, std::size_t k, double least_fall) {
    const FromStarts found = released(x, [&](const Points& points, Poll poll) {
        return repeated_ordering(points, starts.data(), starts.shape(0), k, least_fall, poll);
    });
    return {to_array(found.best.order), to_array(found.best.sizes), found.losses};
}

using Progress = std::optional<nb::callable>;

// Tells Python the share that is done, if it wants to hear.
Watch watched(const Progress& progress) {
    if (!progress) return {signals()};
    return {signals(), [&progress](double share) {
                const nb::gil_scoped_acquire gil;
                (*progress)(share);
            }};
}

const Objective* pointer(const std::optional<Objective>& objective) { return objective ? &*objective : nullptr; }

// The anneals, and what counts for them: squares where there is nothing.
struct Search {
    std::optional<Objective> objective;
    std::unique_ptr<Annealing> anneals;

    Search(const Matrix& x, const Labels& labels, std::size_t k, std::size_t neighbours, double warmth,
           const std::vector<std::uint64_t>& seeds, std::size_t steps, std::optional<Objective> what)
        : objective(std::move(what)) {
        released(x, [&](const Points& points, Poll poll) {
            anneals = std::make_unique<Annealing>(points, to_vector(labels), k, neighbours, warmth, seeds, steps,
                                                  pointer(objective), Watch{poll});
        });
    }

    double run(const Progress& progress) {
        const Watch watch = watched(progress);
        nb::gil_scoped_release release;
        return anneals->run(watch);
    }

    void finish() {
        nb::gil_scoped_release release;
        anneals->finish(Watch{signals()});
    }

    Array<std::uint32_t> best() const { return to_array(anneals->best()); }
};

std::tuple<Array<std::uint32_t>, Array<double>, bool> price(Pricing& pricing, const Numbers& dual, std::size_t m,
                                                            double limit, std::size_t most, double seconds,
                                                            const Labels& apart, const Labels& together) {
    Columns columns;
    {
        nb::gil_scoped_release release;
        columns =
            pricing.run(dual.data(), m, limit, most, seconds, Pairs{to_vector(apart), to_vector(together)}, signals());
    }
    return {to_array(columns.member), to_array(columns.cost), columns.complete};
}

std::vector<double> to_doubles(const Numbers& numbers) { return {numbers.data(), numbers.data() + numbers.shape(0)}; }

RuleKind to_kind(const std::string& name) {
    static const std::map<std::string, RuleKind> kinds = {
        {"distinct", RuleKind::distinct}, {"entropy", RuleKind::entropy},     {"recursive", RuleKind::recursive},
        {"alpha", RuleKind::alpha},       {"equal", RuleKind::equal},         {"ordered", RuleKind::ordered},
        {"spread", RuleKind::spread},     {"p_percent", RuleKind::p_percent}, {"dominance", RuleKind::dominance},
    };
    if (const auto found = kinds.find(name); found != kinds.end()) return found->second;
    std::string known;
    for (const auto& [kind, value] : kinds) known += (known.empty() ? "" : ", ") + kind;
    throw std::invalid_argument("no rule is called '" + name + "'; give one of " + known);
}

Rule to_rule(const std::string& kind, const Labels& code, double limit, double c, const Numbers& share,
             const Numbers& full, const Numbers& value, const Labels& unit) {
    return {to_kind(kind),    to_vector(code),   limit,           c,  to_doubles(share),
            to_doubles(full), to_doubles(value), to_vector(unit), {}, {}};
}

}  // namespace

NB_MODULE(space, m) {
    nb::class_<Objective>(m, "Objective")
        .def(
            "__init__",
            [](Objective* self, const std::vector<int>& costs, const Numbers& weights) {
                std::vector<Aggregate> aggregates;
                for (const int cost : costs) aggregates.push_back(to_enum(cost, Aggregate::min, "cost"));
                new (self) Objective{std::move(aggregates), to_doubles(weights)};
            },
            "costs"_a, "weights"_a);
    nb::class_<Demand>(m, "Demand")
        .def(nb::init<>())
        .def(
            "add",
            [](Demand& demand, const std::string& kind, const Labels& code, double limit, double c,
               const Numbers& share, const Numbers& full, const Numbers& value,
               const Labels& unit) { demand.add(to_rule(kind, code, limit, c, share, full, value, unit)); },
            "kind"_a, "code"_a, "limit"_a, "c"_a, "share"_a, "full"_a, "value"_a, "unit"_a)
        .def(
            "count_units",
            [](Demand& demand, const Labels& unit, std::size_t least) { demand.count_units(to_vector(unit), least); },
            "unit"_a, "least"_a = 0)
        .def(
            "deficit",
            [](Demand& demand, const Labels& member) { return demand.deficit(member.data(), member.shape(0)); },
            "member"_a);
    m.def(
        "comply",
        [](const Matrix& x, const Labels& labels, std::size_t k, Demand& demand, std::size_t neighbours,
           bool merge_only) {
            return to_array(released(x, [&](const Points& points, Poll poll) {
                return comply(points, to_vector(labels), k, demand, neighbours, merge_only, poll);
            }));
        },
        "x"_a, "labels"_a, "k"_a, "demand"_a, "neighbours"_a, "merge_only"_a);
    m.def(
        "demand_cut",
        [](const Matrix& x, const Labels& order, std::size_t k, std::size_t most, Demand& demand) {
            return to_array(released(x, [&](const Points& points, Poll poll) {
                return demand_cut(points, to_vector(order), k, most, demand, poll);
            }));
        },
        "x"_a, "order"_a, "k"_a, "most"_a, "demand"_a);
    m.def("mdav", &grouped<mdav_by_the_faster>, "x"_a, "k"_a);
    m.def("mdav_by_tree", &grouped<mdav<Tree>>, "x"_a, "k"_a);
    m.def("mdav_by_passes", &grouped<mdav_by_passes>, "x"_a, "k"_a);
    m.def("mdav_by_scan", &grouped<mdav<Scan, PlainCentre>>, "x"_a, "k"_a);
    m.def("cbfs", &grouped<cbfs<Tree>>, "x"_a, "k"_a);
    m.def("cbfs_by_scan", &grouped<cbfs<Scan, PlainCentre>>, "x"_a, "k"_a);
    m.def("cbfs_growing", &grouped<cbfs_growing>, "x"_a, "k"_a);
    m.def(
        "vmdav",
        [](const Matrix& x, std::size_t k, double gamma) {
            return to_arrays(
                released(x, [&](const Points& points, Poll poll) { return vmdav(points, k, gamma, poll); }));
        },
        "x"_a, "k"_a, "gamma"_a);
    m.def(
        "components",
        [](const Matrix& x, std::size_t k) {
            return to_arrays(released(x, [&](const Points& points, Poll poll) {
                return Components(points, k, OutsideByTree(points), poll).run();
            }));
        },
        "x"_a, "k"_a);
    m.def(
        "decompose",
        [](const Matrix& x, const Labels& labels, std::size_t k) {
            return to_arrays(released(x, [&](const Points& points, Poll poll) {
                const std::vector<std::uint32_t> start = to_vector(labels);
                return Decompose(points, k, start, count_groups(start), poll).run();
            }));
        },
        "x"_a, "labels"_a, "k"_a);
    m.def(
        "walk_by_records",
        [](const Matrix& x, const Labels& labels) {
            return to_array(released(
                x, [&](const Points& points, Poll poll) { return walk_by_records(points, to_vector(labels), poll); }));
        },
        "x"_a, "labels"_a);
    m.def(
        "walk_by_centroids",
        [](const Matrix& x, const Labels& labels) {
            return to_array(released(x, [&](const Points& points, Poll poll) {
                return WalkByCentroids(points, to_vector(labels), poll).run();
            }));
        },
        "x"_a, "labels"_a);
    m.def(
        "assign",
        [](const Matrix& x, const Matrix& centres, const Labels& start, std::size_t least, std::size_t most) {
            return to_array(released(x, [&](const Points& points, Poll poll) {
                return assign(points, to_points(centres), start.data(), least, most, poll);
            }));
        },
        "x"_a, "centres"_a, "start"_a, "least"_a, "most"_a);
    m.def(
        "nearest_point_next",
        [](const Matrix& x) {
            return to_array(
                released(x, [](const Points& points, Poll poll) { return nearest_point_next(points, poll); }));
        },
        "x"_a);
    m.def(
        "order_by_halves",
        [](const Matrix& x) {
            return to_array(released(x, [](const Points& points, Poll poll) { return order_by_halves(points, poll); }));
        },
        "x"_a);
    m.def(
        "tour",
        [](const Matrix& x, std::size_t neighbours) {
            return to_array(
                released(x, [&](const Points& points, Poll poll) { return short_tour(points, neighbours, poll); }));
        },
        "x"_a, "neighbours"_a);
    m.def("cut", &cut, "x"_a, "order"_a, "k"_a);
    m.def("repeated_ordering", &from_starts, "x"_a, "starts"_a, "k"_a, "least_fall"_a = 0.0);
    m.def(
        "good_groups",
        [](const Matrix& x, std::size_t k, const std::optional<Objective>& objective, const Progress& progress) {
            const Watch watch = watched(progress);
            return to_array(released(
                x, [&](const Points& points, Poll) { return good_groups(points, k, pointer(objective), watch); }));
        },
        "x"_a, "k"_a, "objective"_a = nb::none(), "progress"_a = nb::none());
    m.def(
        "local_search",
        [](const Matrix& x, const Labels& labels, std::size_t k, const std::optional<Objective>& objective,
           std::optional<std::size_t> neighbours, std::optional<double> steps, std::optional<std::size_t> block) {
            return to_array(released(x, [&](const Points& points, Poll poll) {
                Effort effort = Effort::of(points, k);
                effort.neighbours = neighbours.value_or(effort.neighbours);
                effort.steps = steps.value_or(effort.steps);
                effort.block = block.value_or(effort.block);
                return local_search(points, to_vector(labels), k, effort, pointer(objective), Watch{poll});
            }));
        },
        "x"_a, "labels"_a, "k"_a, "objective"_a = nb::none(), "neighbours"_a = nb::none(), "steps"_a = nb::none(),
        "block"_a = nb::none());
    m.def(
        "leave_at_price",
        [](const Matrix& x, const Labels& starts, const Labels& labels, const Labels& stay, const Labels& least,
           std::size_t k, std::size_t most, double price, std::size_t neighbours, std::size_t steps,
           const std::vector<std::uint64_t>& seeds) {
            std::vector<Array<std::uint32_t>> result;
            for (const auto& out : released(x, [&](const Points& points, Poll poll) {
                     return leave_at_price(
                         {points, k, most, to_vector(starts), to_vector(labels), to_vector(stay), to_vector(least)},
                         price, neighbours, steps, seeds, Watch{poll});
                 }))
                result.push_back(to_array(out));
            return result;
        },
        "x"_a, "starts"_a, "labels"_a, "stay"_a, "least"_a, "k"_a, "most"_a, "price"_a, "neighbours"_a, "steps"_a,
        "seeds"_a);
    m.def(
        "near_records",
        [](const Matrix& x, std::size_t k, std::size_t count, bool exact) {
            return to_array(released(x, [&](const Points& points, Poll poll) {
                const Sight all = Sight::everywhere();
                return near_records(points, k, count, Watch{poll}, exact ? &all : nullptr);
            }));
        },
        "x"_a, "k"_a, "count"_a, "exact"_a = false);
    m.def("use_threads", [](std::size_t count) { threads_wanted() = count; }, "count"_a);
    m.def(
        "align",
        [](const Matrix& x, const Matrix& templates, const Labels& group, const Labels& starts, std::size_t width) {
            return to_array(released(x, [&](const Points& units, Poll poll) {
                return align(units, to_points(templates), to_vector(group), to_vector(starts), width, poll);
            }));
        },
        "x"_a, "templates"_a, "group"_a, "starts"_a, "width"_a);
    m.def(
        "neighbours",
        [](const Matrix& x, std::size_t count) {
            return to_array(
                released(x, [&](const Points& points, Poll poll) { return neighbour_lists(points, count, poll); }),
                x.shape(0) * count);
        },
        "x"_a, "count"_a);
    m.def(
        "neighbour_sums",
        [](const Matrix& x, const Labels& records, std::size_t count) {
            return to_array(released(x, [&](const Points& points, Poll poll) {
                return neighbour_sums(points, to_vector(records), count, poll);
            }));
        },
        "x"_a, "records"_a, "count"_a);
    m.def(
        "neighbour_bound",
        [](const Matrix& x, std::size_t k) {
            return released(x, [&](const Points& points, Poll poll) { return neighbour_bound(points, k, poll); });
        },
        "x"_a, "k"_a);
    m.def(
        "matching_bound",
        [](const Matrix& x, std::size_t k) {
            return released(
                x, [&](const Points& points, Poll poll) { return Matching(points, k, poll).run(false).bound; });
        },
        "x"_a, "k"_a);
    m.def(
        "matching_duals",
        [](const Matrix& x, std::size_t k) {
            const MatchingBound found =
                released(x, [&](const Points& points, Poll poll) { return Matching(points, k, poll).run(true); });
            return std::make_tuple(found.bound, to_array(found.dual));
        },
        "x"_a, "k"_a);
    m.def(
        "different_bound",
        [](const Matrix& x, std::size_t k, const Labels& code, std::size_t least) {
            return released(x, [&](const Points& points, Poll poll) {
                return DifferentBound(points, k, to_vector(code), least, poll).run();
            });
        },
        "x"_a, "k"_a, "code"_a, "least"_a);
    m.def("leaves_scanned", [] { return leaves_scanned; });
    m.def(
        "loss",
        [](const Matrix& x, const Labels& labels, const std::optional<Objective>& objective) {
            return released(x, [&](const Points& points, Poll) {
                const Groups groups(to_vector(labels));
                return objective ? Losses(points, *objective).total(groups) : total_loss(points, groups);
            });
        },
        "x"_a, "labels"_a, "objective"_a = nb::none());
    m.def("use_baseline", [](bool yes) { only_baseline() = yes; }, "yes"_a);
    nb::class_<Search>(m, "Search")
        .def(nb::init<Matrix, const Labels&, std::size_t, std::size_t, double, const std::vector<std::uint64_t>&,
                      std::size_t, std::optional<Objective>>(),
             "x"_a, "labels"_a, "k"_a, "neighbours"_a, "warmth"_a, "seeds"_a, "steps"_a, "objective"_a = nb::none())
        .def("run", &Search::run, "progress"_a = nb::none())
        .def("finish", &Search::finish)
        .def("best", &Search::best)
        .def_prop_ro("done", [](const Search& search) { return search.anneals->done(); });
    nb::class_<GroupPrices>(m, "GroupPrices")
        .def(
            "__init__",
            [](GroupPrices* p, const Matrix& x, std::size_t k) {
                nb::gil_scoped_release release;
                new (p) GroupPrices(to_points(x), k, signals());
            },
            "x"_a, "k"_a)
        .def(
            "round",
            [](GroupPrices& p, double seconds) {
                nb::gil_scoped_release release;
                return p.round(seconds, signals());
            },
            "seconds"_a)
        .def("bound", &GroupPrices::bound)
        .def("prices", [](const GroupPrices& p) { return to_array(p.prices()); })
        .def("tolls", [](const GroupPrices& p) {
            std::vector<std::uint32_t> record;
            std::vector<double> toll;
            for (const Cut& cut : p.tolls()) {
                record.insert(record.end(), cut.record.begin(), cut.record.end());
                toll.push_back(cut.toll);
            }
            return std::make_tuple(to_array(record), to_array(toll));
        });
    nb::class_<Pricing>(m, "Pricing")
        .def(
            "__init__",
            [](Pricing* p, const Matrix& x) {
                nb::gil_scoped_release release;
                new (p) Pricing(to_points(x), signals());
            },
            "x"_a)
        .def("price", &price, "dual"_a, "m"_a, "limit"_a, "most"_a, "seconds"_a, "apart"_a, "together"_a);
}
