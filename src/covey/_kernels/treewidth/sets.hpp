// Sets of centres, each kept once: a state holds numbers of sets, and what two sets share is worked out once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <unordered_map>
#include <vector>

#include "../network/graph.hpp"

namespace covey::treewidth {

using network::Vertex;
using Set = std::int32_t;

class Sets {
  public:
    static constexpr Set empty = 0;

    Sets() { number({}); }

    // The number of a set; the vertices must ascend.
    Set number(const std::vector<Vertex>& members) {
        std::uint64_t hash = 0x9e3779b97f4a7c15ull;
        std::uint64_t sign = 0;
        for (const Vertex v : members) {
            const std::uint64_t mixed = mix(static_cast<std::uint64_t>(v) + 1);
            hash = mix(hash ^ mixed);
            sign |= 1ull << (mixed & 63);
        }
        for (auto [at, end] = by_hash_.equal_range(hash); at != end; ++at)
            if (std::equal(begin(at->second), this->end(at->second), members.begin(), members.end())) return at->second;
        const auto id = static_cast<Set>(sign_.size());
        items_.insert(items_.end(), members.begin(), members.end());
        start_.push_back(items_.size());
        sign_.push_back(sign);
        by_hash_.emplace(hash, id);
        return id;
    }

    // What two sets share.
    Set meet(Set a, Set b) {
        if (a == b) return a;
        if (a > b) std::swap(a, b);
        if ((sign(a) & sign(b)) == 0) return empty;
        const std::uint64_t key = (static_cast<std::uint64_t>(a) << 32) | static_cast<std::uint64_t>(b);
        if (const auto known = shared_.find(key); known != shared_.end()) return known->second;
        both_.clear();
        std::set_intersection(begin(a), end(a), begin(b), end(b), std::back_inserter(both_));
        const Set found = number(both_);
        if (shared_.size() >= most_known) shared_.clear();
        shared_.emplace(key, found);
        return found;
    }

    // Whether all of a is in b.
    bool within(Set a, Set b) const {
        if (a == b) return true;
        if ((sign(a) & ~sign(b)) != 0 || end(a) - begin(a) > end(b) - begin(b)) return false;
        return std::includes(begin(b), end(b), begin(a), end(a));
    }

    const Vertex* begin(Set a) const { return items_.data() + start_[static_cast<std::size_t>(a)]; }
    const Vertex* end(Set a) const { return items_.data() + start_[static_cast<std::size_t>(a) + 1]; }

    std::size_t bytes() const { return items_.size() * sizeof(Vertex) + sign_.size() * 80 + shared_.size() * 48; }

  private:
    static constexpr std::size_t most_known = 1u << 22;

    std::uint64_t sign(Set a) const { return sign_[static_cast<std::size_t>(a)]; }

    static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
        return x ^ (x >> 31);
    }

    std::vector<Vertex> items_, both_;
    std::vector<std::size_t> start_{0};
    std::vector<std::uint64_t> sign_;  // a bit for each member: most pairs that do not nest or meet show it here
    std::unordered_multimap<std::uint64_t, Set> by_hash_;  // looked up only, never walked
    std::unordered_map<std::uint64_t, Set> shared_;
};

}  // namespace covey::treewidth
