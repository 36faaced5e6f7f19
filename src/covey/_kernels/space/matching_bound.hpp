// A lower bound on the loss: the fractional b-matching. Every record is matched to k-1 others, a pair at most once.
//
// Lemma 1: a group of s >= k records that gives each of its pairs (k-1)/(s-1) gives every record k-1, and its pairs at d2/k cost
// at most what it loses, 1/s of their d2: (k-1)/(k (s-1)) <= 1/s. So the cheapest matching costs at most what any partition loses.
// Lemma 2: for any prices u, the sum of (k-1) u_i and of min(0, d2_ij/k - u_i - u_j) over all pairs is at most that.
//
// The prices come from a smooth relative of the cheapest matching, in which a pair also costs t (x - 1) x d2/2k, so that its share
// is x = (u_i + u_j - c)/(t c) + 1/2, cut to 0..1; the best of it is at least 1 - t/2 times that of the matching. A price given the
// others is the root of a monotone line of straight pieces. All prices move half-way to theirs at once. Lemma 3: that never makes
// the smooth sum less: by turns in two copies, each of which has its own prices, each move is to the best given the other copy;
// and the mean of the two is no worse than they are, for the sum is concave and the copies can change places.
// Whatever the prices, the sum is then taken over all pairs below 0, not only near ones, each rounded down.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../poll.hpp"
#include "near_pairs.hpp"
#include "points.hpp"
#include "price_boxes.hpp"

namespace covey::space {

struct MatchingBound {
    double bound = 0.0;
    std::vector<double>
        dual;  // of records; their sum is the bound, and no group of k or more loses less than the sum of its duals
    std::vector<double> price;  // of records: those of lemma 2; none where the bound is that by neighbours
};

// A sum that knows how far its rounding can be off.
struct Sum {
    double value = 0.0, size = 0.0;
    std::size_t terms = 0;
    void add(double term) {
        value += term;
        size += std::fabs(term);
        ++terms;
    }
    // At most and at least the exact sum of the terms: each addition is wrong by at most 2^-53 of what the sizes add up to.
    double low() const { return value - off(); }
    double high() const { return value + off(); }

  private:
    double off() const { return size * 0x1p-52 * (static_cast<double>(terms) + 8.0); }
};

// The price at which a point is matched `wanted` times, given the prices of its neighbours.
class FairPrice {
  public:
    void clear() {
        middle_.clear();
        slope_.clear();
        copies_.clear();
    }
    // A neighbour is matched by half at this price, with so many records, and wholly half a `width` above.
    void add(double middle, double width, double copies) {
        middle_.push_back(middle);
        slope_.push_back(1.0 / std::max(width, least_width));
        copies_.push_back(copies);
    }

    double at(double wanted, double start) const {
        double low = -unknown, high = unknown, price = start;
        for (int step = 0; step < most_steps; ++step) {
            const auto [matched, slope] = demand(price);
            if (std::fabs(matched - wanted) <= 1e-6 * wanted) break;
            (matched < wanted ? low : high) = price;
            double next = price + (wanted - matched) / slope;  // infinite or NaN where nothing changes
            if (!(slope > 0.0)) next = matched < wanted ? above(price) : below(price);
            if (!(next > low && next < high)) next = low > -unknown && high < unknown ? low + (high - low) / 2 : next;
            if (next == price || std::fabs(next) >= unknown) break;
            price = next;
        }
        return price;
    }

  private:
    static constexpr double unknown = std::numeric_limits<double>::infinity(), least_width = 0x1p-140;
    static constexpr int most_steps = 40;

    struct Demand {
        double matched, slope;
    };

    Demand demand(double price) const {
        Demand sum{0.0, 0.0};
        for (std::size_t e = 0; e < middle_.size(); ++e) {
            const double share = (price - middle_[e]) * slope_[e] + 0.5;
            const double cut = std::min(std::max(share, 0.0), 1.0);
            sum.matched += copies_[e] * cut;
            sum.slope += share == cut ? copies_[e] * slope_[e] : 0.0;
        }
        return sum;
    }
    double above(double price) const {
        double next = unknown;
        for (const double middle : middle_)
            if (middle > price) next = std::min(next, middle);
        return next;
    }
    double below(double price) const {
        double next = -unknown;
        for (const double middle : middle_)
            if (middle < price) next = std::max(next, middle);
        return next;
    }

    std::vector<double> middle_, slope_, copies_;
};

class Matching {
  public:
    Matching(const Points& points, std::size_t k, const Poll& poll)
        : points_(points), k_(k), degree_(static_cast<double>(k - 1)), poll_(poll), placed_(points) {}

    // Duals only if they are wanted.
    MatchingBound run(bool with_duals) {
        const std::size_t n = points_.n, most = std::min(n - 1, most_pairs / placed_.order.size());
        const bool fits = most >= k_;  // else more pairs than memory should hold
        std::size_t m = fits ? std::min(2 * k_ + 10, most) : 0;
        NearPairs pairs(points_, placed_, m, k_, share_, poll_);
        MatchingBound best = by_neighbours(with_duals);
        if (!fits || best.bound == 0.0) return best;
        first_prices(pairs);
        for (std::size_t step = 0; step < warm_steps; ++step) sweep(pairs, warm);
        while (true) {
            const std::size_t steps = std::clamp(steps_for_pairs / pairs.size(), least_steps, most_steps);
            for (const double smooth : cooler)
                for (std::size_t step = 0; step < steps; ++step) sweep(pairs, smooth);
            const double hidden = evaluate(pairs, best, with_duals);
            if (m == most || hidden <= 5e-3 * best.bound) return best;
            m = std::min(2 * m, most);
            pairs = NearPairs(points_, placed_, m, k_, share_, poll_);
        }
    }

  private:
    static constexpr double warm = 0.1, cooler[] = {0.05, 0.025, 0.0125};
    static constexpr std::size_t warm_steps = 20, least_steps = 8, most_steps = 128, steps_for_pairs = 50'000'000;
    static constexpr std::size_t most_pairs = 25'000'000;
    static constexpr double tiny = 0x1p-880;

    // Each record alone pays 1/2k of the squares to its k-1 nearest.
    MatchingBound by_neighbours(bool with_duals) {
        const double least = 1.0 - (static_cast<double>(points_.d + k_) + 16.0) * 0x1p-52;
        MatchingBound best;
        Sum sum;
        for (std::size_t p = 0; p < share_.size(); ++p) {
            share_[p] = std::max(0.0, share_[p] * least / (2.0 * static_cast<double>(k_)) - tiny);
            sum.add(share_[p] * placed_.copies[p]);
        }
        best.bound = std::max(0.0, sum.low());
        if (!with_duals) return best;
        best.dual.resize(points_.n);
        for (std::size_t i = 0; i < points_.n; ++i) best.dual[i] = share_[placed_.place[i]];
        return best;
    }

    // Half of what a point's pair with the last of its k-1 nearest costs.
    void first_prices(const NearPairs& pairs) {
        price_.resize(share_.size());
        std::vector<double> costs;
        for (std::size_t p = 0; p < price_.size(); ++p) {
            costs.assign(placed_.copies[p] - 1, 0.0);
            for (std::size_t e = pairs.begin(p); e < pairs.end(p); ++e)
                costs.insert(costs.end(), placed_.copies[pairs.to(e)], static_cast<double>(pairs.cost(e)));
            std::nth_element(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(k_ - 2), costs.end());
            price_[p] = costs[k_ - 2] / 2;
        }
    }

    void sweep(const NearPairs& pairs, double smooth) {
        next_.resize(price_.size());
        in_stretches(price_.size(), poll_, [&](std::size_t first, std::size_t last) {
            thread_local FairPrice fair;
            for (std::size_t p = first; p < last; ++p) {
                fair.clear();
                if (placed_.copies[p] > 1) fair.add(-price_[p], 0.0, placed_.copies[p] - 1.0);
                for (std::size_t e = pairs.begin(p); e < pairs.end(p); ++e) {
                    const double cost = pairs.cost(e);
                    fair.add(cost - price_[pairs.to(e)], smooth * cost, placed_.copies[pairs.to(e)]);
                }
                next_[p] = (price_[p] + fair.at(degree_, price_[p])) / 2;
            }
        });
        std::swap(price_, next_);
    }

    // The sum of lemma 2. Returns what pairs that are not near take away.
    double evaluate(const NearPairs& pairs, MatchingBound& best, bool with_duals) {
        const std::size_t n = price_.size();
        std::vector<double> price(n);
        for (std::size_t p = 0; p < n; ++p) {
            price[p] = std::ldexp(price_[p], pairs.exponent());
            if (std::fabs(price[p]) < tiny) price[p] = 0.0;
        }
        // The distance is right up to d + 2 roundings: so much less, and some more for the test of a pair against its prices.
        const double least = (1.0 - (static_cast<double>(points_.d) + 16.0) * 0x1p-52) / static_cast<double>(k_);
        const PriceBoxes boxes(placed_.rows, price);
        std::vector<Sum> taken(n);
        std::vector<double> hidden(n, 0.0);
        std::vector<std::vector<Share>> shares(with_duals ? n : 0);
        in_stretches(n, poll_, [&](std::size_t first, std::size_t last) {
            thread_local std::vector<std::uint32_t> stack;
            for (auto p = static_cast<std::uint32_t>(first); p < last; ++p) {
                boxes.each_below(p, least, stack, [&](std::uint32_t q, double squared) {
                    const double here = squared * least - price[p] - price[q];
                    const double both = static_cast<double>(placed_.copies[p]) * placed_.copies[q];
                    taken[p].add(both * (here - 0x1p-50 * (std::fabs(price[p]) + std::fabs(price[q]))));
                    if (!pairs.has(p, q)) hidden[p] -= both * here;
                    if (with_duals) shares[p].push_back({q, here});
                });
            }
        });
        return total(price, taken, hidden, shares, best);
    }

    struct Share {
        std::uint32_t q;
        double amount;
    };
    double total(const std::vector<double>& price, const std::vector<Sum>& taken, const std::vector<double>& hidden,
                 const std::vector<std::vector<Share>>& shares, MatchingBound& best) const {
        Sum sum;
        double lost = 0.0;
        for (std::size_t p = 0; p < price.size(); ++p) {
            const double copies = placed_.copies[p];
            sum.add(copies * degree_ * price[p]);
            if (price[p] > 0.0) sum.add(-copies * (copies - 1.0) * price[p]);
            sum.add(taken[p].low());
            lost += hidden[p];
        }
        if (!(sum.low() > best.bound)) return lost;
        best.bound = sum.low();
        if (shares.empty()) return lost;
        std::vector<double> dual(price.size());
        for (std::size_t p = 0; p < price.size(); ++p)
            dual[p] = degree_ * price[p] - (placed_.copies[p] - 1.0) * std::max(price[p], 0.0);
        for (std::size_t p = 0; p < price.size(); ++p)
            for (const Share& share : shares[p]) {
                dual[p] += share.amount / 2 * placed_.copies[share.q];
                dual[share.q] += share.amount / 2 * placed_.copies[p];
            }
        best.price.resize(points_.n);
        for (std::size_t i = 0; i < points_.n; ++i) {
            best.dual[i] = dual[placed_.place[i]];
            best.price[i] = price[placed_.place[i]];
        }
        return lost;
    }

    Points points_;
    std::size_t k_;
    double degree_;
    Poll poll_;
    PlacedPoints placed_;
    std::vector<double> price_, next_;  // of places, times 2^-exponent of the pairs
    std::vector<double> share_;
};

}  // namespace covey::space
