// Parts of a graph as graphs of their own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph.hpp"

namespace covey::network {

// The memory of a graph that is built again and again.
class OwnGraph {
  public:
    void clear() {
        start_.assign(1, 0);
        to_.clear();
        lengths_.clear();
    }
    void add(Vertex w, double length) {
        to_.push_back(w);
        lengths_.push_back(length);
    }
    void close() { start_.push_back(static_cast<std::int64_t>(to_.size())); }
    Graph graph(bool with_lengths) const {
        return {start_.size() - 1, start_.data(), to_.data(), with_lengths ? lengths_.data() : nullptr};
    }

  private:
    std::vector<std::int64_t> start_{0};
    std::vector<Vertex> to_;
    std::vector<double> lengths_;
};

// The edges between some vertices, which are numbered anew in the order given.
class Induced {
  public:
    explicit Induced(const Graph& graph) : graph_(graph), place_(graph.n, none) {}

    Graph build(const std::vector<Vertex>& vertices) {
        for (std::size_t i = 0; i < vertices.size(); ++i) place_[index(vertices[i])] = static_cast<Vertex>(i);
        own_.clear();
        for (const Vertex v : vertices) {
            if (graph_.degree(v) <= 16 * vertices.size()) scan(v);
            else look_up(v, vertices);
            own_.close();
        }
        for (const Vertex v : vertices) place_[index(v)] = none;
        return own_.graph(graph_.lengths != nullptr);
    }

  private:
    static std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

    void scan(Vertex v) {
        for (std::int64_t e = graph_.first(v); e < graph_.last(v); ++e)
            if (const Vertex w = place_[index(graph_.to[e])]; w != none) own_.add(w, graph_.length(e));
    }

    // A hub has more neighbours than there are vertices to find among them.
    void look_up(Vertex v, const std::vector<Vertex>& vertices) {
        const Vertex* last = graph_.to + graph_.last(v);
        for (const Vertex w : vertices) {
            const Vertex* found = std::lower_bound(graph_.to + graph_.first(v), last, w);
            if (found != last && *found == w) own_.add(place_[index(w)], graph_.length(found - graph_.to));
        }
    }

    Graph graph_;
    std::vector<Vertex> place_;
    OwnGraph own_;
};

// The edges within clusters.
inline Graph within_clusters(const Graph& graph, const std::vector<Vertex>& label, OwnGraph& own) {
    own.clear();
    for (std::size_t v = 0; v < graph.n; ++v) {
        for (std::int64_t e = graph.first(static_cast<Vertex>(v)); e < graph.last(static_cast<Vertex>(v)); ++e)
            if (label[static_cast<std::size_t>(graph.to[e])] == label[v]) own.add(graph.to[e], graph.length(e));
        own.close();
    }
    return own.graph(graph.lengths != nullptr);
}

}  // namespace covey::network
