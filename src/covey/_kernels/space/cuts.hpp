// Cuts on groups of three: of three records at most one group of a partition holds two or more. With a toll of at least 0 for each such
// three, paid by every group that holds two of them, prices are feasible where no group costs less than its prices less its tolls; then
// no partition loses less than all prices less all tolls.
//
// Lemma 1: a toll never falls as a set grows. So the lemma of group_prices.hpp, by which sets below 0 are grown, holds with
// m(m-1)/(k(k-1)) of the toll of m records added to the sum of their pairs.
// Lemma 2: let no group of 3 be above its cost and tolls, k = 3. A group S of 4 that holds three of a cut wholly, tolls of such cuts adding up
// to t, is above by at most t/3 - cost(S)/9, and one of 5 by at most t/6 - cost(S)/6: the mean over the groups of 3 in it, in which such a
// toll is paid by 4 of 4 and 7 of 10, and one of which S holds two by 2 of 4 and 3 of 10. So only S that cost less than 3t and t are
// looked at, and these exactly.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "points.hpp"

namespace covey::space {

struct Cut {
    std::array<std::uint32_t, 3> record;  // ascending
    double toll = 0.0;

    bool has(std::uint32_t i) const { return record[0] == i || record[1] == i || record[2] == i; }
};

class Cuts {
  public:
    explicit Cuts(std::size_t n) : with_(n) {}

    std::size_t size() const { return cut_.size(); }
    const std::vector<std::uint32_t>& with(std::uint32_t i) const { return with_[i]; }
    const Cut& operator[](std::size_t c) const { return cut_[c]; }
    Cut& operator[](std::size_t c) { return cut_[c]; }

    bool add(const std::array<std::uint32_t, 3>& record) {
        for (const std::uint32_t c : with_[record[0]])
            if (cut_[c].record == record) return false;
        for (const std::uint32_t i : record) with_[i].push_back(static_cast<std::uint32_t>(cut_.size()));
        cut_.push_back({record, 0.0});
        return true;
    }

    // visit(c) for every cut of which two are among these.
    template <class Visit>
    void each_paid(const std::uint32_t* member, std::size_t size, const Visit& visit) const {
        for (std::size_t a = 0; a + 1 < size; ++a)
            for (const std::uint32_t c : with_[member[a]]) {
                std::size_t before = 0, after = 0;
                for (std::size_t b = 0; b < a; ++b) before += cut_[c].has(member[b]);
                for (std::size_t b = a + 1; b < size; ++b) after += cut_[c].has(member[b]);
                if (before == 0 && after != 0) visit(c);
            }
    }

    double toll(const std::uint32_t* member, std::size_t size) const {
        double sum = 0.0;
        each_paid(member, size, [&](std::uint32_t c) { sum += cut_[c].toll; });
        return sum;
    }

    // check(member, size): groups of 4 and 5 that lemma 2 does not settle; a group may come several times.
    template <class Check>
    void each_larger(const Points& rows, const Check& check) const {
        for (const Cut& cut : cut_) {
            if (!(cut.toll > 0.0)) continue;
            const double load = load_of(cut) * (1.0 + 0x1p-30);
            std::vector<std::uint32_t> group(cut.record.begin(), cut.record.end());
            if (cost(rows, group) >= 3.0 * load) continue;  // and a group that holds it costs more
            std::vector<std::uint32_t> fifth;
            for (std::uint32_t i = 0; i < rows.n; ++i) {
                if (cut.has(i)) continue;
                group.resize(3);
                group.push_back(i);
                const double here = cost(rows, group);
                if (here < 3.0 * load) check(group);
                if (here < load) fifth.push_back(i);
            }
            for (std::size_t a = 0; a < fifth.size(); ++a)
                for (std::size_t b = 0; b < a; ++b) {
                    group.resize(3);
                    group.push_back(fifth[a]);
                    group.push_back(fifth[b]);
                    if (cost(rows, group) < load) check(group);
                }
        }
    }

    static double cost(const Points& rows, const std::vector<std::uint32_t>& group) {
        double sum = 0.0;
        for (std::size_t a = 0; a < group.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) sum += squared_distance(rows[group[a]], rows[group[b]], rows.d);
        return sum / static_cast<double>(group.size());
    }

  private:
    // At least what the tolls of cuts within a group of up to 5 add up to that holds this one: any two of them share a record.
    double load_of(const Cut& cut) const {
        double sum = 0.0;
        for (const std::uint32_t i : cut.record)
            for (const std::uint32_t c : with_[i]) {
                const auto first =
                    std::find_if(cut.record.begin(), cut.record.end(), [&](std::uint32_t r) { return cut_[c].has(r); });
                if (*first == i) sum += cut_[c].toll;
            }
        return sum;
    }

    std::vector<Cut> cut_;
    std::vector<std::vector<std::uint32_t>> with_;  // the cuts of a record
};

}  // namespace covey::space
