// The m nearest neighbours of every record, nearest first, on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "../memory.hpp"
#include "../parallel.hpp"
#include "../poll.hpp"
#include "tree.hpp"

namespace covey::space {

// visit(i, found): called once for every record, from several threads. Equal records share one question: the m nearest of
// each are the first m, without itself, of the m+1 nearest to their point.
template <class Visit>
void each_neighbourhood(const Points& points, const Tree& tree, std::size_t m, const Poll& poll, const Visit& visit) {
    const std::vector<std::uint32_t> order = tree.leaf_order();  // neighbours ask for the same leaves
    constexpr std::size_t batch = 256;
    std::atomic<std::size_t> next{0};
    in_parallel(threads_for(64 * points.n), [&](std::size_t t) {
        std::vector<Found> found, others;
        for (std::size_t first; (first = next.fetch_add(batch)) < order.size();) {
            for (std::size_t at = first; at < std::min(first + batch, order.size()); ++at) {
                tree.nearest(points[order[at]], m + 1, found);
                for (std::uint32_t i = tree.copies().lowest(order[at]); i != none; i = tree.copies().next(i)) {
                    others.clear();
                    std::copy_if(found.begin(), found.end(), std::back_inserter(others), [=](const Found& f) { return f.index != i; });
                    others.resize(m);
                    visit(i, others);
                }
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

// Row i: the m nearest of record i.
inline Buffer<std::uint32_t> neighbour_lists(const Points& points, std::size_t m, const Poll& poll) {
    Buffer<std::uint32_t> lists(points.n * m);
    if (m == 0) return lists;
    each_neighbourhood(points, Tree(points), m, poll, [&](std::uint32_t i, const std::vector<Found>& found) {
        for (std::size_t s = 0; s < m; ++s) lists[i * m + s] = found[s].index;
    });
    return lists;
}

// SSE of any partition into groups of at least k is at least the sum over the records of 1/2k of the squared distances
// to their k-1 nearest: a group of s pays 1/2s of the distances to s-1 others, and s -> (s-1)/s times a mean of the
// least grows.
inline double neighbour_bound(const Points& points, std::size_t k, const Poll& poll) {
    std::vector<double> share(points.n);
    each_neighbourhood(points, Tree(points), k - 1, poll, [&](std::uint32_t i, const std::vector<Found>& found) {
        double sum = 0.0;
        for (const Found& f : found) sum += f.distance;
        share[i] = sum;
    });
    double bound = 0.0;
    for (double sum : share) bound += sum;
    return bound / (2.0 * static_cast<double>(k));
}

}  // namespace covey::space
