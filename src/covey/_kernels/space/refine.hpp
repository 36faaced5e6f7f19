// Groups at less loss: searches in the blocks of a table, on all cores, in rounds with other borders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../watch.hpp"
#include "anneal.hpp"
#include "blocks.hpp"
#include "groups.hpp"
#include "local_search.hpp"
#include "losses_pool.hpp"
#include "table.hpp"

namespace covey::space {

// Calls f with the policy of the local search and the pool of the anneals: of squares, or of an objective.
template <class F>
auto with_losses(const Points& points, std::size_t k, const Objective* objective, F f) {
    if (objective == nullptr) return f(SquaresPolicy(points), Pool(points, k));
    return f(LossesPolicy(points, *objective), LossesPool(points, k, *objective));
}

inline double loss_of(const Points& points, const Groups& groups, const Objective* objective) {
    return objective == nullptr ? total_loss(points, groups) : Losses(points, *objective).total(groups);
}

// Local search of the groups of a block, then steps of a cold anneal, which takes improvements only, and local search again.
inline std::vector<std::uint32_t> search(const Block& block, std::size_t k, std::size_t steps, std::uint64_t seed,
                                         Poll poll) {
    const Points points = block.points();
    const Lists lists = block.lists();
    return with_losses(points, k, block.cost(), [&](const auto& policy, const auto& pool) {
        Groups groups(block.label);
        LocalSearch(points, k, groups, lists, poll, policy).run(block.open);
        if (steps == 0) return groups.label;
        Anneal anneal(points, k, groups, lists, Cooling{}, seed, steps, pool);
        anneal.advance(steps, poll);
        LocalSearch(points, k, anneal.groups(), lists, poll, policy).run(anneal.changed());
        return anneal.groups().label;
    });
}

// How a table is searched: what is near to a record, how much is in a block, and how many steps of an anneal there are for each
// record. Blocks are larger in many dimensions, where more of a block lies at its borders.
struct Effort {
    std::size_t neighbours, block;
    double steps;

    static Effort of(const Points& points, std::size_t k) {
        const bool is_small = points.n <= small, is_flat = points.d <= Sight::few;
        const std::size_t near = is_small ? 25 : points.d <= 3 ? 20 : 15;
        return {std::max(near, std::min<std::size_t>(2 * k, 100)),
                is_flat ? std::size_t{1} << 15 : std::size_t{1} << 16,
                (is_small || is_flat ? 6.0 : 9.0) / static_cast<double>(k)};
    }

    static constexpr std::size_t small = 10'000;
};

// One round: every block by itself. The seed and the steps of a block depend on the block alone.
template <class Work>
void in_blocks(const Table& table, Partition& partition, std::size_t most, std::size_t turns,
               const Objective* objective, const Watch& watch, const Work& work) {
    Blocks blocks(table.rows(), table.lists(), partition, most, turns);
    each_on_all_cores(blocks.count(), watch, [&](std::size_t b, const Poll& poll) {
        const Block block = blocks.take(b, objective);
        blocks.put(b, block, work(b, block, poll));
    });
}

// Half of the steps in blocks, half in blocks whose borders lie elsewhere; then local search across the borders of those.
inline void refine(const Table& table, std::size_t k, const Effort& effort, Partition& partition,
                   const Objective* objective, const Watch& watch) {
    const std::size_t n = table.rows().n;
    const auto round = [&](std::size_t turns, double share, const Watch& part) {
        in_blocks(table, partition, effort.block, turns, objective, part,
                  [&](std::size_t b, const Block& block, const Poll& poll) {
                      const double steps = share * effort.steps * static_cast<double>(block.points().n);
                      return search(block, k, static_cast<std::size_t>(steps), b, poll);
                  });
    };
    if (n <= effort.block) return round(0, 1.0, watch);
    round(0, 0.5, watch.part(0.0, 0.5));
    round(1, 0.5, watch.part(0.5, 0.9));
    round(2, 0.0, watch.part(0.9, 1.0));
}

}  // namespace covey::space
