// Who is within a distance of whom, along edges: one search from each vertex, cut off at the radius. O(pairs * degree), with
// a logarithm for lengths.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../poll.hpp"
#include "graph.hpp"
#include "search.hpp"

namespace covey::network {

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
        const auto end_a = static_cast<std::size_t>(balls.start[v + 1]),
                   end_b = static_cast<std::size_t>(turned.start[v + 1]);
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
