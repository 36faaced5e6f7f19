// The distance between two vertices from both ends at once: Dijkstra, always on the side that has fewer vertices in view.
//
// Lemma: let f and b be the distances at which the two searches stand, s the length of the shortest edge. A path that was not
// found leaves the vertices reached from one end at f or more, enters those of the other at b or more, and has an edge between:
// a vertex next to both was seen from both. So it is no shorter than f + b + s, and the search stops there. With edges of
// length 1 a distance of 3 is confirmed by looking at the neighbours of the two ends and at nothing else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "../poll.hpp"
#include "graph.hpp"

namespace covey::network {

class Meeting {
  public:
    Meeting(const Graph& graph, Poll& poll) : graph_(graph), poll_(poll), shortest_(1.0) {
        for (Side& side : side_) side.distance.assign(graph.n, infinity);
        const auto edges = static_cast<std::size_t>(graph.start[graph.n]);
        if (graph.lengths != nullptr && edges > 0) shortest_ = *std::min_element(graph.lengths, graph.lengths + edges);
    }

    // The distance from a to b where it is less than `known`, else `known`.
    double run(Vertex a, Vertex b, double known) {
        best_ = a == b ? 0.0 : known;
        open(side_[0], a);
        open(side_[1], b);
        while (!side_[0].heap.empty() && !side_[1].heap.empty()) {
            if (side_[0].heap.top().first + side_[1].heap.top().first + shortest_ >= best_) break;
            const bool second = side_[1].heap.size() < side_[0].heap.size();
            settle(side_[second], side_[!second]);
        }
        for (Side& side : side_) {
            for (const Vertex v : side.seen) side.distance[index(v)] = infinity;
            side.seen.clear();
            side.heap = {};
        }
        return best_;
    }

  private:
    using Entry = std::pair<double, Vertex>;
    struct Side {
        std::vector<double> distance;
        std::vector<Vertex> seen;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
    };

    static std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

    static void open(Side& side, Vertex v) {
        side.distance[index(v)] = 0.0;
        side.seen.push_back(v);
        side.heap.push({0.0, v});
    }

    void settle(Side& side, const Side& other) {
        const auto [far, v] = side.heap.top();
        side.heap.pop();
        if (far > side.distance[index(v)]) return;
        const double rest = other.heap.top().first;
        poll_.tick(1 + static_cast<int>(graph_.degree(v)));
        for (std::int64_t e = graph_.first(v); e < graph_.last(v); ++e) {
            const Vertex w = graph_.to[e];
            const double next = far + graph_.length(e);
            double& known = side.distance[index(w)];
            best_ = std::min(best_, next + other.distance[index(w)]);
            // What the other end has not seen is no nearer to it than where its search stands.
            if (next >= known || next + rest >= best_) continue;
            if (known == infinity) side.seen.push_back(w);
            known = next;
            side.heap.push({next, w});
        }
    }

    Graph graph_;
    Poll& poll_;
    double shortest_, best_ = 0.0;
    Side side_[2];
};

}  // namespace covey::network
