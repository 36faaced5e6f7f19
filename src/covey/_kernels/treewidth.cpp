// Python's view of the kernel for tree decompositions. No algorithm here: arrays in, arrays out, the GIL released meanwhile.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind.hpp"
#include "treewidth/connected.hpp"
#include "treewidth/unconnected.hpp"

using namespace covey;
using namespace covey::treewidth;
using namespace nb::literals;

namespace {

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Result = std::tuple<int, std::optional<Array<Vertex>>>;

// 0: none, 1: found, else why it stopped.
Result connected(const Input<std::int64_t>& indptr, const Input<Vertex>& indices,
                 const Input<std::int64_t>& ball_indptr, const Input<Vertex>& ball_indices,
                 const Input<std::int8_t>& kinds, const Input<Vertex>& vertices, std::int32_t lower, std::int32_t upper,
                 double seconds, std::size_t most_bytes) {
    const network::Graph graph{indptr.shape(0) - 1, indptr.data(), indices.data(), nullptr};
    const Rows balls{ball_indptr.data(), ball_indices.data()};
    const Steps steps{kinds.shape(0), kinds.data(), vertices.data()};
    std::optional<std::vector<Vertex>> labels;
    try {
        nb::gil_scoped_release release;
        labels = Connected(graph, balls, steps, lower, upper, Budget(Poll(check_signals), seconds, most_bytes)).run();
    } catch (Stop stop) {
        return {static_cast<int>(stop), std::nullopt};
    }
    if (!labels) return {0, std::nullopt};
    return {1, to_array(*labels)};
}

Result unconnected(const Input<std::int64_t>& ball_indptr, const Input<Vertex>& ball_indices, const Input<bool>& may,
                   const Input<std::int8_t>& kinds, const Input<Vertex>& vertices, std::int32_t lower,
                   std::int32_t upper, bool splits, double seconds, std::size_t most_bytes) {
    const Rows balls{ball_indptr.data(), ball_indices.data()};
    const Steps steps{kinds.shape(0), kinds.data(), vertices.data()};
    std::optional<std::vector<std::int32_t>> opened;
    try {
        nb::gil_scoped_release release;
        const Budget budget(Poll(check_signals), seconds, most_bytes);
        opened = opened_clusters(Roles(may.shape(0), balls, may.data()), steps, {lower, upper, splits}, budget);
    } catch (Stop stop) {
        return {static_cast<int>(stop), std::nullopt};
    }
    if (!opened) return {0, std::nullopt};
    return {1, to_array(*opened)};
}

}  // namespace

NB_MODULE(treewidth, m) {
    m.def("connected", &connected, "indptr"_a, "indices"_a, "ball_indptr"_a, "ball_indices"_a, "kinds"_a, "vertices"_a,
          "lower"_a, "upper"_a, "seconds"_a, "most_bytes"_a);
    m.def("unconnected", &unconnected, "ball_indptr"_a, "ball_indices"_a, "may"_a, "kinds"_a, "vertices"_a, "lower"_a,
          "upper"_a, "splits"_a, "seconds"_a, "most_bytes"_a);
    m.attr("most_in_bag") = most_in_bag;
}
