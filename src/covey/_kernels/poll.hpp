// Lets a caller stop a long kernel. The kernels call `poll()` about every million steps; it throws to stop.
#pragma once

#include <atomic>

namespace covey {

// What a poll throws in a thread whose work is no longer wanted, because the caller's own poll has thrown.
struct Stopped {};

class Poll {
  public:
    using Check = void (*)();
    explicit Poll(Check check) : check_(check) {}
    // For the threads of a kernel that are not the caller's.
    explicit Poll(const std::atomic<bool>& stop) : stop_(&stop) {}

    void operator()() const {
        if (check_ != nullptr) check_();
        if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) throw Stopped();
    }

    // For loops of small steps: checks once in `period` of them.
    void tick(int steps = 1) {
        if ((countdown_ -= steps) <= 0) {
            countdown_ = period;
            (*this)();
        }
    }

  private:
    static constexpr int period = 1 << 20;
    Check check_ = nullptr;
    const std::atomic<bool>* stop_ = nullptr;
    int countdown_ = period;
};

}  // namespace covey
