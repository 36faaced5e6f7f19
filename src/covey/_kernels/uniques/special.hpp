// Minimal sample uniques: sets of columns in which a record has values that no other record has, while every smaller part of the set
// has them in several records.
//
// Lemma 1: a record that is unique in a set of columns is unique in every larger one, and it changes no other record's class there.
// So it is left out of the classes from which larger sets are refined, and a set is refined from one of its parts alone.
// Lemma 2: with the sets as numbers, a bit a column, every part of a set is a smaller number. A tree in which a set's parent is the
// set without its lowest bit, walked children in ascending order, parents first, visits the sets in ascending order. So when a record
// becomes unique, all parts of the set were visited, and it is minimal there exactly if none of the record's sets is a part of it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "../poll.hpp"

namespace covey::uniques {

using Code = std::int32_t;
using Set = std::uint32_t;  // a bit a column

// Columns of n codes 0 .. values - 1 each, one after the other.
struct Table {
    const Code* codes;
    std::size_t n;
    std::vector<Code> values;

    int columns() const { return static_cast<int>(values.size()); }
    const Code* column(int j) const { return codes + static_cast<std::size_t>(j) * n; }
};

// The minimal sets of every record: those of record i end before ends[i].
struct Uniques {
    std::vector<std::int64_t> ends;
    std::vector<Set> sets;
};

class Search {
  public:
    Search(const Table& table, int most, Poll& poll)
        : table_(table), most_(most), poll_(poll), levels_(static_cast<std::size_t>(most) + 1),
          words_((combinations() + 63) / 64), unique_(table.n * words_, 0) {
        place_.assign(static_cast<std::size_t>(*std::max_element(table.values.begin(), table.values.end())), 0);
    }

    Uniques run() {
        Level& all = levels_[0];
        all.records.resize(table_.n);
        for (std::size_t i = 0; i < table_.n; ++i) all.records[i] = static_cast<Code>(i);
        all.ends.assign(1, table_.n);
        extend(0, 0, table_.columns());
        return minimal();
    }

  private:
    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

    // The records that are not unique so far, class after class.
    struct Level {
        std::vector<Code> records;
        std::vector<std::size_t> ends;
    };

    // How many sets there are to visit.
    std::size_t combinations() const {
        std::size_t all = 0, chosen = 1;
        for (int size = 1; size <= most_; ++size) {
            chosen = chosen * static_cast<std::size_t>(table_.columns() - size + 1) / static_cast<std::size_t>(size);
            all += chosen;
        }
        return all;
    }

    // Visits all sets that hold `set`, of `size` columns, and further columns below `lowest`.
    void extend(Set set, int size, int lowest) {
        for (int j = 0; j < lowest && size < most_; ++j) {
            const Set larger = set | Set{1} << j;
            visited_.push_back(larger);
            Level& next = levels_[static_cast<std::size_t>(size) + 1];
            refine(levels_[static_cast<std::size_t>(size)], next, table_.column(j));
            if (!next.ends.empty()) extend(larger, size + 1, j);
        }
    }

    // Splits every class by the values of a column; parts of one record are unique in the set visited last, and left out.
    void refine(const Level& from, Level& to, const Code* codes) {
        to.records.resize(from.records.size());
        to.ends.clear();
        std::size_t start = 0, written = 0;
        for (const std::size_t stop : from.ends) {
            poll_.tick(static_cast<int>(stop - start));
            for (std::size_t at = start; at < stop; ++at) {
                const Code value = codes[from.records[at]];
                if (place_[static_cast<std::size_t>(value)]++ == 0) seen_.push_back(value);
            }
            for (const Code value : seen_) {
                std::size_t& place = place_[static_cast<std::size_t>(value)];
                const std::size_t number = place;
                place = number == 1 ? nowhere : written;
                if (number > 1) to.ends.push_back(written += number);
            }
            for (std::size_t at = start; at < stop; ++at) {
                const Code record = from.records[at];
                std::size_t& place = place_[static_cast<std::size_t>(codes[record])];
                if (place == nowhere) mark(record);
                else to.records[place++] = record;
            }
            for (const Code value : seen_) place_[static_cast<std::size_t>(value)] = 0;
            seen_.clear();
            start = stop;
        }
        to.records.resize(written);
    }

    // The record is unique in the set visited last, and in no parent of it.
    void mark(Code record) {
        const std::size_t at = visited_.size() - 1;
        unique_[static_cast<std::size_t>(record) * words_ + at / 64] |= std::uint64_t{1} << (at % 64);
    }

    // Of the sets in which a record was found unique, those that have none of the others as a part.
    Uniques minimal() {
        Uniques result;
        result.ends.reserve(table_.n);
        for (std::size_t record = 0; record < table_.n; ++record) {
            const std::size_t first = result.sets.size();
            for (std::size_t word = 0; word < words_; ++word) {
                for (std::uint64_t bits = unique_[record * words_ + word]; bits != 0; bits &= bits - 1) {
                    const Set set = visited_[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
                    const auto is_part = [set](Set part) { return (part & ~set) == 0; };
                    if (std::none_of(result.sets.begin() + static_cast<std::ptrdiff_t>(first), result.sets.end(),
                                     is_part))
                        result.sets.push_back(set);
                }
            }
            poll_.tick(static_cast<int>(words_ + result.sets.size() - first));
            result.ends.push_back(static_cast<std::int64_t>(result.sets.size()));
        }
        return result;
    }

    const Table& table_;
    const int most_;
    Poll& poll_;
    std::vector<Level> levels_;
    std::vector<Set> visited_;
    const std::size_t words_;            // of bits of a record
    std::vector<std::uint64_t> unique_;  // a bit for each set visited
    std::vector<std::size_t> place_;     // of a value: zero between classes
    std::vector<Code> seen_;
};

}  // namespace covey::uniques
