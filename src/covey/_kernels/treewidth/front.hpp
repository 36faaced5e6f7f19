// The states of a table as rows of numbers, the smaller the better. Lemma: a row that is nowhere smaller than another one can be
// dropped, for whatever completes it completes the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "budget.hpp"

namespace covey::treewidth {

class Front {
  public:
    using Number = std::uint16_t;
    struct Past {
        std::uint32_t from = 0, other = 0;  // the states of the children that it came from
        std::int32_t opened = 0;            // the clusters that the forgotten vertex opened
    };

    explicit Front(std::vector<std::uint32_t> weights) : width_(weights.size()), weights_(std::move(weights)) {}

    std::size_t size() const { return past_.size(); }
    std::span<const Number> row(std::size_t i) const { return {numbers_.data() + i * width_, width_}; }
    const std::vector<Past>& past() const { return past_; }
    std::size_t bytes() const { return numbers_.size() * sizeof(Number) + past_.size() * sizeof(Past); }

    void add(std::span<const Number> row, Past past) {
        numbers_.insert(numbers_.end(), row.begin(), row.end());
        past_.push_back(past);
    }

    // Keeps what nothing beats, by its weighted sum, and at most so many; returns whether some of these were dropped. What
    // beats a row comes before it, since weights are positive.
    bool clean(std::size_t most, Budget& budget) {
        std::vector<std::uint32_t> order(size());
        std::iota(order.begin(), order.end(), 0u);
        std::vector<std::uint64_t> sum(size());
        for (std::size_t i = 0; i < size(); ++i)
            sum[i] = std::inner_product(row(i).begin(), row(i).end(), weights_.begin(), std::uint64_t{0});
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            if (sum[a] != sum[b]) return sum[a] < sum[b];
            const int c = compare(row(a), row(b));
            return c != 0 ? c < 0 : a < b;
        });
        Front kept(weights_);
        bool dropped = false;
        for (const std::uint32_t i : order) {
            if (kept.beats(row(i), budget)) continue;
            if (kept.size() == most) {
                dropped = true;
                break;
            }
            kept.add(row(i), past_[i]);
        }
        *this = std::move(kept);
        return dropped;
    }

  private:
    static int compare(std::span<const Number> a, std::span<const Number> b) {
        const auto [at, other] = std::mismatch(a.begin(), a.end(), b.begin());
        return at == a.end() ? 0 : *at < *other ? -1 : 1;
    }

    bool beats(std::span<const Number> other, Budget& budget) const {
        for (std::size_t i = 0; i < size(); ++i) {
            budget.tick();
            if (std::equal(row(i).begin(), row(i).end(), other.begin(), [](Number a, Number b) { return a <= b; }))
                return true;
        }
        return false;
    }

    std::size_t width_;
    std::vector<std::uint32_t> weights_;
    std::vector<Number> numbers_;
    std::vector<Past> past_;
};

}  // namespace covey::treewidth
