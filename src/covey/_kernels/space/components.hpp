// Nearest-neighbour microaggregation (Domingo-Ferrer, Sebe & Solanas 2008), in a form with disjoint groups.
//
// 1. Every record is a component. While a component holds fewer than k records, the first such component is joined to
//    another by the shortest edge that leaves it. The edges make each component a tree.
// 2. A component of more than max(2k-1, 3k-5) records is split: at its longest edge that leaves k records on both sides;
//    where no edge does, around a record whose branches all hold fewer than k: whole branches that together hold k or more,
//    as few as possible, become a group, and the rest goes on. (The source lets groups overlap there.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../poll.hpp"
#include "points.hpp"
#include "tree.hpp"

namespace covey::space {

class Components {
  public:
    Components(const Points& points, std::size_t k, Poll poll)
        : points_(points), k_(k), poll_(poll), tree_(points), label_(points.n), member_(points.n), edges_(points.n) {
        for (std::uint32_t i = 0; i < points.n; ++i) {
            label_[i] = i;
            member_[i] = {i};
        }
    }

    Grouping run() {
        join();
        for (std::uint32_t c = 0; c < points_.n; ++c)
            if (!member_[c].empty()) split(member_[c]);
        return std::move(grouping_);
    }

  private:
    struct Edge {
        std::uint32_t to;
        double length;
    };

    void join() {
        for (std::uint32_t c = 0; c < points_.n; ++c) {
            // The component that c belongs to by now may be another's, and may have grown.
            for (std::uint32_t own = label_[c]; member_[own].size() < k_; own = label_[c]) {
                const std::vector<std::uint32_t>& member = member_[own];
                Found best{std::numeric_limits<double>::infinity(), none};
                std::uint32_t from = none;
                for (std::uint32_t i : member) {
                    tree_.nearest(points_[i], member.size(), found_, i);  // one of them is outside
                    for (const Found& f : found_)
                        if (label_[f.index] != own) {
                            if (from == none || f < best) {
                                best = f;
                                from = i;
                            }
                            break;
                        }
                    poll_.tick(64);
                }
                edges_[from].push_back({best.index, best.distance});
                edges_[best.index].push_back({from, best.distance});
                merge(own, label_[best.index]);
            }
        }
    }

    void merge(std::uint32_t a, std::uint32_t b) {
        if (member_[a].size() > member_[b].size()) std::swap(a, b);
        for (std::uint32_t i : member_[a]) label_[i] = b;
        member_[b].insert(member_[b].end(), member_[a].begin(), member_[a].end());
        member_[a].clear();
    }

    void close(const std::vector<std::uint32_t>& group) {
        const std::size_t first = grouping_.order.size();
        grouping_.order.insert(grouping_.order.end(), group.begin(), group.end());
        grouping_.close(first);
    }

    // The records that can be reached from i without passing the edge to `blocked`.
    std::vector<std::uint32_t> branch(std::uint32_t i, std::uint32_t blocked) const {
        std::vector<std::uint32_t> found{i}, parent{blocked};
        for (std::size_t at = 0; at < found.size(); ++at) {
            const std::uint32_t u = found[at], from = parent[at];
            for (const Edge& edge : edges_[u])
                if (edge.to != from) {
                    found.push_back(edge.to);
                    parent.push_back(u);
                }
        }
        return found;
    }

    void unlink(std::uint32_t a, std::uint32_t b) {
        std::erase_if(edges_[a], [=](const Edge& edge) { return edge.to == b; });
        std::erase_if(edges_[b], [=](const Edge& edge) { return edge.to == a; });
    }

    void split(std::vector<std::uint32_t> component) {
        const std::size_t most = std::max(2 * k_ - 1, 3 * k_ < 5 ? 0 : 3 * k_ - 5);
        std::vector<std::vector<std::uint32_t>> pending{std::move(component)};
        while (!pending.empty()) {
            const std::vector<std::uint32_t> tree = std::move(pending.back());
            pending.pop_back();
            poll_.tick(64);
            if (tree.size() <= most)
                close(tree);
            else if (!split_at_edge(tree, pending) && !split_at_record(tree, pending))
                close(tree);
        }
    }

    // How many records hang on each record of the tree, seen from its first one.
    void hang(const std::vector<std::uint32_t>& tree) {
        walk_ = {tree[0]};
        parent_ = {none};
        for (std::size_t at = 0; at < walk_.size(); ++at)
            for (const Edge& edge : edges_[walk_[at]])
                if (edge.to != parent_[at]) {
                    walk_.push_back(edge.to);
                    parent_.push_back(walk_[at]);
                }
        below_.resize(points_.n);
        for (std::uint32_t i : walk_) below_[i] = 1;
        for (std::size_t at = walk_.size(); at-- > 1;) below_[parent_[at]] += below_[walk_[at]];
    }

    bool split_at_edge(const std::vector<std::uint32_t>& tree, std::vector<std::vector<std::uint32_t>>& pending) {
        hang(tree);
        double longest = -1.0;
        std::uint32_t a = none, b = none;
        for (std::size_t at = 1; at < walk_.size(); ++at) {
            const std::size_t here = below_[walk_[at]];
            if (here < k_ || tree.size() - here < k_) continue;
            for (const Edge& edge : edges_[walk_[at]])
                if (edge.to == parent_[at] && edge.length > longest) {
                    longest = edge.length;
                    a = walk_[at];
                    b = parent_[at];
                }
        }
        if (a == none) return false;
        unlink(a, b);
        pending.push_back(branch(a, none));
        pending.push_back(branch(b, none));
        return true;
    }

    bool split_at_record(const std::vector<std::uint32_t>& tree, std::vector<std::vector<std::uint32_t>>& pending) {
        // No edge leaves k on both sides: walk towards the larger side until all branches are below k.
        std::uint32_t root = tree[0], from = none;
        for (bool moved = true; moved;) {
            moved = false;
            for (const Edge& edge : edges_[root])
                if (edge.to != from && branch(edge.to, root).size() >= k_) {
                    from = root;
                    root = edge.to;
                    moved = true;
                    break;
                }
        }
        std::vector<std::vector<std::uint32_t>> branches;
        for (const Edge& edge : edges_[root]) branches.push_back(branch(edge.to, root));
        // last[s]: the last branch of some that hold s records together.
        std::vector<std::size_t> last(tree.size() + 1, branches.size());
        std::vector<bool> reached(tree.size() + 1, false);
        reached[0] = true;
        for (std::size_t b = 0; b < branches.size(); ++b)
            for (std::size_t s = tree.size(); s >= branches[b].size(); --s)
                if (!reached[s] && reached[s - branches[b].size()]) {
                    reached[s] = true;
                    last[s] = b;
                }
        std::size_t sum = k_;
        while (sum + k_ <= tree.size() && !reached[sum]) ++sum;
        if (sum + k_ > tree.size()) return false;
        std::vector<std::uint32_t> group;
        while (sum > 0) {
            const std::vector<std::uint32_t>& part = branches[last[sum]];
            group.insert(group.end(), part.begin(), part.end());
            unlink(root, part[0]);
            sum -= part.size();
        }
        close(group);
        pending.push_back(branch(root, none));
        return true;
    }

    Points points_;
    std::size_t k_;
    Poll poll_;
    Tree tree_;
    std::vector<std::uint32_t> label_;
    std::vector<std::vector<std::uint32_t>> member_;
    std::vector<std::vector<Edge>> edges_;
    std::vector<Found> found_;
    std::vector<std::uint32_t> walk_, parent_;
    std::vector<std::size_t> below_;
    Grouping grouping_;
};

}  // namespace covey::space
