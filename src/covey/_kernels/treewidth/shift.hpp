// One step of theorem 1: from states by the kinds before it to rows by the kinds after it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "front.hpp"
#include "kinds.hpp"

namespace covey::treewidth {

struct Sizes {
    std::int32_t lower, upper;
    bool splits;  // every number from `lower` on can be cut into sizes up to `upper`
};

// A state. Of each kind of forgotten clients: how many the rest must serve, and how many it may. Of each kind of forgotten
// centres: the least and the most clients that they still take from the rest. With `splits`, `must` and `most` are 0 or 1: the rest must
// serve all or none of a kind that are not free, and a centre that is open takes any number.
struct Loose {
    std::vector<std::int32_t> must, free, least, most;
};

// A row is a state by numbers that are the better the smaller they are: must, the missing to the most that can be free, least,
// and the missing to the most that can be taken.
// Lemma. With `splits`, clients above `lower` for each possible centre of a kind are of no use: one centre would take more than `lower` of
// them, and does without one.
class Coding {
  public:
    Coding(std::size_t n, Sizes sizes) : n_(static_cast<std::int64_t>(n)), sizes_(sizes) {}

    void load(Loose& loose, std::span<const Front::Number> row, const Kinds& kinds) const {
        const Front::Number* number = row.data();
        for (std::size_t a = 0; a < kinds.clients.size(); ++a) loose.must.push_back(*number++);
        for (const Kin& kin : kinds.clients) loose.free.push_back(most_free(kin) - *number++);
        for (std::size_t c = 0; c < kinds.centres.size(); ++c) loose.least.push_back(*number++);
        for (const Kin& kin : kinds.centres) loose.most.push_back(most_taken(kin) - *number++);
    }

    void store(std::vector<Front::Number>& row, const Loose& loose, const Kinds& kinds) const {
        row.clear();
        const auto put = [&](std::int32_t number) { row.push_back(static_cast<Front::Number>(number)); };
        for (const std::int32_t must : loose.must) put(must);
        for (std::size_t a = 0; a < kinds.clients.size(); ++a)
            put(std::max(0, most_free(kinds.clients[a]) - loose.free[a]));
        for (const std::int32_t least : loose.least) put(least);
        for (std::size_t c = 0; c < kinds.centres.size(); ++c)
            put(std::max(0, most_taken(kinds.centres[c]) - loose.most[c]));
    }

    // What the rest has to do weighs more than what it has. Any weights give the right answer.
    static std::vector<std::uint32_t> weights(const Kinds& kinds) {
        constexpr std::uint32_t urgent = 10;
        std::vector<std::uint32_t> weights;
        for (const std::size_t count : {kinds.clients.size(), kinds.centres.size()}) {
            weights.insert(weights.end(), count, urgent);
            weights.insert(weights.end(), count, 1u);
        }
        return weights;
    }

  private:
    std::int32_t most_free(const Kin& kin) const {
        return static_cast<std::int32_t>(sizes_.splits ? std::min(n_, std::int64_t{sizes_.lower} * kin.room) : n_);
    }
    std::int32_t most_taken(const Kin& kin) const { return sizes_.splits ? 1 : kin.room; }

    std::int64_t n_;
    Sizes sizes_;
};

// The kinds before a step are those of `left`, then those of `right`. `gone` are the vertices forgotten after it.
class Shift {
  public:
    Shift(const Roles& roles, Sizes sizes, const Kinds& left, const Kinds& right, const Bits& gone) : sizes_(sizes) {
        for (const Kinds* side : {&left, &right}) {
            for (const Kin& kin : side->clients) client_to_.push_back(moved(after_.clients, kin, gone));
            for (const Kin& kin : side->centres) centre_to_.push_back(moved(after_.centres, kin, gone));
        }
        Bits clients(roles.ball.size());
        for (const Kin& kin : after_.centres) clients |= kin.near;
        room_ = clients.count();
        if (!sizes.splits) return;
        find_implied(roles);
        find_safe(roles);
    }

    const Kinds& after() const { return after_; }

    // Lemma (safe). With `splits`, let a client of kind A be near a centre of kind C that lacks some, and every z near C be near every y
    // that may serve A. Then the centre should have the client: where it is completed by some z, and the client goes to some y
    // or stays, z can go to y or stay.
    bool is_safe(std::size_t client, std::size_t centre) const {
        const int a = client_to_[client], c = centre_to_[centre];
        return a < 0 || c < 0 || safe_[static_cast<std::size_t>(a)][static_cast<std::size_t>(c)];
    }

    // The state by the kinds after the step; false: someone must be served, or is needed, and there are not enough left.
    bool settle(const Loose& before, Loose& state) const {
        state.must.assign(after_.clients.size(), 0);
        state.free.assign(after_.clients.size(), 0);
        state.least.assign(after_.centres.size(), 0);
        state.most.assign(after_.centres.size(), 0);
        if (!add(before.must, before.free, client_to_, state.must, state.free)) return false;
        if (!add(before.least, before.most, centre_to_, state.least, state.most)) return false;
        std::int64_t lacking = 0;
        for (std::size_t c = 0; c < after_.centres.size(); ++c) {
            if (state.least[c] > after_.centres[c].room) return false;
            lacking += state.least[c];
        }
        if (lacking > room_) return false;
        if (sizes_.splits) imply(state);
        return true;
    }

  private:
    using Numbers = std::vector<std::int32_t>;

    static int moved(std::vector<Kin>& kinds, const Kin& kin, const Bits& gone) {
        Bits near = kin.near;
        near -= gone;
        return number_of(kinds, std::move(near), kin.first);
    }

    static bool add(const Numbers& needs, const Numbers& has, const std::vector<int>& to, Numbers& all_needs,
                    Numbers& all) {
        for (std::size_t i = 0; i < needs.size(); ++i) {
            if (to[i] < 0 && needs[i] > 0) return false;
            if (to[i] < 0) continue;
            all_needs[static_cast<std::size_t>(to[i])] += needs[i];
            all[static_cast<std::size_t>(to[i])] += has[i];
        }
        return true;
    }

    // Lemma (implied). Whoever serves a kind can serve every kind that has all its possible centres and more; and open centres near some
    // clients are near fewer. So these bits say nothing new, and states that differ in them alone become equal.
    void imply(Loose& state) const {
        const Numbers must = state.must, most = state.most;
        for (std::size_t a = 0; a < must.size(); ++a)
            if (must[a] > 0)
                for (const std::size_t wider : wider_[a]) state.must[wider] = 1;
        for (std::size_t c = 0; c < most.size(); ++c) {
            if (reaches_nobody_[c]) state.most[c] = 1;
            if (most[c] > 0)
                for (const std::size_t narrower : narrower_[c]) state.most[narrower] = 1;
        }
    }

    void find_implied(const Roles& roles) {
        std::vector<Bits> servers, reached;
        for (const Kin& kin : after_.clients) servers.push_back(kin.near);
        for (const Kin& kin : after_.centres) {
            reached.push_back(kin.near);
            reached.back() &= roles.must;
            reaches_nobody_.push_back(reached.back().count() == 0);
        }
        wider_.resize(servers.size());
        narrower_.resize(reached.size());
        for (std::size_t a = 0; a < servers.size(); ++a)
            for (std::size_t b = 0; b < servers.size(); ++b)
                if (servers[a].within(servers[b])) wider_[a].push_back(b);
        for (std::size_t c = 0; c < reached.size(); ++c)
            for (std::size_t b = 0; b < reached.size(); ++b)
                if (reached[b].within(reached[c])) narrower_[c].push_back(b);
    }

    void find_safe(const Roles& roles) {
        for (const Kin& client : after_.clients) {
            Bits shared = roles.everybody;  // near all that may serve the client
            for (std::size_t y = 0; y < roles.ball.size(); ++y)
                if (client.near.has(static_cast<Vertex>(y))) shared &= roles.ball[y];
            safe_.emplace_back();
            for (const Kin& centre : after_.centres) safe_.back().push_back(centre.near.within(shared));
        }
    }

    Sizes sizes_;
    Kinds after_;
    std::vector<int> client_to_, centre_to_;  // the kind after the step; -1: nobody of the rest is near
    std::vector<std::vector<std::size_t>> wider_, narrower_;
    std::vector<bool> reaches_nobody_;
    std::vector<std::vector<bool>> safe_;
    std::int64_t room_ = 0;
};

}  // namespace covey::treewidth
