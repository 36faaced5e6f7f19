// A table made ready for searches: its records in an order in which neighbours are near each other, equal ones side by side,
// and the near ones of each.
//
// Equal records are one point. Of a point with many copies, as many stay as its neighbours can make use of; the others are
// set aside in groups of their own, which lose nothing. The near points are exact in small tables; in large ones they are
// those that so many leaves of a tree hold, which is enough for a search, and not for a bound (neighbours.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "../memory.hpp"
#include "../watch.hpp"
#include "copies.hpp"
#include "leaves.hpp"
#include "points.hpp"

namespace covey::space {

// Leaves that are looked at for the near points of one of n in d dimensions; and how many leaves they are chosen from.
struct Sight {
    std::size_t leaves, reach;

    static Sight of(std::size_t n, std::size_t d) {
        constexpr std::size_t exact = 4096;
        if (n <= exact) return everywhere();
        if (n <= 8 * exact) return {48, 192};
        return d <= few ? Sight{12, 48} : Sight{24, 96};
    }

    static Sight everywhere() {
        return {std::numeric_limits<std::size_t>::max(), std::numeric_limits<std::size_t>::max()};
    }

    static constexpr std::size_t few = 6;  // dimensions in which a leaf has few leaves around it
};

class Table {
  public:
    // start: groups that the records are in, or none: only whole groups are set aside then.
    Table(const Points& points, std::size_t k, std::size_t neighbours, const std::uint32_t* start, const Watch& watch,
          const Sight* sight = nullptr)
        : d_(points.d), k_(k) {
        const Copies copies(points);
        std::vector<std::uint32_t> point = copies.points();
        const std::size_t wanted = std::min(neighbours, point.size() - 1);
        const Leaves tree(points, point, watch.part(0.0, 0.2));
        const Buffer<std::uint32_t> near =
            near_points(tree, point.size(), wanted, sight ? *sight : Sight::of(point.size(), d_), watch.part(0.2, 1.0));
        keep(copies, point, near, wanted, start);
        rows_ = Buffer<double>(record_.size() * d_);
        for (std::size_t r = 0; r < record_.size(); ++r) std::copy_n(points[record_[r]], d_, &rows_[r * d_]);
        m_ = std::min(neighbours, record_.size() - 1);
        near_ = Buffer<std::uint32_t>(record_.size() * m_);
        constexpr std::size_t batch = 4096;
        each_on_all_cores((point.size() + batch - 1) / batch, watch.part(1.0, 1.0), [&](std::size_t b, const Poll&) {
            for (std::size_t p = b * batch; p < std::min(point.size(), (b + 1) * batch); ++p)
                list(p, &near[p * wanted], wanted);
        });
    }

    // Of the records that stay, by their places in the order.
    Points rows() const { return {rows_.data(), record_.size(), d_}; }
    Lists lists() const { return {near_.data(), m_}; }
    std::uint32_t record(std::size_t place) const { return record_[place]; }
    std::size_t records() const { return record_.size() + aside_.order.size(); }
    // Groups of equal records, of k each, or some of those that were given.
    const Grouping& set_aside() const { return aside_; }

  private:
    static Buffer<std::uint32_t> near_points(const Leaves& tree, std::size_t n, std::size_t m, const Sight& sight,
                                             const Watch& watch) {
        Buffer<std::uint32_t> near(n * m);
        constexpr std::size_t batch = 32;
        each_on_all_cores((tree.leaves() + batch - 1) / batch, watch, [&](std::size_t b, const Poll& poll) {
            Poll own = poll;
            std::vector<Few> few;
            for (std::size_t leaf = b * batch; leaf < std::min(tree.leaves(), (b + 1) * batch); ++leaf) {
                if (sight.reach < tree.leaves()) tree.nearest(leaf, m, sight.leaves, sight.reach, few);
                else tree.nearest(leaf, m, few);
                for (std::size_t s = 0; s < tree.held(leaf); ++s) few[s].take(&near[(tree.first(leaf) + s) * m]);
                own.tick(1 << 16);
            }
        });
        return near;
    }

    // The records that stay, point by point; the others are set aside.
    void keep(const Copies& copies, const std::vector<std::uint32_t>& point, const Buffer<std::uint32_t>& near,
              std::size_t m, const std::uint32_t* start) {
        std::vector<std::uint32_t> guests(point.size(), 0);  // points that have this one among their near ones
        for (std::size_t s = 0; s < point.size() * m; ++s)
            if (near[s] != none) ++guests[near[s]];
        std::vector<std::uint32_t> size;
        if (start != nullptr)
            for (std::size_t i = 0; i < copies.size(); ++i) {
                if (start[i] >= size.size()) size.resize(start[i] + std::size_t{1}, 0);
                ++size[start[i]];
            }
        first_.reserve(point.size() + 1);
        std::vector<std::uint32_t> copy;
        for (std::size_t p = 0; p < point.size(); ++p) {
            first_.push_back(static_cast<std::uint32_t>(record_.size()));
            copy.clear();
            for (std::uint32_t i = copies.lowest(point[p]); i != none; i = copies.next(i)) copy.push_back(i);
            const std::size_t enough = 2 * k_ + (k_ - 1) * guests[p];
            if (copy.size() >= enough + k_) spare(copy, enough, start, size);
            record_.insert(record_.end(), copy.begin(), copy.end());
        }
        first_.push_back(static_cast<std::uint32_t>(record_.size()));
    }

    void aside(std::vector<std::uint32_t>::const_iterator begin, std::vector<std::uint32_t>::const_iterator end) {
        const std::size_t first = aside_.order.size();
        aside_.order.insert(aside_.order.end(), begin, end);
        aside_.close(first);
    }

    // Sets copies of a point aside in groups, as long as `enough` stay.
    void spare(std::vector<std::uint32_t>& copy, std::size_t enough, const std::uint32_t* start,
               const std::vector<std::uint32_t>& size) {
        if (start == nullptr) {
            for (; copy.size() >= enough + k_; copy.resize(copy.size() - k_))
                aside(copy.end() - static_cast<std::ptrdiff_t>(k_), copy.end());
            return;
        }
        std::stable_sort(copy.begin(), copy.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return start[a] < start[b]; });
        std::vector<std::uint32_t> stay;
        for (std::size_t at = 0; at < copy.size();) {
            const std::size_t first = at;
            while (at < copy.size() && start[copy[at]] == start[copy[first]]) ++at;
            const std::size_t left = stay.size() + copy.size() - at;
            const bool whole = at - first == size[start[copy[first]]];
            const auto begin = copy.begin() + static_cast<std::ptrdiff_t>(first);
            const auto end = copy.begin() + static_cast<std::ptrdiff_t>(at);
            if (whole && left >= enough) aside(begin, end);
            else stay.insert(stay.end(), begin, end);
        }
        copy = std::move(stay);
    }

    // The lists of the copies of p: a few more of the same, and one of every near point, not all of them the same one; then
    // more of each.
    void list(std::size_t p, const std::uint32_t* near, std::size_t count) {
        const std::size_t here = copies(p);
        const std::size_t few = std::min({here - 1, k_ - 1, m_});
        for (std::size_t a = 0; a < here; ++a) {
            std::uint32_t* at = &near_[(first_[p] + a) * m_];
            std::uint32_t* const end = at + m_;
            const auto offer = [&](std::size_t q, std::size_t step) {
                if (at != end) *at++ = static_cast<std::uint32_t>(first_[q] + (a + step) % copies(q));
            };
            for (std::size_t t = 1; t <= few; ++t) offer(p, t);
            bool more = true;
            for (std::size_t t = 0; more && at != end; ++t) {
                more = false;
                for (std::size_t s = 0; s < count && near[s] != none; ++s)
                    if (t < copies(near[s])) {
                        offer(near[s], t);
                        more = true;
                    }
            }
            for (std::size_t t = few + 1; t < here; ++t) offer(p, t);
            std::fill(at, end, none);
        }
    }

    std::size_t copies(std::size_t p) const { return first_[p + 1] - first_[p]; }

    std::size_t d_, k_, m_ = 0;
    std::vector<std::uint32_t> record_, first_;  // place -> record; point -> its first place
    Grouping aside_;
    Buffer<double> rows_;
    Buffer<std::uint32_t> near_;
};

// For tests: near records of each, count after count; `none` where there are no more, and for records that are set aside.
inline std::vector<std::uint32_t> near_records(const Points& points, std::size_t k, std::size_t count,
                                               const Watch& watch, const Sight* sight) {
    const Table table(points, k, count, nullptr, watch, sight);
    std::vector<std::uint32_t> near(points.n * count, none);
    for (std::size_t i = 0; i < table.rows().n; ++i) {
        std::uint32_t* at = &near[table.record(i) * count];
        for (const std::uint32_t j : table.lists()[i]) *at++ = table.record(j);
    }
    return near;
}

}  // namespace covey::space
