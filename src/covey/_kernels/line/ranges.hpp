// What any range of sorted values costs, in O(1) after O(n) preparation, accurate to a few ulps on any data.
//
// Prefix sums over the whole column would cancel. Instead a statistic is kept for pieces and pieces are merged, and
// every merge adds non-negative terms only: each range is the end of a small block, whole blocks, and the beginning
// of a block. Runs of whole blocks come from a disjoint sparse table (for every power of two, the statistic from each
// block to the middle of its segment): any run of blocks is the union of two entries.
// Memory O(n + (n / block) log(n / block)) statistics.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace covey::line {

// Sorted values and, where these are not all 1, what they weigh.
struct Weighed {
    const double* x;
    const double* weight = nullptr;
    double weight_of(std::size_t i) const { return weight == nullptr ? 1.0 : weight[i]; }
};

// Mean (as distance from the first value) and sum of squared distances to the mean.
struct Moments {
    double first, count, mean, squares;  // records count as often as they weigh

    static Moments single(double x, double weight) { return {x, weight, 0.0, 0.0}; }

    // b lies right of a (Chan, Golub & LeVeque 1979).
    friend Moments merge(const Moments& a, const Moments& b) {
        const double apart = ((b.first - a.first) - a.mean) + b.mean;
        const double count = a.count + b.count, share = b.count / count;
        return {a.first, count, a.mean + apart * share, a.squares + b.squares + apart * apart * (a.count * share)};
    }
};

// Sums of the distances to the first and to the last value.
struct Deviations {
    double first, last, count, up, down;

    static Deviations single(double x, double) { return {x, x, 1.0, 0.0, 0.0}; }

    friend Deviations merge(const Deviations& a, const Deviations& b) {
        return {a.first, b.last, a.count + b.count, a.up + b.up + b.count * (b.first - a.first),
                a.down + b.down + a.count * (b.last - a.last)};
    }
};

template <class Statistic>
class Ranges {
  public:
    // `widest`: no range longer than this will be asked for.
    Ranges(const Weighed& column, std::size_t n, std::size_t widest) : column_(column), to_end_(n), from_start_(n) {
        const std::size_t blocks = (n + block - 1) / block;
        for (std::size_t b = 0; b < blocks; ++b) {
            const std::size_t start = b * block, stop = start + block < n ? start + block : n;
            from_start_[start] = single(start);
            for (std::size_t i = start + 1; i < stop; ++i) from_start_[i] = merge(from_start_[i - 1], single(i));
            to_end_[stop - 1] = single(stop - 1);
            for (std::size_t i = stop - 1; i-- > start;) to_end_[i] = merge(single(i), to_end_[i + 1]);
        }
        const std::size_t reach = widest / block + 1;
        for (std::size_t half = 1; half < blocks; half *= 2)
            table_.push_back(level(blocks, half, half < reach ? half : reach));
    }

    // The statistic of x[start..stop), start < stop.
    Statistic operator()(std::size_t start, std::size_t stop) const {
        const std::size_t first = start / block, last = (stop - 1) / block;
        if (first == last) {
            Statistic s = single(start);
            for (std::size_t i = start + 1; i < stop; ++i) s = merge(s, single(i));
            return s;
        }
        const Statistic& right = from_start_[stop - 1];
        if (first + 1 == last) return merge(to_end_[start], right);
        return merge(merge(to_end_[start], run(first + 1, last - 1)), right);
    }

  private:
    static constexpr std::size_t block = 16;

    // For segments of 2 * half blocks, the statistics of the blocks between each block and the middle, as far as any
    // range reaches from there.
    struct Level {
        std::size_t half, reach;
        std::vector<Statistic> entries;

        std::size_t at(std::size_t b) const {
            const std::size_t segment = b / (2 * half);
            return segment * 2 * reach + (b + reach - segment * 2 * half - half);
        }
    };

    Level level(std::size_t blocks, std::size_t half, std::size_t reach) const {
        Level out{half, reach, std::vector<Statistic>((blocks / (2 * half) + 1) * 2 * reach)};
        for (std::size_t middle = half; middle < blocks; middle += 2 * half) {
            out.entries[out.at(middle)] = whole(middle);
            for (std::size_t b = middle + 1; b < middle + reach && b < blocks; ++b)
                out.entries[out.at(b)] = merge(out.entries[out.at(b - 1)], whole(b));
            out.entries[out.at(middle - 1)] = whole(middle - 1);
            for (std::size_t b = middle - 1; b-- > middle - reach;)
                out.entries[out.at(b)] = merge(whole(b), out.entries[out.at(b + 1)]);
        }
        return out;
    }

    Statistic single(std::size_t i) const { return Statistic::single(column_.x[i], column_.weight_of(i)); }

    const Statistic& whole(std::size_t b) const { return to_end_[b * block]; }

    // The blocks first .. last.
    Statistic run(std::size_t first, std::size_t last) const {
        if (first == last) return whole(first);
        const Level& level = table_[static_cast<std::size_t>(std::bit_width(first ^ last)) - 1];
        return merge(level.entries[level.at(first)], level.entries[level.at(last)]);
    }

    Weighed column_;
    std::vector<Statistic> to_end_, from_start_;
    std::vector<Level> table_;
};

}  // namespace covey::line
