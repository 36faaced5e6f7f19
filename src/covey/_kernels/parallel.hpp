// Runs the same work on a few threads. Results never depend on how many: each thread writes its own places.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace covey {

// For tests: as many threads as this where there is work for them, whatever the machine has. 0: as many as it has.
inline std::size_t& threads_wanted() {
    static std::size_t count = 0;
    return count;
}

inline std::size_t cores() {
    return threads_wanted() != 0 ? threads_wanted() : std::max(1U, std::thread::hardware_concurrency());
}

// How many threads n records are worth: starting one costs as much as sorting some thousand.
inline std::size_t threads_for(std::size_t n) {
    return std::clamp<std::size_t>(n >> 17, 1, std::min<std::size_t>(cores(), 8));
}

// work(t) for t = 0 .. threads-1; work(0) on the calling thread. Throws what the first of them threw, after all ended.
template <class Work>
void in_parallel(std::size_t threads, const Work& work) {
    std::vector<std::exception_ptr> failed(threads);
    const auto guarded = [&](std::size_t t) {
        try {
            work(t);
        } catch (...) {
            failed[t] = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    others.reserve(threads - 1);
    try {
        while (others.size() + 1 < threads) others.emplace_back(guarded, others.size() + 1);
    } catch (const std::system_error&) {  // no more threads to be had: the caller does the rest
    }
    for (std::size_t t = others.size() + 1; t < threads; ++t) guarded(t);
    guarded(0);
    for (auto& other : others) other.join();
    for (const auto& error : failed)
        if (error) std::rethrow_exception(error);
}

}  // namespace covey
