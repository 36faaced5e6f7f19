// Records leave, at a price each: an annealed search with a special group outside, that has no mean and no least size.
//
// One step is that of anneal.hpp, with the records outside that are near, too: 2 to 7 groups and whoever is outside beside them are
// made anew, and then moved and exchanged, also with outside. The price rises while as many are outside as there may be, and falls
// while there are fewer, so that it comes near the one at which the last of them pays; nobody leaves beyond the budget.
// The best groups for the budget are kept: never more is lost than at the beginning.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../poll.hpp"
#include "../watch.hpp"
#include "anneal.hpp"
#include "groups.hpp"
#include "leavers.hpp"
#include "pool.hpp"

namespace covey::space {

class Leaving {
  public:
    Leaving(const Leavers& records, std::size_t k, double price, std::uint64_t seed)
        : records_(records), points_(records.points()), lists_(records.lists()), k_(k), out_(records.out),
          price_(price), random_(seed), groups_(records.label), pool_(points_, k), loss_(points_),
          mark_(groups_.ids(), 0), best_(groups_[0]) {
        weigh();
        least_ = lost_;
    }

    void run(std::size_t steps, double warmth, Poll poll) {
        const Cooling cooling{warmth};
        const auto size = static_cast<int>(std::min<std::size_t>(k_ * k_ * points_.d, 1 << 20));
        const std::size_t batch = std::max<std::size_t>(1, steps / batches);
        for (std::size_t s = 0; s < steps; ++s) {
            if (s % batch == 0) {
                weigh();
                price_ *= groups_.size(0) >= records_.most ? rise : 1.0 / rise;
            }
            if (!(running_.back() > 0.0)) return;
            step(cooling.at(static_cast<double>(s) / static_cast<double>(steps)));
            poll.tick(size);
        }
    }

    const std::vector<std::uint32_t>& best() const { return best_; }  // who is outside

  private:
    // Records by what is to be had of them: their share of the loss of their group, or the price.
    void weigh() {
        running_.clear();
        record_.clear();
        double total = 0.0;
        lost_ = 0.0;
        for (std::uint32_t g = 0; g < groups_.ids(); ++g) {
            if (groups_.size(g) == 0) continue;
            const double loss = g == 0 ? 0.0 : loss_(groups_[g].data(), groups_.size(g));
            lost_ += loss;
            const double share = g == 0 ? price_ : loss / static_cast<double>(groups_.size(g));
            for (const std::uint32_t i : groups_[g]) {
                running_.push_back(total += share);
                record_.push_back(i);
            }
        }
    }

    std::uint32_t chosen() {
        const double at = random_.uniform() * running_.back();
        const auto found = std::lower_bound(running_.begin(), running_.end() - 1, at);
        return record_[static_cast<std::size_t>(found - running_.begin())];
    }

    void gather() {
        const std::size_t wanted = 2 + random_.below(6);
        const std::uint32_t i = chosen();
        ids_.clear();
        outside_.clear();
        ++stamp_;
        std::size_t records = 0;
        const std::span<const std::uint32_t> near = lists_[i];
        for (std::size_t s = 0; s <= near.size() && ids_.size() < wanted; ++s) {
            const std::uint32_t j = s == 0 ? i : near[s - 1], g = groups_.label[j];
            if (g == 0) {
                if (outside_.size() < 3 * k_) outside_.push_back(j);
                continue;
            }
            if (g >= mark_.size()) mark_.resize(g + 1, 0);
            if (mark_[g] == stamp_) continue;
            if (records + groups_.size(g) > largest_pool) break;
            mark_[g] = stamp_;
            ids_.push_back(g);
            records += groups_.size(g);
        }
    }

    void step(double temperature) {
        gather();
        if (ids_.empty()) return;
        pool_.load(groups_, ids_, outside_, price_, records_.stay);
        const double before = pool_.loss();
        const std::size_t m = pool_.records();
        if (random_.uniform() < 0.8) {
            const double u = random_.uniform();
            std::size_t count = ids_.size();
            if (u > 0.8) --count;
            else if (u > 0.6) ++count;
            count = std::clamp(count, least_count(), m / k_);
            pool_.rebuild(count, random_);
        } else {
            pool_.swap_at_random(2 + random_.below(m / 8 + 1), random_);
        }
        pool_.descend();
        const double after = pool_.loss();
        const double slack = -temperature * std::log(random_.uniform()) * before / static_cast<double>(m);
        if (!(after < before + slack) || after == before) return;
        next_ = pool_.groups();
        now_ = std::move(next_.back());
        next_.pop_back();
        const auto came = static_cast<double>(now_.size()) - static_cast<double>(outside_.size());
        if (!within(records_.cell[groups_[ids_[0]][0]])) return;
        accept();
        lost_ += after - before - price_ * came;
        if (groups_.size(0) > records_.most || !(lost_ < least_ * (1.0 - 1e-12))) return;
        best_ = groups_[0];
        least_ = lost_;
    }

    // Groups that hold all of the pool where some must stay: those may be left when the others have their places.
    std::size_t least_count() const {
        const auto stays = [&](std::uint32_t i) { return records_.stay[i]; };
        const bool all_may_leave = std::none_of(ids_.begin(), ids_.end(), [&](std::uint32_t g) {
            return std::any_of(groups_[g].begin(), groups_[g].end(), stays);
        });
        return all_may_leave ? 1 : (pool_.records() + 2 * k_ - 2) / (2 * k_ - 1);
    }

    // Whether the budget, and what this cell is to give, hold with those outside that are there now.
    bool within(std::uint32_t cell) {
        const std::size_t rest = groups_.size(0) - outside_.size(), here = out_[cell] - outside_.size();
        if (now_.size() > outside_.size() && rest + now_.size() > records_.most) return false;
        if (now_.size() < outside_.size() && here + now_.size() < records_.least[cell]) return false;
        out_[cell] = static_cast<std::uint32_t>(here + now_.size());
        return true;
    }

    void accept() {
        std::vector<std::uint32_t> all = groups_[0];
        std::sort(outside_.begin(), outside_.end());
        std::erase_if(all, [&](std::uint32_t i) { return std::binary_search(outside_.begin(), outside_.end(), i); });
        all.insert(all.end(), now_.begin(), now_.end());
        ids_.insert(ids_.begin(), 0);
        next_.insert(next_.begin(), std::move(all));
        groups_.replace(ids_, next_);
    }

    static constexpr std::size_t largest_pool = 300, batches = 200;
    static constexpr double rise = 1.03;

    const Leavers& records_;
    Points points_;
    Lists lists_;
    std::size_t k_;
    std::vector<std::uint32_t> out_;  // by cell: how many are outside
    double price_;
    Random random_;
    Groups groups_;
    Pool pool_;
    GroupLoss loss_;
    double lost_ = 0.0, least_ = 0.0;
    std::vector<std::uint32_t> ids_, outside_, now_, record_;
    std::vector<std::uint64_t> mark_;
    std::uint64_t stamp_ = 0;
    std::vector<double> running_;
    std::vector<std::vector<std::uint32_t>> next_;
    std::vector<std::uint32_t> best_;
};

// Who is outside after an anneal for each seed, cold and warm in turn: 1 for each that is.
inline std::vector<std::vector<std::uint32_t>> leave_at_price(const LeavingTask& task, double price,
                                                              std::size_t neighbours, std::size_t steps,
                                                              const std::vector<std::uint64_t>& seeds,
                                                              const Watch& watch) {
    const Leavers records(task, neighbours, watch.part(0.0, 0.1));
    std::vector<std::vector<std::uint32_t>> result(seeds.size());
    each_on_all_cores(seeds.size(), watch.part(0.1, 1.0), [&](std::size_t a, const Poll& poll) {
        Leaving search(records, task.k, price, seeds[a]);
        search.run(steps, static_cast<double>(a % 2), poll);
        result[a] = records.flags(task, search.best());
    });
    return result;
}

}  // namespace covey::space
