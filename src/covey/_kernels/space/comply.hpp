// Groups that satisfy a demand, from groups that do not: exchange, move, merge, at the least loss for what is gained.
//
// A group that fails is looked at beside the records near its members: each exchange or move of a record, and each merger
// with a group near it, is weighed by the loss it adds for each unit of deficit it takes away of the two groups concerned,
// those that add least first; the best is done, until the group holds. Where nothing near helps, the nearest of all records
// are looked at, and then the group is merged with the nearest one. A group is changed some times before it is merged, so
// it ends. Heuristic; O(m k d) for the changes of a group, and their deficits.
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
    Comply(const Points& points, std::size_t k, Groups& groups, const std::uint32_t* lists, std::size_t m,
           Demand& demand, Poll poll)
        : points_(points), k_(k), groups_(groups), lists_(lists), m_(m), demand_(demand), poll_(poll),
          seen_(points.n, 0), centres_(groups.ids() * points.d), steps_(groups.ids(), 0) {
        for (std::uint32_t g = 0; g < groups.ids(); ++g) set_centre(g);
    }

    // By exchanges, moves and mergers.
    void run() {
        each_failing([&](std::uint32_t g) {
            if (groups_.size(g) <= large && ++steps_[g] <= patience) {
                find_near(g);
                if (improve(g)) return;
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
    static constexpr std::size_t large = 40;   // a group above that is merged at once,
    static constexpr int patience = 20;        // and one that was changed so often
    static constexpr std::size_t small = 16;   // of larger groups, who goes for whom is decided by the loss alone
    static constexpr std::size_t wide = 512;   // records that are looked at, the nearest where neighbours do not help
    static constexpr std::size_t tried = 256;  // changes whose deficit is counted

    struct Change {
        double added = 0.0;  // to the loss
        std::uint32_t out = none, in = none,
                      other = none;  // who goes to the other group, who comes; nobody: they merge
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
        for (std::size_t s = 0; s < m_; ++s)
            for (std::uint32_t i : groups_[g]) {
                const std::uint32_t y = lists_[i * m_ + s];
                if (groups_.label[y] == g || seen_[y] == stamp_ || near_.size() == wide) continue;
                seen_[y] = stamp_;
                near_.push_back(y);
            }
    }

    void find_nearest(std::uint32_t g) {
        found_.clear();
        for (std::uint32_t y = 0; y < points_.n; ++y)
            if (groups_.label[y] != g) found_.push_back({squared_distance(points_[y], centre(g), points_.d), y});
        if (found_.size() > wide) {
            std::nth_element(found_.begin(), found_.begin() + wide, found_.end());
            found_.resize(wide);
        }
        near_.clear();
        for (const Found& found : found_) near_.push_back(found.index);
    }

    // The best change that takes deficit away, if there is one.
    bool improve(std::uint32_t g) {
        collect(g);
        const double lacking = demand_.deficit(groups_[g]);
        double price = std::numeric_limits<double>::infinity();
        const Change* best = nullptr;
        for (const Change& change : changes_) {
            const double both = lacking + demand_.deficit(groups_[change.other]);
            if (best != nullptr && change.added > price * (lacking + worst_)) break;  // none takes away more than all
            if (change.added > price * both) continue;
            const double taken = both - left(g, change);
            if (taken <= 0.05 * lacking) continue;  // many small steps would take long
            if (const double here = std::max(change.added, 0.0) / taken; here < price) {
                price = here;
                best = &change;
            }
        }
        if (best == nullptr) return false;
        make(g, *best);
        return true;
    }

    // The changes of g with the groups of the records near it, those that add least to the loss first.
    void collect(std::uint32_t g) {
        const std::vector<std::uint32_t>& own = groups_[g];
        changes_.clear();
        worst_ = 0.0;
        met_.resize(std::max(met_.size(), groups_.ids()), 0);
        ++meeting_;
        for (std::uint32_t y : near_) {
            const std::uint32_t h = groups_.label[y];
            exchanges(g, h, y);
            if (groups_.size(h) > k_) changes_.push_back({joining(y, g) - leaving(y, h), none, y, h});
            if (met_[h] == meeting_) continue;
            met_[h] = meeting_;
            worst_ = std::max(worst_, demand_.deficit(groups_[h]));
            if (own.size() > k_)
                for (std::uint32_t x : own) changes_.push_back({joining(x, h) - leaving(x, g), x, none, h});
            const auto a = static_cast<double>(own.size()), b = static_cast<double>(groups_.size(h));
            changes_.push_back({a * b / (a + b) * squared_distance(centre(g), centre(h), points_.d), none, none, h});
        }
        const auto cheaper = [](const Change& a, const Change& b) {
            if (a.added != b.added) return a.added < b.added;
            return a.in != b.in ? a.in < b.in : a.out != b.out ? a.out < b.out : a.other < b.other;
        };
        const auto stop = changes_.begin() + static_cast<std::ptrdiff_t>(std::min(changes_.size(), tried));
        std::partial_sort(changes_.begin(), stop, changes_.end(), cheaper);
        changes_.erase(stop, changes_.end());
    }

    // y for a record of g that is not like it: for each of a small group, for the one that adds least of a large one.
    void exchanges(std::uint32_t g, std::uint32_t h, std::uint32_t y) {
        Change least{std::numeric_limits<double>::infinity(), none, y, h};
        for (std::uint32_t x : groups_[g]) {
            if (demand_.alike(x, y)) continue;
            const double added = swapping(g, x, h, y);
            if (groups_.size(g) <= small) changes_.push_back({added, x, y, h});
            else if (added < least.added) {
                least.added = added;
                least.out = x;
            }
        }
        if (least.out != none) changes_.push_back(least);
    }

    // What the two groups lack after a change.
    double left(std::uint32_t g, const Change& change) {
        fill(groups_[g], change.out, change.in, mine_);
        if (change.out == none && change.in == none) {
            mine_.insert(mine_.end(), groups_[change.other].begin(), groups_[change.other].end());
            return demand_.deficit(mine_);
        }
        fill(groups_[change.other], change.in, change.out, yours_);
        return demand_.deficit(mine_) + demand_.deficit(yours_);
    }

    void make(std::uint32_t g, const Change& change) {
        if (change.out == none && change.in == none) return absorb(g, change.other);
        if (change.out != none && change.in != none) groups_.swap(change.out, change.in);
        else if (change.in != none) groups_.move(change.in, g);
        else groups_.move(change.out, change.other);
        set_centre(g);
        set_centre(change.other);
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
        return -2.0 * dot -
               square * (1.0 / static_cast<double>(groups_.size(g)) + 1.0 / static_cast<double>(groups_.size(h)));
    }

    static void fill(const std::vector<std::uint32_t>& members, std::uint32_t out, std::uint32_t in,
                     std::vector<std::uint32_t>& to) {
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
    std::vector<std::uint64_t> seen_, met_;
    std::uint64_t stamp_ = 0, meeting_ = 0;
    std::vector<std::uint32_t> near_, mine_, yours_;
    std::vector<Found> found_;
    std::vector<Change> changes_;
    double worst_ = 0.0;  // the largest deficit of a group near the one that fails
    std::vector<double> centres_;
    std::vector<int> steps_;
};

}  // namespace covey::space
