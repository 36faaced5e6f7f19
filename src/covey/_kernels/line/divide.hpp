// Large k: monotone divide and conquer over blocks of k ends, with costs that are sums of non-negative parts.
//
// A group of k .. 2k-1 records contains a multiple of k, the boundary b. It holds u records left of b and v right of
// it, and its cost splits into what the left part costs alone, what the right part costs alone, and what joining them
// costs: cost = left[u] + right[v] + join(u, v), see join.hpp. No sum reaches beyond 2k records.
//
// The ends of block c, j = ck + p with 0 <= p < k, see k starts each, i = (c-2)k + r with p < r <= p + k: up to r = k
// they lie around boundary (c-1)k ("far"), beyond around ck ("near"). The matrix of all of them is totally monotone
// (S lemma 10 and B.2.2): the best r does not fall as p grows. So some ends are solved coarse to fine, each between
// the best starts of its solved neighbours (lanes are starts), and the few ends in between together (lanes are ends).
// O(n log k) time, O(k) memory beside the output.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../lanes.hpp"
#include "../poll.hpp"
#include "join.hpp"

namespace covey::line {

// Canonical: for a stream, see stream.hpp. Of equal candidates the start at a multiple of k; and where some prefix costs
// so much more than the cheapest that its rounding errors could mislead its neighbours, every start of every end.
template <class Join, bool Canonical = false>
class Divide {
  public:
    static constexpr bool wide = false;

    struct Workspace {
        Sides near, far;
        JoinTables tables;
        std::vector<double> total;        // least cost of the prefixes that end in the block, up to a common constant
        std::vector<std::uint32_t> best;  // best start r of every solved end p
        double sunk = 0.0;                // what rebasing has taken off the totals
        explicit Workspace(std::size_t k)
            : near(k, Join::tabulates), far(k, Join::tabulates), tables(k), total(k + slack), best(k + slack) {}
    };

    // x: n >= 2k sorted values. start[j-1] becomes the start of the last group of an optimal partition of x[0..j).
    template <int W>
    COVEY_INLINE static void run(const double* x, std::size_t n, std::size_t k, std::uint32_t* start, Workspace* w,
                                 const Poll* poll) {
        begin(x, n, k, start, w);
        advance<W>(x, 2 * k, n + 1, n, k, start, w, poll);
    }

    // The same in pieces: begin, with at least 3k values or all, then Resume::run for the blocks below `until`. A block
    // needs 2k-1 values behind its first end, or all that there are; then the bits are those of one run.
    struct Resume {
        static constexpr bool wide = Divide::wide;
        template <int W>
        COVEY_INLINE static void run(const double* x, std::size_t first, std::size_t until, std::size_t n,
                                     std::size_t k, std::uint32_t* start, Workspace* w, const Poll* poll) {
            advance<W>(x, first, until, n, k, start, w, poll);
        }
    };

    // The ends k .. 2k-1 are one group each. Sets up boundary k as `far`: its only possible start is k itself.
    COVEY_INLINE static void begin(const double* x, std::size_t n, std::size_t k, std::uint32_t* start, Workspace* w) {
        Sides& whole = w->near;  // the first k + p records lie around boundary k-1, which they all contain
        Join::prepare(x + k - 1, k, k + 1, w->tables, whole);
        whole.base = whole.left;
        for (std::size_t p = 0; p < k; ++p) {
            w->total[p] = Join::template starts<1>(whole, w->tables, k - 1, p + 1)[0] + whole.right[p + 1];
            start[k + p - 1] = 0;
        }
        Join::prepare(x + k, k, right_stop(n, k, k), w->tables, w->far);
        std::fill(w->far.base.begin(), w->far.base.end(), infinity);
        w->far.base[0] = w->total[0];
    }

  private:
    static constexpr std::size_t unit = 5;  // the same on every machine: it decides between partitions of equal cost
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    template <int W>
    COVEY_INLINE static void advance(const double* x, std::size_t first, std::size_t until, std::size_t n,
                                     std::size_t k, std::uint32_t* start, Workspace* w, const Poll* poll) {
        std::size_t since_poll = 0;
        for (std::size_t block = first; block < until; block += k) {
            const std::size_t stop = std::min(n + 1 - block, k);  // ends block .. block + stop - 1
            if (block < n) {
                Join::prepare(x + block, k, right_stop(n, block, k), w->tables, w->near);
                for (std::size_t u = 1; u < k; ++u) w->near.base[u] = w->total[k - u] + w->near.left[u];
            }
            coarse<W>(*w, k, stop);
            for (std::size_t p = 0; p < stop; p += unit) between<W>(*w, k, p, stop);
            if constexpr (Canonical) {
                if (may_mislead(*w, stop))
                    for (std::size_t p = 0; p < stop; ++p) one_end<W>(*w, k, p, p + 1, p + k);
                prefer_multiple(*w, k, stop);
            }
            for (std::size_t p = 0; p < stop; ++p)
                start[block + p - 1] = static_cast<std::uint32_t>(block - 2 * k + w->best[p]);
            w->near.base[0] = w->total[0];
            if (block / k % 4 == 0) rebase<W>(k, stop, w);
            std::swap(w->near, w->far);
            if ((since_poll += k) >= std::size_t{1} << 20) {
                since_poll = 0;
                (*poll)();
            }
        }
    }

    // Lemma: a wrong best start of an end p whose total is t loses at most some ulps of t at its neighbours (the matrix
    // is totally monotone). That is nothing beside the whole loss unless t is greater than what all records cost so far.
    COVEY_INLINE static bool may_mislead(const Workspace& w, std::size_t stop) {
        const auto [least, most] =
            std::minmax_element(w.total.begin(), w.total.begin() + static_cast<std::ptrdiff_t>(stop));
        return *most > 2.0 * (w.sunk + *least);
    }

    // The multiple of k among the starts of any end of the block is the far boundary itself: u = 0.
    COVEY_INLINE static void prefer_multiple(Workspace& w, std::size_t k, std::size_t stop) {
        for (std::size_t p = 0; p < stop; ++p) {
            const double cost = Join::template starts<1>(w.far, w.tables, 0, k + p)[0] + w.far.right[k + p];
            if (cost == w.total[p]) w.best[p] = static_cast<std::uint32_t>(k);
        }
    }

    // Records to the right of a boundary that an end may lie behind, plus one.
    COVEY_INLINE static std::size_t right_stop(std::size_t n, std::size_t boundary, std::size_t k) {
        return n - boundary < 2 * k - 1 ? n - boundary + 1 : 2 * k;
    }

    // Only differences of totals matter. The least one that is still needed becomes 0: a prefix that ends just behind a
    // wide gap may cost far more than all others, and subtracting that would wipe the others out.
    template <int W>
    COVEY_INLINE static void rebase(std::size_t k, std::size_t stop, Workspace* w) {
        const double starts = least_of<W>(w->near.base.data(), k), ends = least_of<W>(w->total.data(), stop);
        const double shift = starts < ends ? starts : ends;
        for (std::size_t u = 0; u < k; ++u) w->near.base[u] -= shift;
        for (std::size_t p = 0; p < stop; ++p) w->total[p] -= shift;
        w->sunk += shift;
    }

    // Solves every unit-th end: each between the best starts of its solved neighbours, a stride away.
    template <int W>
    COVEY_INLINE static void coarse(Workspace& w, std::size_t k, std::size_t stop) {
        const std::size_t count = stop / unit;
        std::size_t stride = 1;
        while (2 * stride <= count) stride *= 2;
        for (; stride >= 1; stride /= 2)
            for (std::size_t q = stride - 1; q < count; q += 2 * stride) {
                const std::size_t p = q * unit + unit - 1;
                const std::size_t low = q >= stride ? w.best[p - stride * unit] : 0;
                const std::size_t high = q + stride < count ? w.best[p + stride * unit] : 2 * k;
                one_end<W>(w, k, p, std::max(low, p + 1), std::min(high, p + k));
            }
    }

    // The best start of end p among r in [low, high].
    template <int W>
    COVEY_INLINE static void one_end(Workspace& w, std::size_t k, std::size_t p, std::size_t low, std::size_t high) {
        Best best;
        if (low <= k) {
            best = scan<W>(w.far, w.tables, k + p, k - std::min(high, k), k - low);
            best.at = k - best.at;
            best.cost += w.far.right[k + p];
        }
        if (high > k) {
            Best near = scan<W>(w.near, w.tables, p, 2 * k - high, 2 * k - std::max(low, k + 1));
            near.cost += w.near.right[p];
            if (near.cost < best.cost) best = {near.cost, 2 * k - near.at};
        }
        w.total[p] = best.cost;
        w.best[p] = static_cast<std::uint32_t>(best.at);
    }

    struct Best {
        double cost = infinity;
        std::size_t at = 0;
    };

    // The least cost over u in [low, high] and a u that attains it.
    template <int W>
    COVEY_INLINE static Best scan(const Sides& s, const JoinTables& t, std::size_t v, std::size_t low,
                                  std::size_t high) {
        using V = Lanes<W>;
        // Of equals the greatest u, the least start: the same choice with any W.
        V least = V::all(infinity), found = V::all(t.count[low]), here = V::load(&t.count[low]);
        std::size_t u = low;
        for (; u + W <= high; u += W, here = here + V::all(W)) {
            const V cost = Join::template starts<W>(s, t, u, v);
            found = where_less(least, cost, found, here);
            least = where_less(cost, least, cost, least);
        }
        V cost = Join::template starts<W>(s, t, u, v);  // the last register is read whole, what lies behind is masked
        const V last = V::all(t.count[high]);
        cost = where_less(last, here, V::all(infinity), cost);
        found = where_less(last, here, found, where_less(least, cost, found, here));
        least = where_less(cost, least, cost, least);

        double costs[W], places[W];
        least.store(costs);
        double best = costs[0];
        for (int l = 1; l < W; ++l) best = costs[l] < best ? costs[l] : best;
        where_less(V::all(best), least, V::all(-1.0), found).store(places);
        double place = places[0];
        for (int l = 1; l < W; ++l) place = places[l] > place ? places[l] : place;
        return {best, static_cast<std::size_t>(place)};
    }

    // Solves the ends first .. first+unit-2, W at a time, between the best starts of the solved ends around them.
    template <int W>
    COVEY_INLINE static void between(Workspace& w, std::size_t k, std::size_t first, std::size_t stop) {
        const std::size_t next = first + unit - 1;
        const std::size_t least = first == 0 ? 1 : w.best[first - 1], most = next < stop ? w.best[next] : 2 * k;
        const std::size_t limit = std::min(next, stop);
        for (std::size_t p = first; p < limit; p += W) {
            const std::size_t last = std::min(p + W, limit) - 1;
            const std::size_t low = std::max(least, p + 1), high = std::min(most, last + k);
            Ends<W> found(w.tables, p, low);
            if (low <= k) {  // starts around the far boundary are valid for the ends p < r
                if (low > last) found.template far<false>(w, k, p, low, std::min(high, k));
                else found.template far<true>(w, k, p, low, std::min(high, k));
            }
            if (high > k) {  // starts around the near boundary are valid for the ends p >= r - k
                if (high <= p + k) found.template near<false>(w, k, p, std::max(low, k + 1), high);
                else found.template near<true>(w, k, p, std::max(low, k + 1), high);
            }
            found.store(w, p, last);
        }
    }

    // The best of the starts seen so far, for W consecutive ends. Masked: some start is not valid for all of them.
    template <int W>
    struct Ends {
        using V = Lanes<W>;
        V cost, at, end;

        COVEY_INLINE Ends(const JoinTables& t, std::size_t p, std::size_t low)
            : cost(V::all(infinity)), at(V::all(t.count[low])), end(V::load(&t.count[p])) {}

        template <bool Masked>
        COVEY_INLINE void far(const Workspace& w, std::size_t k, std::size_t p, std::size_t low, std::size_t high) {
            V start = V::all(w.tables.count[low]);
            for (std::size_t r = low; r <= high; ++r, start = start + V::all(1.0)) {
                V here = Join::template ends<W>(w.far, w.tables, k - r, k + p);
                if (Masked) here = where_less(end, start, here, V::all(infinity));
                take(here, start);
            }
            cost = cost + V::load(&w.far.right[k + p]);
        }

        template <bool Masked>
        COVEY_INLINE void near(const Workspace& w, std::size_t k, std::size_t p, std::size_t low, std::size_t high) {
            const V right = V::load(&w.near.right[p]), last = end + V::all(w.tables.count[k]);
            V start = V::all(w.tables.count[low]);
            for (std::size_t r = low; r <= high; ++r, start = start + V::all(1.0)) {
                V here = Join::template ends<W>(w.near, w.tables, 2 * k - r, p) + right;
                if (Masked) here = where_less(last, start, V::all(infinity), here);
                take(here, start);
            }
        }

        COVEY_INLINE void take(V here, V start) {
            at = where_less(here, cost, start, at);
            cost = where_less(here, cost, here, cost);
        }

        COVEY_INLINE void store(Workspace& w, std::size_t p, std::size_t last) const {
            double places[W], costs[W];
            at.store(places);
            cost.store(costs);
            for (std::size_t e = p; e <= last; ++e) {
                w.total[e] = costs[e - p];
                w.best[e] = static_cast<std::uint32_t>(static_cast<std::int32_t>(places[e - p]));
            }
        }
    };
};

}  // namespace covey::line
