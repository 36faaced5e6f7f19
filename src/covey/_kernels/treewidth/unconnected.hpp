// Clusters of `lower` to `upper` vertices around centres, connected or not: theorem 1 of Blazej et al., by dynamic programming over
// a nice tree decomposition, given as steps for a stack of tables.
//
// Clusters with the same centre need no telling apart, so the question is which centres are open, with how many clusters, and who
// serves whom. A state has, for each kind of forgotten clients, how many the rest may still serve and how many it must serve, and
// for each kind of forgotten centres the least and the most clients that they still take from the rest.
//
// Where every number from `lower` on can be split (`splits`), a centre takes any number from `lower` on. Then
// - a client near an open centre is free: it may serve to fill a later centre, or stay. So a client is fixed only where a centre needs it, and of the
//   others of a kind the rest must serve all or none: one bit;
// - more free clients are better, so that states are compared by all their numbers (front.hpp).
// Otherwise every client waits until it is served, and only the bounds of centres are compared.
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

namespace covey::treewidth {

struct Sizes {
    std::int32_t lower, upper;
    bool splits;
};

class Unconnected {
  public:
    Unconnected(const Roles& roles, Steps steps, Sizes sizes, std::size_t most_states, Budget& budget)
        : roles_(roles), steps_(steps), sizes_(sizes), most_states_(most_states), budget_(budget), past_(steps.count) {}

    // How many clusters each vertex opens; nothing where no solution was found.
    std::optional<std::vector<std::int32_t>> run() {
        for (std::size_t step = 0; step < steps_.count; ++step) {
            switch (steps_.at(step)) {
                case Kind::leaf: leaf(); break;
                case Kind::introduce: break;  // only forgotten vertices have decided
                case Kind::forget: forget(steps_.vertex[step]); break;
                default: join();
            }
            const Front& front = tables_.back().front;
            if (front.size() == 0) return std::nullopt;
            if (steps_.at(step) == Kind::introduce) continue;
            past_[step] = front.past();
            history_bytes_ += front.size() * sizeof(Front::Past);
            check_memory(0);
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
    // The numbers of a state while it changes, by the kinds before the step: those of the left table, then of the right.
    struct Loose {
        std::vector<std::int32_t> must, free, least, most;
    };
    struct Pair {
        std::size_t client, centre;
    };

    void leaf() {
        tables_.push_back({Bits(roles_.ball.size()), {}, Front(0)});
        tables_.back().front.add({}, {});
    }

    // v becomes a client, and a centre if it opens clusters.
    void forget(Vertex v) {
        Table& table = tables_.back();
        const auto at = static_cast<std::size_t>(v);
        const Kinds before = std::move(table.kinds);
        const Front states = std::move(table.front);
        const std::size_t client = before.clients.size(), centre = before.centres.size();
        table.gone.add(v);
        const Bits nobody(roles_.ball.size());
        Kinds own;
        own.clients.push_back({roles_.servers[at], v, 0});
        own.centres.push_back({roles_.may.has(v) ? roles_.ball[at] : nobody, v, 0});
        begin(table, before, own);
        std::vector<Pair> pairs, with_centre;
        for (std::size_t c = 0; c < centre; ++c)
            if (before.centres[c].near.has(v)) pairs.push_back({client, c});
        with_centre = pairs;
        with_centre.push_back({client, centre});
        for (std::size_t a = 0; a < client; ++a)
            if (before.clients[a].near.has(v)) with_centre.push_back({a, centre});
        for (std::size_t i = 0; i < states.size(); ++i) {
            Loose loose;
            load(loose, states.row(i), before);
            loose.must.push_back(roles_.must.has(v) || !sizes_.splits);
            loose.free.push_back(1);
            loose.least.push_back(0);
            loose.most.push_back(0);
            for (std::int32_t count = 0; count <= most_opened(v); ++count) {
                Loose opened = loose;
                opened.least[centre] = sizes_.lower * count;
                opened.most[centre] = sizes_.splits ? count : std::min(roles_.ball[at].count(), sizes_.upper * count);
                serve(opened, count ? with_centre : pairs, {static_cast<std::uint32_t>(i), 0, count});
            }
        }
        finish();
    }

    std::int32_t most_opened(Vertex v) const {
        if (!roles_.may.has(v)) return 0;
        const std::int32_t clusters = roles_.ball[static_cast<std::size_t>(v)].count() / sizes_.lower;
        return sizes_.splits ? std::min(clusters, 1) : clusters;
    }

    // Centres of one side may serve clients of the other.
    void join() {
        const Table right = std::move(tables_.back());
        tables_.pop_back();
        Table& table = tables_.back();
        const Kinds left = std::move(table.kinds);
        const Front states = std::move(table.front);
        table.gone |= right.gone;
        begin(table, left, right.kinds);
        std::vector<Pair> pairs;
        const std::size_t clients = left.clients.size(), centres = left.centres.size();
        for (std::size_t a = 0; a < clients; ++a)
            for (std::size_t c = 0; c < right.kinds.centres.size(); ++c)
                if (left.clients[a].near.has(right.kinds.centres[c].first)) pairs.push_back({a, centres + c});
        for (std::size_t a = 0; a < right.kinds.clients.size(); ++a)
            for (std::size_t c = 0; c < centres; ++c)
                if (right.kinds.clients[a].near.has(left.centres[c].first)) pairs.push_back({clients + a, c});
        for (std::size_t i = 0; i < states.size(); ++i)
            for (std::size_t j = 0; j < right.front.size(); ++j) {
                Loose loose;
                load(loose, states.row(i), left);
                load(loose, right.front.row(j), right.kinds);
                serve(loose, pairs, {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), 0});
            }
        finish();
    }

    // ---- from the kinds before a step to those after it

    void begin(Table& table, const Kinds& left, const Kinds& right) {
        client_to_.clear();
        centre_to_.clear();
        for (const Kinds* side : {&left, &right}) {
            for (const Kin& kin : side->clients) client_to_.push_back(moved(table.kinds.clients, kin, table.gone));
            for (const Kin& kin : side->centres) centre_to_.push_back(moved(table.kinds.centres, kin, table.gone));
        }
        const Kinds& kinds = table.kinds;
        const auto count = [](const auto& list) { return list.size(); };
        wider_.assign(count(kinds.clients), {});
        narrower_.assign(count(kinds.centres), {});
        for (std::size_t a = 0; a < count(kinds.clients); ++a)
            for (std::size_t b = 0; b < count(kinds.clients); ++b)
                if (a != b && kinds.clients[a].near.within(kinds.clients[b].near)) wider_[a].push_back(b);
        Bits all(roles_.ball.size());
        std::vector<Bits> served;
        for (const Kin& kin : kinds.centres) {
            all |= kin.near;
            served.push_back(kin.near);
            served.back() &= roles_.must;
        }
        room_ = all.count();
        for (std::size_t a = 0; a < served.size(); ++a)
            for (std::size_t b = 0; b < served.size(); ++b)
                if (a != b && served[b].within(served[a])) narrower_[a].push_back(b);
        nobody_.assign(served.size(), false);
        for (std::size_t c = 0; c < served.size(); ++c) nobody_[c] = served[c].count() == 0;
        table.front = Front(2 * kinds.clients.size() + 2 * kinds.centres.size());
        next_clean_ = first_clean;
    }

    static int moved(std::vector<Kin>& kinds, const Kin& kin, const Bits& gone) {
        Bits near = kin.near;
        near -= gone;
        return number_of(kinds, std::move(near), kin.first);
    }

    void finish() { is_cut_ |= tables_.back().front.clean(most_states_, budget_); }

    // ---- rows of numbers: must, free (what is missing to the most that can be of use), least, most (missing)

    std::int32_t most_free(const Kin& kin) const {
        const auto n = static_cast<std::int64_t>(roles_.ball.size());
        return static_cast<std::int32_t>(sizes_.splits ? std::min(n, std::int64_t{sizes_.lower} * kin.room) : n);
    }
    std::int32_t most_taken(const Kin& kin) const { return sizes_.splits ? 1 : kin.room; }

    void load(Loose& loose, std::span<const Front::Number> row, const Kinds& kinds) const {
        std::size_t at = 0;
        for (std::size_t a = 0; a < kinds.clients.size(); ++a) loose.must.push_back(row[at++]);
        for (const Kin& kin : kinds.clients) loose.free.push_back(most_free(kin) - row[at++]);
        for (std::size_t c = 0; c < kinds.centres.size(); ++c) loose.least.push_back(row[at++]);
        for (const Kin& kin : kinds.centres) loose.most.push_back(most_taken(kin) - row[at++]);
    }

    // All ways in which the clients of pairs are served by their centres, from the kinds before the step to rows after it.
    void serve(Loose& loose, const std::vector<Pair>& pairs, Front::Past past) {
        if (sizes_.splits)
            for (const Pair& pair : pairs)
                if (loose.most[pair.centre] > 0) loose.must[pair.client] = 0;
        serve_from(loose, pairs, 0, past);
    }

    void serve_from(Loose& loose, const std::vector<Pair>& pairs, std::size_t at, Front::Past past) {
        while (at < pairs.size() && takes(loose, pairs[at]) == 0) ++at;
        if (at == pairs.size()) {
            settle(loose, past);
            return;
        }
        const Pair pair = pairs[at];
        const std::int32_t most = takes(loose, pair), least = loose.least[pair.centre];
        for (std::int32_t count = 0; count <= most; ++count) {
            change(loose, pair, count, std::max(0, least - count));
            serve_from(loose, pairs, at + 1, past);
            change(loose, pair, -count, least);
        }
    }

    std::int32_t takes(const Loose& loose, const Pair& pair) const {
        return std::min(loose.free[pair.client], sizes_.splits ? loose.least[pair.centre] : loose.most[pair.centre]);
    }

    void change(Loose& loose, const Pair& pair, std::int32_t count, std::int32_t least) const {
        loose.free[pair.client] -= count;
        loose.least[pair.centre] = least;
        if (!sizes_.splits) {
            loose.must[pair.client] -= count;
            loose.most[pair.centre] -= count;
        }
    }

    void settle(const Loose& loose, Front::Past past) {
        budget_.tick();
        Table& table = tables_.back();
        const std::vector<Kin>&clients = table.kinds.clients, &centres = table.kinds.centres;
        after_.must.assign(clients.size(), 0);
        after_.free.assign(clients.size(), 0);
        after_.least.assign(centres.size(), 0);
        after_.most.assign(centres.size(), 0);
        for (std::size_t a = 0; a < loose.must.size(); ++a) {
            if (client_to_[a] < 0 && loose.must[a] > 0) return;
            if (client_to_[a] < 0) continue;
            after_.must[static_cast<std::size_t>(client_to_[a])] += loose.must[a];
            after_.free[static_cast<std::size_t>(client_to_[a])] += loose.free[a];
        }
        std::int32_t lacking = 0;
        for (std::size_t c = 0; c < loose.least.size(); ++c) {
            if (centre_to_[c] < 0 && loose.least[c] > 0) return;
            if (centre_to_[c] < 0) continue;
            after_.least[static_cast<std::size_t>(centre_to_[c])] += loose.least[c];
            after_.most[static_cast<std::size_t>(centre_to_[c])] += loose.most[c];
            lacking += loose.least[c];
        }
        if (lacking > room_) return;
        for (std::size_t c = 0; c < centres.size(); ++c)
            if (after_.least[c] > centres[c].room) return;
        if (sizes_.splits) imply();
        row_.clear();
        const auto put = [&](std::int32_t number) { row_.push_back(static_cast<Front::Number>(number)); };
        for (std::size_t a = 0; a < clients.size(); ++a) put(after_.must[a]);
        for (std::size_t a = 0; a < clients.size(); ++a)
            put(most_free(clients[a]) - std::min(most_free(clients[a]), after_.free[a]));
        for (std::size_t c = 0; c < centres.size(); ++c) put(after_.least[c]);
        for (std::size_t c = 0; c < centres.size(); ++c)
            put(most_taken(centres[c]) - std::min(most_taken(centres[c]), after_.most[c]));
        table.front.add(row_, past);
        if (table.front.size() < next_clean_) return;
        is_cut_ |= table.front.clean(4 * most_states_, budget_);  // lest the same states fill the memory
        next_clean_ = std::max(first_clean, 2 * table.front.size());
        check_memory(table.front.bytes());
    }

    // Whoever serves a kind serves those that more can serve; centres that serve all of some serve all of fewer.
    void imply() {
        const auto must = after_.must;
        const auto most = after_.most;
        for (std::size_t a = 0; a < must.size(); ++a) {
            if (must[a] == 0) continue;
            after_.must[a] = 1;
            for (const std::size_t b : wider_[a]) after_.must[b] = 1;
        }
        for (std::size_t c = 0; c < most.size(); ++c) {
            if (nobody_[c]) after_.most[c] = 1;
            if (most[c] == 0) continue;
            for (const std::size_t b : narrower_[c]) after_.most[b] = 1;
        }
    }

    void check_memory(std::size_t growing) const {
        std::size_t bytes = growing + history_bytes_;
        for (const Table& table : tables_) bytes += table.front.bytes();
        budget_.check_bytes(bytes);
    }

    // From the only state of the last step down.
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
    bool is_cut_ = false;
    std::vector<Table> tables_;
    std::vector<std::vector<Front::Past>> past_;
    std::size_t history_bytes_ = 0, next_clean_ = first_clean;
    // Of the step that is being made: the kinds after it by those before, and which of them imply which.
    std::vector<int> client_to_, centre_to_;
    std::vector<std::vector<std::size_t>> wider_, narrower_;
    std::vector<bool> nobody_;
    std::int32_t room_ = 0;
    Loose after_;
    std::vector<Front::Number> row_;
};

// The same with few states first, which is quick where there are many solutions, then with more, until none is left out.
inline std::optional<std::vector<std::int32_t>> opened_clusters(const Roles& roles, Steps steps, Sizes sizes,
                                                                Budget budget) {
    for (std::size_t most_states = 64;; most_states *= 8) {
        Unconnected program(roles, steps, sizes, most_states, budget);
        auto clusters = program.run();
        if (clusters || !program.is_cut()) return clusters;
    }
}

}  // namespace covey::treewidth
