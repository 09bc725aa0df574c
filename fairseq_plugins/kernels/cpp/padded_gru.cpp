// A GRU over padded sentences, as one node of the graph.

#include "math.h"
#include "rounded.h"

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
        const T whole = d_h[k] + real * arriving[k], moved = real * whole, stays = moved * z[k];
        const T candidate = (moved - stays) * (T(1) - n[k] * n[k]);
        const T update = (h[k] - n[k]) * stays * (T(1) - z[k]), reset = candidate * u_n[k] * r[k] * (T(1) - r[k]);
        d_r[k] = reset, d_z[k] = update, d_n[k] = candidate;
        p_r[k] = reset, p_z[k] = update, p_n[k] = candidate * r[k];
        d_h[k] = whole - moved + stays;
    }
}

// from_input (B, S, 3H), U (3H, H), b_U (3H), mask (B, S) -> states (B, S, H), 0 at padding, and the last (B, H).
struct PaddedGRU : torch::autograd::Function<PaddedGRU> {
    enum Result { STATES, LAST };

    static variable_list forward(AutogradContext* ctx, const Tensor& from_input, const Tensor& U, const Tensor& b_U,
                                 const Tensor& mask, bool rounds) {
        const auto B = from_input.size(0), S = from_input.size(1), H = U.size(1);
        const auto states = at::empty({S + 1, B, H}, U.options()), products = at::empty({S, B, 3 * H}, U.options());
        const auto hidden = at::empty({B, S, H}, U.options());
        states[0].zero_();
        rounds = rounds && U.scalar_type() == at::kFloat;
        ctx->saved_data["rounds"] = rounds;
        const auto rounded_U = rounds ? rounded::turned_right(U) : rounded::Right();
        with_type(U, [&]<typename T>(T) {
            const auto *in = from_input.data_ptr<T>(), *real = mask.data_ptr<T>();
            auto* out = hidden.data_ptr<T>();
            for (std::int64_t s = 0; s < S; ++s) {
                const auto product = products[s].copy_(b_U);
                if (rounds) rounded::multiply({{rounded::left(states[s]), rounded_U}}, true, product);
                else kernels::product(states[s], U.t(), true, product);
                const auto *of = product.data_ptr<T>(), *old = states.data_ptr<T>() + s * B * H;
                auto* next = states.data_ptr<T>() + (s + 1) * B * H;
                in_chunks(chunks_for(B, B * H), B, [&](std::int64_t, std::int64_t first, std::int64_t last) {
                    std::vector<T> x(3 * H);
                    for (auto row = first; row < last; ++row) {
                        const auto place = row * S + s;
                        const T counts = real[place];
                        gates(H, in + place * 3 * H, of + row * 3 * H, x.data());
                        move(H, x.data(), old + row * H, counts, next + row * H);
                        if (counts != T(0)) std::copy_n(next + row * H, H, out + place * H);
                        else std::fill_n(out + place * H, H, T(0));
                    }
                });
            }
        });
        ctx->save_for_backward({from_input, U, mask, states, products});
        return {hidden, states[S].clone()};
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
        refuse_second_derivative();
        const auto saved = ctx->get_saved_variables();
        const auto &from_input = saved[0], &U = saved[1], &mask = saved[2], &states = saved[3], &products = saved[4];
        const auto B = from_input.size(0), S = from_input.size(1), H = U.size(1);
        const auto grad = grads[STATES].contiguous(), d_input = at::empty_like(from_input);
        const auto d_product = at::empty({S, B, 3 * H}, U.options());
        const bool rounds = ctx->saved_data["rounds"].toBool();
        const auto rounded_U = rounds ? rounded::right(U) : rounded::Right();
        const auto d_h = grads[LAST].clone(at::MemoryFormat::Contiguous);
        with_type(U, [&]<typename T>(T) {
            const auto *in = from_input.data_ptr<T>(), *real = mask.data_ptr<T>(), *arriving = grad.data_ptr<T>();
            auto *to_input = d_input.data_ptr<T>(), *to_product = d_product.data_ptr<T>();
            for (auto s = S - 1; s >= 0; --s) {
                const auto *of = products.data_ptr<T>() + s * B * 3 * H, *old = states.data_ptr<T>() + s * B * H;
                auto* d_old = d_h.data_ptr<T>();
                in_chunks(chunks_for(B, B * H), B, [&](std::int64_t, std::int64_t first, std::int64_t last) {
                    std::vector<T> x(3 * H);
                    for (auto row = first; row < last; ++row) {
                        const auto place = row * S + s;
                        gates(H, in + place * 3 * H, of + row * 3 * H, x.data());
                        move_gradient(H, x.data(), old + row * H, of + row * 3 * H + 2 * H, real[place],
                                      arriving + place * H, to_input + place * 3 * H,
                                      to_product + (s * B + row) * 3 * H, d_old + row * H);
                    }
                });
                if (s == 0) continue; // nobody asks for the zeros' gradient
                if (rounds) rounded::multiply({{rounded::left(d_product[s]), rounded_U}}, true, d_h);
                else product(d_product[s], U, true, d_h);
            }
        });
        const auto flat = d_product.flatten(0, 1), before = states.slice(0, 0, S).flatten(0, 1);
        Tensor d_U;
        if (rounds) rounded::multiply({{rounded::turned_left(flat), rounded::right(before)}}, false, d_U = at::empty_like(U));
        else d_U = flat.t().mm(before);
        return {d_input, d_U, flat.sum(0), Tensor(), Tensor()};
    }
};

std::tuple<Tensor, Tensor> padded_gru(const Tensor& from_input, const Tensor& U, const Tensor& b_U, const Tensor& mask,
                                      bool rounds) {
    const auto found = PaddedGRU::apply(from_input.contiguous(), U.contiguous(), b_U.contiguous(), mask.contiguous(), rounds);
    return {found[PaddedGRU::STATES], found[PaddedGRU::LAST]};
}

} // namespace
} // namespace kernels::padded

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("padded_gru(Tensor from_input, Tensor U, Tensor b_U, Tensor mask, bool rounds=False) -> (Tensor, Tensor)",
                &kernels::padded::padded_gru);
}
