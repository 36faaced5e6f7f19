// The states of a bag. Lemma: a state that another one dominates can be dropped, for whatever completes it completes the other.
//
// a dominates b if both put the bag into the same clusters and, for each cluster, a has all centres of b, every connection
// of b, and as many vertices, or fewer but at least `lower` of them: what is added to b up to `upper` can be added to a.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "budget.hpp"
#include "sets.hpp"
#include "state.hpp"

namespace covey::treewidth {

struct Table {
    std::vector<Vertex> bag;  // ascending
    std::vector<State> states;
    std::size_t first_step = 0;  // of the steps that made it

    std::size_t place_of(Vertex v) const {
        return static_cast<std::size_t>(std::lower_bound(bag.begin(), bag.end(), v) - bag.begin());
    }
};

class Dominance {
  public:
    Dominance(const Sets& sets, std::int32_t lower, Budget& budget) : sets_(sets), lower_(lower), budget_(budget) {}

    // Sorts the states and drops those that are there twice or dominated.
    void clean(std::vector<State>& states, std::size_t places) {
        std::sort(states.begin(), states.end());
        const auto same = [](const State& a, const State& b) { return a.same_but_for_its_past(b); };
        states.erase(std::unique(states.begin(), states.end(), same), states.end());
        std::size_t kept = 0;
        for (std::size_t start = 0, stop; start < states.size(); start = stop) {
            stop = start + 1;
            while (stop < states.size() && states[stop].cluster == states[start].cluster) ++stop;
            kept = best_of(states, start, stop, kept, places);
        }
        states.resize(kept);
    }

  private:
    // Above so many, a state is compared with the last ones only; more stay than need be.
    static constexpr std::size_t most_compared = 2048;

    // Moves the undominated of states[start, stop) to states[kept, ...).
    std::size_t best_of(std::vector<State>& states, std::size_t start, std::size_t stop, std::size_t kept,
                        std::size_t places) {
        const std::size_t first = kept, clusters = clusters_of(states[start], places);
        for (std::size_t i = start; i < stop; ++i) {
            const State state = states[i];
            const std::size_t from = std::max(first, kept > most_compared ? kept - most_compared : 0);
            bool beaten = false;
            for (std::size_t j = from; j < kept && !beaten; ++j) {
                budget_.tick();
                beaten = dominates(states[j], state, clusters, places);
            }
            if (beaten) continue;
            const auto worse = [&](const State& other) { return dominates(state, other, clusters, places); };
            const auto at = [&](std::size_t place) { return states.begin() + static_cast<std::ptrdiff_t>(place); };
            kept = static_cast<std::size_t>(std::remove_if(at(from), at(kept), worse) - states.begin());
            states[kept++] = state;
        }
        return kept;
    }

    bool dominates(const State& a, const State& b, std::size_t clusters, std::size_t places) const {
        for (std::size_t k = 0; k < clusters; ++k)
            if (a.size[k] != b.size[k] && !(lower_ <= a.size[k] && a.size[k] < b.size[k])) return false;
        if (!as_connected(a, b, places)) return false;
        for (std::size_t k = 0; k < clusters; ++k)
            if (!sets_.within(b.centres[k], a.centres[k])) return false;
        return true;
    }

    const Sets& sets_;
    std::int32_t lower_;
    Budget& budget_;
};

}  // namespace covey::treewidth
