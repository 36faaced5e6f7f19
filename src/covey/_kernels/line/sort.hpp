// Sorts doubles and remembers where they came from: a recursive distribution sort.
//
// One pass scatters the column into about n / 4096 cells by a monotone map of the value (linear, or logarithmic by
// the bits of the double: whichever spreads a sample better), the rest happens cell by cell inside the cache. A cell
// that is still too crowded is mapped again between its own least and greatest value, so ties, long tails and far
// clusters all end after a few levels; what resists falls back to a comparison sort. Stable: equal values keep their
// input order. O(n) on data with a bounded number of clusters at each scale, O(n log n) at worst.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "../memory.hpp"
#include "../parallel.hpp"
#include "../poll.hpp"

namespace covey::line {

struct Sorted {
    Buffer<double> value;
    Buffer<std::uint32_t> order;  // order[r]: the input position of the record of rank r
};

namespace sorting {

struct Record {
    double value;
    std::uint32_t index;
};

// Orders doubles as unsigned integers; -0.0 and 0.0 are one value.
inline std::uint64_t bit_rank(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
    return bits ^ ((bits >> 63) != 0 ? ~std::uint64_t{0} : std::uint64_t{1} << 63);
}

struct LinearMap {
    double low, scale;
    LinearMap(double least, double greatest, std::size_t cells)
        : low(least), scale(static_cast<double>(cells) * (1.0 - 0x1p-50) / (greatest - least)) {}
    bool usable() const { return std::isfinite(scale) && scale > 0.0; }
    std::size_t operator()(double x) const { return static_cast<std::size_t>((x - low) * scale); }
};

// The same between two values of a sample, what lies outside in the first and the last cell: a few records far from
// all others do not push the rest into one cell.
struct ClampedMap {
    LinearMap inner;
    double last;
    ClampedMap(double least, double greatest, std::size_t cells)
        : inner(least, greatest, cells), last(static_cast<double>(cells - 1)) {}
    bool usable() const { return inner.usable(); }
    std::size_t operator()(double x) const {
        const double at = (x - inner.low) * inner.scale;
        return static_cast<std::size_t>(at > 0.0 ? (at < last ? at : last) : 0.0);
    }
};

struct BitMap {
    std::uint64_t low;
    int shift;
    BitMap(double least, double greatest, std::size_t cells) : low(bit_rank(least)) {
        const int width = 64 - std::countl_zero(bit_rank(greatest) - low);
        shift = std::max(0, width - static_cast<int>(std::bit_width(cells)) + 1);
    }
    std::size_t operator()(double x) const { return static_cast<std::size_t>((bit_rank(x) - low) >> shift); }
};

// The share of a sample that a map puts into its fullest 1/64 of the cells.
template <class Map>
double crowding(const Map& map, const std::vector<double>& sample, std::size_t cells) {
    std::vector<std::uint32_t> count(65, 0);
    for (double x : sample) ++count[map(x) * 64 / cells];
    return *std::max_element(count.begin(), count.end()) / static_cast<double>(sample.size());
}

struct Extremes {
    double least, greatest;
};

template <class Value>
Extremes extremes(std::size_t n, Value value) {
    double low[4], high[4];
    for (int l = 0; l < 4; ++l) low[l] = high[l] = value(0);
    std::size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int l = 0; l < 4; ++l) {
            const double x = value(i + static_cast<std::size_t>(l));
            low[l] = x < low[l] ? x : low[l];
            high[l] = x > high[l] ? x : high[l];
        }
    for (; i < n; ++i) {
        const double x = value(i);
        low[0] = x < low[0] ? x : low[0];
        high[0] = x > high[0] ? x : high[0];
    }
    return {*std::min_element(low, low + 4), *std::max_element(high, high + 4)};
}

inline bool before(const Record& a, const Record& b) {
    return a.value < b.value || (a.value == b.value && a.index < b.index);
}

inline void insertion_sort(Record* a, std::size_t n) {
    for (std::size_t i = 1; i < n; ++i) {
        const Record record = a[i];
        std::size_t at = i;
        for (; at > 0 && record.value < a[at - 1].value; --at) a[at] = a[at - 1];
        a[at] = record;
    }
}

// Sorts what fits into the cache. One per thread: it owns its scratch.
class CellSorter {
  public:
    // Sorts m records in place: value[i] came from input position order[i].
    void run(double* value, std::uint32_t* order, std::size_t m) {
        if (m < 2) return;
        if (from_.size() < m) {
            from_ = Buffer<Record>(m + m / 4);
            to_ = Buffer<Record>(m + m / 4);
        }
        const Extremes range = extremes(m, [=](std::size_t i) { return value[i]; });
        if (range.least == range.greatest) return;
        const Record* done = to_.data();
        distribute([=](std::size_t i) { return Record{value[i], order[i]}; }, m, range, to_.data(), from_.data(), 0);
        for (std::size_t i = 0; i < m; ++i) {
            value[i] = done[i].value;
            order[i] = done[i].index;
        }
    }

  private:
    static constexpr std::size_t density = 2;  // cells per record
    static constexpr std::size_t few = 32;     // records that insertion sorts

    // Sorts the records get(0..m) into `out` with `scratch` of the same size (get may read from scratch).
    template <class Get>
    void distribute(const Get& get, std::size_t m, Extremes range, Record* out, Record* scratch, int depth) {
        const std::size_t cells = std::min<std::size_t>(density * m, 1 << 17);
        const LinearMap map(range.least, range.greatest, cells);
        if (m <= few || depth > 8 || !map.usable()) {
            for (std::size_t i = 0; i < m; ++i) out[i] = get(i);
            m <= few ? insertion_sort(out, m) : std::sort(out, out + m, before);
            return;
        }
        std::vector<std::uint32_t>& count = counts(depth);
        count.assign(cells + 1, 0);
        for (std::size_t i = 0; i < m; ++i) ++count[map(get(i).value)];
        std::uint32_t total = 0, fullest = 0;
        for (std::size_t c = 0; c < cells; ++c) {
            const std::uint32_t here = count[c];
            fullest = std::max(fullest, here);
            count[c] = total;
            total += here;
        }
        for (std::size_t i = 0; i < m; ++i) {
            const Record record = get(i);
            out[count[map(record.value)]++] = record;
        }
        if (fullest <= few) return insertion_sort(out, m);
        std::uint32_t start = 0;
        for (std::size_t c = 0; c < cells; ++c) {
            const std::uint32_t stop = counts(depth)[c];
            if (stop - start > 1) settle(out + start, scratch + start, stop - start, depth + 1);
            start = stop;
        }
    }

    // Sorts one crowded cell in place.
    void settle(Record* cell, Record* scratch, std::size_t m, int depth) {
        if (m <= few) return insertion_sort(cell, m);
        const Extremes range = extremes(m, [=](std::size_t i) { return cell[i].value; });
        if (range.least == range.greatest) return;
        std::copy(cell, cell + m, scratch);
        distribute([=](std::size_t i) { return scratch[i]; }, m, range, cell, scratch, depth);
    }

    std::vector<std::uint32_t>& counts(int depth) {
        const auto level = static_cast<std::size_t>(depth);
        if (counts_.size() <= level) counts_.resize(level + 1);
        return counts_[level];
    }

    Buffer<Record> from_, to_;
    std::vector<std::vector<std::uint32_t>> counts_;
};

constexpr std::size_t cell_target = 4096;  // records: what is sorted at a time stays in the cache

// Scatters x into cells, in input order within a cell, then sorts the cells. Each thread counts and scatters a piece
// of the input and takes the next unsorted cells until none are left.
template <class Map>
void sort_by(const Map& map, std::size_t cells, const double* x, std::size_t n, Sorted& sorted, const Poll& poll) {
    const std::size_t threads = threads_for(n);
    std::vector<std::vector<std::uint32_t>> next(threads, std::vector<std::uint32_t>(cells, 0));
    const auto piece = [=](std::size_t t) { return n / threads * t + std::min(t, n % threads); };
    in_parallel(threads, [&](std::size_t t) {
        std::vector<std::uint32_t>& count = next[t];
        for (std::size_t i = piece(t), stop = piece(t + 1); i < stop; ++i) ++count[map(x[i])];
    });
    poll();
    std::vector<std::uint32_t> start(cells + 1);
    std::uint32_t total = 0;
    for (std::size_t c = 0; c < cells; ++c) {
        start[c] = total;
        for (auto& count : next) total += std::exchange(count[c], total);
    }
    start[cells] = total;
    double* value = sorted.value.data();
    std::uint32_t* order = sorted.order.data();
    in_parallel(threads, [&](std::size_t t) {
        std::vector<std::uint32_t>& place = next[t];
        for (std::size_t i = piece(t), stop = piece(t + 1); i < stop; ++i) {
            const std::uint32_t at = place[map(x[i])]++;
            value[at] = x[i];
            order[at] = static_cast<std::uint32_t>(i);
        }
    });
    poll();
    std::atomic<std::size_t> cell{0};
    in_parallel(threads, [&](std::size_t t) {
        CellSorter sorter;
        for (std::size_t c; (c = cell.fetch_add(1)) < cells;) {
            sorter.run(value + start[c], order + start[c], start[c + 1] - start[c]);
            if (t != 0 || c % 64 != 0) continue;
            try {
                poll();
            } catch (...) {
                cell = cells;  // nothing left for the other threads
                throw;
            }
        }
    });
}

}  // namespace sorting

inline Sorted sort(const double* x, std::size_t n, const Poll& poll) {
    using namespace sorting;
    Sorted sorted{Buffer<double>(n), Buffer<std::uint32_t>(n)};
    const auto [least, greatest] = extremes(n, [x](std::size_t i) { return x[i]; });
    if (n <= 2 * cell_target || least == greatest) {
        for (std::size_t i = 0; i < n; ++i) {
            sorted.value[i] = x[i];
            sorted.order[i] = static_cast<std::uint32_t>(i);
        }
        CellSorter().run(sorted.value.data(), sorted.order.data(), n);
        return sorted;
    }
    const std::size_t cells = std::clamp<std::size_t>(std::bit_ceil(n / cell_target), 2, 2048);
    std::vector<double> sample;
    for (std::size_t i = 0; i < n; i += n / 1024) sample.push_back(x[i]);
    const auto [low, high] = std::minmax_element(sample.begin(), sample.end());
    const ClampedMap linear(*low, *high, cells);
    const BitMap bits(least, greatest, cells);
    if (linear.usable() && crowding(linear, sample, cells) <= crowding(bits, sample, cells))
        sort_by(linear, cells, x, n, sorted, poll);
    else sort_by(bits, cells, x, n, sorted, poll);
    return sorted;
}

}  // namespace covey::line
