// Iterative group decomposition (Khomnotai et al. 2018): refine a partition by shrinking groups and by dissolving them.
//
// Shrink: from a group above k, the record farthest from its centroid goes to the group where it costs least, if that
// pays. Dissolve: every record of a group goes to the group where it costs least; groups that reach 2k are halved around
// their farthest record; kept if the loss falls. Repeated until neither helps. O(n^2 d / k) a round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../poll.hpp"
#include "points.hpp"

namespace covey::space {

class Decompose {
  public:
    Decompose(const Points& points, std::size_t k, const std::vector<std::uint32_t>& label, std::size_t groups,
              Poll poll)
        : points_(points), k_(k), poll_(poll), loss_of_(points), group_(groups) {
        for (std::uint32_t i = 0; i < points.n; ++i) group_[label[i]].member.push_back(i);
        for (Group& group : group_) refresh(group);
    }

    Grouping run() {
        bool changed = true;
        while (group_.size() > 1 && changed) {
            const bool shrunk = shrink();  // both, in this order
            changed = dissolve() || shrunk;
        }
        Grouping grouping;
        for (const Group& group : group_) {
            const std::size_t first = grouping.order.size();
            grouping.order.insert(grouping.order.end(), group.member.begin(), group.member.end());
            grouping.close(first);
        }
        return grouping;
    }

  private:
    struct Group {
        std::vector<std::uint32_t> member;
        std::vector<double> centre;
        double loss = 0.0;
    };

    void refresh(Group& group) {
        group.centre.assign(points_.d, 0.0);
        for (std::uint32_t i : group.member)
            for (std::size_t j = 0; j < points_.d; ++j) group.centre[j] += points_[i][j];
        for (double& c : group.centre) c /= static_cast<double>(group.member.size());
        group.loss = loss_of_(group.member.data(), group.member.size());
    }

    std::size_t farthest(const Group& group) const {
        std::size_t at = 0;
        double far = -1.0;
        for (std::size_t m = 0; m < group.member.size(); ++m)
            if (const double here = squared_distance(points_[group.member[m]], group.centre.data(), points_.d);
                here > far) {
                far = here;
                at = m;
            }
        return at;
    }

    // The group other than `own` where record i costs least.
    std::size_t cheapest(const std::vector<Group>& groups, std::uint32_t i, std::size_t own) const {
        std::size_t best = own;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t g = 0; g < groups.size(); ++g) {
            if (g == own) continue;
            const auto b = static_cast<double>(groups[g].member.size());
            const double cost = b / (b + 1) * squared_distance(points_[i], groups[g].centre.data(), points_.d);
            if (cost < least) {
                least = cost;
                best = g;
            }
        }
        return best;
    }

    bool pays(double before, double after) const { return after < before * (1 - 1e-12); }

    bool shrink() {
        bool any = false;
        for (std::size_t g = 0; g < group_.size(); ++g)
            while (group_[g].member.size() > k_) {
                poll_.tick(static_cast<int>(std::min<std::size_t>(group_.size(), 1 << 16)));
                const std::size_t at = farthest(group_[g]);
                const std::uint32_t i = group_[g].member[at];
                const std::size_t h = cheapest(group_, i, g);
                if (group_[h].member.size() + 1 >= 2 * k_) break;
                Group from = group_[g], to = group_[h];
                from.member.erase(from.member.begin() + static_cast<std::ptrdiff_t>(at));
                to.member.push_back(i);
                refresh(from);
                refresh(to);
                if (!pays(group_[g].loss + group_[h].loss, from.loss + to.loss)) break;
                group_[g] = std::move(from);
                group_[h] = std::move(to);
                any = true;
            }
        return any;
    }

    bool dissolve() {
        bool any = false;
        for (std::size_t g = 0; g < group_.size() && group_.size() > 1;) {
            poll_.tick(static_cast<int>(std::min<std::size_t>(group_.size() * k_, 1 << 18)));
            std::vector<std::size_t> hit;
            std::vector<Group> changed;
            for (std::uint32_t i : group_[g].member) {
                const std::size_t h = cheapest(group_, i, g);
                auto at = std::find(hit.begin(), hit.end(), h) - hit.begin();
                if (static_cast<std::size_t>(at) == hit.size()) {
                    hit.push_back(h);
                    changed.push_back(group_[h]);
                }
                changed[static_cast<std::size_t>(at)].member.push_back(i);
            }
            double before = group_[g].loss, after = 0.0;
            for (std::size_t h : hit) before += group_[h].loss;
            std::vector<Group> halves;
            for (Group& group : changed) {
                refresh(group);
                while (group.member.size() >= 2 * k_) halves.push_back(split_off(group));
                after += group.loss;
            }
            for (const Group& half : halves) after += half.loss;
            if (!pays(before, after)) {
                ++g;
                continue;
            }
            for (std::size_t h = 0; h < hit.size(); ++h) group_[hit[h]] = std::move(changed[h]);
            for (Group& half : halves) group_.push_back(std::move(half));
            group_.erase(group_.begin() + static_cast<std::ptrdiff_t>(g));
            any = true;
        }
        return any;
    }

    // k records around the farthest one leave the group.
    Group split_off(Group& group) {
        const double* pivot = points_[group.member[farthest(group)]];
        std::vector<Found> near;
        for (std::uint32_t i : group.member) near.push_back({squared_distance(points_[i], pivot, points_.d), i});
        std::sort(near.begin(), near.end());
        Group half;
        group.member.clear();
        for (std::size_t s = 0; s < near.size(); ++s) (s < k_ ? half : group).member.push_back(near[s].index);
        refresh(half);
        refresh(group);
        return half;
    }

    Points points_;
    std::size_t k_;
    Poll poll_;
    GroupLoss loss_of_;
    std::vector<Group> group_;
};

}  // namespace covey::space
