// Groups on a line of which some records are left out: of exactly so many for every number up to a budget, or at a price each.
//
// Lemma: some best groups are ranges of all records less single ones between them. Let a record y that is left out lie within the
// range of a group that publishes q. If y >= q, it is no farther from q than the largest record, which may be left out in its place;
// if y < q, no farther than the smallest. For costs that publish an end, the record at the other end gives way. The loss does not
// rise, the number left out stays, and the range becomes narrower or holds one record less that is left out: it ends.
// So the last record is left out, or the last group is a range: D[c][j] = min(D[c-1][j-1], min over sizes s of D[c][j-s] + C(j-s, j)).
// Sizes from k to 2k - 1: a longer group is no better than two. The loss is not convex in c.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../poll.hpp"
#include "costs.hpp"

namespace covey::line {

constexpr double not_possible = std::numeric_limits<double>::infinity();

// D of one place for all numbers that are left out, from the places before it. `chosen`, if given, gets the size of the last group
// of each, 0 where the last record is left out.
template <class Cost>
class LeaveOut {
  public:
    LeaveOut(const Cost& cost, std::size_t n, std::size_t k, std::size_t most)
        : cost_(cost), n_(n), k_(k), width_(most + 1), rows_(2 * k * width_, not_possible), size_(2 * k) {
        rows_[0] = 0.0;
    }

    void run(std::uint16_t* chosen, Poll poll) {
        for (std::size_t j = 1; j <= n_; ++j) {
            step(j, chosen == nullptr ? nullptr : chosen + j * width_);
            poll.tick(static_cast<int>(std::min<std::size_t>(k_ * width_, 1 << 20)));
        }
    }

    // The least loss with exactly c left out.
    double loss(std::size_t c) const { return row(n_)[c]; }

  private:
    const double* row(std::size_t j) const { return &rows_[j % size_ * width_]; }

    void step(std::size_t j, std::uint16_t* chosen) {
        double* here = &rows_[j % size_ * width_];
        const double* before = row(j - 1);
        here[0] = not_possible;
        std::copy_n(before, width_ - 1, here + 1);
        if (chosen != nullptr) std::fill_n(chosen, width_, std::uint16_t{0});
        for (std::size_t s = k_; s < 2 * k_ && s <= j; ++s) {
            const double cost = cost_(j - s, j);
            const double* from = row(j - s);
            if (chosen == nullptr) {
                for (std::size_t c = 0; c < width_; ++c) here[c] = std::min(here[c], from[c] + cost);
                continue;
            }
            for (std::size_t c = 0; c < width_; ++c)
                if (from[c] + cost < here[c]) {
                    here[c] = from[c] + cost;
                    chosen[c] = static_cast<std::uint16_t>(s);
                }
        }
    }

    const Cost& cost_;
    std::size_t n_, k_, width_;
    std::vector<double> rows_;  // of the last 2k places
    std::size_t size_;
};

// The least loss with exactly 0, 1, ..., most of the sorted records left out; infinite where that cannot be.
inline std::vector<double> losses_without(CostName name, const double* x, std::size_t n, std::size_t k,
                                          std::size_t most, Poll poll) {
    return with_cost(name, [&]<class Cost>() {
        const Cost cost({x}, n, 2 * k - 1);
        LeaveOut<Cost> table(cost, n, k, most);
        table.run(nullptr, poll);
        std::vector<double> losses(most + 1);
        for (std::size_t c = 0; c <= most; ++c) losses[c] = table.loss(c);
        return losses;
    });
}

// The groups of least loss with exactly `count` left out, which is possible: labels of the sorted records, -1 for those.
inline std::vector<std::int32_t> groups_without(CostName name, const double* x, std::size_t n, std::size_t k,
                                                std::size_t count, Poll poll) {
    std::vector<std::uint16_t> chosen((n + 1) * (count + 1));
    with_cost(name, [&]<class Cost>() {
        const Cost cost({x}, n, 2 * k - 1);
        LeaveOut<Cost>(cost, n, k, count).run(chosen.data(), poll);
    });
    std::vector<std::int32_t> label(n, -1);
    std::int32_t groups = 0;
    for (std::size_t j = n, c = count; j > 0;) {
        const std::size_t s = chosen[j * (count + 1) + c];
        if (s == 0) {
            --j;
            --c;
            continue;
        }
        std::fill_n(label.begin() + static_cast<std::ptrdiff_t>(j - s), s, groups++);
        j -= s;
    }
    return label;
}

// The groups of least loss where every record that is left out costs a price, fewer of them where that makes no difference; labels as
// above. No groups with as many left out lose less, and none with c left out lose less than this loss and price together, less c prices.
inline std::vector<std::int32_t> groups_at_price(CostName name, const double* x, std::size_t n, std::size_t k,
                                                 double price, Poll poll) {
    std::vector<double> best(n + 1);
    std::vector<std::uint32_t> size(n + 1, 0);
    with_cost(name, [&]<class Cost>() {
        const Cost cost({x}, n, 2 * k - 1);
        for (std::size_t j = 1; j <= n; ++j) {
            best[j] = best[j - 1] + price;
            for (std::size_t s = k; s < 2 * k && s <= j; ++s)
                if (const double loss = best[j - s] + cost(j - s, j); loss <= best[j]) {
                    best[j] = loss;
                    size[j] = static_cast<std::uint32_t>(s);
                }
            poll.tick(static_cast<int>(std::min<std::size_t>(k, 1 << 20)));
        }
    });
    std::vector<std::int32_t> label(n, -1);
    std::int32_t groups = 0;
    for (std::size_t j = n; j > 0;) {
        const std::size_t s = size[j];
        if (s == 0) {
            --j;
            continue;
        }
        std::fill_n(label.begin() + static_cast<std::ptrdiff_t>(j - s), s, groups++);
        j -= s;
    }
    return label;
}

}  // namespace covey::line
