// Annealed large-neighbourhood search: take a few neighbouring groups apart, put them together again, keep what is better
// or, while it is warm, a little worse.
//
// One step: the first 3 to 8 groups along the list of neighbours of a random record form a pool, which is rebuilt greedily
// or shaken by random exchanges and then repaired by steepest descent. The temperature is relative to the loss of the pool:
// data with heavy tails have pools of very different loss. A step does not depend on n.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "groups.hpp"
#include "pool.hpp"

namespace covey::space {

// Pool: of squares, or of losses.
template <class Pool>
class Anneal {
  public:
    Anneal(const Points& points, std::size_t k, const Groups& start, const std::uint32_t* lists, std::size_t m,
           double warmth, std::uint64_t seed, std::size_t steps, Pool pool)
        : points_(points), k_(k), lists_(lists), m_(m), warmth_(warmth), steps_(steps), random_(seed), groups_(start),
          pool_(std::move(pool)), mark_(points.n / k + 1, 0) {
        best_loss_ = pool_.total(groups_);
        best_ = groups_.label;
    }

    void advance(std::size_t count) {
        for (std::size_t s = 0; s < count && done_ < steps_; ++s, ++done_) step();
    }

    void keep_if_better() {
        const double loss = pool_.total(groups_);
        if (loss < best_loss_) {
            best_loss_ = loss;
            best_ = groups_.label;
        }
    }

    double best_loss() const { return best_loss_; }
    const std::vector<std::uint32_t>& best() const { return best_; }
    Groups& groups() { return groups_; }

  private:
    double temperature() const {
        const double progress = static_cast<double>(done_) / (0.9 * static_cast<double>(steps_));
        return progress >= 1.0 ? 0.0 : warmth_ * std::pow(0.05, progress);
    }

    void step() {
        const std::size_t wanted = 3 + random_.below(6);
        const auto i = static_cast<std::uint32_t>(random_.below(points_.n));
        ids_.clear();
        ++stamp_;
        std::size_t records = 0;
        for (std::size_t s = 0; s <= m_ && ids_.size() < wanted; ++s) {
            const std::uint32_t g = groups_.label[s == 0 ? i : lists_[i * m_ + s - 1]];
            if (g >= mark_.size()) mark_.resize(g + 1, 0);
            if (mark_[g] == stamp_) continue;
            if (records + groups_.size(g) > largest_pool) break;
            mark_[g] = stamp_;
            ids_.push_back(g);
            records += groups_.size(g);
        }
        if (ids_.size() < 2) return;
        pool_.load(groups_, ids_);
        const double before = pool_.loss();
        const std::size_t m = pool_.records();
        if (random_.uniform() < 0.8) {
            const double u = random_.uniform();
            std::size_t count = ids_.size();
            if (u > 0.85) --count;
            else if (u > 0.6) ++count;
            count = std::clamp(count, (m + 2 * k_ - 2) / (2 * k_ - 1), m / k_);
            pool_.rebuild(count, random_);
        } else {
            pool_.swap_at_random(2 + random_.below(m / 8 + 1), random_);
        }
        pool_.descend();
        const double after = pool_.loss();
        const double slack = -temperature() * std::log(random_.uniform()) * before / static_cast<double>(m);
        if (!(after < before + slack) || after == before) return;
        groups_.replace(ids_, pool_.groups());
    }

    static constexpr std::size_t largest_pool = 300;  // records; groups above half of that are left to the local search

    Points points_;
    std::size_t k_;
    const std::uint32_t* lists_;
    std::size_t m_;
    double warmth_;
    std::size_t steps_, done_ = 0;
    Random random_;
    Groups groups_;
    Pool pool_;
    std::vector<std::uint32_t> ids_;
    std::vector<std::uint64_t> mark_;
    std::uint64_t stamp_ = 0;
    double best_loss_;
    std::vector<std::uint32_t> best_;
};

}  // namespace covey::space
