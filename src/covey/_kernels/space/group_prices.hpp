// Prices of records such that no group costs less than its records' prices: their sum is a lower bound on the loss.
//
// Lemma 1: it is enough to look at groups of k. The k-subsets T of a group S of s > k have the mean price k/s of that of S, and the
// mean cost (k-1)/(s-1) of that of S, as each pair is in as many of them; and s/k <= (s-1)/(k-1). So prices at most the cost for
// all T are so for S.
// Lemma 2: prices v that are too high for some groups are repaired record by record: v_i + min(0, min over T with i of (cost(T) -
// v(T))/k) adds up to at most v(T) + (cost(T) - v(T)) for any T.
// Which groups of k are below 0 is found exactly. With pair weights w_ij = d2_ij/k - (v_i + v_j)/(k-1), the sum over the pairs of T
// is cost(T) - v(T). A set below 0 has a subset one smaller below 0, the one without the record that contributes most; so all are met
// by growing pairs below 0 by records that then contribute most. A record that joins s records of sum -x contributes less than x, so
// its pair with one of them weighs less than x/s: those are found by a tree of boxes. Where sums are compared, a tolerance
// far above their rounding is given, so a set below 0 may be met twice, and sets just above 0 are met, too.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "../poll.hpp"
#include "cuts.hpp"
#include "matching_bound.hpp"
#include "near_pairs.hpp"
#include "points.hpp"
#include "price_boxes.hpp"

namespace covey::space {

// Groups of k, one after the other.
struct GroupsOfK {
    std::vector<std::uint32_t> member;
    std::vector<double> excess;  // price above cost
};

// All groups of k whose records' prices are above what they cost.
class Overpriced {
  public:
    using Clock = std::chrono::steady_clock;

    Overpriced(const Points& rows, std::size_t k, const std::vector<double>& price, const Cuts& cuts, const Poll& poll)
        : rows_(rows), k_(k), most_(steps_a_record * rows.n), price_(price), cuts_(cuts), share_(shares(price, k)),
          boxes_(rows, share_), near_(rows.n), complete_(rows.n, 0.0) {
        std::vector<double> least(rows.n, 0.0);
        in_stretches(
            rows.n, poll,
            [&](std::size_t first, std::size_t last) {
                thread_local std::vector<std::uint32_t> stack;
                for (auto i = static_cast<std::uint32_t>(first); i < last; ++i) {
                    look(i, 0.0, stack, near_[i]);
                    for (const Near& near : near_[i]) least[i] = std::max(least[i], -near.weight);
                }
            },
            64);
        in_stretches(
            rows.n, poll,
            [&](std::size_t first, std::size_t last) {
                thread_local std::vector<std::uint32_t> stack;
                for (auto i = static_cast<std::uint32_t>(first); i < last; ++i) {
                    double reach = least[i];
                    for (const Near& near : near_[i]) reach = std::max(reach, least[near.record]);
                    complete_[i] = reach * (static_cast<double>(k_) - 2.0) / 2.0;
                    look(i, complete_[i], stack, near_[i]);
                    std::sort(near_[i].begin(), near_[i].end(), [](const Near& a, const Near& b) {
                        return a.weight < b.weight || (a.weight == b.weight && a.record < b.record);
                    });
                }
            },
            64);
    }

    // Whether all were found, in time and in not too many steps.
    bool find(Clock::time_point end, const Poll& poll, GroupsOfK& found) const {
        std::vector<GroupsOfK> parts((rows_.n + stretch - 1) / stretch);
        std::atomic<std::size_t> steps{0};
        std::atomic<bool> late{false};
        in_stretches(
            parts.size(), poll,
            [&](std::size_t part, std::size_t) {
                if (steps > most_ || late) return;
                thread_local Growing growing;
                growing.out = &parts[part];
                growing.end = end;
                growing.steps = 0;
                growing.late = false;
                growing.contribution.resize((k_ + 1) * k_);
                growing.candidates.resize(k_ + 1);
                const std::size_t last = std::min(rows_.n, (part + 1) * stretch);
                for (auto i = static_cast<std::uint32_t>(part * stretch); i < last; ++i) start(i, growing);
                steps += growing.steps;
                if (growing.late) late = true;
            },
            1);
        if (steps > most_ || late) return false;
        for (const GroupsOfK& part : parts) {
            found.member.insert(found.member.end(), part.member.begin(), part.member.end());
            found.excess.insert(found.excess.end(), part.excess.begin(), part.excess.end());
        }
        return true;
    }

  private:
    static constexpr std::size_t stretch = 8, steps_a_record = 3000, steps_a_look = 4096;

    struct Near {
        double weight;
        std::uint32_t record;
    };
    struct Growing {
        std::vector<std::uint32_t> set, stack;
        std::vector<double> contribution;  // at [s k + a]: of member a while the set holds s
        std::vector<std::vector<std::uint32_t>> candidates;
        std::vector<Near> near;
        GroupsOfK* out = nullptr;
        Clock::time_point end;
        std::size_t steps = 0;
        bool late = false;
    };

    // A price enters k-1 pairs.
    static std::vector<double> shares(std::vector<double> price, std::size_t k) {
        for (double& u : price) u /= static_cast<double>(k - 1);
        return price;
    }

    double squared(std::uint32_t a, std::uint32_t b) const { return squared_distance(rows_[a], rows_[b], rows_.d); }
    double weight(std::uint32_t a, std::uint32_t b) const {
        return squared(a, b) / static_cast<double>(k_) - share_[a] - share_[b];
    }
    // Above anything that rounding does to sums of a set below 0, whose squares are at most what its prices are.
    double tolerance(const std::vector<std::uint32_t>& set, std::uint32_t other) const {
        double sum = std::fabs(price_[other]);
        for (const std::uint32_t a : set) sum += std::fabs(price_[a]);
        return sum * 0x1p-36 + 0x1p-880;
    }

    // All that weigh at most so much together with i, and some more.
    void look(std::uint32_t i, double most, std::vector<std::uint32_t>& stack, std::vector<Near>& near) const {
        near.clear();
        const double budget = share_[i] + most + (std::fabs(share_[i]) + most) * 0x1p-30 + 0x1p-870;
        boxes_.each_near(i, budget, (1.0 - 0x1p-30) / static_cast<double>(k_), stack,
                         [&](std::uint32_t j, double squared) {
                             near.push_back({squared / static_cast<double>(k_) - share_[i] - share_[j], j});
                         });
    }

    void start(std::uint32_t i, Growing& growing) const {
        for (const Near& near : near_[i]) {
            growing.set.assign(1, i);
            if (near.weight > tolerance(growing.set, near.record)) continue;
            if (near.record < i) continue;
            const std::uint32_t pair[2] = {i, near.record};
            if (near.weight > tolerance(growing.set, near.record) - toll_share(pair, 2)) continue;
            growing.contribution[2 * k_] = growing.contribution[2 * k_ + 1] = near.weight;
            growing.set.push_back(near.record);
            grow(near.weight, growing);
        }
    }

    void add_candidates(std::uint32_t a, double most, Growing& growing, std::vector<std::uint32_t>& others) const {
        if (most > complete_[a]) {
            look(a, most, growing.stack, growing.near);
            for (const Near& near : growing.near) others.push_back(near.record);
            return;
        }
        for (const Near& near : near_[a]) {
            if (near.weight > most) break;
            others.push_back(near.record);
        }
    }

    void grow(double sum, Growing& growing) const {
        const std::size_t s = growing.set.size();
        if (s == k_) return keep(growing);
        const double most = std::max(0.0, -sum) / static_cast<double>(s) + 4.0 * tolerance(growing.set, growing.set[0]);
        std::vector<std::uint32_t>& others = growing.candidates[s];
        others.clear();
        for (const std::uint32_t a : growing.set) add_candidates(a, most, growing, others);
        std::sort(others.begin(), others.end());
        others.erase(std::unique(others.begin(), others.end()), others.end());
        for (const std::uint32_t j : others) {
            if (++growing.steps % steps_a_look == 0 && Clock::now() > growing.end) growing.late = true;
            if (growing.late || growing.steps > most_) return;
            if (std::find(growing.set.begin(), growing.set.end(), j) == growing.set.end()) join(j, sum, growing);
        }
    }

    void join(std::uint32_t j, double sum, Growing& growing) const {
        const std::size_t s = growing.set.size();
        double gain = 0.0;
        double* next = &growing.contribution[(s + 1) * k_];
        for (std::size_t a = 0; a < s; ++a) {
            const double w = weight(growing.set[a], j);
            next[a] = growing.contribution[s * k_ + a] + w;
            gain += w;
        }
        const double slack = tolerance(growing.set, j);
        if (sum + gain > slack || *std::max_element(next, next + s) > gain + slack) return;
        if (s + 1 < k_) next[s] = gain;
        growing.set.push_back(j);
        if (sum + gain <= slack - toll_share(growing.set.data(), s + 1)) grow(sum + gain, growing);
        growing.set.pop_back();
    }

    // What the sum of the pairs of a set is at least below 0 where it grows into a group of k that is below 0 with its tolls.
    double toll_share(const std::uint32_t* member, std::size_t m) const {
        if (cuts_.size() == 0) return 0.0;
        const auto pairs = static_cast<double>(m * (m - 1)), all = static_cast<double>(k_ * (k_ - 1));
        return cuts_.toll(member, m) * pairs / all * (1.0 - 0x1p-36);
    }

    void keep(Growing& growing) const {
        double cost = 0.0, price = 0.0;
        for (std::size_t a = 0; a < k_; ++a) {
            price += price_[growing.set[a]];
            for (std::size_t b = 0; b < a; ++b) cost += squared(growing.set[a], growing.set[b]);
        }
        const double excess = price - cost / static_cast<double>(k_) + tolerance(growing.set, growing.set[0]) -
                              cuts_.toll(growing.set.data(), k_) * (1.0 - 0x1p-36);
        if (!(excess > 0.0)) return;
        growing.out->member.insert(growing.out->member.end(), growing.set.begin(), growing.set.end());
        growing.out->excess.push_back(excess);
    }

    Points rows_;
    std::size_t k_, most_;
    const std::vector<double>& price_;
    const Cuts& cuts_;
    std::vector<double> share_;
    PriceBoxes boxes_;
    std::vector<std::vector<Near>> near_;
    std::vector<double> complete_;  // what weighs at most so much with a record is among its near ones
};

// The linear relaxation over all groups of k, and for k = 3 with the cuts of cuts.hpp, from below: the best prices that the groups known so far allow, within a box around
// the best prices proven; groups that cost less; repair (lemma 2). Prices for the known groups rise as in the matching: by a smooth
// relative, one after the other.
class GroupPrices {
  public:
    // Starts from the cheapest matching.
    GroupPrices(const Points& points, std::size_t k, const Poll& poll)
        : k_(k), cuts_(points.n), takes_cuts_(k == 3 && points.n <= most_for_cuts) {
        const PlacedPoints placed(points);
        for (const std::uint32_t p : placed.order)
            for (std::uint32_t i = p; i != none; i = placed.tree.copies().next(i)) record_.push_back(i);
        MatchingBound start = Matching(points, k, poll).run(true);
        row_ = Buffer<double>(points.n * points.d);
        for (const std::uint32_t i : record_) {
            std::copy_n(points[i], points.d, &row_[best_.size() * points.d]);
            best_.push_back(start.dual[i]);
        }
        rows_ = {row_.data(), points.n, points.d};
        bound_ = start.bound;
        price_ = best_;
        known_.resize(points.n);
        box_ = std::min(0.15, 0.5 / static_cast<double>(k));
    }

    double bound() const { return bound_; }

    // Of records in their own order: no group costs less than its records' prices, up to rounding.
    std::vector<double> prices() const {
        std::vector<double> found(record_.size());
        for (std::size_t p = 0; p < record_.size(); ++p) found[record_[p]] = best_[p];
        return found;
    }

    // Of each cut its three records, and its toll.
    std::vector<Cut> tolls() const {
        std::vector<Cut> found;
        for (std::size_t c = 0; c < cuts_.size(); ++c) {
            found.push_back({cuts_[c].record, best_toll_[c]});
            for (std::uint32_t& i : found.back().record) i = record_[i];
        }
        return found;
    }

    // Raises the bound, or learns what is in its way; false where nothing more is to be had, or not in these seconds.
    bool round(double seconds, const Poll& poll) {
        using Clock = Overpriced::Clock;
        const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                            std::chrono::duration<double>(std::min(seconds, 1e6)));
        if (bound_ == 0.0) return false;
        for (; box_ > 1e-4 && Clock::now() <= end; box_ /= 2) {
            put_into_box();
            for (int step = 0; step < sweeps; ++step) sweep(poll);
            GroupsOfK found;
            if (!Overpriced(rows_, k_, price_, cuts_, poll).find(end, poll, found)) continue;
            const double before = bound_;
            const bool better = repair(found);
            const bool few = learn(found) * 100 <= rows_.n;
            if (!few || bound_ - before > 2e-4 * bound_) box_ = std::min(1.0, box_ * (better ? 1.2 : 0.8));
            else if (cut() > 0) return true;
            else if (box_ < 0.5) box_ *= 2;
            else smooth_ /= 2;
            return smooth_ > (takes_cuts_ ? 0.00002 : 0.002);
        }
        return false;
    }

  private:
    static constexpr int sweeps = 30, most_new = 8, most_new_cuts = 8;
    static constexpr std::size_t most_for_cuts = 20'000;
    static constexpr double least_smooth_for_cuts = 0.0125, least_broken = 0.001;

    double reach(std::size_t i) const { return box_ * (std::fabs(best_[i]) + floor_); }

    void put_into_box() {
        double sum = 0.0;
        for (const double u : best_) sum += std::fabs(u);
        floor_ = 1e-3 * sum / static_cast<double>(rows_.n);
        for (std::size_t i = 0; i < rows_.n; ++i)
            price_[i] = known_[i].empty() ? best_[i] + reach(i)
                                          : std::clamp(price_[i], best_[i] - reach(i), best_[i] + reach(i));
        for (std::size_t c = 0; c < cuts_.size(); ++c)
            cuts_[c].toll =
                std::clamp(cuts_[c].toll, std::max(0.0, best_toll_[c] - toll_reach(c)), best_toll_[c] + toll_reach(c));
        for (std::size_t g = 0; g < cost_.size(); ++g) {
            held_[g] = -cuts_.toll(&member_[g * k_], k_);
            for (std::size_t a = 0; a < k_; ++a) held_[g] += price_[member_[g * k_ + a]];
        }
    }

    double toll_reach(std::size_t c) const {
        const Cut& cut = cuts_[c];
        return std::max(reach(cut.record[0]), std::max(reach(cut.record[1]), reach(cut.record[2])));
    }

    void sweep(const Poll& poll) {
        FairPrice fair;
        for (std::size_t i = 0; i < rows_.n; ++i) {
            if (known_[i].empty()) continue;
            fair.clear();
            for (const std::uint32_t g : known_[i])
                fair.add(cost_[g] - (held_[g] - price_[i]), smooth_ * cost_[g], 1.0);
            const double next = std::clamp(fair.at(1.0, price_[i]), best_[i] - reach(i), best_[i] + reach(i));
            for (const std::uint32_t g : known_[i]) held_[g] += next - price_[i];
            price_[i] = next;
        }
        for (std::size_t c = 0; c < cuts_.size(); ++c) {
            const double toll = cuts_[c].toll;
            fair.clear();
            for (const std::uint32_t g : payers_[c]) fair.add(cost_[g] - (held_[g] + toll), smooth_ * cost_[g], 1.0);
            const double next = std::clamp(-fair.at(1.0, -toll), std::max(0.0, best_toll_[c] - toll_reach(c)),
                                           best_toll_[c] + toll_reach(c));
            for (const std::uint32_t g : payers_[c]) held_[g] -= next - toll;
            cuts_[c].toll = next;
        }
        poll();
    }

    double share_of(std::size_t g) const {
        const double width = smooth_ * cost_[g];
        return width > 0.0 ? std::clamp((held_[g] - cost_[g]) / width + 0.5, 0.0, 1.0)
                           : (held_[g] > cost_[g] ? 1.0 : 0.0);
    }

    // Adds cuts that the shares of the known groups break: of three records, groups that hold two have more than 1 together.
    std::size_t cut() {
        if (!takes_cuts_ || smooth_ > least_smooth_for_cuts || cuts_.size() >= 4 * rows_.n) return 0;
        struct Partner {
            std::uint32_t record;
            double share;
        };
        std::vector<std::vector<Partner>> partner(rows_.n);
        for (std::size_t g = 0; g < cost_.size(); ++g) {
            const double share = share_of(g);
            if (share < 1e-3) continue;
            for (std::size_t a = 0; a < 3; ++a)
                for (std::size_t b = 0; b < 3; ++b) {
                    if (a == b) continue;
                    std::vector<Partner>& mine = partner[member_[g * 3 + a]];
                    const std::uint32_t j = member_[g * 3 + b];
                    const auto at =
                        std::find_if(mine.begin(), mine.end(), [&](const Partner& p) { return p.record == j; });
                    if (at == mine.end()) mine.push_back({j, share});
                    else at->share += share;
                }
        }
        struct Broken {
            double by;
            std::array<std::uint32_t, 3> record;
        };
        std::vector<Broken> broken;
        const auto together = [&](std::uint32_t i, std::uint32_t j) {
            for (const Partner& p : partner[i])
                if (p.record == j) return p.share;
            return 0.0;
        };
        for (std::uint32_t i = 0; i < rows_.n; ++i)
            for (const Partner& one : partner[i])
                for (const Partner& other : partner[i]) {
                    if (!(i < one.record && one.record < other.record)) continue;
                    const double third = together(one.record, other.record);
                    if (third <= 0.0) continue;
                    double whole = 0.0;
                    for (const std::uint32_t g : known_[i]) {
                        const std::uint32_t* m = &member_[g * 3];
                        if (m[0] == i && m[1] == one.record && m[2] == other.record) whole += share_of(g);
                    }
                    const double by = one.share + other.share + third - 2.0 * whole - 1.0;
                    if (by > least_broken) broken.push_back({by, {i, one.record, other.record}});
                }
        std::sort(broken.begin(), broken.end(), [](const Broken& a, const Broken& b) {
            return a.by > b.by || (a.by == b.by && a.record < b.record);
        });
        std::vector<int> fresh(rows_.n, 0);
        const std::size_t before = cuts_.size();
        for (const Broken& one : broken) {
            const auto [a, b, c] = one.record;
            if (std::max({fresh[a], fresh[b], fresh[c]}) >= most_new_cuts || !cuts_.add(one.record)) continue;
            for (const std::uint32_t i : one.record) ++fresh[i];
            best_toll_.push_back(0.0);
            payers_.emplace_back();
            for (const std::uint32_t i : one.record)
                for (const std::uint32_t g : known_[i]) {
                    const std::uint32_t* m = &member_[g * 3];
                    std::size_t there = 0;
                    std::uint32_t first = none;
                    for (std::size_t e = 0; e < 3; ++e)
                        if (cuts_[cuts_.size() - 1].has(m[e])) {
                            ++there;
                            if (first == none) first = m[e];
                        }
                    if (there >= 2 && first == i) payers_.back().push_back(g);
                }
        }
        return cuts_.size() - before;
    }

    bool repair(const GroupsOfK& found) {
        std::vector<double> worst(rows_.n, 0.0);  // of a record's share in what a group is above its cost
        for (std::size_t g = 0; g < found.excess.size(); ++g)
            for (std::size_t a = 0; a < k_; ++a) {
                double& mine = worst[found.member[g * k_ + a]];
                mine = std::max(mine, found.excess[g] / static_cast<double>(k_));
            }
        cuts_.each_larger(rows_, [&](const std::vector<std::uint32_t>& group) {
            double price = 0.0, size = 0.0;
            for (const std::uint32_t i : group) {
                price += price_[i];
                size += std::fabs(price_[i]);
            }
            const double toll = cuts_.toll(group.data(), group.size()) * (1.0 - 0x1p-36);
            const double above = price - toll - Cuts::cost(rows_, group) + size * 0x1p-36 + 0x1p-880;
            for (const std::uint32_t i : group)
                worst[i] = std::max(worst[i], above / static_cast<double>(group.size()));
        });
        double sum = 0.0, size = 0.0;
        std::vector<double> repaired(rows_.n);
        for (std::size_t i = 0; i < rows_.n; ++i) {
            repaired[i] = price_[i] - worst[i] * (1.0 + 0x1p-50);
            sum += repaired[i];
            size += std::fabs(price_[i]) + std::fabs(repaired[i]);
        }
        for (std::size_t c = 0; c < cuts_.size(); ++c) {
            sum -= cuts_[c].toll;
            size += cuts_[c].toll;
        }
        sum -= size * 0x1p-52 * (static_cast<double>(rows_.n + cuts_.size()) + 8.0);
        if (!(sum > bound_)) return false;
        bound_ = sum;
        best_ = std::move(repaired);
        for (std::size_t c = 0; c < cuts_.size(); ++c) best_toll_[c] = cuts_[c].toll;
        return true;
    }

    // Those that are farthest above their cost, a few for every record. How many are new.
    std::size_t learn(const GroupsOfK& found) {
        std::vector<std::uint32_t> order(found.excess.size());
        std::iota(order.begin(), order.end(), 0U);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return found.excess[a] > found.excess[b] || (found.excess[a] == found.excess[b] && a < b);
        });
        std::vector<int> fresh(rows_.n, 0);
        const std::size_t before = cost_.size();
        std::vector<std::uint32_t> group;
        for (const std::uint32_t g : order) {
            group.assign(&found.member[g * k_], &found.member[g * k_] + k_);
            std::sort(group.begin(), group.end());
            const auto fewest = std::min_element(group.begin(), group.end(),
                                                 [&](std::uint32_t a, std::uint32_t b) { return fresh[a] < fresh[b]; });
            if (fresh[*fewest] >= most_new || is_known(group)) continue;
            double cost = 0.0;
            for (std::size_t a = 0; a < k_; ++a) {
                ++fresh[group[a]];
                known_[group[a]].push_back(static_cast<std::uint32_t>(cost_.size()));
                for (std::size_t b = 0; b < a; ++b) cost += squared_distance(rows_[group[a]], rows_[group[b]], rows_.d);
            }
            cuts_.each_paid(group.data(), k_,
                            [&](std::uint32_t c) { payers_[c].push_back(static_cast<std::uint32_t>(cost_.size())); });
            member_.insert(member_.end(), group.begin(), group.end());
            cost_.push_back(cost / static_cast<double>(k_));
        }
        held_.resize(cost_.size());
        return cost_.size() - before;
    }

    bool is_known(const std::vector<std::uint32_t>& group) const {
        const std::vector<std::uint32_t>& known = known_[group[0]];
        return std::any_of(known.begin(), known.end(), [&](std::uint32_t g) {
            return std::equal(group.begin(), group.end(), member_.begin() + static_cast<std::ptrdiff_t>(g * k_));
        });
    }

    std::size_t k_;
    std::vector<std::uint32_t> record_;  // place -> record: near ones are near each other
    Buffer<double> row_;
    Points rows_{};
    std::vector<double> best_, price_;  // proven; tried
    double bound_ = 0.0, box_ = 0.0, floor_ = 0.0, smooth_ = 0.05;
    std::vector<std::vector<std::uint32_t>> known_;  // the known groups with a record
    std::vector<std::uint32_t> member_;              // of known groups, k records each
    std::vector<double> cost_, held_;  // what a known group costs, and what its records' prices are less its tolls
    Cuts cuts_;                        // with the tolls that are tried
    bool takes_cuts_;
    std::vector<double> best_toll_;                   // proven
    std::vector<std::vector<std::uint32_t>> payers_;  // the known groups that hold two records of a cut
};

}  // namespace covey::space
