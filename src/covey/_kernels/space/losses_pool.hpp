// A few groups, taken out of a partition to be rearranged, where other losses than squares around means count.
//
// The twin of pool.hpp for the losses of costs.hpp: a change is known from what groups are without a record, in O(d).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "costs.hpp"
#include "groups.hpp"
#include "pool.hpp"

namespace covey::space {

class LossesPool {
  public:
    LossesPool(const Points& points, std::size_t k, const Objective& objective) : losses_(points, objective), k_(k) {}

    void load(const Groups& groups, const std::vector<std::uint32_t>& ids) {
        member_.resize(ids.size());
        for (std::size_t g = 0; g < ids.size(); ++g) member_[g] = groups[ids[g]];
        sum_up();
    }

    std::size_t records() const {
        std::size_t records = 0;
        for (const auto& member : member_) records += member.size();
        return records;
    }

    double loss() const {
        double loss = 0.0;
        for (const Summary& group : summary_) loss += group.loss;
        return loss;
    }

    // New groups from random seeds, each grown by the record that costs least; the rest where it costs least.
    void rebuild(std::size_t groups, Random& random) {
        std::vector<std::uint32_t> left;
        for (const auto& member : member_) left.insert(left.end(), member.begin(), member.end());
        member_.assign(groups, {});
        summary_.resize(groups);
        for (std::size_t g = 0; g < groups; ++g) {
            std::size_t at = random.below(left.size());
            for (;;) {
                add(left[at], g);
                left[at] = left.back();
                left.pop_back();
                if (member_[g].size() == k_) break;
                losses_.whole(summary_[g], rest_);
                at = cheapest(left.size(), [&](std::size_t s) { return losses_.added(rest_, left[s]); });
            }
        }
        for (std::uint32_t i : left) {
            std::vector<std::size_t> open;
            for (std::size_t g = 0; g < groups; ++g)
                if (member_[g].size() < 2 * k_ - 1) open.push_back(g);
            add(i, open[cheapest(open.size(), [&](std::size_t s) {
                    losses_.whole(summary_[open[s]], rest_);
                    return losses_.added(rest_, i);
                })]);
        }
    }

    void swap_at_random(std::size_t swaps, Random& random) {
        for (std::size_t s = 0; s < swaps; ++s) {
            const std::size_t g = random.below(member_.size()), h = random.below(member_.size());
            if (g != h)
                std::swap(member_[g][random.below(member_[g].size())], member_[h][random.below(member_[h].size())]);
        }
        sum_up();
    }

    // The best move or exchange between two groups, for all pairs again and again until none pays.
    void descend() {
        for (bool fell = true; fell;) {
            fell = false;
            for (std::size_t g = 0; g < member_.size(); ++g)
                for (std::size_t h = g + 1; h < member_.size(); ++h)
                    while (improve(g, h)) fell = true;
        }
    }

    const std::vector<std::vector<std::uint32_t>>& groups() const { return member_; }

  private:
    // Places in two groups; none: nothing comes from there.
    struct Change {
        double change = 0.0;
        std::size_t from_first = nowhere, from_second = nowhere;
    };
    static constexpr std::size_t nowhere = ~std::size_t{0};

    // What groups are without each of their records, and what that record adds to it.
    struct Without {
        std::vector<Rest> rest;
        std::vector<double> own;
    };

    template <class Price>
    static std::size_t cheapest(std::size_t count, const Price& price) {
        std::size_t at = 0;
        double least = price(0);
        for (std::size_t s = 1; s < count; ++s)
            if (const double cost = price(s); cost < least) {
                least = cost;
                at = s;
            }
        return at;
    }

    void add(std::uint32_t i, std::size_t g) {
        member_[g].push_back(i);
        losses_.summarise(member_[g], summary_[g]);
    }

    void sum_up() {
        summary_.resize(member_.size());
        for (std::size_t g = 0; g < member_.size(); ++g) losses_.summarise(member_[g], summary_[g]);
    }

    void take_out(std::size_t g, Without& out) const {
        const std::vector<std::uint32_t>& member = member_[g];
        out.rest.resize(member.size());
        out.own.resize(member.size());
        for (std::size_t m = 0; m < member.size(); ++m) {
            losses_.without(summary_[g], member[m], out.rest[m]);
            out.own[m] = losses_.added(out.rest[m], member[m]);
        }
    }

    void one_way(std::size_t from, std::size_t to, const Without& out, double& least, std::size_t& place) {
        if (member_[from].size() <= k_ || member_[to].size() >= 2 * k_ - 1) return;
        losses_.whole(summary_[to], rest_);
        for (std::size_t m = 0; m < member_[from].size(); ++m) {
            const double change = losses_.added(rest_, member_[from][m]) - out.own[m];
            if (change < least) {
                least = change;
                place = m;
            }
        }
    }

    Change best_between(std::size_t g, std::size_t h) {
        take_out(g, first_);
        take_out(h, second_);
        Change best;
        one_way(g, h, first_, best.change, best.from_first);
        const double before = best.change;
        one_way(h, g, second_, best.change, best.from_second);
        if (best.change < before) best.from_first = nowhere;
        for (std::size_t r = 0; r < member_[g].size(); ++r)
            for (std::size_t s = 0; s < member_[h].size(); ++s) {
                const double change = losses_.added(first_.rest[r], member_[h][s]) - first_.own[r] +
                                      losses_.added(second_.rest[s], member_[g][r]) - second_.own[s];
                if (change < best.change) best = {change, r, s};
            }
        return best;
    }

    // Makes the best change if the loss, added up afresh, falls: so a descent ends.
    bool improve(std::size_t g, std::size_t h) {
        const Change change = best_between(g, h);
        if (!(change.change < 0.0)) return false;
        std::vector<std::uint32_t> first = member_[g], second = member_[h];
        const std::uint32_t i = change.from_first == nowhere ? none : taken(first, change.from_first);
        const std::uint32_t j = change.from_second == nowhere ? none : taken(second, change.from_second);
        if (i != none) second.push_back(i);
        if (j != none) first.push_back(j);
        losses_.summarise(first, one_);
        losses_.summarise(second, other_);
        if (!(one_.loss + other_.loss < summary_[g].loss + summary_[h].loss)) return false;
        member_[g].swap(first);
        member_[h].swap(second);
        std::swap(summary_[g], one_);
        std::swap(summary_[h], other_);
        return true;
    }

    static std::uint32_t taken(std::vector<std::uint32_t>& member, std::size_t place) {
        const std::uint32_t i = member[place];
        member[place] = member.back();
        member.pop_back();
        return i;
    }

    Losses losses_;
    std::size_t k_;
    std::vector<std::vector<std::uint32_t>> member_;
    std::vector<Summary> summary_;
    Without first_, second_;
    Summary one_, other_;
    Rest rest_;
};

}  // namespace covey::space
