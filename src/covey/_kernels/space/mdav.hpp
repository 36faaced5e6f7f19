// MDAV and its relatives: groups of k around records far from the centre, closed one after the other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../poll.hpp"
#include "centre.hpp"
#include "pass.hpp"
#include "points.hpp"
#include "scan.hpp"
#include "tree.hpp"

namespace covey::space {

// What all of them share: the records left, taken out one by one into the group that grows.
template <class Index, class Centre = FarthestFromCentre>
class Closing {
  public:
    explicit Closing(const Points& points) : points_(points), index(points), far(points) {}

    void take(std::uint32_t i) {
        index.remove(i);
        far.remove(i);
        grouping.order.push_back(i);
    }

    // A group of the record i and its k-1 nearest.
    void close_around(std::uint32_t i, std::size_t k, Poll& poll) {
        take(i);
        index.nearest(points_[i], k - 1, found_);
        close(found_, poll);
    }

    // A group of the record taken last and these.
    void close(const std::vector<Found>& others, Poll& poll) {
        const std::size_t first = grouping.order.size() - 1;
        for (const Found& f : others) take(f.index);
        grouping.close(first);
        index.compact();
        poll.tick(4096);
    }

    // A group of all that is left.
    void close_rest() {
        const std::size_t first = grouping.order.size();
        std::vector<bool> used(points_.n, false);
        for (std::uint32_t i : grouping.order) used[i] = true;
        for (std::uint32_t i = 0; i < points_.n; ++i)
            if (!used[i]) grouping.order.push_back(i);
        grouping.close(first);
    }

  private:
    Points points_;
    std::vector<Found> found_;

  public:
    Index index;
    Centre far;
    Grouping grouping;
};

// r: farthest from the centroid; s: of those not in r's group, farthest from r. Ties by lowest index.
template <class Index, class Centre = FarthestFromCentre>
Grouping mdav(const Points& points, std::size_t k, Poll poll) {
    Closing<Index, Centre> closing(points);
    while (closing.index.size() >= 3 * k) {
        const std::uint32_t r = closing.far.find();
        closing.close_around(r, k, poll);
        closing.close_around(closing.index.farthest(points[r], closing.far.farthest_of_far(points[r])), k, poll);
    }
    if (closing.index.size() >= 2 * k) closing.close_around(closing.far.find(), k, poll);
    closing.close_rest();
    return std::move(closing.grouping);
}

// The same by passes over all that is left. One pass answers for r and for a guess of s, which it confirms as a rule.
inline Grouping mdav_by_passes(const Points& points, std::size_t k, Poll poll) {
    Closing<Pass> closing(points);
    const auto close_around = [&](std::uint32_t i) {
        closing.take(i);
        closing.close(std::move(closing.index.ask(points[i], k - 1, points[i], 0).near_r).sorted(), poll);
    };
    while (closing.index.size() >= 3 * k) {
        const std::uint32_t r = closing.far.find();
        closing.take(r);
        const std::uint32_t guess = closing.far.farthest_of_far(points[r]);
        PassFound found = closing.index.ask(points[r], k - 1, points[guess], 2 * k);
        const std::vector<Found> near_r = std::move(found.near_r).sorted();
        std::vector<Found> near_s = std::move(found.near_s).sorted();
        closing.close(near_r, poll);
        const auto taken = [&](const Found& f) {
            return std::any_of(near_r.begin(), near_r.end(), [&](const Found& t) { return t.index == f.index; });
        };
        const std::uint32_t s =
            taken(found.far) ? closing.index.ask(points[r], 0, points[r], 0).far.index : found.far.index;
        if (s != guess) {
            close_around(s);
            continue;
        }
        std::erase_if(near_s, [&](const Found& f) { return f.index == s || taken(f); });
        near_s.resize(k - 1);
        closing.take(s);
        closing.close(near_s, poll);
    }
    if (closing.index.size() >= 2 * k) close_around(closing.far.find());
    closing.close_rest();
    return std::move(closing.grouping);
}

// Which of the two is faster: asks a tree for some of the far records and counts what it looks at. A twelfth of its leaves
// costs a tree as much as a pass over all of them, on two cores, as measured.
inline bool passes_are_faster(const Points& points, std::size_t k) {
    const Tree tree(points);
    if (tree.leaves() * room < 1000) return false;
    const FarthestFromCentre far(points);
    std::vector<Found> found;
    constexpr std::size_t questions = 16;
    const std::size_t before = leaves_scanned;
    for (std::uint32_t i : far.first(questions)) {
        tree.nearest(points[i], k, found);
        tree.farthest(points[i], far.farthest_of_far(points[i]));
    }
    return 12 * (leaves_scanned - before) > questions * tree.leaves();
}

inline Grouping mdav_by_the_faster(const Points& points, std::size_t k, Poll poll) {
    return passes_are_faster(points, k) ? mdav_by_passes(points, k, poll) : mdav<Tree>(points, k, poll);
}

// Each record that is left goes to the group with the nearest centroid, the earliest of several.
inline void spread_rest(const Points& points, Grouping& grouping) {
    std::vector<bool> used(points.n, false);
    std::vector<double> centre(grouping.sizes.size() * points.d);
    Centroid mean(points);
    std::size_t at = 0;
    for (std::size_t g = 0; g < grouping.sizes.size(); ++g) {
        mean.clear();
        for (std::size_t s = 0; s < grouping.sizes[g]; ++s, ++at) {
            used[grouping.order[at]] = true;
            mean.add(grouping.order[at]);
        }
        std::copy_n(mean.mean(), points.d, &centre[g * points.d]);
    }
    std::vector<std::vector<std::uint32_t>> extra(grouping.sizes.size());
    bool any = false;
    for (std::uint32_t i = 0; i < points.n; ++i) {
        if (used[i]) continue;
        Found best{std::numeric_limits<double>::infinity(), none};
        for (std::uint32_t g = 0; g < grouping.sizes.size(); ++g) {
            const Found here{squared_distance(points[i], &centre[g * points.d], points.d), g};
            if (here < best || best.index == none) best = here;
        }
        extra[best.index].push_back(i);
        any = true;
    }
    if (!any) return;
    Grouping all;
    at = 0;
    for (std::size_t g = 0; g < grouping.sizes.size(); ++g) {
        const std::size_t first = all.order.size();
        for (std::size_t s = 0; s < grouping.sizes[g]; ++s) all.order.push_back(grouping.order[at++]);
        all.order.insert(all.order.end(), extra[g].begin(), extra[g].end());
        all.close(first);
    }
    grouping = std::move(all);
}

// Centroid-based fixed size: as MDAV, but one group at a time, around the record farthest from the centroid of those left.
template <class Index, class Centre = FarthestFromCentre>
Grouping cbfs(const Points& points, std::size_t k, Poll poll) {
    Closing<Index, Centre> closing(points);
    while (closing.index.size() >= 2 * k) closing.close_around(closing.far.find(), k, poll);
    closing.close_rest();
    return std::move(closing.grouping);
}

// From the same records, but the group grows by the record nearest to its own centroid.
inline Grouping cbfs_growing(const Points& points, std::size_t k, Poll poll) {
    Closing<Tree> closing(points);
    Centroid mean(points);
    while (closing.index.size() >= k) {
        const std::size_t first = closing.grouping.order.size();
        mean.clear();
        for (std::uint32_t i = closing.far.find();; i = closing.index.nearest(mean.mean())) {
            closing.take(i);
            mean.add(i);
            if (mean.count() == k) break;
        }
        closing.grouping.close(first);
        closing.index.compact();
        poll.tick(4096);
    }
    spread_rest(points, closing.grouping);
    return std::move(closing.grouping);
}

// V-MDAV: groups of k around the record farthest from the centroid of all, then grown while a near record has no nearer
// friend outside: by e, the record left that is nearest to a member, while d(e, member) < gamma d(e, others left).
inline Grouping vmdav(const Points& points, std::size_t k, double gamma, Poll poll) {
    Tree tree(points);
    Grouping grouping;
    Centroid mean(points);
    for (std::uint32_t i = 0; i < points.n; ++i) mean.add(i);
    std::vector<Found> outward(points.n), found;
    for (std::uint32_t i = 0; i < points.n; ++i) outward[i] = {-squared_distance(points[i], mean.mean(), points.d), i};
    std::sort(outward.begin(), outward.end());
    std::vector<Found> friends;  // of each member of the group: the nearest record left
    for (const Found& start : outward) {
        if (tree.size() < k) break;
        if (!tree.copies().holds(start.index)) continue;
        const std::size_t first = grouping.order.size();
        const auto take = [&](std::uint32_t i) {
            tree.remove(i);
            grouping.order.push_back(i);
        };
        take(start.index);
        tree.nearest(points[start.index], k - 1, found);
        for (const Found& f : std::vector<Found>(found)) take(f.index);
        const auto friend_of = [&](std::uint32_t i) {
            tree.nearest(points[i], 1, found);
            return found.front();
        };
        friends.clear();
        while (grouping.order.size() - first < 2 * k - 1 && tree.size() > 0) {
            for (std::size_t m = 0; m < grouping.order.size() - first; ++m)
                if (m >= friends.size()) friends.push_back(friend_of(grouping.order[first + m]));
                else if (!tree.copies().holds(friends[m].index)) friends[m] = friend_of(grouping.order[first + m]);
            const Found e = *std::min_element(friends.begin(), friends.end());
            tree.nearest(points[e.index], 2, found);  // itself, at no distance, and another
            const double others = found.size() < 2 ? std::numeric_limits<double>::infinity() : found.back().distance;
            if (!(std::sqrt(e.distance) < gamma * std::sqrt(others))) break;
            take(e.index);
        }
        grouping.close(first);
        tree.compact();
        poll.tick(4096);
    }
    spread_rest(points, grouping);
    return grouping;
}

// Nearest point next: from the record farthest from the centroid, always to the nearest record not seen yet.
inline std::vector<std::uint32_t> nearest_point_next(const Points& points, Poll poll) {
    Closing<Tree> closing(points);
    for (std::uint32_t i = closing.far.find();; i = closing.index.nearest(points[i])) {
        closing.take(i);
        if (closing.index.size() == 0) break;
        closing.index.compact();
        poll.tick(1024);
    }
    return std::move(closing.grouping.order);
}

}  // namespace covey::space
