// The costs of the paper (S corollary 7) and the squares around a rounded mean, each an evaluator: cost(start, stop) of the
// group x[start..stop) of sorted x. Weights enter the squares.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "ranges.hpp"

namespace covey::line {

enum class CostName { sse, sae, maxdist, roundup, rounddown, rounded };

// Whether losses grow with the square of the values.
inline bool is_squared(CostName cost) { return cost == CostName::sse || cost == CostName::rounded; }

struct SseCost {
    Ranges<Moments> ranges;
    SseCost(const Weighed& column, std::size_t n, std::size_t widest) : ranges(column, n, widest) {}
    double operator()(std::size_t start, std::size_t stop) const { return ranges(start, stop).squares; }
};

// The whole number nearest to a mean, both as distances from a value of the group, so that an offset costs no digits.
inline double nearest_whole(double first, double mean) {
    const double fraction = first - std::floor(first);
    return std::rint(fraction + mean) - fraction;
}

// The squared distances to the mean, rounded to a whole number: those to the mean, and that of the mean once for each record.
// Lemma: of whole numbers that is a whole number, so rounding it makes it exact, and equal costs are equal. Lemma: it is
// concave, whatever the values. Let p be published for the union of two groups that overlap and q for what they share. If
// p < q, the mean of what they share is above (p+q)/2, hence all records right of it: q suits those no less than p. So with
// p for the left group and q for the right one all that the union and the intersection paid is paid. The same for p > q.
struct RoundedCost {
    Ranges<Moments> ranges;
    bool exact = false;
    RoundedCost(const Weighed& column, std::size_t n, std::size_t widest) : ranges(column, n, widest) {
        exact = column.weight == nullptr &&
                std::all_of(column.x, column.x + n, [](double value) { return value == std::rint(value); });
    }
    double operator()(std::size_t start, std::size_t stop) const {
        const Moments group = ranges(start, stop);
        const double off = group.mean - nearest_whole(group.first, group.mean),
                     cost = group.squares + group.count * off * off;
        return exact ? std::rint(cost) : cost;
    }
};

// The distances to the median: down from it to the lower half, up from it to the upper half.
struct SaeCost {
    Ranges<Deviations> ranges;
    SaeCost(const Weighed& column, std::size_t n, std::size_t widest) : ranges(column, n, widest) {}
    double operator()(std::size_t start, std::size_t stop) const {
        const std::size_t middle = start + (stop - start) / 2;
        return ranges(start, middle + 1).down + ranges(middle, stop).up;
    }
};

struct MaxDistCost {
    const double* x;
    MaxDistCost(const Weighed& column, std::size_t, std::size_t) : x(column.x) {}
    double operator()(std::size_t start, std::size_t stop) const { return 0.5 * (x[stop - 1] - x[start]); }
};

struct RoundUpCost {
    Ranges<Deviations> ranges;
    RoundUpCost(const Weighed& column, std::size_t n, std::size_t widest) : ranges(column, n, widest) {}
    double operator()(std::size_t start, std::size_t stop) const { return ranges(start, stop).down; }
};

struct RoundDownCost {
    Ranges<Deviations> ranges;
    RoundDownCost(const Weighed& column, std::size_t n, std::size_t widest) : ranges(column, n, widest) {}
    double operator()(std::size_t start, std::size_t stop) const { return ranges(start, stop).up; }
};

// S eq. (7): global prefix sums. Not exact; kept to measure what exactness costs (S figure 5) and what its lack loses.
struct PrefixSseCost {
    std::vector<double> sum, squares;
    PrefixSseCost(const double* x, std::size_t n, std::size_t) : sum(n + 1), squares(n + 1) {
        for (std::size_t i = 0; i < n; ++i) {
            sum[i + 1] = sum[i] + x[i];
            squares[i + 1] = squares[i] + x[i] * x[i];
        }
    }
    double operator()(std::size_t start, std::size_t stop) const {
        const double total = sum[stop] - sum[start];
        return (squares[stop] - squares[start]) - total * total / static_cast<double>(stop - start);
    }
};

// S section 4.1: sums that start anew every k records. A group of at most 2k - 1 records may touch three such cells (the paper
// has two), so a whole cell may lie between its ends. A cost is less inexact than by global sums; kept, like them, to measure.
struct PartialSseCost {
    std::size_t k;
    std::vector<double> sum, squares;  // k + 1 entries a cell: of its first 0 to k records
    PartialSseCost(const double* x, std::size_t n, std::size_t widest) : k((widest + 1) / 2) {
        const std::size_t cells = n / k + 1;
        sum.resize(cells * (k + 1));
        squares.resize(cells * (k + 1));
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t at = i + i / k;
            sum[at + 1] = sum[at] + x[i];
            squares[at + 1] = squares[at] + x[i] * x[i];
        }
    }
    double between(const std::vector<double>& part, std::size_t start, std::size_t stop) const {
        const std::size_t first = start / k, last = stop / k;
        const double head = part[start + first], tail = part[stop + last];
        if (first == last) return tail - head;
        const auto whole = [&](std::size_t cell) { return part[cell * (k + 1) + k]; };
        return tail + (whole(first) - head) + (last - first == 2 ? whole(first + 1) : 0.0);
    }
    double operator()(std::size_t start, std::size_t stop) const {
        const double total = between(sum, start, stop);
        return between(squares, start, stop) - total * total / static_cast<double>(stop - start);
    }
};

// S eq. (8): the part of the SSE that differs between partitions of the same records. Not exact, see above.
struct CheapSseCost {
    std::vector<double> sum;
    CheapSseCost(const double* x, std::size_t n, std::size_t) : sum(n + 1) {
        for (std::size_t i = 0; i < n; ++i) sum[i + 1] = sum[i] + x[i];
    }
    double operator()(std::size_t start, std::size_t stop) const {
        const double total = sum[stop] - sum[start];
        return -(total * total / static_cast<double>(stop - start));
    }
};

// Calls f with the evaluator type of a cost.
template <class F>
auto with_cost(CostName name, F f) {
    switch (name) {
        case CostName::sae: return f.template operator()<SaeCost>();
        case CostName::maxdist: return f.template operator()<MaxDistCost>();
        case CostName::roundup: return f.template operator()<RoundUpCost>();
        case CostName::rounddown: return f.template operator()<RoundDownCost>();
        case CostName::rounded: return f.template operator()<RoundedCost>();
        default: return f.template operator()<SseCost>();
    }
}

}  // namespace covey::line
