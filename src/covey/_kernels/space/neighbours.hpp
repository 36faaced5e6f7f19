// The m nearest neighbours of every record, nearest first, on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "../memory.hpp"
#include "../parallel.hpp"
#include "../poll.hpp"
#include "tree.hpp"

namespace covey::space {

// visit(p, found): called once for every point of `order`, from several threads, with the m nearest to it, its own records
// among them.
template <class Visit>
void each_point(const Points& points, const Tree& tree, const std::vector<std::uint32_t>& order, std::size_t m,
                const Poll& poll, const Visit& visit) {
    constexpr std::size_t batch = 256;
    std::atomic<std::size_t> next{0};
    in_parallel(threads_for(64 * order.size()), [&](std::size_t t) {
        std::vector<Found> found;
        for (std::size_t first; (first = next.fetch_add(batch)) < order.size();) {
            for (std::size_t at = first; at < std::min(first + batch, order.size()); ++at) {
                tree.nearest(points[order[at]], m, found);
                visit(order[at], found);
            }
            if (t != 0) continue;
            try {
                poll();
            } catch (...) {
                next = order.size();
                throw;
            }
        }
    });
}

// Row i: the m nearest of record i. Lemma: those of each of several equal records are the first m, without itself, of the
// m+1 nearest to their point.
inline Buffer<std::uint32_t> neighbour_lists(const Points& points, std::size_t m, const Poll& poll) {
    Buffer<std::uint32_t> lists(points.n * m);
    if (m == 0) return lists;
    const Tree tree(points);
    each_point(points, tree, tree.leaf_order(), m + 1, poll, [&](std::uint32_t p, const std::vector<Found>& found) {
        for (std::uint32_t i = tree.copies().lowest(p); i != none; i = tree.copies().next(i)) {
            std::size_t s = 0;
            for (const Found& f : found)
                if (f.index != i && s < m) lists[i * m + s++] = f.index;
        }
    });
    return lists;
}

// For each of these records the sum of the squared distances to its m nearest others: the same for equal records.
inline std::vector<double> neighbour_sums(const Points& points, const std::vector<std::uint32_t>& records,
                                          std::size_t m, const Poll& poll) {
    const Tree tree(points);
    std::vector<bool> asked(points.n, false);
    for (const std::uint32_t i : records) asked[tree.copies().point(i)] = true;
    std::vector<std::uint32_t> order = tree.leaf_order();  // neighbours ask for the same leaves
    std::erase_if(order, [&](std::uint32_t p) { return !asked[p]; });
    std::vector<double> sum(points.n, 0.0);
    each_point(points, tree, order, m + 1, poll, [&](std::uint32_t p, const std::vector<Found>& found) {
        for (const Found& f : found) sum[p] += f.distance;
    });
    std::vector<double> result;
    for (const std::uint32_t i : records) result.push_back(sum[tree.copies().point(i)]);
    return result;
}

// SSE of any partition into groups of at least k is at least the sum over the records of 1/2k of the squared distances
// to their k-1 nearest: a group of s pays 1/2s of the distances to s-1 others, and s -> (s-1)/s times a mean of the
// least grows.
inline double neighbour_bound(const Points& points, std::size_t k, const Poll& poll) {
    std::vector<std::uint32_t> all(points.n);
    std::iota(all.begin(), all.end(), 0U);
    double bound = 0.0;
    for (const double sum : neighbour_sums(points, all, k - 1, poll)) bound += sum;
    return bound / (2.0 * static_cast<double>(k));
}

}  // namespace covey::space
