// Cheapest insertion: a path through a group, from one record to the one farthest from it, the others put in between.
//
// Record t between a and b costs d(a, t) + d(t, b) - d(a, b), nothing if that is 1e-12 of the sum or less: records in a row. The
// cheapest comes next; of several the lowest record, at its first place in the path.
//
// Equal records wait as one point. Lemma: a run of equal records in the path has three places that differ: before it, behind
// its first record, and behind its last. And places only go by being cut in two, so what the place of a point cost stays a
// lower bound after that place is gone: the others are looked at again only when that bound is the least of all. O(m^2) for
// m records as a rule.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../poll.hpp"
#include "copies.hpp"

namespace covey::space {

class Insertion {
  public:
    explicit Insertion(const Points& points)
        : points_(points), slack_(1.0 + 1e-11 + 1e-15 * static_cast<double>(points.d)), next_(points.n), end_(points.n),
          more_(points.n), newest_(points.n, none), rank_(points.n), gap_(points.n) {}

    // Appends the path through the group, which holds `first`, to the sequence. copies: all records.
    void run(const std::vector<std::uint32_t>& group, std::uint32_t first, const Copies& copies,
             std::vector<std::uint32_t>& sequence, Poll& poll) {
        if (group.size() == 1) return sequence.push_back(first);
        copies_ = &copies;
        first_ = first;
        const std::uint32_t last = farthest(group);
        next_[first] = last;
        next_[last] = none;
        gap_[first] = distance(first, last);
        end_[last] = last;
        end_[first] = equal(first, last) ? last : first;
        rank_[first] = 0;
        rank_[last] = std::uint64_t{1} << 63;
        wait(group, last);
        while (!waiting_.empty()) insert_cheapest(poll);
        for (std::uint32_t u = first; u != none; u = next_[u]) sequence.push_back(u);
    }

  private:
    struct Waiting {
        std::uint32_t record, after;  // the lowest record of a point, and what it would stand behind; none: not known
        double cost;                  // no place costs less; if its place is known, what that costs
    };

    double distance(std::uint32_t a, std::uint32_t b) const {
        return std::sqrt(squared_distance(points_[a], points_[b], points_.d));
    }
    bool equal(std::uint32_t a, std::uint32_t b) const { return copies_->point(a) == copies_->point(b); }
    static double cost(double before, double behind, double gap) {
        const double sum = before + behind, longer = sum - gap;
        return longer > 1e-12 * sum ? longer : 0.0;
    }

    std::uint32_t farthest(const std::vector<std::uint32_t>& group) const {
        std::uint32_t last = none;
        double far = -1.0;
        for (const std::uint32_t i : group)
            if (const double here = distance(i, first_); i != first_ && here > far) {
                far = here;
                last = i;
            }
        return last;
    }

    // The points of all others, at the one place that there is.
    void wait(const std::vector<std::uint32_t>& group, std::uint32_t last) {
        for (const std::uint32_t i : group) {
            if (i == first_ || i == last) continue;
            std::uint32_t& newest = newest_[copies_->point(i)];
            if (newest == none)
                waiting_.push_back({i, first_, cost(distance(first_, i), distance(i, last), gap_[first_])});
            else more_[newest] = i;
            more_[i] = none;
            newest = i;
        }
        for (const std::uint32_t i : group) newest_[copies_->point(i)] = none;
    }

    void insert_cheapest(Poll& poll) {
        Waiting* cheapest = find_cheapest();
        for (; cheapest->after == none; cheapest = find_cheapest()) look_at_all(*cheapest, poll);
        const std::uint32_t t = cheapest->record, after = cheapest->after, behind = next_[after];
        link(after, t, behind);
        for (Waiting& w : waiting_)
            if (&w != cheapest) look_around(w, after, t, behind);
        poll.tick(static_cast<int>(std::min<std::size_t>(waiting_.size(), 1 << 16)));
        if (more_[t] == none) {
            *cheapest = waiting_.back();
            waiting_.pop_back();
        } else {  // the next record of the point stands beside this one at no cost, and no place before cost nothing
            *cheapest = {more_[t], after, 0.0};
        }
    }

    Waiting* find_cheapest() {
        Waiting* cheapest = waiting_.data();
        for (Waiting& w : waiting_)
            if (w.cost < cheapest->cost || (w.cost == cheapest->cost && w.record < cheapest->record)) cheapest = &w;
        return cheapest;
    }

    // The two places that t made instead of one.
    void look_around(Waiting& w, std::uint32_t after, std::uint32_t t, std::uint32_t behind) const {
        const bool gone = w.after == after;
        const double to_t = distance(t, w.record);
        // By the triangle inequality both cost at least twice what t is farther than the longer of its gaps.
        if (!gone && to_t > (0.5 * w.cost + std::max(gap_[after], gap_[t])) * slack_) return;
        const double first = cost(distance(after, w.record), to_t, gap_[after]);
        const double second = cost(to_t, distance(w.record, behind), gap_[t]);
        const double here = std::min(first, second);
        const std::uint32_t place = first <= second ? after : t;
        if (here < w.cost || (here == w.cost && w.after != none && (gone || rank_[place] < rank_[w.after]))) {
            w.cost = here;
            w.after = place;
        } else if (gone) {
            w.after = none;
        }
    }

    void look_at_all(Waiting& w, Poll& poll) const {
        const double least = w.cost;
        w.cost = std::numeric_limits<double>::infinity();
        double before = distance(first_, w.record);
        for (std::uint32_t u = first_; next_[u] != none && w.cost > least;) {
            const std::uint32_t v = next_[u];
            const bool same = equal(u, v);
            const double behind = same ? before : distance(v, w.record);
            if (const double here = cost(before, behind, gap_[u]); here < w.cost) {
                w.cost = here;
                w.after = u;
            }
            u = same ? end_[u] : v;
            before = behind;
            poll.tick();
        }
    }

    void link(std::uint32_t after, std::uint32_t t, std::uint32_t behind) {
        next_[after] = t;
        next_[t] = behind;
        gap_[after] = distance(after, t);
        gap_[t] = distance(t, behind);
        // end_ holds for the first of each run.
        if (equal(after, behind)) {
            if (!equal(after, t)) {
                end_[behind] = end_[after];
                end_[after] = after;
                end_[t] = t;
            }
        } else if (equal(t, behind)) {
            end_[t] = end_[behind];
        } else {
            end_[equal(t, after) ? after : t] = t;
        }
        rank_[t] = rank_[after] + (rank_[behind] - rank_[after]) / 2;
        if (rank_[t] == rank_[after]) rank_anew();
    }

    void rank_anew() {
        std::uint64_t rank = 0;
        for (std::uint32_t u = first_; u != none; u = next_[u]) rank_[u] = rank++ << 31;  // records are fewer than 2^32
    }

    Points points_;
    double slack_;  // for rounding
    const Copies* copies_ = nullptr;
    std::uint32_t first_ = none;
    std::vector<Waiting> waiting_;
    std::vector<std::uint32_t> next_, end_;     // on the path: the next record, and the last of a run of equal ones
    std::vector<std::uint32_t> more_, newest_;  // of those that wait: the next of the same point; point -> the newest
    std::vector<std::uint64_t> rank_;           // on the path: grows along it
    std::vector<double> gap_;                   // on the path: how far it is to the next record
};

}  // namespace covey::space
