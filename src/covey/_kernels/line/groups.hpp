// From back-pointers to cuts, from cuts to losses and labels. A partition is here a list of cuts 0 = c0 < c1 < ... = n.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "../parallel.hpp"
#include "costs.hpp"

namespace covey::line {

// An allocator that leaves memory as it is: a list of cuts is filled from its end.
template <class T>
struct Uninitialised : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = Uninitialised<U>;
    };
    void construct(T*) {}
    template <class... Args>
    void construct(T* p, Args&&... args) {
        ::new (static_cast<void*>(p)) T(std::forward<Args>(args)...);
    }
};

using Cuts = std::vector<std::uint32_t, Uninitialised<std::uint32_t>>;

// before(c): the cut before cut c on the best path, at least `step` records earlier.
template <class Before>
Cuts trace(std::uint32_t last, std::size_t step, const Before& before) {
    Cuts cuts(last / step + 2);
    std::size_t at = cuts.size();
    for (std::uint32_t c = last; c != 0; c = before(c)) cuts[--at] = c;
    cuts[--at] = 0;
    cuts.erase(cuts.begin(), cuts.begin() + static_cast<std::ptrdiff_t>(at));
    return cuts;
}

// The same where before(c) may be asked for every c >= step, sooner: a walk along back-pointers waits for each of them,
// so several walks go side by side, one from the end and others from cuts that may not be on the path. Walks that meet
// stay together, so each one that the path meets is the rest of it down to where the next walk began.
template <class Before>
Cuts trace_side_by_side(std::uint32_t last, std::size_t step, const Before& before) {
    constexpr std::size_t walks = 4;
    if (last < 1 << 12 || last / step < 8 * walks) return trace(last, step, before);
    // Walk w holds the cuts above floor[w] at room[at[w]..end[w]), the walk with the highest cuts last.
    std::uint32_t floor[walks], next[walks];
    std::size_t at[walks], end[walks], size = 1;
    for (std::size_t w = 0; w < walks; ++w) {
        floor[w] = static_cast<std::uint32_t>(std::uint64_t{last} * w / walks);
        next[w] = static_cast<std::uint32_t>(std::uint64_t{last} * (w + 1) / walks);
        size += (next[w] - floor[w]) / step + 1;
        at[w] = end[w] = size;
    }
    Cuts room(size);
    const auto walking = [&] {
        bool all = true;
        for (std::size_t w = 0; w < walks; ++w) all &= next[w] > floor[w];
        return all;
    };
    while (walking())
        for (std::size_t w = 0; w < walks; ++w) next[w] = before(room[--at[w]] = next[w]);
    for (std::size_t w = 0; w < walks; ++w)
        while (next[w] > floor[w]) next[w] = before(room[--at[w]] = next[w]);

    std::size_t first = at[walks - 1];  // the path is room[first..size)
    std::uint32_t c = next[walks - 1];
    std::vector<std::uint32_t> bridge;  // what the path holds above the cut where it meets a walk
    for (std::size_t w = walks - 1; w-- > 0;) {
        bridge.clear();
        std::size_t met = end[w];
        for (; c > floor[w]; c = before(c)) {
            while (met > at[w] && room[met - 1] > c) --met;
            if (met > at[w] && room[met - 1] == c) break;
            bridge.push_back(c);
        }
        const bool meets = c > floor[w];
        const std::size_t rest = meets ? met - at[w] : 0, to = first - bridge.size() - rest;
        std::memmove(&room[to], &room[at[w]], rest * sizeof room[0]);
        std::copy(bridge.rbegin(), bridge.rend(), room.begin() + static_cast<std::ptrdiff_t>(to + rest));
        first = to;
        if (meets) c = next[w];
    }
    room[--first] = 0;
    room.erase(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(first));
    return room;
}

// Neumaier's sum: the rounding errors are added up apart.
struct ExactSum {
    double total = 0.0, errors = 0.0;
    void add(double x) {
        const double next = total + x;
        errors += std::fabs(total) >= std::fabs(x) ? (total - next) + x : (x - next) + total;
        total = next;
    }
    double value() const { return std::isinf(total) ? total : total + errors; }
};

// The squares of the group x[0..n) around its mean, or around that rounded to a whole number, straight from the definition.
inline double squares_of(const Weighed& group, std::size_t n, bool rounds) {
    const double* x = group.x;
    double sum = 0.0, weight = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += group.weight_of(i) * (x[i] - x[0]);
        weight += group.weight_of(i);
    }
    const double mean = sum / weight, centre = rounds ? nearest_whole(x[0], mean) : mean;
    for (std::size_t i = 0; i < n; ++i)
        squares += group.weight_of(i) * ((x[i] - x[0]) - centre) * ((x[i] - x[0]) - centre);
    return squares;
}

// What the group x[0..n) loses, straight from the definition; without weights.
inline double group_loss(CostName cost, const double* x, std::size_t n) {
    double sum = 0.0;
    switch (cost) {
        case CostName::maxdist: return 0.5 * (x[n - 1] - x[0]);
        case CostName::roundup:
            for (std::size_t i = 0; i < n; ++i) sum += x[n - 1] - x[i];
            return sum;
        case CostName::rounddown:
            for (std::size_t i = 0; i < n; ++i) sum += x[i] - x[0];
            return sum;
        case CostName::sae:
            for (std::size_t i = 0; i < n; ++i) sum += std::fabs(x[i] - x[n / 2]);
            return sum;
        case CostName::rounded: return squares_of({x}, n, true);
        case CostName::sse: break;
    }
    for (std::size_t i = 0; i < n; ++i) sum += x[i] - x[0];
    const double mean = sum / static_cast<double>(n);  // relative to x[0]; its rounding is corrected below
    double squares = 0.0, rest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const double d = (x[i] - x[0]) - mean;
        squares += d * d;
        rest += d;
    }
    return squares - rest * rest / static_cast<double>(n);
}

// The same of the group [start, stop) of a column that may have weights, which enter squares.
inline double group_loss(CostName cost, const Weighed& column, std::size_t start, std::size_t stop) {
    if (column.weight == nullptr) return group_loss(cost, column.x + start, stop - start);
    return squares_of({column.x + start, column.weight + start}, stop - start, cost == CostName::rounded);
}

inline double partition_loss(CostName cost, const Weighed& column, const Cuts& cuts) {
    ExactSum loss;
    for (std::size_t g = 0; g + 1 < cuts.size(); ++g) loss.add(group_loss(cost, column, cuts[g], cuts[g + 1]));
    return loss.value();
}

inline constexpr std::size_t label_room = 4;

// Labels of the records in input order, groups numbered by first appearance. order: rank -> input position, or null
// when the input is sorted. There is room for `label_room` labels more.
inline void label(const Cuts& cuts, const std::uint32_t* order, std::int32_t* labels) {
    const std::size_t groups = cuts.size() - 1, n = cuts.back();
    if (order == nullptr) {
        for (std::size_t g = 0; g < groups; ++g) {  // whole registers: what a group writes too far, the next overwrites
            const std::size_t stop = cuts[g + 1];
            std::size_t r = cuts[g];
            do {
                std::fill_n(labels + r, label_room, static_cast<std::int32_t>(g));
                r += label_room;
            } while (r < stop);
        }
        return;
    }
    // A group's number is the rank of its first member among all first members: count bits below it.
    std::vector<std::uint64_t> is_first(n / 64 + 1, 0);
    std::vector<std::uint32_t> first(groups);
    for (std::size_t g = 0; g < groups; ++g) {
        std::uint32_t least = order[cuts[g]];
        for (std::size_t r = cuts[g] + 1; r < cuts[g + 1]; ++r) least = std::min(least, order[r]);
        first[g] = least;
        is_first[least / 64] |= std::uint64_t{1} << (least % 64);
    }
    std::vector<std::uint32_t> before(is_first.size());
    std::uint32_t count = 0;
    for (std::size_t w = 0; w < is_first.size(); ++w) {
        before[w] = count;
        count += static_cast<std::uint32_t>(std::popcount(is_first[w]));
    }
    const std::size_t threads = threads_for(n);
    in_parallel(threads, [&](std::size_t t) {
        for (std::size_t g = groups * t / threads, stop = groups * (t + 1) / threads; g < stop; ++g) {
            const std::uint64_t below = is_first[first[g] / 64] & ((std::uint64_t{1} << (first[g] % 64)) - 1);
            const std::uint32_t name = before[first[g] / 64] + static_cast<std::uint32_t>(std::popcount(below));
            for (std::size_t r = cuts[g]; r < cuts[g + 1]; ++r) labels[order[r]] = static_cast<std::int32_t>(name);
        }
    });
}

}  // namespace covey::line
