// Different points, those that are near each other, and what their pairs cost: the graph on which prices are looked for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../memory.hpp"
#include "neighbours.hpp"
#include "points.hpp"
#include "tree.hpp"

namespace covey::space {

// work(first, last) for stretches of 0 .. n-1, on all cores.
template <class Work>
void in_stretches(std::size_t n, const Poll& poll, const Work& work, std::size_t batch = 512) {
    std::atomic<std::size_t> next{0};
    in_parallel(threads_for(64 * n * (512 / batch)), [&](std::size_t t) {
        for (std::size_t first; (first = next.fetch_add(batch)) < n;) {
            work(first, std::min(first + batch, n));
            if (t != 0) continue;
            try {
                poll();
            } catch (...) {
                next = n;
                throw;
            }
        }
    });
}

// Equal records are one point. Points stand in the order of the leaves of a k-d tree: near ones are near each other.
struct PlacedPoints {
    explicit PlacedPoints(const Points& points)
        : tree(points), order(tree.leaf_order()), place(points.n), copies(order.size(), 0),
          row(order.size() * points.d) {
        for (std::uint32_t p = 0; p < order.size(); ++p) {
            std::copy_n(points[order[p]], points.d, &row[p * points.d]);
            for (std::uint32_t i = order[p]; i != none; i = tree.copies().next(i)) {
                place[i] = p;
                ++copies[p];
            }
        }
        rows = {row.data(), order.size(), points.d};
    }

    Tree tree;
    std::vector<std::uint32_t> order;   // place -> its lowest record
    std::vector<std::uint32_t> place;   // record -> its place
    std::vector<std::uint32_t> copies;  // place -> how many records
    Buffer<double> row;
    Points rows;
};

// Two points are a pair if one is among those of the m nearest records of the other; m may be 0.
class NearPairs {
  public:
    // share[p]: the sum of the squared distances from a record of p to its k-1 nearest.
    NearPairs(const Points& points, const PlacedPoints& placed, std::size_t m, std::size_t k,
              std::vector<double>& share, const Poll& poll)
        : first_(placed.order.size() + 1, 0) {
        const std::size_t n = placed.order.size();
        share.assign(n, 0.0);
        Buffer<std::uint32_t> near(n * m);
        std::vector<std::uint32_t> count(n, 0);
        each_point(points, placed.tree, placed.order, std::max(m + 1, k), poll,
                   [&](std::uint32_t i, const std::vector<Found>& found) {
                       const std::uint32_t p = placed.place[i];
                       for (std::size_t s = 0; s < k; ++s)
                           share[p] += found[s].distance;  // its own record is one of the k
                       for (const Found& f : found) {
                           const std::uint32_t q = placed.place[f.index];
                           std::uint32_t* mine = &near[p * m];
                           if (q != p && count[p] < m && std::find(mine, mine + count[p], q) == mine + count[p])
                               mine[count[p]++] = q;
                       }
                   });
        for (std::size_t p = 0; p < n; ++p) {
            first_[p + 1] += count[p];
            for (std::size_t s = 0; s < count[p]; ++s) ++first_[near[p * m + s] + 1];
        }
        for (std::size_t p = 0; p < n; ++p) first_[p + 1] += first_[p];
        to_ = Buffer<std::uint32_t>(first_[n]);
        std::vector<std::size_t> end(first_.begin(), first_.end() - 1);
        for (std::uint32_t p = 0; p < n; ++p)
            for (std::size_t s = 0; s < count[p]; ++s) {
                const std::uint32_t q = near[p * m + s];
                to_[end[p]++] = q;
                to_[end[q]++] = p;
            }
        drop_doubles();
        const double most = *std::max_element(share.begin(), share.end()) / static_cast<double>(k);
        exponent_ = most > 0.0 ? std::ilogb(most) : 0;
        weigh(placed, static_cast<double>(k), poll);
    }

    std::size_t size() const { return std::max<std::size_t>(1, first_.back()); }  // both ways
    std::size_t begin(std::size_t p) const { return first_[p]; }
    std::size_t end(std::size_t p) const { return first_[p + 1]; }
    std::uint32_t to(std::size_t edge) const { return to_[edge]; }
    float cost(std::size_t edge) const { return cost_[edge]; }  // d2/k times 2^-exponent
    int exponent() const { return exponent_; }                  // the same for any m

    bool has(std::uint32_t p, std::uint32_t q) const {
        return std::binary_search(to_.data() + first_[p], to_.data() + first_[p + 1], q);
    }

  private:
    void drop_doubles() {
        std::size_t kept = 0, from = 0;
        for (std::size_t p = 0; p + 1 < first_.size(); ++p) {
            std::uint32_t *begin = to_.data() + from, *end = to_.data() + first_[p + 1];
            from = first_[p + 1];
            std::sort(begin, end);
            end = std::unique(begin, end);
            std::copy(begin, end, to_.data() + kept);
            kept += static_cast<std::size_t>(end - begin);
            first_[p + 1] = kept;
        }
    }

    void weigh(const PlacedPoints& placed, double k, const Poll& poll) {
        const std::size_t n = placed.order.size(), d = placed.rows.d;
        const auto squared = [&](std::size_t p, std::size_t edge) {
            return squared_distance(placed.rows[p], placed.rows[to_[edge]], d);
        };
        const double scale = std::ldexp(1.0, -exponent_) / k;
        cost_ = Buffer<float>(first_[n]);
        in_stretches(n, poll, [&](std::size_t from, std::size_t last) {
            for (std::size_t p = from; p < last; ++p)
                for (std::size_t edge = begin(p); edge < end(p); ++edge)
                    cost_[edge] = static_cast<float>(std::min(squared(p, edge) * scale, 0x1p100));
        });
    }

    std::vector<std::size_t> first_;  // of the pairs of a place; both ways
    Buffer<std::uint32_t> to_;
    Buffer<float> cost_;
    int exponent_ = 0;
};

}  // namespace covey::space
