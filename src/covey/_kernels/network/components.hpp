// The connected components, numbered by their first vertices. O(n + m).
#pragma once

#include <cstddef>
#include <vector>

#include "../poll.hpp"
#include "graph.hpp"

namespace covey::network {

inline std::vector<Vertex> components(const Graph& graph, Poll poll) {
    std::vector<Vertex> label(graph.n, none), queue;
    Vertex count = 0;
    for (std::size_t root = 0; root < graph.n; ++root) {
        if (label[root] != none) continue;
        queue.assign(1, static_cast<Vertex>(root));
        label[root] = count;
        for (std::size_t at = 0; at < queue.size(); ++at) {
            poll.tick(1 + static_cast<int>(graph.degree(queue[at])));
            graph.neighbours(queue[at], [&](Vertex w) {
                if (label[static_cast<std::size_t>(w)] != none) return;
                label[static_cast<std::size_t>(w)] = count;
                queue.push_back(w);
            });
        }
        ++count;
    }
    return label;
}

}  // namespace covey::network
