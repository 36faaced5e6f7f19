// Is a column sorted already? One vectorised pass, which unsorted data leave early.
#pragma once

#include <algorithm>
#include <cstddef>

#include "../lanes.hpp"

namespace covey::line {

// Whether the values ascend. A value that is not finite, other than the first, counts as a descent.
struct IsSorted {
    static constexpr bool wide = false;

    template <int W>
    COVEY_INLINE static void run(const double* x, std::size_t n, bool* sorted) {
        constexpr std::size_t chunk = 4096;  // a loop without an exit is fast; the chunks let unsorted data leave early
        *sorted = false;
        for (std::size_t start = 1; start < n; start += chunk)
            if (descents<W>(x, start, std::min(n, start + chunk)) != 0.0) return;
        *sorted = true;
    }

  private:
    // How often x[i] < x[i-1]; not a number where some x[i] is not finite.
    template <int W>
    COVEY_INLINE static double descents(const double* x, std::size_t start, std::size_t stop) {
        using V = Lanes<W>;
        constexpr std::size_t registers = 4;
        V count[registers];
        for (V& lanes : count) lanes = V::all(0);
        std::size_t i = start;
        for (; i + W * registers <= stop; i += W * registers)
            for (std::size_t r = 0; r < registers; ++r) {
                const V here = V::load(x + i + W * r);
                count[r] = count[r] + where_less(here, V::load(x + i + W * r - 1), V::all(1), here * V::all(0));
            }
        double total = 0.0;
        for (const V& lanes : count)
            for (int l = 0; l < W; ++l) total += lanes[l];
        for (; i < stop; ++i) total += x[i] < x[i - 1] ? 1.0 : x[i] * 0.0;
        return total;
    }
};

inline bool is_sorted(const double* x, std::size_t n) {
    bool sorted = false;
    run_fastest<IsSorted>(x, n, &sorted);
    return sorted;
}

}  // namespace covey::line
