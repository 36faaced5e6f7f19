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

    Bits& operator|=(const Bits& other) {
        return change(other, [](auto a, auto b) { return a | b; });
    }
    Bits& operator&=(const Bits& other) {
        return change(other, [](auto a, auto b) { return a & b; });
    }
    Bits& operator-=(const Bits& other) {
        return change(other, [](auto a, auto b) { return a & ~b; });
    }
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

// Vertices that are alike.
struct Kin {
    Bits near;          // who of the rest is within the distance: possible centres for clients, clients for centres
    Vertex first;       // one of them
    std::int32_t room;  // how many are near
};

struct Kinds {
    std::vector<Kin> clients, centres;
};

// The number of the kind with these near, which is added if there is none; -1: nobody is near.
inline int number_of(std::vector<Kin>& kinds, Bits near, Vertex first) {
    const std::int32_t room = near.count();
    if (room == 0) return -1;
    const auto same = [&](const Kin& kin) { return kin.room == room && kin.near == near; };
    const auto at = std::find_if(kinds.begin(), kinds.end(), same);
    if (at != kinds.end()) return static_cast<int>(at - kinds.begin());
    kinds.push_back({std::move(near), first, room});
    return static_cast<int>(kinds.size()) - 1;
}

// What is the same at every step: who may be a centre, and whom it is enough to serve.
//
// Lemma (centres). A centre can be replaced by a vertex whose ball includes its ball. So one vertex for each ball that lies in no
// other is enough; the caller finds these.
// Lemma (clients). Where a centre may take any number from `lower` on, open centres that have `lower` clients each serve everybody
// if they reach those whose possible centres include nobody else's: whoever reaches w reaches every v whose possible centres
// include those of w. `must` has one client for each smallest set of possible centres.
class Roles {
  public:
    Roles(std::size_t n, Rows balls, const bool* may)
        : ball(n, Bits(n)), servers(n, Bits(n)), may(n), must(n), everybody(n) {
        for (std::size_t i = 0; i < n; ++i) {
            everybody.add(static_cast<Vertex>(i));
            if (may[i]) this->may.add(static_cast<Vertex>(i));
        }
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
    Bits may, must, everybody;

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
