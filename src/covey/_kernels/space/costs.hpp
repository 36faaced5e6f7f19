// What groups lose where other values than means are published, or records weigh differently: the sum over the coordinates,
// each with a cost of its own.
//
// All that searches ask is what a group would lose more with one record more. Lemmas, for a group R of r records without
// the new value y, in one coordinate:
//   squares (weights W and w):  W w/(W+w) (y - mean)^2
//   distances to the median:    the distance of y from the middle two of R, 0 between them: one of them stays a median
//   half the range:             half of what y is outside
//   distances to the greatest:  greatest - y, or r (y - greatest) if y is above it; to the least: the same upside down
// and the same for y that leaves: R is then what it leaves behind, which sorted values tell in O(1).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "groups.hpp"
#include "points.hpp"

namespace covey::space {

enum class Aggregate { mean, median, midrange, max, min };

// What is published of every coordinate, and what records weigh in the squares, 1 each if there is nothing.
struct Objective {
    std::vector<Aggregate> aggregates;
    std::vector<double> weights;

    double weight(std::uint32_t i) const { return weights.empty() ? 1.0 : weights[i]; }
};

// A group: the sorted values of every coordinate, one after the other, the means, and what it loses.
struct Summary {
    std::size_t size = 0;
    double weight = 0.0, loss = 0.0;
    std::vector<double> sorted, mean;
};

// What a group is without a record, or as it is: the mean, the middle two, the ends or one end of every coordinate.
struct Rest {
    double count = 0.0, weight = 0.0;
    std::vector<double> low, high;
};

class Losses {
  public:
    Losses(const Points& points, const Objective& objective) : points_(points), objective_(&objective) {}

    void summarise(const std::vector<std::uint32_t>& member, Summary& group) const {
        const std::size_t s = member.size();
        group.size = s;
        group.sorted.resize(s * points_.d);
        group.mean.assign(points_.d, 0.0);
        group.weight = group.loss = 0.0;
        for (std::uint32_t i : member) group.weight += objective_->weight(i);
        for (std::size_t j = 0; j < points_.d; ++j) {
            double* v = &group.sorted[j * s];
            for (std::size_t m = 0; m < s; ++m) v[m] = points_[member[m]][j];
            if (objective_->aggregates[j] == Aggregate::mean) group.loss += squares(member, j, group);
            else {
                std::sort(v, v + s);
                group.loss += distances(objective_->aggregates[j], v, s);
            }
        }
    }

    double operator()(const std::vector<std::uint32_t>& member) const {
        Summary group;
        summarise(member, group);
        return group.loss;
    }

    double total(const Groups& groups) const {
        double total = 0.0;
        for (std::uint32_t g = 0; g < groups.ids(); ++g)
            if (groups.size(g) != 0) total += (*this)(groups[g]);
        return total;
    }

    void whole(const Summary& group, Rest& rest) const {
        fill(rest, group.weight, group.size,
             [&](std::size_t j, std::size_t t) { return group.sorted[j * group.size + t]; });
        for (std::size_t j = 0; j < points_.d; ++j)
            if (objective_->aggregates[j] == Aggregate::mean) rest.low[j] = group.mean[j];
    }

    // Of a group of two or more.
    void without(const Summary& group, std::uint32_t i, Rest& rest) const {
        const double* x = points_[i];
        const double w = objective_->weight(i), left = group.weight - w;
        fill(rest, left, group.size - 1, [&](std::size_t j, std::size_t t) {
            const double* v = &group.sorted[j * group.size];
            return v[t] < x[j] ? v[t] : v[t + 1];
        });
        for (std::size_t j = 0; j < points_.d; ++j)
            if (objective_->aggregates[j] == Aggregate::mean)
                rest.low[j] = group.mean[j] - w * (x[j] - group.mean[j]) / left;
    }

    double added(const Rest& rest, std::uint32_t i) const {
        const double* x = points_[i];
        const double w = objective_->weight(i), share = rest.weight * w / (rest.weight + w);
        double sum = 0.0;
        for (std::size_t j = 0; j < points_.d; ++j) {
            const double below = rest.low[j] - x[j], above = x[j] - rest.high[j];
            switch (objective_->aggregates[j]) {
                case Aggregate::mean: sum += share * below * below; break;
                case Aggregate::median: sum += std::max(0.0, std::max(below, above)); break;
                case Aggregate::midrange: sum += 0.5 * std::max(0.0, std::max(below, above)); break;
                case Aggregate::max: sum += above > 0.0 ? rest.count * above : -above; break;
                case Aggregate::min: sum += below > 0.0 ? rest.count * below : -below; break;
            }
        }
        return sum;
    }

  private:
    // at(j, t): the t-th value of coordinate j of the `size` that are left.
    template <class At>
    void fill(Rest& rest, double weight, std::size_t size, const At& at) const {
        rest.count = static_cast<double>(size);
        rest.weight = weight;
        rest.low.resize(points_.d);
        rest.high.resize(points_.d);
        for (std::size_t j = 0; j < points_.d; ++j) {
            if (objective_->aggregates[j] == Aggregate::mean) continue;
            const bool median = objective_->aggregates[j] == Aggregate::median;
            rest.low[j] = at(j, median ? (size - 1) / 2 : 0);
            rest.high[j] = at(j, median ? size / 2 : size - 1);
        }
    }

    // Relative to the first record, so that an offset costs no digits; the mean goes into the summary.
    double squares(const std::vector<std::uint32_t>& member, std::size_t j, Summary& group) const {
        const double first = points_[member[0]][j];
        double sum = 0.0, loss = 0.0;
        for (std::uint32_t i : member) sum += objective_->weight(i) * (points_[i][j] - first);
        const double mean = sum / group.weight;
        for (std::uint32_t i : member) {
            const double off = (points_[i][j] - first) - mean;
            loss += objective_->weight(i) * off * off;
        }
        group.mean[j] = first + mean;
        return loss;
    }

    static double distances(Aggregate aggregate, const double* v, std::size_t s) {
        if (aggregate == Aggregate::midrange) return 0.5 * (v[s - 1] - v[0]);
        const double centre = aggregate == Aggregate::median ? v[s / 2] : aggregate == Aggregate::max ? v[s - 1] : v[0];
        double sum = 0.0;
        for (std::size_t m = 0; m < s; ++m) sum += std::fabs(v[m] - centre);
        return sum;
    }

    Points points_;
    const Objective* objective_;
};

// The squares around unweighted means: what the local search looks at by itself.
class SquaresPolicy {
  public:
    explicit SquaresPolicy(const Points& points) : points_(points), loss_(points), apart_(points.d) {}

    void refresh(std::uint32_t g, const std::vector<std::uint32_t>& member) {
        if (radius_.size() <= g) {
            radius_.resize(g + std::size_t{1});
            centre_.resize(radius_.size() * points_.d);
        }
        if (member.empty()) return;
        double* c = centre(g);
        std::fill_n(c, points_.d, 0.0);
        for (std::uint32_t i : member)
            for (std::size_t j = 0; j < points_.d; ++j) c[j] += points_[i][j];
        for (std::size_t j = 0; j < points_.d; ++j) c[j] /= static_cast<double>(member.size());
        double most = 0.0;
        for (std::uint32_t i : member) most = std::max(most, squared(points_[i], c));
        radius_[g] = std::sqrt(most);
    }

    double loss(const std::vector<std::uint32_t>& member) { return loss_(member.data(), member.size()); }

    // What group g, of `size`, loses less without its record i, and more with another one.
    double leaving(std::uint32_t i, std::uint32_t g, std::size_t size) {
        const auto a = static_cast<double>(size);
        return a / (a - 1) * squared(points_[i], centre(g));
    }

    double joining(std::uint32_t i, std::uint32_t g, std::size_t size) {
        const auto b = static_cast<double>(size);
        return b / (b + 1) * squared(points_[i], centre(g));
    }

    // Exchanges of i, in group `own` of a, with the records of group g of b; whether one may change the loss by less than
    // `best`. Lemma: with D from the centre of `own` to that of g and w from i to that of g, and s = 1/a + 1/b, the exchange
    // with a record at v from the centre of g changes it by 2 D.w - s|w|^2 + 2 (D - s w).v - s|v|^2, and |v| is at most the
    // radius of g.
    bool begin_exchanges(std::uint32_t i, std::uint32_t own, std::size_t a, std::uint32_t g, std::size_t b,
                         double best) {
        const double* mine = centre(own);
        const double* theirs = centre(g);
        x_ = points_[i];
        share_ = 1.0 / static_cast<double>(a) + 1.0 / static_cast<double>(b);
        double apart = 0.0, off = 0.0, both = 0.0;
        for (std::size_t j = 0; j < points_.d; ++j) {
            apart_[j] = mine[j] - theirs[j];
            const double to = theirs[j] - x_[j];
            apart += apart_[j] * apart_[j];
            off += to * to;
            both -= apart_[j] * to;
        }
        const double turned = std::sqrt(std::max(0.0, apart - 2.0 * share_ * both + share_ * share_ * off));
        return 2.0 * both - share_ * off - radius_[g] * (2.0 * turned + share_ * radius_[g]) < best;
    }

    double exchange(std::uint32_t y) {
        double dot = 0.0, square = 0.0;
        for (std::size_t j = 0; j < points_.d; ++j) {
            const double off = points_[y][j] - x_[j];
            dot += apart_[j] * off;
            square += off * off;
        }
        dot_ = dot;
        square_ = square;
        return -2.0 * dot - square * share_;
    }

    // The size of the terms of the last exchange.
    double scale() const { return 2.0 * std::fabs(dot_) + square_ * share_; }

  private:
    // Sums of squares with several chains of additions: nothing here must agree with another index bit by bit.
    double squared(const double* a, const double* b) const {
        double s[4] = {0, 0, 0, 0};
        std::size_t j = 0;
        for (; j + 4 <= points_.d; j += 4)
            for (std::size_t l = 0; l < 4; ++l) s[l] += (a[j + l] - b[j + l]) * (a[j + l] - b[j + l]);
        for (; j < points_.d; ++j) s[0] += (a[j] - b[j]) * (a[j] - b[j]);
        return (s[0] + s[1]) + (s[2] + s[3]);
    }

    double* centre(std::uint32_t g) { return &centre_[g * points_.d]; }

    Points points_;
    GroupLoss loss_;
    std::vector<double> centre_, radius_, apart_;
    const double* x_ = nullptr;
    double share_ = 0.0, dot_ = 0.0, square_ = 0.0;
};

// Any objective.
class LossesPolicy {
  public:
    LossesPolicy(const Points& points, const Objective& objective) : losses_(points, objective) {}

    void refresh(std::uint32_t g, const std::vector<std::uint32_t>& member) {
        if (summary_.size() <= g) summary_.resize(g + std::size_t{1});
        if (!member.empty()) losses_.summarise(member, summary_[g]);
    }

    double loss(const std::vector<std::uint32_t>& member) { return losses_(member); }

    double leaving(std::uint32_t i, std::uint32_t g, std::size_t) {
        losses_.without(summary_[g], i, rest_);
        return losses_.added(rest_, i);
    }

    double joining(std::uint32_t i, std::uint32_t g, std::size_t) {
        losses_.whole(summary_[g], rest_);
        return losses_.added(rest_, i);
    }

    bool begin_exchanges(std::uint32_t i, std::uint32_t own, std::size_t, std::uint32_t g, std::size_t, double) {
        i_ = i;
        with_ = g;
        losses_.without(summary_[own], i, mine_);
        left_ = losses_.added(mine_, i);
        return true;
    }

    double exchange(std::uint32_t y) {
        losses_.without(summary_[with_], y, rest_);
        const double come = losses_.added(mine_, y) + losses_.added(rest_, i_);
        const double gone = left_ + losses_.added(rest_, y);
        scale_ = come + gone;
        return come - gone;
    }

    double scale() const { return scale_; }

  private:
    Losses losses_;
    std::vector<Summary> summary_;
    Rest mine_, rest_;
    std::uint32_t i_ = 0, with_ = 0;
    double left_ = 0.0, scale_ = 0.0;
};

}  // namespace covey::space
