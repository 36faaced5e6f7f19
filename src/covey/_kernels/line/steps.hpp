// The searches behind `fastest`, one piece of a sorted column after the other.
//
// Each solves ends as soon as the records that it looks at are there, in the very blocks of the search in memory, so the
// least totals are those of the search in memory bit for bit, however the column is cut into pieces. Only the choice
// among equal candidates differs, see stream.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "../poll.hpp"
#include "costs.hpp"
#include "direct.hpp"
#include "divide.hpp"
#include "running.hpp"

namespace covey::line {

class Steps {
  public:
    virtual ~Steps() = default;

    // x: the records from a multiple of unit() on, n of them, the last 2k-1 solved ones included. Solves the ends behind
    // `done` as far as it can, all if the column has ended, and returns the last. First call: n >= 4k, or ended and >= 2k.
    virtual std::size_t advance(const double* x, std::size_t done, std::size_t n, bool ended, std::uint32_t* start,
                                const Poll& poll) = 0;
    virtual std::size_t unit() const = 0;

    const double* weight = nullptr;  // of the same records, where they weigh differently
};

class AloneSteps : public Steps {  // k = 1
  public:
    std::size_t advance(const double*, std::size_t done, std::size_t n, bool, std::uint32_t* start,
                        const Poll&) override {
        std::iota(start + done, start + n, static_cast<std::uint32_t>(done));
        return n;
    }
    std::size_t unit() const override { return 1; }
};

template <template <int> class Grow, int K>
class DirectSteps : public Steps {
    using Kernel = Direct<Grow, K, true>;

  public:
    explicit DirectSteps(std::size_t k) : k_(static_cast<int>(k)), buffer_(Kernel::buffer_size(k_)) {}

    std::size_t advance(const double* x, std::size_t done, std::size_t n, bool ended, std::uint32_t* start,
                        const Poll& poll) override {
        if (done == 0) {
            Kernel::begin(x, k_, start, buffer_.data());
            done = static_cast<std::size_t>(2 * k_ - 1);
        }
        constexpr std::size_t whole = Kernel::block - 1;
        const std::size_t last = ended ? n : done + (n - done) / whole * whole;
        if (last > done) run_fastest<typename Kernel::Resume>(x, done, last, k_, start, buffer_.data(), &poll);
        return last;
    }
    std::size_t unit() const override { return static_cast<std::size_t>(k_); }

  private:
    int k_;
    std::vector<double> buffer_;
};

template <class Join>
class DivideSteps : public Steps {
    using Kernel = Divide<Join, true>;

  public:
    explicit DivideSteps(std::size_t k) : k_(k), workspace_(k) {}

    std::size_t advance(const double* x, std::size_t done, std::size_t n, bool ended, std::uint32_t* start,
                        const Poll& poll) override {
        if (done == 0) {
            Kernel::begin(x, n, k_, start, &workspace_);
            done = 2 * k_ - 1;
        }
        const std::size_t first = done + 1, ahead = 2 * k_ - 1;
        const std::size_t blocks = n < first + ahead ? 0 : (n - first - ahead) / k_ + 1;
        const std::size_t until = ended ? n + 1 : first + blocks * k_;
        if (until > first) run_fastest<typename Kernel::Resume>(x, first, until, n, k_, start, &workspace_, &poll);
        return until - 1;
    }
    std::size_t unit() const override { return 4 * k_; }  // it counts its blocks

  private:
    std::size_t k_;
    typename Kernel::Workspace workspace_;
};

class RunningSteps : public Steps {
  public:
    explicit RunningSteps(std::size_t k) : period_(rebase_period(k)), minimum_(k) {}

    std::size_t advance(const double* x, std::size_t done, std::size_t n, bool, std::uint32_t* start,
                        const Poll& poll) override {
        minimum_.advance(x, done, n, start, poll);
        return n;
    }
    // Remainders by k are taken, too.
    std::size_t unit() const override { return std::lcm(period_, minimum_.k()); }

  private:
    std::size_t period_;
    RunningMinimum minimum_;
};

// Weighted squares: every start of every end. Totals are kept for the starts that later ends look at.
template <class Cost>
class WeighedSteps : public Steps {
  public:
    explicit WeighedSteps(std::size_t k) : k_(k) {}

    std::size_t advance(const double* x, std::size_t done, std::size_t n, bool, std::uint32_t* start,
                        const Poll& poll) override {
        const std::size_t reach = 2 * k_ - 1, first = done + 1 - totals_.size();
        const Cost cost({x, weight}, n, reach);
        Poll often = poll;
        totals_.reserve(n + 1 - first);
        for (std::size_t end = done + 1; end <= n; ++end) {
            double least = std::numeric_limits<double>::infinity();
            std::size_t best = 0;
            for (std::size_t from = std::max(first, end < reach ? 0 : end - reach); from + k_ <= end; ++from) {
                const double total = totals_[from - first] + cost(from, end);
                if (total > least || (total == least && from % k_ >= best % k_)) continue;
                least = total;
                best = from;
            }
            start[end - 1] = static_cast<std::uint32_t>(best);
            totals_.push_back(least);
            if (end % reach == 0) lower(std::min(reach, totals_.size()));
            often.tick(static_cast<int>(k_));
        }
        totals_.erase(totals_.begin(), totals_.end() - static_cast<std::ptrdiff_t>(std::min(reach, totals_.size())));
        return n;
    }
    std::size_t unit() const override { return k_; }

  private:
    // Later ends compare the last totals with each other: what is common to them is taken off, so that it hides no digit.
    void lower(std::size_t count) {
        const auto from = totals_.end() - static_cast<std::ptrdiff_t>(count);
        const double common = *std::min_element(from, totals_.end());
        if (std::isfinite(common)) std::for_each(from, totals_.end(), [&](double& total) { total -= common; });
    }

    std::size_t k_;
    std::vector<double> totals_{0.0};  // of the last ends, up to a constant; infinite where no groups end
};

// Below 8 the search for any k would solve ends side by side that depend on each other. The search in memory goes on to 10,
// which is faster there; here it would mostly take longer to compile.
template <template <int> class Grow>
std::unique_ptr<Steps> direct_steps(std::size_t k) {
    switch (k) {
        case 2: return std::make_unique<DirectSteps<Grow, 2>>(k);
        case 3: return std::make_unique<DirectSteps<Grow, 3>>(k);
        case 4: return std::make_unique<DirectSteps<Grow, 4>>(k);
        case 5: return std::make_unique<DirectSteps<Grow, 5>>(k);
        case 6: return std::make_unique<DirectSteps<Grow, 6>>(k);
        case 7: return std::make_unique<DirectSteps<Grow, 7>>(k);
        default: return std::make_unique<DirectSteps<Grow, 0>>(k);
    }
}

template <template <int> class Grow, class Join>
std::unique_ptr<Steps> steps_up_to(std::size_t last_direct, std::size_t k) {
    if (k <= last_direct) return direct_steps<Grow>(k);
    return std::make_unique<DivideSteps<Join>>(k);
}

inline std::unique_ptr<Steps> make_steps(CostName cost, std::size_t k, std::size_t last_direct, bool weighed) {
    if (k == 1) return std::make_unique<AloneSteps>();
    if (weighed && cost == CostName::rounded) return std::make_unique<WeighedSteps<RoundedCost>>(k);
    if (weighed) return std::make_unique<WeighedSteps<SseCost>>(k);
    switch (cost) {
        case CostName::sae: return steps_up_to<grow::Sae, join::Sae>(last_direct, k);
        case CostName::roundup: return steps_up_to<grow::RoundUp, join::RoundUp>(last_direct, k);
        case CostName::rounddown: return steps_up_to<grow::RoundDown, join::RoundDown>(last_direct, k);
        case CostName::maxdist: return std::make_unique<RunningSteps>(k);
        case CostName::rounded: return direct_steps<grow::Rounded>(k);
        default: return steps_up_to<grow::Sse, join::Sse>(last_direct, k);
    }
}

}  // namespace covey::line
