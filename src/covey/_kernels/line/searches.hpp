// The searches of the paper, by name. Each fills best[b] of a Matrix for every column b > 0.
//
// Properties needed (S figure 2): classic: the cost is ordered minimisable; simple: and group sizes are bounded
// (splitting is beneficial); wilber, galil_park: it is concave instead; simple_plus, staggered: both.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "matrix.hpp"
#include "smawk.hpp"

namespace covey::line {

enum class SearchName { classic, simple, simple_plus, wilber, galil_park, staggered };

namespace search {

// The minimum of column b over rows [first, stop); the first of equals.
template <class M>
void settle_column(M& m, std::size_t b, std::size_t first, std::size_t stop) {
    m.set_base(first, stop);
    std::size_t row = first;
    double least = m.entry(first, b);
    for (std::size_t a = first + 1; a < stop; ++a) {
        const double value = m.entry(a, b);
        if (value < least) {
            least = value;
            row = a;
        }
    }
    m.settle(row, b, least);
}

// S algorithm 2: every start. O(n^2), less where a largest size was asked for.
template <class M>
void classic(M& m) {
    for (std::size_t b = 1; b < m.count(); ++b) settle_column(m, b, m.first_row(b), m.stop_row(b));
}

// S algorithm 2 for bounded sizes, which `first_row` knows. (The paper prints the bound as j-2k+2, one too high: a
// group of 2k-1 records that ends at j starts at j-2k+1.) O(kn).
template <class M>
void simple(M& m) {
    for (std::size_t b = 1; b < m.count(); ++b) settle_column(m, b, m.first_row(b), m.stop_row(b));
}

// The best row does not fall from column to column. O(kn).
template <class M>
void simple_plus(M& m) {
    std::size_t row = 0;
    for (std::size_t b = 1; b < m.count(); ++b) {
        settle_column(m, b, std::max(row, m.first_row(b)), m.stop_row(b));
        row = m.best[b];
    }
}

// S algorithm 1: blocks of columns narrow enough that all their rows are settled. O(n) with most < 2 * least.
template <class M>
void staggered(M& m, std::size_t least) {
    Smawk smawk;
    for (std::size_t b = 1; b < m.count();) {
        std::size_t stop = b + 1;
        while (stop < m.count() && m.cuts[stop] < m.cuts[b] + least) ++stop;
        const std::size_t first = m.first_row(b), last = m.stop_row(stop - 1);
        m.set_base(first, last);
        smawk.run(b, stop, first, last, [&](std::size_t column, std::size_t row) { return m.entry(row, column); });
        for (std::size_t column = b; column < stop; ++column)
            m.settle(smawk.argmin(column - b), column, smawk.minimum(column - b));
        b = stop;
    }
}

// Wilber 1988: guess the totals of the columns c+1..p from the rows r..c, use the guesses as rows, and keep them up to
// the first column where such a row wins. O(n).
template <class M>
void wilber(M& m) {
    const std::size_t n = m.count() - 1;
    const auto entry = [&](std::size_t column, std::size_t row) { return m.entry(row, column); };
    Smawk guess, check;
    std::size_t c = 0, r = 0;
    while (c < n) {
        const std::size_t p = std::min(2 * c - r + 1, n);
        m.set_base(r, c + 1);
        guess.run(c + 1, p + 1, r, c + 1, entry);
        for (std::size_t j = c + 1; j <= p; ++j) m.settle(guess.argmin(j - c - 1), j, guess.minimum(j - c - 1));
        std::size_t wrong = p + 1;
        if (p > c + 1) {
            check.run(c + 2, p + 1, c + 1, p, entry);
            for (std::size_t j = p; j >= c + 2; --j)
                if (check.minimum(j - c - 2) < guess.minimum(j - c - 1)) wrong = j;
        }
        if (wrong > p) {
            r = guess.argmin(p - c - 1);
            c = p;
        } else {
            m.settle(check.argmin(wrong - c - 2), wrong, check.minimum(wrong - c - 2));
            r = c + 1;
            c = wrong;
        }
    }
}

// Galil & Park 1990: as Wilber, but walks the guessed columns and stops where a newer row takes over, keeping the
// guesses that stay valid as one more row. O(n).
template <class M>
void galil_park(M& m) {
    constexpr double unknown = 0x1p1020;
    const std::size_t n = m.count() - 1;
    std::vector<double> guess(n + 1, unknown);       // least value of a column over the rows before c
    std::vector<std::uint32_t> guess_row(n + 1, 0);  // and where it is
    std::size_t known_stop = 0;                      // guesses from rows before r are kept for columns before this
    Smawk smawk;
    std::size_t c = 1, r = 0;
    while (c <= n) {
        const std::size_t p = std::min(2 * c - r, n);
        m.set_base(r, c);
        for (std::size_t j = c; j <= p && j < known_stop; ++j) m.lower_base(guess_row[j]);
        // Row 0 stands for the guesses that are kept, evaluated again with the new base; row i for row r+i-1.
        smawk.run(c, p + 1, known_stop > c ? 0 : 1, c - r + 1, [&](std::size_t column, std::size_t row) {
            if (row > 0) return m.entry(r + row - 1, column);
            return column < known_stop ? m.entry(guess_row[column], column) : unknown;
        });
        for (std::size_t j = c; j <= p; ++j) {
            const std::size_t row = smawk.argmin(j - c);
            guess[j] = smawk.minimum(j - c);
            if (row > 0) guess_row[j] = static_cast<std::uint32_t>(r + row - 1);
        }
        m.settle(guess_row[c], c, guess[c]);
        std::size_t j = c + 1;
        enum { finished, overtaken, fading } state = finished;
        for (; j <= p; ++j) {
            const double newest = m.entry(j - 1, j);
            if (newest < guess[j]) {
                m.settle(j - 1, j, newest);
                state = overtaken;
                break;
            }
            m.settle(guess_row[j], j, guess[j]);
            if (m.entry(j - 1, p) <= guess[p]) {
                state = fading;
                break;
            }
        }
        if (state == finished) {
            if (guess_row[p] >= r) {  // no row before it can win behind p, kept guesses included
                r = guess_row[p];
                known_stop = 0;
            }
            c = p + 1;
        } else if (state == overtaken) {
            r = j - 1;
            c = j + 1;
            known_stop = 0;
        } else {
            r = c;
            c = j + 1;
            known_stop = p + 1;
        }
    }
}

}  // namespace search

template <class M>
void run_search(SearchName name, M& m, std::size_t least) {
    switch (name) {
        case SearchName::classic: return search::classic(m);
        case SearchName::simple: return search::simple(m);
        case SearchName::simple_plus: return search::simple_plus(m);
        case SearchName::wilber: return search::wilber(m);
        case SearchName::galil_park: return search::galil_park(m);
        case SearchName::staggered: return search::staggered(m, least);
    }
}

}  // namespace covey::line
