// All states that a pass kept, in the order of their leftmost point, each with the state it came from.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "instance.hpp"

namespace covey::diverse {

template <class Mask>
class History {
  public:
    using Index = std::uint32_t;
    static constexpr std::size_t bytes_each = sizeof(Mask) + sizeof(Index);

    explicit History(std::size_t n) : n_(n) { first_.reserve(n + 2); }

    std::size_t size() const { return size_; }
    std::size_t room() const { return 0xFFFFFFFF - size_; }

    // The states of the next point follow.
    void next_point() { first_.push_back(size_); }

    Index add(const Mask& mask, Index from) {
        if (size_ % block == 0) {
            masks_.push_back(std::make_unique_for_overwrite<Mask[]>(block));
            froms_.push_back(std::make_unique_for_overwrite<Index[]>(block));
        }
        masks_[size_ / block][size_ % block] = mask;
        froms_[size_ / block][size_ % block] = from;
        return static_cast<Index>(size_++);
    }

    // The clusters on the way to a state at point n.
    Clusters trace(Index state) const {
        Clusters label(n_, -1);
        std::int32_t cluster = 0;
        for (std::size_t p = n_; p > 0; ++cluster) {
            const Index from = froms_[state / block][state % block];
            const Mask after = mask(state), before = mask(from);
            const std::size_t old = point_of(from);
            for (std::size_t q = old; q < n_ && q <= p + Mask::size; ++q)
                if (taken(after, p, q) && !taken(before, old, q)) label[q] = cluster;
            state = from;
            p = old;
        }
        return label;
    }

  private:
    static constexpr std::size_t block = std::size_t{1} << 16;

    const Mask& mask(Index state) const { return masks_[state / block][state % block]; }
    std::size_t point_of(Index state) const {
        return static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end(), state) - first_.begin()) - 1;
    }
    static bool taken(const Mask& mask, std::size_t p, std::size_t q) {
        return q < p || (q > p && q - p <= Mask::size && mask.test(q - p - 1));
    }

    std::size_t n_, size_ = 0;
    std::vector<std::size_t> first_;
    std::vector<std::unique_ptr<Mask[]>> masks_;
    std::vector<std::unique_ptr<Index[]>> froms_;
};

}  // namespace covey::diverse
