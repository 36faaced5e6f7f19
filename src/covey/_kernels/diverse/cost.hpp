// What a cluster adds to the cost of a state, for each objective.
#pragma once

#include <algorithm>
#include <cmath>

namespace covey::diverse {

// Points come in from left to right, the first is p. The prices of points are such that no
// cluster costs less than its points' prices; a state counts what its clusters cost beyond that. `least`: no less is added by
// the cluster with more points, whose prices are at most `more`; `reach`: no span beyond this stays within the room.
struct MaxCost {
    double span = 0.0;
    void add(double distance, double) { span = distance; }
    double total(double before) const { return std::max(before, span); }
    double least(double before, double) const { return std::max(before, span); }
    static double reach(double bound, double, double) { return bound; }
};

struct SumCost {
    double span = 0.0, price = 0.0;
    void add(double distance, double its_price) {
        span = distance;
        price += its_price;
    }
    double total(double before) const { return before + (span - price); }
    double least(double before, double more) const { return total(before) - more; }
    static double reach(double bound, double before, double prices) { return bound - before + prices; }
};

struct SseCost {
    double sum = 0.0, squares = 0.0, size = 0.0, price = 0.0;
    void add(double distance, double its_price) {
        sum += distance;
        squares += distance * distance;
        size += 1.0;
        price += its_price;
    }
    double total(double before) const { return before + (squares - sum * sum / size - price); }
    double least(double before, double more) const { return total(before) - more; }
    // A span s has a sum of squares of at least s * s / 2.
    static double reach(double bound, double before, double prices) {
        return std::sqrt(2.0 * std::max(0.0, bound - before + prices));
    }
};

}  // namespace covey::diverse
