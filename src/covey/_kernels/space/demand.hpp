// What the sensitive values of every group must satisfy, and how far a group is from it.
//
// All rules stay true when two groups that satisfy them become one (but for values counted once for a unit that is in both);
// a single record more can break entropy, recursion and closeness. A rule looks at the codes of a group, sorted: O(s log s) for s records.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "points.hpp"

namespace covey::space {

enum class RuleKind { distinct, entropy, recursive, equal, ordered, spread, p_percent, dominance };

struct Rule {
    RuleKind kind;
    std::vector<std::uint32_t> code;  // of every record; `none` where it is missing and does not count
    double limit;                     // l, t, the least spread, or a percentage
    double c;                         // of the recursive form; the number of contributors of dominance
    std::vector<double> share;        // of every value in the whole table (equal, ordered)
    std::vector<double> value;        // of every record (spread); its amount, at least 0 (p_percent, dominance)
    std::vector<double> below, total; // the shares cumulated, and cumulated again (ordered)
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
        rules_.push_back(std::move(rule));
    }

    // With units a value counts once for every unit that has it.
    void count_units(std::vector<std::uint32_t> unit) { unit_ = std::move(unit); }

    // 0 where all rules hold; more the farther it is from that.
    double deficit(const std::uint32_t* member, std::size_t size) {
        double sum = 0.0;
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
        if (!unit_.empty()) return false;
        for (const Rule& rule : rules_)
            if (rule.value.empty() ? rule.code[x] != rule.code[y] : rule.value[x] != rule.value[y]) return false;
        return true;
    }

  private:
    static constexpr double rounding = 1e-13;

    static double lacking(double limit, double have) { return have >= limit - rounding ? 0.0 : (limit - have) / limit; }

    double lacks(const Rule& rule, const std::uint32_t* member, std::size_t size) {
        if (rule.kind == RuleKind::spread) return spread(rule, member, size);
        if (rule.kind == RuleKind::p_percent || rule.kind == RuleKind::dominance) return contributed(rule, member, size);
        return counted(rule, member, size);
    }

    // p %: the others but the largest two make at least p % of the largest. Dominance: the largest n make at most a share of all.
    // For any two contributors u, v the first says that all others make p % of u, for any n of them the second that they make at
    // most that share: both add up over groups, so that a union of groups that hold does, also where a unit is in several.
    double contributed(const Rule& rule, const std::uint32_t* member, std::size_t size) {
        add_up(rule, member, size);
        const std::size_t n = std::min(sorted_.size(), rule.kind == RuleKind::p_percent ? std::size_t{2} : static_cast<std::size_t>(rule.c));
        double top = 0.0, rest = 0.0;
        for (std::size_t i = sorted_.size(); i-- > n;) rest += sorted_[i];
        for (std::size_t i = n; i-- > 0;) top += sorted_[i];
        const double all = top + rest, share = rule.limit / 100.0;
        if (!(all > 0.0)) return 0.0;
        if (rule.kind == RuleKind::dominance) return top <= share * all * (1 + rounding) ? 0.0 : (top / all - share) / (1 - share) + 1e-9;
        const double needed = share * sorted_[0];
        return rest >= needed - rounding * all ? 0.0 : 1.0 - rest / needed;
    }

    // The amounts of the contributors, records or units, largest first.
    void add_up(const Rule& rule, const std::uint32_t* member, std::size_t size) {
        sorted_.clear();
        amount_.clear();
        for (std::size_t m = 0; m < size; ++m) amount_.emplace_back(unit_.empty() ? m : std::size_t{unit_[member[m]]}, rule.value[member[m]]);
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
        tally(rule, member, size);
        switch (rule.kind) {
            case RuleKind::distinct: return lacking(rule.limit, static_cast<double>(number_.size()));
            case RuleKind::entropy: return lacking(std::log(rule.limit), entropy());
            case RuleKind::recursive: return recursive(rule);
            case RuleKind::equal: return beyond(rule, equal(rule));
            default: return beyond(rule, ordered(rule));
        }
    }

    // The values of the group, in order, and how often each occurs.
    void tally(const Rule& rule, const std::uint32_t* member, std::size_t size) {
        number_.clear();
        records_ = 0.0;
        pair_.clear();
        for (std::size_t m = 0; m < size; ++m)
            if (const std::uint32_t code = rule.code[member[m]]; code != none)
                pair_.push_back(std::uint64_t{code} << 32 | (unit_.empty() ? m : std::size_t{unit_[member[m]]}));
        std::sort(pair_.begin(), pair_.end());
        if (!unit_.empty()) pair_.erase(std::unique(pair_.begin(), pair_.end()), pair_.end());
        for (std::uint64_t pair : pair_) {
            const auto code = static_cast<std::uint32_t>(pair >> 32);
            if (number_.empty() || number_.back().first != code) number_.emplace_back(code, 0.0);
            number_.back().second += 1.0;
        }
        records_ = static_cast<double>(pair_.size());
    }

    double entropy() const {
        double sum = 0.0;
        for (const auto& [code, number] : number_) sum -= number / records_ * std::log(number / records_);
        return sum;
    }

    // r_1 < c (r_l + ... + r_m), r the numbers of the values, largest first.
    double recursive(const Rule& rule) {
        sorted_.clear();
        for (const auto& [code, number] : number_) sorted_.push_back(number);
        std::sort(sorted_.rbegin(), sorted_.rend());
        double rest = 0.0;
        for (std::size_t i = static_cast<std::size_t>(rule.limit) - 1; i < sorted_.size(); ++i) rest += sorted_[i];
        if (sorted_.empty()) return 1.0;
        if (sorted_[0] < rule.c * rest * (1 - 1e-12)) return 0.0;
        return (sorted_[0] - rule.c * rest) / records_ + 1e-6;  // missed by nothing is missed, too
    }

    static double beyond(const Rule& rule, double distance) { return distance <= rule.limit + rounding ? 0.0 : distance - rule.limit; }

    double equal(const Rule& rule) const {
        double sum = 0.0;
        for (const auto& [code, number] : number_) sum += std::max(0.0, number / records_ - rule.share[code]);
        return sum;
    }

    // The sum over all values of the differences of the cumulated shares, over m - 1. Between two values of the group its
    // share stays and the table's rises, so that one search finds where they cross.
    double ordered(const Rule& rule) const {
        const std::size_t m = rule.share.size();
        if (m < 2) return 0.0;
        double sum = 0.0, have = 0.0;
        std::size_t from = 0;
        for (std::size_t g = 0; g <= number_.size(); ++g) {
            const std::size_t to = g < number_.size() ? number_[g].first : m - 1;
            if (to > from) sum += apart(rule, from, to, have);
            if (g < number_.size()) have += number_[g].second / records_;
            from = std::max(from, to);
        }
        return sum / static_cast<double>(m - 1);
    }

    // sum over i in [from, to) of |below[i + 1] - have|
    static double apart(const Rule& rule, std::size_t from, std::size_t to, double have) {
        const auto begin = rule.below.begin() + 1;
        const auto cross = static_cast<std::size_t>(
            std::lower_bound(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to), have) - begin);
        const double low = static_cast<double>(cross - from) * have - (rule.total[cross] - rule.total[from]);
        const double high = (rule.total[to] - rule.total[cross]) - static_cast<double>(to - cross) * have;
        return low + high;
    }

    std::vector<Rule> rules_;
    std::vector<std::uint32_t> unit_, changed_;
    std::vector<std::uint64_t> pair_;
    std::vector<std::pair<std::uint32_t, double>> number_;
    std::vector<std::pair<std::size_t, double>> amount_;
    std::vector<double> sorted_;
    double records_ = 0.0;
};

}  // namespace covey::space
