// The problem of Akagi & Nakano: points on a line with colours; clusters of at least l points, all of different colours.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "../poll.hpp"

namespace covey::diverse {

enum class Objective { max, sum, sse };

// x ascends; colours are 0 .. m-1. A solution exists: no colour has more than n / l points.
struct Instance {
    const double* x;
    const std::int32_t* colour;
    std::size_t n, m, l;
};

// The cluster of every point.
using Clusters = std::vector<std::int32_t>;

// Looks for Ctrl-C (which throws) and at the clock.
class Watch {
  public:
    using Time = std::chrono::steady_clock;
    Watch(Poll poll, double seconds)
        : poll_(poll), end_(Time::now() + to_duration(seconds)), limited_(seconds < forever) {}

    // Whether time is up, after some more steps.
    bool late(int steps) {
        poll_.tick(steps);
        if (limited_ && (countdown_ -= steps) <= 0) {
            countdown_ = period;
            late_ = late_ || Time::now() >= end_;
        }
        return late_;
    }
    bool late() {
        late_ = late_ || (limited_ && Time::now() >= end_);
        return late_;
    }

  private:
    static constexpr double forever = 1e8;
    static constexpr int period = 1 << 14;
    static Time::duration to_duration(double seconds) {
        return std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(std::min(seconds, forever)));
    }
    Poll poll_;
    Time::time_point end_;
    bool limited_, late_ = false;
    int countdown_ = period;
};

// Some solution: again and again the leftmost point left, every colour that would else become too frequent for the rest,
// and the nearest points of other colours up to l. With n = ql + r points left and no colour above q, the colours at q
// and the leftmost point are at most 2l - 1, and without them no colour is above (n - size) / l.
inline Clusters greedy(const Instance& given, Watch& watch) {
    std::vector<std::vector<std::size_t>> points(given.m);
    for (std::size_t i = given.n; i-- > 0;) points[static_cast<std::size_t>(given.colour[i])].push_back(i);
    std::set<std::pair<std::size_t, std::size_t>> heads, counts;
    for (std::size_t c = 0; c < given.m; ++c) {
        if (points[c].empty()) continue;
        heads.emplace(points[c].back(), c);
        counts.emplace(points[c].size(), c);
    }
    Clusters label(given.n);
    std::vector<std::size_t> chosen;
    std::vector<bool> taken(given.m);
    const auto take = [&](std::size_t c) {
        if (taken[c]) return;
        taken[c] = true;
        chosen.push_back(c);
    };
    std::int32_t cluster = 0;
    for (std::size_t left = given.n; left > 0; left -= chosen.size(), ++cluster) {
        watch.late(16);
        chosen.clear();
        take(heads.begin()->second);
        std::size_t size = left < 2 * given.l ? left : given.l;
        for (auto most = counts.rbegin(); most != counts.rend() && given.l * most->first > left - size; ++most) {
            take(most->second);
            size = std::max(size, chosen.size());
        }
        for (auto head = heads.begin(); chosen.size() < size; ++head) take(head->second);
        for (const std::size_t c : chosen) {
            taken[c] = false;
            label[points[c].back()] = cluster;
            heads.erase({points[c].back(), c});
            counts.erase({points[c].size(), c});
            points[c].pop_back();
            if (points[c].empty()) continue;
            heads.emplace(points[c].back(), c);
            counts.emplace(points[c].size(), c);
        }
    }
    return label;
}

// Some solution that keeps equal values together: the fewest values from the left that have a solution of their own, then the
// next ones, `greedy` in each. What is left at the end joins those before it.
inline Clusters greedy_by_values(const Instance& given, Watch& watch) {
    std::vector<std::size_t> cuts{0}, count(given.m, 0);
    std::size_t most = 0;
    const auto add = [&](std::size_t i) { most = std::max(most, ++count[static_cast<std::size_t>(given.colour[i])]); };
    const auto feasible = [&](std::size_t stop) { return given.l * most <= stop - cuts.back(); };
    for (std::size_t i = 0; i < given.n; ++i) {
        add(i);
        if ((i + 1 < given.n && given.x[i + 1] == given.x[i]) || !feasible(i + 1)) continue;
        for (std::size_t j = cuts.back(); j <= i; ++j) count[static_cast<std::size_t>(given.colour[j])] = 0;
        most = 0;
        cuts.push_back(i + 1);
    }
    while (cuts.back() < given.n && !feasible(given.n)) {
        const std::size_t stop = cuts.back();
        cuts.pop_back();
        for (std::size_t j = cuts.back(); j < stop; ++j) add(j);
    }
    if (cuts.back() < given.n) cuts.push_back(given.n);
    Clusters label(given.n);
    std::int32_t clusters = 0;
    for (std::size_t c = 0; c + 1 < cuts.size(); ++c) {
        const Instance part{given.x + cuts[c], given.colour + cuts[c], cuts[c + 1] - cuts[c], given.m, given.l};
        const Clusters inside = greedy(part, watch);
        for (std::size_t i = 0; i < part.n; ++i) label[cuts[c] + i] = clusters + inside[i];
        clusters += 1 + *std::max_element(inside.begin(), inside.end());
    }
    return label;
}

// Whether values come in so many equal ones that it pays to keep them together.
inline bool has_ties(const Instance& given) {
    std::size_t values = 1;
    for (std::size_t i = 1; i < given.n; ++i) values += given.x[i] != given.x[i - 1];
    return values * 4 * std::max<std::size_t>(given.l, 2) <= given.n && given.m <= given.n / values;
}

// For every point the span of the narrowest window that holds it and l colours: its cluster is no narrower.
inline std::vector<double> narrowest_windows(const Instance& given) {
    const std::size_t n = given.n;
    std::vector<std::size_t> last(n, n), seen(given.m, 0);  // last[a]: where the window from a first holds l colours
    std::size_t colours = 0, stop = 0;
    for (std::size_t a = 0; a < n; ++a) {
        for (; colours < given.l && stop < n; ++stop)
            colours += seen[static_cast<std::size_t>(given.colour[stop])]++ == 0;
        if (colours < given.l) break;
        last[a] = stop - 1;
        colours -= --seen[static_cast<std::size_t>(given.colour[a])] == 0;
    }
    std::vector<double> narrowest(n);
    std::deque<std::size_t> open;  // starts whose window ends right of the point, spans ascending
    std::size_t before = 0;        // the starts whose window ends at the point or left of it
    const auto span = [&](std::size_t a) { return given.x[last[a]] - given.x[a]; };
    for (std::size_t p = 0; p < n; ++p) {
        if (last[p] < n) {
            while (!open.empty() && span(open.back()) >= span(p)) open.pop_back();
            open.push_back(p);
        }
        while (before < n && last[before] <= p) ++before;
        while (!open.empty() && open.front() < before) open.pop_front();
        const bool closed = before > 0;
        narrowest[p] = closed ? given.x[p] - given.x[before - 1] : span(open.front());
        if (!open.empty()) narrowest[p] = std::min(narrowest[p], span(open.front()));
    }
    return narrowest;
}

// Whether clusters of at most this span are refuted by counting: the points of one colour in an interval lie in as many
// clusters, which need l-1 others each, and no others are within reach of the interval. (Hall's condition, one colour against
// the rest.) O(n) a colour: of interval [i, j], (l-1) * colour - others is one term of j less one of i.
inline bool is_crowded(const Instance& given, std::int32_t colour, double span) {
    const auto need = static_cast<std::int64_t>(given.l) - 1;
    std::size_t left = 0, right = 0;
    std::int64_t others_left = 0, others_right = 0, own = 0, least = 0;  // others before `left`, `right`; own before i
    for (std::size_t i = 0; i < given.n; ++i) {
        for (; given.x[i] - given.x[left] > span; ++left) others_left += given.colour[left] != colour;
        for (; right < given.n && (right <= i || given.x[right] - given.x[i] <= span); ++right)
            others_right += given.colour[right] != colour;
        if (given.colour[i] != colour) continue;
        least = i == 0 || own == 0 ? need * own - others_left : std::min(least, need * own - others_left);
        ++own;
        if (need * own - others_right > least) return true;
    }
    return false;
}

// No solution has all spans below this: the widest of the narrowest windows, or more where a colour crowds.
inline double least_largest_span(const Instance& given, const std::vector<double>& narrowest, double upper) {
    double lower = *std::max_element(narrowest.begin(), narrowest.end());
    std::vector<std::size_t> count(given.m, 0);
    for (std::size_t i = 0; i < given.n; ++i) ++count[static_cast<std::size_t>(given.colour[i])];
    for (std::size_t c = 0; c < given.m; ++c) {
        if (count[c] * 64 < given.n) continue;
        const auto colour = static_cast<std::int32_t>(c);
        if (!(lower < upper) || !is_crowded(given, colour, lower)) continue;
        double crowded = lower, free = upper;
        for (double middle; middle = crowded + 0.5 * (free - crowded), crowded < middle && middle < free;)
            (is_crowded(given, colour, middle) ? crowded : free) = middle;
        lower = free;  // crowded at all spans below
    }
    return lower;
}

// The largest span, the sum of spans, or the sum of squares, from the points' distances to the first of their cluster.
inline double value_of(const Instance& given, Objective objective, const Clusters& label) {
    struct Sums {
        std::size_t first = 0, size = 0;
        double last = 0.0, sum = 0.0, squares = 0.0;
    };
    std::vector<Sums> cluster;
    for (std::size_t i = 0; i < given.n; ++i) {
        const auto c = static_cast<std::size_t>(label[i]);
        if (c >= cluster.size()) cluster.resize(c + 1);
        Sums& s = cluster[c];
        if (s.size++ == 0) s.first = i;
        const double d = given.x[i] - given.x[s.first];
        s.last = d;
        s.sum += d;
        s.squares += d * d;
    }
    double total = 0.0;
    for (const Sums& s : cluster) {
        if (objective == Objective::max) total = std::max(total, s.last);
        if (objective == Objective::sum) total += s.last;
        if (objective == Objective::sse) total += s.squares - s.sum * s.sum / static_cast<double>(s.size);
    }
    return total;
}

}  // namespace covey::diverse
