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

// Mean (as distance from the first value) and sum of squared distances to the mean.
struct Moments {
    double first, count, mean, squares;

    static Moments single(double x) { return {x, 1.0, 0.0, 0.0}; }

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

    static Deviations single(double x) { return {x, x, 1.0, 0.0, 0.0}; }

    friend Deviations merge(const Deviations& a, const Deviations& b) {
        return {a.first, b.last, a.count + b.count, a.up + b.up + b.count * (b.first - a.first),
                a.down + b.down + a.count * (b.last - a.last)};
    }
};

template <class Statistic>
class Ranges {
  public:
    // `widest`: no range longer than this will be asked for.
    Ranges(const double* x, std::size_t n, std::size_t widest) : x_(x), to_end_(n), from_start_(n) {
        const std::size_t blocks = (n + block - 1) / block;
        for (std::size_t b = 0; b < blocks; ++b) {
            const std::size_t start = b * block, stop = start + block < n ? start + block : n;
            from_start_[start] = Statistic::single(x[start]);
            for (std::size_t i = start + 1; i < stop; ++i)
                from_start_[i] = merge(from_start_[i - 1], Statistic::single(x[i]));
            to_end_[stop - 1] = Statistic::single(x[stop - 1]);
            for (std::size_t i = stop - 1; i-- > start;) to_end_[i] = merge(Statistic::single(x[i]), to_end_[i + 1]);
        }
        const std::size_t reach = widest / block + 1;
        for (std::size_t half = 1; half < blocks; half *= 2)
            table_.push_back(level(blocks, half, half < reach ? half : reach));
    }

    // The statistic of x[start..stop), start < stop.
    Statistic operator()(std::size_t start, std::size_t stop) const {
        const std::size_t first = start / block, last = (stop - 1) / block;
        if (first == last) {
            Statistic s = Statistic::single(x_[start]);
            for (std::size_t i = start + 1; i < stop; ++i) s = merge(s, Statistic::single(x_[i]));
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

    const Statistic& whole(std::size_t b) const { return to_end_[b * block]; }

    // The blocks first .. last.
    Statistic run(std::size_t first, std::size_t last) const {
        if (first == last) return whole(first);
        const Level& level = table_[static_cast<std::size_t>(std::bit_width(first ^ last)) - 1];
        return merge(level.entries[level.at(first)], level.entries[level.at(last)]);
    }

    const double* x_;
    std::vector<Statistic> to_end_, from_start_;
    std::vector<Level> table_;
};

}  // namespace covey::line
