// The annealed search of a whole table: several anneals at once, each in rounds of blocks while the temperature falls. A small
// table is one block; the borders of a large one lie elsewhere in every round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../watch.hpp"
#include "anneal.hpp"
#include "auto.hpp"
#include "refine.hpp"

namespace covey::space {

class Annealing {
  public:
    // One anneal of `steps` for each seed, from the same groups; the best is kept.
    Annealing(const Points& points, const std::vector<std::uint32_t>& start, std::size_t k, std::size_t neighbours,
              double warmth, const std::vector<std::uint64_t>& seeds, std::size_t steps, const Objective* objective,
              const Watch& watch)
        : k_(k), steps_(steps), warmth_(warmth), block_(Effort::of(points, k).block),
          table_(points, k, neighbours, start.data(), watch), cost_(in_order(objective, table_)) {
        const Partition begun = partition_of(table_, start);
        const double loss = loss_of_partition(begun);
        for (const std::uint64_t seed : seeds) anneals_.push_back({seed, begun, begun.first_of, loss});
    }

    std::size_t done() const { return done_; }  // steps of every anneal

    // One more round of every anneal; the least loss so far.
    double run(const Watch& watch) {
        const std::size_t steps = std::min(steps_ - done_, steps_of_a_round());
        const double from = static_cast<double>(done_), all = static_cast<double>(steps_);
        const Cooling cooling{warmth_, from / all, (from + static_cast<double>(steps)) / all};
        each_block(watch.part(cooling.from, cooling.to), round_ % 3,
                   [&](const OneAnneal& of, std::size_t b, const Block& block, const Poll& poll) {
                       const double share =
                           static_cast<double>(block.points().n) / static_cast<double>(table_.rows().n);
                       const auto here = static_cast<std::size_t>(share * static_cast<double>(steps));
                       return annealed(block, cooling, mixed(of.seed, round_, b), std::max<std::size_t>(here, 1), poll);
                   });
        done_ += steps;
        ++round_;
        return keep_best();
    }

    // Local search at the end of every anneal.
    void finish(const Watch& watch) {
        for (OneAnneal& anneal : anneals_) anneal.partition = Partition(anneal.best);
        const std::size_t rounds = is_one_block() ? 1 : 2;
        for (std::size_t turns = 0; turns < rounds; ++turns)
            each_block(watch, turns, [&](const OneAnneal&, std::size_t, const Block& block, const Poll& poll) {
                return search(block, k_, 0, 0, poll);
            });
        keep_best();
    }

    // The labels of the best groups so far.
    std::vector<std::uint32_t> best() const { return to_labels(table_, best_anneal().best); }

  private:
    struct OneAnneal {
        std::uint64_t seed;
        Partition partition;
        std::vector<std::uint32_t> best;  // of every record the first of its group
        double best_loss;
    };

    bool is_one_block() const { return table_.rows().n <= block_; }
    const Objective* cost() const { return cost_ ? &*cost_ : nullptr; }

    // A round of a small table is a moment; a large one has few, since each makes its blocks anew.
    std::size_t steps_of_a_round() const {
        constexpr std::size_t rounds = 12, small_rounds = 50, moment = 400'000;
        const std::size_t most =
            is_one_block() ? std::min(steps_ / small_rounds, moment / (k_ * k_ * table_.rows().d)) : steps_ / rounds;
        return std::max<std::size_t>(1, most);
    }

    template <class Work>
    void each_block(const Watch& watch, std::size_t turns, const Work& work) {
        if (!is_one_block()) {
            for (std::size_t a = 0; a < anneals_.size(); ++a)
                in_blocks(table_, anneals_[a].partition, block_, turns, cost(), watch.part_of(a, anneals_.size()),
                          [&](std::size_t b, const Block& block, const Poll& poll) {
                              return work(anneals_[a], b, block, poll);
                          });
            return;
        }
        each_on_all_cores(anneals_.size(), watch, [&](std::size_t a, const Poll& poll) {
            in_blocks(
                table_, anneals_[a].partition, block_, 0, cost(), Watch{poll},
                [&](std::size_t b, const Block& block, const Poll&) { return work(anneals_[a], b, block, poll); });
        });
    }

    std::vector<std::uint32_t> annealed(const Block& block, const Cooling& cooling, std::uint64_t seed,
                                        std::size_t steps, const Poll& poll) const {
        const Points points = block.points();
        return with_losses(points, k_, block.cost(), [&](const auto&, const auto& pool) {
            Anneal anneal(points, k_, Groups(block.label), block.lists(), cooling, seed, steps, pool);
            anneal.advance(steps, poll);
            return anneal.groups().label;
        });
    }

    double keep_best() {
        for (OneAnneal& anneal : anneals_)
            if (const double loss = loss_of_partition(anneal.partition); loss < anneal.best_loss) {
                anneal.best_loss = loss;
                anneal.best = anneal.partition.first_of;
            }
        return best_anneal().best_loss;
    }

    const OneAnneal& best_anneal() const {
        return *std::min_element(anneals_.begin(), anneals_.end(),
                                 [](const OneAnneal& a, const OneAnneal& b) { return a.best_loss < b.best_loss; });
    }

    double loss_of_partition(const Partition& partition) const {
        return loss_of(table_.rows(), Groups(partition.first_of), cost());
    }

    // Another stream of random numbers for every block of every round.
    static std::uint64_t mixed(std::uint64_t seed, std::uint64_t round, std::uint64_t block) {
        std::uint64_t z = seed + 0x9E3779B97F4A7C15U * (round << 32 | (block + 1));
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31);
    }

    std::size_t k_, steps_;
    double warmth_;
    std::size_t block_;
    Table table_;
    std::optional<Objective> cost_;
    std::vector<OneAnneal> anneals_;
    std::size_t done_ = 0, round_ = 0;
};

}  // namespace covey::space
