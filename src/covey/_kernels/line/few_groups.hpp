// At most m groups.
//
// Concave costs: the least cost f(g) of exactly g groups is convex in g (Aggarwal, Schieber & Tokuyama 1994; size
// limits keep the Monge inequality, because the narrowest and the widest group of a quadruple stand on its larger
// side). So some charge per group makes an optimum of few enough groups, and chords of f find it: each step solves
// with the slope between the best known partitions with fewer and with more groups than m. When no step falls strictly
// between them, both are optimal for the same charge, and crossing them over gives one of exactly m groups.
// Any other cost: dynamic programming in layers, one per number of groups. O(m) times one search, O(mn) memory.
#pragma once

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "groups.hpp"
#include "matrix.hpp"

namespace covey::line {

struct Counted {
    Cuts cuts;
    double loss;
    std::size_t groups() const { return cuts.size() - 1; }
};

// Two partitions that are optimal for the same charge, with fewer and more than m groups -> one with m: follow the
// finer up to a group that lies inside a group of the coarser, m groups from the end of which remain, then the coarser.
inline Cuts cross_over(const Cuts& fewer, const Cuts& more, std::size_t m) {
    const std::size_t shift = m - (fewer.size() - 1);
    std::size_t t = 0;
    while (more[t + 1 + shift] > fewer[t + 1]) ++t;
    Cuts cuts(more.begin(), more.begin() + static_cast<std::ptrdiff_t>(t + shift + 1));
    cuts.insert(cuts.end(), fewer.begin() + static_cast<std::ptrdiff_t>(t + 1), fewer.end());
    return cuts;
}

// solve(charge) -> Counted: a partition of least loss + charge * groups, with its loss alone.
template <class Solve>
Cuts at_most(std::size_t m, double large_charge, const Solve& solve) {
    Counted more = solve(0.0);
    if (more.groups() <= m) return more.cuts;
    Counted fewer = solve(large_charge);
    while (fewer.groups() > m) {  // losses of a cost of one's own may be negative, of any size
        large_charge *= 16.0;
        if (large_charge > 0x1p900) throw std::overflow_error("no charge per group makes the groups few enough");
        fewer = solve(large_charge);
    }
    while (true) {
        const double charge = (fewer.loss - more.loss) / static_cast<double>(more.groups() - fewer.groups());
        Counted next = solve(charge > 0.0 ? charge : 0.0);
        if (fewer.groups() < next.groups() && next.groups() < more.groups()) {
            (next.groups() <= m ? fewer : more) = std::move(next);
            continue;
        }
        Counted& same = next.groups() <= m ? fewer : more;  // found before, but with a charge that drowned differences
        if (next.groups() != same.groups() || !(next.loss < same.loss)) break;
        same = std::move(next);
    }
    return fewer.groups() == m ? fewer.cuts : cross_over(fewer.cuts, more.cuts, m);
}

// Any cost. The matrix is used for its cuts and group costs only.
template <class M>
Cuts at_most_in_layers(M& matrix, std::size_t m) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::size_t count = matrix.count();
    std::vector<std::vector<std::uint32_t>> best(m + 1, std::vector<std::uint32_t>(count, 0));
    std::vector<double> total(count, infinity), next(count);
    total[0] = 0.0;
    std::size_t layers = 0;
    double least = infinity;
    for (std::size_t g = 1; g <= m; ++g) {
        std::fill(next.begin(), next.end(), infinity);
        for (std::size_t b = 1; b < count; ++b)
            for (std::size_t a = matrix.first_row(b); a < matrix.stop_row(b); ++a) {
                if (total[a] == infinity) continue;
                const double value = total[a] + matrix.group(matrix.cuts[a], matrix.cuts[b]);
                if (value < next[b]) {
                    next[b] = value;
                    best[g][b] = static_cast<std::uint32_t>(a);
                }
            }
        std::swap(total, next);
        if (total[count - 1] < least) {
            least = total[count - 1];
            layers = g;
        }
    }
    Cuts cuts(layers + 1);
    std::size_t b = count - 1;
    for (std::size_t g = layers; g > 0; --g) {
        cuts[g] = matrix.cuts[b];
        b = best[g][b];
    }
    cuts[0] = 0;
    return cuts;
}

}  // namespace covey::line
