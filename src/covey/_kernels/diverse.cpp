// Python's view of the kernels for clusters of different colours. No algorithm here.
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind.hpp"
#include "diverse/bracket.hpp"
#include "diverse/gather.hpp"
#include "diverse/mixed.hpp"
#include "diverse/window.hpp"

using namespace covey;
using namespace covey::diverse;
using namespace nb::literals;

namespace {

using Column = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Colours = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// clusters of the sorted points, lower bound, value
using Answer = std::tuple<Array<std::int32_t>, double, double>;

Instance to_instance(const Column& x, const Colours& colours, std::size_t m, std::size_t l) {
    return {x.data(), colours.data(), x.shape(0), m, l};
}

// work(instance, objective, watch) without the GIL.
template <class Work>
Answer answer(const Instance& given, int objective, double seconds, const Work& work) {
    const auto wanted = to_enum(objective, Objective::sse, "objective");
    Bracket bracket;
    {
        nb::gil_scoped_release release;
        Watch watch(Poll(check_signals), seconds);
        bracket = work(given, wanted, watch);
    }
    return {to_array(bracket.clusters), bracket.lower, bracket.upper};
}

Answer by_window(const Column& x, const Colours& colours, std::size_t m, std::size_t l, int objective, double seconds,
                 std::size_t bytes) {
    return answer(to_instance(x, colours, m, l), objective, seconds,
                  [&](const Instance& given, Objective wanted, Watch& watch) {
                      return Window(given, wanted, bytes, watch).run();
                  });
}

Answer by_guess(const Column& x, const Colours& colours, std::size_t m, std::size_t l, std::size_t bytes) {
    constexpr double forever = std::numeric_limits<double>::infinity();
    return answer(to_instance(x, colours, m, l), static_cast<int>(Objective::sse), forever,
                  [&](const Instance& given, Objective wanted, Watch& watch) {
                      return Window(given, wanted, bytes, watch).guess();
                  });
}

Answer by_start(const Column& x, const Colours& colours, std::size_t m, std::size_t l, int objective) {
    return answer(to_instance(x, colours, m, l), objective, 0.0, start);
}

Answer by_table(const Column& x, const Colours& colours, std::size_t m, std::size_t l, int objective, double seconds) {
    return answer(to_instance(x, colours, m, l), objective, seconds, best_by_table);
}

// The sizes of the groups of sorted points with the least largest span.
Array<std::int32_t> by_gather(const Column& x, std::size_t k) {
    std::vector<std::int32_t> sizes;
    {
        nb::gil_scoped_release release;
        sizes = gather(x.data(), x.shape(0), k, Poll(check_signals));
    }
    return to_array(sizes);
}

// The clusters of least squares with mixed colours, around whole numbers if only those are published; none where the table takes more steps.
Array<std::int32_t> mixed(const Column& x, const Colours& colours, std::size_t m, std::size_t l, std::size_t k,
                          bool shares, bool whole, std::uint64_t most_steps) {
    const Instance given = to_instance(x, colours, m, l);
    Clusters clusters;
    {
        nb::gil_scoped_release release;
        Watch watch(Poll(check_signals), std::numeric_limits<double>::infinity());
        Mixed table(given, k, shares ? Mixing::share : Mixing::distinct, whole, most_steps, watch);
        if (table.fill()) clusters = table.trace();
    }
    return to_array(clusters);
}

// Two proofs behind `window`, for their own tests. Prices of the points, after some steps towards the best ones.
Array<double> prices(const Column& x, const Colours& colours, std::size_t m, std::size_t l, bool squares, double upper,
                     int steps) {
    const Instance given = to_instance(x, colours, m, l);
    Watch watch(Poll(check_signals), 1e9);
    const std::vector<double> start(given.n, upper / static_cast<double>(given.n));
    const auto run = [&](auto pricing) {
        Lagrangian<decltype(pricing)> lagrangian(given, std::move(pricing), start);
        lagrangian.run(upper, steps, watch);
        return to_array(lagrangian.best().price);
    };
    return squares ? run(SquaresPricing(given)) : run(SpanPricing(given, false));
}

// Whether the points from `first` to `last` alone show that all solutions have a span of `bound` or more; first >= 1.
bool dies(const Column& x, const Colours& colours, std::size_t m, std::size_t l, double bound, std::size_t first,
          std::size_t last) {
    const Instance given = to_instance(x, colours, m, l);
    Watch watch(Poll(check_signals), 1e9);
    const std::vector<double> zero(given.n, 0.0);
    const Limits limits{bound, std::numeric_limits<double>::infinity(), std::size_t{1} << 26};
    return Pass<1, MaxCost>(given, zero, limits, watch).dies(first, last);
}

}  // namespace

NB_MODULE(diverse, m) {
    m.def("window", &by_window, "x"_a, "colours"_a, "m"_a, "l"_a, "objective"_a, "seconds"_a, "most_bytes"_a);
    m.def("gather", &by_gather, "x"_a, "k"_a);
    m.def("guess", &by_guess, "x"_a, "colours"_a, "m"_a, "l"_a, "most_bytes"_a);
    m.def("start", &by_start, "x"_a, "colours"_a, "m"_a, "l"_a, "objective"_a);
    m.def("table", &by_table, "x"_a, "colours"_a, "m"_a, "l"_a, "objective"_a, "seconds"_a);
    m.def("mixed", &mixed, "x"_a, "colours"_a, "m"_a, "l"_a, "k"_a, "shares"_a, "whole"_a, "most_steps"_a);
    m.def("prices", &prices, "x"_a, "colours"_a, "m"_a, "l"_a, "squares"_a, "upper"_a, "steps"_a);
    m.def("dies", &dies, "x"_a, "colours"_a, "m"_a, "l"_a, "bound"_a, "first"_a, "last"_a);
}
