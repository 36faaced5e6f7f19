// Python's view of the kernels for networks. No algorithm here: arrays in, arrays out, the GIL released while kernels run.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "bind.hpp"
#include "network/balls.hpp"
#include "network/blocking.hpp"
#include "network/carve.hpp"
#include "network/centres.hpp"
#include "network/components.hpp"
#include "network/gather.hpp"
#include "network/prices.hpp"
#include "network/reach.hpp"

using namespace covey;
using namespace covey::network;
using namespace nb::literals;

namespace {

using Rows = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Vertices = nb::ndarray<const Vertex, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Lengths = std::optional<nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>>;
using Pairs = std::tuple<Array<std::int64_t>, Array<Vertex>, Array<double>>;

Graph to_graph(const Rows& indptr, const Vertices& indices, const Lengths& lengths) {
    return {indptr.shape(0) - 1, indptr.data(), indices.data(), lengths ? lengths->data() : nullptr};
}

// work(poll) without the GIL.
template <class Work>
auto released(const Work& work) {
    nb::gil_scoped_release release;
    return work(Poll(check_signals));
}

std::optional<Pairs> balls(const Rows& indptr, const Vertices& indices, const Lengths& lengths, double radius,
                           std::size_t most) {
    const Graph graph = to_graph(indptr, indices, lengths);
    const auto found = released([&](Poll poll) { return all_balls(graph, radius, most, poll); });
    if (!found) return std::nullopt;
    return Pairs{to_array(found->start), to_array(found->member), to_array(found->distance)};
}

Array<double> from_source(const Rows& indptr, const Vertices& indices, const Lengths& lengths, Vertex source) {
    const Graph graph = to_graph(indptr, indices, lengths);
    return to_array(released([&](Poll poll) { return distances_from(graph, source, poll); }));
}

Array<Vertex> parts(const Rows& indptr, const Vertices& indices) {
    const Graph graph = to_graph(indptr, indices, {});
    return to_array(released([&](Poll poll) { return components(graph, poll); }));
}

Vertex blocking_vertex(const Rows& indptr, const Vertices& indices, std::size_t lower, std::size_t upper) {
    const Graph graph = to_graph(indptr, indices, {});
    return released([&](Poll poll) { return Blocking(graph, lower, upper, poll).run(); });
}

Array<Vertex> carve(const Rows& indptr, const Vertices& indices, const Lengths& lengths, std::size_t lower,
                    std::size_t upper, std::uint64_t seed, bool of_sum) {
    const Graph graph = to_graph(indptr, indices, lengths);
    const Aim aim = of_sum ? Aim::sum : Aim::radius;
    return to_array(released([&](Poll poll) { return Carve(graph, lower, upper, seed, aim, poll).run(); }));
}

std::tuple<Array<Vertex>, Array<double>> centres(const Rows& indptr, const Vertices& indices, const Lengths& lengths,
                                                 const Vertices& labels, bool of_sum) {
    const Graph graph = to_graph(indptr, indices, lengths);
    const std::vector<Vertex> label(labels.data(), labels.data() + labels.shape(0));
    const Aim aim = of_sum ? Aim::sum : Aim::radius;
    const Centres found = released([&](Poll poll) { return find_centres(graph, label, aim, poll); });
    return {to_array(found.centre), to_array(found.distance)};
}

double radius_needed(const Rows& indptr, const Vertices& indices, const Lengths& lengths, std::size_t lower) {
    const Graph graph = to_graph(indptr, indices, lengths);
    return released([&](Poll poll) { return least_radius(graph, lower, poll); });
}

double sum_needed(const Rows& indptr, const Vertices& indices, const Lengths& lengths, std::size_t lower,
                  std::size_t most) {
    const Graph graph = to_graph(indptr, indices, lengths);
    return released([&](Poll poll) { return Prices(graph, lower, most, poll).run(); });
}

using Assigned = std::tuple<Array<Vertex>, Array<Vertex>, Array<double>, double>;

std::optional<Assigned> gather(const Rows& indptr, const Vertices& indices, const Lengths& lengths, std::size_t lower,
                               std::size_t most) {
    const Graph graph = to_graph(indptr, indices, lengths);
    std::optional<Gathered> found;
    released([&](Poll poll) {
        Gather gathering(graph, lower, most, poll);
        if (gathering.run()) found = gathering.best();
    });
    if (!found) return std::nullopt;
    return Assigned{to_array(found->label), to_array(found->head), to_array(found->distance), found->within};
}

}  // namespace

NB_MODULE(network, m) {
    m.def("balls", &balls, "indptr"_a, "indices"_a, "lengths"_a.none(), "radius"_a, "most"_a);
    m.def("distances_from", &from_source, "indptr"_a, "indices"_a, "lengths"_a.none(), "source"_a);
    m.def("components", &parts, "indptr"_a, "indices"_a);
    m.def("blocking_vertex", &blocking_vertex, "indptr"_a, "indices"_a, "lower"_a, "upper"_a);
    m.def("carve", &carve, "indptr"_a, "indices"_a, "lengths"_a.none(), "lower"_a, "upper"_a, "seed"_a,
          "of_sum"_a = false);
    m.def("centres", &centres, "indptr"_a, "indices"_a, "lengths"_a.none(), "labels"_a, "of_sum"_a = false);
    m.def("least_radius", &radius_needed, "indptr"_a, "indices"_a, "lengths"_a.none(), "lower"_a);
    m.def("least_sum", &sum_needed, "indptr"_a, "indices"_a, "lengths"_a.none(), "lower"_a, "most"_a);
    m.def("gather", &gather, "indptr"_a, "indices"_a, "lengths"_a.none(), "lower"_a, "most"_a);
}
