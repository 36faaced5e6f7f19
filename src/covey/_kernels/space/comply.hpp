// Groups that satisfy a demand, from groups that do not: exchange, move, merge, at the least loss for what is gained.
//
// A group that fails is looked at beside the records near its members: each exchange or move of a record, and each merger
// with a group near it, that brings the two groups concerned nearer to the demand is weighed by the loss it adds for each
// unit of deficit it takes away; the best is done, until the group holds. Where nothing near helps, the nearest of all
// records are tried, and then the group is merged with the nearest one. The sum of deficits falls, or the number of groups,
// so it ends. Heuristic; O(m k^2 d) for each change.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../poll.hpp"
#include "demand.hpp"
#include "groups.hpp"

namespace covey::space {

class Comply {
  public:
    Comply(const Points& points, std::size_t k, Groups& groups, const std::uint32_t* lists, std::size_t m, Demand& demand, Poll poll)
        : points_(points), k_(k), groups_(groups), lists_(lists), m_(m), demand_(demand), poll_(poll), seen_(points.n, 0),
          centres_(groups.ids() * points.d) {
        for (std::uint32_t g = 0; g < groups.ids(); ++g) set_centre(g);
    }

    // By exchanges, moves and mergers.
    void run() {
        each_failing([&](std::uint32_t g) {
            find_near(g);
            if (improve(g)) return;
            if (points_.n <= widest) {
                find_nearest(g);
                if (improve(g)) return;
            }
            merge_with_nearest(g);
        });
    }

    // By mergers with the nearest group alone: the usual way.
    void merge() {
        each_failing([&](std::uint32_t g) { merge_with_nearest(g); });
    }

  private:
    static constexpr std::size_t widest = 50'000;  // records; above, only neighbours are looked at
    static constexpr std::size_t tried = 512;

    struct Change {
        double price = std::numeric_limits<double>::infinity();  // loss added for each unit of deficit taken away
        std::uint32_t out = none, in = none, other = none;       // who goes to the other group and who comes; nobody: they merge
    };

    // Groups that were whole may fail after a change that helped another one more, so until none does.
    template <class Mend>
    void each_failing(const Mend& mend) {
        for (bool again = true; again;) {
            again = false;
            for (std::uint32_t g = 0; g < groups_.ids(); ++g)
                while (groups_.size(g) != 0 && groups_.in_use() > 1 && demand_.deficit(groups_[g]) > 0.0) {
                    mend(g);
                    again = true;
                    poll_.tick(static_cast<int>(m_ * k_));
                }
        }
    }

    // Records of other groups that are neighbours of members of g.
    void find_near(std::uint32_t g) {
        near_.clear();
        ++stamp_;
        for (std::uint32_t i : groups_[g])
            for (std::size_t s = 0; s < m_; ++s) {
                const std::uint32_t y = lists_[i * m_ + s];
                if (groups_.label[y] == g || seen_[y] == stamp_) continue;
                seen_[y] = stamp_;
                near_.push_back(y);
            }
    }

    void find_nearest(std::uint32_t g) {
        found_.clear();
        for (std::uint32_t y = 0; y < points_.n; ++y)
            if (groups_.label[y] != g) found_.push_back({squared_distance(points_[y], centre(g), points_.d), y});
        const std::size_t few = std::min(found_.size(), tried);
        std::partial_sort(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(few), found_.end());
        near_.clear();
        for (std::size_t f = 0; f < few; ++f) near_.push_back(found_[f].index);
    }

    // The best change that takes deficit away, if there is one.
    bool improve(std::uint32_t g) {
        const std::vector<std::uint32_t>& own = groups_[g];
        const double lacking = demand_.deficit(own);
        Change best;
        for (std::uint32_t y : near_) {
            const std::uint32_t h = groups_.label[y];
            const double both = lacking + demand_.deficit(groups_[h]);
            for (std::uint32_t x : own) consider(g, {0.0, x, y, h}, swapping(g, x, h, y), both, best);
            if (groups_.size(h) > k_) consider(g, {0.0, none, y, h}, joining(y, g) - leaving(y, h), both, best);
            if (!first_of(y)) continue;
            if (own.size() > k_)
                for (std::uint32_t x : own) consider(g, {0.0, x, none, h}, joining(x, h) - leaving(x, g), both, best);
            consider_merger(g, h, both, best);
        }
        if (best.other == none) return false;
        if (best.out == none && best.in == none) {
            absorb(g, best.other);
            return true;
        }
        if (best.out != none && best.in != none) groups_.swap(best.out, best.in);
        else if (best.in != none) groups_.move(best.in, g);
        else groups_.move(best.out, best.other);
        set_centre(g);
        set_centre(best.other);
        return true;
    }

    // Changes of the loss, as in the local search.
    double leaving(std::uint32_t i, std::uint32_t g) const {
        const auto a = static_cast<double>(groups_.size(g));
        return a / (a - 1) * squared_distance(points_[i], centre(g), points_.d);
    }

    double joining(std::uint32_t i, std::uint32_t g) const {
        const auto b = static_cast<double>(groups_.size(g));
        return b / (b + 1) * squared_distance(points_[i], centre(g), points_.d);
    }

    double swapping(std::uint32_t g, std::uint32_t x, std::uint32_t h, std::uint32_t y) const {
        double dot = 0.0, square = 0.0;
        for (std::size_t j = 0; j < points_.d; ++j) {
            const double off = points_[y][j] - points_[x][j];
            dot += (centre(g)[j] - centre(h)[j]) * off;
            square += off * off;
        }
        return -2.0 * dot - square * (1.0 / static_cast<double>(groups_.size(g)) + 1.0 / static_cast<double>(groups_.size(h)));
    }

    // Whether y is the first of its group among the records looked at.
    bool first_of(std::uint32_t y) const {
        for (std::uint32_t z : near_) {
            if (z == y) return true;
            if (groups_.label[z] == groups_.label[y]) return false;
        }
        return true;
    }

    void consider(std::uint32_t g, Change change, double added, double deficit, Change& best) {
        if (added > best.price * deficit) return;  // it cannot take away more than all
        fill(groups_[g], change.out, change.in, mine_);
        fill(groups_[change.other], change.in, change.out, yours_);
        offer(added, deficit - demand_.deficit(mine_) - demand_.deficit(yours_), change, best);
    }

    void consider_merger(std::uint32_t g, std::uint32_t h, double deficit, Change& best) {
        const auto a = static_cast<double>(groups_.size(g)), b = static_cast<double>(groups_.size(h));
        const double added = a * b / (a + b) * squared_distance(centre(g), centre(h), points_.d);
        if (added > best.price * deficit) return;
        mine_ = groups_[g];
        mine_.insert(mine_.end(), groups_[h].begin(), groups_[h].end());
        offer(added, deficit - demand_.deficit(mine_), {0.0, none, none, h}, best);
    }

    static void offer(double added, double taken, Change change, Change& best) {
        if (taken <= 1e-9) return;
        change.price = std::max(added, 0.0) / taken;
        if (change.price < best.price) best = change;
    }

    static void fill(const std::vector<std::uint32_t>& members, std::uint32_t out, std::uint32_t in, std::vector<std::uint32_t>& to) {
        to.clear();
        for (std::uint32_t i : members)
            if (i != out) to.push_back(i);
        if (in != none) to.push_back(in);
    }

    void merge_with_nearest(std::uint32_t g) {
        double least = std::numeric_limits<double>::infinity();
        std::uint32_t to = none;
        for (std::uint32_t h = 0; h < groups_.ids(); ++h) {
            if (h == g || groups_.size(h) == 0) continue;
            if (const double away = squared_distance(centre(g), centre(h), points_.d); away < least) {
                least = away;
                to = h;
            }
        }
        absorb(g, to);
    }

    void absorb(std::uint32_t g, std::uint32_t h) {
        const std::vector<std::uint32_t> members = groups_[h];
        for (std::uint32_t i : members) groups_.move(i, g);
        set_centre(g);
    }

    const double* centre(std::uint32_t g) const { return &centres_[g * points_.d]; }

    void set_centre(std::uint32_t g) {
        double* c = &centres_[g * points_.d];
        std::fill_n(c, points_.d, 0.0);
        for (std::uint32_t i : groups_[g])
            for (std::size_t j = 0; j < points_.d; ++j) c[j] += points_[i][j];
        for (std::size_t j = 0; j < points_.d; ++j) c[j] /= static_cast<double>(groups_.size(g));
    }

    Points points_;
    std::size_t k_;
    Groups& groups_;
    const std::uint32_t* lists_;
    std::size_t m_;
    Demand& demand_;
    Poll poll_;
    std::vector<std::uint64_t> seen_;
    std::uint64_t stamp_ = 0;
    std::vector<std::uint32_t> near_, mine_, yours_;
    std::vector<Found> found_;
    std::vector<double> centres_;
};

}  // namespace covey::space
