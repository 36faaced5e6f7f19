// r-gather: clusters of at least `lower` that need not be connected, of at most twice the least radius.
//
// Lemma (Aggarwal et al. 2010, with any vertex as a centre): let D >= 2 R for the least radius R. Two vertices of an optimal
// cluster are within R of its centre, so within D of each other. Hence
// 1. each vertex has `lower` vertices within D, itself one of them;
// 2. take as heads, one after the other, the vertices that no head before has within D. They are more than D apart, so they
//    are of different optimal clusters, and each can be given all of its own one: some assignment within D gives each head
//    `lower` vertices. Every other vertex has a head within D.
// So where 1 or 2 fails, 2 R > D. D is the smallest found that works, and nothing works just below it: R >= D / 2, and the clusters
// around the heads have radius <= D <= 2 R. What works depends on D only through the balls of the heads, so the next D worth
// trying is where one of these balls grows. O(pairs within D of the heads) a step, and as much for each vertex that has
// to change its head.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../poll.hpp"
#include "graph.hpp"
#include "reach.hpp"
#include "search.hpp"

namespace covey::network {

struct Gathered {
    std::vector<Vertex> label, head;
    std::vector<double> distance;  // to the head
    double within = infinity;      // D
};

class Gather {
  public:
    // `most` pairs are looked at, at a time.
    Gather(const Graph& graph, std::size_t lower, std::size_t most, Poll& poll)
        : graph_(graph), lower_(lower), most_(most), poll_(poll), search_(graph, poll) {}

    // False where there are too many pairs, or a component below `lower`.
    bool run() {
        const std::vector<double> reach = reach_of(graph_, lower_, poll_);
        least_ = *std::max_element(reach.begin(), reach.end());  // below, 1 fails
        if (least_ == infinity) return false;
        double high = least_, fails = -1.0, beyond = -1.0;
        while (!works(high)) {
            if (too_many_) return false;
            fails = high;
            beyond = next_;
            high = std::max(2.0 * high, next_);
        }
        keep();
        while (fails >= 0.0 && beyond < best_.within) {
            const double middle = std::max(beyond, fails + 0.5 * (best_.within - fails));
            if (works(middle)) {
                keep();
                continue;
            }
            if (too_many_) return false;
            fails = middle;
            beyond = next_;
        }
        return true;
    }

    const Gathered& best() const { return best_; }

  private:
    static std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

    bool works(double within) {
        choose_heads(within);
        return !too_many_ && serve();
    }

    // The heads and their balls; how far these reach, and where the first of them would grow.
    void choose_heads(double within) {
        head_.clear();
        start_.assign(1, 0);
        member_.clear();
        distance_.clear();
        covered_.assign(graph_.n, 0);
        farthest_ = 0.0;
        next_ = infinity;
        too_many_ = false;
        for (std::size_t v = 0; v < graph_.n && !too_many_; ++v) {
            if (covered_[v]) continue;
            head_.push_back(static_cast<Vertex>(v));
            for (const Vertex w : search_.run(static_cast<Vertex>(v), within)) {
                covered_[index(w)] = 1;
                member_.push_back(w);
                distance_.push_back(search_.distance()[index(w)]);
            }
            farthest_ = std::max(farthest_, distance_.back());
            look_beyond(start_.back());
            start_.push_back(member_.size());
            too_many_ = member_.size() > most_;
        }
    }

    // The nearest vertex outside a ball is next to one inside.
    void look_beyond(std::size_t first) {
        for (std::size_t i = first; i < member_.size(); ++i)
            for (std::int64_t e = graph_.first(member_[i]); e < graph_.last(member_[i]); ++e)
                if (search_.distance()[index(graph_.to[e])] == infinity)
                    next_ = std::min(next_, distance_[i] + graph_.length(e));
    }

    // Each head gets `lower` vertices of its ball, where that is possible.
    bool serve() {
        owner_.assign(graph_.n, none);
        size_.assign(head_.size(), 0);
        cursor_ = start_;
        came_from_.assign(head_.size(), none);
        via_.assign(head_.size(), none);
        for (std::size_t h = 0; h < head_.size(); ++h)
            while (size_[h] < lower_)
                if (!augment(static_cast<Vertex>(h))) return false;
        return true;
    }

    // One more vertex for a head: a free one of its ball, or one of another head that finds a free one for itself.
    bool augment(Vertex first) {
        queue_.assign(1, first);
        came_from_[index(first)] = first;
        bool found = false;
        for (std::size_t at = 0; at < queue_.size() && !found; ++at) {
            const Vertex h = queue_[at];
            const Vertex free = free_of(h);
            found = free != none;
            if (found) hand_over(h, free, first);
            poll_.tick(static_cast<int>(start_[index(h) + 1] - start_[index(h)]));
            for (std::size_t i = start_[index(h)]; i < start_[index(h) + 1] && !found; ++i) {
                const Vertex other = owner_[index(member_[i])];
                if (came_from_[index(other)] != none) continue;
                came_from_[index(other)] = h;
                via_[index(other)] = member_[i];
                queue_.push_back(other);
            }
        }
        for (const Vertex h : queue_) came_from_[index(h)] = none;
        return found;
    }

    // The first free vertex of a ball. A vertex that has an owner keeps having one, so the search goes on where it was.
    Vertex free_of(Vertex h) {
        std::size_t& i = cursor_[index(h)];
        while (i < start_[index(h) + 1] && owner_[index(member_[i])] != none) ++i;
        return i < start_[index(h) + 1] ? member_[i] : none;
    }

    void hand_over(Vertex h, Vertex v, Vertex first) {
        ++size_[index(first)];
        for (;;) {
            owner_[index(v)] = h;
            if (h == first) return;
            v = via_[index(h)];
            h = came_from_[index(h)];
        }
    }

    // Who is free joins the nearest head.
    void keep() {
        best_ = {owner_, head_, std::vector<double>(graph_.n, infinity), std::max(farthest_, least_)};
        for (std::size_t h = 0; h < head_.size(); ++h)
            for (std::size_t i = start_[h]; i < start_[h + 1]; ++i) {
                const std::size_t v = index(member_[i]);
                const bool given = owner_[v] != none;
                if (given ? owner_[v] != static_cast<Vertex>(h) : distance_[i] >= best_.distance[v]) continue;
                best_.distance[v] = distance_[i];
                best_.label[v] = static_cast<Vertex>(h);
            }
    }

    Graph graph_;
    std::size_t lower_, most_;
    Poll& poll_;
    Search search_;
    std::vector<Vertex> head_, member_, owner_, came_from_, via_, queue_;
    std::vector<std::size_t> start_, cursor_, size_;
    std::vector<double> distance_;
    std::vector<char> covered_;
    double least_ = 0.0, farthest_ = 0.0, next_ = infinity;
    bool too_many_ = false;
    Gathered best_;
};

}  // namespace covey::network
