// One step of an LSTM from its pre-activations.

#include "math.h"
#include "rows.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <tuple>

namespace kernels::lstm {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// i, f, g, o of one row, from the pre-activations.
template <typename T> void gates(std::int64_t H, const T* pre, T* x) {
#pragma omp simd
    for (std::int64_t k = 0; k < 2 * H; ++k) x[k] = sigmoid(pre[k]);
#pragma omp simd
    for (std::int64_t k = 2 * H; k < 3 * H; ++k) x[k] = hyperbolic_tangent(pre[k]);
#pragma omp simd
    for (std::int64_t k = 3 * H; k < 4 * H; ++k) x[k] = sigmoid(pre[k]);
}

template <typename T> void move(std::int64_t H, const T* gates, const T* c, T* h_new, T* c_new) {
    const T *i = gates, *f = i + H, *g = f + H, *o = g + H;
#pragma omp simd
    for (std::int64_t k = 0; k < H; ++k) {
        c_new[k] = f[k] * c[k] + i[k] * g[k];
        h_new[k] = o[k] * hyperbolic_tangent(c_new[k]);
    }
}

template <typename T>
void move_gradient(std::int64_t H, const T* gates, const T* c, const T* c_new, const T* g_h, const T* g_c, T* d_pre, T* d_c) {
    const T *i = gates, *f = i + H, *g = f + H, *o = g + H;
    T *d_i = d_pre, *d_f = d_i + H, *d_g = d_f + H, *d_o = d_g + H;
#pragma omp simd
    for (std::int64_t k = 0; k < H; ++k) {
        const T squashed = hyperbolic_tangent(c_new[k]), d = g_c[k] + g_h[k] * o[k] * (T(1) - squashed * squashed);
        d_i[k] = d * g[k] * i[k] * (T(1) - i[k]);
        d_f[k] = d * c[k] * f[k] * (T(1) - f[k]);
        d_g[k] = d * i[k] * (T(1) - g[k] * g[k]);
        d_o[k] = g_h[k] * squashed * o[k] * (T(1) - o[k]);
        d_c[k] = d * f[k];
    }
}

// Calls `body(n, gates, old memory)` for every row n.
template <typename Body> void every_row(const Tensor& pre, const Tensor& c, Body body) {
    const auto N = c.size(0), H = c.size(1);
    with_type(c, [&]<typename T>(T) {
        const auto from = rows<T>(pre), memory = rows<T>(c);
        in_chunks(chunks_for(N, N * H), N, [&](std::int64_t, std::int64_t first, std::int64_t last) {
            std::vector<T> x(4 * H);
            for (auto n = first; n < last; ++n) {
                gates(H, from.at(n, 0), x.data());
                body(n, static_cast<const T*>(x.data()), static_cast<const T*>(memory.at(n, 0)));
            }
        });
    });
}

struct GatedMemory : torch::autograd::Function<GatedMemory> {
    static variable_list forward(AutogradContext* ctx, const Tensor& all_pre, const Tensor& old) {
        const auto pre = dense_rows(all_pre), c = dense_rows(old);
        const auto N = c.size(0), H = c.size(1);
        const auto h_new = at::empty({N, H}, c.options()), c_new = at::empty({N, H}, c.options());
        every_row(pre, c, [&]<typename T>(std::int64_t n, const T* x, const T* memory) {
            move(H, x, memory, h_new.data_ptr<T>() + n * H, c_new.data_ptr<T>() + n * H);
        });
        ctx->save_for_backward({pre, c, c_new});
        return {h_new, c_new};
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
        refuse_second_derivative();
        const auto saved = ctx->get_saved_variables();
        const auto &pre = saved[0], &c = saved[1], &c_new = saved[2];
        const auto N = c.size(0), H = c.size(1);
        const auto of_h = grads[0].contiguous(), of_c = grads[1].contiguous();
        const auto d_pre = at::empty({N, 4 * H}, c.options()), d_c = at::empty({N, H}, c.options());
        every_row(pre, c, [&]<typename T>(std::int64_t n, const T* x, const T* memory) {
            move_gradient(H, x, memory, c_new.data_ptr<T>() + n * H, of_h.data_ptr<T>() + n * H,
                          of_c.data_ptr<T>() + n * H, d_pre.data_ptr<T>() + n * 4 * H, d_c.data_ptr<T>() + n * H);
        });
        return {d_pre, d_c};
    }
};

std::tuple<Tensor, Tensor> gated_memory(const Tensor& pre, const Tensor& c) {
    const auto found = GatedMemory::apply(pre, c);
    return {found[0], found[1]};
}

} // namespace
} // namespace kernels::lstm

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("gated_memory(Tensor pre, Tensor c) -> (Tensor, Tensor)", &kernels::lstm::gated_memory);
}
