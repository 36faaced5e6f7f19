// Points in leaves of a k-d tree that never changes, and the nearest of a point: exactly, or among so many leaves.
//
// All points of a leaf are asked about together. The leaves that could hold their nearest are looked at by their distance,
// the nearest first (best bin first), until what is left cannot be nearer, or until enough have been seen. The nodes lie in the order of a walk that goes left first: the
// left child of node u follows it, and after its 2c-1 nodes, for c leaves, comes the right one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../memory.hpp"
#include "../watch.hpp"
#include "few.hpp"
#include "halves.hpp"
#include "points.hpp"
#include "tree.hpp"

namespace covey::space {

class Leaves {
  public:
    // Puts the points, rows of `rows` that all differ, into the order of the leaves.
    Leaves(const Points& rows, std::vector<std::uint32_t>& point, const Watch& watch)
        : d_(rows.d), n_(point.size()), scan_(fastest<LeafScan, const double*, const double*, std::size_t, double*>()),
          boxes_(fastest<BoxScan, const double*, const double*, std::size_t, std::size_t, double*>()) {
        Halves(rows, point, room, room, watch);
        count_ = (n_ + room - 1) / room;
        column_ = Buffer<double>(count_ * room * d_);
        box_ = Buffer<double>((2 * count_ - 1) * 2 * d_);
        constexpr std::size_t batch = 256;
        each_on_all_cores((count_ + batch - 1) / batch, watch.part(1.0, 1.0), [&](std::size_t b, const Poll&) {
            for (std::size_t leaf = b * batch; leaf < std::min(count_, (b + 1) * batch); ++leaf)
                for (std::size_t s = 0; s < room; ++s) {
                    const std::size_t at = leaf * room + s;
                    for (std::size_t j = 0; j < d_; ++j)
                        column_[(leaf * d_ + j) * room + s] =
                            at < n_ ? rows[point[at]][j] : std::numeric_limits<double>::quiet_NaN();
                }
        });
        enclose({0, 0, count_});
    }

    std::size_t size() const { return n_; }

    std::size_t leaves() const { return count_; }
    std::size_t first(std::size_t leaf) const { return leaf * room; }
    std::size_t held(std::size_t leaf) const { return std::min(room, n_ - leaf * room); }

    // near[s]: the m nearest others of the s-th point of a leaf, by their places, among those of `most` leaves: of `reach`
    // leaves that are near the middle of this one, those that are nearest to the point.
    void nearest(std::size_t leaf, std::size_t m, std::size_t most, std::size_t reach, std::vector<Few>& near) const {
        thread_local std::vector<Bin> bins;
        thread_local std::vector<std::uint32_t> leaves;
        thread_local std::vector<double> box, row, bound;
        const std::size_t here = held(leaf);
        near.resize(std::max(near.size(), here));
        for (Few& few : near) few.start(m);
        const Asking asking = asking_of(leaf);
        bins.clear();
        leaves.clear();
        push(bins, asking, {0, 0, count_}, never);
        box.assign(2 * d_ * reach, never);
        while (leaves.size() < reach && !bins.empty()) {
            std::pop_heap(bins.begin(), bins.end());
            const Node node = bins.back().node;
            bins.pop_back();
            if (node.leaves > 1) {
                push(bins, asking, left_of(node), never);
                push(bins, asking, right_of(node), never);
                continue;
            }
            for (std::size_t j = 0; j < 2 * d_; ++j) box[j * reach + leaves.size()] = box_[node.at * 2 * d_ + j];
            leaves.push_back(static_cast<std::uint32_t>(node.first));
        }
        row.resize(d_);
        bound.resize(reach);
        double distance[LeafScan::results];
        thread_local std::vector<std::pair<double, std::uint32_t>> best;
        for (std::size_t s = 0; s < here; ++s) {
            for (std::size_t j = 0; j < d_; ++j) row[j] = column_[(leaf * d_ + j) * room + s];
            boxes_(box.data(), row.data(), d_, reach, bound.data());
            best.clear();
            for (std::size_t l = 0; l < leaves.size(); ++l) best.emplace_back(bound[l], leaves[l]);
            if (best.size() > most) {
                std::nth_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(most), best.end());
                best.resize(most);
            }
            std::sort(best.begin(), best.end());
            for (const auto& [off, other] : best) {
                if (off > near[s].limit()) break;
                scan_(&column_[other * room * d_], row.data(), d_, distance);
                if (distance[room] > near[s].limit()) continue;
                const std::uint32_t self = other == leaf ? static_cast<std::uint32_t>(s) : none;
                near[s].offer(distance, held(other), static_cast<std::uint32_t>(first(other)), self);
            }
        }
    }

    // near[s]: the m nearest others of the s-th point of a leaf, by their places.
    void nearest(std::size_t leaf, std::size_t m, std::vector<Few>& near) const {
        thread_local std::vector<Bin> bins;
        thread_local std::vector<double> row;
        const std::size_t here = held(leaf);
        near.resize(std::max(near.size(), here));
        for (Few& few : near) few.start(m);
        row.resize(d_);
        const Asking asking = asking_of(leaf);
        double distance[LeafScan::results];
        bins.clear();
        push(bins, asking, {0, 0, count_}, never);
        double limit = never;
        while (!bins.empty()) {
            std::pop_heap(bins.begin(), bins.end());
            const Bin bin = bins.back();
            bins.pop_back();
            if (bin.bound > limit) continue;
            if (bin.node.leaves > 1) {
                push(bins, asking, left_of(bin.node), limit);
                push(bins, asking, right_of(bin.node), limit);
                continue;
            }
            const double* columns = &column_[bin.node.first * room * d_];
            const auto at = static_cast<std::uint32_t>(first(bin.node.first));
            for (std::size_t s = 0; s < here; ++s) {
                for (std::size_t j = 0; j < d_; ++j) row[j] = column_[(leaf * d_ + j) * room + s];
                scan_(columns, row.data(), d_, distance);
                if (distance[room] > near[s].limit()) continue;
                const std::uint32_t self = bin.node.first == leaf ? static_cast<std::uint32_t>(s) : none;
                near[s].offer(distance, held(bin.node.first), at, self);
            }
            limit = 0.0;
            for (std::size_t s = 0; s < here; ++s) limit = std::max(limit, near[s].limit());
        }
    }

  private:
    struct Node {
        std::size_t at, first, leaves;
    };

    // A node that may hold near points: what it cannot be nearer than, and how near it is to the middle of the leaf that asks.
    struct Bin {
        double bound, nearness;
        Node node;
        friend bool operator<(const Bin& a, const Bin& b) {
            return a.nearness > b.nearness || (a.nearness == b.nearness && a.node.at > b.node.at);
        }
    };

    // The box and the mean of a leaf.
    struct Asking {
        std::vector<double> box, middle;
    };

    Asking asking_of(std::size_t leaf) const {
        Asking asking{std::vector<double>(2 * d_), std::vector<double>(d_)};
        enclose(leaf, asking.box.data());
        for (std::size_t j = 0; j < d_; ++j) {
            const double* column = &column_[(leaf * d_ + j) * room];
            double sum = 0.0;
            for (std::size_t s = 0; s < held(leaf); ++s) sum += column[s] - column[0];
            asking.middle[j] = column[0] + sum / static_cast<double>(held(leaf));
        }
        return asking;
    }

    void push(std::vector<Bin>& bins, const Asking& asking, const Node& node, double limit) const {
        const double* box = &box_[node.at * 2 * d_];
        double bound = 0.0, nearness = 0.0;
        for (std::size_t j = 0; j < d_; ++j) {
            const double low = box[2 * j], high = box[2 * j + 1], at = asking.middle[j];
            const double gap = std::max(std::max(low - asking.box[2 * j + 1], asking.box[2 * j] - high), 0.0);
            const double off = std::max(std::max(low - at, at - high), 0.0);
            bound += gap * gap;
            nearness += off * off;
        }
        if (bound > limit) return;
        bins.push_back({bound, nearness, node});
        std::push_heap(bins.begin(), bins.end());
    }

    static Node left_of(const Node& u) { return {u.at + 1, u.first, (u.leaves + 1) / 2}; }
    static Node right_of(const Node& u) {
        const std::size_t left = (u.leaves + 1) / 2;
        return {u.at + 2 * left, u.first + left, u.leaves - left};
    }

    void enclose(const Node& u) {
        double* box = &box_[u.at * 2 * d_];
        if (u.leaves > 1) {
            enclose(left_of(u));
            enclose(right_of(u));
            const double* left = &box_[left_of(u).at * 2 * d_];
            const double* right = &box_[right_of(u).at * 2 * d_];
            for (std::size_t j = 0; j < d_; ++j) {
                box[2 * j] = std::min(left[2 * j], right[2 * j]);
                box[2 * j + 1] = std::max(left[2 * j + 1], right[2 * j + 1]);
            }
            return;
        }
        enclose(u.first, box);
    }

    void enclose(std::size_t leaf, double* box) const {
        for (std::size_t j = 0; j < d_; ++j) {
            const double* column = &column_[(leaf * d_ + j) * room];
            const auto [low, high] = std::minmax_element(column, column + held(leaf));
            box[2 * j] = *low;
            box[2 * j + 1] = *high;
        }
    }

    static constexpr double never = std::numeric_limits<double>::infinity();

    std::size_t d_, n_, count_ = 0;
    void (*scan_)(const double*, const double*, std::size_t, double*);
    void (*boxes_)(const double*, const double*, std::size_t, std::size_t, double*);
    Buffer<double> column_, box_;
};

}  // namespace covey::space
