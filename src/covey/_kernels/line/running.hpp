// Max distance: the cheapest open group is known from the one before it.
//
// The cost of a group is half its range, so letting the group that ends before j-1 grow by one record costs half the
// gap, whatever its start: 2 D[j] = min(2 D[j-1] + (x[j-1] - x[j-2]), 2 D[j-k] + (x[j-1] - x[j-k])). All terms are
// non-negative differences of neighbours. O(n) time, O(n) memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../memory.hpp"
#include "../poll.hpp"

namespace covey::line {

// Totals stay small, so that they compare well: every so many ends they are rebased.
inline std::size_t rebase_period(std::size_t k) { return 4 * k > 128 ? 4 * k : 128; }

// x: n >= 2k sorted values. start[j-1] becomes the start of the last group of an optimal partition of x[0..j).
inline void running_minimum(const double* x, std::size_t n, std::size_t k, std::uint32_t* start, const Poll& poll) {
    Buffer<double> total(n + 1);  // twice the least cost of x[0..j), up to a common constant
    total[0] = 0.0;
    for (std::size_t j = 1; j < k; ++j) total[j] = std::numeric_limits<double>::infinity();
    total[k] = x[k - 1] - x[0];
    start[k - 1] = 0;
    const std::size_t period = rebase_period(k);
    std::size_t since_poll = 0;
    for (std::size_t j = k + 1; j <= n; ++j) {
        const double grown = total[j - 1] + (x[j - 1] - x[j - 2]);
        const double fresh = total[j - k] + (x[j - 1] - x[j - k]);
        // A group of 2k is never better than two of k; equal in exact arithmetic, so rounding must not decide.
        const bool grow = grown < fresh && j - start[j - 2] < 2 * k;
        total[j] = grow ? grown : fresh;
        start[j - 1] = grow ? start[j - 2] : static_cast<std::uint32_t>(j - k);
        if (j % period == 0) {
            const double shift = *std::min_element(total.data() + (j - k), total.data() + j + 1);
            for (std::size_t i = j - k; i <= j; ++i) total[i] -= shift;
            if ((since_poll += period) >= std::size_t{1} << 20) {
                since_poll = 0;
                poll();
            }
        }
    }
}

// The same in pieces, for a stream: the totals are bit for bit those of one run, but of equal candidates the start with
// the least remainder by k is taken, see stream.hpp. O(k) memory beside a piece.
class RunningMinimum {
  public:
    explicit RunningMinimum(std::size_t k) : k_(k) {}
    std::size_t k() const { return k_; }

    // Solves the ends behind `done` to n. x[0] lies at a multiple of rebase_period(k).
    void advance(const double* x, std::size_t done, std::size_t n, std::uint32_t* start, const Poll& poll) {
        if (done == 0) done = begin(x, start);
        total_.resize(k_ + 1 + n - done);  // total_[j - (done - k)], twice the least cost
        double* total = total_.data() + k_;
        for (std::size_t i = 1; i <= n - done; ++i) {
            const std::size_t j = done + i;
            const double grown = total[i - 1] + (x[j - 1] - x[j - 2]);
            const double fresh = (total + i)[-static_cast<std::ptrdiff_t>(k_)] + (x[j - 1] - x[j - k_]);
            total[i] = choose(j, grown, fresh);
            start[j - 1] = static_cast<std::uint32_t>(j - canonical_);
            if (j % rebase_period(k_) == 0) rebase(total + i);
        }
        total_.erase(total_.begin(), total_.end() - static_cast<std::ptrdiff_t>(k_ + 1));
        poll();
    }

  private:
    std::size_t begin(const double* x, std::uint32_t* start) {
        total_.assign(k_ + 1, std::numeric_limits<double>::infinity());
        total_[0] = 0.0;
        total_[k_] = x[k_ - 1] - x[0];
        size_ = canonical_ = k_;
        start[k_ - 1] = 0;
        return k_;
    }

    // The total of end j; sets the size of its last group as one run would, and as the rule for equals does.
    double choose(std::size_t j, double grown, double fresh) {
        const bool grow = grown < fresh && size_ + 1 < 2 * k_;
        const bool may_grow = grow || grown == fresh, room = canonical_ + 1 < 2 * k_;
        const std::size_t size = size_;
        size_ = grow ? size + 1 : k_;
        if (may_grow && room && (grow || (j - 1 - canonical_) % k_ < j % k_)) ++canonical_;
        else canonical_ = size_;
        return grow ? grown : fresh;
    }

    void rebase(double* last) const {
        double* first = last - k_;
        const double shift = *std::min_element(first, last + 1);
        for (; first <= last; ++first) *first -= shift;
    }

    std::size_t k_;
    std::size_t size_ = 0, canonical_ = 0;  // of the last group of the last end: as in one run, and by the rule
    std::vector<double> total_;
};

}  // namespace covey::line
