// What the kernels share: tensors seen as rows of words in sentences, and work split among threads.
#pragma once

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <vector>

namespace kernels {

using at::Tensor;
using Maybe = const std::optional<Tensor>&;

inline Tensor given(Maybe x) { return x ? *x : Tensor(); } // undefined where nothing was given

// Calls f(T()) for T the type of x's elements, float or double: `kernels.is_native` lets no other through.
template <typename F> void with_type(const Tensor& x, const F& f) {
    TORCH_CHECK(x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble, "float or double expected");
    if (x.scalar_type() == at::kFloat) f(float());
    else f(double());
}

// A tensor (B, S, W), (B, 1, W), (B, W) or (W) seen as (B, S, W): a row that many words share is stored once.
template <typename T> struct Rows {
    T* data = nullptr;
    std::int64_t sentence = 0, word = 0; // strides

    T* at(std::int64_t b, std::int64_t j) const { return data + b * sentence + j * word; }
    explicit operator bool() const { return data != nullptr; }
};

inline std::int64_t sentences(const Tensor& x) { return x.defined() && x.dim() > 1 ? x.size(0) : 1; }
inline std::int64_t words(const Tensor& x) { return x.defined() && x.dim() > 2 ? x.size(1) : 1; }

template <typename T> Rows<T> rows(const Tensor& x) {
    if (!x.defined()) return {};
    return {x.data_ptr<T>(), sentences(x) > 1 ? x.stride(0) : 0, words(x) > 1 ? x.stride(1) : 0};
}

// Numbers (B, S) or (B, S, 1), one a word.
template <typename T> Rows<T> numbers(const Tensor& x) {
    if (!x.defined()) return {};
    return {x.data_ptr<T>(), x.stride(0), x.stride(1)};
}

// `x` with elements of a row side by side; rows may lie apart, as slices of a larger product do.
inline Tensor dense_rows(const Tensor& x) {
    return !x.defined() || x.stride(-1) == 1 || x.size(-1) == 1 ? x : x.contiguous();
}

// Begins every backward: autograd cannot follow what is written through pointers, and would take it for constant.
inline void refuse_second_derivative() {
    TORCH_CHECK_NOT_IMPLEMENTED(!at::GradMode::is_enabled(), "the kernels have no second derivative (create_graph=True)");
}

constexpr std::int64_t WORTH_A_THREAD = 16384; // elements

// Into how many shares to split work over `elements` numbers. It depends on the number of threads alone, so sums over
// the shares are the same in every run.
inline std::int64_t chunks_for(std::int64_t total, std::int64_t elements) {
    const auto worthwhile = std::max<std::int64_t>(1, elements / WORTH_A_THREAD);
    return std::max<std::int64_t>(1, std::min({total, worthwhile, static_cast<std::int64_t>(at::get_num_threads())}));
}

// Calls f(chunk, begin, end) for equal shares of [0, total).
template <typename F> void in_chunks(std::int64_t chunks, std::int64_t total, const F& f) {
    if (chunks == 1) return f(0, 0, total);
    at::parallel_for(0, chunks, 1, [&](std::int64_t first, std::int64_t last) {
        for (auto chunk = first; chunk < last; ++chunk) f(chunk, chunk * total / chunks, (chunk + 1) * total / chunks);
    });
}

template <typename T> void add(std::int64_t n, const T* x, T* into) {
#pragma omp simd
    for (std::int64_t k = 0; k < n; ++k) into[k] += x[k];
}

template <typename T> void add(std::int64_t n, T factor, const T* x, T* into) {
#pragma omp simd
    for (std::int64_t k = 0; k < n; ++k) into[k] += factor * x[k];
}

// out = a b, or with `adds` out += a b.
inline void product(const Tensor& a, const Tensor& b, bool adds, Tensor out) {
    if (adds) out.addmm_(a, b);
    else at::mm_out(out, a, b);
}

template <typename T> T dot(std::int64_t n, const T* x, const T* y) {
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t k = 0; k < n; ++k) sum += x[k] * y[k];
    return sum;
}

} // namespace kernels
