// A short closed tour through all records: nearest point next, then 2-opt and Or-opt over lists of near neighbours.
//
// 2-opt turns a piece of the tour around, Or-opt moves one to three records in a row elsewhere; both only where one of
// the new edges leads to a near neighbour and is shorter than an edge it replaces. Records around which nothing changed
// are not looked at again. Heuristic; the turning of pieces makes a move O(n) at worst, O(sqrt n) as a rule.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "../poll.hpp"
#include "points.hpp"

namespace covey::space {

class Tour {
  public:
    Tour(const Points& points, std::vector<std::uint32_t> order, const std::uint32_t* lists, std::size_t m, Poll poll)
        : points_(points), lists_(lists), m_(m), poll_(poll), at_(std::move(order)), place_(points.n) {
        for (std::size_t p = 0; p < at_.size(); ++p) place_[at_[p]] = p;
    }

    // Shortens the tour until nothing helps; returns it opened at its longest edge.
    std::vector<std::uint32_t> run() {
        const std::size_t n = at_.size();
        if (n >= 5) shorten();
        std::size_t longest = 0;
        double length = -1.0;
        for (std::size_t p = 0; p < n; ++p)
            if (const double here = distance(at_[p], at_[(p + 1) % n]); here > length) {
                length = here;
                longest = p;
            }
        std::rotate(at_.begin(), at_.begin() + static_cast<std::ptrdiff_t>((longest + 1) % n), at_.end());
        return std::move(at_);
    }

  private:
    double distance(std::uint32_t a, std::uint32_t b) const {
        return std::sqrt(squared_distance(points_[a], points_[b], points_.d));
    }
    std::uint32_t next(std::uint32_t a) const { return at_[place_[a] + 1 == at_.size() ? 0 : place_[a] + 1]; }
    std::uint32_t previous(std::uint32_t a) const { return at_[place_[a] == 0 ? at_.size() - 1 : place_[a] - 1]; }

    void shorten() {
        std::deque<std::uint32_t> queue(at_.begin(), at_.end());
        std::vector<bool> queued(at_.size(), true);
        while (!queue.empty()) {
            const std::uint32_t a = queue.front();
            queue.pop_front();
            queued[a] = false;
            touched_.clear();
            while (two_opt(a) || or_opt(a)) poll_.tick(64);
            poll_.tick(static_cast<int>(m_));
            for (std::uint32_t t : touched_)
                if (!queued[t]) {
                    queued[t] = true;
                    queue.push_back(t);
                }
        }
    }

    // Turns the tour from place `first` to place `last`, both included, around; or the rest, if that is shorter.
    void turn(std::size_t first, std::size_t last) {
        const std::size_t n = at_.size();
        std::size_t length = (last + n - first) % n + 1;
        if (2 * length > n) {
            std::swap(first, last);
            first = (first + 1) % n;
            last = (last + n - 1) % n;
            length = n - length;
        }
        for (std::size_t s = 0; s < length / 2; ++s) {
            std::swap(at_[first], at_[last]);
            place_[at_[first]] = first;
            place_[at_[last]] = last;
            first = first + 1 == n ? 0 : first + 1;
            last = last == 0 ? n - 1 : last - 1;
        }
    }

    static bool pays(double gain, double scale) { return gain > 1e-9 * scale; }

    bool two_opt(std::uint32_t a) {
        for (const bool forward : {true, false}) {
            const std::uint32_t b = forward ? next(a) : previous(a);
            const double here = distance(a, b);
            for (std::size_t s = 0; s < m_; ++s) {
                const std::uint32_t c = lists_[a * m_ + s];
                const double to = distance(a, c);
                if (to >= here) break;
                const std::uint32_t e = forward ? next(c) : previous(c);
                if (c == b || e == a) continue;
                const double freed = here + distance(c, e), gain = freed - to - distance(b, e);
                if (!pays(gain, freed)) continue;
                forward ? turn(place_[b], place_[c]) : turn(place_[c], place_[b]);
                touched_.insert(touched_.end(), {a, b, c, e});
                return true;
            }
        }
        return false;
    }

    // Moves one to three records that begin with a next to a near neighbour c, either way round.
    bool or_opt(std::uint32_t a) {
        const std::size_t n = at_.size();
        for (const bool forward : {true, false}) {
            std::uint32_t end = a;
            for (std::size_t length = 1; length <= 3 && length + 2 < n; ++length) {
                if (length > 1) end = forward ? next(end) : previous(end);
                const std::uint32_t before = forward ? previous(a) : next(a),
                                    after = forward ? next(end) : previous(end);
                const double length_out = distance(before, a) + distance(end, after);
                const double freed = length_out - distance(before, after);
                for (std::size_t s = 0; s < m_; ++s) {
                    const std::uint32_t c = lists_[a * m_ + s];
                    const double to = distance(a, c);
                    if (to >= freed) break;
                    const std::size_t off = forward ? (place_[c] + n - place_[a]) % n : (place_[a] + n - place_[c]) % n;
                    if (off < length) continue;                // c is in the piece
                    for (const bool behind : {true, false}) {  // a beside c, the end beside the one behind or before c
                        const std::uint32_t e = behind ? next(c) : previous(c);
                        if (e == a || e == end) continue;
                        const double between = distance(c, e), gain = freed + between - to - distance(end, e);
                        if (!pays(gain, length_out + between)) continue;
                        relocate(a, c, e, length, forward);
                        touched_.insert(touched_.end(), {a, end, before, after, c, e});
                        return true;
                    }
                }
            }
        }
        return false;
    }

    // Takes the `length` records from a on out and puts them between c and e, a beside c.
    void relocate(std::uint32_t a, std::uint32_t c, std::uint32_t e, std::size_t length, bool forward) {
        const std::size_t n = at_.size();
        piece_.clear();
        for (std::size_t s = 0; s < length; ++s)
            piece_.push_back(at_[forward ? (place_[a] + s) % n : (place_[a] + n - s) % n]);
        const std::size_t first = place_[forward ? a : piece_.back()];
        const bool e_follows = next(c) == e;
        // Shift what lies between the piece and its new place by `length`, on the shorter way.
        const std::size_t low = e_follows ? place_[c] : place_[e];       // the new place is after this one
        const std::size_t ahead = (low + n - (first + length - 1)) % n;  // records to shift if the piece goes forward
        const std::size_t back = n - length - ahead;
        std::size_t to;
        if (ahead <= back) {
            for (std::size_t s = 0; s < ahead; ++s) put((first + s) % n, at_[(first + s + length) % n]);
            to = (first + ahead) % n;
        } else {
            for (std::size_t s = 0; s < back; ++s)
                put((first + length - 1 + n - s) % n, at_[(first + 2 * n - 1 - s) % n]);
            to = (first + n - back) % n;
        }
        for (std::size_t s = 0; s < length; ++s) put((to + s) % n, piece_[e_follows ? s : length - 1 - s]);
    }

    void put(std::size_t place, std::uint32_t record) {
        at_[place] = record;
        place_[record] = place;
    }

    Points points_;
    const std::uint32_t* lists_;
    std::size_t m_;
    Poll poll_;
    std::vector<std::uint32_t> at_;   // place -> record
    std::vector<std::size_t> place_;  // record -> place
    std::vector<std::uint32_t> touched_, piece_;
};

}  // namespace covey::space
