// Run-time choice of the instruction set. A kernel's body is one always-inline function template over the number of
// doubles in a register; it is instantiated for the baseline and, where the compiler can, for AVX2 and, if the kernel
// says that it gains from it (Kernel::wide), for AVX-512.
//
// Contracting a*b+c into one rounding stays off (-ffp-contract=off), so both instances return the same bits.
//
// COVEY_PLAIN asks for what a compiler without these extensions gets: tests build it with one that has them.
// COVEY_NATIVE asks for one instance only, the one that this machine would choose: the sanitizers, which never run another.
#pragma once

#if (defined(__GNUC__) || defined(__clang__)) && !defined(COVEY_PLAIN)
#define COVEY_EXTENSIONS 1
#define COVEY_INLINE inline __attribute__((always_inline))
#else
#define COVEY_EXTENSIONS 0
#define COVEY_INLINE inline
#endif

#if defined(__x86_64__) && COVEY_EXTENSIONS && !defined(COVEY_NATIVE)
#define COVEY_X86_TARGETS 1
#else
#define COVEY_X86_TARGETS 0
#endif

namespace covey {

#if COVEY_X86_TARGETS
template <class Kernel, class... Args>
__attribute__((target("avx2"))) void run_avx2(Args... args) {
    Kernel::template run<4>(args...);
}

template <class Kernel, class... Args>
__attribute__((target("avx512f,avx512vl,avx512dq"))) void run_avx512(Args... args) {
    Kernel::template run<8>(args...);
}
#endif

// For tests: run the baseline, whatever the machine has.
inline bool& only_baseline() {
    static bool yes = false;
    return yes;
}

#if defined(COVEY_NATIVE) && defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
constexpr int narrow_baseline = 4, wide_baseline = 8;
#elif defined(COVEY_NATIVE) && defined(__AVX2__)
constexpr int narrow_baseline = 4, wide_baseline = 4;
#else
constexpr int narrow_baseline = 2, wide_baseline = 2;
#endif

template <class Kernel, class... Args>
void run_baseline(Args... args) {
    Kernel::template run<Kernel::wide ? wide_baseline : narrow_baseline>(args...);
}

// Kernel::run<W>, with W doubles to a register, compiled for the best instruction set this machine has.
template <class Kernel, class... Args>
auto fastest() -> void (*)(Args...) {
#if COVEY_X86_TARGETS
    if (only_baseline()) return &run_baseline<Kernel, Args...>;
    if constexpr (Kernel::wide)
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
            __builtin_cpu_supports("avx512dq"))
            return &run_avx512<Kernel, Args...>;
    if (__builtin_cpu_supports("avx2")) return &run_avx2<Kernel, Args...>;
#endif
    return &run_baseline<Kernel, Args...>;
}

template <class Kernel, class... Args>
void run_fastest(Args... args) {
    fastest<Kernel, Args...>()(args...);
}

}  // namespace covey
