// Small k, any cost but max distance: every candidate group of every end, its cost built up record by record.
//
// The groups that end before j are grown to the left, from x[j-1] on. Lemma: each growth adds a non-negative amount
// that is a difference of members (for SSE: Q - P^2/s with the origin at x[j-1], a member, so Q <= s * SSE and the
// subtraction loses at most log2(s) bits). No sum leaves the group, so no offset can disturb a cost, and totals are kept
// small. The ends j .. j+lanes-1 do not depend on each other as long as lanes <= k.
// O(kn) time, O(k) memory beside the output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "../lanes.hpp"
#include "../poll.hpp"

namespace covey::line {

// Each of these grows the groups [j-s, j) for `L` consecutive ends j; `x` points at x[j-1] of the first. share: 1/s.
namespace grow {

template <int L>
struct Sse {
    using V = Lanes<L>;
    V sum = V::all(0), squares = V::all(0);
    COVEY_INLINE void add(const double* x, int s) {
        const V d = V::load(x) - V::load(x - s + 1);
        sum = sum + d;
        squares = squares + d * d;
    }
    COVEY_INLINE V cost(double share) const { return squares - sum * sum * V::all(share); }
};

// Around the mean rounded to a whole number: the sum of (d + e)^2, where e lies between the last record and that number. Of
// whole numbers everything but the mean is one, so costs are exact, and equal ones are equal.
template <int L>
struct Rounded {
    using V = Lanes<L>;
    V sum = V::all(0), squares = V::all(0), last = V::all(0), size = V::all(1);
    COVEY_INLINE void add(const double* x, int s) {
        last = V::load(x);
        const V d = last - V::load(x - s + 1);
        sum = sum + d;
        squares = squares + d * d;
        size = V::all(s);
    }
    COVEY_INLINE V cost(double share) const {
        const V fraction = last - whole(last);
        const V e = whole(fraction - sum * V::all(share)) - fraction;
        return squares + e * (sum + sum + e * size);
    }

  private:
    // The nearest whole number of values below 2^51: what is added leaves no room for decimals.
    COVEY_INLINE static V whole(const V& value) { return (value + V::all(0x1.8p52)) - V::all(0x1.8p52); }
};

template <int L>
struct Sae {
    using V = Lanes<L>;
    V total = V::all(0);
    COVEY_INLINE void add(const double* x, int s) { total = total + (V::load(x - s + 1 + s / 2) - V::load(x - s + 1)); }
    COVEY_INLINE V cost(double) const { return total; }
};

template <int L>
struct RoundUp {
    using V = Lanes<L>;
    V total = V::all(0);
    COVEY_INLINE void add(const double* x, int s) { total = total + (V::load(x) - V::load(x - s + 1)); }
    COVEY_INLINE V cost(double) const { return total; }
};

template <int L>
struct RoundDown {
    using V = Lanes<L>;
    V total = V::all(0);
    COVEY_INLINE void add(const double* x, int s) {
        total = total + (V::load(x - s + 2) - V::load(x - s + 1)) * V::all(s - 1);
    }
    COVEY_INLINE V cost(double) const { return total; }
};

}  // namespace grow

// K is the minimum size if it is known when compiling, else 0. Canonical: of equal candidates, among the starts from the
// multiple of k on the one with the least remainder by k, see stream.hpp; else the smallest group.
template <template <int> class Grow, int K, bool Canonical = false>
class Direct {
  public:
    static constexpr bool wide = K == 0 || K >= 8;
    // Totals grow until they are rebased, and a costly group makes all that follow it in its block hard to tell apart.
    static constexpr std::size_t block = 240;

    // x: n >= 2k sorted values. start[j-1] becomes the start of the last group of an optimal partition of x[0..j).
    template <int W>
    COVEY_INLINE static void run(const double* x, std::size_t n, int minimum, std::uint32_t* start, double* buffer,
                                 const Poll* poll) {
        begin(x, minimum, start, buffer);
        advance<W>(x, static_cast<std::size_t>(2 * minimum - 1), n, minimum, start, buffer, poll);
    }

    // The same in pieces: begin, with at least 2k values, then for every piece Resume::run, `base` the last end solved.
    // All pieces but the last hold a multiple of block - 1 ends, and the bits are those of one run.
    struct Resume {
        static constexpr bool wide = Direct::wide;
        template <int W>
        COVEY_INLINE static void run(const double* x, std::size_t base, std::size_t n, int minimum,
                                     std::uint32_t* start, double* buffer, const Poll* poll) {
            advance<W>(x, base, n, minimum, start, buffer, poll);
        }
    };

    COVEY_INLINE static void begin(const double* x, int minimum, std::uint32_t* start, double* buffer) {
        const int k = K > 0 ? K : minimum;
        for (int s = 1; s < 2 * k; ++s) buffer[s] = 1.0 / s;  // a division in the loop would cost as much as the rest
        first_columns(x, k, start, totals(buffer, k));
    }

    static std::size_t buffer_size(int k) { return static_cast<std::size_t>(4 * k) + block; }

  private:
    static constexpr std::size_t poll_period = std::size_t{1} << 20;

    // total[j - base]: least cost of x[0..j), up to a common constant
    COVEY_INLINE static double* totals(double* buffer, int k) { return buffer + 4 * k - 1; }

    template <int W>
    COVEY_INLINE static void advance(const double* x, std::size_t base, std::size_t n, int minimum,
                                     std::uint32_t* start, double* buffer, const Poll* poll) {
        const int k = K > 0 ? K : minimum;
        const double* shares = buffer;
        double* total = totals(buffer, k);
        for (std::size_t j = base + 1; j <= n;) {
            const std::size_t stop = n + 1 - base < block ? n + 1 : base + block;
            if constexpr (K == 2 || K == 3) {
                one_by_one<W>(x, j, stop, total + (j - base), start);
                j = stop;
            } else {
                constexpr int registers = 2 * W <= (K > 0 ? K : 8) ? 2 : 1;
                constexpr int step = W * registers;
                for (; j + step <= stop; j += step) columns<W, registers>(x, j, k, shares, total + (j - base), start);
                for (; j < stop; ++j) columns<1, 1>(x, j, k, shares, total + (j - base), start);
            }
            rebase<W>(total, stop - 1 - base, 2 * k - 1);
            base = stop - 1;
            if (base / poll_period != (base - block) / poll_period) (*poll)();
        }
    }

    COVEY_INLINE static double share(int s, const double* shares) { return K > 0 ? 1.0 / s : shares[s]; }

    // The prefixes of fewer than 2k records are one group or, below k, impossible.
    COVEY_INLINE static void first_columns(const double* x, int k, std::uint32_t* start, double* total) {
        const int history = 2 * k - 1;
        total[-history] = 0.0;
        for (int j = 1; j < k; ++j) total[j - history] = std::numeric_limits<double>::infinity();
        for (int j = k; j < 2 * k; ++j) {
            Grow<1> group;
            for (int s = 2; s <= j; ++s) group.add(x + j - 1, s);
            total[j - history] = group.cost(1.0 / j)[0];
            start[j - 1] = 0;
        }
    }

    // The ends j .. j + W*R - 1, in R registers of W lanes.
    template <int W, int R>
    COVEY_INLINE static void columns(const double* x, std::size_t j, int k, const double* shares, double* total,
                                     std::uint32_t* start) {
        using V = Lanes<W>;
        Grow<W> group[R];
        V best[R], size[R], wrap[R];
        for (int r = 0; r < R; ++r) {
            best[r] = V::all(std::numeric_limits<double>::infinity());
            size[r] = V::all(k);
            if constexpr (Canonical) wrap[r] = sizes_to_multiple<W>(j + static_cast<std::size_t>(W * r), k);
        }
        const double* last = x + j - 1;
        for (int s = 2; s < k; ++s)
            for (int r = 0; r < R; ++r) group[r].add(last + W * r, s);
        for (int s = k; s < 2 * k; ++s)
            for (int r = 0; r < R; ++r) {
                group[r].add(last + W * r, s);
                const V candidate = V::load(total + W * r - s) + group[r].cost(share(s, shares));
                const V nearer = where_less(candidate, best[r], V::all(s), size[r]);
                if constexpr (Canonical)
                    size[r] =
                        where_less(wrap[r], V::all(s), nearer, where_less(best[r], candidate, size[r], V::all(s)));
                else size[r] = nearer;
                best[r] = where_less(candidate, best[r], candidate, best[r]);
            }
        for (int r = 0; r < R; ++r) {
            best[r].store(total + W * r);
            for (int l = 0; l < W; ++l) {
                const int column = W * r + l;
                start[j - 1 + static_cast<std::size_t>(column)] =
                    static_cast<std::uint32_t>(j) + static_cast<std::uint32_t>(column - static_cast<int>(size[r][l]));
            }
        }
    }

    // The sizes of the groups that end at j .. j+W-1 and start at a multiple of k.
    template <int W>
    COVEY_INLINE static Lanes<W> sizes_to_multiple(std::size_t j, int k) {
        double sizes[W];
        int remainder = static_cast<int>(j % static_cast<std::size_t>(k));
        for (int l = 0; l < W; ++l) {
            sizes[l] = k + remainder;
            remainder = remainder + 1 == k ? 0 : remainder + 1;
        }
        return Lanes<W>::load(sizes);
    }

    // k = 2 and 3 leave too few independent ends to fill a register: vectorise the costs, then walk the ends singly.
    template <int W>
    COVEY_INLINE static void one_by_one(const double* x, std::size_t j, std::size_t stop, double* total,
                                        std::uint32_t* start) {
        constexpr std::size_t chunk = 60, history = 2 * K - 1;
        double cost[K > 0 ? K : 1][chunk];
        for (; j < stop; j += chunk, total += chunk) {
            const std::size_t count = stop - j < chunk ? stop - j : chunk;
            std::size_t c = 0;
            for (; c + W <= count; c += W) costs<W>(x + j - 1 + c, c, cost);
            for (; c < count; ++c) costs<1>(x + j - 1 + c, c, cost);
            // The last totals stay in registers: recent[(u - s) mod history] is that of the end s before the u-th.
            double recent[history];
            for (std::size_t u = 0; u < history; ++u) recent[u] = (total - history)[u];
            double least = recent[0];
            for (std::size_t u = 1; u < history; ++u) least = recent[u] < least ? recent[u] : least;
            for (std::size_t u = 0; u < history; ++u) recent[u] -= least;
            for (c = 0; c + history <= count; c += history)
                step<history>(c, j, cost, recent, total, start, std::make_index_sequence<history>());
            for (std::size_t u = 0; c < count; ++c, ++u) one_end(u, c, j, cost, recent, total, start);
        }
    }

    template <std::size_t history, class Table, std::size_t... U>
    COVEY_INLINE static void step(std::size_t c, std::size_t j, const Table& cost, double* recent, double* total,
                                  std::uint32_t* start, std::index_sequence<U...>) {
        (one_end(U, c + U, j, cost, recent, total, start), ...);
    }

    template <class Table>
    COVEY_INLINE static void one_end(std::size_t u, std::size_t c, std::size_t j, const Table& cost, double* recent,
                                     double* total, std::uint32_t* start) {
        constexpr std::size_t history = 2 * K - 1;
        double candidate[K > 0 ? K : 1];
        for (std::size_t o = 0; o < K; ++o) candidate[o] = recent[(u + history - K - o) % history] + cost[o][c];
        double best = candidate[0];
        for (int o = 1; o < K; ++o) best = candidate[o] < best ? candidate[o] : best;
        std::uint32_t size = K, missed = 1;  // counted, not branched on: which one wins is unpredictable
        for (int o = 0; o + 1 < K; ++o) size += missed &= candidate[o] != best;
        if constexpr (Canonical)
            for (std::uint32_t o = 1, last = static_cast<std::uint32_t>((j + c) % K); o < K; ++o)
                size = o <= last && candidate[o] == best ? K + o : size;
        recent[u] = total[c] = best;
        start[j - 1 + c] = static_cast<std::uint32_t>(j + c) - size;
    }

    template <int L, class Table>
    COVEY_INLINE static void costs(const double* x, std::size_t c, Table& cost) {
        Grow<L> group;
        for (int s = 2; s < 2 * K; ++s) {
            group.add(x, s);
            if (s >= K) group.cost(1.0 / s).store(&cost[s - K][c]);
        }
    }

    // Keeps the last totals, less the least of them: small numbers compare exactly, and only differences matter.
    template <int W>
    COVEY_INLINE static void rebase(double* total, std::size_t last, int history) {
        const auto count = static_cast<std::ptrdiff_t>(history);
        const double* kept = total + static_cast<std::ptrdiff_t>(last) - count + 1;
        const double least = least_of<W>(kept, static_cast<std::size_t>(count));
        for (std::ptrdiff_t h = 0; h < count; ++h) total[h - count + 1] = kept[h] - least;
    }
};

}  // namespace covey::line
