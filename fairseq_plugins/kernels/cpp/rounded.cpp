#include "rounded.h"

#include <ATen/native/CPUBlas.h>
#include <torch/custom_class.h>
#include <torch/library.h>

#if defined(__AVX512BF16__) && defined(CPUBLAS_BRGEMM_BF16BF16F32)
#include <immintrin.h>
#define KERNELS_ROUND
#endif

namespace kernels::rounded {

#ifdef KERNELS_ROUND

namespace {

// Each shape of a block has a kernel of its own, which oneDNN makes at its first use: so blocks have few shapes.
constexpr std::int64_t HIGH = 64, PANEL = 64, DEEP = 512;
constexpr std::int64_t LINE = 32; // numbers in bf16 that a register holds, as pairs
constexpr std::int64_t PAIRS = LINE / 2;

using Number = at::BFloat16;

std::int64_t padded(std::int64_t size, std::int64_t to) { return (size + to - 1) / to * to; }

struct Matrix {
    const float* data;
    std::int64_t rows, columns, stride;

    explicit Matrix(const Tensor& x)
        : data(x.data_ptr<float>()), rows(x.size(0)), columns(x.size(1)), stride(x.stride(0)) {}
};

__mmask16 first(std::int64_t n) { return n >= 16 ? 0xffff : n <= 0 ? 0 : (1u << n) - 1; }

// Numbers c .. c + 31 of a row, 0 beyond its end.
__m512i of_row(const Matrix& x, std::int64_t r, std::int64_t c) {
    const auto* at = x.data + r * x.stride + c;
    const auto low = _mm512_maskz_loadu_ps(first(x.columns - c), at);
    const auto high = _mm512_maskz_loadu_ps(first(x.columns - c - 16), at + 16);
    return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}

// Numbers c .. c + 15 of rows r and r + 1 in turn, 0 beyond the ends.
__m512i of_two_rows(const Matrix& x, std::int64_t r, std::int64_t c) {
    const auto mask = first(x.columns - c);
    const auto* at = x.data + r * x.stride + c;
    const auto one = (__m256i)_mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(r < x.rows ? mask : 0, at));
    const auto two = (__m256i)_mm512_cvtneps_pbh(_mm512_maskz_loadu_ps(r + 1 < x.rows ? mask : 0, at + x.stride));
    return _mm512_or_si512(_mm512_cvtepu16_epi32(one), _mm512_slli_epi32(_mm512_cvtepu16_epi32(two), 16));
}

// 16 registers of 16 pairs, transposed.
void turn(__m512i* x) {
    __m512i y[PAIRS];
    for (int k = 0; k < 16; k += 2) {
        y[k] = _mm512_unpacklo_epi32(x[k], x[k + 1]);
        y[k + 1] = _mm512_unpackhi_epi32(x[k], x[k + 1]);
    }
    for (int k = 0; k < 16; k += 4) {
        x[k] = _mm512_unpacklo_epi64(y[k], y[k + 2]);
        x[k + 1] = _mm512_unpackhi_epi64(y[k], y[k + 2]);
        x[k + 2] = _mm512_unpacklo_epi64(y[k + 1], y[k + 3]);
        x[k + 3] = _mm512_unpackhi_epi64(y[k + 1], y[k + 3]);
    }
    for (int k = 0; k < 4; ++k)
        for (int half = 0; half < 16; half += 8) {
            y[half + k] = _mm512_shuffle_i32x4(x[half + k], x[half + k + 4], 0x88);
            y[half + k + 4] = _mm512_shuffle_i32x4(x[half + k], x[half + k + 4], 0xdd);
        }
    for (int k = 0; k < 8; ++k) {
        x[k] = _mm512_shuffle_i32x4(y[k], y[k + 8], 0x88);
        x[k + 8] = _mm512_shuffle_i32x4(y[k], y[k + 8], 0xdd);
    }
}

void put(Number* at, __m512i x) { _mm512_storeu_si512(at, x); }

Number* numbers_of(const Tensor& x) { return x.data_ptr<Number>(); }

Left empty_left(const Tensor& x, std::int64_t rows, std::int64_t inner) {
    return {at::empty({rows * padded(inner, LINE)}, x.options().dtype(at::kBFloat16)), rows, inner};
}

Right empty_right(const Tensor& x, std::int64_t inner, std::int64_t columns) {
    return {at::empty({padded(columns, PANEL) * padded(inner, LINE)}, x.options().dtype(at::kBFloat16)), inner, columns};
}

// The block of columns that k is in.
struct Block {
    Number* data;
    std::int64_t begin, width;

    Block(const Left& of, std::int64_t k)
        : begin(k / DEEP * DEEP), width(std::min(DEEP, padded(of.inner, LINE) - begin)) {
        data = numbers_of(of.data) + of.rows * begin;
    }
    Number* at(std::int64_t row, std::int64_t k) const { return data + row * width + k - begin; }
};

// Columns n of rows k, k + 1 of a right factor.
Number* place(const Right& of, std::int64_t k, std::int64_t n) {
    return numbers_of(of.data) + n / PANEL * PANEL * padded(of.inner, LINE) + k * PANEL + n % PANEL * 2;
}

template <typename F> void in_shares(std::int64_t total, std::int64_t elements, const F& f) {
    in_chunks(chunks_for(total, elements), total, [&](std::int64_t, std::int64_t begin, std::int64_t end) { f(begin, end); });
}

Tensor plain(const Tensor& x) { return x.stride(1) == 1 ? x : x.contiguous(); }

} // namespace

Left left(const Tensor& from) {
    const auto source = plain(from);
    const Matrix x(source);
    const auto made = empty_left(source, x.rows, x.columns);
    in_shares(x.rows, x.rows * x.columns, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = 0; k < x.columns; k += DEEP) {
            const Block block(made, k);
            for (auto row = begin; row < end; ++row)
                for (auto c = k; c < k + block.width; c += LINE) put(block.at(row, c), of_row(x, row, c));
        }
    });
    return made;
}

Left turned_left(const Tensor& from) {
    const auto source = plain(from);
    const Matrix x(source);
    const auto made = empty_left(source, x.columns, x.rows);
    in_shares((x.columns + 15) / 16, x.rows * x.columns, [&](std::int64_t begin, std::int64_t end) {
        __m512i tile[PAIRS];
        for (std::int64_t k = 0; k < x.rows; k += LINE) {
            const Block block(made, k);
            for (auto row = 16 * begin; row < std::min(16 * end, x.columns); row += 16) {
                for (int pair = 0; pair < PAIRS; ++pair) tile[pair] = of_two_rows(x, k + 2 * pair, row);
                turn(tile);
                for (int r = 0; r < std::min<std::int64_t>(16, x.columns - row); ++r) put(block.at(row + r, k), tile[r]);
            }
        }
    });
    return made;
}

Right right(const Tensor& from) {
    const auto source = plain(from);
    const Matrix x(source);
    const auto made = empty_right(source, x.rows, x.columns);
    in_shares((x.rows + LINE - 1) / LINE, x.rows * x.columns, [&](std::int64_t begin, std::int64_t end) {
        for (auto k = LINE * begin; k < LINE * end; k += 2)
            for (std::int64_t n = 0; n < padded(x.columns, PANEL); n += 16) put(place(made, k, n), of_two_rows(x, k, n));
    });
    return made;
}

Right turned_right(const Tensor& from) {
    const auto source = plain(from);
    const Matrix x(source);
    const auto made = empty_right(source, x.columns, x.rows);
    in_shares(padded(x.rows, PANEL) / 16, x.rows * x.columns, [&](std::int64_t begin, std::int64_t end) {
        __m512i tile[PAIRS];
        for (auto n = 16 * begin; n < 16 * end; n += 16)
            for (std::int64_t k = 0; k < x.columns; k += LINE) {
                for (int r = 0; r < 16; ++r) tile[r] = n + r < x.rows ? of_row(x, n + r, k) : _mm512_setzero_si512();
                turn(tile);
                for (int pair = 0; pair < PAIRS; ++pair) put(place(made, k + 2 * pair, n), tile[pair]);
            }
    });
    return made;
}

void multiply(const std::vector<Product>& products, bool adds, const Tensor& out) {
    const auto M = out.size(0), N = out.size(1), high = (M + HIGH - 1) / HIGH, wide = (N + PANEL - 1) / PANEL;
    TORCH_CHECK(out.stride(1) == 1 || N == 1, "a product is written into rows");
    const auto stride = out.stride(0);
    auto* into = out.data_ptr<float>();
    std::int64_t inner = 0;
    for (const auto& [left, right] : products) inner += left.inner;
    if (inner == 0 && !adds) out.zero_();
    // What lies in a block is used up before the next: the longer side goes by once, the shorter one stays in a cache.
    const bool by_rows = M > N;
    in_shares(high * wide, M * N * inner / HIGH, [&](std::int64_t begin, std::int64_t end) {
        for (auto task = begin; task < end; ++task) {
            const auto m = HIGH * (by_rows ? task / wide : task % high), n = PANEL * (by_rows ? task % wide : task / high);
            bool follows = adds;
            for (const auto& [left, right] : products)
                for (std::int64_t k = 0; k < left.inner; k += DEEP, follows = true) {
                    const Block block(left, k);
                    at::native::cpublas::brgemm(
                        std::min(HIGH, M - m), std::min(PANEL, N - n), block.width, block.width, PANEL, stride, follows,
                        block.at(m, k), place(right, k, n), into + m * stride + n
                    );
                }
        }
        at::native::cpublas::brgemm_release();
    });
}

bool quick() {
    static const bool works = [] {
        const auto one = at::ones({1, 2}), out = at::zeros({1, 1});
        try {
            multiply({{left(one), turned_right(one)}}, false, out);
        } catch (const std::exception&) { // of oneDNN or of torch, where either has no such kernel
            return false;
        }
        return out.item<float>() == 2;
    }();
    return works;
}

#else

// Other processors multiply the rounded numbers in fp32, where their products are exact too: the sums differ in their
// order alone.
namespace {
Tensor rounded(const Tensor& x) {
    const at::NoGradGuard no_graph;
    return x.to(at::kBFloat16).to(at::kFloat).contiguous();
}
} // namespace

Left left(const Tensor& x) { return {rounded(x), x.size(0), x.size(1)}; }
Left turned_left(const Tensor& x) { return {rounded(x).t(), x.size(1), x.size(0)}; }
Right right(const Tensor& x) { return {rounded(x), x.size(0), x.size(1)}; }
Right turned_right(const Tensor& x) { return {rounded(x).t(), x.size(1), x.size(0)}; }

void multiply(const std::vector<Product>& products, bool adds, const Tensor& out) {
    const at::NoGradGuard no_graph;
    auto into = out;
    if (products.empty() && !adds) into.zero_();
    for (const auto& [left, right] : products) {
        into.addmm_(left.data, right.data, adds ? 1 : 0);
        adds = true;
    }
}

bool quick() { return false; }

#endif

namespace {

// A product whose factors have been rounded already, for who wants to know how long it takes by itself.
struct RoundedFactors : torch::CustomClassHolder {
    Product product;

    RoundedFactors(const Tensor& a, const Tensor& b) : product{left(a), right(b)} {}
    void multiply(const Tensor& out) { rounded::multiply({product}, false, out); }
};

} // namespace
} // namespace kernels::rounded

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("rounds_quickly() -> bool", &kernels::rounded::quick);
    library.class_<kernels::rounded::RoundedFactors>("RoundedFactors")
        .def(torch::init<const at::Tensor&, const at::Tensor&>())
        .def("multiply", &kernels::rounded::RoundedFactors::multiply);
}
