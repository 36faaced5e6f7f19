// Connected clusters of `lower` to `upper` vertices, each within a distance of some vertex: theorem 2 of Blazej et al., by
// dynamic programming over a nice tree decomposition, given as steps for a stack of tables.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "history.hpp"
#include "reduce.hpp"
#include "sets.hpp"
#include "state.hpp"
#include "table.hpp"

namespace covey::treewidth {

class Connected {
  public:
    Connected(const network::Graph& graph, Rows balls, Steps steps, std::int32_t lower, std::int32_t upper,
              Budget budget)
        : graph_(graph), balls_(balls), steps_(steps), lower_(lower), upper_(upper),
          counts_all_(static_cast<std::size_t>(upper) < graph.n), budget_(budget), forgotten_at_(graph.n, 0),
          reducer_(balls, forgotten_at_, sets_), dominance_(sets_, lower, budget_), history_(steps) {}

    // The cluster of each vertex; nothing where there is no solution.
    std::optional<std::vector<Vertex>> run() {
        for (std::size_t step = 0; step < steps_.count; ++step)
            if (steps_.at(step) == Kind::forget) forgotten_at_[static_cast<std::size_t>(steps_.vertex[step])] = step;
        for (std::size_t step = 0; step < steps_.count; ++step) {
            const std::size_t place = one(step);
            Table& table = tables_.back();
            dominance_.clean(table.states, table.bag.size());
            if (table.states.empty()) return std::nullopt;
            history_.keep(step, table, place);
            check_memory(0);
        }
        return history_.labels(graph_.n);
    }

  private:
    static constexpr std::uint8_t fresh = 2 * most_in_bag;
    static constexpr std::size_t many = 1u << 20;

    std::size_t one(std::size_t step) {
        switch (steps_.at(step)) {
            case Kind::leaf: tables_.push_back({{}, {State{}}, step}); return 0;
            case Kind::introduce: return introduce(tables_.back(), steps_.vertex[step]);
            case Kind::forget: {
                const std::size_t place = forget(tables_.back(), steps_.vertex[step]);
                reducer_.run(tables_.back(), step);
                return place;
            }
            default: join(); return 0;
        }
    }

    // Sizes above `lower` are all the same where nothing is too large.
    std::int32_t counted(std::int32_t size) const { return counts_all_ ? size : std::min(size, lower_); }

    // v in a cluster of its own, or in one with room and a common centre; the pieces of it next to v are connected.
    std::size_t introduce(Table& table, Vertex v) {
        const std::size_t place = table.place_of(v), places = table.bag.size() + 1;
        table.bag.insert(table.bag.begin() + static_cast<std::ptrdiff_t>(place), v);
        std::array<bool, most_in_bag> adjacent{};
        for (std::size_t i = 0; i < places; ++i)
            adjacent[i] = std::binary_search(graph_.to + graph_.first(v), graph_.to + graph_.last(v), table.bag[i]);
        const Set ball = sets_.number(std::vector<Vertex>(balls_.begin(v), balls_.end(v)));
        std::vector<State> found;
        for (std::size_t i = 0; i < table.states.size(); ++i) {
            State opened = table.states[i];
            const std::size_t clusters = clusters_of(opened, places - 1);
            open_place(opened, place, places - 1);
            opened.from = static_cast<std::uint32_t>(i);
            opened.other = 0;
            opened.piece[place] = fresh;
            for (std::size_t k = 0; k <= clusters; ++k) {
                State state = opened;
                state.cluster[place] = static_cast<std::uint8_t>(k);
                state.size[k] = counted(k == clusters ? 1 : state.size[k] + 1);
                state.centres[k] = k == clusters ? ball : sets_.meet(state.centres[k], ball);
                if (state.size[k] > upper_ || state.centres[k] == Sets::empty) continue;
                for (std::size_t j = 0; j < places; ++j)
                    if (adjacent[j] && state.cluster[j] == k) unite(state, places, state.piece[j], fresh);
                add(found, state, places);
            }
        }
        table.states = std::move(found);
        return place;
    }

    // A piece that loses its last place in the bag stays as it is for ever: it must be the whole cluster, and large enough.
    std::size_t forget(Table& table, Vertex v) {
        const std::size_t place = table.place_of(v), places = table.bag.size();
        std::vector<State> found;
        for (std::size_t i = 0; i < table.states.size(); ++i) {
            State state = table.states[i];
            const std::uint8_t cluster = state.cluster[place], piece = state.piece[place];
            bool piece_stays = false, cluster_stays = false;
            for (std::size_t j = 0; j < places; ++j) {
                piece_stays |= j != place && state.piece[j] == piece;
                cluster_stays |= j != place && state.cluster[j] == cluster;
            }
            if (!piece_stays && (cluster_stays || state.size[cluster] < lower_)) continue;
            close_place(state, place, places);
            state.from = static_cast<std::uint32_t>(i);
            state.other = 0;
            add(found, state, places - 1);
        }
        table.bag.erase(table.bag.begin() + static_cast<std::ptrdiff_t>(place));
        table.states = std::move(found);
        return place;
    }

    // The same clusters of the bag on both sides: sizes add up, pieces unite, a centre must serve both.
    void join() {
        const Table right = std::move(tables_.back());
        tables_.pop_back();
        Table& left = tables_.back();
        const std::size_t places = left.bag.size();
        std::vector<State> found;
        for (std::size_t i = 0, start = 0; i < left.states.size(); ++i) {  // both are sorted by cluster first
            while (start < right.states.size() && right.states[start].cluster < left.states[i].cluster) ++start;
            for (std::size_t j = start; j < right.states.size() && right.states[j].cluster == left.states[i].cluster;
                 ++j) {
                State state = left.states[i];
                state.from = static_cast<std::uint32_t>(i);
                state.other = static_cast<std::uint32_t>(j);
                if (merge(state, right.states[j], places)) add(found, state, places);
            }
        }
        left.states = std::move(found);
    }

    bool merge(State& state, const State& other, std::size_t places) {
        std::array<std::int32_t, most_in_bag> shared{};
        for (std::size_t i = 0; i < places; ++i) ++shared[state.cluster[i]];
        budget_.tick();
        for (std::size_t k = 0, count = clusters_of(state, places); k < count; ++k) {
            const std::int32_t sum = state.size[k] + other.size[k] - shared[k];
            state.size[k] = counted(std::max({state.size[k], other.size[k], sum}));
            if (state.size[k] > upper_) return false;
        }
        for (std::size_t k = 0, count = clusters_of(state, places); k < count; ++k) {
            state.centres[k] = sets_.meet(state.centres[k], other.centres[k]);
            if (state.centres[k] == Sets::empty) return false;
        }
        for (std::size_t i = 0; i < places; ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (other.piece[i] == other.piece[j]) unite(state, places, state.piece[i], state.piece[j]);
        return true;
    }

    void add(std::vector<State>& found, State& state, std::size_t places) {
        make_canonical(state, places);
        found.push_back(state);
        budget_.tick();
        if (found.size() < many || (found.size() & (found.size() - 1)) != 0) return;
        dominance_.clean(found, places);  // at each power of two, lest the same states fill the memory
        check_memory(found.size());
    }

    void check_memory(std::size_t growing) const {
        std::size_t states = 2 * growing;
        for (const Table& table : tables_) states += table.states.size();
        budget_.check_bytes(states * sizeof(State) + history_.bytes() + sets_.bytes());
    }

    network::Graph graph_;
    Rows balls_;
    Steps steps_;
    std::int32_t lower_, upper_;
    bool counts_all_;
    Budget budget_;
    std::vector<std::size_t> forgotten_at_;
    Sets sets_;
    Reducer reducer_;
    Dominance dominance_;
    History history_;
    std::vector<Table> tables_;
};

}  // namespace covey::treewidth
