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

#include "../memory.hpp"
#include "../poll.hpp"

namespace covey::line {

// x: n >= 2k sorted values. start[j-1] becomes the start of the last group of an optimal partition of x[0..j).
inline void running_minimum(const double* x, std::size_t n, std::size_t k, std::uint32_t* start, const Poll& poll) {
    Buffer<double> total(n + 1);  // twice the least cost of x[0..j), up to a common constant
    total[0] = 0.0;
    for (std::size_t j = 1; j < k; ++j) total[j] = std::numeric_limits<double>::infinity();
    total[k] = x[k - 1] - x[0];
    start[k - 1] = 0;
    const std::size_t period = 4 * k > 128 ? 4 * k : 128;  // totals stay small, so that they compare well
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

}  // namespace covey::line
