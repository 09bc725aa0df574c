// What attention writes into rows of source words.

#include "gradient.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

namespace kernels::write {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// `forget`: null where nothing is forgotten.
template <typename T>
void written(std::int64_t C, T alpha, const T* h, const T* forget, const T* update, T* out) {
    if (forget)
#pragma omp simd
        for (std::int64_t k = 0; k < C; ++k) out[k] = h[k] + alpha * (update[k] - forget[k] * h[k]);
    else
#pragma omp simd
        for (std::int64_t k = 0; k < C; ++k) out[k] = h[k] + alpha * update[k];
}

// Into d for h; added to d_forget and d_update. Returns alpha's.
template <typename T>
T gradient(std::int64_t C, T alpha, const T* h, const T* forget, const T* update, const T* g, T* d, T* d_forget,
           T* d_update) {
    T of_alpha = 0;
#pragma omp simd reduction(+ : of_alpha)
    for (std::int64_t k = 0; k < C; ++k) {
        const T share = alpha * g[k];
        d[k] = g[k] - share * forget[k];
        d_forget[k] -= share * h[k];
        d_update[k] += share;
        of_alpha += g[k] * (update[k] - forget[k] * h[k]);
    }
    return of_alpha;
}

// The same where nothing is forgotten: h's is g.
template <typename T> T gradient(std::int64_t C, T alpha, const T* update, const T* g, T* d_update) {
    T of_alpha = 0;
#pragma omp simd reduction(+ : of_alpha)
    for (std::int64_t k = 0; k < C; ++k) {
        d_update[k] += alpha * g[k];
        of_alpha += g[k] * update[k];
    }
    return of_alpha;
}

struct Written : torch::autograd::Function<Written> {
    static Tensor forward(AutogradContext* ctx, const Tensor& all, const Tensor& weights, const Tensor& to_write,
                          Maybe to_forget) {
        const auto memory = dense_rows(all), forget = dense_rows(given(to_forget)), update = dense_rows(to_write);
        const auto B = memory.size(0), S = memory.size(1), C = memory.size(2);
        const auto out = at::empty({B, S, C}, memory.options());
        with_type(memory, [&]<typename T>(T) {
            const auto h = rows<T>(memory), F = rows<T>(forget), U = rows<T>(update), into = rows<T>(out);
            const auto alpha = numbers<T>(weights);
            in_chunks(chunks_for(B, B * S * C), B, [&](std::int64_t, std::int64_t first, std::int64_t last) {
                for (auto b = first; b < last; ++b)
                    for (std::int64_t j = 0; j < S; ++j)
                        written(C, *alpha.at(b, j), h.at(b, j), F ? F.at(b, 0) : nullptr, U.at(b, 0), into.at(b, j));
            });
        });
        ctx->save_for_backward({forget.defined() ? memory : Tensor(), weights, forget, update});
        save_sums(ctx, {sum_of(all)});
        return out;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
        refuse_second_derivative();
        const auto saved = ctx->get_saved_variables();
        const auto &memory = saved[0], &weights = saved[1], &forget = saved[2], &update = saved[3];
        const auto grad = dense_rows(grads[0]);
        const auto B = grad.size(0), S = grad.size(1), C = grad.size(2), chunks = chunks_for(B, B * S * C);
        const auto d_weights = at::empty({B, S}, grad.options()), d_update = at::zeros({B, C}, grad.options());
        const auto d_forget = forget.defined() ? at::zeros({B, C}, grad.options()) : Tensor();
        Tensor of_memory;
        with_type(grad, [&]<typename T>(T) {
            const auto h = rows<T>(memory), F = rows<T>(forget), U = rows<T>(update), arriving = rows<T>(grad);
            const auto of_F = rows<T>(d_forget), of_U = rows<T>(d_update);
            const auto alpha = numbers<T>(weights), of_alpha = numbers<T>(d_weights);
            Gradient<T> d_memory(grad, ctx->needs_input_grad(0), B, S, chunks, saved_sum(ctx, 0));
            in_chunks(chunks, B, [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
                std::vector<T> d(C);
                for (auto b = first; b < last; ++b)
                    for (std::int64_t j = 0; j < S; ++j) {
                        const auto* g = arriving.at(b, j);
                        *of_alpha.at(b, j) = F ? gradient(C, *alpha.at(b, j), h.at(b, j), F.at(b, 0), U.at(b, 0), g,
                                                          d.data(), of_F.at(b, 0), of_U.at(b, 0))
                                               : gradient(C, *alpha.at(b, j), U.at(b, 0), g, of_U.at(b, 0));
                        d_memory.put(chunk, b, j, F ? d.data() : g);
                    }
            });
            of_memory = d_memory.finished();
        });
        return {of_memory, d_weights, d_update, d_forget};
    }
};

Tensor apply(const Tensor& memory, const Tensor& weights, const Tensor& update, Maybe forget) {
    return Written::apply(memory, weights, update, forget);
}

} // namespace
} // namespace kernels::write

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("written(Tensor memory, Tensor weights, Tensor update, Tensor? forget=None) -> Tensor",
                &kernels::write::apply);
}
