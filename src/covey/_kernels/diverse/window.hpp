// The window recursion made into a search: solutions from a beam, bounds from windows or prices, and passes over all states
// below a bound, until the bounds meet, or time or memory ends.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "instance.hpp"
#include "pass.hpp"
#include "prices.hpp"

namespace covey::diverse {

// The best solution, and what none is below. Equal: proven to be the best.
struct Bracket {
    Clusters clusters;
    double lower, upper;
};

class Window {
  public:
    Window(const Instance& given, Objective objective, std::size_t bytes, Watch& watch)
        : given_(given), objective_(objective), bytes_(bytes), watch_(watch), narrowest_(narrowest_windows(given)) {
        best_.clusters = greedy(given, watch);
        best_.upper = value_of(given, objective, best_.clusters);
        best_.lower = 0.0;
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

  private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

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

    // Only the most promising states: a solution, if it gets to the end.
    template <class Cost>
    bool beam(const std::vector<double>& prices, double bound, double span, std::size_t width) {
        const Limits limits{bound, span, bytes_, width, 400};
        Found found = Pass<2, Cost>(given_, prices, limits, watch_).run();
        if (!found.any && bound == infinity && span == infinity) found = Pass<8, Cost>(given_, prices, limits, watch_).run();
        if (found.any) take(found.clusters);
        return found.any;
    }

    void take(const Clusters& clusters) {
        const double value = value_of(given_, objective_, clusters);
        if (value < best_.upper) {
            best_.upper = value;
            best_.clusters = clusters;
        }
    }

    std::size_t beam_width(std::size_t most) const { return std::clamp<std::size_t>(1'000'000 / given_.n, 16, most); }

    void minimise_largest_span() {
        best_.lower = least_largest_span(given_, narrowest_, best_.upper);
        if (!open()) return;
        std::vector<double> worth = narrowest_;
        for (double& w : worth) w /= static_cast<double>(given_.l);
        double failed = best_.lower;
        if (beam<SumCost>(worth, infinity, failed, beam_width(256))) return;
        for (int step = 0; step < 12 && open() && best_.upper - failed > 1e-3 * best_.upper; ++step) {
            const double span = failed + (step < 4 ? 0.25 : 0.5) * (best_.upper - failed);
            if (!beam<SumCost>(worth, infinity, span, beam_width(256))) failed = span;
        }
        climb<MaxCost>(std::vector<double>(given_.n, 0.0), 0.0);
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
        std::vector<double> worth = narrowest_;
        for (double& w : worth) w = (objective_ == Objective::sum ? w : 0.5 * w * w) / static_cast<double>(given_.l);
        beam<Cost>(worth, infinity, infinity, beam_width(48));
        Lagrangian<Pricing> lagrangian(given_, std::move(pricing), std::move(worth));
        const Prices& prices = lagrangian.best();
        int steps = 100;
        for (std::size_t states = 30 * given_.n; open(); states *= 2, steps *= 2) {
            lagrangian.run(best_.upper, steps, watch_);
            best_.lower = std::max(best_.lower, prices.sum);
            if (!open()) return;
            beam<Cost>(prices.price, best_.upper - prices.sum, infinity, beam_width(48));
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

    static constexpr double tolerance = 1e-12;  // of sums, for rounding

    Instance given_;
    Objective objective_;
    std::size_t bytes_, words_ = 1;
    Watch& watch_;
    std::vector<double> narrowest_;
    Bracket best_;
};

}  // namespace covey::diverse
