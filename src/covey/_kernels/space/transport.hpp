// Records to clusters at the least total cost, every cluster with `least` to `most` of them: a transport problem.
//
// Records come one by one, each along the shortest path to a cluster with room, on which other records step aside. Prices
// keep every cost less its price at no less than that of the cluster a record is in, so Dijkstra finds the path. First
// `least` places a cluster are open, until all are taken, then `most`. Lemma: a flow without a negative cycle stays one
// when it is augmented along a shortest path, whichever source and sink are joined; that the first places come first
// therefore changes nothing but that they are filled. A record costs O(n c) at worst, far less as a rule.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "../poll.hpp"
#include "points.hpp"

namespace covey::space {

class Transport {
  public:
    // cost: of a record in each cluster, record by record.
    Transport(std::vector<double> cost, std::size_t clusters, Poll poll)
        : clusters_(clusters), records_(cost.size() / clusters), cost_(std::move(cost)), poll_(poll), price_(clusters),
          distance_(clusters), via_(clusters), settled_(clusters), label_(records_, none), member_(clusters) {}

    // The cluster of every record. clusters * least <= records <= clusters * most.
    std::vector<std::uint32_t> run(std::size_t least, std::size_t most) {
        places_ = least;
        for (std::uint32_t i = 0; i < records_; ++i) {
            if (i == clusters_ * least) {
                places_ = most;
                lowest_ = *std::min_element(price_.begin(), price_.end());
            }
            insert(i);
        }
        return std::move(label_);
    }

  private:
    double cost(std::uint32_t i, std::size_t g) const { return cost_[i * clusters_ + g]; }

    void insert(std::uint32_t i) {
        std::fill(settled_.begin(), settled_.end(), char{0});
        std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());
        end_ = none;
        end_distance_ = std::numeric_limits<double>::infinity();
        reached_.clear();
        reach(i, 0.0);
        for (std::size_t g = nearest(); distance_[g] < end_distance_; g = nearest()) {
            settled_[g] = 1;
            reached_.push_back(g);
            for (const std::uint32_t j : member_[g]) reach(j, distance_[g] - (cost(j, g) - price_[g]));
            poll_.tick(static_cast<int>(std::min<std::size_t>(member_[g].size() * clusters_ / 16 + 1, 1 << 16)));
            if (reached_.size() == clusters_) break;
        }
        for (const std::size_t g : reached_) price_[g] -= end_distance_ - distance_[g];
        step_aside(end_);
    }

    // Record j can go on from where it is, at `before`, to every cluster.
    void reach(std::uint32_t j, double before) {
        for (std::size_t h = 0; h < clusters_; ++h) {
            const double here = before + (cost(j, h) - price_[h]);
            if (settled_[h] || !(here < distance_[h])) continue;
            distance_[h] = here;
            via_[h] = j;
            if (const double end = here + (price_[h] - lowest_); member_[h].size() < places_ && end < end_distance_) {
                end_distance_ = end;
                end_ = static_cast<std::uint32_t>(h);
            }
        }
    }

    std::size_t nearest() const {
        std::size_t best = clusters_;
        for (std::size_t h = 0; h < clusters_; ++h)
            if (!settled_[h] && (best == clusters_ || distance_[h] < distance_[best])) best = h;
        return best;
    }

    // Every record on the path goes one cluster further.
    void step_aside(std::uint32_t to) {
        while (to != none) {
            const std::uint32_t j = via_[to], from = label_[j];
            if (from != none) std::erase(member_[from], j);
            member_[to].push_back(j);
            label_[j] = to;
            to = from;
        }
    }

    std::size_t clusters_, records_;
    std::vector<double> cost_;
    Poll poll_;
    std::vector<double> price_, distance_;  // of clusters; distance: the shortest path so far, less prices
    std::vector<std::uint32_t> via_;        // the record that would come into a cluster
    std::vector<char> settled_;
    std::vector<std::size_t> reached_;
    std::vector<std::uint32_t> label_;
    std::vector<std::vector<std::uint32_t>> member_;
    std::size_t places_ = 0;
    double lowest_ = 0.0;  // the price of the sink
    std::uint32_t end_ = none;
    double end_distance_ = 0.0;
};

// To the nearest centres, in sum of distances that are not squared, least to most records a centre.
inline std::vector<std::uint32_t> assign(const Points& points, const Points& centres, std::size_t least,
                                         std::size_t most, Poll poll) {
    std::vector<double> cost;
    cost.reserve(points.n * centres.n);
    for (std::size_t i = 0; i < points.n; ++i)
        for (std::size_t g = 0; g < centres.n; ++g)
            cost.push_back(std::sqrt(squared_distance(points[i], centres[g], points.d)));
    return Transport(std::move(cost), centres.n, poll).run(least, most);
}

}  // namespace covey::space
