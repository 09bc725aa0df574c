// A GRU over right-padded sentences, both directions at once, as one node of the graph.

#include "math.h"
#include "rows.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

namespace kernels::padded {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// r, z, n of one row.
template <typename T> void gates(std::int64_t H, const T* from_input, const T* product, T* x) {
#pragma omp simd
    for (std::int64_t k = 0; k < 2 * H; ++k) x[k] = sigmoid(from_input[k] + product[k]);
#pragma omp simd
    for (std::int64_t k = 0; k < H; ++k) {
        const auto u = product[2 * H + k];
        x[2 * H + k] = hyperbolic_tangent(from_input[2 * H + k] + x[k] * u);
    }
}

template <typename T> void move(std::int64_t H, const T* gates, const T* h, T real, T* next) {
    const T *z = gates + H, *n = z + H;
#pragma omp simd
    for (std::int64_t k = 0; k < H; ++k) next[k] = h[k] + real * (T(1) - z[k]) * (n[k] - h[k]);
}

// d_h holds the gradient of the new state as later steps have it, and then that of the old one but for U.
template <typename T>
void move_gradient(std::int64_t H, const T* gates, const T* h, const T* u_n, T real, const T* arriving, T* d_input,
                   T* d_product, T* d_h) {
    const T *r = gates, *z = r + H, *n = z + H;
    T *d_r = d_input, *d_z = d_r + H, *d_n = d_z + H, *p_r = d_product, *p_z = p_r + H, *p_n = p_z + H;
#pragma omp simd
    for (std::int64_t k = 0; k < H; ++k) {
        const T whole = d_h[k] + arriving[k], moved = real * whole, stays = moved * z[k];
        const T candidate = (moved - stays) * (T(1) - n[k] * n[k]);
        const T update = (h[k] - n[k]) * stays * (T(1) - z[k]), reset = candidate * u_n[k] * r[k] * (T(1) - r[k]);
        d_r[k] = reset, d_z[k] = update, d_n[k] = candidate;
        p_r[k] = reset, p_z[k] = update, p_n[k] = candidate * r[k];
        d_h[k] = whole - moved + stays;
    }
}

// from_input (S, D, B, 3H), U (D, 3H, H), b_U (D, 3H), mask (S, D, B) -> states (S + 1, D, B, H), zeros first.
struct PaddedGRU : torch::autograd::Function<PaddedGRU> {
    static Tensor forward(AutogradContext* ctx, const Tensor& from_input, const Tensor& U, const Tensor& b_U,
                          const Tensor& mask) {
        const auto S = from_input.size(0), D = from_input.size(1), B = from_input.size(2), H = U.size(2), N = D * B;
        const auto states = at::empty({S + 1, D, B, H}, U.options());
        const auto products = at::empty({S, D, B, 3 * H}, U.options());
        states[0].zero_();
        const auto transposed = U.transpose(1, 2), bias = b_U.unsqueeze(1);
        with_type(U, [&]<typename T>(T) {
            for (std::int64_t s = 0; s < S; ++s) {
                auto product = products[s];
                at::baddbmm_out(product, bias, states[s], transposed);
                const auto *in = from_input.data_ptr<T>() + s * N * 3 * H, *of = product.data_ptr<T>();
                const auto *real = mask.data_ptr<T>() + s * N, *old = states.data_ptr<T>() + s * N * H;
                auto* next = states.data_ptr<T>() + (s + 1) * N * H;
                in_chunks(chunks_for(N, N * H), N, [&](std::int64_t, std::int64_t first, std::int64_t last) {
                    std::vector<T> x(3 * H);
                    for (auto row = first; row < last; ++row) {
                        gates(H, in + row * 3 * H, of + row * 3 * H, x.data());
                        move(H, x.data(), old + row * H, real[row], next + row * H);
                    }
                });
            }
        });
        ctx->save_for_backward({from_input, U, mask, states, products});
        return states;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
        const auto saved = ctx->get_saved_variables();
        const auto &from_input = saved[0], &U = saved[1], &mask = saved[2], &states = saved[3], &products = saved[4];
        const auto S = from_input.size(0), D = from_input.size(1), B = from_input.size(2), H = U.size(2), N = D * B;
        const auto grad = grads[0].contiguous(), d_input = at::empty_like(from_input);
        const auto d_product = at::empty_like(products);
        auto d_h = at::zeros({D, B, H}, U.options());
        with_type(U, [&]<typename T>(T) {
            for (auto s = S - 1; s >= 0; --s) {
                const auto *in = from_input.data_ptr<T>() + s * N * 3 * H;
                const auto *of = products.data_ptr<T>() + s * N * 3 * H;
                const auto *real = mask.data_ptr<T>() + s * N, *old = states.data_ptr<T>() + s * N * H;
                const auto* arriving = grad.data_ptr<T>() + (s + 1) * N * H;
                auto *to_input = d_input.data_ptr<T>() + s * N * 3 * H, *d_old = d_h.data_ptr<T>();
                auto* to_product = d_product.data_ptr<T>() + s * N * 3 * H;
                in_chunks(chunks_for(N, N * H), N, [&](std::int64_t, std::int64_t first, std::int64_t last) {
                    std::vector<T> x(3 * H);
                    for (auto row = first; row < last; ++row) {
                        gates(H, in + row * 3 * H, of + row * 3 * H, x.data());
                        move_gradient(H, x.data(), old + row * H, of + row * 3 * H + 2 * H, real[row],
                                      arriving + row * H, to_input + row * 3 * H, to_product + row * 3 * H,
                                      d_old + row * H);
                    }
                });
                if (s > 0) d_h.baddbmm_(d_product[s], U); // nobody asks for the zeros' gradient
            }
        });
        // One product for all steps, direction by direction.
        const auto flat = d_product.transpose(0, 1).flatten(1, 2), before = states.slice(0, 0, S).transpose(0, 1).flatten(1, 2);
        return {d_input, at::bmm(flat.transpose(1, 2), before), flat.sum(1), Tensor()};
    }
};

Tensor padded_gru(const Tensor& from_input, const Tensor& U, const Tensor& b_U, const Tensor& mask) {
    return PaddedGRU::apply(from_input.contiguous(), U.contiguous(), b_U.contiguous(), mask.contiguous()).slice(0, 1);
}

} // namespace
} // namespace kernels::padded

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("padded_gru(Tensor from_input, Tensor U, Tensor b_U, Tensor mask) -> Tensor", &kernels::padded::padded_gru);
}
