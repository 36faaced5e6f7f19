// The searches that look at the near neighbours of every record, from their start to their end.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "../memory.hpp"
#include "../parallel.hpp"
#include "../poll.hpp"
#include "anneal.hpp"
#include "comply.hpp"
#include "groups.hpp"
#include "local_search.hpp"
#include "losses_pool.hpp"
#include "neighbours.hpp"
#include "sequence.hpp"
#include "tour.hpp"

namespace covey::space {

// The nearest of every record, as many as wanted or as there are.
struct Near {
    std::size_t m;
    Buffer<std::uint32_t> lists;

    Near(const Points& points, std::size_t wanted, const Poll& poll)
        : m(std::min(wanted, points.n - 1)), lists(neighbour_lists(points, m, poll)) {}
};

// Calls f with the policy of the local search and the pool of the anneals: of squares, or of an objective.
template <class F>
auto with_losses(const Points& points, std::size_t k, const Objective* objective, F f) {
    if (objective == nullptr) return f(SquaresPolicy(points), Pool(points, k));
    return f(LossesPolicy(points, *objective), LossesPool(points, k, *objective));
}

template <class Policy, class Pool>
std::vector<std::uint32_t> local_search(const Points& points, const std::vector<std::uint32_t>& start, std::size_t k,
                                        std::size_t neighbours, std::size_t steps, Poll poll, const Policy& policy,
                                        const Pool& pool) {
    Groups groups(start);
    const Near near(points, neighbours, poll);
    LocalSearch(points, k, groups, near.lists.data(), near.m, poll, policy).run();
    if (steps == 0) return groups.label;
    Anneal cold(points, k, groups, near.lists.data(), near.m, 0.0, 0, steps, pool);
    const std::size_t chunk = 1 + (std::size_t{1} << 22) / (k * k * points.d);
    for (std::size_t done = 0; done < steps; done += chunk) {
        cold.advance(chunk);
        poll();
    }
    LocalSearch(points, k, cold.groups(), near.lists.data(), near.m, poll, policy).run();
    return cold.groups().label;
}

// Local search, then `steps` steps of the large-neighbourhood search that take improvements only, then local search.
inline std::vector<std::uint32_t> local_search(const Points& points, const std::vector<std::uint32_t>& start,
                                               std::size_t k, std::size_t neighbours, std::size_t steps, Poll poll,
                                               const Objective* objective = nullptr) {
    return with_losses(points, k, objective, [&](const auto& policy, const auto& pool) {
        return local_search(points, start, k, neighbours, steps, poll, policy, pool);
    });
}

// Groups that satisfy the demand, from groups that may not: by exchanges, moves and mergers, then local search; or by
// mergers with the nearest group alone.
inline std::vector<std::uint32_t> comply(const Points& points, const std::vector<std::uint32_t>& start, std::size_t k,
                                         Demand& demand, std::size_t neighbours, bool merge_only, Poll poll) {
    Groups groups(start);
    const Near near(points, merge_only ? 0 : neighbours, poll);
    Comply mend(points, k, groups, near.lists.data(), near.m, demand, poll);
    if (merge_only) {
        mend.merge();
    } else {
        mend.run();
        LocalSearch(points, k, groups, near.lists.data(), near.m, poll, SquaresPolicy(points), &demand).run();
    }
    return groups.label;
}

inline std::vector<std::uint32_t> short_tour(const Points& points, std::size_t neighbours, Poll poll) {
    const Near near(points, neighbours, poll);
    return Tour(points, nearest_point_next(points, poll), near.lists.data(), near.m, poll).run();
}

// Several anneals from one start, on all cores, whatever they look at.
class Annealing {
  public:
    virtual ~Annealing() = default;
    // `steps` more steps of every anneal; the least loss so far.
    virtual double run(std::size_t steps) = 0;
    // Local search at the end of every anneal; the labels of the best.
    virtual const std::vector<std::uint32_t>& finish() = 0;
};

template <class Policy, class Pool>
class Anneals : public Annealing {
  public:
    Anneals(const Points& points, const std::vector<std::uint32_t>& start, std::size_t k, std::size_t neighbours,
            double warmth, const std::vector<std::uint64_t>& seeds, std::size_t steps, const Poll& poll,
            const Policy& policy, const Pool& pool)
        : points_(points), k_(k), policy_(policy), near_(points, neighbours, poll) {
        const Groups groups(start);
        for (std::uint64_t seed : seeds)
            anneals_.emplace_back(points, k, groups, near_.lists.data(), near_.m, warmth, seed, steps, pool);
    }

    double run(std::size_t steps) override {
        each([&](Anneal<Pool>& anneal) {
            anneal.advance(steps);
            anneal.keep_if_better();
        });
        return best().best_loss();
    }

    const std::vector<std::uint32_t>& finish() override {
        each([&](Anneal<Pool>& anneal) {
            anneal.groups() = Groups(anneal.best());
            LocalSearch(points_, k_, anneal.groups(), near_.lists.data(), near_.m, Poll([] {}), policy_).run();
            anneal.keep_if_better();
        });
        return best().best();
    }

  private:
    template <class Work>
    void each(const Work& work) {
        std::atomic<std::size_t> next{0};
        in_parallel(std::min(anneals_.size(), threads_for(std::size_t{1} << 31)), [&](std::size_t) {
            for (std::size_t a; (a = next.fetch_add(1)) < anneals_.size();) work(anneals_[a]);
        });
    }

    const Anneal<Pool>& best() const {
        return *std::min_element(anneals_.begin(), anneals_.end(), [](const Anneal<Pool>& a, const Anneal<Pool>& b) {
            return a.best_loss() < b.best_loss();
        });
    }

    Points points_;
    std::size_t k_;
    Policy policy_;
    Near near_;
    std::vector<Anneal<Pool>> anneals_;
};

inline std::unique_ptr<Annealing> make_anneals(const Points& points, const std::vector<std::uint32_t>& start,
                                               std::size_t k, std::size_t neighbours, double warmth,
                                               const std::vector<std::uint64_t>& seeds, std::size_t steps,
                                               const Poll& poll, const Objective* objective) {
    return with_losses(points, k, objective, [&]<class Policy, class Pool>(const Policy& policy, const Pool& pool) {
        return std::unique_ptr<Annealing>(std::make_unique<Anneals<Policy, Pool>>(points, start, k, neighbours, warmth,
                                                                                  seeds, steps, poll, policy, pool));
    });
}

}  // namespace covey::space
