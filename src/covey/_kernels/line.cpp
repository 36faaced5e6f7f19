// Python's view of the line kernels. No algorithm here: arrays in, arrays out, the GIL released while kernels run.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "bind.hpp"
#include "line/is_sorted.hpp"
#include "line/leave_out.hpp"
#include "line/optimal.hpp"
#include "line/runs.hpp"
#include "line/stream.hpp"

using namespace covey;
using namespace covey::line;
using namespace nb::literals;

namespace {

using Column = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Labels = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Stops = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// (least, most, group_cost, penalty, wanted), as covey.line.optimal builds it.
using RulesTuple = std::tuple<std::size_t, std::size_t, double, double, std::size_t>;

Rules to_rules(const RulesTuple& t) {
    return {std::get<0>(t), std::get<1>(t), std::get<2>(t), std::get<3>(t), std::get<4>(t)};
}

CostName to_cost(int number) { return to_enum(number, CostName::rounded, "cost"); }

using Labelled = std::tuple<Array<std::int32_t>, std::size_t, double, std::size_t>;

// The weights in the order of the sorted values; the least of them goes into the task.
std::vector<double> in_order(const Column& weights, const std::uint32_t* order, Task& task) {
    std::vector<double> weight(weights.shape(0));
    for (std::size_t r = 0; r < weight.size(); ++r) weight[r] = weights.data()[order == nullptr ? r : order[r]];
    task.weight = weight.data();
    task.least_weight = *std::min_element(weight.begin(), weight.end());
    return weight;
}

Labelled solve(const Column& x, bool was_sorted, Task task, bool want_loss, const std::optional<Column>& weights) {
    const std::size_t n = x.shape(0);
    Buffer<std::int32_t> labels;
    std::size_t groups = 0, evaluations = 0;
    double loss = 0.0;
    {
        nb::gil_scoped_release release;
        const Poll poll(check_signals);
        Sorted sorted;
        if (!was_sorted) sorted = sort(x.data(), n, poll);
        const double* values = was_sorted ? x.data() : sorted.value.data();
        std::vector<double> weight;
        if (weights) weight = in_order(*weights, was_sorted ? nullptr : sorted.order.data(), task);
        labels = Buffer<std::int32_t>(n + label_room);
        static_assert(sizeof(std::int32_t) == sizeof(std::uint32_t));
        const Outcome outcome = solve_task(values, n, task, reinterpret_cast<std::uint32_t*>(labels.data()), poll);
        if (want_loss) loss = total_loss(values, task, outcome.cuts);
        groups = outcome.cuts.size() - 1;
        evaluations = outcome.evaluations;
        label(outcome.cuts, was_sorted ? nullptr : sorted.order.data(), labels.data());
    }
    return {to_array(std::move(labels), n), groups, loss, evaluations};
}

Labelled solve_by(std::optional<SearchName> search, const Column& x, bool was_sorted, std::size_t k, int cost,
                  const RulesTuple& rules, std::size_t max_groups, bool want_loss,
                  const std::optional<Column>& weights) {
    return solve(x, was_sorted, Task{to_cost(cost), k, to_rules(rules), max_groups, search}, want_loss, weights);
}

// A cost that lives in Python. The GIL stays held.
struct PythonCost {
    nb::callable loss;
    double operator()(std::size_t start, std::size_t stop) const { return nb::cast<double>(loss(start, stop)); }
};

std::tuple<std::vector<std::uint32_t>, std::size_t> search_python(SearchName search, nb::callable loss, std::size_t n,
                                                                  const RulesTuple& rules, std::size_t max_groups,
                                                                  bool concave, double large_charge) {
    const PythonCost cost{std::move(loss)};
    const Poll poll(check_signals);
    const Task task{CostName::sse, 0, to_rules(rules), max_groups, search};
    Outcome outcome = max_groups > 0 ? search_few_groups(cost, n, task, search, concave, large_charge, poll)
                                     : search_matrix(cost, n, task.rules, search, poll);
    return {{outcome.cuts.begin(), outcome.cuts.end()}, outcome.evaluations};
}

template <SearchName Search>
void bind_search(nb::module_& m, const char* name, const char* own_cost_name) {
    m.def(
        name,
        [](const Column& x, bool was_sorted, std::size_t k, int cost, const RulesTuple& rules, std::size_t max_groups,
           bool want_loss, const std::optional<Column>& weights) {
            return solve_by(Search, x, was_sorted, k, cost, rules, max_groups, want_loss, weights);
        },
        "x"_a, "was_sorted"_a, "k"_a, "cost"_a, "rules"_a, "max_groups"_a, "want_loss"_a, "weights"_a = nb::none());
    m.def(
        own_cost_name,
        [](nb::callable loss, std::size_t n, const RulesTuple& rules, std::size_t max_groups, bool concave,
           double large_charge) {
            return search_python(Search, std::move(loss), n, rules, max_groups, concave, large_charge);
        },
        "loss"_a, "n"_a, "rules"_a, "max_groups"_a, "concave"_a, "large_charge"_a);
}

// SSE by the inexact sums of S section 4, for the benchmarks and for the tests that show what they lose.
template <class Cost>
Labelled inexact(const Column& x, std::size_t k, bool use_staggered) {
    const std::size_t n = x.shape(0);
    Buffer<std::int32_t> labels(n + label_room);
    Outcome outcome;
    {
        nb::gil_scoped_release release;
        const Poll poll(check_signals);
        const Cost cost(x.data(), n, 2 * k - 1);
        outcome = search_matrix(cost, n, Rules{k, 2 * k - 1},
                                use_staggered ? SearchName::staggered : SearchName::simple_plus, poll);
        label(outcome.cuts, nullptr, labels.data());
    }
    const double loss = partition_loss(CostName::sse, {x.data()}, outcome.cuts);
    return {to_array(std::move(labels), n), outcome.cuts.size() - 1, loss, outcome.evaluations};
}

// One of the kernels behind `fastest`, for its own tests: sorted x, n >= 2k, scaled, no fallback.
template <void (*Kernel)(CostName, const double*, std::size_t, std::size_t, std::uint32_t*, const Poll&)>
Array<std::int32_t> run_kernel(const Column& x, std::size_t k, int cost) {
    const std::size_t n = x.shape(0);
    Buffer<std::uint32_t> start(n);
    Buffer<std::int32_t> labels(n + label_room);
    Kernel(to_cost(cost), x.data(), n, k, start.data(), Poll(check_signals));
    label(trace(static_cast<std::uint32_t>(n), 1, [&](std::uint32_t c) { return start[c - 1]; }), nullptr,
          labels.data());
    return to_array(std::move(labels), n);
}

std::tuple<Array<std::uint32_t>, Array<std::uint32_t>> push(Stream& stream, const Column& x, bool ended,
                                                            const std::optional<Column>& weights) {
    Segment segment;
    if (stream.weighed() != weights.has_value() || (weights && weights->shape(0) != x.shape(0)))
        throw std::invalid_argument("weights are for streams that are weighed, one for every value");
    {
        nb::gil_scoped_release release;
        stream.push({x.data(), weights ? weights->data() : nullptr}, x.shape(0), ended, Poll(check_signals));
        segment = stream.take(ended);
    }
    return {to_array(segment.sizes), to_array(segment.roots)};
}

// One of the kernels that leave records out; x is sorted.
template <auto Kernel, class Limit>
auto leaving_out(const Column& x, std::size_t k, int cost, Limit limit) {
    decltype(Kernel(CostName::sse, nullptr, 0, 0, limit, std::declval<Poll>())) found;
    {
        nb::gil_scoped_release release;
        found = Kernel(to_cost(cost), x.data(), x.shape(0), k, limit, Poll(check_signals));
    }
    return to_array(found);
}

template <class Value>
Array<std::uint32_t> in_runs(const nb::ndarray<const Value, nb::ndim<1>, nb::c_contig, nb::device::cpu>& values,
                             const Indices& order, const Stops& stops) {
    Buffer<std::uint32_t> sorted;
    {
        nb::gil_scoped_release release;
        sorted = sorted_runs(values.data(), order.data(), stops.data(), stops.shape(0), Poll(check_signals));
    }
    return to_array(std::move(sorted), order.shape(0));
}

}  // namespace

NB_MODULE(line, m) {
    m.def(
        "fastest",
        [](const Column& x, bool was_sorted, std::size_t k, int cost, const RulesTuple& rules, std::size_t max_groups,
           bool want_loss, const std::optional<Column>& weights) {
            return solve_by(std::nullopt, x, was_sorted, k, cost, rules, max_groups, want_loss, weights);
        },
        "x"_a, "was_sorted"_a, "k"_a, "cost"_a, "rules"_a, "max_groups"_a, "want_loss"_a, "weights"_a = nb::none());
    bind_search<SearchName::classic>(m, "classic", "classic_own_cost");
    bind_search<SearchName::simple>(m, "simple", "simple_own_cost");
    bind_search<SearchName::simple_plus>(m, "simple_plus", "simple_plus_own_cost");
    bind_search<SearchName::wilber>(m, "wilber", "wilber_own_cost");
    bind_search<SearchName::galil_park>(m, "galil_park", "galil_park_own_cost");
    bind_search<SearchName::staggered>(m, "staggered", "staggered_own_cost");
    m.def("direct", &run_kernel<direct>, "x"_a, "k"_a, "cost"_a);
    m.def("divide", &run_kernel<divide>, "x"_a, "k"_a, "cost"_a);
    m.def("prefix_sums", &inexact<PrefixSseCost>, "x"_a, "k"_a, "use_staggered"_a);
    m.def("partial_sums", &inexact<PartialSseCost>, "x"_a, "k"_a, "use_staggered"_a);
    m.def("cheap_sums", &inexact<CheapSseCost>, "x"_a, "k"_a, "use_staggered"_a);
    m.def("losses_without", &leaving_out<losses_without, std::size_t>, "x"_a, "k"_a, "cost"_a, "most"_a);
    m.def("groups_without", &leaving_out<groups_without, std::size_t>, "x"_a, "k"_a, "cost"_a, "count"_a);
    m.def("groups_at_price", &leaving_out<groups_at_price, double>, "x"_a, "k"_a, "cost"_a, "price"_a);
    m.def("use_baseline", [](bool yes) { only_baseline() = yes; }, "yes"_a);
    m.def("is_sorted", [](const Column& x) { return is_sorted(x.data(), x.shape(0)); }, "x"_a);
    m.def(
        "sort",
        [](const Column& x) {
            Sorted sorted;
            {
                nb::gil_scoped_release release;
                sorted = line::sort(x.data(), x.shape(0), Poll(check_signals));
            }
            return std::make_tuple(to_array(std::move(sorted.value), x.shape(0)),
                                   to_array(std::move(sorted.order), x.shape(0)));
        },
        "x"_a);
    m.def(
        "label",
        [](const std::vector<std::uint32_t>& cuts, const Indices& order) {
            Buffer<std::int32_t> labels(order.shape(0));
            label(Cuts(cuts.begin(), cuts.end()), order.data(), labels.data());
            return to_array(std::move(labels), order.shape(0));
        },
        "cuts"_a, "order"_a);
    m.def(
        "by_label",
        [](const Labels& labels, std::size_t groups) {
            Buffer<std::uint32_t> order;
            {
                nb::gil_scoped_release release;
                order = by_label(labels.data(), labels.shape(0), groups, Poll(check_signals));
            }
            return to_array(std::move(order), labels.shape(0));
        },
        "labels"_a, "groups"_a);
    m.def("sorted_runs", &in_runs<double>, "values"_a.noconvert(), "order"_a, "stops"_a);
    m.def("sorted_runs", &in_runs<std::int64_t>, "values"_a.noconvert(), "order"_a, "stops"_a);
    nb::class_<Stream>(m, "Stream")
        .def(
            "__init__",
            [](Stream* self, int cost, std::size_t k, std::size_t least, bool weighed) {
                new (self) Stream(to_cost(cost), k, least, weighed);
            },
            "cost"_a, "k"_a, "least"_a, "weighed"_a = false)
        .def("push", &push, "x"_a, "ended"_a, "weights"_a = nb::none());
    m.def(
        "ends_of",
        [](const Indices& sizes, std::size_t stop, std::int64_t first) {
            return to_array(ends_of(sizes.data(), stop, first));
        },
        "sizes"_a, "stop"_a, "first"_a);
}
