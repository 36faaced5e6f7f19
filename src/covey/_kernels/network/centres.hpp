// A centre for each cluster, and the true distance of each vertex to it: along any path of the graph.
//
// Of a small graph all vertices are tried as centre of every cluster. Of a large one, a centre is the best member by
// distances within the cluster; then the widest cluster, again and again, gets the best vertex of the graph, until that is no
// better: so the largest radius is the least for these clusters. (Unless balls become too large to look at; then it stays an
// upper bound.) Or the member with the least sum. Distances are exact everywhere. Clusters of a large graph must be connected.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <queue>
#include <utility>
#include <vector>

#include "../poll.hpp"
#include "appraisal.hpp"
#include "graph.hpp"
#include "matrix.hpp"
#include "meeting.hpp"
#include "search.hpp"

namespace covey::network {

struct Centres {
    std::vector<Vertex> centre;    // of each cluster
    std::vector<double> distance;  // of each vertex
};

inline Centres small_centres(const Graph& graph, const Members& members, std::size_t clusters, Aim aim, Poll& poll) {
    const Matrix matrix(graph, poll);
    Centres centres{std::vector<Vertex>(clusters), std::vector<double>(graph.n, infinity)};
    for (std::size_t c = 0; c < clusters; ++c) {
        const Worth best = matrix.appraise(members.begin(c), members.end(c), aim);
        centres.centre[c] = best.centre == none ? *members.begin(c) : best.centre;
        for (const Vertex* v = members.begin(c); v != members.end(c); ++v)
            centres.distance[static_cast<std::size_t>(*v)] = matrix.distance(centres.centre[c], *v);
    }
    return centres;
}

class LargeCentres {
  public:
    LargeCentres(const Graph& graph, const std::vector<Vertex>& label, const Members& members, std::size_t clusters,
                 Aim aim, Poll& poll)
        : graph_(graph), members_(members), search_(graph, poll), meeting_(graph, poll), radius_(clusters), aim_(aim) {
        std::vector<Worth> worth;
        Inside inside(poll, aim);
        inside.appraise(graph, label, members, clusters, worth);
        found_ = {std::vector<Vertex>(clusters), inside.distances(graph, label, worth)};
        for (std::size_t c = 0; c < clusters; ++c) found_.centre[c] = worth[c].centre;
    }

    Centres run() {
        for (std::size_t c = 0; c < radius_.size(); ++c) measure(c);
        if (aim_ == Aim::radius) improve();
        return std::move(found_);
    }

  private:
    static std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

    // Distances to the centre within the cluster become true ones. With edges of length 1, those up to 2 are: a path of one edge
    // would be in the cluster.
    void measure(std::size_t c) {
        const Vertex centre = found_.centre[c];
        const double sure = graph_.lengths == nullptr ? 2.0 : 0.0;
        double& radius = radius_[c] = 0.0;
        for (const Vertex* v = members_.begin(c); v != members_.end(c); ++v)
            radius = std::max(radius, found_.distance[index(*v)]);
        if (radius <= sure) return;
        const bool all = search_.run(centre, radius, 8 * members_.size(c) + 64).size() < 8 * members_.size(c) + 64;
        radius = 0.0;
        for (const Vertex* v = members_.begin(c); v != members_.end(c); ++v) {
            double& far = found_.distance[index(*v)];
            if (search_.distance()[index(*v)] < infinity) far = std::min(far, search_.distance()[index(*v)]);
            else if (!all && far > sure) far = meeting_.run(centre, *v, far);
            radius = std::max(radius, far);
        }
    }

    void improve() {
        std::priority_queue<std::pair<double, std::size_t>> widest;
        for (std::size_t c = 0; c < radius_.size(); ++c) widest.push({radius_[c], c});
        while (recentre(widest.top().second)) {
            const std::size_t c = widest.top().second;
            widest.pop();
            widest.push({radius_[c], c});
        }
    }

    // Whether some vertex of the graph has the whole cluster nearer than its centre has: one that is in all the balls.
    bool recentre(std::size_t c) {
        const double below = std::nextafter(radius_[c], 0.0);
        if (radius_[c] == 0.0) return false;
        std::vector<Worth> left;
        std::size_t looked_at = 0;
        for (const Vertex* v = members_.begin(c); v != members_.end(c); ++v) {
            const std::vector<Vertex>& ball = search_.run(*v, below, most_looked_at - looked_at);
            looked_at += ball.size();
            if (looked_at >= most_looked_at) return false;
            if (v == members_.begin(c))
                for (const Vertex w : ball) left.push_back({0.0, 0.0, w, none});
            std::erase_if(left, [&](const Worth& one) { return search_.distance()[index(one.centre)] == infinity; });
            for (Worth& one : left) {
                one.radius = std::max(one.radius, search_.distance()[index(one.centre)]);
                one.sum += search_.distance()[index(one.centre)];
            }
        }
        return !left.empty() && move(c, std::min_element(left.begin(), left.end())->centre);
    }

    // Whether the cluster is narrower from there. Of two sums of the same lengths one can be smaller, in which case it is not.
    bool move(std::size_t c, Vertex centre) {
        double radius = 0.0;
        search_.run(centre, radius_[c]);
        for (const Vertex* v = members_.begin(c); v != members_.end(c); ++v)
            radius = std::max(radius, search_.distance()[index(*v)]);
        if (!(radius < radius_[c])) return false;
        found_.centre[c] = centre;
        radius_[c] = radius;
        for (const Vertex* v = members_.begin(c); v != members_.end(c); ++v)
            found_.distance[index(*v)] = search_.distance()[index(*v)];
        return true;
    }

    static constexpr std::size_t most_looked_at = 2'000'000;  // by all balls of a cluster together

    Graph graph_;
    const Members& members_;
    Search search_;
    Meeting meeting_;
    Centres found_;
    std::vector<double> radius_;
    Aim aim_;
};

inline Centres find_centres(const Graph& graph, const std::vector<Vertex>& label, Aim aim, Poll poll) {
    const std::size_t clusters = static_cast<std::size_t>(*std::max_element(label.begin(), label.end())) + 1;
    Members members;
    members.build(label, clusters);
    if (graph.n <= Matrix::most) return small_centres(graph, members, clusters, aim, poll);
    return LargeCentres(graph, label, members, clusters, aim, poll).run();
}

}  // namespace covey::network
