// The records that are left, as a plain list: the definition that every other index is held against.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "centre.hpp"
#include "points.hpp"

namespace covey::space {

// Looks at every record.
class Scan {
  public:
    explicit Scan(const Points& points) : points_(points), left_(points.n) {
        std::iota(left_.begin(), left_.end(), 0U);
    }

    std::size_t size() const { return left_.size(); }
    const std::vector<std::uint32_t>& records() const { return left_; }
    void remove(std::uint32_t i) { left_.erase(std::lower_bound(left_.begin(), left_.end(), i)); }
    void compact() {}

    void nearest(const double* q, std::size_t m, std::vector<Found>& found) const {
        found.clear();
        for (std::uint32_t i : left_) found.push_back({squared_distance(points_[i], q, points_.d), i});
        m = std::min(m, found.size());
        std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(m), found.end());
        found.resize(m);
    }

    std::uint32_t farthest(const double* q, std::uint32_t) const {
        Found best{-1.0, none};
        for (std::uint32_t i : left_)
            if (const double here = squared_distance(points_[i], q, points_.d); here > best.distance) best = {here, i};
        return best.index;
    }

  private:
    Points points_;
    std::vector<std::uint32_t> left_;
};

// The farthest from the centroid of those left: added up afresh, looked for among all.
class PlainCentre {
  public:
    explicit PlainCentre(const Points& points) : points_(points), left_(points) {}

    void remove(std::uint32_t i) { left_.remove(i); }

    std::uint32_t find() const {
        Centroid centroid(points_);
        for (std::uint32_t i : left_.records()) centroid.add(i);
        return left_.farthest(centroid.mean(), none);
    }

    std::uint32_t farthest_of_far(const double*) const { return none; }

  private:
    Points points_;
    Scan left_;
};

}  // namespace covey::space
