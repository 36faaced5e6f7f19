// Exact grouping of a stream in bounded memory, by coalescence.
//
// A group has at most 2k-1 records (splitting is beneficial, S eq. 2), so a group that ends behind j starts at one of the
// 2k-1 positions j-2k+2 .. j, the live ones. The back-pointers of all ends form a tree, and the optimal partition of
// whatever will come is a path of it that passes a live position.
// Certificate: if the paths of all live positions meet in a cut c, every optimal path of the tree passes c, and all cuts up
// to c are decided. Lemma: the future reads the past only through the totals of the live positions.
//
// To see paths meet, the ends are collected into segments. For each live position at the end of a segment its root is kept:
// where its path enters the segment, one of the positions that were live at the end of the segment before. Roots compose.
//
// The rule for equals. Where candidates cost the same (constant runs, grids), a fixed choice of sizes never meets: sizes of
// k from j and from j+1 stay apart for ever. So of equal candidates the start with the least remainder by k is taken (in
// `divide`: the multiple of k): constant runs meet in the multiples of k, and a path on a grid falls to them one by one.
// The totals do not depend on which of the equals is taken. Where paths never meet, the caller keeps the segments.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "optimal.hpp"
#include "steps.hpp"

namespace covey::line {

// sizes[e]: of the last group of an optimal partition up to the e-th end of the segment. roots[d]: the path from the
// position d before the segment's last end enters the segment from the position roots[d] before its first.
struct Segment {
    std::vector<std::uint32_t> sizes, roots;
};

// The least difference of neighbours that is not 0, and the greatest.
struct Gaps {
    static constexpr bool wide = false;
    double narrowest = std::numeric_limits<double>::infinity(), widest = 0.0;

    template <int W>
    COVEY_INLINE static void run(const double* x, std::size_t from, std::size_t stop, Gaps* gaps) {
        using V = Lanes<W>;
        const V infinity = V::all(std::numeric_limits<double>::infinity()), zero = V::all(0.0);
        V least = V::all(gaps->narrowest), most = V::all(gaps->widest);
        std::size_t i = from;
        for (; i + W <= stop; i += W) {
            const V gap = V::load(x + i) - V::load(x + i - 1), some = where_less(zero, gap, gap, infinity);
            least = where_less(some, least, some, least);
            most = where_less(most, gap, gap, most);
        }
        double lanes[W], others[W];
        least.store(lanes);
        most.store(others);
        gaps->narrowest = *std::min_element(lanes, lanes + W);
        gaps->widest = *std::max_element(others, others + W);
        if constexpr (W > 1) run<1>(x, i, stop, gaps);
    }
};

class Stream {
  public:
    // least: a segment is handed out when it has so many ends.
    // weighed: what values weigh comes with them; the squares of the cost count as often.
    Stream(CostName cost, std::size_t k, std::size_t least, bool weighed)
        : cost_(cost), k_(k), least_(std::max(least, 4 * k)), weighed_(weighed),
          steps_(make_steps(cost, k, last_direct(cost), weighed)) {}

    // Takes n more values, not below the ones before. ended: there are no more.
    void push(const Weighed& column, std::size_t n, bool ended, const Poll& poll) {
        append(column.x, n);
        if (weighed_) weigh(column.weight, n);
        if (x_.size() < (ended ? 2 * k_ : 4 * k_) && done_ == 0) {
            if (ended) collect(0, x_.size(), std::vector<std::uint32_t>(x_.size(), 0).data());  // one group
            return;
        }
        check_magnitudes();
        start_.resize(x_.size());
        const std::size_t before = done_;
        if (weighed_) steps_->weight = weight_.data();
        if (before == 0) std::fill_n(start_.begin(), k_, 0u);  // prefixes below k: on no path
        done_ = steps_->advance(x_.data(), before, x_.size(), ended, start_.data(), poll);
        collect(before, done_, start_.data());
        forget();
    }

    bool weighed() const { return weighed_; }

    // The ends solved since the last segment, if they are enough, or in any case.
    Segment take(bool ended) {
        if (sizes_.size() < least_ && !ended) return {};
        Segment segment{std::move(sizes_), std::vector<std::uint32_t>(2 * k_ - 1, 0)};
        const std::size_t live = std::min(segment.roots.size(), roots_.size());
        for (std::size_t d = 0; d < live; ++d) segment.roots[d] = roots_[roots_.size() - 1 - d];
        sizes_.clear();
        roots_.clear();
        return segment;
    }

  private:
    // Scaled by the power of two that brings the first difference near 1, if that is far from it. Exact, and all that
    // precedes the first difference is constant, so nothing that was computed depends on the scale.
    void append(const double* x, std::size_t n) {
        const double* stop = x + n;
        if (!has_scale_ && n > 0) {
            const double first = x_.empty() ? x[0] : x_.back();
            const double* other = std::find_if(x, stop, [&](double value) { return value != first; });
            if (other != stop) set_scale(*other - first);
        }
        const std::size_t from = x_.size();
        x_.insert(x_.end(), x, stop);
        if (exponent_ != 0) scale(from);
        run_fastest<Gaps>(x_.data(), std::max<std::size_t>(from, 1), x_.size(), &gaps_);
    }

    void weigh(const double* weight, std::size_t n) {
        weight_.insert(weight_.end(), weight, weight + n);
        for (std::size_t i = 0; i < n; ++i) {
            lightest_ = std::min(lightest_, weight[i]);
            heaviest_ = std::max(heaviest_, weight[i]);
        }
    }

    // A difference that is lost by scaling counts as too narrow.
    void scale(std::size_t from) {
        double before = from == 0 ? x_[0] : std::ldexp(x_[from - 1], exponent_);
        for (std::size_t i = from; i < x_.size(); ++i) {
            const double value = std::ldexp(x_[i], -exponent_);
            if (i > 0 && value == x_[i - 1] && x_[i] != before) gaps_.narrowest = 0.0;
            before = x_[i];
            x_[i] = value;
        }
    }

    void set_scale(double gap) {
        has_scale_ = true;
        const int exponent = exponent_of(gap);
        if ((exponent >= -100 && exponent <= 100) || cost_ == CostName::rounded) return;
        exponent_ = exponent;
        for (double& value : x_) value = std::ldexp(value, -exponent_);
    }

    // Differences of neighbours, if not 0, must have squares (for costs that are linear: values) that a double can add up.
    void check_magnitudes() const {
        const bool squares = is_squared(cost_);
        const double narrowest = gaps_.narrowest * std::sqrt(lightest_), widest = gaps_.widest * std::sqrt(heaviest_);
        if (narrowest < (squares ? 0x1p-500 : 0x1p-1000) || widest > (squares ? 0x1p460 : 0x1p940))
            throw std::overflow_error("values spread over too many magnitudes for a stream");
    }

    void collect(std::size_t before, std::size_t last, const std::uint32_t* start) {
        std::size_t ends = sizes_.size();
        sizes_.resize(ends + last - before);
        roots_.resize(sizes_.size());
        for (std::size_t j = before + 1; j <= last; ++j) {
            const auto size = static_cast<std::uint32_t>(j - start[j - 1]);
            sizes_[ends++] = size;  // the group starts at the (ends - size)-th end of the segment, or before the first
            roots_[ends - 1] = size < ends ? roots_[ends - size - 1] : static_cast<std::uint32_t>(size - ends);
        }
    }

    // Keeps what later ends look at.
    void forget() {
        const std::size_t unit = steps_->unit();
        const std::size_t drop = done_ < 2 * k_ ? 0 : (done_ + 1 - 2 * k_) / unit * unit;
        const auto dropped = static_cast<std::ptrdiff_t>(drop);
        x_.erase(x_.begin(), x_.begin() + dropped);
        if (weighed_) weight_.erase(weight_.begin(), weight_.begin() + dropped);
        done_ -= drop;
    }

    CostName cost_;
    std::size_t k_, least_;
    bool weighed_;
    std::unique_ptr<Steps> steps_;
    std::vector<double> x_, weight_;    // the records from a multiple of the unit on
    std::vector<std::uint32_t> start_;  // scratch
    std::size_t done_ = 0;              // the last end solved, counted from x_[0]
    std::vector<std::uint32_t> sizes_, roots_;
    bool has_scale_ = false;
    int exponent_ = 0;
    Gaps gaps_;
    double lightest_ = 1.0, heaviest_ = 1.0;
};

// The cuts on the path from the stop-th end of a segment back to its start, ascending.
inline std::vector<std::int64_t> ends_of(const std::uint32_t* sizes, std::size_t stop, std::int64_t first) {
    std::vector<std::int64_t> ends;
    for (std::size_t j = stop; j > 0; j = sizes[j - 1] < j ? j - sizes[j - 1] : 0)
        ends.push_back(first + static_cast<std::int64_t>(j));
    std::reverse(ends.begin(), ends.end());
    return ends;
}

}  // namespace covey::line
