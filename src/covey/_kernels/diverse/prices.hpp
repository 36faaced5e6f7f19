// Prices of points such that no cluster costs less than its points' prices: their sum is a bound, over all points or over
// those that a state has left. For any u, u_p + min(0, least cost - u of a cluster with leftmost point p) is such a price:
// the Lagrangian of "each point in exactly one cluster", raised by subgradient steps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "instance.hpp"

namespace covey::diverse {

// Points and what they are worth now, with what a search for clusters can know in advance: the dearest of the next points,
// and of all.
struct Worth {
    static constexpr std::size_t near = 64;
    std::vector<double> u, dearest_near;
    double dearest = 0.0;

    void update() {
        const std::size_t n = u.size();
        dearest = std::max(0.0, *std::max_element(u.begin(), u.end()));
        dearest_near.assign(n, 0.0);
        std::deque<std::size_t> falling;
        for (std::size_t i = n; i-- > 0;) {
            while (!falling.empty() && u[falling.back()] <= u[i]) falling.pop_back();
            falling.push_back(i);
            if (falling.front() > i + near) falling.pop_front();
            dearest_near[i] = std::max(0.0, u[falling.front()]);
        }
    }
};

// The cluster with leftmost point p and the least cost less worth, for the sum of spans: for each rightmost point the dearest
// colours between. With `squares` the cost of a span s is s * s / 2, which no sum of squares is below.
class SpanPricing {
  public:
    SpanPricing(const Instance& given, bool squares) : given_(given), squares_(squares) {}

    // The cost less worth if negative, else 0; the cluster is in `members()`.
    double operator()(std::size_t p, const Worth& worth, Watch& watch) {
        const std::vector<double>& u = worth.u;
        top_.clear();
        members_.clear();
        double best = 0.0;
        if (given_.l == 1 && u[p] > 0.0) {
            best = -u[p];
            members_.assign(1, p);
        }
        const double others = static_cast<double>(2 * given_.l - 2);
        const double far = p + Worth::near < given_.n ? cost(p, p + Worth::near) - u[p] - others * worth.dearest : 0.0;
        std::size_t q = p + 1;
        for (; q < given_.n && given_.l > 1; ++q) {
            const double here = cost(p, q) - u[p];
            const bool is_near = q < p + Worth::near;
            if (is_near ? here - others * worth.dearest_near[p] >= best && far >= best
                        : here - others * worth.dearest >= best)
                break;
            if (given_.colour[q] == given_.colour[p]) continue;
            consider(p, q, u, here - u[q], best);
            insert(q, u);
        }
        watch.late(static_cast<int>(q - p));
        return best;
    }

    const std::vector<std::size_t>& members() const { return members_; }

  private:
    double cost(std::size_t p, std::size_t q) const {
        const double span = given_.x[q] - given_.x[p];
        return squares_ ? 0.5 * span * span : span;
    }

    void consider(std::size_t p, std::size_t q, const std::vector<double>& u, double value, double& best) {
        std::size_t size = 2;
        for (const std::size_t r : top_) {
            if (size >= given_.l && (u[r] <= 0.0 || size == 2 * given_.l - 1)) break;
            if (given_.colour[r] == given_.colour[q]) continue;
            value -= u[r];
            ++size;
        }
        if (size < given_.l || !(value < best)) return;
        best = value;
        members_.assign({p, q});
        for (const std::size_t r : top_) {
            if (members_.size() == size) break;
            if (given_.colour[r] != given_.colour[q]) members_.push_back(r);
        }
    }

    // Keep the dearest point of each of the 2l-2 dearest colours, dearest first.
    void insert(std::size_t q, const std::vector<double>& u) {
        const auto same =
            std::find_if(top_.begin(), top_.end(), [&](std::size_t r) { return given_.colour[r] == given_.colour[q]; });
        if (same != top_.end()) {
            if (u[q] <= u[*same]) return;
            top_.erase(same);
        }
        top_.insert(std::find_if(top_.begin(), top_.end(), [&](std::size_t r) { return u[r] < u[q]; }), q);
        if (top_.size() > 2 * given_.l - 2) top_.pop_back();
    }

    Instance given_;
    bool squares_;
    std::vector<std::size_t> top_, members_;
};

// The same for the sum of squares, by trying all clusters that could have a negative cost less worth; where they are too
// many, the value of the relaxation by spans.
class SquaresPricing {
  public:
    explicit SquaresPricing(const Instance& given) : given_(given), relaxed_(given, true), used_(given.m, false) {}

    double operator()(std::size_t p, const Worth& worth, Watch& watch) {
        const double low = relaxed_(p, worth, watch);
        members_.clear();
        if (low >= 0.0) return 0.0;
        best_ = 0.0;
        steps_ = 0;
        const bool all_near = p + Worth::near >= given_.n;
        const double span = all_near ? 0.0 : given_.x[p + Worth::near] - given_.x[p];
        far_ = all_near ? 0.0 : 0.5 * span * span - static_cast<double>(2 * given_.l - 2) * worth.dearest - worth.u[p];
        near_ = far_ >= 0.0 ? worth.dearest_near[p] : worth.dearest;
        end_ = far_ >= 0.0 ? std::min(given_.n, p + Worth::near) : given_.n;
        chosen_.assign(1, p);
        used_[static_cast<std::size_t>(given_.colour[p])] = true;
        extend(worth.u, 0.0, 0.0, worth.u[p]);
        used_[static_cast<std::size_t>(given_.colour[p])] = false;
        watch.late(static_cast<int>(steps_));
        if (steps_ < most_steps) return best_;
        if (members_.empty()) members_ = relaxed_.members();
        return low;
    }

    const std::vector<std::size_t>& members() const { return members_; }

  private:
    static constexpr std::size_t most_steps = 1000;

    void extend(const std::vector<double>& u, double sum, double squares, double price) {
        const std::size_t size = chosen_.size();
        const double loss = squares - sum * sum / static_cast<double>(size);
        if (size >= given_.l && loss - price < best_) {
            best_ = loss - price;
            members_ = chosen_;
        }
        if (size == 2 * given_.l - 1) return;
        const double room = price + static_cast<double>(2 * given_.l - 1 - size) * near_;
        for (std::size_t q = chosen_.back() + 1; q < end_; ++q) {
            const double d = given_.x[q] - given_.x[chosen_[0]];
            if (0.5 * d * d - room >= best_ || ++steps_ >= most_steps) return;
            const auto c = static_cast<std::size_t>(given_.colour[q]);
            if (used_[c] || (size >= given_.l && u[q] <= 0.0)) continue;
            const double more = squares + d * d, total = sum + d;
            if (more - total * total / static_cast<double>(size + 1) - room >= best_) continue;
            used_[c] = true;
            chosen_.push_back(q);
            extend(u, total, more, price + u[q]);
            chosen_.pop_back();
            used_[c] = false;
        }
    }

    Instance given_;
    SpanPricing relaxed_;
    std::vector<bool> used_;
    std::vector<std::size_t> chosen_, members_;
    std::size_t steps_ = 0, end_ = 0;
    double best_ = 0.0, near_ = 0.0, far_ = 0.0;
};

struct Prices {
    std::vector<double> price;
    double sum = 0.0;
};

template <class Pricing>
class Lagrangian {
  public:
    Lagrangian(const Instance& given, Pricing pricing, std::vector<double> start)
        : n_(given.n), pricing_(std::move(pricing)), best_{std::vector<double>(n_, 0.0), 0.0}, centre_(start),
          direction_(n_, 0.0) {
        worth_.u = std::move(start);
    }

    const Prices& best() const { return best_; }
    bool converged() const { return scale_ < 1e-3; }

    // Some steps towards the best prices; `upper` is the value of a solution.
    void run(double upper, int steps, Watch& watch) {
        for (int step = 0; step < steps && !converged() && best_.sum < upper; ++step) {
            const double value = evaluate(watch);
            if (watch.late()) return;
            ++stalled_;
            if (value > best_.sum) {
                if (value > best_.sum + 1e-4 * (upper - best_.sum)) stalled_ = 0;
                best_ = {priced_, value};
                centre_ = worth_.u;
            }
            if (stalled_ > 12) {
                stalled_ = 0;
                scale_ *= 0.6;
                worth_.u = centre_;
            }
            double norm = 0.0;
            for (std::size_t i = 0; i < n_; ++i) {
                direction_[i] = 0.6 * direction_[i] + 0.4 * slope_[i];
                norm += direction_[i] * direction_[i];
            }
            if (norm == 0.0) scale_ = 0.0;
            const double length = norm == 0.0 ? 0.0 : scale_ * (upper - value) / norm;
            for (std::size_t i = 0; i < n_; ++i) worth_.u[i] += length * direction_[i];
        }
    }

  private:
    double evaluate(Watch& watch) {
        worth_.update();
        priced_ = worth_.u;
        slope_.assign(n_, 1.0);
        double total = 0.0;
        for (std::size_t p = 0; p < n_; ++p) {
            const double reduced = pricing_(p, worth_, watch);
            priced_[p] += reduced;
            total += priced_[p];
            if (reduced < 0.0)
                for (const std::size_t i : pricing_.members()) slope_[i] -= 1.0;
        }
        return total;
    }

    std::size_t n_;
    Pricing pricing_;
    Worth worth_;
    Prices best_;
    std::vector<double> centre_, direction_, priced_, slope_;
    double scale_ = 1.0;
    int stalled_ = 0;
};

}  // namespace covey::diverse
