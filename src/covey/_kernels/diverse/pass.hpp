// The window recursion. A state is the leftmost point left, p, and which points right of it are taken; the cluster of p is
// p and l-1 to 2l-2 of the first points left of other colours. Right by three lemmas, which are tests: some optimum is
// monotone (clusters in a row, each takes the first points left of its colours), has at most 2l-1 points a cluster, and its
// next cluster holds the leftmost point left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "cost.hpp"
#include "history.hpp"
#include "instance.hpp"

namespace covey::diverse {

struct Limits {
    double bound;       // only solutions that cost less than this, beyond all prices, are looked for
    double span;        // and that have no cluster of more than this span
    std::size_t bytes;  // for states
    const std::vector<std::uint32_t>* beam = nullptr;  // how many states of each point to keep; none: all
};

// complete: no other solution below the bound is better; narrow: the mask was too short for a cluster.
enum class Ending { complete, beam, narrow, too_many, late };

struct Found {
    Ending ending = Ending::complete;
    bool any = false;
    std::size_t reached = 0;  // the last point that had a state
    Clusters clusters;
};

template <std::size_t Words, class Cost>
class Pass {
  public:
    using Mask = Bits<Words>;

    Pass(const Instance& given, const std::vector<double>& prices, const Limits& limits, Watch& watch)
        : given_(given), prices_(prices), limits_(limits), watch_(watch), history_(given.n),
          ring_(Mask::size + 2, Bucket{{}, 1024, limits.bound}), seen_(given.m, 0), left_(given.m, 0),
          how_many_(given.n + 1, 0) {
        for (std::size_t i = 0; i < given.n; ++i) ++left_[static_cast<std::size_t>(given.colour[i])];
        for (const auto count : left_) most_ = std::max(most_, count);
        for (const auto count : left_) ++how_many_[count];
        dearest_.resize(given.n + 1, 0.0);
        for (std::size_t i = given.n; i-- > 0;) dearest_[i] = std::max(dearest_[i + 1], prices[i]);
    }

    Found run() {
        bucket(0).candidates.push_back({Mask{}, 0.0, 0});
        waiting_ = 1;
        Found found;
        for (std::size_t p = 0; p < given_.n && !stopped_; ++p) {
            if (step(p)) found.reached = p;
        }
        if (!stopped_) settle(given_.n);
        found.ending = ending_;
        if (!stopped_ && !states_.empty()) {
            found.any = true;
            found.clusters = history_.trace(states_[0].id);
        }
        return found;
    }

    // Whether no state is left after some point from `first` to `last`, whatever was taken before `first`: then there is no
    // solution below the bound. Tries every monotone way to have taken points that clusters from before `first` can reach.
    bool dies(std::size_t first, std::size_t last) {
        for (std::size_t p = 0; p < first; ++p) forget(p);
        std::size_t end = first;
        while (end < given_.n && given_.x[end] - given_.x[first - 1] < limits_.bound) ++end;
        if (end - first > Mask::size || !take_any(first, first, end, Mask{})) return false;
        for (std::size_t p = first; p < std::min(last, given_.n) && !stopped_; ++p) {
            step(p);
            if (waiting_ == 0) return !stopped_;
        }
        return false;
    }

  private:
    using Index = typename History<Mask>::Index;
    struct Candidate {
        Mask mask;
        double excess;
        Index from;
    };
    struct State {
        Mask mask;
        double excess;
        Index id;
    };

    // Where the states at one point gather.
    struct Bucket {
        std::vector<Candidate> candidates;
        std::size_t merge_at = 1024;
        double cutoff;  // candidates from here on are not wanted
    };

    Bucket& bucket(std::size_t p) { return ring_[p % ring_.size()]; }

    // The states at p and their clusters; whether there were any.
    bool step(std::size_t p) {
        settle(p);
        for (const auto& state : states_) expand(p, state);
        forget(p);
        return !states_.empty();
    }

    // A candidate for each way to have taken, of every colour, the first few of the points from `first` to `end`.
    bool take_any(std::size_t first, std::size_t q, std::size_t end, const Mask& mask) {
        if (waiting_ >= most_starts) return false;
        if (q == end) {
            put(first - 1, mask, 0.0, 0);
            return true;
        }
        if (!take_any(first, q + 1, end, mask)) return false;
        for (std::size_t r = first; r < q; ++r)
            if (given_.colour[r] == given_.colour[q] && !mask.test(r - first)) return true;
        Mask more = mask;
        more.set(q - first);
        return take_any(first, q + 1, end, more);
    }

    // The state after p is taken, too.
    void put(std::size_t p, Mask mask, double excess, Index from) {
        const std::size_t places = mask.leading();
        Bucket& next = bucket(p + 1 + places);
        if (!(excess < next.cutoff)) return;
        mask.drop(std::min(places + 1, Mask::size));
        next.candidates.push_back({mask, excess, from});
        ++waiting_;
        if (next.candidates.size() >= next.merge_at) merge(next, width(p + 1 + places));
    }

    // How many states of a point to keep.
    std::size_t width(std::size_t p) const {
        return limits_.beam == nullptr || p == given_.n ? std::size_t{0xFFFFFFFF} : (*limits_.beam)[p];
    }

    // Of candidates with the same mask only the best stay.
    void merge(Bucket& bucket, std::size_t width) {
        std::vector<Candidate>& all = bucket.candidates;
        std::size_t slots = 16;
        while (slots < 2 * all.size()) slots *= 2;
        if (table_.size() < slots) table_.resize(slots);
        std::fill(table_.begin(), table_.begin() + static_cast<std::ptrdiff_t>(slots), 0);
        std::size_t kept = 0;
        for (const Candidate& candidate : all) {
            std::size_t slot = candidate.mask.hash() & (slots - 1);
            while (table_[slot] != 0 && !(all[table_[slot] - 1].mask == candidate.mask))
                slot = (slot + 1) & (slots - 1);
            if (table_[slot] == 0) {
                all[kept] = candidate;
                table_[slot] = static_cast<std::uint32_t>(++kept);
            } else if (candidate.excess < all[table_[slot] - 1].excess) {
                all[table_[slot] - 1] = candidate;
            }
        }
        waiting_ -= all.size() - kept;
        all.resize(kept);
        bucket.merge_at = std::max<std::size_t>(1024, 2 * kept);
        if (kept > width) keep_best(bucket, width);
    }

    // Of all the best; what is worse than those need not come in any more.
    void keep_best(Bucket& bucket, std::size_t width) {
        std::vector<Candidate>& all = bucket.candidates;
        ending_ = Ending::beam;
        const auto last = all.begin() + static_cast<std::ptrdiff_t>(width - 1);
        std::nth_element(all.begin(), last, all.end(),
                         [](const Candidate& a, const Candidate& b) { return a.excess < b.excess; });
        bucket.cutoff = last->excess;
        waiting_ -= all.size() - width;
        all.resize(width);
        bucket.merge_at = 8 * width;
    }

    // The states at p.
    void settle(std::size_t p) {
        Bucket& bucket = this->bucket(p);
        merge(bucket, width(p));
        std::vector<Candidate>& all = bucket.candidates;
        waiting_ -= all.size();
        states_.clear();
        history_.next_point();
        if (history_.room() < all.size() || too_large(all.size())) return stop(Ending::too_many);
        for (const Candidate& c : all) states_.push_back({c.mask, c.excess, history_.add(c.mask, c.from)});
        if (all.capacity() > 4096) std::vector<Candidate>().swap(all);
        all.clear();
        bucket.merge_at = 1024;
        bucket.cutoff = limits_.bound;
    }

    bool too_large(std::size_t more) const {
        return (history_.size() + more) * History<Mask>::bytes_each + 2 * waiting_ * sizeof(Candidate) > limits_.bytes;
    }

    void stop(Ending ending) {
        ending_ = ending;
        stopped_ = true;
    }

    // p is behind: one point less of its colour is ahead.
    void forget(std::size_t p) {
        std::size_t& count = left_[static_cast<std::size_t>(given_.colour[p])];
        --how_many_[count];
        ++how_many_[--count];
        while (most_ > 0 && how_many_[most_] == 0) --most_;
    }

    void expand(std::size_t p, const State& state) {
        if (stopped_) return;
        const std::size_t rest = given_.n - p - state.mask.count();
        find_companions(p, state);
        if (stopped_) return;
        find_tight_colours(p, state, rest);
        p_ = p;
        ways_ = 0;
        most_ways_ = limits_.beam == nullptr ? std::size_t{0} - 1 : ways_of_one * width(p);
        Cost cost;
        cost.add(0.0, prices_[p]);
        choose(state, 0, state.mask, cost, rest - 1, 0);
        if (watch_.late(static_cast<int>(std::min<std::size_t>(ways_, 1U << 20)) + 8)) stop(Ending::late);
        if (too_large(0)) stop(Ending::too_many);
    }

    // The first points left of the other colours, as far as a cluster of p can reach below the bound.
    void find_companions(std::size_t p, const State& state) {
        companions_.clear();
        ++stamp_;
        seen_[static_cast<std::size_t>(given_.colour[p])] = stamp_;
        const double most = prices_[p] + static_cast<double>(2 * given_.l - 2) * dearest_[p + 1];
        const double reach = Cost::reach(limits_.bound, state.excess, most);
        dearest_here_ = 0.0;
        const std::size_t end = std::min(given_.n, p + 1 + Mask::size);
        std::size_t q = p + 1;
        for (; q < end && companions_.size() + 1 < given_.m; ++q) {
            const double distance = given_.x[q] - given_.x[p];
            if (distance > limits_.span || distance >= reach) return;
            std::uint64_t& seen = seen_[static_cast<std::size_t>(given_.colour[q])];
            if (seen == stamp_ || state.mask.test(q - p - 1)) continue;
            seen = stamp_;
            companions_.push_back({q, distance});
            dearest_here_ = std::max(dearest_here_, prices_[q]);
        }
        if (q < end || end == given_.n || companions_.size() + 1 == given_.m) return;
        if (limits_.beam != nullptr) {
            ending_ = Ending::beam;
        } else {
            stop(Ending::narrow);
        }
    }

    // The rest has a solution iff no colour is too frequent in it. Only colours near that limit need to be counted.
    void find_tight_colours(std::size_t p, const State& state, std::size_t rest) {
        tight_.clear();
        const std::size_t least = rest - std::min(rest, 2 * given_.l - 1);
        if (given_.l * most_ <= least) return;
        for (std::size_t c = 0; c < given_.m; ++c)
            if (given_.l * left_[c] > least) tight_.push_back({c, left_[c]});
        const std::size_t end = std::min(Mask::size, given_.n - p - 1);
        for (Tight& tight : tight_)
            for (std::size_t i = 0; i < end; ++i)
                tight.count -= state.mask.test(i) && static_cast<std::size_t>(given_.colour[p + 1 + i]) == tight.colour;
    }

    bool rest_has_solution(std::size_t rest) {
        for (const Tight& tight : tight_) {
            std::size_t count = tight.count - (static_cast<std::size_t>(given_.colour[p_]) == tight.colour);
            for (std::size_t i = 0; i < depth_; ++i)
                count -= static_cast<std::size_t>(given_.colour[chosen_[i]]) == tight.colour;
            if (given_.l * count > rest) return false;
        }
        return true;
    }

    // Every set of companions, from left to right.
    void choose(const State& state, std::size_t start, const Mask& mask, const Cost& cost, std::size_t rest,
                std::size_t size) {
        depth_ = size;
        if (size + 1 >= given_.l) offer(state, mask, cost, rest);
        if (size == 2 * given_.l - 2) return;
        for (std::size_t i = start; i < companions_.size(); ++i) {
            if (size + 1 + (companions_.size() - i) < given_.l) return;
            if (ways_ >= most_ways_) {
                ending_ = Ending::beam;
                return;
            }
            const auto& [q, distance] = companions_[i];
            Cost higher = cost;
            higher.add(distance, prices_[q]);
            if (!(higher.least(state.excess, static_cast<double>(2 * given_.l - 3 - size) * dearest_here_) <
                  limits_.bound))
                continue;
            Mask more = mask;
            more.set(q - p_ - 1);
            if (chosen_.size() <= size) chosen_.resize(size + 1);
            chosen_[size] = q;
            choose(state, i + 1, more, higher, rest - 1, size + 1);
        }
    }

    void offer(const State& state, const Mask& mask, const Cost& cost, std::size_t rest) {
        ++ways_;
        const double excess = cost.total(state.excess);
        if (excess < limits_.bound && rest_has_solution(rest)) put(p_, mask, excess, state.id);
    }

    static constexpr std::size_t most_starts = 4096;
    static constexpr std::size_t ways_of_one = 8;  // clusters tried from a state of a beam, for each that it keeps
    struct Companion {
        std::size_t point;
        double distance;
    };
    struct Tight {
        std::size_t colour, count;
    };

    Instance given_;
    const std::vector<double>& prices_;
    Limits limits_;
    Watch& watch_;
    History<Mask> history_;
    std::vector<Bucket> ring_;
    std::vector<State> states_;
    std::vector<std::uint32_t> table_;
    std::vector<std::uint64_t> seen_;
    std::vector<std::size_t> left_, how_many_, chosen_;
    std::vector<double> dearest_;
    std::vector<Companion> companions_;
    std::vector<Tight> tight_;
    std::size_t p_ = 0, depth_ = 0, ways_ = 0, most_ways_ = 0, most_ = 0, waiting_ = 0;
    std::uint64_t stamp_ = 0;
    double dearest_here_ = 0.0;
    Ending ending_ = Ending::complete;
    bool stopped_ = false;
};

}  // namespace covey::diverse
