// The optimal cut of a sequence of records into groups of k to 2k-1 (IMHM), and the orders that put them into one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "../poll.hpp"
#include "centre.hpp"
#include "insertion.hpp"
#include "points.hpp"
#include "tree.hpp"

namespace covey::space {

// Dynamic programming over the ends of groups. The groups that end before j grow to the left from record j-1, the origin
// of their sums, so that no offset disturbs them: SSE = sum |off|^2 - |sum off|^2 / size. O(k n d).
class Cutter {
  public:
    explicit Cutter(const Points& points) : points_(points), sum_(points.d) {}

    // Returns the least loss and, in `sizes`, the groups that attain it.
    double cut(const std::vector<std::uint32_t>& order, std::size_t k, std::vector<std::uint32_t>& sizes, Poll& poll) {
        const std::size_t n = order.size(), d = points_.d;
        const double impossible = std::numeric_limits<double>::infinity();
        total_.assign(n + 1, impossible);
        start_.assign(n + 1, 0);
        total_[0] = 0.0;
        row_.resize(n * d);  // the records in order: the growing reads them again and again
        for (std::size_t i = 0; i < n; ++i) std::copy_n(points_[order[i]], d, &row_[i * d]);
        for (std::size_t j = k; j <= n; ++j) {
            std::fill(sum_.begin(), sum_.end(), 0.0);
            double squares = 0.0;
            const double* last = &row_[(j - 1) * d];
            const std::size_t most = std::min(j, n < 2 * k ? n : 2 * k - 1);
            for (std::size_t s = 2; s <= most; ++s) {
                const double* x = last - (s - 1) * d;
                double spread = 0.0;
                for (std::size_t c = 0; c < d; ++c) {
                    const double off = x[c] - last[c];
                    sum_[c] += off;
                    squares += off * off;
                }
                if (s < k || total_[j - s] == impossible) continue;
                for (std::size_t c = 0; c < d; ++c) spread += sum_[c] * sum_[c];
                const double here = total_[j - s] + std::max(0.0, squares - spread / static_cast<double>(s));
                if (here < total_[j]) {
                    total_[j] = here;
                    start_[j] = static_cast<std::uint32_t>(j - s);
                }
            }
            if (k == 1) {
                total_[j] = 0.0;
                start_[j] = static_cast<std::uint32_t>(j - 1);
            }
            poll.tick(static_cast<int>(std::min<std::size_t>(most, 1 << 16)));
        }
        sizes.clear();
        for (std::uint32_t j = static_cast<std::uint32_t>(n); j > 0; j = start_[j]) sizes.push_back(j - start_[j]);
        std::reverse(sizes.begin(), sizes.end());
        return total_[n];
    }

  private:
    Points points_;
    std::vector<double> sum_, total_, row_;
    std::vector<std::uint32_t> start_;
};

// Recursive halves along the widest axis, down to single records: neighbours in the order are near in space.
inline void order_by_halves(const Points& points, std::uint32_t* record, std::size_t n, Poll& poll) {
    if (n < 2) return;
    const std::size_t axis = widest_axis(points, record, n);
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        return points[a][axis] < points[b][axis] || (points[a][axis] == points[b][axis] && a < b);
    };
    std::nth_element(record, record + n / 2, record + n, before);
    poll.tick(static_cast<int>(std::min<std::size_t>(n, 1 << 20)));
    order_by_halves(points, record, n / 2, poll);
    order_by_halves(points, record + n / 2, n - n / 2, poll);
}

inline std::vector<std::uint32_t> order_by_halves(const Points& points, Poll poll) {
    std::vector<std::uint32_t> order(points.n);
    std::iota(order.begin(), order.end(), 0U);
    order_by_halves(points, order.data(), points.n, poll);
    return order;
}

// RepOrdMic (Mortazavi 2020, algorithm 1): order the records group by group, cut, and again while that helps.
class RepeatedOrdering {
  public:
    explicit RepeatedOrdering(const Points& points)
        : points_(points), tree_(points), cutter_(points), insertion_(points) {
        Centroid centroid(points);
        for (std::uint32_t i = 0; i < points.n; ++i) centroid.add(i);
        farthest_ = tree_.farthest(centroid.mean());
    }

    // From initial labels 0 .. groups-1, as long as the loss falls by more than `least_fall`. Appends the loss of every
    // iteration to `losses`.
    Grouping run(std::vector<std::uint32_t> label, std::size_t groups, std::size_t k, double least_fall,
                 std::vector<double>& losses, Poll& poll) {
        Grouping best, next;
        double loss = std::numeric_limits<double>::infinity();
        for (;;) {
            next.order = order(label, groups, poll);
            const double here = cutter_.cut(next.order, k, next.sizes, poll);
            losses.push_back(here);
            const bool improves = here < loss * (1 - 1e-12) && loss - here > least_fall;
            if (here < loss) {
                loss = here;
                best = next;
            }
            if (!improves) return best;
            groups = next.sizes.size();
            std::size_t at = 0;
            for (std::uint32_t g = 0; g < groups; ++g)
                for (std::uint32_t s = 0; s < next.sizes[g]; ++s) label[next.order[at++]] = g;
        }
    }

  private:
    std::vector<std::uint32_t> order(const std::vector<std::uint32_t>& label, std::size_t groups, Poll& poll) {
        std::vector<std::vector<std::uint32_t>> member(groups);
        for (std::uint32_t i = 0; i < points_.n; ++i) member[label[i]].push_back(i);
        Tree left = tree_;
        std::vector<std::uint32_t> sequence;
        sequence.reserve(points_.n);
        for (std::uint32_t current = farthest_;; current = left.nearest(points_[sequence.back()])) {
            const std::vector<std::uint32_t>& group = member[label[current]];
            for (std::uint32_t i : group) left.remove(i);
            insertion_.run(group, current, tree_.copies(), sequence, poll);
            if (left.size() == 0) return sequence;
            left.compact();
        }
    }

    Points points_;
    Tree tree_;
    Cutter cutter_;
    Insertion insertion_;
    std::uint32_t farthest_;
};

}  // namespace covey::space
