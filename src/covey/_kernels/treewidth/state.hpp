// What a partial solution shows at a bag: who of the bag is in which cluster, which pieces of it are connected so far, how
// many vertices each cluster has, and who can still be its centre.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "sets.hpp"

namespace covey::treewidth {

constexpr std::size_t most_in_bag = 12;
using Places = std::array<std::uint8_t, most_in_bag>;

struct State {
    Places cluster{}, piece{};  // of each place of the bag, numbered by first appearance; 0 behind the last place
    std::array<std::int32_t, most_in_bag> size{};
    std::array<Set, most_in_bag> centres{};  // of each cluster; 0 behind the last one
    std::uint32_t from = 0, other = 0;       // the states of the children that it came from

    auto operator<=>(const State&) const = default;

    bool same_but_for_its_past(const State& other_state) const {
        return cluster == other_state.cluster && piece == other_state.piece && size == other_state.size &&
               centres == other_state.centres;
    }
};

inline std::size_t clusters_of(const State& state, std::size_t places) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < places; ++i) count = std::max<std::size_t>(count, state.cluster[i] + 1u);
    return count;
}

// Opens a place in the bag; its labels are for the caller to set.
inline void open_place(State& state, std::size_t place, std::size_t places) {
    for (std::size_t i = places; i > place; --i) {
        state.cluster[i] = state.cluster[i - 1];
        state.piece[i] = state.piece[i - 1];
    }
}

inline void close_place(State& state, std::size_t place, std::size_t places) {
    for (std::size_t i = place; i + 1 < places; ++i) {
        state.cluster[i] = state.cluster[i + 1];
        state.piece[i] = state.piece[i + 1];
    }
    state.cluster[places - 1] = state.piece[places - 1] = 0;
}

// Numbers clusters and pieces by first appearance, so that equal states look equal. Labels may be up to 2 * most_in_bag.
inline void make_canonical(State& state, std::size_t places) {
    constexpr std::uint8_t unseen = 255;
    std::array<std::uint8_t, 2 * most_in_bag + 1> cluster_name, piece_name;
    cluster_name.fill(unseen);
    piece_name.fill(unseen);
    const auto size = state.size;
    const auto centres = state.centres;
    state.size.fill(0);
    state.centres.fill(Sets::empty);
    std::uint8_t clusters = 0, pieces = 0;
    for (std::size_t i = 0; i < places; ++i) {
        const std::uint8_t was = state.cluster[i];
        if (cluster_name[was] == unseen) {
            state.size[clusters] = size[was];
            state.centres[clusters] = centres[was];
            cluster_name[was] = clusters++;
        }
        state.cluster[i] = cluster_name[was];
        std::uint8_t& name = piece_name[state.piece[i]];
        if (name == unseen) name = pieces++;
        state.piece[i] = name;
    }
}

// All places of piece `was` become places of piece `is`.
inline void unite(State& state, std::size_t places, std::uint8_t was, std::uint8_t is) {
    for (std::size_t i = 0; i < places; ++i)
        if (state.piece[i] == was) state.piece[i] = is;
}

// Whether every connection inside b is one inside a.
inline bool as_connected(const State& a, const State& b, std::size_t places) {
    std::array<std::int16_t, most_in_bag> piece_of_a;
    piece_of_a.fill(-1);
    for (std::size_t i = 0; i < places; ++i) {
        std::int16_t& known = piece_of_a[b.piece[i]];
        if (known < 0) known = a.piece[i];
        if (known != a.piece[i]) return false;
    }
    return true;
}

}  // namespace covey::treewidth
