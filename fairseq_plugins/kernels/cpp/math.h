// exp, tanh and sigmoid that compilers turn into vector instructions in float; double takes the standard library's,
// for it serves comparisons with the naive truths, not speed.
#pragma once

#include <cmath>
#include <cstdint>

namespace kernels {

inline double exponential(double x) { return std::exp(x); }
inline double hyperbolic_tangent(double x) { return std::tanh(x); }

// Cody and Waite's reduction and the polynomial of Cephes' expf: within 2 ulp; saturates instead of overflowing.
inline float exponential(float x) {
    x = x < -87.0f ? -87.0f : x;
    x = x > 88.0f ? 88.0f : x;
    const float n = std::rint(x * 1.44269504f);
    const float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    const float mantissa = p * r * r + r + 1.0f;
    const std::int32_t bits = (static_cast<std::int32_t>(n) + 127) << 23;
    return mantissa * __builtin_bit_cast(float, bits);
}

// Cephes' tanhf: a polynomial near 0, where 1 - 2 / (exp(2x) + 1) would cancel.
inline float hyperbolic_tangent(float x) {
    const float size = std::fabs(x), square = x * x;
    const float large = 1.0f - 2.0f / (exponential(2.0f * size) + 1.0f);
    float p = -5.70498872745e-3f;
    p = p * square + 2.06390887954e-2f;
    p = p * square - 5.37397155531e-2f;
    p = p * square + 1.33314422036e-1f;
    p = p * square - 3.33332819422e-1f;
    const float small = p * square * x + x;
    return size < 0.625f ? small : std::copysign(large, x);
}

inline double inverse_hyperbolic_tangent(double x) { return std::atanh(x); }

// artanh of -1 < x < 1, to a few units of the last place of 1: half of Cephes' logf of (1 + x) / (1 - x).
inline float inverse_hyperbolic_tangent(float x) {
    const float ratio = (1.0f + x) / (1.0f - x);
    const std::int32_t bits = __builtin_bit_cast(std::int32_t, ratio);
    const std::int32_t power = (bits - 0x3f3504f3) >> 23; // the rest lies between the roots of 1/2 and 2
    const float n = static_cast<float>(power), r = __builtin_bit_cast(float, bits - (power << 23)) - 1.0f;
    float p = 7.0376836292e-2f;
    p = p * r - 1.1514610310e-1f;
    p = p * r + 1.1676998740e-1f;
    p = p * r - 1.2420140846e-1f;
    p = p * r + 1.4249322787e-1f;
    p = p * r - 1.6668057665e-1f;
    p = p * r + 2.0000714765e-1f;
    p = p * r - 2.4999993993e-1f;
    p = p * r + 3.3333331174e-1f;
    const float logarithm = p * r * r * r - 2.12194440e-4f * n - 0.5f * r * r + r + 0.693359375f * n;
    return 0.5f * logarithm;
}

template <typename T> inline T sigmoid(T x) { return T(1) / (T(1) + exponential(-x)); }

} // namespace kernels
