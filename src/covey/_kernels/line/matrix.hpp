// The matrix that every search looks for minima in: entry(a, b) is the least cost of the records before the a-th
// possible cut plus the cost of one group from there to the b-th (S section 2.1, M-tilde of section 3).
//
// Cuts are numbered by possibility: a position that no number of groups of allowed sizes can reach is not among them,
// so every total is finite. Groups of forbidden size get S eq. (6)'s large values: too small VAL(a), too large VAL(-a),
// growing with their argument, which keeps the matrix totally monotone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../poll.hpp"

namespace covey::line {

// What a partition is made of besides the cost: sizes allowed, and what a group costs whatever its values.
struct Rules {
    std::size_t least, most;  // sizes
    double group_cost = 0.0;  // of every group
    double penalty = 0.0;     // of every record that a group lacks to `wanted`
    std::size_t wanted = 0;
};

// The cuts that can be reached with groups of least .. most records: 0 first, n last if it is possible.
inline std::vector<std::uint32_t> possible_cuts(std::size_t n, const Rules& rules) {
    std::vector<std::uint32_t> cuts;
    for (std::size_t j = 0; j <= n; ++j)
        if ((j + rules.most - 1) / rules.most <= j / rules.least) cuts.push_back(static_cast<std::uint32_t>(j));
    return cuts;
}

template <class Cost>
class Matrix {
  public:
    Matrix(const Cost& cost, std::size_t n, const Rules& rules, Poll poll)
        : cuts(possible_cuts(n, rules)), best(cuts.size(), 0), cost_(cost), rules_(rules), poll_(poll),
          total_(cuts.size(), 0.0), rest_(cuts.size(), 0.0) {}

    std::size_t count() const { return cuts.size(); }
    std::size_t evaluations() const { return evaluations_; }

    // Totals are compared as differences to the least total of the rows [first, stop), small numbers. (Any other would
    // do in exact arithmetic; but a row just behind a wide gap may have a total that wipes all others out.)
    void set_base(std::size_t first, std::size_t stop) {
        base_ = *std::min_element(total_.begin() + static_cast<std::ptrdiff_t>(first),
                                  total_.begin() + static_cast<std::ptrdiff_t>(stop));
    }
    void lower_base(std::size_t a) { base_ = std::min(base_, total_[a]); }

    double entry(std::size_t a, std::size_t b) {
        ++evaluations_;
        poll_.tick();
        const std::size_t start = cuts[a], stop = cuts[b];
        if (stop < start + rules_.least) return forbidden(static_cast<double>(a));
        if (stop - start > rules_.most) return forbidden(-static_cast<double>(a));
        return ((total_[a] - base_) + rest_[a]) + group(start, stop);
    }

    double group(std::size_t start, std::size_t stop) {
        const std::size_t size = stop - start;
        double cost = cost_(start, stop) + rules_.group_cost;
        if (size < rules_.wanted) cost += rules_.penalty * static_cast<double>(rules_.wanted - size);
        return cost;
    }

    // Records the minimum of column b: `value` as returned by entry(a, b). Totals are kept in two doubles each.
    void settle(std::size_t a, std::size_t b, double value) {
        best[b] = static_cast<std::uint32_t>(a);
        const double sum = base_ + value, part = sum - base_;
        total_[b] = sum;
        rest_[b] = (base_ - (sum - part)) + (value - part);
    }

    // First row that may start a group ending at column b, and the one after the last.
    std::size_t first_row(std::size_t b) const {
        return row_at_least(cuts[b] > rules_.most ? cuts[b] - rules_.most : 0, b);
    }
    std::size_t stop_row(std::size_t b) const { return row_at_least(cuts[b] - rules_.least + 1, b); }

    std::vector<std::uint32_t> cuts;
    std::vector<std::uint32_t> best;  // best[b]: row of the minimum of column b

  private:
    // The first possible cut at or behind `position`, which is not behind cut b. Nearly all cuts are possible.
    std::size_t row_at_least(std::size_t position, std::size_t b) const {
        const std::size_t behind = cuts[b] - position;
        std::size_t row = b > behind ? b - behind : 0;
        while (cuts[row] < position) ++row;
        return row;
    }

    double forbidden(double rank) const { return 0x1p1000 + (static_cast<double>(cuts.size()) + rank) * 0x1p960; }

    const Cost& cost_;
    Rules rules_;
    Poll poll_;
    std::vector<double> total_, rest_;
    double base_ = 0.0;
    std::size_t evaluations_ = 0;
};

}  // namespace covey::line
