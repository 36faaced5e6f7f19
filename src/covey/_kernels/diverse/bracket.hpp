// Solutions with a bound: from the greedy one, and from the table.
#pragma once

#include "instance.hpp"
#include "table.hpp"

namespace covey::diverse {

// The best solution, and what none is below. Equal: proven to be the best.
struct Bracket {
    Clusters clusters;
    double lower, upper;
};

// The greedy solution, and what windows alone prove.
inline Bracket start(const Instance& given, Objective objective, Watch& watch) {
    const Clusters clusters = greedy(given, watch);
    const double upper = value_of(given, objective, clusters);
    if (objective != Objective::max) return {clusters, 0.0, upper};
    return {clusters, least_largest_span(given, narrowest_windows(given), upper), upper};
}

// The best solution; as `start` where time is up first.
inline Bracket best_by_table(const Instance& given, Objective objective, Watch& watch) {
    Table table(given, objective, watch);
    if (!table.fill()) return start(given, objective, watch);
    const Clusters clusters = table.trace();
    const double value = value_of(given, objective, clusters);
    return {clusters, value, value};
}

}  // namespace covey::diverse
