// The nearest few of many points that are offered by the leaf, and how far boxes are away.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../lanes.hpp"
#include "points.hpp"
#include "tree.hpp"

namespace covey::space {

// The nearest few of many points that are offered leaf by leaf. As keys: the distance in single precision, whose bits are in the
// order of the numbers, then the place. Twice as many are held before the farther half is dropped.
class Few {
  public:
    void start(std::size_t most) {
        most_ = most;
        count_ = 0;
        limit_ = most == 0 ? 0 : ~std::uint64_t{0};
        key_.resize(2 * most + 2 * room);
    }

    // What is farther is not needed.
    double limit() const {
        return limit_ == ~std::uint64_t{0} ? std::numeric_limits<double>::infinity()
                                           : distance_of(limit_ + (std::uint64_t{1} << 32));
    }

    // The points of a leaf, from the place `first` on, but for the `self`-th.
    void offer(const double* distance, std::size_t count, std::uint32_t first, std::uint32_t self) {
        for (std::uint32_t s = 0; s < count; ++s) {
            const std::uint64_t bits = std::bit_cast<std::uint32_t>(static_cast<float>(distance[s]));
            const std::uint64_t key = bits << 32 | (first + s);
            key_[count_] = key;
            count_ += static_cast<std::size_t>(key < limit_) & static_cast<std::size_t>(s != self);
        }
        if (count_ >= 2 * most_ || (count_ >= most_ && limit_ == ~std::uint64_t{0})) drop();
    }

    // Nearest first, then `none`. Ends the offering.
    void take(std::uint32_t* places) {
        drop();
        std::sort(key_.begin(), key_.begin() + static_cast<std::ptrdiff_t>(count_));
        for (std::size_t s = 0; s < most_; ++s) places[s] = s < count_ ? static_cast<std::uint32_t>(key_[s]) : none;
    }

  private:
    static double distance_of(std::uint64_t key) {
        return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32)));
    }

    void drop() {
        if (count_ < most_ || most_ == 0) return;
        const auto last = key_.begin() + static_cast<std::ptrdiff_t>(most_ - 1);
        std::nth_element(key_.begin(), last, key_.begin() + static_cast<std::ptrdiff_t>(count_));
        count_ = most_;
        limit_ = *last;
    }

    std::size_t most_ = 0, count_ = 0;
    std::uint64_t limit_ = 0;
    std::vector<std::uint64_t> key_;
};

// Squared distances of q to boxes, whose number is a multiple of 8: the least of each coordinate, then the greatest.
struct BoxScan {
    static constexpr bool wide = true;

    template <int W>
    COVEY_INLINE static void run(const double* box, const double* q, std::size_t d, std::size_t boxes, double* out) {
        using V = Lanes<W>;
        for (std::size_t b = 0; b < boxes; b += W) {
            V sum = V::all(0);
            for (std::size_t j = 0; j < d; ++j) {
                const V at = V::all(q[j]), zero = V::all(0);
                const V below = V::load(box + 2 * j * boxes + b) - at,
                        above = at - V::load(box + (2 * j + 1) * boxes + b);
                const V off = where_less(below, above, above, below), gap = where_less(zero, off, off, zero);
                sum = sum + gap * gap;
            }
            sum.store(out + b);
        }
    }
};

}  // namespace covey::space
