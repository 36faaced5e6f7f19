// The record nearest to another one outside its component: of all records, or of the near ones that are known.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "points.hpp"
#include "tree.hpp"

namespace covey::space {

// The nearest record outside a component: of all records, by a tree.
class OutsideByTree {
  public:
    explicit OutsideByTree(const Points& points) : points_(points), tree_(points) {}

    // For record i of component `own`, of `size` records.
    Found operator()(std::uint32_t i, const std::vector<std::uint32_t>& label, std::uint32_t own, std::size_t size) {
        tree_.nearest(points_[i], size + 1, found_);  // one of them is outside
        return *std::find_if(found_.begin(), found_.end(), [&](const Found& f) { return label[f.index] != own; });
    }

  private:
    Points points_;
    Tree tree_;
    std::vector<Found> found_;
};

// Of the near ones that are known; where they are all inside, a neighbour in the order of the records, if that is outside.
class OutsideByLists {
  public:
    OutsideByLists(const Points& points, const Lists& lists) : points_(points), lists_(lists) {}

    Found operator()(std::uint32_t i, const std::vector<std::uint32_t>& label, std::uint32_t own, std::size_t) const {
        for (const std::uint32_t j : lists_[i])
            if (label[j] != own) return found(i, j);
        if (i + 1 < points_.n && label[i + 1] != own) return found(i, i + 1);
        if (i > 0 && label[i - 1] != own) return found(i, i - 1);
        return {std::numeric_limits<double>::infinity(), none};
    }

  private:
    Found found(std::uint32_t i, std::uint32_t j) const {
        return {squared_distance(points_[i], points_[j], points_.d), j};
    }

    Points points_;
    Lists lists_;
};

}  // namespace covey::space
