// The cost of a group around a boundary b, from its u records left of b and its v records from b on:
// cost = left[u] + right[v] + join(u, v).
//
// Lemma (SSE: Chan, Golub & LeVeque 1979; the rounding costs: by definition): every term is non-negative and runs over
// members of the group only, so the error of a cost is some ulps times the group's size, relative to the cost itself,
// whatever lies around the group. (A mean may be nearly x[s] and off cancel; but x[b] is a member, and its distance to
// the mean, which the cost then holds, is what was lost.) SAE subtracts what its own records add up to, see there.
#pragma once

#include <cstddef>
#include <vector>

#include "../lanes.hpp"

namespace covey::line {

inline constexpr std::size_t slack = 16;  // registers are read whole: arrays are longer than their content

// What the two sides of one boundary cost. base[u] = left[u] + the least cost of all that precedes the group.
struct Sides {
    std::vector<double> left, left_extra, base;
    std::vector<double> right, right_extra;
    std::vector<double> join;

    Sides(std::size_t k, bool tabulates)
        : left(k + slack), left_extra(k + slack), base(k + slack), right(2 * k + slack), right_extra(2 * k + slack),
          join(tabulates ? 4 * k + 2 * slack : 0) {}
};

struct JoinTables {
    std::vector<double> count, share, shrink;  // s, 1/s, (s-1)/s
    std::size_t k;

    explicit JoinTables(std::size_t minimum)
        : count(2 * minimum + slack), share(2 * minimum + slack), shrink(2 * minimum + slack), k(minimum) {
        for (std::size_t s = 0; s < count.size(); ++s) {
            count[s] = static_cast<double>(s);
            share[s] = s == 0 ? 0.0 : 1.0 / count[s];
            shrink[s] = s == 0 ? 0.0 : (count[s] - 1.0) / count[s];
        }
    }
};

// Each join offers
//   tabulates: whether it needs Sides::join;
//   prepare(b, u_stop, v_stop, tables, sides): fills the sides of the boundary at the record `b` points to;
//   starts<W>: base[u..u+W) plus the join with one v;    ends<W>: base[u] plus the join with v .. v+W-1.
namespace join {

// join = (distance of the two means)^2 * uv/(u+v). extra: distance of the part's mean to x[b].
struct Sse {
    static constexpr bool tabulates = false;

    struct Part {
        double sum = 0.0, squares = 0.0, mean = 0.0;
        COVEY_INLINE void add(double away, std::size_t s, const JoinTables& t, double* part, double* mean_out) {
            const double off = away - mean;
            part[s] = squares += off * off * t.shrink[s];
            sum += away;
            mean_out[s] = mean = sum * t.share[s];
        }
    };

    COVEY_INLINE static void prepare(const double* b, std::size_t u_stop, std::size_t v_stop, const JoinTables& t,
                                     Sides& s) {
        const double origin = *b;
        double *left = s.left.data(), *left_mean = s.left_extra.data();
        double *right = s.right.data(), *right_mean = s.right_extra.data();
        left[0] = left_mean[0] = right[0] = right_mean[0] = 0.0;
        Part before, after;
        const std::size_t both = u_stop < v_stop ? u_stop : v_stop;
        std::size_t i = 1;
        for (; i < both; ++i) {  // two independent chains of additions at a time
            before.add(origin - b[-static_cast<std::ptrdiff_t>(i)], i, t, left, left_mean);
            after.add(b[i - 1] - origin, i, t, right, right_mean);
        }
        for (std::size_t u = i; u < u_stop; ++u)
            before.add(origin - b[-static_cast<std::ptrdiff_t>(u)], u, t, left, left_mean);
        for (std::size_t v = i; v < v_stop; ++v) after.add(b[v - 1] - origin, v, t, right, right_mean);
    }

    template <int W>
    COVEY_INLINE static Lanes<W> starts(const Sides& s, const JoinTables& t, std::size_t u, std::size_t v) {
        using V = Lanes<W>;
        const V apart = V::load(&s.left_extra[u]) + V::all(s.right_extra[v]);
        return V::load(&s.base[u]) +
               apart * apart * (V::load(&t.count[u]) * V::all(t.count[v]) * V::load(&t.share[u + v]));
    }

    template <int W>
    COVEY_INLINE static Lanes<W> ends(const Sides& s, const JoinTables& t, std::size_t u, std::size_t v) {
        using V = Lanes<W>;
        const V apart = V::all(s.left_extra[u]) + V::load(&s.right_extra[v]);
        return V::all(s.base[u]) +
               apart * apart * (V::all(t.count[u]) * V::load(&t.count[v]) * V::load(&t.share[u + v]));
    }
};

// Every record moves up to the last one: the left part to x[b], then all of it by right_extra.
struct RoundUp {
    static constexpr bool tabulates = false;

    COVEY_INLINE static void prepare(const double* b, std::size_t u_stop, std::size_t v_stop, const JoinTables& t,
                                     Sides& s) {
        double sum = 0.0;
        s.left[0] = 0.0;
        for (std::size_t u = 1; u < u_stop; ++u) s.left[u] = sum += *b - b[-static_cast<std::ptrdiff_t>(u)];
        s.right[0] = s.right_extra[0] = s.right[1] = s.right_extra[1] = sum = 0.0;
        for (std::size_t v = 2; v < v_stop; ++v) {
            s.right[v] = sum += (b[v - 1] - b[v - 2]) * t.count[v - 1];
            s.right_extra[v] = b[v - 1] - *b;
        }
    }

    template <int W>
    COVEY_INLINE static Lanes<W> starts(const Sides& s, const JoinTables& t, std::size_t u, std::size_t v) {
        using V = Lanes<W>;
        return V::load(&s.base[u]) + V::load(&t.count[u]) * V::all(s.right_extra[v]);
    }

    template <int W>
    COVEY_INLINE static Lanes<W> ends(const Sides& s, const JoinTables& t, std::size_t u, std::size_t v) {
        using V = Lanes<W>;
        return V::all(s.base[u]) + V::all(t.count[u]) * V::load(&s.right_extra[v]);
    }
};

// Every record moves down to the first one: the right part to x[b], then all of it by left_extra.
struct RoundDown {
    static constexpr bool tabulates = false;

    COVEY_INLINE static void prepare(const double* b, std::size_t u_stop, std::size_t v_stop, const JoinTables& t,
                                     Sides& s) {
        double sum = 0.0;
        s.left[0] = s.left_extra[0] = 0.0;
        for (std::size_t u = 1; u < u_stop; ++u) {
            const double* first = b - u;
            s.left[u] = sum += (first[1] - first[0]) * t.count[u - 1];
            s.left_extra[u] = *b - *first;
        }
        s.right[0] = sum = 0.0;
        for (std::size_t v = 1; v < v_stop; ++v) s.right[v] = sum += b[v - 1] - *b;
    }

    template <int W>
    COVEY_INLINE static Lanes<W> starts(const Sides& s, const JoinTables& t, std::size_t u, std::size_t v) {
        using V = Lanes<W>;
        return V::load(&s.base[u]) + V::load(&s.left_extra[u]) * V::all(t.count[v]);
    }

    template <int W>
    COVEY_INLINE static Lanes<W> ends(const Sides& s, const JoinTables& t, std::size_t u, std::size_t v) {
        using V = Lanes<W>;
        return V::all(s.base[u]) + V::all(s.left_extra[u]) * V::load(&t.count[v]);
    }
};

// T(t): sum of the distances to x[b] of the records between b and t. SAE = T(i) + T(j) - T(floor m) - T(ceil m) with
// m = (i+j)/2. Lemma: all sums run over members of the group, T(i) + T(j) <= s * range <= s * SAE, so the subtraction
// loses at most log2(s) bits, whatever lies around the group.
struct Sae {
    static constexpr bool tabulates = true;

    COVEY_INLINE static void prepare(const double* b, std::size_t u_stop, std::size_t v_stop, const JoinTables& t,
                                     Sides& s) {
        Sum before, after;
        s.left[0] = s.right[0] = 0.0;
        for (std::size_t u = 1; u < u_stop; ++u) s.left[u] = before.add(*b - b[-static_cast<std::ptrdiff_t>(u)]);
        for (std::size_t v = 1; v < v_stop; ++v) s.right[v] = after.add(b[v - 1] - *b);
        double* at = s.join.data() + middle(t);  // at[u - v] = T(floor((v - u) / 2)) + T(ceil((v - u) / 2))
        for (std::size_t d = 0; d < v_stop; ++d)
            at[-static_cast<std::ptrdiff_t>(d)] = s.right[d / 2] + s.right[d - d / 2];
        for (std::size_t d = 0; d < u_stop; ++d) at[d] = s.left[d / 2] + s.left[d - d / 2];
    }

    // Adds up with the rounding errors kept apart: one ulp of error however many terms.
    struct Sum {
        double total = 0.0, errors = 0.0;
        COVEY_INLINE double add(double x) {
            const double next = total + x, part = next - total;
            errors += (total - (next - part)) + (x - part);
            total = next;
            return total + errors;
        }
    };

    COVEY_INLINE static std::size_t middle(const JoinTables& t) { return 2 * t.k + slack; }

    template <int W>
    COVEY_INLINE static Lanes<W> starts(const Sides& s, const JoinTables& t, std::size_t u, std::size_t v) {
        using V = Lanes<W>;
        return V::load(&s.base[u]) - V::load(&s.join[middle(t) + u - v]);
    }

    // The join table runs against v; the lanes are turned round.
    template <int W>
    COVEY_INLINE static Lanes<W> ends(const Sides& s, const JoinTables& t, std::size_t u, std::size_t v) {
        using V = Lanes<W>;
        return V::all(s.base[u]) - V::load_reversed(&s.join[middle(t) + u - v - (W - 1)]);
    }
};

}  // namespace join

}  // namespace covey::line
