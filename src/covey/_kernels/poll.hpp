// Lets a caller stop a long kernel. The kernels call `poll()` about every million steps; it throws to stop.
#pragma once

namespace covey {

class Poll {
  public:
    using Check = void (*)();
    explicit Poll(Check check) : check_(check) {}

    void operator()() const { check_(); }

    // For loops of small steps: checks once in `period` of them.
    void tick(int steps = 1) {
        if ((countdown_ -= steps) <= 0) {
            countdown_ = period;
            check_();
        }
    }

  private:
    static constexpr int period = 1 << 20;
    Check check_;
    int countdown_ = period;
};

}  // namespace covey
