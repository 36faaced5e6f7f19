// Records in space, and what methods hand back: an order of all records cut into groups.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace covey::space {

// n records of d coordinates, row by row.
struct Points {
    const double* x;
    std::size_t n, d;
    const double* operator[](std::size_t i) const { return x + i * d; }
};

// Coordinate by coordinate, in order: every index of records adds up in this order, so all find the same distances.
inline double squared_distance(const double* a, const double* b, std::size_t d) {
    double sum = 0.0;
    for (std::size_t j = 0; j < d; ++j) {
        const double off = a[j] - b[j];
        sum += off * off;
    }
    return sum;
}

// The coordinate in which n records spread most, the first of several.
inline std::size_t widest_axis(const Points& points, const std::uint32_t* record, std::size_t n) {
    std::size_t axis = 0;
    double widest = -1.0;
    for (std::size_t j = 0; j < points.d; ++j) {
        double low = points[record[0]][j], high = low;
        for (std::size_t s = 1; s < n; ++s) {
            const double at = points[record[s]][j];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (high - low > widest) {
            widest = high - low;
            axis = j;
        }
    }
    return axis;
}

// The records group by group, in the order in which the groups were made.
struct Grouping {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> sizes;

    void close(std::size_t first) { sizes.push_back(static_cast<std::uint32_t>(order.size() - first)); }
};

// A record at a squared distance. Of two at the same distance the lower index comes first.
struct Found {
    double distance;
    std::uint32_t index;
    friend bool operator<(const Found& a, const Found& b) {
        return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);
    }
};

// Whether a is farther than b; of two at the same distance, the lower index.
inline bool farther(const Found& a, const Found& b) {
    return a.distance > b.distance || (a.distance == b.distance && a.index < b.index);
}

constexpr std::uint32_t none = 0xFFFFFFFF;

// Of every record at most m near ones, nearest first; `none` ends a list that is shorter.
struct Lists {
    const std::uint32_t* at;
    std::size_t m;

    std::span<const std::uint32_t> operator[](std::size_t i) const {
        std::size_t count = m;
        while (count != 0 && at[i * m + count - 1] == none) --count;
        return {at + i * m, count};
    }
};

// The nearest few of the records that are offered.
class Nearest {
  public:
    explicit Nearest(std::size_t most)
        : most_(most), limit_(most == 0 ? -1.0 : std::numeric_limits<double>::infinity()) {}

    double limit() const { return limit_; }  // what is farther is not taken

    // Whether it is taken.
    bool offer(const Found& here) {
        if (here.distance > limit_) return false;
        if (heap_.size() < most_) {
            heap_.push_back(here);
        } else if (here < heap_.front()) {
            std::pop_heap(heap_.begin(), heap_.end());
            heap_.back() = here;
        } else {
            return false;
        }
        std::push_heap(heap_.begin(), heap_.end());
        if (heap_.size() == most_) limit_ = heap_.front().distance;
        return true;
    }

    void merge(const Nearest& other) {
        for (const Found& f : other.heap_) offer(f);
    }

    // Nearest first. Ends the offering.
    std::vector<Found> sorted() && {
        std::sort_heap(heap_.begin(), heap_.end());
        return std::move(heap_);
    }

  private:
    std::size_t most_;
    double limit_;
    std::vector<Found> heap_;
};

// Squared distances from the mean of a group, each coordinate relative to its first record.
class GroupLoss {
  public:
    explicit GroupLoss(const Points& points) : points_(points), mean_(points.d) {}

    double operator()(const std::uint32_t* member, std::size_t size) {
        const std::size_t d = points_.d;
        const double* first = points_[member[0]];
        for (std::size_t j = 0; j < d; ++j) {
            double sum = 0.0;
            for (std::size_t m = 1; m < size; ++m) sum += points_[member[m]][j] - first[j];
            mean_[j] = sum / static_cast<double>(size);
        }
        double loss = 0.0;
        for (std::size_t m = 0; m < size; ++m)
            for (std::size_t j = 0; j < d; ++j) {
                const double off = (points_[member[m]][j] - first[j]) - mean_[j];
                loss += off * off;
            }
        return loss;
    }

  private:
    Points points_;
    std::vector<double> mean_;
};

}  // namespace covey::space
