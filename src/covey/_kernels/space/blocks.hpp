// The groups of a large table in blocks, each a table of its own that one thread searches.
//
// A partition has for every record the first record of its group. Blocks hold whole groups, near each other by their
// centroids: cut at the middle of the widest axis, again and again. So what is in a block depends on the groups alone, and
// not on who works on it. In the next round the axes are turned: borders of one round lie inside the blocks of another.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "costs.hpp"
#include "halves.hpp"
#include "points.hpp"
#include "table.hpp"

namespace covey::space {

struct Block {
    std::vector<double> x;
    std::vector<std::uint32_t> near, label;  // labels 0, 1, ...
    std::vector<bool> open;                  // records that are still to be looked at
    std::size_t m = 0, d = 0;
    std::optional<Objective> objective;

    Points points() const { return {x.data(), label.size(), d}; }
    Lists lists() const { return {near.data(), m}; }
    const Objective* cost() const { return objective ? &*objective : nullptr; }
};

// A partition that rounds of searches change: for every record the first record of its group, and whether something near it
// has not been looked at yet.
struct Partition {
    explicit Partition(std::vector<std::uint32_t> first) : first_of(std::move(first)), open(first_of.size(), 1) {}
    std::vector<std::uint32_t> first_of;
    std::vector<char> open;
};

class Blocks {
  public:
    // A moment for millions of records. Blocks of at most about `most` records. The partition is changed in place by `put`.
    Blocks(const Points& points, const Lists& lists, Partition& partition, std::size_t most, std::size_t turns)
        : points_(points), lists_(lists), first_of_(partition.first_of), open_(partition.open), block_(points.n),
          member_(points.n), within_(points.n) {
        std::vector<std::uint32_t> group(points.n);
        std::vector<double> centre;
        const std::size_t groups = centroids(group, centre);
        for (std::size_t t = 0; t < turns; ++t) turn(centre, groups);
        std::vector<std::uint32_t> order(groups);
        std::iota(order.begin(), order.end(), 0U);
        const std::size_t groups_in = std::max<std::size_t>(1, most * groups / points.n);
        const std::vector<std::size_t> starts =
            Halves({centre.data(), groups, points.d}, order, 1, groups_in, Watch{Poll([] {})}).starts();
        std::vector<std::uint32_t> block_of(groups);
        for (std::size_t b = 0; b + 1 < starts.size(); ++b)
            for (std::size_t g = starts[b]; g < starts[b + 1]; ++g) block_of[order[g]] = static_cast<std::uint32_t>(b);
        starts_.assign(starts.size(), 0);
        for (std::size_t i = 0; i < points.n; ++i) {
            block_[i] = block_of[group[i]];
            ++starts_[block_[i] + 1];
        }
        std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
        std::vector<std::uint32_t> filled(starts.size(), 0);
        for (std::uint32_t i = 0; i < points.n; ++i) {
            within_[i] = filled[block_[i]]++;
            member_[starts_[block_[i]] + within_[i]] = i;
        }
    }

    std::size_t count() const { return starts_.size() - 1; }
    std::size_t records(std::size_t b) const { return starts_[b + 1] - starts_[b]; }

    // Near records of other blocks are left out of the lists.
    Block take(std::size_t b, const Objective* objective) const {
        Block block;
        const std::size_t n = records(b), d = points_.d, m = lists_.m;
        block.m = m;
        block.d = d;
        block.x.resize(n * d);
        block.near.assign(n * m, none);
        block.label.resize(n);
        block.open.resize(n);
        std::uint32_t groups = 0;
        for (std::size_t s = 0; s < n; ++s) {
            const std::uint32_t i = member_[starts_[b] + s];
            std::copy_n(points_[i], d, &block.x[s * d]);
            std::uint32_t* near = &block.near[s * m];
            for (const std::uint32_t j : lists_[i])
                if (block_[j] == b) *near++ = within_[j];
            block.open[s] = open_[i] != 0;
            block.label[s] = first_of_[i] == i ? groups++ : block.label[within_[first_of_[i]]];
        }
        if (objective != nullptr) {
            block.objective = Objective{objective->aggregates, {}};
            if (!objective->weights.empty())
                for (std::size_t s = 0; s < n; ++s)
                    block.objective->weights.push_back(objective->weights[member_[starts_[b] + s]]);
        }
        return block;
    }

    // What is near a record and in another block stays to be looked at, if it was or if the record's group is another now.
    // Touches the records of this block alone, so others may be put at the same time.
    void put(std::size_t b, const Block& block, const std::vector<std::uint32_t>& label) {
        std::vector<std::uint32_t> first(*std::max_element(label.begin(), label.end()) + std::size_t{1}, none);
        for (std::size_t s = 0; s < label.size(); ++s) {
            const std::uint32_t i = member_[starts_[b] + s];
            if (first[label[s]] == none) first[label[s]] = i;
            const bool cut = block.lists()[s].size() < lists_[i].size();
            open_[i] = cut && (block.open[s] || first_of_[i] != first[label[s]]);
            first_of_[i] = first[label[s]];
        }
    }

  private:
    // Numbers the groups; returns how many there are.
    std::size_t centroids(std::vector<std::uint32_t>& group, std::vector<double>& centre) const {
        std::vector<double> size;
        const std::size_t d = points_.d;
        for (std::uint32_t i = 0; i < points_.n; ++i) {
            const bool opens = first_of_[i] == i;
            group[i] = opens ? static_cast<std::uint32_t>(size.size()) : group[first_of_[i]];
            if (opens) {
                size.push_back(0.0);
                centre.resize(centre.size() + d, 0.0);
            }
            ++size[group[i]];
            for (std::size_t j = 0; j < d; ++j) centre[group[i] * d + j] += points_[i][j];
        }
        for (std::size_t g = 0; g < size.size(); ++g)
            for (std::size_t j = 0; j < d; ++j) centre[g * d + j] /= size[g];
        return size.size();
    }

    // Sums of neighbouring coordinates, for an even number of them one difference (else one would be a combination of the
    // others).
    void turn(std::vector<double>& centre, std::size_t groups) const {
        const std::size_t d = points_.d;
        for (std::size_t g = 0; g < groups; ++g) {
            double* c = &centre[g * d];
            const double first = c[0];
            for (std::size_t j = 0; j + 1 < d; ++j) c[j] += c[j + 1];
            c[d - 1] = d % 2 == 0 ? c[d - 1] - first : c[d - 1] + first;
        }
    }

    Points points_;
    Lists lists_;
    std::vector<std::uint32_t>& first_of_;
    std::vector<char>& open_;
    std::vector<std::uint32_t> block_, member_, within_;  // record -> block, place in it; records block by block
    std::vector<std::size_t> starts_;
};

}  // namespace covey::space
