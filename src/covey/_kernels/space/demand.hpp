// What the sensitive values of every group must satisfy, and how far a group is from it.
//
// All rules stay true when two groups that satisfy them become one and no unit has records in both; a single record more can
// break entropy, recursion, shares and closeness. A rule looks at the codes of a group, sorted: O(s log s) for s records.
//
// With units it is units that are counted. The number of a value is that of the units that have it; for entropy and closeness a unit
// spreads a weight of 1 equally over its different values. Diversity in any form has no value that all units have, and distinct
// l-diversity has l - 1 other values among the units without any one value.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "points.hpp"

namespace covey::space {

enum class RuleKind { distinct, entropy, recursive, alpha, equal, ordered, spread, p_percent, dominance };

struct Rule {
    RuleKind kind;
    std::vector<std::uint32_t> code;   // of every record; `none` where it is missing and does not count
    double limit;                      // l, alpha, t, the least spread, or a percentage
    double c;                          // of the recursive form; the number of contributors of dominance
    std::vector<double> share;         // of every value among those known in the whole table (equal, ordered)
    std::vector<double> full;          // and with missing ones as the last
    std::vector<double> value;         // of every record (spread); its amount, at least 0 (p_percent, dominance)
    std::vector<std::uint32_t> unit;   // of every record, where this rule counts other units than the rest
    std::vector<double> below, total;  // the shares cumulated, and cumulated again (ordered)
};

class Demand {
  public:
    void add(Rule rule) {
        if (rule.kind == RuleKind::ordered) {
            rule.below.assign(1, 0.0);
            for (double share : rule.share) rule.below.push_back(rule.below.back() + share);
            rule.total.assign(1, 0.0);
            for (std::size_t i = 1; i < rule.below.size(); ++i) rule.total.push_back(rule.total.back() + rule.below[i]);
        }
        make_room(rule.unit);
        rules_.push_back(std::move(rule));
    }

    // The unit of every record, numbered from 0, and how many of them every group must have.
    void count_units(std::vector<std::uint32_t> unit, std::size_t least) {
        unit_ = std::move(unit);
        least_units_ = static_cast<double>(least);
        make_room(unit_);
    }

    // 0 where all rules hold; more the farther it is from that.
    double deficit(const std::uint32_t* member, std::size_t size) {
        double sum = lacking_units(member, size);
        for (const Rule& rule : rules_) sum += lacks(rule, member, size);
        return sum;
    }

    double deficit(const std::vector<std::uint32_t>& member) { return deficit(member.data(), member.size()); }
    bool holds(const std::vector<std::uint32_t>& member) { return deficit(member) == 0.0; }

    // Whether the group holds without `out` and with `in` (none: nobody).
    bool holds_after(const std::vector<std::uint32_t>& member, std::uint32_t out, std::uint32_t in) {
        changed_.clear();
        for (std::uint32_t i : member)
            if (i != out) changed_.push_back(i);
        if (in != none) changed_.push_back(in);
        if (lacking_units(changed_.data(), changed_.size()) != 0.0) return false;
        for (const Rule& rule : rules_) {
            if (rule.kind == RuleKind::distinct && unit_.empty()) {
                if (!has_values(rule)) return false;
            } else if (lacks(rule, changed_.data(), changed_.size()) != 0.0) {
                return false;
            }
        }
        return true;
    }

    // Whether two records can change places and no rule sees it.
    bool alike(std::uint32_t x, std::uint32_t y) const {
        if (!unit_.empty() && unit_[x] != unit_[y]) return false;
        for (const Rule& rule : rules_)
            if (rule.value.empty() ? rule.code[x] != rule.code[y] : rule.value[x] != rule.value[y]) return false;
        return true;
    }

  private:
    static constexpr double rounding = 1e-13;

    struct Value {
        std::uint32_t code;
        std::size_t start;  // of its pairs
        double number, weight;
    };

    void make_room(const std::vector<std::uint32_t>& unit) {
        const std::size_t units = unit.empty() ? 0 : std::size_t{*std::max_element(unit.begin(), unit.end())} + 1;
        values_of_.resize(std::max(values_of_.size(), units), 0.0);
        has_it_.resize(std::max(has_it_.size(), units), 0);
    }

    static double lacking(double limit, double have) { return have >= limit - rounding ? 0.0 : (limit - have) / limit; }

    double lacking_units(const std::uint32_t* member, std::size_t size) {
        if (least_units_ == 0.0) return 0.0;
        ++stamp_;
        double units = 0.0;
        for (std::size_t m = 0; m < size && units < least_units_; ++m) {
            units += has_it_[unit_[member[m]]] != stamp_;
            has_it_[unit_[member[m]]] = stamp_;
        }
        return (least_units_ - units) / least_units_;
    }

    double lacks(const Rule& rule, const std::uint32_t* member, std::size_t size) {
        if (rule.kind == RuleKind::spread) return spread(rule, member, size);
        if (rule.kind == RuleKind::p_percent || rule.kind == RuleKind::dominance)
            return contributed(rule, member, size);
        return counted(rule, member, size);
    }

    // p %: the others but the largest two make at least p % of the largest. Dominance: the largest n make at most a share of all.
    // For any two contributors u, v the first says that all others make p % of u, for any n of them the second that they make at
    // most that share: both add up over groups, so that a union of groups that hold does, also where a unit is in several.
    double contributed(const Rule& rule, const std::uint32_t* member, std::size_t size) {
        add_up(rule, member, size);
        const std::size_t n = std::min(
            sorted_.size(), rule.kind == RuleKind::p_percent ? std::size_t{2} : static_cast<std::size_t>(rule.c));
        double top = 0.0, rest = 0.0;
        for (std::size_t i = sorted_.size(); i-- > n;) rest += sorted_[i];
        for (std::size_t i = n; i-- > 0;) top += sorted_[i];
        const double all = top + rest, share = rule.limit / 100.0;
        if (!(all > 0.0)) return 0.0;
        if (rule.kind == RuleKind::dominance)
            return top <= share * all * (1 + rounding) ? 0.0 : (top / all - share) / (1 - share) + 1e-9;
        const double needed = share * sorted_[0];
        return rest >= needed - rounding * all ? 0.0 : 1.0 - rest / needed;
    }

    // The amounts of the contributors, records or units, largest first.
    void add_up(const Rule& rule, const std::uint32_t* member, std::size_t size) {
        sorted_.clear();
        amount_.clear();
        for (std::size_t m = 0; m < size; ++m)
            amount_.emplace_back(unit_.empty() ? m : std::size_t{unit_[member[m]]}, rule.value[member[m]]);
        if (!unit_.empty()) std::sort(amount_.begin(), amount_.end());
        for (std::size_t m = 0; m < size; ++m) {
            if (m == 0 || amount_[m].first != amount_[m - 1].first) sorted_.push_back(0.0);
            sorted_.back() += amount_[m].second;
        }
        std::sort(sorted_.rbegin(), sorted_.rend());
    }

    static double spread(const Rule& rule, const std::uint32_t* member, std::size_t size) {
        double low = 0.0, high = 0.0;
        bool any = false;
        for (std::size_t m = 0; m < size; ++m) {
            const double value = rule.value[member[m]];
            if (std::isnan(value)) continue;
            low = any ? std::min(low, value) : value;
            high = any ? std::max(high, value) : value;
            any = true;
        }
        if (any && high - low >= rule.limit * (1 - rounding)) return 0.0;
        return any ? 1.0 - (high - low) / rule.limit : 1.0;
    }

    // Whether there are l different values, found without sorting: groups are small.
    bool has_values(const Rule& rule) const {
        std::size_t found = 0;
        const auto wanted = static_cast<std::size_t>(std::ceil(rule.limit - rounding));
        for (std::size_t m = 0; m < changed_.size() && found < wanted; ++m) {
            const std::uint32_t code = rule.code[changed_[m]];
            bool fresh = code != none;
            for (std::size_t b = 0; b < m && fresh; ++b) fresh = rule.code[changed_[b]] != code;
            found += fresh;
        }
        return found >= wanted;
    }

    double counted(const Rule& rule, const std::uint32_t* member, std::size_t size) {
        tally(rule, member, size, none);
        switch (rule.kind) {
            case RuleKind::distinct:
                return lacking(rule.limit, unit_.empty() ? static_cast<double>(found_.size()) : different(rule));
            case RuleKind::entropy: return lacking(std::log(rule.limit), entropy()) + shared_by_all() / rule.limit;
            case RuleKind::recursive: return recursive(rule) + shared_by_all() / rule.limit;
            case RuleKind::alpha: return larger_share(rule);
            case RuleKind::equal:
                return beyond(rule, equal(rule.share)) + beyond(rule, with_missing(rule, member, size));
            default: return beyond(rule, ordered(rule)) + beyond(rule, with_missing(rule, member, size));
        }
    }

    // How far the group is from the table where missing is a value: by all shares, or by that of missing ones where values have an order.
    double with_missing(const Rule& rule, const std::uint32_t* member, std::size_t size) {
        if (rule.full.back() == 0.0 || size == 0) return 0.0;
        const auto missing = static_cast<std::uint32_t>(rule.full.size() - 1);
        tally(rule, member, size, missing);
        if (rule.kind == RuleKind::equal) return equal(rule.full);
        const double here = found_.back().code == missing ? found_.back().weight / records_ : 0.0;
        return std::abs(here - rule.full.back());
    }

    // The values of the group, in order: how many records or units have each, and the weight that these give it. A missing one
    // counts as the code `missing`, or not.
    void tally(const Rule& rule, const std::uint32_t* member, std::size_t size, std::uint32_t missing) {
        const std::vector<std::uint32_t>& unit = rule.unit.empty() ? unit_ : rule.unit;
        found_.clear();
        pair_.clear();
        for (std::size_t m = 0; m < size; ++m)
            if (const std::uint32_t code = rule.code[member[m]] == none ? missing : rule.code[member[m]]; code != none)
                pair_.push_back(std::uint64_t{code} << 32 | (unit.empty() ? m : std::size_t{unit[member[m]]}));
        std::sort(pair_.begin(), pair_.end());
        if (!unit_.empty()) pair_.erase(std::unique(pair_.begin(), pair_.end()), pair_.end());
        records_ = unit_.empty() ? static_cast<double>(pair_.size()) : count_values_of_units();
        for (std::size_t p = 0; p < pair_.size(); ++p) {
            const auto code = static_cast<std::uint32_t>(pair_[p] >> 32);
            if (found_.empty() || found_.back().code != code) found_.push_back({code, p, 0.0, 0.0});
            found_.back().number += 1.0;
            found_.back().weight += unit_.empty() ? 1.0 : 1.0 / values_of_[unit_at(p)];
        }
    }

    std::uint32_t unit_at(std::size_t p) const { return static_cast<std::uint32_t>(pair_[p]); }

    // How many different values each unit has, and the number of units.
    double count_values_of_units() {
        double units = 0.0;
        for (std::size_t p = 0; p < pair_.size(); ++p) values_of_[unit_at(p)] = 0.0;
        for (std::size_t p = 0; p < pair_.size(); ++p) units += (values_of_[unit_at(p)] += 1.0) == 1.0;
        return units;
    }

    // 1 and the fewest values, as far as the limit, that the units without some value have beside it.
    double different(const Rule& rule) {
        auto least = static_cast<std::size_t>(std::ceil(rule.limit - rounding));
        for (std::size_t v = 0; v < found_.size(); ++v) {
            ++stamp_;
            for (std::size_t p = found_[v].start; p < stop_of(v); ++p) has_it_[unit_at(p)] = stamp_;
            std::size_t others = 1;
            for (std::size_t w = 0; w < found_.size() && others < least; ++w) others += w != v && some_without(w);
            least = std::min(least, others);
        }
        return found_.empty() ? 0.0 : static_cast<double>(least);
    }

    std::size_t stop_of(std::size_t v) const { return v + 1 < found_.size() ? found_[v + 1].start : pair_.size(); }

    bool some_without(std::size_t w) const {
        for (std::size_t p = found_[w].start; p < stop_of(w); ++p)
            if (has_it_[unit_at(p)] != stamp_) return true;
        return false;
    }

    // Whether there is a value that every unit has; without units it is one of several, as other rules see to.
    bool shared_by_all() const {
        return !unit_.empty() &&
               std::any_of(found_.begin(), found_.end(), [&](const Value& value) { return value.number == records_; });
    }

    double entropy() const {
        double sum = 0.0;
        for (const Value& value : found_) sum -= value.weight / records_ * std::log(value.weight / records_);
        return sum;
    }

    // r_1 < c (r_l + ... + r_m), r the numbers of the values, largest first.
    double recursive(const Rule& rule) {
        sorted_.clear();
        for (const Value& value : found_) sorted_.push_back(value.number);
        std::sort(sorted_.rbegin(), sorted_.rend());
        double rest = 0.0;
        for (std::size_t i = static_cast<std::size_t>(rule.limit) - 1; i < sorted_.size(); ++i) rest += sorted_[i];
        if (sorted_.empty()) return 1.0;
        if (sorted_[0] < rule.c * rest * (1 - 1e-12)) return 0.0;
        return (sorted_[0] - rule.c * rest) / records_ + 1e-6;  // missed by nothing is missed, too
    }

    // The share of the most frequent value above alpha; a group without a known value fails.
    double larger_share(const Rule& rule) const {
        double most = 0.0;
        for (const Value& value : found_) most = std::max(most, value.number);
        if (found_.empty()) return 1.0;
        return most <= rule.limit * records_ * (1 + rounding) ? 0.0 : most / records_ - rule.limit;
    }

    static double beyond(const Rule& rule, double distance) {
        return distance <= rule.limit + rounding ? 0.0 : distance - rule.limit;
    }

    double equal(const std::vector<double>& share) const {
        double sum = 0.0;
        for (const Value& value : found_) sum += std::max(0.0, value.weight / records_ - share[value.code]);
        return sum;
    }

    // The sum over all values of the differences of the cumulated shares, over m - 1. Between two values of the group its
    // share stays and the table's rises, so that one search finds where they cross.
    double ordered(const Rule& rule) const {
        const std::size_t m = rule.share.size();
        if (m < 2 || found_.empty()) return 0.0;  // nothing is known that could be far
        double sum = 0.0, have = 0.0;
        std::size_t from = 0;
        for (std::size_t g = 0; g <= found_.size(); ++g) {
            const std::size_t to = g < found_.size() ? found_[g].code : m - 1;
            if (to > from) sum += apart(rule, from, to, have);
            if (g < found_.size()) have += found_[g].weight / records_;
            from = std::max(from, to);
        }
        return sum / static_cast<double>(m - 1);
    }

    // sum over i in [from, to) of |below[i + 1] - have|
    static double apart(const Rule& rule, std::size_t from, std::size_t to, double have) {
        const auto begin = rule.below.begin() + 1;
        const auto cross = static_cast<std::size_t>(
            std::lower_bound(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to), have) -
            begin);
        const double low = static_cast<double>(cross - from) * have - (rule.total[cross] - rule.total[from]);
        const double high = (rule.total[to] - rule.total[cross]) - static_cast<double>(to - cross) * have;
        return low + high;
    }

    std::vector<Rule> rules_;
    std::vector<std::uint32_t> unit_, changed_;
    std::vector<std::uint64_t> pair_;
    std::vector<Value> found_;
    std::vector<double> values_of_;  // of every unit, the number of its different values in the group
    std::vector<std::uint64_t>
        has_it_;  // of every unit: `stamp_` where it has the value, or is in the group, in question
    std::uint64_t stamp_ = 0;
    double least_units_ = 0.0;
    std::vector<std::pair<std::size_t, double>> amount_;
    std::vector<double> sorted_;
    double records_ = 0.0;
};

}  // namespace covey::space
