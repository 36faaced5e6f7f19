// Records by their group, and sorted within it.
//
// Groups are many and small: a counting sort puts the records in the order of their groups, then each run of a group is
// sorted by itself, inside the cache. Both are stable: records of one group keep their order, and so do equal values.
// O(n) and O(n log m) for groups of m.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../memory.hpp"
#include "../poll.hpp"

namespace covey::line {

// Groups of up to so many are sorted by insertion.
constexpr std::size_t few_members = 32;

// order[0 .. n-1]: the records, group after group. Labels are 0 .. groups-1.
inline Buffer<std::uint32_t> by_label(const std::int32_t* labels, std::size_t n, std::size_t groups, Poll poll) {
    std::vector<std::uint32_t> next(groups + 1, 0);
    for (std::size_t i = 0; i < n; ++i) ++next[static_cast<std::size_t>(labels[i]) + 1];
    for (std::size_t g = 0; g < groups; ++g) next[g + 1] += next[g];
    Buffer<std::uint32_t> order(n);
    for (std::size_t i = 0; i < n; ++i) {
        order[next[static_cast<std::size_t>(labels[i])]++] = static_cast<std::uint32_t>(i);
        poll.tick();
    }
    return order;
}

// The same records, the run before each of `stops` by their values, ascending. values[i] is that of record i.
template <class Value>
Buffer<std::uint32_t> sorted_runs(const Value* values, const std::uint32_t* order, const std::int64_t* stops,
                                  std::size_t runs, Poll poll) {
    struct Member {
        Value value;
        std::uint32_t record;
    };
    const auto below = [](const Member& a, const Member& b) { return a.value < b.value; };
    Buffer<std::uint32_t> sorted(runs == 0 ? 0 : static_cast<std::size_t>(stops[runs - 1]));
    std::vector<Member> members;
    std::size_t start = 0;
    for (std::size_t r = 0; r < runs; ++r) {
        const auto stop = static_cast<std::size_t>(stops[r]);
        members.clear();
        for (std::size_t i = start; i < stop; ++i) {
            const Member member{values[order[i]], order[i]};
            members.push_back(member);
            if (stop - start > few_members) continue;
            std::size_t at = i - start;
            for (; at > 0 && below(member, members[at - 1]); --at) members[at] = members[at - 1];
            members[at] = member;
        }
        if (stop - start > few_members) std::stable_sort(members.begin(), members.end(), below);
        for (std::size_t i = start; i < stop; ++i) sorted[i] = members[i - start].record;
        poll.tick(static_cast<int>(std::min<std::size_t>(stop - start, 1 << 20)));
        start = stop;
    }
    return sorted;
}

}  // namespace covey::line
