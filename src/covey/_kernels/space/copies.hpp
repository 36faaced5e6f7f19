// Equal records are one point: which point a record belongs to, and which records of a point are left.
//
// Lemma: equal records have one distance from anything, and of records at one distance the lowest index comes first. So an
// index that holds every point once, and asks it for its records in ascending order until one is refused, gives the
// answers of an index of all records, ties included, and looks at a point once however many records it has.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "points.hpp"

namespace covey::space {

// A point is named by the lowest of all its records, whether that is left or not.
class Copies {
  public:
    explicit Copies(const Points& points)
        : size_(points.n), point_(points.n), lowest_(points.n, none), next_(points.n, none), before_(points.n, none) {
        std::vector<std::uint32_t> slot(std::bit_ceil(2 * points.n), none), last(points.n);
        for (std::uint32_t i = 0; i < points.n; ++i) {
            const std::uint32_t p = find(points, i, slot);
            if (p == i) lowest_[i] = i;
            else link(last[p], i);
            point_[i] = p;
            last[p] = i;
        }
        apart_ = std::none_of(points.x, points.x + points.n * points.d,
                              [](double x) { return x != 0.0 && std::fabs(x) < 0x1p-480; });
    }

    // Whether different points are at a computed distance above 0. Lemma: so they are if no coordinate is tiny, for different
    // numbers above 2^-480 differ by 2^-532 or more, and the square of that is a number above 0.
    bool apart() const { return apart_; }

    std::size_t size() const { return size_; }  // records left
    bool holds(std::uint32_t i) const { return point_[i] != none; }
    std::uint32_t point(std::uint32_t i) const { return point_[i]; }    // of a record that is left
    std::uint32_t lowest(std::uint32_t p) const { return lowest_[p]; }  // record left of a point, or none
    std::uint32_t next(std::uint32_t i) const { return next_[i]; }      // record left of the same point, or none

    // All points with records left.
    std::vector<std::uint32_t> points() const {
        std::vector<std::uint32_t> result;
        for (std::uint32_t p = 0; p < lowest_.size(); ++p)
            if (lowest_[p] != none) result.push_back(p);
        return result;
    }

    // Returns the point that has no record left now, or none.
    std::uint32_t remove(std::uint32_t i) {
        const std::uint32_t p = point_[i];
        (before_[i] == none ? lowest_[p] : next_[before_[i]]) = next_[i];
        if (next_[i] != none) before_[next_[i]] = before_[i];
        point_[i] = none;
        --size_;
        return lowest_[p] == none ? p : none;
    }

    // The records of p that are left, at this distance, as far as they are among the nearest.
    void offer(Nearest& near, double distance, std::uint32_t p) const {
        if (distance > near.limit()) return;
        for (std::uint32_t i = lowest_[p]; i != none && near.offer({distance, i}); i = next_[i]) {
        }
    }

  private:
    // The lowest record equal to i, by a table of open addresses; i itself enters the table if there is none.
    static std::uint32_t find(const Points& points, std::uint32_t i, std::vector<std::uint32_t>& slot) {
        const double* x = points[i];
        std::uint64_t hash = 0;
        for (std::size_t j = 0; j < points.d; ++j) {
            hash = (hash ^ std::bit_cast<std::uint64_t>(x[j] + 0.0)) * 0x9E3779B97F4A7C15U;  // + 0.0: -0.0 equals 0.0
            hash ^= hash >> 32;
        }
        for (std::size_t at = hash & (slot.size() - 1);; at = (at + 1) & (slot.size() - 1)) {
            if (slot[at] == none) slot[at] = i;
            if (std::equal(x, x + points.d, points[slot[at]])) return slot[at];
        }
    }

    void link(std::uint32_t a, std::uint32_t b) {
        next_[a] = b;
        before_[b] = a;
    }

    std::size_t size_;
    bool apart_;
    std::vector<std::uint32_t> point_;          // record -> its point, or none once it is gone
    std::vector<std::uint32_t> lowest_;         // point -> its lowest record left, or none
    std::vector<std::uint32_t> next_, before_;  // record -> the records left of the same point around it
};

}  // namespace covey::space
