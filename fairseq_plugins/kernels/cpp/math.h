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

template <typename T> inline T sigmoid(T x) { return T(1) / (T(1) + exponential(-x)); }

} // namespace kernels
