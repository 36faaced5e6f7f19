// The centroid of the records that are left, and which of them is farthest from it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "copies.hpp"

namespace covey::space {

// A running mean. Sums are kept in twice the precision, so a mean does not depend on what was added and removed before.
class Centroid {
  public:
    explicit Centroid(const Points& points) : points_(points), high_(points.d), low_(points.d), mean_(points.d) {}

    void add(std::uint32_t i) { change(i, 1.0); }
    void remove(std::uint32_t i) { change(i, -1.0); }
    std::size_t count() const { return count_; }

    const double* mean() {
        for (std::size_t j = 0; j < points_.d; ++j) mean_[j] = high_[j] / static_cast<double>(count_);
        return mean_.data();
    }

    void clear() {
        std::fill(high_.begin(), high_.end(), 0.0);
        std::fill(low_.begin(), low_.end(), 0.0);
        count_ = 0;
    }

  private:
    void change(std::uint32_t i, double sign) {
        const double* x = points_[i];
        for (std::size_t j = 0; j < points_.d; ++j) {
            const double term = sign * x[j], sum = high_[j] + term, back = sum - high_[j];
            const double error = low_[j] + ((high_[j] - (sum - back)) + (term - back));
            high_[j] = sum + error;
            low_[j] = error - (high_[j] - sum);
        }
        count_ = sign > 0 ? count_ + 1 : count_ - 1;
    }

    Points points_;
    std::vector<double> high_, low_, mean_;
    std::size_t count_ = 0;
};

// The record farthest from a centroid that moves little between two questions. The points are kept sorted by their
// distance d0 from an old centroid c0; by the triangle inequality none beyond d0 + |c - c0| < best can be the farthest.
class FarthestFromCentre {
  public:
    explicit FarthestFromCentre(const Points& points) : points_(points), centroid_(points), copies_(points) {
        for (std::uint32_t i = 0; i < points.n; ++i) centroid_.add(i);
        for (const std::uint32_t p : copies_.points()) sorted_.push_back({0.0, p});
        sort();
    }

    void remove(std::uint32_t i) {
        copies_.remove(i);
        centroid_.remove(i);
    }

    // Of several at the same distance, the lowest index.
    std::uint32_t find() {
        const double* c = centroid_.mean();
        if (work_ > 8 * sorted_.size()) sort();
        const double moved = std::sqrt(squared_distance(c, origin_.data(), points_.d));
        Found best{-1.0, none};
        double reach = -1.0;
        const double slack = 1.0 + 1e-12 + 1e-15 * static_cast<double>(points_.d);  // for rounding
        while (head_ < sorted_.size() && gone(sorted_[head_])) ++head_;
        for (std::size_t at = head_; at < sorted_.size(); ++at) {
            ++work_;
            if ((sorted_[at].distance + moved) * slack < reach) break;
            const std::uint32_t i = copies_.lowest(sorted_[at].index);
            if (i == none) continue;
            const double here = squared_distance(points_[i], c, points_.d);
            if (farther({here, i}, best)) {
                best = {here, i};
                reach = std::sqrt(here);
            }
        }
        return best.index;
    }

    // The farthest from q of some of those far from the centre: often the farthest of all.
    std::uint32_t farthest_of_far(const double* q) const {
        Found best{-1.0, none};
        std::size_t looked_at = 0;
        for (std::size_t at = head_; at < sorted_.size() && looked_at < 512; ++at) {
            const std::uint32_t i = copies_.lowest(sorted_[at].index);
            if (i == none) continue;
            ++looked_at;
            const double here = squared_distance(points_[i], q, points_.d);
            if (farther({here, i}, best)) best = {here, i};
        }
        return best.index;
    }

    // Some points far from the centre.
    std::vector<std::uint32_t> first(std::size_t count) const {
        std::vector<std::uint32_t> result;
        for (std::size_t at = 0; at < std::min(count, sorted_.size()); ++at) result.push_back(sorted_[at].index);
        return result;
    }

  private:
    bool gone(const Found& point) const { return copies_.lowest(point.index) == none; }

    void sort() {
        const double* c = centroid_.mean();
        origin_.assign(c, c + points_.d);
        std::erase_if(sorted_, [&](const Found& point) { return gone(point); });
        for (Found& point : sorted_) point.distance = std::sqrt(squared_distance(points_[point.index], c, points_.d));
        std::sort(sorted_.begin(), sorted_.end(), [](const Found& a, const Found& b) { return b < a; });
        head_ = work_ = 0;
    }

    Points points_;
    Centroid centroid_;
    Copies copies_;
    std::vector<double> origin_;
    std::vector<Found> sorted_;  // points; distance: not squared
    std::size_t head_ = 0, work_ = 0;
};

}  // namespace covey::space
