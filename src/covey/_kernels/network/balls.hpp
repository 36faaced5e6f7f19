// Who is within a distance of whom, along edges: breadth-first search where every edge has length 1, else Dijkstra, both cut
// off at the radius. O(pairs * degree), with a logarithm for lengths.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "../poll.hpp"
#include "graph.hpp"

namespace covey::network {

// One search after another from different sources; what one touched is cleared by the next, so a small ball costs little.
class Search {
  public:
    Search(const Graph& graph, Poll& poll) : graph_(graph), poll_(poll), distance_(graph.n, infinity) {}

    // The vertices within `radius`, in order of their distance.
    const std::vector<Vertex>& run(Vertex source, double radius) {
        for (const Vertex v : reached_) distance_[index(v)] = infinity;
        reached_.clear();
        if (graph_.lengths == nullptr)
            by_steps(source, radius);
        else
            by_lengths(source, radius);
        return reached_;
    }

    // Infinity for all that the last run did not reach.
    const std::vector<double>& distance() const { return distance_; }

  private:
    using Entry = std::pair<double, Vertex>;

    static std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

    void by_steps(Vertex source, double radius) {
        reach(source, 0.0);
        for (std::size_t at = 0; at < reached_.size(); ++at) {
            const Vertex v = reached_[at];
            const double next = distance_[index(v)] + 1.0;
            if (next > radius) break;
            poll_.tick(1 + static_cast<int>(graph_.degree(v)));
            graph_.neighbours(v, [&](Vertex w) {
                if (distance_[index(w)] == infinity) reach(w, next);
            });
        }
    }

    void by_lengths(Vertex source, double radius) {
        heap_.push({0.0, source});
        distance_[index(source)] = 0.0;
        while (!heap_.empty()) {
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
    }

    void reach(Vertex v, double far) {
        distance_[index(v)] = far;
        reached_.push_back(v);
    }

    Graph graph_;
    Poll& poll_;
    std::vector<double> distance_;
    std::vector<Vertex> reached_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
};

// Row v: the vertices of the ball around v, ascending, and their distances.
struct Balls {
    std::vector<std::int64_t> start{0};
    std::vector<Vertex> member;
    std::vector<double> distance;

    void add(Vertex v, double far) {
        member.push_back(v);
        distance.push_back(far);
    }
    void close() { start.push_back(static_cast<std::int64_t>(member.size())); }
};

inline Balls transposed(const Balls& balls) {
    const std::size_t n = balls.start.size() - 1;
    Balls turned;
    turned.start.assign(n + 1, 0);
    for (const Vertex v : balls.member) ++turned.start[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 0; v < n; ++v) turned.start[v + 1] += turned.start[v];
    turned.member.resize(balls.member.size());
    turned.distance.resize(balls.member.size());
    std::vector<std::int64_t> next(turned.start.begin(), turned.start.end() - 1);
    for (std::size_t v = 0; v < n; ++v)
        for (std::int64_t i = balls.start[v]; i < balls.start[v + 1]; ++i) {
            const auto from = static_cast<std::size_t>(i);
            const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(balls.member[from])]++);
            turned.member[place] = static_cast<Vertex>(v);
            turned.distance[place] = balls.distance[from];
        }
    return turned;
}

// A sum of lengths can come out different from the other end, even on the other side of the radius. The smaller of both
// holds for both, so that "v is within d of c" does not depend on who asks.
inline Balls symmetric(const Balls& balls) {
    const Balls turned = transposed(balls);
    Balls both;
    for (std::size_t v = 0; v + 1 < balls.start.size(); ++v) {
        auto a = static_cast<std::size_t>(balls.start[v]), b = static_cast<std::size_t>(turned.start[v]);
        const auto end_a = static_cast<std::size_t>(balls.start[v + 1]), end_b = static_cast<std::size_t>(turned.start[v + 1]);
        while (a < end_a || b < end_b) {
            const bool from_a = b == end_b || (a < end_a && balls.member[a] <= turned.member[b]);
            const bool from_b = a == end_a || (b < end_b && turned.member[b] <= balls.member[a]);
            const Vertex w = from_a ? balls.member[a] : turned.member[b];
            both.add(w, std::min(from_a ? balls.distance[a] : infinity, from_b ? turned.distance[b] : infinity));
            a += from_a;
            b += from_b;
        }
        both.close();
    }
    return both;
}

// Nothing where the balls hold more than `most` pairs.
inline std::optional<Balls> all_balls(const Graph& graph, double radius, std::size_t most, Poll poll) {
    Search search(graph, poll);
    Balls balls;
    std::vector<Vertex> ball;
    for (std::size_t v = 0; v < graph.n; ++v) {
        ball = search.run(static_cast<Vertex>(v), radius);
        if (balls.member.size() + ball.size() > most) return std::nullopt;
        std::sort(ball.begin(), ball.end());
        for (const Vertex w : ball) balls.add(w, search.distance()[static_cast<std::size_t>(w)]);
        balls.close();
    }
    if (graph.lengths == nullptr) return balls;
    balls = symmetric(balls);
    if (balls.member.size() > most) return std::nullopt;
    return balls;
}

inline std::vector<double> distances_from(const Graph& graph, Vertex source, Poll poll) {
    Search search(graph, poll);
    search.run(source, infinity);
    return search.distance();
}

}  // namespace covey::network
