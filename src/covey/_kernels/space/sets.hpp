// Columns of the set partitioning: groups whose reduced cost under the duals of the records is below a limit.
//
// A group of m records loses the sum over its pairs of d2/m, so its reduced cost is the sum over its pairs of
// w_ij = d2_ij/m - (dual_i + dual_j)/(m-1). A limit L is spread over the pairs: w_ij - L / (m (m-1) / 2); so let it be 0.
// Lemma: the sum of a set of s is 1/(s-2) of the sum, over its s subsets one smaller, of their sums; so a set below 0 has a
// subset one smaller below 0: the one without the record that contributes most. Growing sets below 0 by records that then
// contribute most (of several, the one with the highest index) meets every set below 0 exactly once.
#pragma once

#include <algorithm>
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
    bool complete = true;               // false: stopped at the most that were asked for
};

class Pricing {
  public:
    explicit Pricing(const Points& points) : n_(points.n), squared_(points.n * points.n) {
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j) squared_[i * n_ + j] = squared_distance(points[i], points[j], points.d);
    }

    // The sets of m records with a reduced cost below `limit`, up to `most` of them.
    Columns run(const double* dual, std::size_t m, double limit, std::size_t most, Poll poll) {
        Run run{*this, dual, m, limit, most, poll, {}, {}, {}, {}};
        run.row.resize(m, std::vector<double>(n_));
        run.contribution.resize((m + 1) * m);
        run.start();
        return std::move(run.columns);
    }

  private:
    struct Run {
        const Pricing& at;
        const double* dual;
        std::size_t m;
        double limit;
        std::size_t most;
        Poll poll;
        Columns columns;
        std::vector<std::uint32_t> set;
        std::vector<std::vector<double>> row;  // row[s][j]: what j would contribute to the first s+1 records of the set
        std::vector<double> contribution;      // [s * m + a]: what record a of the set contributes while it holds s

        double share() const { return limit / (static_cast<double>(m) * static_cast<double>(m - 1) / 2.0); }

        void start() {
            for (std::uint32_t i = 0; i < at.n_ && columns.complete; ++i) {
                set.assign(1, i);
                fill(0, i, nullptr);
                for (std::uint32_t j = i + 1; j < at.n_ && columns.complete; ++j) {
                    const double w = row[0][j];
                    if (!(w < 0.0)) continue;
                    set.push_back(j);
                    contribution[2 * m] = contribution[2 * m + 1] = w;
                    grow(w);
                    set.pop_back();
                }
                poll.tick(static_cast<int>(std::min<std::size_t>(at.n_, 1 << 16)));
            }
        }

        void fill(std::size_t s, std::uint32_t i, const double* before) {
            const double over = 1.0 / static_cast<double>(m), under = 1.0 / static_cast<double>(m - 1);
            const double* squared = &at.squared_[i * at.n_];
            const double fixed = dual[i] * under + share();
            double* out = row[s].data();
            if (before == nullptr)
                for (std::size_t j = 0; j < at.n_; ++j) out[j] = squared[j] * over - dual[j] * under - fixed;
            else
                for (std::size_t j = 0; j < at.n_; ++j) out[j] = before[j] + (squared[j] * over - dual[j] * under - fixed);
        }

        double weight(std::uint32_t i, std::uint32_t j) const {
            return at.squared_[i * at.n_ + j] / static_cast<double>(m) - (dual[i] + dual[j]) / static_cast<double>(m - 1) - share();
        }

        void grow(double sum) {
            const std::size_t s = set.size();
            if (s == m) {
                if (columns.cost.size() == most) {
                    columns.complete = false;
                    return;
                }
                columns.member.insert(columns.member.end(), set.begin(), set.end());
                columns.cost.push_back(sum + limit);
                return;
            }
            fill(s - 1, set.back(), row[s - 2].data());
            const double* gain = row[s - 1].data();
            const double* mine = &contribution[s * m];
            poll.tick(static_cast<int>(std::min<std::size_t>(at.n_, 1 << 16)));
            for (std::uint32_t j = 0; j < at.n_ && columns.complete; ++j) {
                if (!(sum + gain[j] < 0.0) || std::find(set.begin(), set.end(), j) != set.end()) continue;
                double* next = &contribution[(s + 1) * m];
                if (!contributes_most(j, gain[j], mine, s + 1 == m ? nullptr : next)) continue;
                set.push_back(j);
                grow(sum + gain[j]);
                set.pop_back();
            }
        }

        bool contributes_most(std::uint32_t j, double gain, const double* mine, double* next) const {
            for (std::size_t a = 0; a < set.size(); ++a) {
                const double here = mine[a] + weight(set[a], j);
                if (here > gain || (here == gain && set[a] > j)) return false;
                if (next != nullptr) next[a] = here;
            }
            if (next != nullptr) next[set.size()] = gain;
            return true;
        }
    };

    std::size_t n_;
    Buffer<double> squared_;
};

}  // namespace covey::space
