// When to stop: Ctrl-C, the time limit, or too much memory.
#pragma once

#include <chrono>
#include <cstddef>

#include "../poll.hpp"

namespace covey::treewidth {

enum class Stop { time = 2, memory = 3 };

class Budget {
  public:
    Budget(Poll poll, double seconds, std::size_t most_bytes)
        : poll_(poll), seconds_(seconds), most_bytes_(most_bytes) {}

    // Once for every few steps of work; throws a `Stop`.
    void tick() {
        if (--countdown_ > 0) return;
        countdown_ = period;
        poll_.tick(1 << 16);
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
        if (spent.count() > seconds_) throw Stop::time;
    }

    void check_bytes(std::size_t bytes) const {
        if (bytes > most_bytes_) throw Stop::memory;
    }

  private:
    static constexpr int period = 1 << 12;
    Poll poll_;
    double seconds_;
    std::size_t most_bytes_;
    int countdown_ = period;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace covey::treewidth
