// Items in parts that are near in space: halves of halves, each cut at the middle of the axis along which it is widest.
//
// Wide is what lies far from its mean on average, in a sample: a few outliers say little about where the others can be told
// apart. Items keep their order within a half, so the parts depend on nothing but the rows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../watch.hpp"
#include "points.hpp"

namespace covey::space {

class Halves {
  public:
    // Parts of at most `most` items, which on the left of each cut are a multiple of `unit`. Items are given in ascending order.
    Halves(const Points& rows, std::vector<std::uint32_t>& item, std::size_t unit, std::size_t most, const Watch& watch)
        : rows_(rows), item_(item), unit_(unit), most_(most) {
        std::vector<Part> parts = {{0, item.size()}};
        for (bool shared = true; shared && parts.size() < 256;) {  // one level after the other, each on all cores
            std::vector<Part> next(2 * parts.size());
            each_on_all_cores(parts.size(), watch.part(0.0, 0.0), [&](std::size_t p, const Poll& poll) {
                Poll own = poll;
                const std::size_t left = cut(parts[p], own);
                next[2 * p] = {parts[p].first, left};
                next[2 * p + 1] = {parts[p].first + left, parts[p].size - left};
            });
            std::erase_if(next, [](const Part& part) { return part.size == 0; });
            shared = next.size() > parts.size();
            parts = std::move(next);
        }
        each_on_all_cores(parts.size(), watch, [&](std::size_t p, const Poll& poll) {
            Poll own = poll;
            finish(parts[p], own);
        });
        starts_of({0, item.size()});
    }

    // Where each part begins, and the end.
    std::vector<std::size_t> starts() && {
        starts_.push_back(item_.size());
        return std::move(starts_);
    }

  private:
    struct Part {
        std::size_t first, size;
    };

    std::size_t left_of(std::size_t n) const { return n <= most_ ? n : ((n + unit_ - 1) / unit_ + 1) / 2 * unit_; }

    // Puts the lower half to the left; returns how many that are.
    std::size_t cut(const Part& part, Poll& poll) {
        const std::size_t left = left_of(part.size);
        if (left == part.size) return left;
        std::uint32_t* item = &item_[part.first];
        const std::size_t axis = widest(item, part.size);
        std::vector<std::pair<double, std::uint32_t>> value(part.size);
        for (std::size_t s = 0; s < part.size; ++s) value[s] = {rows_[item[s]][axis], item[s]};
        const auto middle = value.begin() + static_cast<std::ptrdiff_t>(left);
        std::nth_element(value.begin(), middle, value.end());
        const std::pair<double, std::uint32_t> pivot = *middle;
        std::stable_partition(item, item + part.size, [&](std::uint32_t i) {
            return std::pair<double, std::uint32_t>(rows_[i][axis], i) < pivot;
        });
        poll.tick(static_cast<int>(std::min<std::size_t>(part.size, 1 << 20)));
        return left;
    }

    void finish(const Part& part, Poll& poll) {
        const std::size_t left = cut(part, poll);
        if (left == part.size) return;
        finish({part.first, left}, poll);
        finish({part.first + left, part.size - left}, poll);
    }

    void starts_of(const Part& part) {
        const std::size_t left = left_of(part.size);
        if (left == part.size) return starts_.push_back(part.first);
        starts_of({part.first, left});
        starts_of({part.first + left, part.size - left});
    }

    std::size_t widest(const std::uint32_t* item, std::size_t n) const {
        constexpr std::size_t sample = 256;
        const std::size_t step = std::max<std::size_t>(1, n / sample);
        std::size_t axis = 0;
        double most = 0.0;
        for (std::size_t j = 0; j < rows_.d; ++j) {
            double sum = 0.0, off = 0.0, count = 0.0;
            const double origin = rows_[item[0]][j];
            for (std::size_t s = 0; s < n; s += step, ++count) sum += rows_[item[s]][j] - origin;
            for (std::size_t s = 0; s < n; s += step) off += std::fabs(rows_[item[s]][j] - origin - sum / count);
            if (off > most) {
                most = off;
                axis = j;
            }
        }
        return most > 0.0 ? axis : widest_axis(rows_, item, n);
    }

    Points rows_;
    std::vector<std::uint32_t>& item_;
    std::size_t unit_, most_;
    std::vector<std::size_t> starts_;
};

}  // namespace covey::space
