// A few groups, taken out of a partition to be rearranged.
//
// With D the squared distances in the pool, T_g the sum over the pairs of group g (its loss is T_g / size) and W_g[i] the sum
// over the members of g of D[i, .], a move or an exchange changes the loss by
//   i from A to B:        (T_A - W_A[i])/(a-1) - T_A/a + (T_B + W_B[i])/(b+1) - T_B/b
//   i in A and j in B:    (W_A[j] - W_A[i] - D_ij)/a + (W_B[i] - W_B[j] - D_ij)/b
// in O(1), so the steepest descent inside the pool is cheap. The last group may be outside: whoever is there costs a price.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "../lanes.hpp"
#include "groups.hpp"

namespace covey::space {

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    // 0 .. n-1; the bias is below n / 2^64.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
    // Above 0, at most 1.
    double uniform() { return static_cast<double>((engine_() >> 11) + 1) * 0x1p-53; }

  private:
    std::mt19937_64 engine_;
};

// All squared distances among m records of d coordinates, given column by column with a stride of whole registers.
struct PoolDistances {
    static constexpr bool wide = true;

    template <int W>
    COVEY_INLINE static void run(const double* columns, std::size_t stride, std::size_t m, std::size_t d, double* out) {
        using V = Lanes<W>;
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = i / W * W; j < stride; j += W) {
                V sum = V::all(0);
                for (std::size_t c = 0; c < d; ++c) {
                    const V off = V::load(columns + c * stride + j) - V::all(columns[c * stride + i]);
                    sum = sum + off * off;
                }
                sum.store(out + i * stride + j);
            }
    }
};

class Pool {
  public:
    Pool(const Points& points, std::size_t k)
        : points_(points), k_(k),
          distances_(fastest<PoolDistances, const double*, std::size_t, std::size_t, std::size_t, double*>()) {}

    void load(const Groups& groups, const std::vector<std::uint32_t>& ids) {
        record_.clear();
        member_.resize(ids.size());
        outside_ = nowhere;
        for (std::size_t g = 0; g < ids.size(); ++g) enter(g, groups[ids[g]]);
        measure();
    }

    // The same with some records outside: each that is outside costs a price. Those that `stay` never go there.
    void load(const Groups& groups, const std::vector<std::uint32_t>& ids, const std::vector<std::uint32_t>& outside,
              double price, const std::vector<bool>& stay) {
        record_.clear();
        outside_ = ids.size();
        price_ = price;
        member_.resize(ids.size() + 1);
        for (std::size_t g = 0; g < ids.size(); ++g) enter(g, groups[ids[g]]);
        enter(outside_, outside);
        stays_.resize(record_.size());
        for (std::size_t s = 0; s < record_.size(); ++s) stays_[s] = stay[record_[s]];
        measure();
    }

    std::size_t records() const { return record_.size(); }
    double loss() const {
        double loss = 0.0;
        for (std::size_t g = 0; g < member_.size(); ++g) loss += loss_of(g);
        return loss;
    }

    // New groups from random seeds, each grown by the record nearest to it; the rest where it costs least.
    void rebuild(std::size_t groups, Random& random) {
        const std::size_t m = record_.size();
        left_.resize(m);
        for (std::uint32_t i = 0; i < m; ++i) left_[i] = i;
        member_.resize(groups + (outside_ == nowhere ? 0 : 1));
        if (outside_ != nowhere) {
            outside_ = groups;
            member_[groups].clear();
        }
        within_.assign(member_.size() * stride_, 0.0);
        pairs_.assign(member_.size(), 0.0);
        for (std::size_t g = 0; g < groups; ++g) {
            member_[g].clear();
            std::size_t at = random.below(left_.size());
            for (;;) {
                const std::uint32_t i = left_[at];
                left_[at] = left_.back();
                left_.pop_back();
                add(i, g);
                if (member_[g].size() == k_) break;
                const double* w = &within_[g * stride_];
                at = 0;
                for (std::size_t s = 1; s < left_.size(); ++s)
                    if (w[left_[s]] < w[left_[at]]) at = s;
            }
        }
        for (std::uint32_t i : left_) {
            const bool may_leave = outside_ != nowhere && !stays_[i];
            double least = price_;
            std::size_t to = may_leave ? outside_ : member_.size();
            for (std::size_t g = 0; g < groups; ++g) {
                const auto b = static_cast<double>(member_[g].size());
                if (member_[g].size() >= 2 * k_ - 1) continue;
                const double cost = (pairs_[g] + within_[g * stride_ + i]) / (b + 1) - pairs_[g] / b;
                if (to == member_.size() || cost < least) {
                    least = cost;
                    to = g;
                }
            }
            if (to == outside_) member_[to].push_back(i);
            else add(i, to);
        }
    }

    void swap_at_random(std::size_t swaps, Random& random) {
        for (std::size_t s = 0; s < swaps; ++s) {
            const std::size_t g = random.below(member_.size()), h = random.below(member_.size());
            if (g == h || member_[g].empty() || member_[h].empty()) continue;
            std::uint32_t& j = member_[h][random.below(member_[h].size())];
            std::uint32_t& i = member_[g][random.below(member_[g].size())];
            if ((g != outside_ || !stays_[j]) && (h != outside_ || !stays_[i])) std::swap(i, j);
        }
        sum_up();
    }

    // The best move or exchange between two groups, again and again until none pays.
    void descend() {
        const std::size_t groups = member_.size();
        best_.assign(groups * groups, {});
        for (std::size_t g = 0; g < groups; ++g)
            for (std::size_t h = g + 1; h < groups; ++h) best_[g * groups + h] = best_between(g, h);
        for (;;) {
            std::size_t at = 0;
            for (std::size_t c = 1; c < best_.size(); ++c)
                if (best_[c].change < best_[at].change) at = c;
            if (!(best_[at].change < 0.0)) return;
            const std::size_t g = at / groups, h = at % groups;
            if (!apply(best_[at], g, h)) {
                best_[at].change = 0.0;
                continue;
            }
            for (std::size_t other = 0; other < groups; ++other)
                for (const std::size_t hit : {g, h})
                    if (other != hit) {
                        const std::size_t low = std::min(other, hit), high = std::max(other, hit);
                        best_[low * groups + high] = best_between(low, high);
                    }
        }
    }

    // The groups as records.
    std::vector<std::vector<std::uint32_t>> groups() const {
        std::vector<std::vector<std::uint32_t>> result(member_.size());
        for (std::size_t g = 0; g < member_.size(); ++g)
            for (std::uint32_t i : member_[g]) result[g].push_back(record_[i]);
        return result;
    }

  private:
    // Places in two groups; none: nothing comes from there. The change of the loss.
    struct Change {
        double change = 0.0;
        std::uint32_t from_first = none, from_second = none;
    };

    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    void enter(std::size_t g, const std::vector<std::uint32_t>& records) {
        member_[g].clear();
        for (const std::uint32_t i : records) {
            member_[g].push_back(static_cast<std::uint32_t>(record_.size()));
            record_.push_back(i);
        }
    }

    void measure() {
        const std::size_t m = record_.size();
        stride_ = (m + 7) / 8 * 8;
        column_.assign(stride_ * points_.d, 0.0);
        for (std::size_t s = 0; s < m; ++s)
            for (std::size_t c = 0; c < points_.d; ++c) column_[c * stride_ + s] = points_[record_[s]][c];
        distance_.resize(m * stride_);
        distances_(column_.data(), stride_, m, points_.d, distance_.data());
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < i; ++j) distance_[i * stride_ + j] = distance_[j * stride_ + i];
        sum_up();
    }

    const double* row(std::uint32_t i) const { return &distance_[i * stride_]; }

    void add(std::uint32_t i, std::size_t g) {
        double* w = &within_[g * stride_];
        pairs_[g] += w[i];
        member_[g].push_back(i);
        const double* r = row(i);
        for (std::size_t s = 0; s < stride_; ++s) w[s] += r[s];
    }

    // The sums of one group, afresh: what came and went far away would leave its rounding errors behind.
    void sum_up(std::size_t g) {
        double* w = &within_[g * stride_];
        std::fill_n(w, stride_, 0.0);
        pairs_[g] = 0.0;
        if (g == outside_) return;
        for (std::uint32_t i : member_[g]) {
            pairs_[g] += w[i];
            const double* r = row(i);
            for (std::size_t s = 0; s < stride_; ++s) w[s] += r[s];
        }
    }

    void sum_up() {
        within_.resize(member_.size() * stride_);
        pairs_.resize(member_.size());
        for (std::size_t g = 0; g < member_.size(); ++g) sum_up(g);
    }

    double loss_of(std::size_t g) const {
        const auto size = static_cast<double>(member_[g].size());
        return g == outside_ ? price_ * size : pairs_[g] / size;
    }

    Change best_between(std::size_t g, std::size_t h) {
        if (h == outside_) return best_with_outside(g);
        const std::vector<std::uint32_t>&A = member_[g], &B = member_[h];
        const double* wa = &within_[g * stride_];
        const double* wb = &within_[h * stride_];
        const auto a = static_cast<double>(A.size()), b = static_cast<double>(B.size());
        const double ia = 1.0 / a, ib = 1.0 / b;
        Change best;
        if (A.size() > k_ && B.size() < 2 * k_ - 1)
            one_way(A, wa, pairs_[g], a, wb, pairs_[h], b, best.change, best.from_first);
        if (B.size() > k_ && A.size() < 2 * k_ - 1) {
            const double before = best.change;
            one_way(B, wb, pairs_[h], b, wa, pairs_[g], a, best.change, best.from_second);
            if (best.change < before) best.from_first = none;
        }
        own_.resize(B.size());
        for (std::size_t s = 0; s < B.size(); ++s) own_[s] = wa[B[s]] * ia - wb[B[s]] * ib;
        const double share = ia + ib;
        for (std::size_t r = 0; r < A.size(); ++r) {
            const double base = wb[A[r]] * ib - wa[A[r]] * ia;
            const double* d = row(A[r]);
            for (std::size_t s = 0; s < B.size(); ++s) {
                const double change = base + own_[s] - d[B[s]] * share;
                if (change < best.change) best = {change, static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(s)};
            }
        }
        return best;
    }

    // Outside nothing is lost but the price:
    //   i goes there:               p + (T_A - W_A[i])/(a-1) - T_A/a
    //   j comes from there:         (T_A + W_A[j])/(a+1) - T_A/a - p
    //   i goes and j comes:         (W_A[j] - W_A[i] - D_ij)/a
    Change best_with_outside(std::size_t g) const {
        const std::vector<std::uint32_t>&A = member_[g], &O = member_[outside_];
        const double* w = &within_[g * stride_];
        const auto a = static_cast<double>(A.size());
        const double pairs = pairs_[g];
        Change best;
        for (std::uint32_t r = 0; r < A.size(); ++r) {
            if (stays_[A[r]]) continue;
            if (A.size() > k_)
                if (const double change = price_ + (pairs - w[A[r]]) / (a - 1) - pairs / a; change < best.change)
                    best = {change, r, none};
            for (std::uint32_t s = 0; s < O.size(); ++s)
                if (const double change = (w[O[s]] - w[A[r]] - row(A[r])[O[s]]) / a; change < best.change)
                    best = {change, r, s};
        }
        if (A.size() >= 2 * k_ - 1) return best;
        for (std::uint32_t s = 0; s < O.size(); ++s)
            if (const double change = (pairs + w[O[s]]) / (a + 1) - pairs / a - price_; change < best.change)
                best = {change, none, s};
        return best;
    }

    static void one_way(const std::vector<std::uint32_t>& A, const double* wa, double ta, double a, const double* wb,
                        double tb, double b, double& least, std::uint32_t& place) {
        const double fixed = tb / (b + 1) - tb / b + ta / (a - 1) - ta / a;
        const double out = 1.0 / (a - 1), in = 1.0 / (b + 1);
        for (std::size_t r = 0; r < A.size(); ++r) {
            const double change = fixed - wa[A[r]] * out + wb[A[r]] * in;
            if (change < least) {
                least = change;
                place = static_cast<std::uint32_t>(r);
            }
        }
    }

    // Makes the change if the loss, added up afresh, falls: so a descent ends.
    bool apply(const Change& change, std::size_t g, std::size_t h) {
        const double before = loss_of(g) + loss_of(h);
        first_ = member_[g];
        second_ = member_[h];
        const auto take = [&](std::size_t from, std::uint32_t place) {
            const std::uint32_t i = member_[from][place];
            member_[from][place] = member_[from].back();
            member_[from].pop_back();
            return i;
        };
        const std::uint32_t i = change.from_first == none ? none : take(g, change.from_first);
        const std::uint32_t j = change.from_second == none ? none : take(h, change.from_second);
        if (i != none) member_[h].push_back(i);
        if (j != none) member_[g].push_back(j);
        sum_up(g);
        sum_up(h);
        if (loss_of(g) + loss_of(h) < before) return true;
        member_[g].swap(first_);
        member_[h].swap(second_);
        sum_up(g);
        sum_up(h);
        return false;
    }

    Points points_;
    std::size_t k_, stride_ = 0;
    void (*distances_)(const double*, std::size_t, std::size_t, std::size_t, double*);
    std::vector<std::uint32_t> record_, left_, first_, second_;
    std::vector<std::vector<std::uint32_t>> member_;  // places in record_
    std::vector<double> column_, distance_, within_, pairs_, own_;
    std::vector<Change> best_;
    std::size_t outside_ = nowhere;  // the last group, where there is one outside
    double price_ = 0.0;
    std::vector<bool> stays_;  // by places in record_
};

}  // namespace covey::space
