// Groups of at least k of the sorted points with the least largest span (r-gathering on a line), in linear time.
//
// least[j] = min over starts i of max(least[i], x[j-1] - x[i]), i from j - 2k + 1 to j - k: no group needs 2k points. A start is never
// better than a later one with no larger least[i], so that those kept have least[i] ascending, and spans that fall. Where the span of the
// second is no less than its least[i], the first is worse than it from now on, for spans only grow: so the best is one of the first two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "../poll.hpp"

namespace covey::diverse {

// The sizes of the groups in order.
inline std::vector<std::int32_t> gather(const double* x, std::size_t n, std::size_t k, Poll poll) {
    std::vector<double> least(n + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> start(n + 1, 0);
    least[0] = 0.0;
    std::deque<std::size_t> kept;
    for (std::size_t j = k; j <= n; ++j) {
        poll.tick();
        const std::size_t latest = j - k;
        while (!kept.empty() && least[kept.back()] >= least[latest]) kept.pop_back();
        kept.push_back(latest);
        while (kept.front() + 2 * k <= j) kept.pop_front();
        while (kept.size() > 1 && x[j - 1] - x[kept[1]] >= least[kept[1]]) kept.pop_front();
        for (std::size_t c = 0; c < std::min<std::size_t>(2, kept.size()); ++c) {
            const double span = std::max(least[kept[c]], x[j - 1] - x[kept[c]]);
            if (!(span < least[j])) continue;
            least[j] = span;
            start[j] = kept[c];
        }
    }
    std::vector<std::int32_t> sizes;
    for (std::size_t j = n; j > 0; j = start[j]) sizes.push_back(static_cast<std::int32_t>(j - start[j]));
    std::reverse(sizes.begin(), sizes.end());
    return sizes;
}

}  // namespace covey::diverse
