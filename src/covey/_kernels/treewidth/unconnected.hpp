// Clusters of `lower` to `upper` vertices around centres, connected or not: theorem 1 of Blazej et al., by dynamic programming over
// a nice tree decomposition, given as steps for a stack of tables.
//
// Clusters with the same centre need no telling apart, so the question is how many clusters each vertex opens as a centre; who serves
// whom is then a flow. Only forgotten vertices have decided. With `splits` (shift.hpp) a centre takes any number of clients from `lower`
// on. Lemma (free): then a client near an open centre is free to complete another one or to stay. So clients are tied to a centre only until
// it has `lower` of them, and more free clients are never worse. Without, every client waits until it is served.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "budget.hpp"
#include "front.hpp"
#include "history.hpp"
#include "kinds.hpp"
#include "shift.hpp"

namespace covey::treewidth {

class Unconnected {
  public:
    // Keeps at most so many states a table, the best by their weights.
    Unconnected(const Roles& roles, Steps steps, Sizes sizes, std::size_t most_states, Budget& budget)
        : roles_(roles), steps_(steps), sizes_(sizes), most_states_(most_states), budget_(budget),
          coding_(roles.ball.size(), sizes), past_(steps.count) {}

    // How many clusters each vertex opens; nothing where no solution was found.
    std::optional<std::vector<std::int32_t>> run() {
        for (std::size_t step = 0; step < steps_.count; ++step) {
            switch (steps_.at(step)) {
                case Kind::leaf: leaf(); break;
                case Kind::introduce: continue;  // the forgotten are the same
                case Kind::forget: forget(steps_.vertex[step]); break;
                default: join();
            }
            const Front& front = tables_.back().front;
            if (front.size() == 0) return std::nullopt;
            past_[step] = front.past();
            history_bytes_ += front.size() * sizeof(Front::Past);
            check_memory();
        }
        return opened();
    }

    // Whether states were dropped for their number: then there may be a solution though none was found.
    bool is_cut() const { return is_cut_; }

  private:
    struct Table {
        Bits gone;  // the forgotten
        Kinds kinds;
        Front front;
    };
    struct Pair {
        std::size_t client, centre;  // kinds that are near each other
    };
    using Pairs = std::vector<Pair>;

    void leaf() {
        tables_.push_back({Bits(roles_.ball.size()), {}, Front({})});
        tables_.back().front.add({}, {});
    }

    // v becomes a client, and a centre if it opens clusters.
    void forget(Vertex v) {
        const Table before = std::move(tables_.back());
        const std::size_t client = before.kinds.clients.size(), centre = before.kinds.centres.size();
        Bits gone = before.gone;
        gone.add(v);
        const Shift shift(roles_, sizes_, before.kinds, kinds_of(v), gone);
        tables_.back() = {std::move(gone), shift.after(), Front(Coding::weights(shift.after()))};
        Pairs closed;
        for (std::size_t c = 0; c < centre; ++c)
            if (before.kinds.centres[c].near.has(v)) closed.push_back({client, c});
        Pairs opened = closed;
        opened.push_back({client, centre});
        for (std::size_t a = 0; a < client; ++a)
            if (before.kinds.clients[a].near.has(v)) opened.push_back({a, centre});
        for (std::size_t i = 0; i < before.front.size(); ++i)
            for (std::int32_t count = 0; count <= most_opened(v); ++count) {
                Loose loose = with_vertex(before, i, v, count);
                serve(shift, loose, count ? opened : closed, {static_cast<std::uint32_t>(i), 0, count});
            }
        finish();
    }

    Kinds kinds_of(Vertex v) const {
        const auto at = static_cast<std::size_t>(v);
        const Bits nobody(roles_.ball.size());
        return {{{roles_.servers[at], v, 0}}, {{roles_.may.has(v) ? roles_.ball[at] : nobody, v, 0}}};
    }

    std::int32_t most_opened(Vertex v) const {
        if (!roles_.may.has(v)) return 0;
        const std::int32_t clusters = roles_.ball[static_cast<std::size_t>(v)].count() / sizes_.lower;
        return sizes_.splits ? std::min(clusters, 1) : clusters;
    }

    Loose with_vertex(const Table& before, std::size_t state, Vertex v, std::int32_t opened) const {
        Loose loose;
        coding_.load(loose, before.front.row(state), before.kinds);
        loose.must.push_back(!sizes_.splits || roles_.must.has(v));
        loose.free.push_back(1);
        const std::int32_t around = roles_.ball[static_cast<std::size_t>(v)].count();
        loose.least.push_back(sizes_.lower * opened);
        loose.most.push_back(sizes_.splits ? opened : std::min(around, sizes_.upper * opened));
        return loose;
    }

    // Centres of one side may serve clients of the other.
    void join() {
        const Table right = std::move(tables_.back());
        tables_.pop_back();
        const Table left = std::move(tables_.back());
        Bits gone = left.gone;
        gone |= right.gone;
        const Shift shift(roles_, sizes_, left.kinds, right.kinds, gone);
        tables_.back() = {std::move(gone), shift.after(), Front(Coding::weights(shift.after()))};
        const std::size_t clients = left.kinds.clients.size(), centres = left.kinds.centres.size();
        Pairs pairs = near_each_other(left.kinds, right.kinds, 0, centres);
        const Pairs others = near_each_other(right.kinds, left.kinds, clients, 0);
        pairs.insert(pairs.end(), others.begin(), others.end());
        for (std::size_t i = 0; i < left.front.size(); ++i)
            for (std::size_t j = 0; j < right.front.size(); ++j) {
                Loose loose;
                coding_.load(loose, left.front.row(i), left.kinds);
                coding_.load(loose, right.front.row(j), right.kinds);
                serve(shift, loose, pairs, {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), 0});
            }
        finish();
    }

    // The clients of one side and the centres of the other, numbered from these numbers on.
    static Pairs near_each_other(const Kinds& side, const Kinds& other, std::size_t client, std::size_t centre) {
        Pairs pairs;
        for (std::size_t a = 0; a < side.clients.size(); ++a)
            for (std::size_t c = 0; c < other.centres.size(); ++c)
                if (side.clients[a].near.has(other.centres[c].first)) pairs.push_back({client + a, centre + c});
        return pairs;
    }

    // All ways in which clients are served by centres near them. With `splits` one open centre frees all clients near it.
    void serve(const Shift& shift, Loose& loose, const Pairs& pairs, Front::Past past) {
        if (sizes_.splits)
            for (const Pair& pair : pairs)
                if (loose.most[pair.centre] > 0) loose.must[pair.client] = 0;
        serve_from(shift, loose, pairs, 0, past);
    }

    void serve_from(const Shift& shift, Loose& loose, const Pairs& pairs, std::size_t at, Front::Past past) {
        while (at < pairs.size() && takes(loose, pairs[at]) == 0) ++at;
        if (at == pairs.size()) {
            if (!leaves_what_is_safe(shift, loose, pairs)) add(shift, loose, past);
            return;
        }
        const Pair pair = pairs[at];
        const std::int32_t most = takes(loose, pair), least = loose.least[pair.centre];
        for (std::int32_t count = 0; count <= most; ++count) {
            change(loose, pair, count, std::max(0, least - count));
            serve_from(shift, loose, pairs, at + 1, past);
            change(loose, pair, -count, least);
        }
    }

    std::int32_t takes(const Loose& loose, const Pair& pair) const {
        return std::min(loose.free[pair.client], sizes_.splits ? loose.least[pair.centre] : loose.most[pair.centre]);
    }

    void change(Loose& loose, const Pair& pair, std::int32_t count, std::int32_t least) const {
        loose.free[pair.client] -= count;
        loose.least[pair.centre] = least;
        if (sizes_.splits) return;
        loose.must[pair.client] -= count;
        loose.most[pair.centre] -= count;
    }

    bool leaves_what_is_safe(const Shift& shift, const Loose& loose, const Pairs& pairs) const {
        return sizes_.splits && std::any_of(pairs.begin(), pairs.end(), [&](const Pair& pair) {
                   return takes(loose, pair) > 0 && shift.is_safe(pair.client, pair.centre);
               });
    }

    void add(const Shift& shift, const Loose& loose, Front::Past past) {
        budget_.tick();
        if (!shift.settle(loose, state_)) return;
        Front& front = tables_.back().front;
        coding_.store(row_, state_, shift.after());
        front.add(row_, past);
        if (front.size() < next_clean_) return;
        is_cut_ |= front.clean(4 * most_states_, budget_);  // now and then, lest the same states fill the memory
        next_clean_ = std::max(first_clean, 2 * front.size());
        check_memory();
    }

    void finish() {
        is_cut_ |= tables_.back().front.clean(most_states_, budget_);
        next_clean_ = first_clean;
    }

    void check_memory() const {
        std::size_t bytes = history_bytes_;
        for (const Table& table : tables_) bytes += table.front.bytes();
        budget_.check_bytes(bytes);
    }

    // From the first state of the last step down.
    std::vector<std::int32_t> opened() const {
        std::vector<std::int32_t> clusters(roles_.ball.size(), 0);
        std::vector<std::uint32_t> states{0};
        for (std::size_t step = steps_.count; step-- > 0;) {
            if (steps_.at(step) == Kind::introduce) continue;
            const Front::Past past = past_[step][states.back()];
            states.pop_back();
            if (steps_.at(step) == Kind::leaf) continue;
            states.push_back(past.from);
            if (steps_.at(step) == Kind::join) states.push_back(past.other);
            else clusters[static_cast<std::size_t>(steps_.vertex[step])] = past.opened;
        }
        return clusters;
    }

    static constexpr std::size_t first_clean = 1u << 12;

    const Roles& roles_;
    Steps steps_;
    Sizes sizes_;
    std::size_t most_states_;
    Budget& budget_;
    Coding coding_;
    bool is_cut_ = false;
    std::vector<Table> tables_;
    std::vector<std::vector<Front::Past>> past_;
    std::size_t history_bytes_ = 0, next_clean_ = first_clean;
    Loose state_;
    std::vector<Front::Number> row_;
};

// With few states first, which is quick where there are many solutions, then with more, until none is left out.
inline std::optional<std::vector<std::int32_t>> opened_clusters(const Roles& roles, Steps steps, Sizes sizes,
                                                                Budget budget) {
    for (std::size_t most_states = 64;; most_states *= 8) {
        Unconnected program(roles, steps, sizes, most_states, budget);
        auto clusters = program.run();
        if (clusters || !program.is_cut()) return clusters;
    }
}

}  // namespace covey::treewidth
