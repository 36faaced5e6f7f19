// A few doubles handled together: a vector register where the compiler has vector types, else a plain array.
#pragma once

#include <cstddef>

#include "vectorise.hpp"

namespace covey {

#if defined(__GNUC__) || defined(__clang__)

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

// The least of value(0..n), lane by lane; value.template at<W>(i) gives W of them. None is NaN.
template <int W, class Value>
COVEY_INLINE double least_over(const Value& value, std::size_t n) {
    double least = value.template at<1>(0)[0];
    std::size_t i = 0;
    if (n >= W) {
        Lanes<W> lanes = value.template at<W>(0);
        for (; i + W <= n; i += W) {
            const Lanes<W> here = value.template at<W>(i);
            lanes = where_less(here, lanes, here, lanes);
        }
        for (int l = 0; l < W; ++l) least = lanes[l] < least ? lanes[l] : least;
    }
    for (; i < n; ++i) {
        const double here = value.template at<1>(i)[0];
        least = here < least ? here : least;
    }
    return least;
}

struct Plain {
    const double* x;
    template <int W>
    COVEY_INLINE Lanes<W> at(std::size_t i) const {
        return Lanes<W>::load(x + i);
    }
};

template <int W>
COVEY_INLINE double least_of(const double* x, std::size_t n) {
    return least_over<W>(Plain{x}, n);
}

}  // namespace covey
