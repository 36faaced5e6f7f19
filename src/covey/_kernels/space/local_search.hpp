// Local search: move a record to a near group, exchange two, dissolve a group, make a new one, while the loss falls.
//
// A record is looked at beside the groups of its nearest neighbours. Changes of the loss in O(d), by a policy of costs.hpp;
// of squares, for x in A (size a) and y in B (size b) with centroids A and B:
//   x goes to B:   b/(b+1) |x-B|^2 - a/(a-1) |x-A|^2
//   x and y swap:  -2 (A-B).(y-x) - |y-x|^2 (1/a + 1/b)
// Each accepted change lowers the loss, so it ends; O(n m k d) for one sweep over m neighbours. With a demand on the
// groups, which all satisfy it at the beginning, a change is taken only if they still do; groups may then be larger.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "../poll.hpp"
#include "costs.hpp"
#include "demand.hpp"
#include "groups.hpp"

namespace covey::space {

template <class Policy>
class LocalSearch {
  public:
    LocalSearch(const Points& points, std::size_t k, Groups& groups, const Lists& lists, Poll poll, Policy policy,
                Demand* demand = nullptr)
        : points_(points), k_(k), most_(demand == nullptr ? 2 * k - 1 : points.n), groups_(groups), lists_(lists),
          poll_(poll), policy_(std::move(policy)), demand_(demand), seen_(groups.ids(), none),
          queued_(points.n, false) {
        for (std::uint32_t g = 0; g < groups.ids(); ++g) refresh(g);
    }

    void run() { run(std::vector<bool>(points_.n, true)); }

    // From those records alone that are `open`, and what changes on the way.
    void run(std::vector<bool> open) {
        for (std::uint32_t i = 0; i < points_.n; ++i)
            if (open[i]) push(i);
        fresh_ = std::move(open);
        do {
            while (!queue_.empty()) {
                const std::uint32_t i = queue_.front();
                queue_.pop_front();
                queued_[i] = false;
                while (improve(i)) {
                }
                poll_.tick(static_cast<int>(lists_.m));
            }
            std::vector<bool> fresh(points_.n, false);
            fresh.swap(fresh_);
            const auto is_fresh = [&](std::uint32_t i) { return fresh[i]; };
            for (std::uint32_t g = 0; g < groups_.ids(); ++g)
                if (std::any_of(groups_[g].begin(), groups_[g].end(), is_fresh)) dissolve(g);
            for (std::uint32_t i = 0; i < points_.n; ++i)
                if (fresh[i]) found_group(i);
        } while (!queue_.empty());
    }

  private:
    void refresh(std::uint32_t g) {
        if (loss_.size() < groups_.ids()) loss_.resize(groups_.ids());
        if (seen_.size() < groups_.ids()) seen_.resize(groups_.ids(), none);
        policy_.refresh(g, groups_[g]);
        if (groups_.size(g) != 0) loss_[g] = policy_.loss(groups_[g]);
    }

    void push(std::uint32_t i) {
        if (queued_[i]) return;
        queued_[i] = true;
        queue_.push_back(i);
    }

    void changed(std::uint32_t g) {
        for (std::uint32_t i : groups_[g]) {
            push(i);
            fresh_[i] = true;
        }
    }

    double joining(std::uint32_t i, std::uint32_t g) { return policy_.joining(i, g, groups_.size(g)); }

    bool enough(double gain, double size) const { return gain > 1e-12 * size; }

    // The best move or exchange of i, if one pays.
    bool improve(std::uint32_t i) {
        const std::uint32_t own = groups_.label[i];
        const std::size_t a = groups_.size(own);
        if (stays(own)) return false;
        const double left = a > k_ ? policy_.leaving(i, own, a) : 0.0;
        double best = 0.0, scale = 0.0;
        std::uint32_t to = none, with = none;
        seen_[own] = i;
        for (const std::uint32_t near : lists_[i]) {
            const std::uint32_t g = groups_.label[near];
            if (seen_[g] == i) continue;
            seen_[g] = i;
            if (stays(g)) continue;
            if (a > k_ && groups_.size(g) < most_) {
                const double cost = joining(i, g), change = cost - left;
                if (change < best && allowed(i, g, none)) {
                    best = change;
                    scale = cost + left;
                    to = g;
                    with = none;
                }
            }
            if (demand_ != nullptr && std::max(a, groups_.size(g)) > largest_exchange) continue;
            if (!policy_.begin_exchanges(i, own, a, g, groups_.size(g), best)) continue;
            for (std::uint32_t y : groups_[g]) {
                const double change = policy_.exchange(y);
                if (change < best && allowed(i, g, y)) {
                    best = change;
                    scale = policy_.scale();
                    to = g;
                    with = y;
                }
            }
        }
        for (const std::uint32_t near : lists_[i]) seen_[groups_.label[near]] = none;
        seen_[own] = none;
        if (to == none || !enough(-best, scale)) return false;
        // The formulas round: the sum of the losses, added up afresh, must fall, so that the search ends.
        after(i, to, with);
        if (!(policy_.loss(pair_[0]) + policy_.loss(pair_[1]) < loss_[own] + loss_[to])) return false;
        with == none ? groups_.move(i, to) : groups_.swap(i, with);
        refresh(own);
        refresh(to);
        changed(own);
        changed(to);
        return true;
    }

    // The two groups after i went to group `to`, or changed places with a record of it.
    void after(std::uint32_t i, std::uint32_t to, std::uint32_t with) {
        std::vector<std::uint32_t>&giving = pair_[0], &taking = pair_[1];
        giving = groups_[groups_.label[i]];
        taking = groups_[to];
        *std::find(giving.begin(), giving.end(), i) = with == none ? giving.back() : with;
        if (with == none) {
            giving.pop_back();
            taking.push_back(i);
        } else {
            *std::find(taking.begin(), taking.end(), with) = i;
        }
    }

    // Whether a group is so large that a demand takes too long to look at it again and again.
    bool stays(std::uint32_t g) const { return demand_ != nullptr && groups_.size(g) > largest_change; }

    bool allowed(std::uint32_t i, std::uint32_t to, std::uint32_t with) {
        if (demand_ == nullptr || (with != none && demand_->alike(i, with))) return true;
        return demand_->holds_after(groups_[groups_.label[i]], i, with) && demand_->holds_after(groups_[to], with, i);
    }

    bool all_allowed() {
        if (demand_ != nullptr)
            for (const auto& [g, members] : hit_)
                if (!demand_->holds(members)) return false;
        return true;
    }

    // Each record of g to a group near it, if the loss falls in all.
    void dissolve(std::uint32_t g) {
        if (groups_.size(g) == 0 || stays(g)) return;
        hit_.clear();
        double before = loss_[g], after = 0.0;
        for (std::uint32_t i : groups_[g]) {
            double least = before;
            std::uint32_t to = none;
            for (const std::uint32_t near : lists_[i]) {
                const std::uint32_t h = groups_.label[near];
                if (h == g || seen_[h] == i) continue;
                seen_[h] = i;
                if (hit(h).size() + 1 > most_ || stays(h)) continue;
                if (const double cost = joining(i, h); cost < least) {
                    least = cost;
                    to = h;
                }
            }
            for (const std::uint32_t near : lists_[i]) seen_[groups_.label[near]] = none;
            if (to == none) return;
            change(to).push_back(i);
        }
        weigh(before, after);
        if (!enough(before - after, before) || !all_allowed()) return;
        for (const auto& [h, members] : hit_)
            for (std::uint32_t i : members)
                if (groups_.label[i] != h) groups_.move(i, h);
        settle();
        poll_.tick(static_cast<int>(lists_.m));
    }

    // A new group of i and the next k-1 records near it, more where a demand needs them, that their groups can spare, if the
    // loss falls.
    void found_group(std::uint32_t i) {
        if (groups_.size(groups_.label[i]) <= k_) return;
        hit_.clear();
        chosen_.clear();
        bool held = false;
        const std::span<const std::uint32_t> near = lists_[i];
        for (std::size_t s = 0; s <= near.size() && !held; ++s) {
            const std::uint32_t y = s == 0 ? i : near[s - 1];
            const std::uint32_t g = groups_.label[y];
            if (hit(g).size() <= k_ || stays(g)) continue;
            std::vector<std::uint32_t>& left = change(g);
            left.erase(std::find(left.begin(), left.end(), y));
            chosen_.push_back(y);
            held = chosen_.size() >= k_ && (demand_ == nullptr || demand_->holds(chosen_));
        }
        if (!held || !all_allowed()) return;
        double before = 0.0, after = policy_.loss(chosen_);
        weigh(before, after);
        if (!enough(before - after, before)) return;
        const std::uint32_t fresh = groups_.open();
        for (std::uint32_t y : chosen_) groups_.move(y, fresh);
        refresh(fresh);
        changed(fresh);
        settle();
        poll_.tick(static_cast<int>(lists_.m));
    }

    // Groups that a larger change would touch, as they would be after it.
    const std::vector<std::uint32_t>& hit(std::uint32_t g) const {
        for (const auto& [id, members] : hit_)
            if (id == g) return members;
        return groups_[g];
    }

    std::vector<std::uint32_t>& change(std::uint32_t g) {
        for (auto& [id, members] : hit_)
            if (id == g) return members;
        return hit_.emplace_back(g, groups_[g]).second;
    }

    void settle() {
        for (const auto& [g, members] : hit_) {
            refresh(g);
            changed(g);
        }
    }

    void weigh(double& before, double& after) {
        for (const auto& [g, members] : hit_) {
            before += loss_[g];
            after += policy_.loss(members);
        }
    }

    // With a demand, which looks at whole groups: records of larger groups move only, and of still larger ones stay.
    static constexpr std::size_t largest_exchange = 64, largest_change = 1024;

    Points points_;
    std::size_t k_, most_;
    Groups& groups_;
    Lists lists_;
    Poll poll_;
    Policy policy_;
    Demand* demand_;
    std::vector<double> loss_;
    std::vector<std::uint32_t> seen_, chosen_, pair_[2];
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> hit_;
    std::vector<bool> queued_, fresh_;  // fresh: its group has changed since it was last tried as a whole
    std::deque<std::uint32_t> queue_;
};

}  // namespace covey::space
