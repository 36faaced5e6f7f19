// The members of units, put beside the slots of a template at the least cost: an assignment for each block of slots.
//
// Lemma (Kuhn 1955, Munkres 1957): an assignment is of least cost where there are potentials u, v with u_i + v_j <= c_ij and equality at
// every pair that is assigned. Members are added one by one along shortest augmenting paths, which keep both: O(b^3) for b slots.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "../poll.hpp"
#include "points.hpp"

namespace covey::space {

// The assignment of b members (rows of the cost) to b slots (columns); of equal costs always the same.
class Assignment {
  public:
    // For every slot the member that takes it.
    const std::vector<std::size_t>& solve(const std::vector<double>& cost, std::size_t b) {
        row_of_.assign(b + 1, b);
        rows_.assign(b + 1, 0.0);
        columns_.assign(b + 1, 0.0);
        for (std::size_t row = 0; row < b; ++row) augment(cost, b, row);
        row_of_.pop_back();
        return row_of_;
    }

  private:
    // Column b stands for the row that looks for a slot.
    void augment(const std::vector<double>& cost, std::size_t b, std::size_t row) {
        least_.assign(b, std::numeric_limits<double>::infinity());
        before_.assign(b, b);
        seen_.assign(b + 1, 0);
        row_of_[b] = row;
        std::size_t column = b;
        do {
            column = nearest(cost, b, column);
        } while (row_of_[column] != b);
        while (column != b) {
            const std::size_t previous = before_[column];
            row_of_[column] = row_of_[previous];
            column = previous;
        }
        row_of_[b] = b;
    }

    // The column that is nearest to the tree once `column` has joined it; potentials follow.
    std::size_t nearest(const std::vector<double>& cost, std::size_t b, std::size_t column) {
        seen_[column] = 1;
        const std::size_t row = row_of_[column];
        std::size_t next = b;
        double step = std::numeric_limits<double>::infinity();
        for (std::size_t other = 0; other < b; ++other) {
            if (seen_[other]) continue;
            const double reduced = cost[row * b + other] - rows_[row] - columns_[other];
            if (reduced < least_[other]) {
                least_[other] = reduced;
                before_[other] = column;
            }
            if (next == b || least_[other] < step) {
                step = least_[other];
                next = other;
            }
        }
        for (std::size_t other = 0; other <= b; ++other) {
            if (seen_[other]) {
                rows_[row_of_[other]] += step;
                columns_[other] -= step;
            } else {
                least_[other] -= step;
            }
        }
        return next;
    }

    std::vector<std::size_t> row_of_, before_;
    std::vector<double> rows_, columns_, least_;
    std::vector<char> seen_;
};

// A unit is a row of `units`: its members one after another, each of `width` coordinates; so is a group in `templates`. Slots lie in
// blocks, [starts[i], starts[i + 1]), within which members may take any slot. For every unit and slot: the member that takes it.
inline std::vector<std::uint32_t> align(const Points& units, const Points& templates,
                                        const std::vector<std::uint32_t>& group,
                                        const std::vector<std::uint32_t>& starts, std::size_t width, Poll poll) {
    const std::size_t slots = starts.back();
    std::vector<std::uint32_t> taken(units.n * slots);
    std::vector<double> cost;
    Assignment assignment;
    for (std::size_t unit = 0; unit < units.n; ++unit) {
        const double* members = units[unit];
        const double* wanted = templates[group[unit]];
        for (std::size_t block = 0; block + 1 < starts.size(); ++block) {
            const std::size_t first = starts[block], b = starts[block + 1] - first;
            cost.assign(b * b, 0.0);
            for (std::size_t member = 0; member < b; ++member) {
                for (std::size_t slot = 0; slot < b; ++slot) {
                    double square = 0.0;
                    for (std::size_t place = 0; place < width; ++place) {
                        const double away =
                            members[(first + member) * width + place] - wanted[(first + slot) * width + place];
                        square += away * away;
                    }
                    cost[member * b + slot] = square;
                }
            }
            const auto& found = assignment.solve(cost, b);
            for (std::size_t slot = 0; slot < b; ++slot)
                taken[unit * slots + first + slot] = static_cast<std::uint32_t>(first + found[slot]);
            poll.tick(static_cast<int>(b * b * (b + width)));
        }
    }
    return taken;
}

}  // namespace covey::space
