// Repeated ordering from several starts, on all cores.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../parallel.hpp"
#include "../poll.hpp"
#include "groups.hpp"
#include "sequence.hpp"

namespace covey::space {

struct FromStarts {
    Grouping best;
    std::vector<std::vector<double>> losses;  // of every start, of all its iterations
};

// `starts`: the labels of every start, one start after another.
inline FromStarts repeated_ordering(const Points& points, const std::uint32_t* starts, std::size_t count, std::size_t k,
                                    double least_fall, const Poll& poll) {
    std::vector<std::vector<double>> losses(count);
    std::vector<Grouping> found(count);
    std::atomic<std::size_t> next{0};
    in_parallel(std::min(count, threads_for(std::size_t{1} << 31)), [&](std::size_t t) {
        RepeatedOrdering ordering(points);
        Poll own = t == 0 ? poll : Poll([] {});
        try {
            for (std::size_t s; (s = next.fetch_add(1)) < count;) {
                const std::vector<std::uint32_t> labels(starts + s * points.n, starts + (s + 1) * points.n);
                found[s] = ordering.run(labels, count_groups(labels), k, least_fall, losses[s], own);
            }
        } catch (...) {
            next = count;
            throw;
        }
    });
    const auto least = [](const std::vector<double>& of) { return *std::min_element(of.begin(), of.end()); };
    const auto best = std::min_element(losses.begin(), losses.end(),
                                       [&](const auto& a, const auto& b) { return least(a) < least(b); });
    return {std::move(found[static_cast<std::size_t>(best - losses.begin())]), std::move(losses)};
}

}  // namespace covey::space
