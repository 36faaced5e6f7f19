// Forgotten vertices by kind: alike are clients that the same centres of the rest (bag and future) can serve, and centres that
// can serve the same vertices of the rest. What happens later depends on the numbers of each kind alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reduce.hpp"

namespace covey::treewidth {

// A set of vertices, a bit each.
class Bits {
  public:
    explicit Bits(std::size_t n = 0) : words_((n + 63) / 64, 0) {}

    bool has(Vertex v) const { return (words_[word(v)] >> (v & 63)) & 1u; }
    void add(Vertex v) { words_[word(v)] |= 1ull << (v & 63); }
    void drop(Vertex v) { words_[word(v)] &= ~(1ull << (v & 63)); }

    Bits& operator|=(const Bits& other) { return change(other, [](auto a, auto b) { return a | b; }); }
    Bits& operator&=(const Bits& other) { return change(other, [](auto a, auto b) { return a & b; }); }
    Bits& operator-=(const Bits& other) { return change(other, [](auto a, auto b) { return a & ~b; }); }
    bool operator==(const Bits&) const = default;

    std::int32_t count() const {
        std::int32_t sum = 0;
        for (const std::uint64_t bits : words_) sum += std::popcount(bits);
        return sum;
    }
    bool within(const Bits& other) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if ((words_[i] & ~other.words_[i]) != 0) return false;
        return true;
    }

  private:
    static std::size_t word(Vertex v) { return static_cast<std::size_t>(v) / 64; }
    template <class F>
    Bits& change(const Bits& other, F f) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = f(words_[i], other.words_[i]);
        return *this;
    }
    std::vector<std::uint64_t> words_;
};

struct Kin {
    Bits near;           // who of the rest is within the distance: centres for a client, clients for a centre
    Vertex first;        // one of the kind
    std::int32_t room;   // how many are near
};

struct Kinds {
    std::vector<Kin> clients, centres;
};

// The kind with these near, which is added if there is none; -1: nobody is near.
inline int number_of(std::vector<Kin>& kinds, Bits near, Vertex first) {
    const std::int32_t room = near.count();
    if (room == 0) return -1;
    for (std::size_t k = 0; k < kinds.size(); ++k)
        if (kinds[k].room == room && kinds[k].near == near) return static_cast<int>(k);
    kinds.push_back({std::move(near), first, room});
    return static_cast<int>(kinds.size()) - 1;
}

// What does not change from step to step: who may be a centre, and whom it is enough to serve.
//
// Lemma (centres): if the ball of c lies in that of another vertex, that one can replace c. So `may` has one vertex for each ball
// that lies in no other; this is for the caller to find.
// Lemma (clients): where every number from `lower` on can be split, open centres serve everyone if they serve those whose centres
// include no other's: whoever serves w serves all v whose centres include those of w. `must` has one of each smallest set.
class Roles {
  public:
    Roles(std::size_t n, Rows balls, const bool* may) : ball(n, Bits(n)), servers(n, Bits(n)), may(n), must(n) {
        for (std::size_t i = 0; i < n; ++i)
            if (may[i]) this->may.add(static_cast<Vertex>(i));
        for (std::size_t i = 0; i < n; ++i) {
            const auto v = static_cast<Vertex>(i);
            for (const Vertex* w = balls.begin(v); w != balls.end(v); ++w) ball[i].add(*w);
            servers[i] = ball[i];
            servers[i] &= this->may;
        }
        for (std::size_t i = 0; i < n; ++i)
            if (is_smallest(balls, static_cast<Vertex>(i))) must.add(static_cast<Vertex>(i));
    }

    std::vector<Bits> ball, servers;  // of each vertex: all near it, and those that may be centres
    Bits may, must;

  private:
    // Whoever is served by some server of v is near it, so that only those must be compared.
    bool is_smallest(Rows balls, Vertex v) const {
        const Bits& own = servers[static_cast<std::size_t>(v)];
        for (const Vertex* c = balls.begin(v); c != balls.end(v); ++c) {
            if (!own.has(*c)) continue;
            for (const Vertex* w = balls.begin(*c); w != balls.end(*c); ++w) {
                const Bits& other = servers[static_cast<std::size_t>(*w)];
                if (*w != v && other.within(own) && (*w < v || other != own)) return false;
            }
        }
        return true;
    }
};

}  // namespace covey::treewidth
