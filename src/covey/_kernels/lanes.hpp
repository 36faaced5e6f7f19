// A few doubles handled together: a vector register where the compiler has vector types, else a plain array.
#pragma once

#include <cstddef>

#include "vectorise.hpp"

namespace covey {

#if COVEY_EXTENSIONS

template <int L>
struct Lanes {
    typedef double Vector __attribute__((vector_size(L * sizeof(double))));
    Vector v;

    COVEY_INLINE static Lanes load(const double* p) {
        Lanes r;
        __builtin_memcpy(&r.v, p, sizeof r.v);
        return r;
    }
    // p[L-1], ..., p[0]
    COVEY_INLINE static Lanes load_reversed(const double* p) {
        Lanes r;
        for (int l = 0; l < L; ++l) reinterpret_cast<double*>(&r.v)[l] = p[L - 1 - l];
        return r;
    }
    COVEY_INLINE static Lanes all(double x) { return {Vector{} + x}; }
    COVEY_INLINE void store(double* p) const { __builtin_memcpy(p, &v, sizeof v); }
    COVEY_INLINE double operator[](int l) const {
        double lane[L];
        store(lane);
        return lane[l];
    }
    friend COVEY_INLINE Lanes operator+(Lanes a, Lanes b) { return {a.v + b.v}; }
    friend COVEY_INLINE Lanes operator-(Lanes a, Lanes b) { return {a.v - b.v}; }
    friend COVEY_INLINE Lanes operator*(Lanes a, Lanes b) { return {a.v * b.v}; }
    // Lane by lane: where a < b, yes, else no. A comparison with NaN is false.
    friend COVEY_INLINE Lanes where_less(Lanes a, Lanes b, Lanes yes, Lanes no) { return {a.v < b.v ? yes.v : no.v}; }
};

#else

template <int L>
struct Lanes {
    double v[L];

    static Lanes load(const double* p) {
        Lanes r;
        for (int l = 0; l < L; ++l) r.v[l] = p[l];
        return r;
    }
    static Lanes load_reversed(const double* p) {
        Lanes r;
        for (int l = 0; l < L; ++l) r.v[l] = p[L - 1 - l];
        return r;
    }
    static Lanes all(double x) {
        Lanes r;
        for (int l = 0; l < L; ++l) r.v[l] = x;
        return r;
    }
    void store(double* p) const {
        for (int l = 0; l < L; ++l) p[l] = v[l];
    }
    double operator[](int l) const { return v[l]; }
    friend Lanes operator+(Lanes a, Lanes b) {
        for (int l = 0; l < L; ++l) a.v[l] += b.v[l];
        return a;
    }
    friend Lanes operator-(Lanes a, Lanes b) {
        for (int l = 0; l < L; ++l) a.v[l] -= b.v[l];
        return a;
    }
    friend Lanes operator*(Lanes a, Lanes b) {
        for (int l = 0; l < L; ++l) a.v[l] *= b.v[l];
        return a;
    }
    friend Lanes where_less(Lanes a, Lanes b, Lanes yes, Lanes no) {
        for (int l = 0; l < L; ++l) no.v[l] = a.v[l] < b.v[l] ? yes.v[l] : no.v[l];
        return no;
    }
};

#endif

// The least of n values, which are not NaN.
template <int W>
COVEY_INLINE double least_of(const double* x, std::size_t n) {
    using V = Lanes<W>;
    double least = x[0];
    std::size_t i = 0;
    if (n >= W) {
        V lanes = V::load(x);
        for (; i + W <= n; i += W) {
            const V here = V::load(x + i);
            lanes = where_less(here, lanes, here, lanes);
        }
        for (int l = 0; l < W; ++l) least = lanes[l] < least ? lanes[l] : least;
    }
    for (; i < n; ++i) least = x[i] < least ? x[i] : least;
    return least;
}

}  // namespace covey
