// How wide clusters are, by distances within the cluster from a member: never less than the true radius, and quick.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../poll.hpp"
#include "graph.hpp"
#include "search.hpp"
#include "subgraph.hpp"

namespace covey::network {

// What comes first: that nobody is far from a centre, or that all together are near.
enum class Aim { radius, sum };

// The distance from the centre to the farthest member, and the sum over all members.
struct Worth {
    double radius = infinity, sum = infinity;
    Vertex centre = none, farthest = none;
    bool operator<(const Worth& b) const { return radius != b.radius ? radius < b.radius : sum < b.sum; }
    bool better(const Worth& b, Aim aim) const { return aim == Aim::sum && sum != b.sum ? sum < b.sum : *this < b; }
};

// Members by cluster, in one array.
class Members {
  public:
    void build(const std::vector<Vertex>& label, std::size_t clusters) {
        start_.assign(clusters + 1, 0);
        for (const Vertex c : label) ++start_[static_cast<std::size_t>(c) + 1];
        for (std::size_t c = 0; c < clusters; ++c) start_[c + 1] += start_[c];
        next_.assign(start_.begin(), start_.end() - 1);
        member_.resize(label.size());
        for (std::size_t v = 0; v < label.size(); ++v)
            member_[next_[static_cast<std::size_t>(label[v])]++] = static_cast<Vertex>(v);
    }
    const Vertex* begin(std::size_t c) const { return member_.data() + start_[c]; }
    const Vertex* end(std::size_t c) const { return member_.data() + start_[c + 1]; }
    std::size_t size(std::size_t c) const { return start_[c + 1] - start_[c]; }

  private:
    std::vector<std::size_t> start_, next_;
    std::vector<Vertex> member_;
};

// Distances within clusters. All members are tried as centre, of a large cluster only the middle of a long path.
class Inside {
  public:
    explicit Inside(Poll& poll, Aim aim = Aim::radius) : search_(poll), aim_(aim) {}

    void appraise(const Graph& graph, const std::vector<Vertex>& label, const Members& members, std::size_t clusters,
                  std::vector<Worth>& worth) {
        search_.enter(within_clusters(graph, label, own_));
        worth.assign(clusters, Worth());
        for (std::size_t c = 0; c < clusters; ++c) {
            size_ = members.size(c);
            if (size_ <= most_tried)
                for (const Vertex* v = members.begin(c); v != members.end(c); ++v) try_centre(*v, worth[c]);
            else try_middle(*members.begin(c), worth[c]);
        }
    }

    // Of all vertices, within the clusters, from these centres.
    std::vector<double> distances(const Graph& graph, const std::vector<Vertex>& label,
                                  const std::vector<Worth>& worth) {
        search_.enter(within_clusters(graph, label, own_));
        std::vector<double> distance(graph.n, infinity);
        for (const Worth& one : worth)
            for (const Vertex v : search_.run(one.centre, infinity))
                distance[static_cast<std::size_t>(v)] = search_.distance()[static_cast<std::size_t>(v)];
        return distance;
    }

  private:
    void try_centre(Vertex v, Worth& best) {
        const std::vector<Vertex>& reached = search_.run(v, aim_ == Aim::sum ? infinity : best.radius);
        if (reached.size() < size_) return;  // some member is farther than from the best so far
        Worth here{search_.distance()[static_cast<std::size_t>(reached.back())], 0.0, v, reached.back()};
        for (const Vertex w : reached) here.sum += search_.distance()[static_cast<std::size_t>(w)];
        if (here.better(best, aim_)) best = here;
    }

    // The vertex that is nearest to both ends of a long path: the farthest from any, and the farthest from that.
    void try_middle(Vertex any, Worth& best) {
        const Vertex end = search_.run(any, infinity).back();
        const std::vector<Vertex> around = search_.run(end, infinity);
        from_end_.clear();
        for (const Vertex v : around) from_end_.push_back(search_.distance()[static_cast<std::size_t>(v)]);
        search_.run(around.back(), infinity);
        double least = infinity;
        Vertex middle = any;
        for (std::size_t i = 0; i < around.size(); ++i) {
            const double far = std::max(from_end_[i], search_.distance()[static_cast<std::size_t>(around[i])]);
            if (far < least) {
                least = far;
                middle = around[i];
            }
        }
        try_centre(any, best);
        try_centre(middle, best);
    }

    static constexpr std::size_t most_tried = 64;
    Search search_;
    Aim aim_;
    OwnGraph own_;
    std::size_t size_ = 0;
    std::vector<double> from_end_;
};

}  // namespace covey::network
