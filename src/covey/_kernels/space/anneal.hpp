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

#include "../poll.hpp"
#include "groups.hpp"
#include "pool.hpp"

namespace covey::space {

// The temperature falls from `warmth` over the steps of all anneals of a search; this one takes the share from `from` to `to`.
struct Cooling {
    double warmth = 0.0, from = 0.0, to = 1.0;

    double at(double share) const {
        const double progress = (from + share * (to - from)) / 0.9;
        return progress >= 1.0 ? 0.0 : warmth * std::pow(0.05, progress);
    }
};

// Pool: of squares, or of losses.
template <class Pool>
class Anneal {
  public:
    Anneal(const Points& points, std::size_t k, const Groups& start, const Lists& lists, const Cooling& cooling,
           std::uint64_t seed, std::size_t steps, Pool pool)
        : points_(points), k_(k), lists_(lists), cooling_(cooling), steps_(steps), random_(seed), groups_(start),
          pool_(std::move(pool)), mark_(points.n / k + 1, 0), changed_(points.n, false) {
        if (cooling.warmth == 0.0) weigh_by_loss();
    }

    void advance(std::size_t count, Poll poll) {
        const auto size = static_cast<int>(std::min<std::size_t>(k_ * k_ * points_.d, 1 << 20));
        for (std::size_t s = 0; s < count && done_ < steps_; ++s, ++done_) {
            step();
            poll.tick(size);
        }
    }

    Groups& groups() { return groups_; }
    const std::vector<bool>& changed() const { return changed_; }  // the records whose group a step has changed

  private:
    double temperature() const { return cooling_.at(static_cast<double>(done_) / static_cast<double>(steps_)); }

    // Where it is cold, a record is chosen by what its group lost at the beginning: there is more to be had where more is lost.
    std::uint32_t chosen() {
        if (lost_.empty() || !(lost_.back() > 0.0)) return static_cast<std::uint32_t>(random_.below(points_.n));
        const double at = random_.uniform() * lost_.back();
        const auto found = std::lower_bound(lost_.begin(), lost_.end() - 1, at);
        return record_[static_cast<std::size_t>(found - lost_.begin())];
    }

    void weigh_by_loss() {
        double total = 0.0;
        for (std::uint32_t g = 0; g < groups_.ids(); ++g) {
            if (groups_.size(g) == 0) continue;
            pool_.load(groups_, {g});
            const double share = pool_.loss() / static_cast<double>(groups_.size(g));
            for (const std::uint32_t i : groups_[g]) {
                lost_.push_back(total += share);
                record_.push_back(i);
            }
        }
    }

    void step() {
        const std::size_t wanted = 3 + random_.below(6);
        const std::uint32_t i = chosen();
        ids_.clear();
        ++stamp_;
        std::size_t records = 0;
        const std::span<const std::uint32_t> near = lists_[i];
        for (std::size_t s = 0; s <= near.size() && ids_.size() < wanted; ++s) {
            const std::uint32_t g = groups_.label[s == 0 ? i : near[s - 1]];
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
        for (const auto& members : pool_.groups())
            for (const std::uint32_t i : members) changed_[i] = true;
    }

    static constexpr std::size_t largest_pool = 300;  // records; groups above half of that are left to the local search

    Points points_;
    std::size_t k_;
    Lists lists_;
    Cooling cooling_;
    std::size_t steps_, done_ = 0;
    Random random_;
    Groups groups_;
    Pool pool_;
    std::vector<std::uint32_t> ids_;
    std::vector<std::uint64_t> mark_;
    std::uint64_t stamp_ = 0;
    std::vector<bool> changed_;
    std::vector<double> lost_;  // by all records up to the one at that place in record_
    std::vector<std::uint32_t> record_;
};

}  // namespace covey::space
