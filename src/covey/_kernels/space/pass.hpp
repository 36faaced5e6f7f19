// The records that are left, looked at all in one vectorised pass, for data where a tree can leave little out. Equal records
// are one point.
//
// Blocks of points, column by column; a point that is gone is replaced by the last one, so blocks stay full. One pass takes
// two questions: the nearest and the farthest of r, and the nearest of s. On several cores where that pays; sums run over
// the coordinates in the order of `squared_distance`, so the answers are those of any other index, bit by bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../lanes.hpp"
#include "../parallel.hpp"
#include "copies.hpp"

namespace covey::space {

// What a pass has found so far.
struct PassFound {
    PassFound(const Copies& copies, std::size_t near_r, std::size_t near_s)
        : near_r(near_r), near_s(near_s), copies_(&copies) {}

    // Whether a block with these extremes can change anything.
    bool misses(double least_r, double greatest_r, double least_s) const {
        return least_r > near_r.limit() && greatest_r < far.distance && least_s > near_s.limit();
    }

    void visit(const double* to_r, const double* to_s, const std::uint32_t* id, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            copies_->offer(near_r, to_r[i], id[i]);
            copies_->offer(near_s, to_s[i], id[i]);
            if (to_r[i] < far.distance) continue;
            if (const Found here{to_r[i], copies_->lowest(id[i])}; farther(here, far)) far = here;
        }
    }

    void merge(const PassFound& other) {
        near_r.merge(other.near_r);
        near_s.merge(other.near_s);
        if (farther(other.far, far)) far = other.far;
    }

    Nearest near_r, near_s;
    Found far{-1.0, none};

  private:
    const Copies* copies_;
};

struct PassScan {
    static constexpr bool wide = true;
    static constexpr std::size_t block = 32;

    // Blocks first .. stop-1 of n points.
    template <int W>
    COVEY_INLINE static void run(const double* columns, const std::uint32_t* id, std::size_t n, std::size_t d,
                                 std::size_t first, std::size_t stop, const double* r, const double* s,
                                 PassFound* found) {
        using V = Lanes<W>;
        constexpr int registers = static_cast<int>(block) / 2 / W;  // half a block at a time: two sums for each point
        double to_r[block], to_s[block];
        for (std::size_t b = first; b < stop; ++b) {
            V low_r = V::all(std::numeric_limits<double>::infinity()), low_s = low_r, high_r = V::all(-1);
            for (std::size_t half = 0; half < block; half += block / 2) {
                const double* column = columns + b * block * d + half;
                V sum_r[registers], sum_s[registers];
                for (int i = 0; i < registers; ++i) sum_r[i] = sum_s[i] = V::all(0);
                for (std::size_t j = 0; j < d; ++j, column += block) {
                    const V at_r = V::all(r[j]), at_s = V::all(s[j]);
                    for (int i = 0; i < registers; ++i) {
                        const V x = V::load(column + W * i), off_r = x - at_r, off_s = x - at_s;
                        sum_r[i] = sum_r[i] + off_r * off_r;
                        sum_s[i] = sum_s[i] + off_s * off_s;
                    }
                }
                for (int i = 0; i < registers; ++i) {
                    sum_r[i].store(to_r + half + W * static_cast<std::size_t>(i));
                    sum_s[i].store(to_s + half + W * static_cast<std::size_t>(i));
                    low_r = where_less(sum_r[i], low_r, sum_r[i], low_r);
                    low_s = where_less(sum_s[i], low_s, sum_s[i], low_s);
                    high_r = where_less(high_r, sum_r[i], sum_r[i], high_r);
                }
            }
            double least_r = low_r[0], least_s = low_s[0], greatest_r = high_r[0];
            for (int l = 1; l < W; ++l) {
                least_r = low_r[l] < least_r ? low_r[l] : least_r;
                least_s = low_s[l] < least_s ? low_s[l] : least_s;
                greatest_r = high_r[l] > greatest_r ? high_r[l] : greatest_r;
            }
            if (!found->misses(least_r, greatest_r, least_s))
                found->visit(to_r, to_s, id + b * block, std::min(block, n - b * block));
        }
    }
};

class Pass {
  public:
    explicit Pass(const Points& points)
        : points_(points), copies_(points), id_(copies_.points()), held_(id_.size()),
          column_((held_ + PassScan::block - 1) / PassScan::block * PassScan::block * points.d,
                  std::numeric_limits<double>::quiet_NaN()),
          place_(points.n, none), scan_(fastest<PassScan, const double*, const std::uint32_t*, std::size_t, std::size_t,
                                                std::size_t, std::size_t, const double*, const double*, PassFound*>()) {
        for (std::uint32_t place = 0; place < held_; ++place) {
            place_[id_[place]] = place;
            for (std::size_t j = 0; j < points.d; ++j) at(place, j) = points[id_[place]][j];
        }
    }

    std::size_t size() const { return copies_.size(); }
    void compact() {}

    void remove(std::uint32_t i) {
        const std::uint32_t p = copies_.remove(i);
        if (p == none) return;
        const std::uint32_t gap = place_[p];
        const auto last = static_cast<std::uint32_t>(--held_);
        for (std::size_t j = 0; j < points_.d; ++j) {
            at(gap, j) = at(last, j);
            at(last, j) = std::numeric_limits<double>::quiet_NaN();
        }
        id_[gap] = id_[last];
        place_[id_[gap]] = gap;
    }

    // The near_r nearest and the farthest of r, and the near_s nearest of s.
    PassFound ask(const double* r, std::size_t near_r, const double* s, std::size_t near_s) const {
        constexpr std::size_t worth = std::size_t{1} << 19;  // coordinates that pay for starting a thread
        const std::size_t blocks = (held_ + PassScan::block - 1) / PassScan::block;
        const std::size_t threads =
            std::clamp<std::size_t>(held_ * points_.d / worth, 1, threads_for(std::size_t{1} << 31));
        std::vector<PassFound> found(threads, PassFound(copies_, near_r, near_s));
        in_parallel(threads, [&](std::size_t t) {
            scan_(column_.data(), id_.data(), held_, points_.d, blocks * t / threads, blocks * (t + 1) / threads, r, s,
                  &found[t]);
        });
        for (std::size_t t = 1; t < threads; ++t) found[0].merge(found[t]);
        return std::move(found[0]);
    }

  private:
    double& at(std::size_t place, std::size_t j) {
        return column_[(place / PassScan::block * points_.d + j) * PassScan::block + place % PassScan::block];
    }

    Points points_;
    Copies copies_;
    std::vector<std::uint32_t> id_;  // place -> point
    std::size_t held_;               // points with records left
    std::vector<double> column_;
    std::vector<std::uint32_t> place_;  // point -> place
    void (*scan_)(const double*, const std::uint32_t*, std::size_t, std::size_t, std::size_t, std::size_t,
                  const double*, const double*, PassFound*);
};

}  // namespace covey::space
