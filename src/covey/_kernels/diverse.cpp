// Python's view of the kernels for clusters of different colours. No algorithm here.
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bind.hpp"
#include "diverse/bracket.hpp"
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

Answer by_start(const Column& x, const Colours& colours, std::size_t m, std::size_t l, int objective) {
    return answer(to_instance(x, colours, m, l), objective, 0.0, start);
}

Answer by_table(const Column& x, const Colours& colours, std::size_t m, std::size_t l, int objective, double seconds) {
    return answer(to_instance(x, colours, m, l), objective, seconds, best_by_table);
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
    m.def("start", &by_start, "x"_a, "colours"_a, "m"_a, "l"_a, "objective"_a);
    m.def("table", &by_table, "x"_a, "colours"_a, "m"_a, "l"_a, "objective"_a, "seconds"_a);
    m.def("prices", &prices, "x"_a, "colours"_a, "m"_a, "l"_a, "squares"_a, "upper"_a, "steps"_a);
    m.def("dies", &dies, "x"_a, "colours"_a, "m"_a, "l"_a, "bound"_a, "first"_a, "last"_a);
}
