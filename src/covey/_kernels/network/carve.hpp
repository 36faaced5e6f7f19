// Connected clusters of at least `lower`, at most `upper` wherever that is found: some passes of carving, the best of them
// searched around. Heuristic; the same seed gives the same clusters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "../poll.hpp"
#include "appraisal.hpp"
#include "graph.hpp"
#include "greedy.hpp"
#include "matrix.hpp"
#include "random.hpp"
#include "recarve.hpp"

namespace covey::network {

class Carve {
  public:
    Carve(const Graph& graph, std::size_t lower, std::size_t upper, std::uint64_t seed, Poll& poll)
        : graph_(graph), lower_(lower), upper_(std::max(lower, upper)), random_(seed), poll_(poll) {
        if (graph.n <= Matrix::most) matrix_.emplace(graph, poll);
    }

    std::vector<Vertex> run() { return matrix_ ? many() : once(); }

  private:
    const Matrix* matrix() const { return matrix_ ? &*matrix_ : nullptr; }

    Plan plan(Seeds seeds, bool recentre, bool shuffled) const {
        return {seeds, recentre, shuffled, std::max<std::size_t>(1, graph_.n / lower_)};
    }

    std::vector<Vertex> once() {
        Recarve recarve(graph_, lower_, upper_, nullptr, random_, poll_);
        {
            Greedy greedy(lower_, upper_, poll_);
            const std::size_t clusters = greedy.run(graph_, plan(Seeds::thinnest, true, false), random_);
            recarve.start(greedy.label(), clusters);
        }
        recarve.shrink(4, 40, 20'000'000);
        recarve.narrow(1000, graph_.lengths == nullptr && lower_ > 1 ? 1.0 : 0.0, 30'000'000);
        return recarve.labels();
    }

    std::vector<Vertex> many() {
        const double bound = matrix_->least_radius(lower_);
        Recarve recarve(graph_, lower_, upper_, matrix(), random_, poll_);
        Greedy greedy(lower_, upper_, poll_);
        std::vector<Vertex> best;
        Cost least;
        for (int start = 0; start < starts; ++start) {
            const Plan tried = plan(static_cast<Seeds>(start % 3), start / 3 % 2 == 0, start > 0);
            const std::size_t clusters = greedy.run(graph_, tried, random_);
            recarve.start(greedy.label(), clusters);
            recarve.shrink(20, 40, 4'000'000);
            recarve.narrow(100, bound, 4'000'000);
            recarve.polish(std::min<std::size_t>(graph_.n, 200));
            const Cost cost = recarve.cost();
            if (best.empty() || cost.all() < least.all()) {
                best = recarve.labels();
                least = cost;
            }
            if (least.over == 0 && least.radius <= bound) break;
        }
        return best;
    }

    static constexpr int starts = 6;

    Graph graph_;
    std::size_t lower_, upper_;
    Random random_;
    Poll& poll_;
    std::optional<Matrix> matrix_;
};

}  // namespace covey::network
