// A sum of distances that every partition into clusters of at least `lower` needs.
//
// Lemma: a cluster of 2 lower vertices or more can be cut, with its centre for both parts, and no distance changes; so let each
// have s vertices, lower <= s <= most. Around a centre c let near(c, s) be the distance of the s-th nearest vertex, c itself the
// first, and all(c, s) the sum of the first s of these. A cluster of s vertices with centre c that holds v costs at least
// all(c, s) if v is no farther than near(c, s), else all(c, s - 1) + d(v, c). So each of its s vertices can be asked to pay its
// part, and v pays no less than the least such part over all c and s. The sum of what all pay is a bound, also for connected
// clusters. O(n * most * degree) where few centres can be the cheapest, and no more than `looked_at` are looked at.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../poll.hpp"
#include "graph.hpp"
#include "search.hpp"

namespace covey::network {

class Prices {
  public:
    Prices(const Graph& graph, std::size_t lower, std::size_t most, Poll& poll)
        : graph_(graph), lower_(lower), most_(most), search_(graph, poll), near_(graph.n * most, infinity),
          least_(most + 1, infinity) {
        least_[0] = 0.0;
    }

    // Components below `lower` have no partition and do not count.
    double run() {
        for (std::size_t c = 0; c < graph_.n; ++c) {
            const std::vector<Vertex>& nearest = search_.run(static_cast<Vertex>(c), infinity, most_);
            double all = 0.0;
            for (std::size_t s = 0; s < nearest.size(); ++s) {
                near_[c * most_ + s] = search_.distance()[index(nearest[s])];
                all += near_[c * most_ + s];
                least_[s + 1] = std::min(least_[s + 1], all);
            }
        }
        double total = 0.0;
        for (std::size_t v = 0; v < graph_.n; ++v)
            if (near_[v * most_ + lower_ - 1] < infinity) total += price(static_cast<Vertex>(v));
        return total;
    }

  private:
    static std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

    double price(Vertex v) {
        double best = part(v, 0.0);
        const std::size_t looked_at = 4 * most_ + 64;
        const std::vector<Vertex>& around = search_.run(v, farthest(best), looked_at);
        for (const Vertex c : around) best = std::min(best, part(c, search_.distance()[index(c)]));
        if (around.size() == looked_at) best = std::min(best, anywhere(search_.distance()[index(around.back())]));
        return best;
    }

    // What v pays in a cluster with centre c, of the size for which that is least.
    double part(Vertex c, double far) const {
        const double* near = near_.data() + index(c) * most_;
        double all = 0.0, least = infinity;
        for (std::size_t s = 1; s <= most_ && near[s - 1] < infinity; ++s) {
            if (s >= lower_) least = std::min(least, (all + std::max(far, near[s - 1])) / static_cast<double>(s));
            all += near[s - 1];
        }
        return least;
    }

    // No less is paid at that distance from a centre, whichever it is.
    double anywhere(double far) const {
        double least = infinity;
        for (std::size_t s = lower_; s <= most_; ++s)
            least = std::min(least, (least_[s - 1] + far) / static_cast<double>(s));
        return least;
    }

    // Beyond that distance no centre can be cheaper than `best`.
    double farthest(double best) const {
        double far = 0.0;
        for (std::size_t s = lower_; s <= most_; ++s)
            if (least_[s - 1] < infinity) far = std::max(far, best * static_cast<double>(s) - least_[s - 1]);
        return far;
    }

    Graph graph_;
    std::size_t lower_, most_;
    Search search_;
    std::vector<double> near_;   // of each vertex: the distances of its nearest ones
    std::vector<double> least_;  // over all vertices: the least sum of the first s of them
};

}  // namespace covey::network
