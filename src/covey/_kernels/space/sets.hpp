// Columns of the set partitioning: groups whose reduced cost under the duals of the records is below a limit.
//
// A group of m records loses the sum over its pairs of d2/m, so its reduced cost is the sum over its pairs of
// w_ij = d2_ij/m - (dual_i + dual_j)/(m-1). A limit L is spread over the pairs: w_ij - L / (m (m-1) / 2); so let it be 0.
// Lemma: the sum of a set of s is 1/(s-2) of the sum, over its s subsets one smaller, of their sums; so a set below 0 has a
// subset one smaller below 0: the one without the record that contributes most. Growing sets below 0 by records that then
// contribute most (of several, the one with the highest index) meets every set below 0 exactly once.
// So that ties are ties, weights are rounded to multiples of a quantum, whole numbers that add up exactly in any order; the
// limit is raised by what the rounding may hide, and what is found is weighed again without it. A weight above m^2 times the
// least one is cut there: no set with such a pair is below 0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../memory.hpp"
#include "../poll.hpp"
#include "points.hpp"

namespace covey::space {

struct Columns {
    std::vector<std::uint32_t> member;  // m records a column
    std::vector<double> cost;           // their reduced costs
    bool complete = true;               // false: stopped by the count or by the clock
};

// Pairs of records that a set must not hold both, and pairs of which it must not hold one alone.
struct Pairs {
    std::vector<std::uint32_t> apart, together;  // two a pair
};

class Pricing {
  public:
    Pricing(const Points& points, const Poll& poll)
        : n_(points.n), squared_(points.n * points.n), weight_(points.n * points.n) {
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t j = 0; j < n_; ++j)
                squared_[i * n_ + j] = squared_distance(points[i], points[j], points.d);
            if (i % 256 == 0) poll();
        }
    }

    // The sets of m records with a reduced cost below `limit`, up to `most` of them, within some seconds.
    Columns run(const double* dual, std::size_t m, double limit, std::size_t most, double seconds, const Pairs& pairs,
                Poll poll) {
        columns_ = {};
        pairs_ = &pairs;
        dual_ = dual;
        m_ = m;
        limit_ = limit;
        most_ = most;
        poll_ = poll;
        end_ = Clock::now() +
               std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(seconds, 1e6)));
        row_.assign(m, std::vector<double>(n_));
        contribution_.assign((m + 1) * m, 0.0);
        if (weigh()) start();
        return std::move(columns_);
    }

  private:
    using Clock = std::chrono::steady_clock;

    // Fills in the weights; false if no pair is below 0.
    bool weigh() {
        const auto m = static_cast<double>(m_);
        const double over = 1.0 / m, under = 1.0 / (m - 1.0), pairs = m * (m - 1.0) / 2.0;
        double least = 0.0;
        const double share = limit_ / pairs;
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j)
                if (i != j)
                    least = std::min(least, squared_[i * n_ + j] * over - (dual_[i] + dual_[j]) * under - share);
        if (least == 0.0) return false;
        const double most = -least * m * m, quantum = most * 0x1p-44, grid = 0x1.8p52;
        const double raised = share + 2.0 * quantum;  // rounding hides at most half a quantum a pair
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t j = 0; j < n_; ++j) {
                const double w = squared_[i * n_ + j] * over - (dual_[i] + dual_[j]) * under - raised;
                weight_[i * n_ + j] = (std::min(w, most) / quantum + grid) - grid;
            }
            poll_.tick(static_cast<int>(std::min<std::size_t>(n_, 1 << 16)));
        }
        for (std::size_t p = 0; p < pairs_->apart.size(); p += 2) {
            const std::uint32_t i = pairs_->apart[p], j = pairs_->apart[p + 1];
            weight_[i * n_ + j] = weight_[j * n_ + i] = most / quantum;
        }
        return true;
    }

    void start() {
        for (std::uint32_t i = 0; i < n_ && columns_.complete; ++i) {
            set_.assign(1, i);
            std::copy_n(&weight_[i * n_], n_, row_[0].begin());
            for (std::uint32_t j = i + 1; j < n_ && columns_.complete; ++j) {
                const double w = row_[0][j];
                if (!(w < 0.0)) continue;
                set_.push_back(j);
                contribution_[2 * m_] = contribution_[2 * m_ + 1] = w;
                grow(w);
                set_.pop_back();
            }
        }
    }

    void grow(double sum) {
        const std::size_t s = set_.size();
        if (s == m_) return keep();
        // row_[s-1][j]: what j would contribute to the s records of the set.
        const double* before = row_[s - 2].data();
        const double* weight = &weight_[set_.back() * n_];
        double* gain = row_[s - 1].data();
        for (std::size_t j = 0; j < n_; ++j) gain[j] = before[j] + weight[j];
        poll_.tick(static_cast<int>(std::min<std::size_t>(n_, 1 << 16)));
        if (++grown_ % 256 == 0 && Clock::now() > end_) columns_.complete = false;
        for (std::uint32_t j = 0; j < n_ && columns_.complete; ++j) {
            if (!(sum + gain[j] < 0.0) || std::find(set_.begin(), set_.end(), j) != set_.end()) continue;
            if (!contributes_most(j, gain[j])) continue;
            set_.push_back(j);
            grow(sum + gain[j]);
            set_.pop_back();
        }
    }

    // contribution_[s m + a]: what record a of the set contributes while it holds s.
    bool contributes_most(std::uint32_t j, double gain) {
        const std::size_t s = set_.size();
        const double* mine = &contribution_[s * m_];
        for (std::size_t a = 0; a < s; ++a) {
            const double here = mine[a] + weight_[set_[a] * n_ + j];
            if (here > gain || (here == gain && set_[a] > j)) return false;
        }
        if (s + 1 == m_) return true;
        double* next = &contribution_[(s + 1) * m_];
        for (std::size_t a = 0; a < s; ++a) next[a] = mine[a] + weight_[set_[a] * n_ + j];
        next[s] = gain;
        return true;
    }

    bool splits_a_pair() const {
        const auto holds = [&](std::uint32_t i) { return std::find(set_.begin(), set_.end(), i) != set_.end(); };
        for (std::size_t p = 0; p < pairs_->together.size(); p += 2)
            if (holds(pairs_->together[p]) != holds(pairs_->together[p + 1])) return true;
        return false;
    }

    void keep() {
        if (splits_a_pair()) return;
        double pairs = 0.0, duals = 0.0;
        for (std::size_t a = 0; a < m_; ++a) {
            duals += dual_[set_[a]];
            for (std::size_t b = a + 1; b < m_; ++b) pairs += squared_[set_[a] * n_ + set_[b]];
        }
        const double cost = pairs / static_cast<double>(m_) - duals;
        if (!(cost < limit_)) return;
        if (columns_.cost.size() == most_) {
            columns_.complete = false;
            return;
        }
        columns_.member.insert(columns_.member.end(), set_.begin(), set_.end());
        columns_.cost.push_back(cost);
    }

    std::size_t n_;
    Buffer<double> squared_, weight_;
    const double* dual_ = nullptr;
    const Pairs* pairs_ = nullptr;
    std::size_t m_ = 0, most_ = 0, grown_ = 0;
    double limit_ = 0.0;
    Poll poll_{[] {}};
    Clock::time_point end_;
    Columns columns_;
    std::vector<std::uint32_t> set_;
    std::vector<std::vector<double>> row_;
    std::vector<double> contribution_;
};

}  // namespace covey::space
