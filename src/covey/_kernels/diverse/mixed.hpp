// Clusters of at least k points whose colours are mixed, of least squares: l different colours in each, or no colour with more
// than 1/l of its points. Squares are to the mean of a cluster or, where only whole numbers are published, to the nearest one of these.
//
// Lemma (monotone). Let the clusters of a best solution be in the order of their means a <= b, and x > y two points of one
// colour, x in the cluster of a and y in that of b. Exchanged, all clusters have as many points of each colour as before, and
// the squares to a and b fall by 2 (b - a)(x - y); to the new means they fall more. So no best solution has such a pair, and
// each cluster takes, of each colour, the first points that those before it leave: cell (i_1, .., i_m) is the least cost of the
// first i_j points of each colour j, and its last cluster takes the last c_j of them. With a <= b the published whole numbers instead,
// the same holds for a < b, and where a = b the exchange costs nothing.
//
// Lemma (small). A cluster that can be parted into two that hold costs no less than those. With k >= l and counts c_j that sum to s:
// l different colours can be parted if s >= 2k and the sum of min(c_j, 2) is at least 2l, for then each part gets l colours, and the
// other points go to either. Shares of 1/l can be parted if s >= K + max(k, l(l - 1)), K the least multiple of l that is at least
// k: with q = K / l, F = s / l rounded down, take d_j points of each colour, max(0, c_j - F + q) <= d_j <= min(q, c_j), K in all. The
// upper limits sum to K or more, since fewer than l colours with q or more leave (1 - t/l) s to the others; the lower ones to K at most:
// up to l of them that are positive make at most l q, and p > l make p (q - F) + s <= (l + 1)(q - F) + s <= l q by F >= q + l - 1.
//
// Cells that no best solution passes are left out: where their cost and what the points left cost at least exceeds the best cut of the
// sorted points into clusters that hold. A point costs its share of a cluster at least, half the mean squared distance to its k - 1
// nearest points and itself, for the squares of a cluster of s points are the sum over its pairs of d^2 / s.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "instance.hpp"

namespace covey::diverse {

enum class Mixing { distinct, share };

class Mixed {
  public:
    Mixed(const Instance& given, std::size_t k, Mixing rule, bool whole, std::uint64_t most_steps, Watch& watch)
        : given_(given), k_(std::max(k, given.l)), rule_(rule), whole_(whole), left_(most_steps), watch_(watch),
          points_(given.m), stride_(given.m), at_(given.m, 0), path_(given.m, 0) {
        const std::size_t l = given.l;
        most_ = (k_ + l - 1) / l * l + std::max(k_, l * (l - 1)) - 1;
        paid_.assign(given.m, {0.0});
        for (std::size_t i = 0; i < given.n; ++i) {
            const auto c = static_cast<std::size_t>(given.colour[i]);
            points_[c].push_back(given.x[i]);
            paid_[c].push_back(paid_[c].back() + least_share(i));
            unpaid_ += paid_[c].back() - paid_[c][paid_[c].size() - 2];
        }
        known_ = best_cut() * (1 + tolerance);
        std::size_t cells = 1;
        for (std::size_t c = 0; c < given.m; ++c) {
            stride_[c] = cells;
            cells *= points_[c].size() + 1;
        }
        cost_.assign(cells, infinity);
        cost_[0] = 0.0;
    }

    // Whether the table was filled within its steps, and has a solution.
    bool fill() {
        for (std::size_t cell = 1; cell < cost_.size(); ++cell) {
            for (std::size_t c = 0; ++at_[c] > points_[c].size(); ++c) at_[c] = 0;
            cost_[cell] = best_of(cell);
            if (steps_ > left_) return false;
            left_ -= steps_;
            watch_.late(static_cast<int>(std::min<std::uint64_t>(steps_, 1 << 20)));
        }
        return cost_.back() < infinity;
    }

    // The clusters of a filled table: the last one again and again.
    Clusters trace() {
        std::vector<std::vector<std::size_t>> place(given_.m);
        for (std::size_t i = 0; i < given_.n; ++i) place[static_cast<std::size_t>(given_.colour[i])].push_back(i);
        Clusters label(given_.n, -1);
        std::int32_t cluster = 0;
        for (std::size_t cell = cost_.size() - 1; cell > 0; ++cluster) {
            best_of(cell);
            for (std::size_t c = 0; c < given_.m; ++c)
                for (; chosen_[c] > 0; --chosen_[c], cell -= stride_[c]) label[place[c][--at_[c]]] = cluster;
        }
        return label;
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    static constexpr double tolerance = 1e-9;  // of sums, for rounding

    // How many points and colours, the latter counted up to twice, too; the most of one colour; sums from the first point.
    struct Cluster {
        std::size_t size = 0, different = 0, twice = 0, most = 0;
        double first = 0.0, sum = 0.0, squares = 0.0;
        void add(double x, std::size_t number) {
            if (size++ == 0) first = x;
            different += number == 1;
            twice += number <= 2;
            most = std::max(most, number);
            const double d = x - first;
            sum += d;
            squares += d * d;
        }
    };

    double cost(const Cluster& of) const {
        const double size = static_cast<double>(of.size), squares = std::max(0.0, of.squares - of.sum * of.sum / size);
        if (!whole_) return squares;
        const double mean = of.first - std::nearbyint(of.first) + of.sum / size, off = mean - std::nearbyint(mean);
        return squares + size * off * off;
    }

    double best_of(std::size_t cell) {
        best_ = known_ - unpaid_;
        for (std::size_t c = 0; c < given_.m; ++c) best_ += paid_[c][at_[c]];
        best_ = std::max(best_, std::numeric_limits<double>::min());  // a cost of 0 is below it
        steps_ = 0;
        chosen_.clear();
        choose(cell, 0, Cluster{});
        return chosen_.empty() ? infinity : best_;
    }

    double least_share(std::size_t i) const {
        double sum = 0.0;
        std::size_t from = i, to = i + 1;
        while (to - from < std::min(k_, given_.n)) {
            const double left = from > 0 ? given_.x[i] - given_.x[from - 1] : infinity;
            const double right = to < given_.n ? given_.x[to] - given_.x[i] : infinity;
            left < right ? --from : ++to;
            sum += std::pow(std::min(left, right), 2);
        }
        return sum / (2.0 * static_cast<double>(k_));
    }

    // The cost of the best cut of the sorted points into clusters that hold.
    double best_cut() const {
        std::vector<double> total(given_.n + 1, infinity);
        total[0] = 0.0;
        for (std::size_t stop = 1; stop <= given_.n; ++stop) {
            Cluster last;
            std::vector<std::size_t> number(given_.m, 0);
            for (std::size_t start = stop; start-- > 0 && !(last.size > 0 && cost(last) >= total[stop]);) {
                last.add(given_.x[start], ++number[static_cast<std::size_t>(given_.colour[start])]);
                if (holds(last)) total[stop] = std::min(total[stop], total[start] + cost(last));
            }
        }
        return total[given_.n];
    }

    bool holds(const Cluster& last) const {
        if (last.size < k_) return false;
        return rule_ == Mixing::distinct ? last.different >= given_.l : last.most * given_.l <= last.size;
    }

    // Whether the cluster, and each with more points, can be parted or never holds.
    bool is_too_large(const Cluster& last) const {
        if (rule_ == Mixing::distinct) return last.size >= 2 * k_ && last.twice >= 2 * given_.l;
        return last.size > most_ || last.most * given_.l > most_;
    }

    // Every last cluster: with none, one, two, ... of the last points of each colour, as long as it costs less than the best.
    void choose(std::size_t cell, std::size_t c, const Cluster& last) {
        ++steps_;
        if (c == given_.m) {
            if (!holds(last) || !(cost_[cell] + cost(last) < best_)) return;
            best_ = cost_[cell] + cost(last);
            chosen_ = path_;
            return;
        }
        choose(cell, c + 1, last);
        Cluster more = last;
        for (path_[c] = 1; path_[c] <= at_[c]; ++path_[c]) {
            more.add(points_[c][at_[c] - path_[c]], path_[c]);
            if (is_too_large(more) || cost(more) >= best_) break;
            cell -= stride_[c];
            choose(cell, c + 1, more);
        }
        path_[c] = 0;
    }

    Instance given_;
    std::size_t k_, most_;
    Mixing rule_;
    bool whole_;
    std::uint64_t left_, steps_ = 0;
    Watch& watch_;
    std::vector<std::vector<double>> points_;
    std::vector<std::size_t> stride_, at_, path_, chosen_;
    std::vector<double> cost_;
    std::vector<std::vector<double>> paid_;  // of each colour, what its first points cost at least
    double unpaid_ = 0.0, known_ = infinity;
    double best_ = infinity;
};

}  // namespace covey::diverse
