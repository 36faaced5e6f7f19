// A network as the kernels see it: rows of neighbours, one after the other, with the lengths of the edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace covey::network {

using Vertex = std::int32_t;
constexpr Vertex none = -1;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Both directions of every edge, ascending within a row, no loops, none twice. `lengths` null: every edge has length 1.
struct Graph {
    std::size_t n;
    const std::int64_t* start;  // n + 1
    const Vertex* to;
    const double* lengths;

    std::int64_t first(Vertex v) const { return start[v]; }
    std::int64_t last(Vertex v) const { return start[v + 1]; }
    std::size_t degree(Vertex v) const { return static_cast<std::size_t>(start[v + 1] - start[v]); }
    double length(std::int64_t e) const { return lengths == nullptr ? 1.0 : lengths[e]; }

    // visit(neighbour) for each neighbour of v.
    template <class Visit>
    void neighbours(Vertex v, const Visit& visit) const {
        for (std::int64_t e = first(v); e < last(v); ++e) visit(to[e]);
    }
};

}  // namespace covey::network
