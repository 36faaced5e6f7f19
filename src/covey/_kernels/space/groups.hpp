// A partition that a search changes: who is in which group.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "points.hpp"

namespace covey::space {

// Of labels 0, 1, ...
inline std::size_t count_groups(const std::vector<std::uint32_t>& label) {
    return *std::max_element(label.begin(), label.end()) + std::size_t{1};
}

class Groups {
  public:
    explicit Groups(const std::vector<std::uint32_t>& label) : label(label), member_(count_groups(label)) {
        for (std::uint32_t i = 0; i < label.size(); ++i) member_[label[i]].push_back(i);
    }

    const std::vector<std::uint32_t>& operator[](std::uint32_t g) const { return member_[g]; }
    std::size_t size(std::uint32_t g) const { return member_[g].size(); }
    std::size_t ids() const { return member_.size(); }  // some of them may be empty
    std::size_t in_use() const { return member_.size() - free_.size(); }

    void move(std::uint32_t i, std::uint32_t to) {
        std::vector<std::uint32_t>& from = member_[label[i]];
        *std::find(from.begin(), from.end(), i) = from.back();
        from.pop_back();
        if (from.empty()) free_.push_back(label[i]);
        member_[to].push_back(i);
        label[i] = to;
    }

    void swap(std::uint32_t i, std::uint32_t j) {
        *std::find(member_[label[i]].begin(), member_[label[i]].end(), i) = j;
        *std::find(member_[label[j]].begin(), member_[label[j]].end(), j) = i;
        std::swap(label[i], label[j]);
    }

    // An empty group.
    std::uint32_t open() {
        if (free_.empty()) {
            member_.emplace_back();
            return static_cast<std::uint32_t>(member_.size() - 1);
        }
        const std::uint32_t g = free_.back();
        free_.pop_back();
        return g;
    }

    // Gives the records of the groups `old` to the groups `next`, as many or not.
    void replace(const std::vector<std::uint32_t>& old, const std::vector<std::vector<std::uint32_t>>& next) {
        for (std::size_t g = 0; g < std::max(old.size(), next.size()); ++g) {
            const std::uint32_t id = g < old.size() ? old[g] : open();
            if (g >= next.size()) {
                member_[id].clear();
                free_.push_back(id);
                continue;
            }
            member_[id] = next[g];
            for (std::uint32_t i : next[g]) label[i] = id;
        }
    }

    std::vector<std::uint32_t> label;

  private:
    std::vector<std::vector<std::uint32_t>> member_;
    std::vector<std::uint32_t> free_;
};

inline double total_loss(const Points& points, const Groups& groups) {
    GroupLoss loss(points);
    double total = 0.0;
    for (std::uint32_t g = 0; g < groups.ids(); ++g)
        if (groups.size(g) != 0) total += loss(groups[g].data(), groups.size(g));
    return total;
}

}  // namespace covey::space
