// Optimal univariate microaggregation of a column: sort, scale, search, label.
//
// Scaling by a power of two is exact and keeps squares inside the range of a double. A group that spans a wide gap may
// cost so much more than the whole optimum that its rounding errors do, or that the optimum underflows beside it; such
// groups are on no optimal path, but searches compare them. So where the partition found costs less than spanning some
// gap would, that gap is proven to be a cut, and the pieces between such gaps are solved again, each at its own scale.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>

#include "direct.hpp"
#include "divide.hpp"
#include "few_groups.hpp"
#include "groups.hpp"
#include "running.hpp"
#include "searches.hpp"
#include "sort.hpp"

namespace covey::line {

struct Task {
    CostName cost;
    std::size_t k;
    Rules rules;                       // sizes and charges, in the units of the input
    std::size_t max_groups = 0;        // 0: any number
    std::optional<SearchName> search;  // none: the fastest kernel that is exact
    const double* weight = nullptr;    // of the sorted values, for squares; none: 1 each
    double least_weight = 1.0;

    Weighed weighed(const double* x) const { return {x, weight}; }
};

struct Outcome {
    Cuts cuts;
    std::size_t evaluations = 0;
    double widest_cut = 0.0;
};

// The widest gap at a cut. (A wider one inside a group is paid for already.)
inline double widest_cut(const double* x, const Cuts& cuts) {
    double widest = 0.0;
    for (std::size_t g = 1; g + 1 < cuts.size(); ++g) widest = std::max(widest, x[cuts[g]] - x[cuts[g] - 1]);
    return widest;
}

template <class Cost>
Outcome search_matrix(const Cost& cost, std::size_t n, const Rules& rules, SearchName name, const Poll& poll) {
    Matrix<Cost> matrix(cost, n, rules, poll);
    run_search(name, matrix, rules.least);
    Cuts rows =
        trace(static_cast<std::uint32_t>(matrix.count() - 1), 1, [&](std::uint32_t b) { return matrix.best[b]; });
    for (auto& row : rows) row = matrix.cuts[row];
    return {std::move(rows), matrix.evaluations()};
}

template <class Cost>
Outcome search_few_groups(const Cost& cost, std::size_t n, const Task& task, SearchName name, bool concave,
                          double large_charge, const Poll& poll) {
    Matrix<Cost> matrix(cost, n, task.rules, poll);
    if (!concave) return {at_most_in_layers(matrix, std::min(task.max_groups, n / task.rules.least)), 0};
    std::size_t evaluations = 0;
    Cuts cuts = at_most(task.max_groups, large_charge, [&](double charge) {
        Rules rules = task.rules;
        rules.group_cost += charge;
        Outcome outcome = search_matrix(cost, n, rules, name, poll);
        evaluations += outcome.evaluations;
        ExactSum loss;
        for (std::size_t g = 0; g + 1 < outcome.cuts.size(); ++g)
            loss.add(matrix.group(outcome.cuts[g], outcome.cuts[g + 1]));
        return Counted{std::move(outcome.cuts), loss.value()};
    });
    return {std::move(cuts), evaluations};
}

inline Outcome search_variant(const double* x, std::size_t n, const Task& task, SearchName name, const Poll& poll) {
    return with_cost(task.cost, [&]<class Cost>() {
        Outcome outcome = search_matrix(Cost(task.weighed(x), n, task.rules.most), n, task.rules, name, poll);
        outcome.widest_cut = widest_cut(x, outcome.cuts);
        return outcome;
    });
}

// The plain problem, by the fastest kernel. `start` is scratch for n back-pointers.
template <template <int> class Grow>
void run_direct(const double* x, std::size_t n, int k, std::uint32_t* start, const Poll& poll) {
    std::vector<double> buffer(Direct<Grow, 0>::buffer_size(k));
    const auto run = [&]<int K>() { run_fastest<Direct<Grow, K>>(x, n, k, start, buffer.data(), &poll); };
    switch (k) {
        case 2: return run.template operator()<2>();
        case 3: return run.template operator()<3>();
        case 4: return run.template operator()<4>();
        case 5: return run.template operator()<5>();
        case 6: return run.template operator()<6>();
        case 7: return run.template operator()<7>();
        case 8: return run.template operator()<8>();
        case 9: return run.template operator()<9>();
        case 10: return run.template operator()<10>();
        default: return run.template operator()<0>();
    }
}

template <class Join>
void run_divide(const double* x, std::size_t n, std::size_t k, std::uint32_t* start, const Poll& poll) {
    typename Divide<Join>::Workspace workspace(k);
    run_fastest<Divide<Join>>(x, n, k, start, &workspace, &poll);
}

inline void direct(CostName cost, const double* x, std::size_t n, std::size_t k, std::uint32_t* start,
                   const Poll& poll) {
    const int size = static_cast<int>(k);
    switch (cost) {
        case CostName::sse: return run_direct<grow::Sse>(x, n, size, start, poll);
        case CostName::sae: return run_direct<grow::Sae>(x, n, size, start, poll);
        case CostName::roundup: return run_direct<grow::RoundUp>(x, n, size, start, poll);
        case CostName::rounddown: return run_direct<grow::RoundDown>(x, n, size, start, poll);
        case CostName::rounded: return run_direct<grow::Rounded>(x, n, size, start, poll);
        case CostName::maxdist: return running_minimum(x, n, k, start, poll);
    }
}

inline void divide(CostName cost, const double* x, std::size_t n, std::size_t k, std::uint32_t* start,
                   const Poll& poll) {
    switch (cost) {
        case CostName::sse: return run_divide<join::Sse>(x, n, k, start, poll);
        case CostName::sae: return run_divide<join::Sae>(x, n, k, start, poll);
        case CostName::roundup: return run_divide<join::RoundUp>(x, n, k, start, poll);
        case CostName::rounddown: return run_divide<join::RoundDown>(x, n, k, start, poll);
        case CostName::maxdist: return running_minimum(x, n, k, start, poll);
        case CostName::rounded: return direct(cost, x, n, k, start, poll);
    }
}

// k up to which `direct` is the faster of the two, measured.
inline std::size_t last_direct(CostName cost) {
    return cost == CostName::sse ? 20 : cost == CostName::rounded ? 200 : 40;
}

inline Outcome solve_plain(const double* x, std::size_t n, const Task& task, std::uint32_t* start, const Poll& poll) {
    const std::size_t k = task.k;
    if (n < 2 * k) return {Cuts{0, static_cast<std::uint32_t>(n)}};
    if (k == 1)
        for (std::size_t i = 0; i < n; ++i) start[i] = static_cast<std::uint32_t>(i);
    else (k <= last_direct(task.cost) ? direct : divide)(task.cost, x, n, k, start, poll);
    double widest = 0.0;  // looked for on the way; one that the trace looks at beside the path does no harm
    Cuts cuts = trace_side_by_side(static_cast<std::uint32_t>(n), k, [&](std::uint32_t c) {
        const double gap = x[c < n ? c : c - 1] - x[c - 1];
        widest = gap > widest ? gap : widest;
        return start[c - 1];
    });
    return {std::move(cuts), 0, widest};
}

// The fastest search for a variant of the problem.
inline SearchName fastest_search(const Task& task) {
    const Rules& rules = task.rules;
    if (rules.most - rules.least < 16) return SearchName::simple_plus;
    const bool staggers = rules.least == task.k && rules.most < 3 * task.k;
    return staggers ? SearchName::staggered : SearchName::galil_park;
}

inline Outcome solve_scaled(const double* x, std::size_t n, const Task& task, std::uint32_t* start, const Poll& poll) {
    if (task.search) return search_variant(x, n, task, *task.search, poll);
    const bool plain = task.rules.least == task.k && task.rules.most + 1 == 2 * task.k &&
                       task.rules.group_cost == 0.0 && task.rules.penalty == 0.0;
    const bool searched = task.weight != nullptr || (task.cost == CostName::rounded && task.k > last_direct(task.cost));
    if (plain && !searched) return solve_plain(x, n, task, start, poll);
    return search_variant(x, n, task, fastest_search(task), poll);
}

inline double charges(const Task& task, const Cuts& cuts) {
    double sum = task.rules.group_cost * static_cast<double>(cuts.size() - 1);
    for (std::size_t g = 0; g + 1 < cuts.size(); ++g) {
        const std::size_t size = cuts[g + 1] - cuts[g];
        if (size < task.rules.wanted) sum += task.rules.penalty * static_cast<double>(task.rules.wanted - size);
    }
    return sum;
}

inline bool all_constant(const double* x, const Cuts& cuts) {
    for (std::size_t g = 0; g + 1 < cuts.size(); ++g)
        if (x[cuts[g]] != x[cuts[g + 1] - 1]) return false;
    return true;
}

// Least loss of a group that spans a gap: g^2/2 for SSE (two records, of the least weight), half the range for max distance,
// more for others.
inline double spanning_loss(const Task& task, double gap) {
    return is_squared(task.cost) ? 0.5 * task.least_weight * gap * gap : 0.5 * gap;
}

// What the partition loses, or `enough` if that is more than enough; looks no further than needed.
inline double loss_up_to(double enough, const double* x, const Task& task, const Cuts& cuts) {
    double loss = charges(task, cuts);
    for (std::size_t g = 0; g + 1 < cuts.size() && loss < enough; ++g)
        loss += group_loss(task.cost, task.weighed(x), cuts[g], cuts[g + 1]);
    return loss < enough ? loss : enough;
}

// The power of two that brings a range near 1.
inline int exponent_of(double range) { return range == 0.0 ? 0 : std::isinf(range) ? 1024 : std::ilogb(range) + 1; }

// A copy of the task and, if its exponents are far from 0, of the values, times a power of two.
struct Scaled {
    Scaled(const double* x, std::size_t n, const Task& original) : values(x), task(original) {
        exponent = exponent_of(x[n - 1] - x[0]);
        if ((exponent >= -100 && exponent <= 100) || task.cost == CostName::rounded) {
            exponent = 0;
        } else {
            copy = Buffer<double>(n);
            for (std::size_t i = 0; i < n; ++i) copy[i] = std::ldexp(x[i], -exponent);
            values = copy.data();
        }
        // Charges beyond this dwarf all losses, and must stay below what forbids a group.
        const int power = is_squared(task.cost) ? 2 * exponent : exponent;
        task.rules.group_cost = std::min(std::ldexp(original.rules.group_cost, -power), 0x1p900);
        task.rules.penalty = std::min(std::ldexp(original.rules.penalty, -power), 0x1p900);
    }

    const double* values;
    Task task;

  private:
    int exponent;
    Buffer<double> copy;
};

// x: n sorted values. start: scratch of n.
inline Outcome solve_sorted(const double* x, std::size_t n, const Task& task, std::uint32_t* start, const Poll& poll) {
    const Scaled scaled(x, n, task);
    const double* y = scaled.values;
    Outcome outcome = solve_scaled(y, n, scaled.task, start, poll);

    const double enough = spanning_loss(task, outcome.widest_cut);
    const double loss = loss_up_to(enough, y, scaled.task, outcome.cuts);
    if (loss >= enough || (all_constant(x, outcome.cuts) && charges(task, outcome.cuts) == 0.0)) return outcome;
    Cuts cuts{0};
    for (std::size_t first = 0, i = 1; i <= n; ++i) {
        if (i < n && spanning_loss(task, y[i] - y[i - 1]) <= loss * (1 + 0x1p-30) + 0x1p-1000) continue;
        if (i - first == n) return outcome;
        Task rest = task;
        if (task.weight != nullptr) rest.weight += first;
        const Outcome part = solve_sorted(x + first, i - first, rest, start, poll);
        for (std::size_t g = 1; g < part.cuts.size(); ++g)
            cuts.push_back(static_cast<std::uint32_t>(first) + part.cuts[g]);
        outcome.evaluations += part.evaluations;
        first = i;
    }
    return {std::move(cuts), outcome.evaluations};
}

// The same with at most task.max_groups groups, if that is not 0.
inline Outcome solve_task(const double* x, std::size_t n, const Task& task, std::uint32_t* start, const Poll& poll) {
    if (task.max_groups == 0) return solve_sorted(x, n, task, start, poll);
    const Scaled scaled(x, n, task);
    std::size_t evaluations = 0;
    // No partition loses more than this: scaled values have a range of at most 2^100.
    const double range = scaled.values[n - 1] - scaled.values[0];
    const double most = (1.0 + std::max(range, range * range) + scaled.task.rules.penalty) * static_cast<double>(n);
    double least = std::numeric_limits<double>::infinity();
    Cuts cuts = at_most(task.max_groups, 2.0 * most, [&](double charge) {
        Task charged = scaled.task;
        charged.rules.group_cost += charge;
        if (charged.rules.group_cost == 0.0) charged.rules.most = std::min(charged.rules.most, 2 * task.k - 1);
        Outcome outcome = solve_sorted(scaled.values, n, charged, start, poll);
        evaluations += outcome.evaluations;
        const double loss =
            partition_loss(task.cost, task.weighed(scaled.values), outcome.cuts) + charges(scaled.task, outcome.cuts);
        if (!all_constant(x, outcome.cuts)) least = std::min(least, loss);
        return Counted{std::move(outcome.cuts), loss};
    });
    // Chords of losses that underflow beside the range of the values would be blind.
    if (least < 0x1p-900 && !all_constant(x, cuts))
        throw std::overflow_error("values spread over too many magnitudes for max_groups");
    return {std::move(cuts), evaluations};
}

// The loss in the units of the input, each group at its own scale; infinity where that is beyond a double.
inline double total_loss(const double* x, const Task& task, const Cuts& cuts) {
    ExactSum loss;
    std::vector<double> group;
    for (std::size_t g = 0; g + 1 < cuts.size(); ++g) {
        const double* first = x + cuts[g];
        const std::size_t size = cuts[g + 1] - cuts[g];
        const int exponent = exponent_of(first[size - 1] - first[0]);
        if ((exponent >= -300 && exponent <= 300) || task.cost == CostName::rounded) {
            loss.add(group_loss(task.cost, task.weighed(x), cuts[g], cuts[g + 1]));
            continue;
        }
        group.assign(first, first + size);
        for (double& value : group) value = std::ldexp(value, -exponent);
        const int power = is_squared(task.cost) ? 2 * exponent : exponent;
        const Weighed scaled{group.data(), task.weight == nullptr ? nullptr : task.weight + cuts[g]};
        loss.add(std::ldexp(group_loss(task.cost, scaled, 0, size), power));
    }
    return loss.value() + charges(task, cuts);
}

}  // namespace covey::line
