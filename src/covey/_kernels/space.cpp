// Python's view of the space kernels. No algorithm here: arrays in, arrays out, the GIL released while kernels run.
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <tuple>

#include "bind.hpp"
#include "space/anneal.hpp"
#include "space/comply.hpp"
#include "space/components.hpp"
#include "space/decompose.hpp"
#include "space/demand_cut.hpp"
#include "space/local_search.hpp"
#include "space/mdav.hpp"
#include "space/neighbours.hpp"
#include "space/sequence.hpp"
#include "space/sets.hpp"
#include "space/tour.hpp"

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
    const double loss = released(x, [&](const Points& points, Poll poll) {
        return Cutter(points).cut(to_vector(order), k, sizes, poll);
    });
    return {to_array(sizes), loss};
}

std::size_t count_groups(const std::vector<std::uint32_t>& labels) {
    return *std::max_element(labels.begin(), labels.end()) + std::size_t{1};
}

// One row of labels for every start; the best of them, and the losses of all iterations of every start.
std::tuple<Array<std::uint32_t>, Array<std::uint32_t>, std::vector<std::vector<double>>> repeated_ordering(
    const Matrix& x, const ManyLabels& starts, std::size_t k) {
    const std::size_t count = starts.shape(0), n = x.shape(0);
    std::vector<std::vector<double>> losses(count);
    std::vector<Grouping> found(count);
    released(x, [&](const Points& points, Poll poll) {
        std::atomic<std::size_t> next{0};
        in_parallel(std::min(count, threads_for(std::size_t{1} << 31)), [&](std::size_t t) {
            RepeatedOrdering ordering(points);
            Poll own = t == 0 ? poll : Poll([] {});
            try {
                for (std::size_t s; (s = next.fetch_add(1)) < count;) {
                    const std::vector<std::uint32_t> labels(starts.data() + s * n, starts.data() + (s + 1) * n);
                    found[s] = ordering.run(labels, count_groups(labels), k, losses[s], own);
                }
            } catch (...) {
                next = count;
                throw;
            }
        });
        return 0;
    });
    std::size_t best = 0;
    for (std::size_t s = 1; s < count; ++s)
        if (*std::min_element(losses[s].begin(), losses[s].end()) < *std::min_element(losses[best].begin(), losses[best].end())) best = s;
    return {to_array(found[best].order), to_array(found[best].sizes), losses};
}

// Local search, then `steps` steps of the large-neighbourhood search that take improvements only, then local search.
Array<std::uint32_t> local_search(const Matrix& x, const Labels& labels, std::size_t k, std::size_t neighbours, std::size_t steps) {
    return to_array(released(x, [&](const Points& points, Poll poll) {
        const std::vector<std::uint32_t> start = to_vector(labels);
        Groups groups(start, count_groups(start));
        const std::size_t m = std::min(neighbours, points.n - 1);
        const Buffer<std::uint32_t> lists = neighbour_lists(points, m, poll);
        LocalSearch(points, k, groups, lists.data(), m, poll).run();
        if (steps == 0) return groups.label;
        Anneal cold(points, k, groups, lists.data(), m, 0.0, 0, steps);
        const std::size_t chunk = 1 + (std::size_t{1} << 22) / (k * k * points.d);
        for (std::size_t done = 0; done < steps; done += chunk) {
            cold.advance(chunk);
            poll();
        }
        LocalSearch(points, k, cold.groups(), lists.data(), m, poll).run();
        return cold.groups().label;
    }));
}

// Several anneals from one start, on all cores.
class Search {
  public:
    Search(Matrix x, const Labels& labels, std::size_t k, std::size_t neighbours, double warmth,
           const std::vector<std::uint64_t>& seeds, std::size_t steps)
        : x_(std::move(x)), k_(k) {
        nb::gil_scoped_release release;
        const Points points = to_points(x_);
        m_ = std::min(neighbours, points.n - 1);
        lists_ = neighbour_lists(points, m_, signals());
        const std::vector<std::uint32_t> start = to_vector(labels);
        const Groups groups(start, count_groups(start));
        for (std::uint64_t seed : seeds) anneals_.emplace_back(points, k, groups, lists_.data(), m_, warmth, seed, steps);
    }

    // `steps` more steps of every anneal; the least loss so far.
    double run(std::size_t steps) {
        nb::gil_scoped_release release;
        each([&](Anneal& anneal) {
            anneal.advance(steps);
            anneal.keep_if_better();
        });
        return anneals_[best()].best_loss();
    }

    // Local search at the end of every anneal; the labels of the best.
    Array<std::uint32_t> finish() {
        {
            nb::gil_scoped_release release;
            each([&](Anneal& anneal) {
                const std::vector<std::uint32_t>& label = anneal.best();
                anneal.groups() = Groups(label, count_groups(label));
                LocalSearch(to_points(x_), k_, anneal.groups(), lists_.data(), m_, Poll([] {})).run();
                anneal.keep_if_better();
            });
        }
        return to_array(anneals_[best()].best());
    }

  private:
    template <class Work>
    void each(const Work& work) {
        std::atomic<std::size_t> next{0};
        in_parallel(std::min(anneals_.size(), threads_for(std::size_t{1} << 31)), [&](std::size_t) {
            for (std::size_t a; (a = next.fetch_add(1)) < anneals_.size();) work(anneals_[a]);
        });
    }

    std::size_t best() const {
        std::size_t best = 0;
        for (std::size_t a = 1; a < anneals_.size(); ++a)
            if (anneals_[a].best_loss() < anneals_[best].best_loss()) best = a;
        return best;
    }

    Matrix x_;
    std::size_t k_, m_ = 0;
    Buffer<std::uint32_t> lists_;
    std::vector<Anneal> anneals_;
};

std::tuple<Array<std::uint32_t>, Array<double>, bool> price(Pricing& pricing, const Numbers& dual, std::size_t m, double limit,
                                                            std::size_t most, double seconds, const Labels& apart,
                                                            const Labels& together) {
    Columns columns;
    {
        nb::gil_scoped_release release;
        columns = pricing.run(dual.data(), m, limit, most, seconds, Pairs{to_vector(apart), to_vector(together)}, signals());
    }
    return {to_array(columns.member), to_array(columns.cost), columns.complete};
}

std::vector<double> to_doubles(const Numbers& numbers) { return {numbers.data(), numbers.data() + numbers.shape(0)}; }

Rule to_rule(const std::string& kind, const Labels& code, double limit, double c, const Numbers& share, const Numbers& full,
             const Numbers& value, const Labels& unit) {
    static const std::vector<std::string> kinds = {"distinct", "entropy", "recursive", "equal",
                                                   "ordered",  "spread",  "p_percent", "dominance"};
    const auto place = std::find(kinds.begin(), kinds.end(), kind) - kinds.begin();
    return {static_cast<RuleKind>(place), to_vector(code), limit, c, to_doubles(share), to_doubles(full), to_doubles(value), to_vector(unit),
            {}, {}};
}

// Groups that satisfy the demand, from groups that may not: by exchanges, moves and mergers, then local search; or by mergers
// with the nearest group alone.
Array<std::uint32_t> comply(const Matrix& x, const Labels& labels, std::size_t k, Demand& demand, std::size_t neighbours, bool merge_only) {
    return to_array(released(x, [&](const Points& points, Poll poll) {
        const std::vector<std::uint32_t> start = to_vector(labels);
        Groups groups(start, count_groups(start));
        const std::size_t m = merge_only ? 0 : std::min(neighbours, points.n - 1);
        const Buffer<std::uint32_t> lists = neighbour_lists(points, m, poll);
        Comply mend(points, k, groups, lists.data(), m, demand, poll);
        if (merge_only) {
            mend.merge();
        } else {
            mend.run();
            LocalSearch(points, k, groups, lists.data(), m, poll, &demand).run();
        }
        return groups.label;
    }));
}

}  // namespace

NB_MODULE(space, m) {
    nb::class_<Demand>(m, "Demand")
        .def(nb::init<>())
        .def(
            "add",
            [](Demand& demand, const std::string& kind, const Labels& code, double limit, double c, const Numbers& share,
               const Numbers& full, const Numbers& value, const Labels& unit) {
                demand.add(to_rule(kind, code, limit, c, share, full, value, unit));
            },
            "kind"_a, "code"_a, "limit"_a, "c"_a, "share"_a, "full"_a, "value"_a, "unit"_a)
        .def("count_units", [](Demand& demand, const Labels& unit, std::size_t least) { demand.count_units(to_vector(unit), least); }, "unit"_a,
             "least"_a = 0)
        .def(
            "deficit",
            [](Demand& demand, const Labels& member) { return demand.deficit(member.data(), member.shape(0)); },
            "member"_a);
    m.def("comply", &comply, "x"_a, "labels"_a, "k"_a, "demand"_a, "neighbours"_a, "merge_only"_a);
    m.def(
        "demand_cut",
        [](const Matrix& x, const Labels& order, std::size_t k, std::size_t most, Demand& demand) {
            return to_array(released(
                x, [&](const Points& points, Poll poll) { return demand_cut(points, to_vector(order), k, most, demand, poll); }));
        },
        "x"_a, "order"_a, "k"_a, "most"_a, "demand"_a);
    m.def("mdav", &grouped<mdav_by_the_faster>, "x"_a, "k"_a);
    m.def("mdav_by_tree", &grouped<mdav<Tree>>, "x"_a, "k"_a);
    m.def("mdav_by_passes", &grouped<mdav_by_passes>, "x"_a, "k"_a);
    m.def("mdav_by_scan", &grouped<mdav<Scan, PlainCentre>>, "x"_a, "k"_a);
    m.def("cbfs", &grouped<cbfs>, "x"_a, "k"_a);
    m.def(
        "vmdav",
        [](const Matrix& x, std::size_t k, double gamma) {
            return to_arrays(released(x, [&](const Points& points, Poll poll) { return vmdav(points, k, gamma, poll); }));
        },
        "x"_a, "k"_a, "gamma"_a);
    m.def(
        "components",
        [](const Matrix& x, std::size_t k) {
            return to_arrays(released(x, [&](const Points& points, Poll poll) { return Components(points, k, poll).run(); }));
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
        "nearest_point_next",
        [](const Matrix& x) {
            return to_array(released(x, [](const Points& points, Poll poll) { return nearest_point_next(points, poll); }));
        },
        "x"_a);
    m.def(
        "order_by_halves",
        [](const Matrix& x) {
            return to_array(released(x, [](const Points& points, Poll poll) {
                std::vector<std::uint32_t> order(points.n);
                std::iota(order.begin(), order.end(), 0U);
                order_by_halves(points, order.data(), points.n, poll);
                return order;
            }));
        },
        "x"_a);
    m.def(
        "tour",
        [](const Matrix& x, std::size_t neighbours) {
            return to_array(released(x, [&](const Points& points, Poll poll) {
                const std::size_t near = std::min(neighbours, points.n - 1);
                const Buffer<std::uint32_t> lists = neighbour_lists(points, near, poll);
                return Tour(points, nearest_point_next(points, poll), lists.data(), near, poll).run();
            }));
        },
        "x"_a, "neighbours"_a);
    m.def("cut", &cut, "x"_a, "order"_a, "k"_a);
    m.def("repeated_ordering", &repeated_ordering, "x"_a, "starts"_a, "k"_a);
    m.def("local_search", &local_search, "x"_a, "labels"_a, "k"_a, "neighbours"_a, "steps"_a);
    m.def(
        "neighbours",
        [](const Matrix& x, std::size_t count) {
            return to_array(released(x, [&](const Points& points, Poll poll) { return neighbour_lists(points, count, poll); }),
                            x.shape(0) * count);
        },
        "x"_a, "count"_a);
    m.def(
        "neighbour_sums",
        [](const Matrix& x, const Labels& records, std::size_t count) {
            return to_array(released(
                x, [&](const Points& points, Poll poll) { return neighbour_sums(points, to_vector(records), count, poll); }));
        },
        "x"_a, "records"_a, "count"_a);
    m.def(
        "neighbour_bound",
        [](const Matrix& x, std::size_t k) {
            return released(x, [&](const Points& points, Poll poll) { return neighbour_bound(points, k, poll); });
        },
        "x"_a, "k"_a);
    m.def("leaves_scanned", [] { return leaves_scanned; });
    m.def(
        "loss",
        [](const Matrix& x, const Labels& labels) {
            return released(x, [&](const Points& points, Poll) {
                const std::vector<std::uint32_t> label = to_vector(labels);
                return total_loss(points, Groups(label, count_groups(label)));
            });
        },
        "x"_a, "labels"_a);
    m.def(
        "use_baseline", [](bool yes) { only_baseline() = yes; }, "yes"_a);
    nb::class_<Search>(m, "Search")
        .def(nb::init<Matrix, const Labels&, std::size_t, std::size_t, double, const std::vector<std::uint64_t>&, std::size_t>(), "x"_a,
             "labels"_a, "k"_a, "neighbours"_a, "warmth"_a, "seeds"_a, "steps"_a)
        .def("run", &Search::run, "steps"_a)
        .def("finish", &Search::finish);
    nb::class_<Pricing>(m, "Pricing")
        .def("__init__", [](Pricing* p, const Matrix& x) {
            nb::gil_scoped_release release;
            new (p) Pricing(to_points(x), signals());
        }, "x"_a)
        .def("price", &price, "dual"_a, "m"_a, "limit"_a, "most"_a, "seconds"_a, "apart"_a,
             "together"_a);
}
