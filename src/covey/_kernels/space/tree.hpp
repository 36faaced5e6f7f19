// A k-d tree of the records that are left: the nearest and the farthest of them, and removal. Equal records are one point.
//
// Leaves hold up to `room` points, column by column, and are scanned whole registers at a time. Boxes are tight and
// shrink when points go. Lemma: rounding is monotone and every sum runs over the coordinates in the same order, so the
// bound of a box computed in floating point never exceeds (for the nearest; never falls below, for the farthest) the
// computed distance of any point in it. So a box is left out only if its bound is strictly worse than what is found,
// and the answer, ties included, is that of a scan over all records.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../lanes.hpp"
#include "copies.hpp"

namespace covey::space {

constexpr std::size_t room = 32;

inline thread_local std::size_t leaves_scanned = 0;  // by all trees of this thread

// Squared distances from q to the points of a leaf; then the least and the greatest of them.
struct LeafScan {
    static constexpr bool wide = true;
    static constexpr std::size_t results = room + 2;

    template <int W>
    COVEY_INLINE static void run(const double* columns, const double* q, std::size_t d, double* out) {
        using V = Lanes<W>;
        constexpr int registers = static_cast<int>(room) / W;
        V sum[registers];
        for (auto& s : sum) s = V::all(0);
        for (std::size_t j = 0; j < d; ++j, columns += room) {
            const V at = V::all(q[j]);
            for (int r = 0; r < registers; ++r) {
                const V off = V::load(columns + W * r) - at;
                sum[r] = sum[r] + off * off;
            }
        }
        V least = V::all(std::numeric_limits<double>::infinity()), greatest = V::all(-1);
        for (int r = 0; r < registers; ++r) {  // empty places are NaN, which is neither less nor greater
            sum[r].store(out + W * r);
            least = where_less(sum[r], least, sum[r], least);
            greatest = where_less(greatest, sum[r], sum[r], greatest);
        }
        double low = least[0], high = greatest[0];
        for (int l = 1; l < W; ++l) {
            low = least[l] < low ? least[l] : low;
            high = greatest[l] > high ? greatest[l] : high;
        }
        out[room] = low;
        out[room + 1] = high;
    }
};

class Tree {
  public:
    explicit Tree(const Points& points)
        : points_(points), scan_(fastest<LeafScan, const double*, const double*, std::size_t, double*>()),
          copies_(points), place_(points.n, none) {
        plant(copies_.points());
    }

    std::size_t size() const { return copies_.size(); }
    std::size_t leaves() const { return leaf_node_.size(); }
    const Copies& copies() const { return copies_; }

    void remove(std::uint32_t i) {
        const std::uint32_t p = copies_.remove(i);
        if (p == none) return;
        const std::uint32_t at = place_[p];
        const std::size_t leaf = at / room, d = points_.d;
        const std::uint32_t owner = leaf_node_[leaf];
        const std::size_t last = leaf * room + node_[owner].count - 1;
        double* columns = &column_[leaf * room * d];
        for (std::size_t j = 0; j < d; ++j) {
            columns[j * room + at % room] = columns[j * room + last % room];
            columns[j * room + last % room] = std::numeric_limits<double>::quiet_NaN();
        }
        id_[at] = id_[last];
        place_[id_[at]] = at;
        place_[p] = none;
        bool shrinks = true;
        for (std::uint32_t u = owner; u != none; u = node_[u].parent) {
            --node_[u].count;
            if (shrinks && node_[u].count != 0) shrinks = tighten(u);
        }
    }

    // Once most points are gone, the rest in a new tree.
    void compact() {
        const std::size_t left = node_[0].count;
        if (left * 2 <= built_ && left >= 2 * room) plant(leaf_order());
    }

    // The m nearest to q, nearest first.
    void nearest(const double* q, std::size_t m, std::vector<Found>& found) const {
        found.clear();
        if (m == 0 || size() == 0) return;
        Nearest near(m);
        thread_local std::vector<std::pair<std::uint32_t, double>> stack;
        stack.assign(1, {0U, 0.0});
        double distance[LeafScan::results];
        while (!stack.empty()) {
            auto [u, bound] = stack.back();
            stack.pop_back();
            if (near.limit() == 0.0 && copies_.apart()) break;  // m records of the one point that is at no distance
            if (bound > near.limit()) continue;
            while (node_[u].leaf == none) {
                const std::uint32_t left = node_[u].left, right = node_[u].right;
                const double to_left = node_[left].count ? nearest_bound(left, q) : never;
                const double to_right = node_[right].count ? nearest_bound(right, q) : never;
                const bool leftwards = to_left <= to_right;
                if (const double other = leftwards ? to_right : to_left; other <= near.limit() && other != never)
                    stack.emplace_back(leftwards ? right : left, other);
                u = leftwards ? left : right;
                if ((leftwards ? to_left : to_right) > near.limit()) break;
            }
            const std::uint32_t leaf = node_[u].leaf;
            if (leaf == none) continue;
            ++leaves_scanned;
            scan_(&column_[leaf * room * points_.d], q, points_.d, distance);
            if (distance[room] > near.limit()) continue;
            for (std::size_t s = 0; s < node_[u].count; ++s) copies_.offer(near, distance[s], id_[leaf * room + s]);
        }
        found = std::move(near).sorted();
    }

    std::uint32_t nearest(const double* q) const {
        thread_local std::vector<Found> found;
        nearest(q, 1, found);
        return found.front().index;
    }

    // The farthest from q; of several, the lowest index. `guess` is a record held, or none: a good one spares most of the work.
    std::uint32_t farthest(const double* q, std::uint32_t guess = none) const {
        Found best{guess == none ? -1.0 : squared_distance(points_[guess], q, points_.d), guess};
        thread_local std::vector<std::pair<std::uint32_t, double>> stack;
        stack.assign(1, {0U, never});
        double distance[LeafScan::results];
        while (!stack.empty()) {
            auto [u, bound] = stack.back();
            stack.pop_back();
            if (bound < best.distance) continue;
            while (node_[u].leaf == none) {
                const std::uint32_t left = node_[u].left, right = node_[u].right;
                const double to_left = node_[left].count ? farthest_bound(left, q) : -1.0;
                const double to_right = node_[right].count ? farthest_bound(right, q) : -1.0;
                const bool leftwards = to_left >= to_right;
                if (const double other = leftwards ? to_right : to_left; other >= best.distance && other >= 0.0)
                    stack.emplace_back(leftwards ? right : left, other);
                u = leftwards ? left : right;
                if ((leftwards ? to_left : to_right) < best.distance) break;
            }
            const std::uint32_t leaf = node_[u].leaf;
            if (leaf == none) continue;
            ++leaves_scanned;
            scan_(&column_[leaf * room * points_.d], q, points_.d, distance);
            if (distance[room + 1] < best.distance) continue;
            for (std::size_t s = 0; s < node_[u].count; ++s) {
                if (distance[s] < best.distance) continue;
                const Found here{distance[s], copies_.lowest(id_[leaf * room + s])};
                if (farther(here, best)) best = here;
            }
        }
        return best.index;
    }

    // The points leaf by leaf: neighbours in space are near each other in this order.
    std::vector<std::uint32_t> leaf_order() const {
        std::vector<std::uint32_t> order;
        order.reserve(node_[0].count);
        for (std::size_t at = 0; at < id_.size(); ++at)
            if (id_[at] != none && place_[id_[at]] == at) order.push_back(id_[at]);
        return order;
    }

  private:
    static constexpr double never = std::numeric_limits<double>::infinity();

    struct Node {
        std::uint32_t left, right, parent, leaf, count;
    };

    void plant(std::vector<std::uint32_t> point) {
        built_ = point.size();
        const std::size_t leaves = (built_ + room - 1) / room;
        node_.clear();
        node_.reserve(2 * leaves);
        box_.clear();
        leaf_node_.clear();
        id_.assign(leaves * room, none);
        column_.assign(leaves * room * points_.d, std::numeric_limits<double>::quiet_NaN());
        build(point.data(), built_, none);
    }

    std::uint32_t build(std::uint32_t* point, std::size_t n, std::uint32_t parent) {
        const auto u = static_cast<std::uint32_t>(node_.size());
        const std::size_t d = points_.d;
        node_.push_back({none, none, parent, none, static_cast<std::uint32_t>(n)});
        box_.resize(box_.size() + 2 * d);
        if (n <= room) {
            const std::size_t leaf = leaf_node_.size();
            node_[u].leaf = static_cast<std::uint32_t>(leaf);
            leaf_node_.push_back(u);
            for (std::size_t s = 0; s < n; ++s) {
                const std::size_t at = leaf * room + s;
                id_[at] = point[s];
                place_[point[s]] = static_cast<std::uint32_t>(at);
                for (std::size_t j = 0; j < d; ++j) column_[(leaf * d + j) * room + s] = points_[point[s]][j];
            }
            tighten(u);
            return u;
        }
        const std::size_t axis = widest_axis(points_, point, n);
        const std::size_t half = ((n + room - 1) / room + 1) / 2 * room;  // full leaves on the left
        std::nth_element(point, point + half, point + n, [&](std::uint32_t a, std::uint32_t b) {
            return points_[a][axis] < points_[b][axis] || (points_[a][axis] == points_[b][axis] && a < b);
        });
        const std::uint32_t left = build(point, half, u);
        const std::uint32_t right = build(point + half, n - half, u);
        node_[u].left = left;
        node_[u].right = right;
        tighten(u);
        return u;
    }

    // Fits the box of u to what it holds; whether it changed.
    bool tighten(std::uint32_t u) {
        const std::size_t d = points_.d;
        double* box = &box_[u * 2 * d];
        bool changed = false;
        for (std::size_t j = 0; j < d; ++j) {
            double low = never, high = -never;
            if (const std::uint32_t leaf = node_[u].leaf; leaf != none) {
                const double* column = &column_[(leaf * d + j) * room];
                for (std::size_t s = 0; s < node_[u].count; ++s) {
                    low = column[s] < low ? column[s] : low;
                    high = column[s] > high ? column[s] : high;
                }
            } else {
                for (const std::uint32_t child : {node_[u].left, node_[u].right}) {
                    if (node_[child].count == 0) continue;
                    low = std::min(low, box_[child * 2 * d + 2 * j]);
                    high = std::max(high, box_[child * 2 * d + 2 * j + 1]);
                }
            }
            changed |= box[2 * j] != low || box[2 * j + 1] != high;
            box[2 * j] = low;
            box[2 * j + 1] = high;
        }
        return changed;
    }

    double nearest_bound(std::uint32_t u, const double* q) const {
        const double* box = &box_[u * 2 * points_.d];
        double sum = 0.0;
        for (std::size_t j = 0; j < points_.d; ++j) {
            const double below = box[2 * j] - q[j], above = q[j] - box[2 * j + 1];
            const double off = std::max(std::max(below, above), 0.0);
            sum += off * off;
        }
        return sum;
    }

    double farthest_bound(std::uint32_t u, const double* q) const {
        const double* box = &box_[u * 2 * points_.d];
        double sum = 0.0;
        for (std::size_t j = 0; j < points_.d; ++j) {
            const double off = std::max(q[j] - box[2 * j], box[2 * j + 1] - q[j]);
            sum += off * off;
        }
        return sum;
    }

    Points points_;
    void (*scan_)(const double*, const double*, std::size_t, double*);
    Copies copies_;
    std::vector<Node> node_;
    std::vector<double> box_;               // of node u, coordinate j: least and greatest at 2 (u d + j)
    std::vector<std::uint32_t> leaf_node_;  // leaf -> its node
    std::vector<std::uint32_t> id_;         // place -> point
    std::vector<std::uint32_t> place_;      // point -> place, or none
    std::vector<double> column_;            // of leaf l, coordinate j: `room` values at (l d + j) room
    std::size_t built_ = 0;
};

}  // namespace covey::space
