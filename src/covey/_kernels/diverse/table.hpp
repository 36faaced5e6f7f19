// The recursion of Akagi & Nakano over a table: cell (i_1, .., i_m) is the least cost of the first i_j points of each colour
// j, and its last cluster takes the last point of some l to 2l-1 colours. Cells without a case are infinite.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "instance.hpp"

namespace covey::diverse {

class Table {
  public:
    Table(const Instance& given, Objective objective, Watch& watch)
        : given_(given), objective_(objective), watch_(watch), points_(given.m), stride_(given.m), at_(given.m, 0) {
        for (std::size_t i = 0; i < given.n; ++i)
            points_[static_cast<std::size_t>(given.colour[i])].push_back(given.x[i]);
        std::size_t cells = 1;
        for (std::size_t c = 0; c < given.m; ++c) {
            stride_[c] = cells;
            cells *= points_[c].size() + 1;
        }
        cost_.assign(cells, infinity);
        cost_[0] = 0.0;
    }

    // Whether the table was filled in time.
    bool fill() {
        for (std::size_t cell = 1; cell < cost_.size(); ++cell) {
            for (std::size_t c = 0; ++at_[c] > points_[c].size(); ++c) at_[c] = 0;
            best_ = infinity;
            steps_ = 0;
            choose(cell, 0, Cluster{});
            cost_[cell] = best_;
            if (watch_.late(steps_ + 1)) return false;
        }
        return true;
    }

    // The clusters of a filled table: the last one again and again.
    Clusters trace() {
        std::vector<std::vector<std::size_t>> place(given_.m);
        for (std::size_t i = 0; i < given_.n; ++i) place[static_cast<std::size_t>(given_.colour[i])].push_back(i);
        Clusters label(given_.n, -1);
        std::int32_t cluster = 0;
        for (std::size_t cell = cost_.size() - 1; cell > 0; ++cluster) {
            best_ = infinity;
            chosen_.clear();
            choose(cell, 0, Cluster{});
            for (const std::size_t c : chosen_) {
                label[place[c][--at_[c]]] = cluster;
                cell -= stride_[c];
            }
        }
        return label;
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    struct Cluster {
        std::size_t size = 0;
        double first = 0.0, low = 0.0, high = 0.0, sum = 0.0, squares = 0.0;  // relative to the point that came first
        void add(double x) {
            if (size++ == 0) first = x;
            const double d = x - first;
            low = std::min(low, d);
            high = std::max(high, d);
            sum += d;
            squares += d * d;
        }
    };

    double total(double before, const Cluster& last) const {
        if (objective_ == Objective::max) return std::max(before, last.high - last.low);
        if (objective_ == Objective::sum) return before + (last.high - last.low);
        return before + (last.squares - last.sum * last.sum / static_cast<double>(last.size));
    }

    // Every last cluster: with and without the last point of each colour.
    void choose(std::size_t cell, std::size_t c, const Cluster& last) {
        ++steps_;
        if (last.size >= given_.l && cost_[cell] < infinity) {
            const double value = total(cost_[cell], last);
            if (value < best_) {
                best_ = value;
                chosen_ = path_;
            }
        }
        if (last.size == 2 * given_.l - 1) return;
        for (; c < given_.m; ++c) {
            if (at_[c] == 0) continue;
            Cluster more = last;
            more.add(points_[c][at_[c] - 1]);
            path_.push_back(c);
            choose(cell - stride_[c], c + 1, more);
            path_.pop_back();
        }
    }

    Instance given_;
    Objective objective_;
    Watch& watch_;
    std::vector<std::vector<double>> points_;
    std::vector<std::size_t> stride_, at_, path_, chosen_;
    std::vector<double> cost_;
    double best_ = infinity;
    int steps_ = 0;
};

}  // namespace covey::diverse
