// Nearest-neighbour microaggregation (Domingo-Ferrer, Sebe & Solanas 2008), in a form with disjoint groups.
//
// 1. Every record is a component. While a component holds fewer than k records, the first such component is joined to
//    another by the shortest edge that leaves it, of several to the lowest record from the lowest. The edges make each
//    component a tree.
// 2. A component of more than max(2k-1, 3k-5) records is split: at its longest edge that leaves k records on both sides, of
//    several the one whose ends come first; where no edge does, around a record whose branches all hold fewer than k: whole branches that together hold k or more,
//    as few as possible, become a group, and the rest goes on. (The source lets groups overlap there.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "../poll.hpp"
#include "outside.hpp"
#include "points.hpp"

namespace covey::space {

template <class Outside>
class Components {
  public:
    Components(const Points& points, std::size_t k, Outside outside, Poll poll)
        : points_(points), k_(k), most_(std::max(2 * k - 1, 3 * k < 5 ? 0 : 3 * k - 5)), poll_(poll),
          outside_(std::move(outside)), label_(points.n), member_(points.n), edges_(points.n), up_(points.n),
          top_(points.n), length_(points.n), below_(points.n) {
        for (std::uint32_t i = 0; i < points.n; ++i) {
            label_[i] = i;
            member_[i] = {i};
        }
    }

    Grouping run() {
        join();
        const std::vector<std::vector<std::uint32_t>> component = std::move(member_);
        member_.assign(points_.n, {});
        for (const std::vector<std::uint32_t>& members : component)
            if (!members.empty()) split(members);
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
                    const Found f = outside_(i, label_, own, member.size());
                    if (f.index != none && (from == none || f < best || (!(best < f) && i < from))) {
                        best = f;
                        from = i;
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

    void split(const std::vector<std::uint32_t>& component) {
        if (component.size() <= most_) return close(component);
        hang(component[0]);
        cut_edges();
        // Each record after the one that it hangs on.
        for (const std::uint32_t i : walk_) top_[i] = up_[i] == none ? i : top_[up_[i]];
        for (const std::uint32_t i : walk_) member_[top_[i]].clear();
        for (const std::uint32_t i : walk_) member_[top_[i]].push_back(i);
        const std::vector<std::uint32_t> walk = walk_;
        for (const std::uint32_t top : walk) {
            if (up_[top] != none) continue;
            if (member_[top].size() <= most_) close(member_[top]);
            else split_around(top);
            member_[top].clear();
        }
    }

    // What each record hangs on, seen from the root, by what length, and how many records are there from it on.
    void hang(std::uint32_t root) {
        walk_ = {root};
        up_[root] = none;
        for (std::size_t at = 0; at < walk_.size(); ++at) {
            below_[walk_[at]] = 1;
            for (const Edge& edge : edges_[walk_[at]])
                if (edge.to != up_[walk_[at]]) {
                    up_[edge.to] = walk_[at];
                    length_[edge.to] = edge.length;
                    walk_.push_back(edge.to);
                }
        }
        for (std::size_t at = walk_.size(); at-- > 1;) below_[up_[walk_[at]]] += below_[walk_[at]];
    }

    // Lemma: parts only shrink, so an edge that leaves fewer than k records on one side never leaves more later, and one look
    // at the edges, longest first, finds the same cuts as starting over in each part.
    void cut_edges() {
        std::vector<std::uint32_t> lower;  // the lower end of each edge that may be cut
        for (const std::uint32_t i : walk_)
            if (up_[i] != none && below_[i] >= k_ && walk_.size() - below_[i] >= k_) lower.push_back(i);
        const auto ends = [&](std::uint32_t i) { return std::pair{std::min(i, up_[i]), std::max(i, up_[i])}; };
        std::sort(lower.begin(), lower.end(), [&](std::uint32_t a, std::uint32_t b) {
            return length_[a] > length_[b] || (length_[a] == length_[b] && ends(a) < ends(b));
        });
        for (const std::uint32_t i : lower) {
            if (below_[i] < k_) continue;
            std::uint32_t top = i;
            int steps = 1;
            for (; up_[top] != none; top = up_[top]) ++steps;
            poll_.tick(steps);
            if (below_[top] <= most_ || below_[top] - below_[i] < k_) continue;
            for (std::uint32_t above = up_[i]; above != none; above = up_[above]) below_[above] -= below_[i];
            up_[i] = none;
        }
    }

    struct Branch {
        std::size_t first, size;  // places in walk_
    };

    // No edge of the part leaves k on both sides: around the one record whose branches all hold fewer than k, whole branches
    // that together hold k or more, as few as possible, are a group, and again while more than `most_` are left.
    void split_around(std::uint32_t centre) {
        std::size_t left = below_[centre];
        for (bool moved = true; moved;) {
            moved = false;
            for (const Edge& edge : edges_[centre])
                if (up_[edge.to] == centre && below_[edge.to] >= k_) {
                    centre = edge.to;
                    moved = true;
                    break;
                }
        }
        const std::vector<Branch> branches = branches_around(centre);
        std::vector<std::vector<std::size_t>> of_size(k_);  // the branches of each size, the first at the end
        for (std::size_t b = branches.size(); b-- > 0;) of_size[branches[b].size].push_back(b);
        std::vector<std::uint32_t> group;
        while (left > most_ && choose(branches, of_size, left, group)) {
            close(group);
            left -= group.size();
        }
        group = {centre};
        for (const std::vector<std::size_t>& same : of_size)
            for (const std::size_t b : same) add(branches[b], group);
        close(group);
    }

    std::vector<Branch> branches_around(std::uint32_t centre) {
        std::vector<Branch> branches;
        walk_.clear();
        std::vector<std::uint32_t> from;
        for (const Edge& start : edges_[centre]) {
            if (!linked(start.to, centre)) continue;
            const std::size_t first = walk_.size();
            walk_.push_back(start.to);
            from.push_back(centre);
            for (std::size_t at = first; at < walk_.size(); ++at)
                for (const Edge& edge : edges_[walk_[at]])
                    if (edge.to != from[at] && linked(edge.to, walk_[at])) {
                        walk_.push_back(edge.to);
                        from.push_back(walk_[at]);
                    }
            branches.push_back({first, walk_.size() - first});
        }
        return branches;
    }

    bool linked(std::uint32_t a, std::uint32_t b) const { return up_[a] == b || up_[b] == a; }

    void add(const Branch& branch, std::vector<std::uint32_t>& group) const {
        const auto first = walk_.begin() + static_cast<std::ptrdiff_t>(branch.first);
        group.insert(group.end(), first, first + static_cast<std::ptrdiff_t>(branch.size));
    }

    // Takes branches that together hold k or more, as few as possible, with k left over; whether there are such.
    // Lemma: each holds fewer than k, so 2k-2 are enough; and of the branches of one size only as many as fit into 2k-2
    // matter: a sum that needs a later one is reached by an earlier one, too.
    bool choose(const std::vector<Branch>& branches, std::vector<std::vector<std::size_t>>& of_size, std::size_t left,
                std::vector<std::uint32_t>& group) {
        const std::size_t enough = 2 * k_ - 2;
        std::vector<std::size_t> some;
        for (std::size_t size = 1; size < k_; ++size)
            some.insert(
                some.end(),
                of_size[size].end() - static_cast<std::ptrdiff_t>(std::min(of_size[size].size(), enough / size)),
                of_size[size].end());
        std::sort(some.begin(), some.end());
        std::vector<std::size_t> last(enough + 1, branches.size());  // sum -> the last of the branches that make it
        std::vector<bool> reached(enough + 1, false);
        reached[0] = true;
        for (auto b = some.begin(); b != some.end() && !reached[k_]; ++b)
            for (std::size_t s = enough; s >= branches[*b].size; --s)
                if (!reached[s] && reached[s - branches[*b].size]) {
                    reached[s] = true;
                    last[s] = *b;
                }
        poll_.tick(static_cast<int>(std::min<std::size_t>(some.size() * enough, 1 << 20)));
        std::size_t sum = k_;
        while (sum <= enough && !reached[sum]) ++sum;
        if (sum > enough || sum + k_ > left) return false;
        group.clear();
        for (; sum > 0; sum -= branches[last[sum]].size) {
            std::vector<std::size_t>& same = of_size[branches[last[sum]].size];
            same.erase(std::find(same.rbegin(), same.rend(), last[sum]).base() - 1);
            add(branches[last[sum]], group);
        }
        return true;
    }

    Points points_;
    std::size_t k_, most_;
    Poll poll_;
    Outside outside_;
    std::vector<std::uint32_t> label_;
    std::vector<std::vector<std::uint32_t>> member_;
    std::vector<std::vector<Edge>> edges_;
    std::vector<std::uint32_t> walk_, up_, top_;
    std::vector<double> length_;
    std::vector<std::size_t> below_;
    Grouping grouping_;
};

}  // namespace covey::space
