// A set of up to 64 * Words places: which points right of the leftmost one left are taken.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace covey::diverse {

template <std::size_t Words>
struct Bits {
    static constexpr std::size_t size = 64 * Words;
    std::array<std::uint64_t, Words> word{};

    bool operator==(const Bits&) const = default;
    bool test(std::size_t i) const { return (word[i / 64] >> (i % 64)) & 1; }
    void set(std::size_t i) { word[i / 64] |= std::uint64_t{1} << (i % 64); }

    std::size_t count() const {
        std::size_t total = 0;
        for (const auto w : word) total += static_cast<std::size_t>(std::popcount(w));
        return total;
    }

    // The number of places before the first that is not set.
    std::size_t leading() const {
        for (std::size_t w = 0; w < Words; ++w)
            if (word[w] != ~std::uint64_t{0}) return 64 * w + static_cast<std::size_t>(std::countr_one(word[w]));
        return size;
    }

    // Forget the first `places`, at most `size`.
    void drop(std::size_t places) {
        const std::size_t skip = places / 64, shift = places % 64;
        for (std::size_t w = 0; w < Words; ++w) {
            std::uint64_t low = w + skip < Words ? word[w + skip] : 0;
            if (shift > 0) {
                const std::uint64_t high = w + skip + 1 < Words ? word[w + skip + 1] : 0;
                low = (low >> shift) | (high << (64 - shift));
            }
            word[w] = low;
        }
    }

    std::size_t hash() const {
        std::uint64_t h = 0;
        for (const auto w : word) {
            h = (h ^ w) * 0x9E3779B97F4A7C15U;
            h ^= h >> 32;
        }
        return static_cast<std::size_t>(h);
    }
};

}  // namespace covey::diverse
