// Good groups, quickly: from MDAV or from the components of the graph of neighbours, by the searches of refine.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../watch.hpp"
#include "components.hpp"
#include "groups.hpp"
#include "mdav.hpp"
#include "refine.hpp"

namespace covey::space {

// Of every record the first of its group.
inline std::vector<std::uint32_t> first_of(const Grouping& grouping) {
    std::vector<std::uint32_t> first(grouping.order.size());
    auto at = grouping.order.begin();
    for (const std::uint32_t size : grouping.sizes) {
        const std::uint32_t least = *std::min_element(at, at + size);
        for (std::uint32_t s = 0; s < size; ++s) first[*at++] = least;
    }
    return first;
}

// What counts, for the records of a table in its order; nothing where squares count.
inline std::optional<Objective> in_order(const Objective* objective, const Table& table) {
    if (objective == nullptr) return {};
    Objective result{objective->aggregates, {}};
    if (!objective->weights.empty())
        for (std::size_t i = 0; i < table.rows().n; ++i) result.weights.push_back(objective->weights[table.record(i)]);
    return result;
}

// Labels 0, 1, ... of all records: of the groups of those that stay, then of those that are set aside.
inline std::vector<std::uint32_t> to_labels(const Table& table, const std::vector<std::uint32_t>& first) {
    std::vector<std::uint32_t> label(table.records()), number(first.size());
    std::uint32_t groups = 0;
    for (std::uint32_t i = 0; i < first.size(); ++i) {
        if (first[i] == i) number[i] = groups++;
        label[table.record(i)] = number[first[i]];
    }
    std::size_t at = 0;
    for (const std::uint32_t size : table.set_aside().sizes) {
        for (std::uint32_t s = 0; s < size; ++s) label[table.set_aside().order[at++]] = groups;
        ++groups;
    }
    return label;
}

inline std::vector<std::uint32_t> good_groups(const Points& points, std::size_t k, const Objective* objective,
                                              const Watch& watch);

// The groups that lose most, made anew from those records alone, if that loses less: outliers have no record near, and are what
// MDAV begins with.
inline void regroup_worst(const Table& table, std::size_t k, Partition& partition, const Watch& watch) {
    const Points rows = table.rows();
    const Groups groups(partition.first_of);
    GroupLoss loss(rows);
    std::vector<Found> worst;  // the loss, upside down, and the group
    for (std::uint32_t g = 0; g < groups.ids(); ++g)
        if (groups.size(g) != 0) worst.push_back({-loss(groups[g].data(), groups.size(g)), g});
    const std::size_t most = std::min(Effort::small, rows.n / 32);
    const auto middle = worst.begin() + static_cast<std::ptrdiff_t>(std::min(worst.size(), most / k));
    std::nth_element(worst.begin(), middle, worst.end());
    std::vector<std::uint32_t> record;
    double before = 0.0;
    for (auto at = worst.begin(); at != middle; ++at) {
        before -= at->distance;
        record.insert(record.end(), groups[at->index].begin(), groups[at->index].end());
    }
    if (record.size() < 2 * k) return;
    std::sort(record.begin(), record.end());
    std::vector<double> x(record.size() * rows.d);
    for (std::size_t s = 0; s < record.size(); ++s) std::copy_n(rows[record[s]], rows.d, &x[s * rows.d]);
    const Points some{x.data(), record.size(), rows.d};
    const std::vector<std::uint32_t> label = good_groups(some, k, nullptr, watch);
    if (!(total_loss(some, Groups(label)) < before)) return;
    std::vector<std::uint32_t> first(count_groups(label), none);
    for (std::size_t s = 0; s < record.size(); ++s) {
        if (first[label[s]] == none) first[label[s]] = record[s];
        partition.first_of[record[s]] = first[label[s]];
        partition.open[record[s]] = 1;
    }
}

// The better of two starts where the table is small, else from the components: MDAV takes long in large tables.
inline Partition good_start(const Table& table, std::size_t k, const Effort& effort, const Watch& watch) {
    const Points rows = table.rows();
    const auto by_components = [&](const Poll& poll) {
        return Partition(first_of(Components(rows, k, OutsideByLists(rows, table.lists()), poll).run()));
    };
    if (rows.n > Effort::small) {
        Partition partition = by_components(watch.poll);
        regroup_worst(table, k, partition, watch.part(0.0, 0.0));
        refine(table, k, effort, partition, nullptr, watch);
        return partition;
    }
    const auto by_mdav = [&](const Poll& poll) { return Partition(first_of(mdav_by_the_faster(rows, k, poll))); };
    std::array<std::optional<Partition>, 2> found;
    std::array<double, 2> loss{};
    const auto from = [&](std::size_t start, const Poll& poll) {
        found[start] = start == 0 ? by_mdav(poll) : by_components(poll);
        refine(table, k, effort, *found[start], nullptr, Watch{poll});
        loss[start] = total_loss(rows, Groups(found[start]->first_of));
    };
    constexpr std::size_t worth = 1000;  // records that pay for starting a thread
    if (rows.n >= worth) each_on_all_cores(2, watch, from);
    else
        for (std::size_t start = 0; start < 2; ++start) from(start, watch.poll);
    return std::move(*found[loss[1] < loss[0] ? 1 : 0]);
}

// By squares; then, for another objective, the same searches from there.
inline std::vector<std::uint32_t> good_groups(const Points& points, std::size_t k, const Objective* objective,
                                              const Watch& watch) {
    const Effort effort = Effort::of(points, k);
    const Table table(points, k, effort.neighbours, nullptr, watch.part(0.0, 0.3));
    const double half = objective == nullptr ? 1.0 : 0.5;
    Partition partition = good_start(table, k, effort, watch.part(0.3, half));
    if (const std::optional<Objective> cost = in_order(objective, table))
        refine(table, k, effort, partition, &*cost, watch.part(half, 1.0));
    return to_labels(table, partition.first_of);
}

// Groups that are given, as those of the records that stay in the table.
inline Partition partition_of(const Table& table, const std::vector<std::uint32_t>& label) {
    std::vector<std::uint32_t> first(count_groups(label), none), first_of(table.rows().n);
    for (std::uint32_t i = 0; i < first_of.size(); ++i) {
        std::uint32_t& least = first[label[table.record(i)]];
        if (least == none) least = i;
        first_of[i] = least;
    }
    return Partition(std::move(first_of));
}

// The same searches from groups that are given.
inline std::vector<std::uint32_t> local_search(const Points& points, const std::vector<std::uint32_t>& start,
                                               std::size_t k, const Effort& effort, const Objective* objective,
                                               const Watch& watch) {
    const Table table(points, k, effort.neighbours, start.data(), watch.part(0.0, 0.3));
    Partition partition = partition_of(table, start);
    const std::optional<Objective> cost = in_order(objective, table);
    refine(table, k, effort, partition, cost ? &*cost : nullptr, watch.part(0.3, 1.0));
    return to_labels(table, partition.first_of);
}

}  // namespace covey::space
