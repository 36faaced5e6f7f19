// Where each state came from, and the clusters that a chain of them stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "table.hpp"

namespace covey::treewidth {

enum class Kind : std::int8_t { leaf, introduce, forget, join };

struct Steps {
    std::size_t count;
    const std::int8_t* kind;  // children first: a step works on the last table that is left, a join on the last two
    const Vertex* vertex;     // of introduce and forget

    Kind at(std::size_t step) const { return static_cast<Kind>(kind[step]); }
};

class History {
  public:
    explicit History(Steps steps) : steps_(steps), entries_(steps.count), place_(steps.count) {}

    void keep(std::size_t step, const Table& table, std::size_t place) {
        place_[step] = static_cast<std::uint8_t>(place);
        entries_[step].reserve(table.states.size());
        for (const State& state : table.states)
            entries_[step].push_back({packed(state.cluster), state.from, state.other});
        count_ += table.states.size();
    }

    std::size_t bytes() const { return count_ * sizeof(Entry); }

    // The clusters of the first state of the last step: from there down, a vertex gets its cluster where it is forgotten.
    std::vector<Vertex> labels(std::size_t n) const {
        std::vector<Vertex> label(n, 0);
        Vertex next = 0;
        std::vector<Frame> frames{{0, {}}};
        for (std::size_t step = steps_.count; step-- > 0;) {
            Frame frame = std::move(frames.back());
            frames.pop_back();
            const Entry& entry = entries_[step][frame.entry];
            const auto place = static_cast<std::ptrdiff_t>(place_[step]);
            if (steps_.at(step) == Kind::join) {
                frames.push_back({entry.from, frame.names});
                frames.push_back({entry.other, std::move(frame.names)});
            } else if (steps_.at(step) == Kind::introduce) {
                frame.names.erase(frame.names.begin() + place);
                frames.push_back({entry.from, std::move(frame.names)});
            } else if (steps_.at(step) == Kind::forget) {
                const Vertex name = name_of(entries_[step - 1][entry.from].cluster, place_[step], frame.names, next);
                label[static_cast<std::size_t>(steps_.vertex[step])] = name;
                frame.names.insert(frame.names.begin() + place, name);
                frames.push_back({entry.from, std::move(frame.names)});
            }
        }
        return label;
    }

  private:
    struct Entry {
        std::uint64_t cluster;
        std::uint32_t from, other;
    };
    struct Frame {
        std::size_t entry;
        std::vector<Vertex> names;  // of the clusters at each place of the bag
    };

    static std::uint64_t packed(const Places& cluster) {
        std::uint64_t code = 0;
        for (std::size_t i = 0; i < most_in_bag; ++i) code |= static_cast<std::uint64_t>(cluster[i]) << (4 * i);
        return code;
    }
    static std::uint64_t unpacked(std::uint64_t code, std::size_t place) { return (code >> (4 * place)) & 15u; }

    // The name of the cluster at a place that is missing among the names: that of another place in it, else the next.
    static Vertex name_of(std::uint64_t code, std::size_t place, const std::vector<Vertex>& names, Vertex& next) {
        for (std::size_t i = 0; i < names.size(); ++i)
            if (unpacked(code, i < place ? i : i + 1) == unpacked(code, place)) return names[i];
        return next++;
    }

    Steps steps_;
    std::vector<std::vector<Entry>> entries_;
    std::vector<std::uint8_t> place_;
    std::size_t count_ = 0;
};

}  // namespace covey::treewidth
