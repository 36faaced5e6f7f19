// One pass of carving: clusters are cut off a graph one after the other, until nothing is left.
//
// 1. A seed: the vertex with the fewest neighbours left (what hangs on little would be stranded soon), or the largest hub, or any.
// 2. Its cluster: the nearest vertices left, those with few neighbours left first, up to the wanted size. Then once more from
//    the middle of what was found, so that the seed is not the rim of a long cluster; it may be left for the next one.
// 3. A seed whose piece of what is left is smaller than `lower`: each of its vertices joins a cluster beside it, one with room if
//    there is one, where it is nearest to the middle.
// So every cluster is connected, and at least `lower` where its component is. O((n + m) log n).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../poll.hpp"
#include "graph.hpp"
#include "random.hpp"

namespace covey::network {

enum class Seeds { thinnest, hubs, any };

struct Plan {
    Seeds seeds;
    bool recentre;
    bool shuffled;         // else ties go by number
    std::size_t clusters;  // how many would be best
};

class Greedy {
  public:
    Greedy(std::size_t lower, std::size_t upper, Poll& poll) : lower_(lower), upper_(upper), poll_(poll) {}

    // The clusters of all vertices, and how many clusters.
    std::size_t run(const Graph& graph, const Plan& plan, Random& random) {
        reset(graph, plan, random);
        if (plan.seeds == Seeds::thinnest) {
            while (left_ > 0) carve(thinnest());
        } else {
            for (const Vertex v : order_)
                while (label_[index(v)] == none) carve(v);
        }
        return size_.size();
    }

    const std::vector<Vertex>& label() const { return label_; }
    const std::vector<std::size_t>& sizes() const { return size_; }

  private:
    // What is next to the growing cluster, with its distance from the start.
    struct Next {
        double depth;
        Vertex open;
        std::uint32_t tie;
        Vertex v, from;
        // The last in this order is the first to be taken.
        bool operator<(const Next& b) const {
            if (depth != b.depth) return depth > b.depth;
            if (open != b.open) return open > b.open;
            return tie > b.tie;
        }
    };

    static std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

    void reset(const Graph& graph, const Plan& plan, Random& random) {
        graph_ = graph;
        plan_ = plan;
        random_ = &random;
        left_ = graph.n;
        size_.clear();
        label_.assign(graph.n, none);
        depth_.resize(graph.n);
        parent_.resize(graph.n);
        seen_.assign(graph.n, 0);
        stamp_ = 0;
        open_.resize(graph.n);
        order_.resize(graph.n);
        for (std::size_t v = 0; v < graph.n; ++v) {
            order_[v] = static_cast<Vertex>(v);
            open_[v] = static_cast<Vertex>(graph.degree(static_cast<Vertex>(v)));
        }
        if (plan.shuffled) random.shuffle(order_);
        if (plan.seeds == Seeds::hubs)
            std::stable_sort(order_.begin(), order_.end(),
                             [&](Vertex a, Vertex b) { return open_[index(a)] > open_[index(b)]; });
        for (auto& bucket : bucket_) bucket.clear();
        if (plan.seeds == Seeds::thinnest)
            for (std::size_t i = graph.n; i-- > 0;) bucket_[bucket_of(order_[i])].push_back(order_[i]);
    }

    std::size_t bucket_of(Vertex v) const { return std::min<std::size_t>(index(open_[index(v)]), buckets - 1); }

    // Entries of a bucket may be out of date; a vertex is entered again whenever it changes its bucket.
    Vertex thinnest() {
        for (std::size_t b = 0;;) {
            if (bucket_[b].empty()) {
                ++b;
                continue;
            }
            const Vertex v = bucket_[b].back();
            bucket_[b].pop_back();
            if (label_[index(v)] == none && bucket_of(v) == b) return v;
        }
    }

    std::size_t wanted() {
        const std::size_t still = plan_.clusters > size_.size() ? plan_.clusters - size_.size() : 1;
        const std::size_t share = left_ / still, rest = left_ % still;
        const bool more = plan_.shuffled && rest > 0 && random_->below(still) < rest;
        return std::clamp(share + more, lower_, upper_);
    }

    void carve(Vertex seed) {
        const std::size_t size = wanted();
        grow(seed, size);
        if (taken_.size() < lower_) return strand();
        if (plan_.recentre) {
            Vertex middle = taken_.back();
            const double half = 0.5 * depth_[index(middle)];
            while (depth_[index(middle)] > half) middle = parent_[index(middle)];
            if (middle != seed) grow(middle, size);
        }
        size_.push_back(0);
        for (const Vertex v : taken_) put(v, static_cast<Vertex>(size_.size() - 1));
        if (label_[index(seed)] == none) bucket_[bucket_of(seed)].push_back(seed);
    }

    void put(Vertex v, Vertex cluster) {
        label_[index(v)] = cluster;
        ++size_[index(cluster)];
        --left_;
        poll_.tick(1 + static_cast<int>(graph_.degree(v)));
        graph_.neighbours(v, [&](Vertex w) {
            --open_[index(w)];
            if (plan_.seeds == Seeds::thinnest && label_[index(w)] == none && index(open_[index(w)]) + 1 < buckets)
                bucket_[bucket_of(w)].push_back(w);
        });
    }

    // The first vertices that are left around `start`.
    void grow(Vertex start, std::size_t size) {
        taken_.clear();
        heap_.clear();
        ++stamp_;
        heap_.push_back({0.0, 0, 0, start, none});
        while (!heap_.empty() && taken_.size() < size) {
            std::pop_heap(heap_.begin(), heap_.end());
            const Next next = heap_.back();
            heap_.pop_back();
            if (seen_[index(next.v)] == stamp_) continue;
            seen_[index(next.v)] = stamp_;
            depth_[index(next.v)] = next.depth;
            parent_[index(next.v)] = next.from;
            taken_.push_back(next.v);
            if (taken_.size() < size) reach(next.v);
        }
    }

    void reach(Vertex v) {
        poll_.tick(1 + static_cast<int>(graph_.degree(v)));
        for (std::int64_t e = graph_.first(v); e < graph_.last(v); ++e) {
            const Vertex w = graph_.to[e];
            if (label_[index(w)] != none || seen_[index(w)] == stamp_) continue;
            const double depth = depth_[index(v)] + graph_.length(e);
            const auto tie =
                plan_.shuffled ? static_cast<std::uint32_t>(random_->next()) : static_cast<std::uint32_t>(heap_.size());
            heap_.push_back({depth, open_[index(w)], tie, w, v});
            std::push_heap(heap_.begin(), heap_.end());
        }
    }

    // What was taken is all of a piece that is too small: its vertices join clusters beside it, from the rim inwards.
    void strand() {
        piece_ = taken_;
        rim_.clear();
        for (const Vertex v : piece_)
            if (beside(v) != none) rim_.push_back(v);
        if (rim_.empty()) {  // a component of its own
            size_.push_back(0);
            for (const Vertex v : piece_) put(v, static_cast<Vertex>(size_.size() - 1));
            return;
        }
        for (std::size_t at = 0; at < rim_.size(); ++at) {
            const Vertex v = rim_[at];
            if (label_[index(v)] != none) continue;
            const Vertex beside_it = beside(v);
            put(v, beside_it);
            graph_.neighbours(v, [&](Vertex w) {
                if (label_[index(w)] == none) rim_.push_back(w);
            });
        }
    }

    // The best cluster for a vertex that is left, or `none`; sets its depth.
    Vertex beside(Vertex v) {
        Vertex best = none;
        double nearest = infinity;
        for (std::int64_t e = graph_.first(v); e < graph_.last(v); ++e) {
            const Vertex w = graph_.to[e], cluster = label_[index(w)];
            if (cluster == none) continue;
            const double depth = depth_[index(w)] + graph_.length(e);
            const bool full = size_[index(cluster)] >= upper_;
            if (best != none) {
                const bool best_full = size_[index(best)] >= upper_;
                if (full != best_full ? full : depth > nearest) continue;
                if (full == best_full && depth == nearest && size_[index(cluster)] >= size_[index(best)]) continue;
            }
            best = cluster;
            nearest = depth;
        }
        depth_[index(v)] = nearest;
        return best;
    }

    static constexpr std::size_t buckets = 16;  // vertices with so many neighbours left, or more, are all alike

    std::size_t lower_, upper_;
    Poll& poll_;
    Graph graph_{};
    Plan plan_{};
    Random* random_ = nullptr;
    std::size_t left_ = 0;
    std::vector<Vertex> label_, open_, order_, parent_, taken_, piece_, rim_;
    std::vector<double> depth_;
    std::vector<std::uint32_t> seen_;  // by the number of the cluster that is grown
    std::uint32_t stamp_ = 0;
    std::vector<std::size_t> size_;
    std::vector<Next> heap_;
    std::vector<Vertex> bucket_[buckets];
};

}  // namespace covey::network
