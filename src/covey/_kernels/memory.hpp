// Uninitialised arrays for the kernels, on large pages where the system offers them on request.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(_WIN32)
#include <malloc.h>
#elif defined(__linux__)
#include <sys/mman.h>
#endif

namespace covey {

struct Free {
    void operator()(void* p) const noexcept {
#if defined(_WIN32)
        _aligned_free(p);
#else
        std::free(p);
#endif
    }
};

// A page fault costs as much as several passes over the page, so big arrays ask for large pages.
inline void* allocate_bytes(std::size_t bytes) {
    constexpr std::size_t large = std::size_t{1} << 21;
    const std::size_t alignment = bytes >= 2 * large ? large : 64;
    const std::size_t rounded = (bytes / alignment + 1) * alignment;
#if defined(_WIN32)
    void* p = _aligned_malloc(rounded, alignment);
#else
    void* p = std::aligned_alloc(alignment, rounded);
#endif
    if (p == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    if (alignment == large) madvise(p, rounded, MADV_HUGEPAGE);
#endif
    return p;
}

// For types without constructor or destructor only.
template <class T>
class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(std::size_t n) : data_(static_cast<T*>(allocate_bytes(n * sizeof(T)))), size_(n) {}
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_.get()[i]; }
    const T& operator[](std::size_t i) const { return data_.get()[i]; }
    T* release() {
        size_ = 0;
        return data_.release();
    }

  private:
    std::unique_ptr<T, Free> data_;
    std::size_t size_ = 0;
};

}  // namespace covey
