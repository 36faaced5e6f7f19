// The searches that look at the exact neighbours of every record, from their start to their end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../memory.hpp"
#include "../poll.hpp"
#include "comply.hpp"
#include "groups.hpp"
#include "local_search.hpp"
#include "neighbours.hpp"
#include "sequence.hpp"
#include "tour.hpp"

namespace covey::space {

// The nearest of every record, as many as wanted or as there are.
struct Near {
    std::size_t m;
    Buffer<std::uint32_t> lists;

    Near(const Points& points, std::size_t wanted, const Poll& poll)
        : m(std::min(wanted, points.n - 1)), lists(neighbour_lists(points, m, poll)) {}

    operator Lists() const { return {lists.data(), m}; }
};

// Groups that satisfy the demand, from groups that may not: by exchanges, moves and mergers, then local search; or by
// mergers with the nearest group alone.
inline std::vector<std::uint32_t> comply(const Points& points, const std::vector<std::uint32_t>& start, std::size_t k,
                                         Demand& demand, std::size_t neighbours, bool merge_only, Poll poll) {
    Groups groups(start);
    const Near near(points, merge_only ? 0 : neighbours, poll);
    Comply mend(points, k, groups, near.lists.data(), near.m, demand, poll);
    if (merge_only) {
        mend.merge();
    } else {
        mend.run();
        LocalSearch(points, k, groups, near, poll, SquaresPolicy(points), &demand).run();
    }
    return groups.label;
}

inline std::vector<std::uint32_t> short_tour(const Points& points, std::size_t neighbours, Poll poll) {
    const Near near(points, neighbours, poll);
    return Tour(points, nearest_point_next(points, poll), near.lists.data(), near.m, poll).run();
}

}  // namespace covey::space
