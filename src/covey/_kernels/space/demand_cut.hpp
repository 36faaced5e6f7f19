// The best cut of a sequence into groups of at least k that satisfy a demand.
//
// As `Cutter`, but with groups of up to `most` records, and a group counts only if the demand holds; that is asked only of
// groups that would be better than what is known. O(n most (d + most log most)).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../poll.hpp"
#include "demand.hpp"
#include "points.hpp"

namespace covey::space {

// The sizes of the groups in order; empty where there is no such cut.
inline std::vector<std::uint32_t> demand_cut(const Points& points, const std::vector<std::uint32_t>& order,
                                             std::size_t k, std::size_t most, Demand& demand, Poll poll) {
    const std::size_t n = order.size(), d = points.d;
    const double impossible = std::numeric_limits<double>::infinity();
    std::vector<double> total(n + 1, impossible), sum(d);
    std::vector<std::uint32_t> start(n + 1, 0), sizes;
    total[0] = 0.0;
    for (std::size_t j = k; j <= n; ++j) {
        std::fill(sum.begin(), sum.end(), 0.0);
        double squares = 0.0;
        const double* last = points[order[j - 1]];
        for (std::size_t s = 1; s <= std::min(j, most); ++s) {
            const double* x = points[order[j - s]];
            for (std::size_t c = 0; c < d; ++c) {
                const double off = x[c] - last[c];
                sum[c] += off;
                squares += off * off;
            }
            if (s < k || total[j - s] == impossible) continue;
            double spread = 0.0;
            for (std::size_t c = 0; c < d; ++c) spread += sum[c] * sum[c];
            const double here = total[j - s] + std::max(0.0, squares - spread / static_cast<double>(s));
            if (here < total[j] && demand.deficit(&order[j - s], s) == 0.0) {
                total[j] = here;
                start[j] = static_cast<std::uint32_t>(j - s);
            }
        }
        poll.tick(static_cast<int>(std::min<std::size_t>(most, 1 << 16)));
    }
    if (total[n] == impossible) return sizes;
    for (std::uint32_t j = static_cast<std::uint32_t>(n); j > 0; j = start[j]) sizes.push_back(j - start[j]);
    std::reverse(sizes.begin(), sizes.end());
    return sizes;
}

}  // namespace covey::space
