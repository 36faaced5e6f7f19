// Search around a partition: a few clusters side by side are carved anew, and what is better is kept.
//
// First the clusters above `upper`, then the widest cluster again and again, until it stays as it is; of small graphs
// last any clusters, for the sum of distances. Where the sum is what counts, any clusters from the start. What is as good is
// kept, too: so an excess wanders until it finds room. A step costs as much as the clusters it takes, whatever n is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "../poll.hpp"
#include "appraisal.hpp"
#include "graph.hpp"
#include "greedy.hpp"
#include "matrix.hpp"
#include "random.hpp"
#include "subgraph.hpp"

namespace covey::network {

// What a partition, or some of its clusters, is worth: less is better, from left to right.
struct Cost {
    std::size_t over = 0, excess = 0;  // clusters above `upper`, and by how much
    double radius = 0.0;
    std::size_t widest = 0;  // clusters of that radius
    double sum = 0.0;
    Aim aim = Aim::radius;

    void add(std::size_t size, std::size_t upper, const Worth& worth) {
        over += size > upper;
        excess += size > upper ? size - upper : 0;
        if (worth.radius > radius) widest = 0;
        radius = std::max(radius, worth.radius);
        widest += worth.radius == radius;
        sum += worth.sum;
    }
    std::tuple<std::size_t, std::size_t, double, std::size_t, double> all() const {
        if (aim == Aim::sum) return {over, excess, sum, 0, radius};
        return {over, excess, radius, widest, sum};
    }
};

class Recarve {
  public:
    Recarve(const Graph& graph, std::size_t lower, std::size_t upper, Aim aim, const Matrix* matrix, Random& random,
            Poll& poll)
        : graph_(graph), lower_(lower), upper_(upper), aim_(aim), matrix_(matrix), random_(random), induced_(graph),
          inside_(poll, aim), greedy_(lower, upper, poll) {}

    void start(const std::vector<Vertex>& label, std::size_t clusters) {
        label_ = label;
        free_.clear();
        appraise(graph_, label, clusters, nullptr);
        worth_ = found_;
        member_.assign(clusters, {});
        for (std::size_t c = 0; c < clusters; ++c) member_[c].assign(members_.begin(c), members_.end(c));
    }

    Cost cost() const {
        Cost cost = nothing();
        for (std::size_t c = 0; c < member_.size(); ++c)
            if (!member_[c].empty()) cost.add(member_[c].size(), upper_, worth_[c]);
        return cost;
    }

    // Numbered by their first vertices.
    std::vector<Vertex> labels() const {
        std::vector<Vertex> number(member_.size(), none), label(label_.size());
        Vertex count = 0;
        for (std::size_t v = 0; v < label.size(); ++v) {
            Vertex& own = number[index(label_[v])];
            if (own == none) own = count++;
            label[v] = own;
        }
        return label;
    }

    // Rounds over the clusters above `upper`, each with some attempts.
    void shrink(int rounds, std::size_t attempts, std::size_t budget) {
        work_ = 0;
        for (int round = 0; round < rounds && work_ < budget; ++round) {
            std::vector<Vertex> over;
            for (std::size_t c = 0; c < member_.size(); ++c)
                if (member_[c].size() > upper_) over.push_back(static_cast<Vertex>(c));
            if (over.empty()) return;
            for (const Vertex c : over)
                for (std::size_t i = 0;
                     i < attempts_for(c, attempts) && member_[index(c)].size() > upper_ && work_ < budget; ++i)
                    step(c);
        }
    }

    // The widest cluster, until some attempts leave it as it is or nothing can be narrower than `bound`.
    void narrow(std::size_t attempts, double bound, std::size_t budget) {
        work_ = 0;
        using Entry = std::pair<double, Vertex>;
        std::priority_queue<Entry> widest;
        std::size_t failed = 0;
        for (std::size_t c = 0; c < member_.size(); ++c)
            if (!member_[c].empty()) widest.push({worth_[c].radius, static_cast<Vertex>(c)});
        while (!widest.empty() && widest.top().first > bound) {
            const auto [radius, c] = widest.top();
            if (member_[index(c)].empty() || worth_[index(c)].radius != radius) {
                widest.pop();
                continue;
            }
            if (failed++ >= attempts_for(c, attempts) || work_ > budget) return;
            if (!step(c)) continue;
            for (const Vertex changed : pool_) widest.push({worth_[index(changed)].radius, changed});
            if (narrower_) failed = 0;
        }
    }

    void polish(std::size_t steps, std::size_t budget) {
        work_ = 0;
        for (std::size_t i = 0; i < steps && work_ < budget; ++i) step(label_[random_.below(graph_.n)]);
    }

  private:
    static std::size_t index(Vertex v) { return static_cast<std::size_t>(v); }

    Cost nothing() const {
        Cost cost;
        cost.aim = aim_;
        return cost;
    }

    void appraise(const Graph& graph, const std::vector<Vertex>& label, std::size_t clusters,
                  const std::vector<Vertex>* names) {
        members_.build(label, clusters);
        if (matrix_ == nullptr) {
            inside_.appraise(graph, label, members_, clusters, found_);
            if (names != nullptr)
                for (Worth& worth : found_) worth.farthest = (*names)[index(worth.farthest)];
            return;
        }
        found_.resize(clusters);
        for (std::size_t c = 0; c < clusters; ++c) {
            named_.assign(members_.begin(c), members_.end(c));
            if (names != nullptr)
                for (Vertex& v : named_) v = (*names)[index(v)];
            found_[c] = matrix_->appraise(named_.data(), named_.data() + named_.size(), aim_);
        }
    }

    // A cluster that is far too large is the neighbourhood of a hub; there is not much to try, and trying is slow.
    std::size_t attempts_for(Vertex c, std::size_t attempts) const {
        return std::min(attempts, 2 + 1000 * upper_ / std::max<std::size_t>(1, member_[index(c)].size()));
    }

    // Some clusters around c carved anew; whether that is kept. `pool_` is then the clusters that changed.
    bool step(Vertex c) {
        choose(c);
        const Graph graph = induced_.build(vertices_);
        const auto [least, most] =
            std::pair{(vertices_.size() + upper_ - 1) / upper_, std::max<std::size_t>(1, vertices_.size() / lower_)};
        const std::size_t wanted = least >= most ? most : least + random_.below(most - least + 1);
        const Plan plan{static_cast<Seeds>(random_.below(3)), random_.below(2) == 0, true, wanted};
        const std::size_t clusters = greedy_.run(graph, plan, random_);
        work_ += graph.n + static_cast<std::size_t>(graph.start[graph.n]);
        Cost before = nothing(), after = nothing();
        for (const Vertex p : pool_) before.add(member_[index(p)].size(), upper_, worth_[index(p)]);
        for (const std::size_t size : greedy_.sizes())
            after.over += size > upper_, after.excess += size > upper_ ? size - upper_ : 0;
        if (std::tie(after.over, after.excess) > std::tie(before.over, before.excess)) return false;
        after = nothing();
        appraise(graph, greedy_.label(), clusters, &vertices_);
        for (std::size_t k = 0; k < clusters; ++k) after.add(members_.size(k), upper_, found_[k]);
        if (after.all() > before.all()) return false;
        narrower_ = std::tie(after.over, after.excess, after.radius, after.widest) <
                    std::tie(before.over, before.excess, before.radius, before.widest);
        keep(clusters);
        return true;
    }

    // c and up to four clusters next to it or to one another, found by random edges: the first of them by an edge of the vertex
    // that is farthest from the centre, every other time, for it is the one that should go elsewhere.
    void choose(Vertex c) {
        pool_.assign(1, c);
        vertices_ = member_[index(c)];
        const std::size_t others = 1 + random_.below(4);
        const bool alone = vertices_.size() >= 2 * lower_ && random_.below(4) == 0;
        for (std::size_t i = 0; i < 8 * others && pool_.size() <= others && !alone; ++i) {
            const bool farthest = pool_.size() == 1 && i % 2 == 0;
            const Vertex v = farthest ? worth_[index(c)].farthest : vertices_[random_.below(vertices_.size())];
            if (graph_.degree(v) == 0) continue;
            const Vertex w = graph_.to[graph_.first(v) + static_cast<std::int64_t>(random_.below(graph_.degree(v)))];
            const Vertex next = label_[index(w)];
            const std::vector<Vertex>& joined = member_[index(next)];
            if (joined.size() > 4 * upper_ || std::find(pool_.begin(), pool_.end(), next) != pool_.end()) continue;
            pool_.push_back(next);
            vertices_.insert(vertices_.end(), joined.begin(), joined.end());
        }
    }

    void keep(std::size_t clusters) {
        for (const Vertex p : pool_) member_[index(p)].clear();
        std::vector<Vertex>& changed = changed_;
        changed.clear();
        for (std::size_t k = 0; k < clusters; ++k) {
            const Vertex c = k < pool_.size() ? pool_[k] : fresh();
            for (const Vertex* v = members_.begin(k); v != members_.end(k); ++v) {
                member_[index(c)].push_back(vertices_[index(*v)]);
                label_[index(vertices_[index(*v)])] = c;
            }
            worth_[index(c)] = found_[k];
            changed.push_back(c);
        }
        for (std::size_t k = clusters; k < pool_.size(); ++k) free_.push_back(pool_[k]);
        pool_ = changed;
    }

    Vertex fresh() {
        if (free_.empty()) {
            member_.emplace_back();
            worth_.emplace_back();
            return static_cast<Vertex>(member_.size() - 1);
        }
        const Vertex c = free_.back();
        free_.pop_back();
        return c;
    }

    Graph graph_;
    std::size_t lower_, upper_;
    Aim aim_;
    const Matrix* matrix_;
    Random& random_;
    Induced induced_;
    Inside inside_;
    Greedy greedy_;
    Members members_;
    std::vector<Vertex> label_, free_, pool_, changed_, vertices_, named_;
    std::vector<std::vector<Vertex>> member_;
    std::vector<Worth> worth_, found_;
    std::size_t work_ = 0;
    bool narrower_ = false;
};

}  // namespace covey::network
