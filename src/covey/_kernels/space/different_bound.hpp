// A lower bound on the loss of groups of at least k records that each hold so many different values: of a sensitive column, or units.
//
// Lemma 1: for any prices u and any group S of s >= k records, let record i choose the s-1 others: it pays (k-1) u_i, and for each j
// d2_ij/2s - (k-1)/(s-1) u_j. Over all of S that is what S loses, for every u_i is paid k-1 times and gets back s-1 times (k-1)/(s-1).
// So the least that a record can pay for any s >= k and any s-1 others that hold what is asked for adds up to a lower bound.
// Lemma 2: without what is asked for the least is at s = k: the mean over the (k-1)-subsets of s-1 others is at most what these cost,
// as (k-1)/(k (s-1)) <= 1/s. With u half the prices of the cheapest matching that is at least its bound.
// Lemma 3: of s-1 others of least sum that hold m other values, m are the nearest of the m values whose nearest are nearest, and the rest
// are the nearest of all that are left. (A value that is held and not among these m can give up a record for one that is.)
// Lemma 4: while a sum A of s-1 numbers takes in ever larger ones x, A/s falls as long as x < A/s, and from then on never again.
// For s > k the factor s/(s-1) of prices is between 1 and k/(k-1): the end that makes a record nearer is taken.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../poll.hpp"
#include "matching_bound.hpp"
#include "near_pairs.hpp"
#include "points.hpp"
#include "price_boxes.hpp"

namespace covey::space {

class DifferentBound {
  public:
    // code: the value of every record; `none` has none. Every group holds `least` >= 2 different ones, so has as many records.
    DifferentBound(const Points& points, std::size_t k, const std::vector<std::uint32_t>& code, std::size_t least,
                   const Poll& poll)
        : k_(std::max(k, least)), least_(least), degree_(static_cast<double>(k_ - 1)), poll_(poll) {
        const PlacedPoints placed(points);
        std::vector<std::uint32_t> record;
        for (const std::uint32_t p : placed.order)
            for (std::uint32_t i = p; i != none; i = placed.tree.copies().next(i)) record.push_back(i);
        start_ = Matching(points, k_, poll).run(true);
        row_ = Buffer<double>(points.n * points.d);
        for (const std::uint32_t i : record) {
            std::copy_n(points[i], points.d, &row_[code_.size() * points.d]);
            code_.push_back(code[i]);
            price_.push_back(start_.price.empty() ? 0.0 : start_.price[i] / 2.0);
        }
        rows_ = {row_.data(), points.n, points.d};
        most_near_ = std::clamp(std::size_t{50'000'000} / std::max<std::size_t>(1, points.n), std::size_t{500},
                                std::size_t{10'000});
        slack_ = (static_cast<double>(points.d) + 64.0) * 0x1p-48;
        for (const std::uint32_t value : code_)
            if (value != none) values_ = std::max(values_, std::size_t{value} + 1);
    }

    // The greatest bound of some rounds, in which prices of records that too many choose fall and others rise.
    double run() {
        double best = start_.bound;
        for (std::size_t round = 0; round < most_rounds && looked_ < work; ++round) {
            if (round != 0) move(1.0 / (0.75 + 0.25 * static_cast<double>(round)));
            best = std::max(best, evaluate());
        }
        return best;
    }

  private:
    static constexpr std::size_t work = 8'000'000, most_rounds = 60, stretch = 512;
    static constexpr double tiny = 0x1p-880, everything = 0x1p1000;

    struct Other {
        double cost;  // rounded down
        std::uint32_t record;
        friend bool operator<(const Other& a, const Other& b) {
            return a.cost < b.cost || (a.cost == b.cost && a.record < b.record);
        }
    };
    struct Choice {
        double paid = 0.0;
        std::size_t size = 0;  // of the group
        std::vector<std::uint32_t> others;
    };
    struct Looking {
        std::vector<std::uint32_t> stack, seen;
        std::vector<Other> all, other, taken;  // squared distances; costs, in order; the others of a group
        std::size_t fixed = 0;                 // of those taken, for their values
        double known = 0.0;                    // what was not looked at costs as much
        std::uint32_t stamp = 0;
        std::size_t count = 0;
    };

    double evaluate() {
        const std::size_t n = rows_.n;
        std::vector<double> reach(n);
        for (std::size_t i = 0; i < n; ++i) {
            const double share = price_[i] * (price_[i] > 0.0 ? at_k() : degree_ * 2.0);
            reach[i] = share + std::fabs(share) * slack_;
        }
        const PriceBoxes boxes(rows_, reach);
        choice_.assign(n, {});
        in_stretches((n + stretch - 1) / stretch, poll_,
                     [&](std::size_t part, std::size_t) {
                         Looking looking;
                         looking.seen.assign(values_, 0);
                         double budget = 0.0;  // a stretch begins anew: the same for any number of threads
                         for (std::size_t i = part * stretch; i < std::min(n, (part + 1) * stretch); ++i)
                             budget = choose(static_cast<std::uint32_t>(i), budget / 2.0, boxes, looking);
                         looked_ += looking.count;
                     },
                     1);
        Sum sum;
        for (std::size_t i = 0; i < n; ++i) {
            sum.add(degree_ * price_[i]);
            sum.add(choice_[i].paid);
        }
        return sum.low();
    }

    // Factors of a price, times 2s: for groups of k, and those for larger ones that make a record cheapest.
    double at_k() const { return 2.0 * static_cast<double>(k_); }
    double above_k(double price) const {
        return price > 0.0 ? at_k() - 2.0 / static_cast<double>(k_) * (1.0 - 0x1p-50) : 2.0 * degree_;
    }

    // What i pays at least, over all sizes; returns how far it looked.
    double choose(std::uint32_t i, double budget, const PriceBoxes& boxes, Looking& looking) {
        if (!(budget > 0.0)) budget = first_budget(i);
        double factor = 2.0;
        for (std::size_t before = 0;; before = looking.all.size()) {
            const bool whole = !(budget < everything);
            looking.all.clear();
            boxes.each_near(i, whole ? everything : budget, 1.0, looking.stack,
                            [&](std::uint32_t j, double squared) { looking.all.push_back({squared, j}); });
            const bool all = whole || looking.all.size() == rows_.n - 1;
            looking.count += looking.all.size() + 16;
            if (all || looking.all.size() + 1 >= k_) {
                looking.known = all ? everything : budget * (1.0 - slack_) - tiny;
                if (settle(i, looking)) return budget;
            }
            factor = looking.all.size() == before ? 2.0 * factor : 2.0;
            budget *= factor;
        }
    }

    double first_budget(std::uint32_t i) const {
        const std::uint32_t j = i == 0 ? 1 : i - 1;  // near it in the tree
        return squared_distance(rows_[i], rows_[j], rows_.d) + std::fabs(price_[i]) +
               0x1p-20 * start_.bound / static_cast<double>(rows_.n) + 0x1p-400;
    }

    // Whether records that were not looked at can change nothing; then the choice of i is written. Where what is asked for takes
    // too many, i pays what it pays without that.
    bool settle(std::uint32_t i, Looking& looking) {
        const std::size_t wanted = least_ - (code_[i] == none ? 0 : 1);
        Choice plain, mixed;
        const bool too_many = looking.all.size() > most_near_;
        price_others(looking, too_many ? k_ : looking.all.size(), [&](double) { return at_k(); });
        if (!at_k_alone(i, 0, looking, plain)) return false;
        choice_[i] = plain;
        if (too_many) return true;
        if (wanted < k_ && !at_k_alone(i, wanted, looking, mixed) && looking.known < everything) return false;
        price_others(looking, looking.all.size(), [&](double price) { return above_k(price); });
        if (!above_k_too(i, wanted, looking, mixed)) return false;
        if (mixed.size != 0 && mixed.paid > plain.paid) choice_[i] = mixed;
        return true;
    }

    // So many of the cheapest first, in order.
    template <class Factor>
    void price_others(Looking& looking, std::size_t first, const Factor& factor) const {
        const double least = 1.0 - (static_cast<double>(rows_.d) + 16.0) * 0x1p-52;
        looking.other.clear();
        for (const Other& other : looking.all) {
            const double price = price_[other.record], share = price * factor(price);
            looking.other.push_back(
                {other.cost * least - share - 0x1p-49 * (other.cost + std::fabs(share)) - tiny, other.record});
        }
        std::partial_sort(looking.other.begin(), looking.other.begin() + static_cast<std::ptrdiff_t>(first),
                          looking.other.end());
    }

    // The nearest of `wanted` other values. False where there may be nearer ones, or not so many.
    bool take_values(std::uint32_t i, std::size_t wanted, Looking& looking) const {
        ++looking.stamp;
        if (code_[i] != none) looking.seen[code_[i]] = looking.stamp;
        looking.taken.clear();
        for (const Other& other : looking.other) {
            if (looking.taken.size() == wanted || other.cost >= looking.known) break;
            const std::uint32_t value = code_[other.record];
            if (value == none || looking.seen[value] == looking.stamp) continue;
            looking.seen[value] = looking.stamp;
            looking.taken.push_back(other);
        }
        looking.fixed = looking.taken.size();
        return looking.taken.size() == wanted;
    }

    static bool is_fixed(const Looking& looking, const Other& other) {
        const auto end = looking.taken.begin() + static_cast<std::ptrdiff_t>(looking.fixed);
        return std::any_of(looking.taken.begin(), end, [&](const Other& t) { return t.record == other.record; });
    }

    // The cheapest choice for groups of k. False where what was not looked at may be cheaper, or where there is none.
    bool at_k_alone(std::uint32_t i, std::size_t wanted, Looking& looking, Choice& best) const {
        if (!take_values(i, wanted, looking)) return false;
        for (const Other& other : looking.other) {
            if (looking.taken.size() == k_ - 1) break;
            if (other.cost >= looking.known) return false;
            if (!is_fixed(looking, other)) looking.taken.push_back(other);
        }
        if (looking.taken.size() < k_ - 1) return false;
        Sum sum;
        for (const Other& other : looking.taken) sum.add(other.cost);
        pay(sum, looking, best);
        return true;
    }

    static void pay(const Sum& sum, const Looking& looking, Choice& best) {
        const std::size_t s = looking.taken.size() + 1;
        const double low = sum.low() / (2.0 * static_cast<double>(s)), paid = low - std::fabs(low) * 0x1p-51;
        if (best.size != 0 && paid >= best.paid) return;
        best.paid = paid;
        best.size = s;
        best.others.clear();
        for (const Other& other : looking.taken) best.others.push_back(other.record);
    }

    // And for any group above k. False where what was not looked at may be cheaper.
    bool above_k_too(std::uint32_t i, std::size_t wanted, Looking& looking, Choice& best) const {
        if (!take_values(i, wanted, looking)) return looking.known >= everything;
        Sum sum;
        for (const Other& other : looking.taken) sum.add(other.cost);
        if (wanted >= k_) pay(sum, looking, best);
        const auto rises = [&](double cost) {  // by one more of this cost, and by all that cost more
            const double s = static_cast<double>(looking.taken.size()) + 1.0;
            return s > static_cast<double>(k_) && cost * s - std::fabs(cost * s) * 0x1p-50 >= sum.high();
        };
        for (const Other& other : looking.other) {
            if (rises(std::min(other.cost, looking.known))) return true;
            if (other.cost >= looking.known) return false;
            if (is_fixed(looking, other)) continue;
            looking.taken.push_back(other);
            sum.add(other.cost);
            if (looking.taken.size() + 1 > k_) pay(sum, looking, best);
        }
        return rises(looking.known) || looking.known >= everything;
    }

    // Prices of records that are chosen less than once for each of their own choices rise, others fall.
    void move(double step) {
        std::vector<double> load(rows_.n, 0.0);
        double total = 0.0;
        for (const Choice& choice : choice_) {
            for (const std::uint32_t j : choice.others) load[j] += 1.0 / (static_cast<double>(choice.size) - 1.0);
            total += std::fabs(choice.paid);
        }
        const double floor = 0.1 * total / static_cast<double>(rows_.n);
        for (std::size_t i = 0; i < rows_.n; ++i) {
            const double own = (std::fabs(degree_ * price_[i] + choice_[i].paid) + floor) / degree_;
            price_[i] += 0.3 * step * own * std::clamp(1.0 - load[i], -3.0, 1.0);
        }
    }

    std::size_t k_, least_;
    double degree_;
    Poll poll_;
    MatchingBound start_;
    Buffer<double> row_;
    Points rows_{};
    std::vector<std::uint32_t> code_;
    std::size_t values_ = 0, most_near_ = 0;
    std::atomic<std::size_t> looked_{0};
    std::vector<double> price_;
    double slack_ = 0.0;  // above what rounding does to a cost, relative to what it is made of
    std::vector<Choice> choice_;
};

}  // namespace covey::space
