// Records that may leave, of one or several cells, made ready for a search: whose groups they are in, and who is near within the cell.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../watch.hpp"
#include "points.hpp"
#include "table.hpp"

namespace covey::space {

// What is given: records cell by cell, from starts[c] to starts[c + 1]. label: 0 outside, then the groups. Those that `stay` never go
// there. Of each cell at least `least` are outside, as at the beginning, and of all at most `most`.
struct LeavingTask {
    Points points;
    std::size_t k, most;
    std::vector<std::uint32_t> starts, label, stay, least;
};

class Leavers {
  public:
    Leavers(const LeavingTask& task, std::size_t neighbours, const Watch& watch)
        : most(task.most), least(task.least), out(task.least.size(), 0), m_(neighbours), d_(task.points.d) {
        const auto groups = static_cast<std::uint32_t>(task.label.size());
        for (std::uint32_t c = 0; c + 1 < task.starts.size(); ++c) {
            const std::size_t first = task.starts[c], n = task.starts[c + 1] - first;
            std::vector<std::uint32_t> alone(task.label.begin() + task.starts[c],
                                             task.label.begin() + task.starts[c + 1]);
            for (std::uint32_t i = 0; i < n; ++i)  // a table sets whole groups aside: of those outside each is one
                if (alone[i] == 0) alone[i] = groups + i + 1;
            const Table table({task.points[first], n, d_}, task.k, m_, alone.data(), watch);
            add(task, table, first, c);
        }
    }

    Points points() const { return {x_.data(), record.size(), d_}; }
    Lists lists() const { return {near_.data(), m_}; }

    // Of records by their places here, those that are given as `outside` by their number in the task.
    std::vector<std::uint32_t> flags(const LeavingTask& task, const std::vector<std::uint32_t>& outside) const {
        std::vector<std::uint32_t> result(task.label.size());
        for (std::size_t i = 0; i < result.size(); ++i) result[i] = task.label[i] == 0;
        for (const std::uint32_t i : record) result[i] = 0;
        for (const std::uint32_t i : outside) result[record[i]] = 1;
        return result;
    }

    std::vector<std::uint32_t> record, label, cell;  // by place
    std::vector<bool> stay;
    std::size_t most;                       // what may be outside, without those that are set aside there
    std::vector<std::uint32_t> least, out;  // by cell; how many are outside

  private:
    void add(const LeavingTask& task, const Table& table, std::size_t first, std::uint32_t c) {
        const Points rows = table.rows();
        const auto base = static_cast<std::uint32_t>(record.size());
        for (std::uint32_t r = 0; r < rows.n; ++r) {
            const auto i = static_cast<std::uint32_t>(first + table.record(r));
            record.push_back(i);
            label.push_back(task.label[i]);
            stay.push_back(task.stay[i] != 0);
            cell.push_back(c);
            out[c] += task.label[i] == 0;
            x_.insert(x_.end(), rows[r], rows[r] + d_);
            const std::span<const std::uint32_t> near = table.lists()[r];
            for (std::size_t s = 0; s < m_; ++s) near_.push_back(s < near.size() ? base + near[s] : none);
        }
        for (const std::uint32_t i : table.set_aside().order)
            if (task.label[first + i] == 0) {
                --most;
                least[c] -= least[c] != 0;
            }
    }

    std::size_t m_, d_;
    std::vector<double> x_;
    std::vector<std::uint32_t> near_;
};

}  // namespace covey::space
