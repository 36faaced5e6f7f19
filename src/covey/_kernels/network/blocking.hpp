// A vertex that no connected cluster of at most `upper` can hold.
//
// Lemma: take v out of its component. A piece with fewer than `lower` vertices cannot hold a cluster of its own, and its only
// way out is v, so all of it is in the cluster of v. Where v and its small pieces are more than `upper`, no partition into
// connected clusters of `lower` to `upper` exists, whatever the distances. (The converse is false: it is a quick test, no proof
// of feasibility.)
//
// One depth-first search, without recursion: `low` is the earliest vertex that the subtree of a child reaches; where that is
// not before v, the subtree is a piece. What is neither v nor such a subtree is one more piece. O(n + m). Source: Tarjan 1972.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../poll.hpp"
#include "graph.hpp"

namespace covey::network {

class Blocking {
  public:
    Blocking(const Graph& graph, std::size_t lower, std::size_t upper, Poll poll)
        : graph_(graph), lower_(lower), upper_(upper), poll_(poll), order_(graph.n, none), parent_(graph.n, none),
          low_(graph.n), next_(graph.start, graph.start + graph.n), size_(graph.n, 1), cut_(graph.n, 0),
          small_(graph.n, 0) {}

    // The first such vertex, or `none`.
    Vertex run() {
        for (std::size_t root = 0; root < graph_.n; ++root)
            if (order_[root] == none) explore(static_cast<Vertex>(root));
        return blocking_;
    }

  private:
    static std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

    void enter(Vertex v, Vertex from) {
        order_[index(v)] = low_[index(v)] = static_cast<Vertex>(path_.size());
        parent_[index(v)] = from;
        path_.push_back(v);
    }

    void explore(Vertex root) {
        path_.clear();
        enter(root, none);
        for (Vertex v = root; v != none;) {
            poll_.tick();
            if (next_[index(v)] == graph_.last(v)) {
                leave(v);
                v = parent_[index(v)];
                continue;
            }
            const Vertex w = graph_.to[next_[index(v)]++];
            if (order_[index(w)] == none) {
                enter(w, v);
                v = w;
            } else if (w != parent_[index(v)]) {
                low_[index(v)] = std::min(low_[index(v)], order_[index(w)]);
            }
        }
        for (const Vertex v : path_) judge(v, v == root);
    }

    void leave(Vertex v) {
        const Vertex above = parent_[index(v)];
        if (above == none) return;
        const std::size_t below = size_[index(v)];
        size_[index(above)] += below;
        low_[index(above)] = std::min(low_[index(above)], low_[index(v)]);
        if (low_[index(v)] < order_[index(above)]) return;
        cut_[index(above)] += below;
        if (below < lower_) small_[index(above)] += below;
    }

    void judge(Vertex v, bool is_root) {
        const std::size_t rest = is_root ? 0 : path_.size() - 1 - cut_[index(v)];
        const std::size_t bound = 1 + small_[index(v)] + (rest < lower_ ? rest : 0);
        if (bound > upper_ && (blocking_ == none || v < blocking_)) blocking_ = v;
    }

    Graph graph_;
    std::size_t lower_, upper_;
    Poll poll_;
    std::vector<Vertex> order_, parent_, low_;  // low_ as an order
    std::vector<std::int64_t> next_;            // the edge to look at next
    std::vector<std::size_t> size_, cut_, small_;
    std::vector<Vertex> path_;  // the component, in the order of the search
    Vertex blocking_ = none;
};

}  // namespace covey::network
