// Row minima of a totally monotone matrix in linear time (Aggarwal, Klawe, Moran, Shor & Wilber 1987).
// Here a "row" of that matrix is an end (column of M) and a "column" a start (row of M).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace covey::line {

class Smawk {
  public:
    // For every end in [first_end, stop_end): the first start in [first_start, stop_start) with the least
    // value(end, start). The ranges are not empty.
    template <class Value>
    void run(std::size_t first_end, std::size_t stop_end, std::size_t first_start, std::size_t stop_start,
             const Value& value) {
        first_end_ = first_end;
        argmin_.resize(stop_end - first_end);
        minimum_.resize(stop_end - first_end);
        starts_.clear();
        for (std::size_t s = first_start; s < stop_start; ++s) starts_.push_back(s);
        solve(first_end, 1, stop_end - first_end, 0, starts_.size(), value);
    }

    // By position in the range of ends.
    std::size_t argmin(std::size_t end) const { return argmin_[end]; }
    double minimum(std::size_t end) const { return minimum_[end]; }

  private:
    // The ends first, first + step, ... (count of them), over the starts starts_[from..to). Starts that the reduction
    // keeps go to the end of starts_, as a stack of the recursion.
    template <class Value>
    void solve(std::size_t first, std::size_t step, std::size_t count, std::size_t from, std::size_t to,
               const Value& value) {
        const std::size_t mark = starts_.size();
        for (std::size_t s = from; s < to; ++s) {
            const std::size_t start = starts_[s];
            while (starts_.size() > mark) {
                const std::size_t end = first + (starts_.size() - mark - 1) * step;
                if (value(end, starts_.back()) <= value(end, start)) break;
                starts_.pop_back();
            }
            if (starts_.size() - mark < count) starts_.push_back(start);
        }
        const std::size_t kept = starts_.size();
        if (count > 1) solve(first + step, 2 * step, count / 2, mark, kept, value);
        fill_even(first, step, count, mark, kept, value);
        starts_.resize(mark);
    }

    // The ends that the recursion left out lie between solved ones.
    template <class Value>
    void fill_even(std::size_t first, std::size_t step, std::size_t count, std::size_t from, std::size_t to,
                   const Value& value) {
        std::size_t s = from;
        for (std::size_t e = 0; e < count; e += 2) {
            const std::size_t end = first + e * step, slot = end - first_end_;
            const std::size_t last = e + 1 < count ? argmin_[slot + step] : starts_[to - 1];
            minimum_[slot] = value(end, starts_[s]);
            argmin_[slot] = starts_[s];
            while (starts_[s] != last) {
                ++s;
                const double here = value(end, starts_[s]);
                if (here < minimum_[slot]) {
                    minimum_[slot] = here;
                    argmin_[slot] = starts_[s];
                }
            }
        }
    }

    std::size_t first_end_ = 0;
    std::vector<std::size_t> argmin_, starts_;
    std::vector<double> minimum_;
};

}  // namespace covey::line
