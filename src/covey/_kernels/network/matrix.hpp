// All distances of a small graph: the true radius of a cluster, with any vertex as its centre.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../poll.hpp"
#include "appraisal.hpp"
#include "graph.hpp"
#include "search.hpp"

namespace covey::network {

// All distances of a small graph, and for each vertex the others from near to far.
class Matrix {
  public:
    static constexpr std::size_t most = 2048;  // vertices: 50 MB

    Matrix(const Graph& graph, Poll& poll) : n_(graph.n), distance_(graph.n * graph.n), near_(graph.n) {
        Search search(graph, poll);
        for (std::size_t v = 0; v < n_; ++v) {
            near_[v] = search.run(static_cast<Vertex>(v), infinity);
            std::copy(search.distance().begin(), search.distance().end(),
                      distance_.begin() + static_cast<std::ptrdiff_t>(v * n_));
        }
        if (graph.lengths != nullptr) make_symmetric();
    }

    double distance(Vertex a, Vertex b) const {
        return distance_[static_cast<std::size_t>(a) * n_ + static_cast<std::size_t>(b)];
    }

    // The best centre of all vertices. It is no farther from the first member than the radius, or the sum.
    Worth appraise(const Vertex* begin, const Vertex* end, Aim aim = Aim::radius) const {
        const bool of_sum = aim == Aim::sum;
        Worth best;
        for (const Vertex c : near_[static_cast<std::size_t>(*begin)]) {
            const double limit = of_sum ? best.sum : best.radius;
            if (distance(*begin, c) > limit) break;
            Worth here{0.0, 0.0, c, *begin};
            for (const Vertex* v = begin; v != end && (of_sum ? here.sum : here.radius) <= limit; ++v) {
                const double far = distance(c, *v);
                if (far > here.radius) here.farthest = *v;
                here.radius = std::max(here.radius, far);
                here.sum += far;
            }
            if (here.better(best, aim)) best = here;
        }
        return best;
    }

  private:
    // As in balls.hpp: of two sums of the same lengths the smaller holds.
    void make_symmetric() {
        for (std::size_t v = 0; v < n_; ++v)
            for (std::size_t w = 0; w < v; ++w)
                distance_[v * n_ + w] = distance_[w * n_ + v] = std::min(distance_[v * n_ + w], distance_[w * n_ + v]);
        for (std::size_t v = 0; v < n_; ++v) {
            const double* row = distance_.data() + v * n_;
            std::stable_sort(near_[v].begin(), near_[v].end(), [row](Vertex a, Vertex b) { return row[a] < row[b]; });
        }
    }

    std::size_t n_;
    std::vector<double> distance_;
    std::vector<std::vector<Vertex>> near_;
};

}  // namespace covey::network
