// The window recursion made into a search: solutions from a beam, bounds from windows or prices, and passes over all states
// below a bound, until the bounds meet, or time or memory ends.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "bracket.hpp"
#include "instance.hpp"
#include "pass.hpp"
#include "prices.hpp"

namespace covey::diverse {

class Window {
  public:
    Window(const Instance& given, Objective objective, std::size_t bytes, Watch& watch)
        : given_(given), objective_(objective), bytes_(bytes), watch_(watch), narrowest_(narrowest_windows(given)),
          width_(given.n, static_cast<std::uint32_t>(std::clamp<std::size_t>(1'000'000 / given.n, 16, 64))) {
        best_.clusters = greedy(given, watch);
        best_.upper = value_of(given, objective, best_.clusters);
        best_.lower = 0.0;
        if (has_ties(given)) take(greedy_by_values(given, watch));
    }

    Bracket run() {
        if (objective_ == Objective::max) {
            minimise_largest_span();
        } else if (objective_ == Objective::sum) {
            minimise_total<SumCost>(SpanPricing(given_, false));
        } else {
            minimise_total<SseCost>(SquaresPricing(given_));
        }
        best_.lower = std::min(best_.lower, best_.upper);
        return std::move(best_);
    }

    // A good solution of least squares, by one beam: no proof.
    Bracket guess() {
        beam<SseCost>(worth(), infinity, infinity);
        return std::move(best_);
    }

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    // About what a point costs: a part of its narrowest window.
    std::vector<double> worth() const {
        std::vector<double> worth = narrowest_;
        for (double& w : worth) w = (objective_ == Objective::sum ? w : 0.5 * w * w) / static_cast<double>(given_.l);
        return worth;
    }

    bool open() { return best_.lower < best_.upper && !watch_.late(); }

    // A pass with the shortest mask that holds its clusters.
    template <class Cost>
    Found pass(const std::vector<double>& prices, const Limits& limits) {
        for (;; words_ *= 2) {
            Found found = words_ == 1   ? Pass<1, Cost>(given_, prices, limits, watch_).run()
                          : words_ == 2 ? Pass<2, Cost>(given_, prices, limits, watch_).run()
                          : words_ == 4 ? Pass<4, Cost>(given_, prices, limits, watch_).run()
                          : words_ == 8 ? Pass<8, Cost>(given_, prices, limits, watch_).run()
                                        : Pass<16, Cost>(given_, prices, limits, watch_).run();
            if (found.ending != Ending::narrow) return found;
            if (words_ == 16) {
                words_ = 1;
                found.ending = Ending::too_many;
                return found;
            }
        }
    }

    // Only the most promising states: a solution, if it gets to the end. Where it does not, the points before its end keep
    // more states, from now on.
    template <class Cost>
    bool beam(const std::vector<double>& prices, double bound, double span) {
        for (int attempt = 0; attempt < 3; ++attempt) {
            const Limits limits{bound, span, bytes_, &width_};
            const Found found = attempt > 0 && span == infinity ? Pass<8, Cost>(given_, prices, limits, watch_).run()
                                                                : Pass<2, Cost>(given_, prices, limits, watch_).run();
            if (found.any) take(found.clusters);
            if (found.any || bound < infinity || watch_.late()) return found.any;
            if (!widen(found.reached)) return false;
        }
        return false;
    }

    // Whether the points before the end of a beam can keep more states than they did.
    bool widen(std::size_t end) {
        stuck_ = end;
        bool wider = false;
        for (std::size_t p = end - std::min(end, hard_points); p <= end; ++p) {
            wider = wider || width_[p] < most_width;
            width_[p] = std::min(width_[p] * 4, most_width);
        }
        return wider;
    }

    void take(const Clusters& clusters) {
        const double value = value_of(given_, objective_, clusters);
        if (value < best_.upper) {
            best_.upper = value;
            best_.clusters = clusters;
        }
    }

    void minimise_largest_span() {
        best_.lower = least_largest_span(given_, narrowest_, best_.upper);
        if (!open()) return;
        std::vector<double> worth = narrowest_;
        for (double& w : worth) w /= static_cast<double>(given_.l);
        if (beam<SumCost>(worth, infinity, best_.lower)) return;
        double failed = best_.lower;
        while (open() && best_.upper - failed > 1e-3 * best_.upper) {
            const double span = failed + (best_.upper > 1.5 * failed ? 0.25 : 0.5) * (best_.upper - failed);
            if (!beam<SumCost>(worth, infinity, span)) failed = span;
        }
        for (int step = 0; step < 8 && open() && beam<SumCost>(worth, infinity, std::nextafter(best_.upper, 0.0));
             ++step) {
        }
        const std::vector<double> zero(given_.n, 0.0);
        if (open() && dies_here(zero)) best_.lower = best_.upper;
        if (open() && !prove<MaxCost>(zero, 0.0, best_.upper, bytes_ / 4)) climb<MaxCost>(zero, 0.0);
    }

    // Whether the points around the place where the last beam ended have no better solution, whatever the others do.
    bool dies_here(const std::vector<double>& zero) {
        for (std::size_t before = 16; before <= 64 && before < stuck_ && !watch_.late(); before *= 2) {
            const Limits limits{best_.upper, infinity, bytes_ / 64};
            if (Pass<1, MaxCost>(given_, zero, limits, watch_).dies(stuck_ - before, stuck_ + 64)) return true;
        }
        return false;
    }

    // Passes over all states below a bound that rises from `lower` to `upper`. They are quick while there is no solution:
    // states die out at the first place that has none. `paid` is the sum of the prices.
    template <class Cost>
    void climb(const std::vector<double>& prices, double paid) {
        while (open()) {
            const double least = 0.25 * (best_.upper - best_.lower), risen = best_.lower - paid;
            double target = best_.lower + std::max(least, paid > 0.0 ? risen : 0.2 * risen);
            if (target > best_.upper - least) target = best_.upper;
            if (!(best_.lower < target)) return;
            if (!prove<Cost>(prices, paid, target, bytes_)) return halve<Cost>(prices, paid, target);
        }
    }

    // A bound so high that there are too many states: how high can it be?
    template <class Cost>
    void halve(const std::vector<double>& prices, double paid, double too_many) {
        for (int step = 0; step < 4 && open(); ++step) {
            const double target = best_.lower + 0.5 * (too_many - best_.lower);
            if (!prove<Cost>(prices, paid, target, bytes_)) too_many = target;
        }
    }

    // Whether it is settled if there is a solution below the target; takes the best one if there is.
    template <class Cost>
    bool prove(const std::vector<double>& prices, double paid, double target, std::size_t bytes) {
        const Found found = pass<Cost>(prices, {target - paid, infinity, bytes});
        if (found.ending != Ending::complete) return false;
        if (found.any) take(found.clusters);
        best_.lower = found.any ? best_.upper : std::max(best_.lower, target);
        return true;
    }

    template <class Cost, class Pricing>
    void minimise_total(Pricing pricing) {
        beam<Cost>(worth(), infinity, infinity);
        Lagrangian<Pricing> lagrangian(given_, std::move(pricing), worth());
        const Prices& prices = lagrangian.best();
        int steps = 100;
        for (std::size_t states = 30 * given_.n; open(); states *= 2, steps *= 2) {
            lagrangian.run(best_.upper, steps, watch_);
            best_.lower = std::max(best_.lower, prices.sum);
            if (!open()) return;
            beam<Cost>(prices.price, best_.upper - prices.sum, infinity);
            const double rounded = best_.upper * (1.0 - tolerance);
            if (rounded <= best_.lower) {
                best_.lower = best_.upper;
            } else if (lagrangian.converged()) {
                climb<Cost>(prices.price, prices.sum);
                return;
            } else if (prove<Cost>(prices.price, prices.sum, rounded, std::min(bytes_, 64 * states))) {
                best_.lower = best_.upper;
            }
        }
    }

    static constexpr std::size_t hard_points = 64;  // so many before the end of a beam are hard
    static constexpr std::uint32_t most_width = 1024;
    static constexpr double tolerance = 1e-12;  // of sums, for rounding

    Instance given_;
    Objective objective_;
    std::size_t bytes_, words_ = 1;
    Watch& watch_;
    std::vector<double> narrowest_;
    std::vector<std::uint32_t> width_;  // of the beam
    std::size_t stuck_ = 0;             // where the last beam ended that did not get to the end
    Bracket best_;
};

}  // namespace covey::diverse
