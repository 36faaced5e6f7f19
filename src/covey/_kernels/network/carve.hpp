// Connected clusters of at least `lower`, at most `upper` wherever that is found: some passes of carving, the best of them
// searched around. Heuristic; the same seed gives the same clusters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "../poll.hpp"
#include "appraisal.hpp"
#include "graph.hpp"
#include "greedy.hpp"
#include "matrix.hpp"
#include "random.hpp"
#include "reach.hpp"
#include "recarve.hpp"

namespace covey::network {

class Carve {
  public:
    Carve(const Graph& graph, std::size_t lower, std::size_t upper, std::uint64_t seed, Aim aim, Poll& poll)
        : graph_(graph), lower_(lower), upper_(std::max(lower, upper)), aim_(aim), random_(seed), poll_(poll) {
        if (graph.n <= Matrix::most) matrix_.emplace(graph, poll);
    }

    std::vector<Vertex> run() {
        Recarve recarve(graph_, lower_, upper_, aim_, matrix_ ? &*matrix_ : nullptr, random_, poll_);
        const double bound = aim_ == Aim::sum ? 0.0 : needed_radius();
        std::vector<Vertex> best;
        Cost least;
        for (std::size_t start = 0; start < starts(); ++start) {
            begin(recarve, start);
            recarve.shrink(matrix_ ? 20 : 4, 40, budget());
            if (aim_ == Aim::sum) recarve.polish(std::max<std::size_t>(100, 4 * graph_.n), budget());
            else recarve.narrow(std::min<std::size_t>(1000, 100 + 10 * graph_.n), bound, budget());
            const Cost cost = recarve.cost();
            if (best.empty() || cost.all() < least.all()) {
                best = recarve.labels();
                least = cost;
            }
            if (least.over == 0 && least.radius <= bound) break;
        }
        if (!matrix_ && aim_ == Aim::radius) return best;
        recarve.start(best, static_cast<std::size_t>(*std::max_element(best.begin(), best.end())) + 1);
        recarve.polish(std::max<std::size_t>(100, (aim_ == Aim::sum ? 40 : 4) * graph_.n), polishing());
        return recarve.labels();
    }

  private:
    // The first pass takes ties as they come: the numbers of vertices often say what is near.
    void begin(Recarve& recarve, std::size_t start) {
        const Plan plan{static_cast<Seeds>(start % 3), start / 3 % 2 == 0, start > 0,
                        std::max<std::size_t>(1, graph_.n / lower_)};
        Greedy greedy(lower_, upper_, poll_);
        const std::size_t clusters = greedy.run(graph_, plan, random_);
        recarve.start(greedy.label(), clusters);
    }

    // Where to stop; of a large graph only what is plain.
    double needed_radius() const {
        if (matrix_) return least_radius(graph_, lower_, poll_);
        return graph_.lengths == nullptr && lower_ > 1 ? 1.0 : 0.0;
    }

    std::size_t starts() const { return std::clamp<std::size_t>(most_vertices / graph_.n, 1, 6); }
    // In vertices and edges of what is carved anew; a million take about a tenth of a second.
    std::size_t budget() const {
        return matrix_ ? 4'000'000 : std::clamp<std::size_t>(100 * graph_.n, 4'000'000, 30'000'000);
    }

    // For the radius it comes last, and is not cut short.
    std::size_t polishing() const { return aim_ == Aim::sum ? 2 * budget() : std::numeric_limits<std::size_t>::max(); }

    static constexpr std::size_t most_vertices = 200'000;  // of all starts together

    Graph graph_;
    std::size_t lower_, upper_;
    Aim aim_;
    Random random_;
    Poll& poll_;
    std::optional<Matrix> matrix_;
};

}  // namespace covey::network
