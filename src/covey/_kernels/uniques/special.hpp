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
#include <cstddef>
#include <cstdint>
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
        : table_(table), most_(most), poll_(poll), levels_(static_cast<std::size_t>(most) + 1), last_(table.n, none) {
        const auto widest = std::max_element(table.values.begin(), table.values.end());
        place_.assign(widest == table.values.end() ? 0 : static_cast<std::size_t>(*widest), 0);
    }

    Uniques run() {
        Level& all = levels_[0];
        all.records.resize(table_.n);
        for (std::size_t i = 0; i < table_.n; ++i) all.records[i] = static_cast<Code>(i);
        all.ends.assign(1, table_.n);
        extend(0, 0, table_.columns());
        return collected();
    }

  private:
    static constexpr std::int64_t none = -1;

    // The records that are not unique so far, class after class.
    struct Level {
        std::vector<Code> records;
        std::vector<std::size_t> ends;
    };

    struct Link {
        Set set;
        std::int64_t before;
    };

    // Visits all sets that hold `set`, of `size` columns, and further columns below `lowest`.
    void extend(Set set, int size, int lowest) {
        for (int j = 0; j < lowest && size < most_; ++j) {
            const Set larger = set | Set{1} << j;
            refine(levels_[static_cast<std::size_t>(size)], levels_[static_cast<std::size_t>(size) + 1], j, larger);
            if (!levels_[static_cast<std::size_t>(size) + 1].ends.empty()) extend(larger, size + 1, j);
        }
    }

    // Splits every class by the values of a column; parts of one record are unique in `set`, and left out.
    void refine(const Level& from, Level& to, int column, Set set) {
        const Code* codes = table_.column(column);
        to.records.resize(from.records.size());
        to.ends.clear();
        std::size_t start = 0, written = 0;
        for (const std::size_t stop : from.ends) {
            poll_.tick(static_cast<int>(stop - start));
            count(from.records, start, stop, codes);
            for (const Code value : seen_) {
                const std::size_t number = place_[static_cast<std::size_t>(value)];
                place_[static_cast<std::size_t>(value)] = written;
                if (number > 1) to.ends.push_back(written += number);
            }
            // The count of a value that one record has was overwritten by a place that nobody is put at: `single_` tells them.
            std::size_t next_single = 0;
            for (std::size_t at = start; at < stop; ++at) {
                const Code record = from.records[at];
                if (next_single < singles_.size() && singles_[next_single] == record) {
                    ++next_single;
                    add(record, set);
                } else {
                    to.records[place_[static_cast<std::size_t>(codes[record])]++] = record;
                }
            }
            for (const Code value : seen_) place_[static_cast<std::size_t>(value)] = 0;
            start = stop;
        }
        to.records.resize(written);
    }

    // How many records of the class have each value (in `place_`), the values (`seen_`), and the records that are alone with theirs.
    void count(const std::vector<Code>& records, std::size_t start, std::size_t stop, const Code* codes) {
        seen_.clear();
        singles_.clear();
        for (std::size_t at = start; at < stop; ++at) {
            const Code value = codes[records[at]];
            if (place_[static_cast<std::size_t>(value)]++ == 0) seen_.push_back(value);
        }
        for (std::size_t at = start; at < stop; ++at)
            if (place_[static_cast<std::size_t>(codes[records[at]])] == 1) singles_.push_back(records[at]);
    }

    void add(Code record, Set set) {
        std::int64_t& last = last_[static_cast<std::size_t>(record)];
        for (std::int64_t at = last; at != none; at = links_[static_cast<std::size_t>(at)].before)
            if ((links_[static_cast<std::size_t>(at)].set & ~set) == 0) return;
        links_.push_back({set, last});
        last = static_cast<std::int64_t>(links_.size()) - 1;
    }

    Uniques collected() const {
        Uniques result;
        result.sets.reserve(links_.size());
        result.ends.reserve(table_.n);
        for (const std::int64_t last : last_) {
            for (std::int64_t at = last; at != none; at = links_[static_cast<std::size_t>(at)].before)
                result.sets.push_back(links_[static_cast<std::size_t>(at)].set);
            result.ends.push_back(static_cast<std::int64_t>(result.sets.size()));
        }
        return result;
    }

    const Table& table_;
    const int most_;
    Poll& poll_;
    std::vector<Level> levels_;
    std::vector<std::int64_t> last_;  // the newest link of every record
    std::vector<Link> links_;
    std::vector<std::size_t> place_;  // of a value: zero between classes
    std::vector<Code> seen_, singles_;
};

}  // namespace covey::uniques
