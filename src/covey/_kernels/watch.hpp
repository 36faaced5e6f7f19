// Many pieces of work on all cores, watched by the caller: it can stop them within a moment, and hears how far they are.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>

#include "parallel.hpp"
#include "poll.hpp"

namespace covey {

// The caller's poll, and its ear for the share of the whole work that is done: from `from` to `to` in this part of it.
struct Watch {
    Poll poll;
    std::function<void(double)> tell = {};
    double from = 0.0, to = 1.0;

    Watch part(double first, double last) const {
        return {poll, tell, from + first * (to - from), from + last * (to - from)};
    }

    Watch part_of(std::size_t number, std::size_t parts) const {
        return part(static_cast<double>(number) / static_cast<double>(parts),
                    static_cast<double>(number + 1) / static_cast<double>(parts));
    }

    void operator()(double share) const {
        poll();
        if (tell) tell(from + share * (to - from));
    }
};

// work(i, poll) for i = 0 .. items-1, in any order, on all cores. What the watch or any work throws ends all of them.
template <class Work>
void each_on_all_cores(std::size_t items, const Watch& watch, const Work& work) {
    const std::size_t workers = std::min(items, cores());
    if (workers < 2) {
        for (std::size_t i = 0; i < items; ++i) {
            work(i, watch.poll);
            watch(static_cast<double>(i + 1) / static_cast<double>(items));
        }
        return;
    }
    std::atomic<bool> stop{false};
    std::atomic<std::size_t> next{0}, done{0};
    std::mutex mutex;
    std::condition_variable ended;
    std::size_t running = workers;
    in_parallel(workers + 1, [&](std::size_t t) {
        try {
            if (t == 0) {  // the caller: the only one that a signal reaches
                std::unique_lock lock(mutex);
                while (!ended.wait_for(lock, std::chrono::milliseconds(50), [&] { return running == 0; })) {
                    lock.unlock();
                    watch(static_cast<double>(done) / static_cast<double>(items));
                    lock.lock();
                }
                return;
            }
            const Poll poll(stop);
            for (std::size_t i; !stop && (i = next.fetch_add(1)) < items; ++done) work(i, poll);
        } catch (const Stopped&) {
        } catch (...) {
            stop = true;
            if (t == 0) throw;
            const std::lock_guard lock(mutex);
            --running;
            ended.notify_one();
            throw;
        }
        const std::lock_guard lock(mutex);
        --running;
        ended.notify_one();
    });
}

}  // namespace covey
