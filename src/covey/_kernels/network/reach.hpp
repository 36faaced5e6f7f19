// A radius that every partition into clusters of at least `lower` needs.
//
// Lemma: the cluster of v has a centre c with d(v, c) <= radius and `lower` vertices within the radius. With reach(c) the
// distance from c to its lower-th nearest vertex, c itself the first, max(d(v, c), reach(c)) <= radius for some c. As c = v
// gives reach(v), only the fewer than `lower` vertices nearer than that can give less. O(n * lower * degree).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../poll.hpp"
#include "graph.hpp"
#include "search.hpp"

namespace covey::network {

// The distance from each vertex to its lower-th nearest; infinity in a component below `lower`.
inline std::vector<double> reach_of(const Graph& graph, std::size_t lower, Poll& poll) {
    Search search(graph, poll);
    std::vector<double> reach(graph.n, infinity);
    for (std::size_t v = 0; v < graph.n; ++v) {
        const std::vector<Vertex>& nearest = search.run(static_cast<Vertex>(v), infinity, lower);
        if (nearest.size() == lower) reach[v] = search.distance()[static_cast<std::size_t>(nearest.back())];
    }
    return reach;
}

// Components below `lower` have no partition and do not count.
inline double least_radius(const Graph& graph, std::size_t lower, Poll poll) {
    const std::vector<double> reach = reach_of(graph, lower, poll);
    Search search(graph, poll);
    double bound = 0.0;
    for (std::size_t v = 0; v < graph.n; ++v) {
        if (reach[v] == infinity || reach[v] <= bound) continue;
        double needed = reach[v];
        for (const Vertex c : search.run(static_cast<Vertex>(v), reach[v], lower))
            needed = std::min(
                needed, std::max(search.distance()[static_cast<std::size_t>(c)], reach[static_cast<std::size_t>(c)]));
        bound = std::max(bound, needed);
    }
    return bound;
}

}  // namespace covey::network
