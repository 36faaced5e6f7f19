// Points with prices, in boxes of boxes: the pairs that cost less than their two prices together.
//
// Points stand in the order of the leaves of a k-d tree, so a stretch of them lies together, and halves of stretches make a
// binary tree. A box knows the least and the greatest price in it, so whole boxes are left out. Lemma: rounding is monotone and
// every sum runs over the coordinates in the same order, so the computed distance to a box is at most the computed distance to
// any point in it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../lanes.hpp"
#include "../memory.hpp"
#include "points.hpp"
#include "tree.hpp"

namespace covey::space {

class PriceBoxes {
  public:
    // Both outlive it. The prices of places are known only after `price`.
    PriceBoxes(const Points& rows, const std::vector<double>& price)
        : rows_(rows), price_(price), scan_(fastest<LeafScan, const double*, const double*, std::size_t, double*>()),
          column_((rows.n + room - 1) / room * room * rows.d) {
        for (std::size_t q = 0; q < column_.size() / rows.d; ++q)
            for (std::size_t j = 0; j < rows.d; ++j)
                column_[(q / room * rows.d + j) * room + q % room] =
                    q < rows.n ? rows[q][j] : std::numeric_limits<double>::quiet_NaN();
        node_.reserve(4 * (rows.n / room + 1));
        box_.reserve(8 * rows.d * (rows.n / room + 1));
        if (rows.n != 0) build(0, rows.n);
    }

    // visit(q, squared): every q that is cheaper than p (at one price: before it) where squared * scale < price of p + price
    // of q, as computed.
    template <class Visit>
    void each_below(std::uint32_t p, double scale, std::vector<std::uint32_t>& stack, const Visit& visit) const {
        const double* x = rows_[p];
        const double price = price_[p];
        stack.assign(1, 0U);
        while (!stack.empty()) {
            const std::uint32_t u = stack.back();
            const Node& node = node_[u];
            stack.pop_back();
            if (node.low > price || distance(u, x) * scale >= price + std::min(price, node.high)) continue;
            if (node.right != none) {
                stack.push_back(node.right);
                stack.push_back(u + 1);
                continue;
            }
            double squared[LeafScan::results];
            scan_(&column_[node.first * rows_.d], x, rows_.d, squared);  // a leaf begins at a multiple of its room
            if (squared[room] * scale >= price + std::min(price, node.high)) continue;
            for (std::uint32_t q = node.first; q < node.last; ++q) {
                const double other = price_[q], here = squared[q - node.first];
                if (here * scale < price + other && (other < price || (other == price && q < p))) visit(q, here);
            }
        }
    }

    // visit(q, squared): every q but p where squared * scale < budget + price of q, as computed.
    template <class Visit>
    void each_near(std::uint32_t p, double budget, double scale, std::vector<std::uint32_t>& stack,
                   const Visit& visit) const {
        const double* x = rows_[p];
        stack.assign(1, 0U);
        while (!stack.empty()) {
            const std::uint32_t u = stack.back();
            const Node& node = node_[u];
            stack.pop_back();
            if (distance(u, x) * scale >= budget + node.high) continue;
            if (node.right != none) {
                stack.push_back(node.right);
                stack.push_back(u + 1);
                continue;
            }
            double squared[LeafScan::results];
            scan_(&column_[node.first * rows_.d], x, rows_.d, squared);
            for (std::uint32_t q = node.first; q < node.last; ++q)
                if (q != p && squared[q - node.first] * scale < budget + price_[q]) visit(q, squared[q - node.first]);
        }
    }

  private:
    struct Node {
        std::uint32_t first, last, right;  // the left half is the next node
        double low, high;                  // prices
    };

    std::uint32_t build(std::size_t first, std::size_t last) {
        const auto u = static_cast<std::uint32_t>(node_.size());
        node_.push_back({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last), none, 0.0, 0.0});
        box_.resize(box_.size() + 2 * rows_.d);
        if (last - first <= room) {
            const auto [low, high] = std::minmax_element(price_.begin() + static_cast<std::ptrdiff_t>(first),
                                                         price_.begin() + static_cast<std::ptrdiff_t>(last));
            node_[u].low = *low;
            node_[u].high = *high;
            fit(u);
            return u;
        }
        const std::size_t half = ((last - first + room - 1) / room + 1) / 2 * room;
        const std::uint32_t left = build(first, first + half), right = build(first + half, last);
        node_[u].right = right;
        node_[u].low = std::min(node_[left].low, node_[right].low);
        node_[u].high = std::max(node_[left].high, node_[right].high);
        for (std::size_t j = 0; j < 2 * rows_.d; j += 2) {
            double* box = box_.data() + j;
            const std::size_t own = 2 * rows_.d * u, a = 2 * rows_.d * left, b = 2 * rows_.d * right;
            box[own] = std::min(box[a], box[b]);
            box[own + 1] = std::max(box[a + 1], box[b + 1]);
        }
        return u;
    }

    void fit(std::uint32_t u) {
        double* box = &box_[2 * rows_.d * u];
        for (std::size_t j = 0; j < rows_.d; ++j) {
            double least = rows_[node_[u].first][j], most = least;
            for (std::uint32_t q = node_[u].first + 1; q < node_[u].last; ++q) {
                least = std::min(least, rows_[q][j]);
                most = std::max(most, rows_[q][j]);
            }
            box[2 * j] = least;
            box[2 * j + 1] = most;
        }
    }

    double distance(std::uint32_t u, const double* x) const {
        const double* box = &box_[2 * rows_.d * u];
        double sum = 0.0;
        for (std::size_t j = 0; j < rows_.d; ++j) {
            const double off = std::max(std::max(box[2 * j] - x[j], x[j] - box[2 * j + 1]), 0.0);
            sum += off * off;
        }
        return sum;
    }

    Points rows_;
    const std::vector<double>& price_;
    void (*scan_)(const double*, const double*, std::size_t, double*);
    Buffer<double> column_;  // of leaf l, coordinate j: `room` values at (l d + j) room
    std::vector<Node> node_;
    std::vector<double> box_;  // of node u, coordinate j: least and greatest at 2 (u d + j)
};

}  // namespace covey::space
