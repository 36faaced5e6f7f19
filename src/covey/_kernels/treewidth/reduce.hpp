// Fewer centres to a set. Lemma: of the centres of a cluster that were forgotten, one can be dropped if another one that is
// forgotten or in the bag can have all future vertices that it can have. Only such are dropped, and only for such: at a join
// the other side has forgotten none of them, so it has not dropped the one that stays.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "sets.hpp"
#include "table.hpp"

namespace covey::treewidth {

// Compressed rows: the vertices within the distance of each.
struct Rows {
    const std::int64_t* start;
    const Vertex* member;

    const Vertex* begin(Vertex v) const { return member + start[v]; }
    const Vertex* end(Vertex v) const { return member + start[v + 1]; }
};

class Reducer {
  public:
    Reducer(Rows balls, const std::vector<std::size_t>& forgotten_at, Sets& sets)
        : balls_(balls), forgotten_at_(forgotten_at), sets_(sets) {}

    // Reduces all sets of a table whose last step is `step`.
    void run(Table& table, std::size_t step) {
        table_ = &table;
        step_ = step;
        kinds_.clear();
        future_.clear();
        kind_of_.clear();
        reduced_.clear();
        for (State& state : table.states)
            for (std::size_t k = 0, count = clusters_of(state, table.bag.size()); k < count; ++k)
                state.centres[k] = reduced(state.centres[k]);
    }

  private:
    using Kind = std::size_t;  // the centres with the same future vertices

    bool in_bag(Vertex v) const { return std::binary_search(table_->bag.begin(), table_->bag.end(), v); }
    bool is_forgotten(Vertex v) const {
        const std::size_t at = forgotten_at_[static_cast<std::size_t>(v)];
        return table_->first_step <= at && at <= step_;
    }

    Set reduced(Set set) {
        if (const auto known = reduced_.find(set); known != reduced_.end()) return known->second;
        const std::vector<Vertex> all(sets_.begin(set), sets_.end(set));  // a copy: new sets move the old ones
        std::map<Kind, Vertex> best;  // of each kind: one of the bag, else the first that is forgotten
        for (const Vertex c : all) {
            if (!is_forgotten(c) && !in_bag(c)) continue;
            const auto [place, is_new] = best.emplace(kind_of(c), c);
            if (!is_new && is_forgotten(place->second) && in_bag(c)) place->second = c;
        }
        std::vector<Vertex> kept;
        for (const Vertex c : all)
            if (!is_forgotten(c) || (best.at(kind_of(c)) == c && !is_beaten(kind_of(c), best))) kept.push_back(c);
        return reduced_[set] = sets_.number(kept);
    }

    bool is_beaten(Kind kind, const std::map<Kind, Vertex>& present) const {
        return std::any_of(present.begin(), present.end(), [&](const auto& other) {
            return other.first != kind && std::includes(future_[other.first]->begin(), future_[other.first]->end(),
                                                        future_[kind]->begin(), future_[kind]->end());
        });
    }

    Kind kind_of(Vertex c) {
        if (const auto known = kind_of_.find(c); known != kind_of_.end()) return known->second;
        std::vector<Vertex> future;
        std::copy_if(balls_.begin(c), balls_.end(c), std::back_inserter(future),
                     [&](Vertex v) { return !is_forgotten(v) && !in_bag(v); });
        const auto [place, is_new] = kinds_.emplace(std::move(future), kinds_.size());
        if (is_new) future_.push_back(&place->first);
        return kind_of_[c] = place->second;
    }

    Rows balls_;
    const std::vector<std::size_t>& forgotten_at_;
    Sets& sets_;
    const Table* table_ = nullptr;
    std::size_t step_ = 0;
    std::map<std::vector<Vertex>, Kind> kinds_;
    std::vector<const std::vector<Vertex>*> future_;
    std::map<Vertex, Kind> kind_of_;
    std::map<Set, Set> reduced_;
};

}  // namespace covey::treewidth
