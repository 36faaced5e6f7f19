// Iterative group decomposition (Khomnotai et al. 2018): refine a partition by dissolving groups and by shrinking them.
//
// Dissolve: every record of a group goes to the group with the nearest centroid, groups that reach 2k are split; kept if the
// loss falls. Shrink: of a group above k, the record whose move to another group lowers the loss most, as long as there is
// one; groups that reach 2k on the way are split afterwards. Rounds of both until the loss stays. O(n^2 d) a round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "../poll.hpp"
#include "centre.hpp"
#include "points.hpp"

namespace covey::space {

class Decompose {
  public:
    Decompose(const Points& points, std::size_t k, const std::vector<std::uint32_t>& label, std::size_t groups,
              Poll poll)
        : points_(points), k_(k), poll_(poll), loss_of_(points), mean_(points), group_(groups) {
        for (std::uint32_t i = 0; i < points.n; ++i) group_[label[i]].member.push_back(i);
        for (Group& group : group_) refresh(group);
        split_large();
    }

    Grouping run() {
        for (double before = std::numeric_limits<double>::infinity(), now = total(); pays(before, now); now = total()) {
            before = now;
            dissolve();
            shrink();
            split_large();
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

    struct Move {
        double gain = 0.0;
        std::size_t at = 0, to = 0;  // the member, and the group it goes to
    };

    void refresh(Group& group) {
        mean_.clear();
        for (const std::uint32_t i : group.member) mean_.add(i);
        group.centre.assign(mean_.mean(), mean_.mean() + points_.d);
        group.loss = loss_of_(group.member.data(), group.member.size());
    }

    double total() const {
        double sum = 0.0;
        for (const Group& group : group_) sum += group.loss;
        return sum;
    }

    static bool pays(double before, double after) { return after < before * (1 - 1e-12); }

    double from_centre(std::uint32_t i, const Group& group) const {
        return squared_distance(points_[i], group.centre.data(), points_.d);
    }

    // The group other than `own` with the centroid nearest to record i.
    std::size_t nearest(std::uint32_t i, std::size_t own) const {
        std::size_t best = own;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t g = 0; g < group_.size(); ++g)
            if (const double here = from_centre(i, group_[g]); g != own && here < least) {
                least = here;
                best = g;
            }
        return best;
    }

    void dissolve() {
        for (std::size_t g = 0; g < group_.size() && group_.size() > 1;) {
            poll_.tick(static_cast<int>(std::min<std::size_t>(group_.size() * k_, 1 << 18)));
            std::vector<std::size_t> hit;
            std::vector<Group> changed;
            for (const std::uint32_t i : group_[g].member) {
                const std::size_t h = nearest(i, g);
                const auto at = static_cast<std::size_t>(std::find(hit.begin(), hit.end(), h) - hit.begin());
                if (at == hit.size()) {
                    hit.push_back(h);
                    changed.push_back(group_[h]);
                }
                changed[at].member.push_back(i);
            }
            double before = group_[g].loss, after = 0.0;
            for (const std::size_t h : hit) before += group_[h].loss;
            std::vector<Group> extra;
            for (Group& group : changed) split(group, extra);
            for (const Group& group : changed) after += group.loss;
            for (const Group& group : extra) after += group.loss;
            if (!pays(before, after)) {
                ++g;
                continue;
            }
            for (std::size_t h = 0; h < hit.size(); ++h) group_[hit[h]] = std::move(changed[h]);
            std::move(extra.begin(), extra.end(), std::back_inserter(group_));
            group_.erase(group_.begin() + static_cast<std::ptrdiff_t>(g));
        }
    }

    void shrink() {
        for (std::size_t g = 0; g < group_.size(); ++g)
            while (group_[g].member.size() > k_) {
                poll_.tick(static_cast<int>(std::min<std::size_t>(group_.size() * k_, 1 << 18)));
                const Move best = best_move(g);
                if (!(best.gain > 1e-12 * group_[g].loss)) break;
                group_[best.to].member.push_back(group_[g].member[best.at]);
                group_[g].member.erase(group_[g].member.begin() + static_cast<std::ptrdiff_t>(best.at));
                refresh(group_[g]);
                refresh(group_[best.to]);
            }
    }

    // Of a group above k. A record leaves a group of a records at a gain of a/(a-1) of its squared distance, and costs
    // b/(b+1) of it in a group of b.
    Move best_move(std::size_t g) const {
        Move best;
        const auto a = static_cast<double>(group_[g].member.size());
        for (std::size_t m = 0; m < group_[g].member.size(); ++m) {
            const std::uint32_t i = group_[g].member[m];
            const double gain = a / (a - 1) * from_centre(i, group_[g]);
            for (std::size_t h = 0; h < group_.size(); ++h) {
                const auto b = static_cast<double>(group_[h].member.size());
                if (h == g) continue;
                if (const double here = gain - b / (b + 1) * from_centre(i, group_[h]); here > best.gain)
                    best = {here, m, h};
            }
        }
        return best;
    }

    void split_large() {
        std::vector<Group> all, extra;
        for (Group& group : group_) {
            extra.clear();
            if (group.member.size() >= 2 * k_) split(group, extra);
            all.push_back(std::move(group));
            std::move(extra.begin(), extra.end(), std::back_inserter(all));
        }
        group_ = std::move(all);
    }

    // Brings a group up to date, in parts if it holds 2k or more: the first stays, the others go to `extra`. A part is the
    // record farthest from the centroid of those left and, k-1 times, the record nearest to the centroid of the part. Fewer
    // than k that stay over go to the nearest of the parts.
    void split(Group& group, std::vector<Group>& extra) {
        if (group.member.size() < 2 * k_) return refresh(group);
        std::vector<std::uint32_t> left = std::move(group.member);
        std::sort(left.begin(), left.end());
        std::vector<Group> parts;
        while (left.size() >= k_) parts.push_back(take_part(left));
        for (const std::uint32_t i : left) {
            Group& part = *std::min_element(parts.begin(), parts.end(), [&](const Group& a, const Group& b) {
                return from_centre(i, a) < from_centre(i, b);
            });
            part.member.push_back(i);
            refresh(part);
        }
        group = std::move(parts.front());
        std::move(parts.begin() + 1, parts.end(), std::back_inserter(extra));
    }

    Group take_part(std::vector<std::uint32_t>& left) {
        Group part{left, {}, 0.0};
        refresh(part);
        auto next = std::max_element(left.begin(), left.end(), [&](std::uint32_t a, std::uint32_t b) {
            return from_centre(a, part) < from_centre(b, part);
        });
        part.member.clear();
        for (mean_.clear();;) {
            poll_.tick(static_cast<int>(std::min<std::size_t>(left.size(), 1 << 16)));
            part.member.push_back(*next);
            mean_.add(*next);
            left.erase(next);
            if (part.member.size() == k_) break;
            part.centre.assign(mean_.mean(), mean_.mean() + points_.d);
            next = std::min_element(left.begin(), left.end(), [&](std::uint32_t a, std::uint32_t b) {
                return from_centre(a, part) < from_centre(b, part);
            });
        }
        refresh(part);
        return part;
    }

    Points points_;
    std::size_t k_;
    Poll poll_;
    GroupLoss loss_of_;
    Centroid mean_;
    std::vector<Group> group_;
};

}  // namespace covey::space
