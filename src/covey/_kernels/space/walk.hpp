// Walks through all records, group by group, each group in one piece, for the cut to move the borders.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../poll.hpp"
#include "centre.hpp"
#include "groups.hpp"
#include "points.hpp"
#include "tree.hpp"

namespace covey::space {

// The record farthest from the centroid of all.
inline std::uint32_t outermost(const Points& points, const Tree& tree) {
    Centroid centroid(points);
    for (std::uint32_t i = 0; i < points.n; ++i) centroid.add(i);
    return tree.farthest(centroid.mean());
}

// From the outermost record: in a group always to the nearest record of it, then to the nearest record of all that are left.
inline std::vector<std::uint32_t> walk_by_records(const Points& points, const std::vector<std::uint32_t>& label,
                                                  Poll poll) {
    const Groups groups(label);
    Tree left(points);
    std::vector<std::uint32_t> sequence;
    sequence.reserve(points.n);
    for (std::uint32_t current = outermost(points, left);; current = left.nearest(points[current])) {
        std::vector<std::uint32_t> waiting = groups[label[current]];
        for (const std::uint32_t i : waiting) left.remove(i);
        for (;;) {
            sequence.push_back(current);
            std::erase(waiting, current);
            if (waiting.empty()) break;
            Found next{std::numeric_limits<double>::infinity(), none};
            for (const std::uint32_t i : waiting)
                if (const Found here{squared_distance(points[i], points[current], points.d), i}; here < next)
                    next = here;
            current = next.index;
            poll.tick(static_cast<int>(std::min<std::size_t>(waiting.size(), 1 << 16)));
        }
        if (left.size() == 0) return sequence;
        left.compact();
    }
}

// From the group of the outermost record to the group, of those not seen yet, whose centroid is nearest to any record of
// this one; the records by falling distance from that centroid, of the last group by rising distance from its own.
class WalkByCentroids {
  public:
    WalkByCentroids(const Points& points, const std::vector<std::uint32_t>& label, Poll poll)
        : points_(points), poll_(poll), records_(points), groups_(label), centre_(groups_.ids() * points.d),
          asked_(points.n, none) {
        Centroid mean(points);
        for (std::uint32_t g = 0; g < groups_.ids(); ++g) {
            mean.clear();
            for (const std::uint32_t i : groups_[g]) mean.add(i);
            std::copy_n(mean.mean(), points.d, &centre_[g * points.d]);
        }
    }

    std::vector<std::uint32_t> run() {
        const Points centres{centre_.data(), groups_.ids(), points_.d};
        Tree unseen(centres);
        for (std::uint32_t g = groups_.label[outermost(points_, records_)];;) {
            unseen.remove(g);
            unseen.compact();
            if (unseen.size() == 0) {
                append(g, centres[g], 1.0);
                return std::move(sequence_);
            }
            const std::uint32_t next = nearest_group(g, unseen);
            append(g, centres[next], -1.0);
            g = next;
        }
    }

  private:
    std::uint32_t nearest_group(std::uint32_t g, const Tree& unseen) {
        Found best{std::numeric_limits<double>::infinity(), none};
        for (const std::uint32_t i : groups_[g]) {
            std::uint32_t& asked = asked_[records_.copies().point(i)];
            if (asked == g) continue;  // an equal record has the same answer
            asked = g;
            unseen.nearest(points_[i], 1, found_);
            if (found_.front() < best) best = found_.front();
            poll_.tick(64);
        }
        return best.index;
    }

    // sign: 1 for rising, -1 for falling distance from q. Of several at the same distance the lowest index comes first.
    void append(std::uint32_t g, const double* q, double sign) {
        found_.clear();
        for (const std::uint32_t i : groups_[g])
            found_.push_back({sign * squared_distance(points_[i], q, points_.d), i});
        std::sort(found_.begin(), found_.end());
        for (const Found& f : found_) sequence_.push_back(f.index);
    }

    Points points_;
    Poll poll_;
    Tree records_;
    Groups groups_;
    std::vector<double> centre_;
    std::vector<std::uint32_t> asked_;  // point -> the group that asked last
    std::vector<Found> found_;
    std::vector<std::uint32_t> sequence_;
};

}  // namespace covey::space
