// Records to clusters at the least total cost, every cluster with `least` to `most` of them: a transport problem.
//
// Records come one by one, each along the shortest path to a cluster with room, on which other records step aside. Prices
// keep every cost less its price at no less than that of the cluster a record is in, so Dijkstra finds the path. First
// `least` places a cluster are open, until all are taken, then `most`. Lemma: a flow without a negative cycle stays one
// when it is augmented along a shortest path, whichever source and sink are joined; that the first places come first
// therefore changes nothing but that they are filled. What it costs at least that a member of one cluster goes to another is
// kept for all pairs until members change, so a cluster on the way costs O(c), whatever its size. Any prices will do while
// each cluster is filled up to `least`, so those at which a start is nearly the answer spare most paths. A record costs O(n c)
// at worst, far less as a rule.
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
          distance_(clusters), via_(clusters), settled_(clusters), label_(records_, none), member_(clusters),
          step_(clusters * clusters), stale_(clusters, char{1}) {}

    // The cluster of every record. clusters * least <= records <= clusters * most. The nearer `start` comes to the answer, the
    // faster; the cost of the answer does not depend on it.
    std::vector<std::uint32_t> run(const std::uint32_t* start, std::size_t least, std::size_t most) {
        for (std::uint32_t i = 0; i < records_; ++i) member_[start[i]].push_back(i);
        set_prices();
        std::size_t placed = keep(least);
        places_ = least;
        floor_ = price_;
        for (std::uint32_t i = 0; i < records_; ++i) {
            if (label_[i] != none) continue;
            if (placed++ == clusters_ * least) {
                places_ = most;
                std::fill(floor_.begin(), floor_.end(), *std::min_element(price_.begin(), price_.end()));
            }
            insert(i);
        }
        return std::move(label_);
    }

  private:
    double cost(std::uint32_t i, std::size_t g) const { return cost_[i * clusters_ + g]; }

    // At which members want to stay where they are: the lengths of shortest paths between clusters, or nearly, where a circle of
    // steps would be a gain.
    void set_prices() {
        for (std::size_t g = 0; g < clusters_; ++g) weigh_steps(g);
        bool changed = true;
        for (int sweep = 0; changed && sweep < sweeps; ++sweep) {
            changed = false;
            for (std::size_t g = 0; g < clusters_; ++g) {
                poll_.tick(static_cast<int>(std::min<std::size_t>(clusters_ / 16 + 1, 1 << 16)));
                for (std::size_t h = 0; h < clusters_; ++h)
                    if (const double here = price_[g] + step_[g * clusters_ + h]; here < price_[h]) {
                        price_[h] = here;
                        changed = true;
                    }
            }
        }
    }

    // Keeps the first `least` members of every cluster that want to stay, and says how many these are.
    std::size_t keep(std::size_t least) {
        std::size_t kept = 0;
        for (std::uint32_t g = 0; g < clusters_; ++g) {
            const std::size_t before = member_[g].size();
            std::erase_if(member_[g], [this, g](std::uint32_t j) { return !stays(j, g); });
            if (member_[g].size() > least) member_[g].resize(least);
            for (const std::uint32_t j : member_[g]) label_[j] = g;
            stale_[g] = member_[g].size() < before;
            kept += member_[g].size();
        }
        return kept;
    }

    bool stays(std::uint32_t j, std::uint32_t g) const {
        const double* to = &cost_[j * clusters_];
        const double here = price_[g], own = to[g];
        for (std::size_t h = 0; h < clusters_; ++h)
            if (here + (to[h] - own) < price_[h]) return false;
        return true;
    }

    void insert(std::uint32_t i) {
        std::fill(settled_.begin(), settled_.end(), char{0});
        std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());
        end_ = none;
        end_distance_ = std::numeric_limits<double>::infinity();
        reached_.clear();
        open_.clear();
        reach(none, 0.0, &cost_[i * clusters_]);
        while (!open_.empty()) {
            const std::uint32_t g = take_nearest();
            if (!(distance_[g] < end_distance_)) break;
            settled_[g] = 1;
            reached_.push_back(g);
            if (stale_[g]) weigh_steps(g);
            reach(g, distance_[g] + price_[g], &step_[g * clusters_]);
            poll_.tick(static_cast<int>(std::min<std::size_t>(clusters_ / 16 + 1, 1 << 16)));
        }
        for (const std::uint32_t g : reached_) price_[g] -= end_distance_ - distance_[g];
        step_aside(i);
    }

    // From a cluster, or from none for a new record, on to every cluster. What is no nearer than the end is left out.
    void reach(std::uint32_t from, double before, const double* step) {
        for (std::uint32_t h = 0; h < clusters_; ++h) {
            const double here = before + (step[h] - price_[h]);
            if (!(here < distance_[h]) || !(here < end_distance_) || settled_[h]) continue;
            if (std::isinf(distance_[h])) open_.push_back(h);
            distance_[h] = here;
            via_[h] = from;
            if (const double end = here + (price_[h] - floor_[h]); member_[h].size() < places_ && end < end_distance_) {
                end_distance_ = end;
                end_ = h;
            }
        }
    }

    std::uint32_t take_nearest() {
        const auto nearer = [this](std::uint32_t g, std::uint32_t h) {
            return distance_[g] < distance_[h] || (distance_[g] == distance_[h] && g < h);
        };
        std::iter_swap(std::min_element(open_.begin(), open_.end(), nearer), open_.end() - 1);
        const std::uint32_t g = open_.back();
        open_.pop_back();
        return g;
    }

    // What it costs at least that a member of g goes to each cluster instead.
    void weigh_steps(std::size_t g) {
        double* step = &step_[g * clusters_];
        std::fill(step, step + clusters_, std::numeric_limits<double>::infinity());
        for (const std::uint32_t j : member_[g]) {
            const double* to = &cost_[j * clusters_];
            const double here = to[g];
            for (std::size_t h = 0; h < clusters_; ++h) step[h] = std::min(step[h], to[h] - here);
        }
        stale_[g] = 0;
    }

    // Every record on the path goes one cluster further, and record i comes in.
    void step_aside(std::uint32_t i) {
        for (std::uint32_t to = end_, from; to != none; to = from) {
            from = via_[to];
            const std::uint32_t j = from == none ? i : mover(from, to);
            if (from != none) std::erase(member_[from], j);
            member_[to].push_back(j);
            label_[j] = to;
            stale_[to] = 1;
        }
    }

    // The member of g that goes to h at the least cost.
    std::uint32_t mover(std::uint32_t g, std::uint32_t h) const {
        return *std::min_element(member_[g].begin(), member_[g].end(), [this, g, h](std::uint32_t i, std::uint32_t j) {
            return cost(i, h) - cost(i, g) < cost(j, h) - cost(j, g);
        });
    }

    std::size_t clusters_, records_;
    std::vector<double> cost_;
    Poll poll_;
    static constexpr int sweeps = 4;
    std::vector<double> price_, distance_,
        floor_;  // of clusters; distance: the shortest path so far, less prices; floor: of the sink
    std::vector<std::uint32_t> via_;  // the cluster before on that path, none for the first
    std::vector<char> settled_;
    std::vector<std::uint32_t> reached_, open_;  // settled, and those that wait for it
    std::vector<std::uint32_t> label_;
    std::vector<std::vector<std::uint32_t>> member_;
    std::vector<double> step_;  // from cluster to cluster, row by row
    std::vector<char> stale_;   // whether members of a cluster changed since its steps were weighed
    std::size_t places_ = 0;
    std::uint32_t end_ = none;
    double end_distance_ = 0.0;
};

// To the nearest centres, in sum of distances that are not squared, least to most records a centre.
inline std::vector<std::uint32_t> assign(const Points& points, const Points& centres, const std::uint32_t* start,
                                         std::size_t least, std::size_t most, Poll poll) {
    std::vector<double> cost;
    cost.reserve(points.n * centres.n);
    for (std::size_t i = 0; i < points.n; ++i)
        for (std::size_t g = 0; g < centres.n; ++g)
            cost.push_back(std::sqrt(squared_distance(points[i], centres[g], points.d)));
    return Transport(std::move(cost), centres.n, poll).run(start, least, most);
}

}  // namespace covey::space
