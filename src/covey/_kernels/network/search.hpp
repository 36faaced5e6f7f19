// Distances from a vertex along edges: breadth-first search where every edge has length 1, else Dijkstra, cut off at a radius.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "../poll.hpp"
#include "graph.hpp"

namespace covey::network {

// One search after another from different sources; what one touched is cleared by the next, so a small ball costs little.
class Search {
  public:
    explicit Search(Poll& poll) : poll_(poll) {}
    Search(const Graph& graph, Poll& poll) : poll_(poll) { enter(graph); }

    void enter(const Graph& graph) {
        graph_ = graph;
        reached_.clear();
        distance_.assign(graph.n, infinity);
    }

    // The vertices within `radius`, in order of their distance; the nearest `most` where they are more.
    const std::vector<Vertex>& run(Vertex source, double radius,
                                   std::size_t most = std::numeric_limits<std::size_t>::max()) {
        for (const Vertex v : reached_) distance_[index(v)] = infinity;
        reached_.clear();
        most_ = most;
        if (graph_.lengths == nullptr) by_steps(source, radius);
        else by_lengths(source, radius);
        return reached_;
    }

    // Infinity for all that the last run did not reach.
    const std::vector<double>& distance() const { return distance_; }

  private:
    using Entry = std::pair<double, Vertex>;

    static std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

    void by_steps(Vertex source, double radius) {
        reach(source, 0.0);
        for (std::size_t at = 0; at < reached_.size() && reached_.size() < most_; ++at) {
            const Vertex v = reached_[at];
            const double next = distance_[index(v)] + 1.0;
            if (next > radius) break;
            poll_.tick(1 + static_cast<int>(graph_.degree(v)));
            for (std::int64_t e = graph_.first(v); e < graph_.last(v) && reached_.size() < most_; ++e)
                if (distance_[index(graph_.to[e])] == infinity) reach(graph_.to[e], next);
        }
    }

    void by_lengths(Vertex source, double radius) {
        heap_.push({0.0, source});
        distance_[index(source)] = 0.0;
        while (!heap_.empty() && reached_.size() < most_) {
            const auto [far, v] = heap_.top();
            heap_.pop();
            if (far > distance_[index(v)]) continue;
            reached_.push_back(v);
            poll_.tick(1 + static_cast<int>(graph_.degree(v)));
            for (std::int64_t e = graph_.first(v); e < graph_.last(v); ++e) {
                const double next = far + graph_.length(e);
                double& known = distance_[index(graph_.to[e])];
                if (next > radius || next >= known) continue;
                known = next;
                heap_.push({next, graph_.to[e]});
            }
        }
        for (; !heap_.empty(); heap_.pop())  // what was seen but not reached is forgotten
            if (heap_.top().first == distance_[index(heap_.top().second)])
                distance_[index(heap_.top().second)] = infinity;
    }

    void reach(Vertex v, double far) {
        distance_[index(v)] = far;
        reached_.push_back(v);
    }

    Graph graph_{};
    Poll& poll_;
    std::vector<double> distance_;
    std::vector<Vertex> reached_;
    std::size_t most_ = 0;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
};

}  // namespace covey::network
