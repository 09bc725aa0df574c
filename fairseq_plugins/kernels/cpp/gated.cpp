// The reset-after GRU from its products to its new state, of one row a sentence or one row a source word.

#include "gradient.h"
#include "math.h"
#include "rows.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

namespace kernels::gated {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Everything that enters one step; what is missing counts as 0 (`mask`: as 1).
template <typename T> struct Step {
    std::int64_t D;
    Rows<T> from_state, state, from_input, also, scaled, scale, mask;

    // What of the inputs meets U h in one word: from_input + also + scale * scaled.
    void input(std::int64_t b, std::int64_t j, T* x) const {
        std::copy_n(from_input.at(b, j), 3 * D, x);
        if (also) add(3 * D, also.at(b, j), x);
        if (scaled) add(3 * D, *scale.at(b, j), scaled.at(b, j), x);
    }

    T real(std::int64_t b, std::int64_t j) const { return mask ? *mask.at(b, j) : T(1); }
};

// r, z, n take the place of W u + b.
template <typename T> void gates(std::int64_t D, const T* from_state, T* x) {
    const T *r = x, *u_n = from_state + 2 * D;
    T* n = x + 2 * D;
#pragma omp simd
    for (std::int64_t k = 0; k < 2 * D; ++k) x[k] = sigmoid(x[k] + from_state[k]);
#pragma omp simd
    for (std::int64_t k = 0; k < D; ++k) n[k] = hyperbolic_tangent(n[k] + r[k] * u_n[k]);
}

template <typename T> void move(std::int64_t D, const T* gates, const T* h, T real, T* out) {
    const T *z = gates + D, *n = z + D;
#pragma omp simd
    for (std::int64_t k = 0; k < D; ++k) out[k] = real * (n[k] + z[k] * (h[k] - n[k]));
}

// d: gradient of the gates' pre-activations, the candidate's before its reset; kept: what goes straight to h.
template <typename T>
void move_gradient(std::int64_t D, const T* gates, const T* h, const T* u_n, T real, const T* g, T* d, T* kept) {
    const T *r = gates, *z = r + D, *n = z + D;
    T *d_r = d, *d_z = d_r + D, *d_n = d_z + D;
#pragma omp simd
    for (std::int64_t k = 0; k < D; ++k) {
        const T whole = real * g[k], old = whole * z[k], candidate = (whole - old) * (T(1) - n[k] * n[k]);
        kept[k] = old;
        d_n[k] = candidate;
        d_z[k] = (h[k] - n[k]) * old * (T(1) - z[k]);
        d_r[k] = candidate * u_n[k] * r[k] * (T(1) - r[k]);
    }
}

template <typename T> void multiply(std::int64_t D, const T* factor, T* x) {
#pragma omp simd
    for (std::int64_t k = 0; k < D; ++k) x[k] *= factor[k];
}

// In the order of the arguments; gradients of the first five may go to sums.
enum Input { FROM_STATE, STATE, FROM_INPUT, ALSO, SCALED, SCALE, MASK, INPUTS };

template <typename T> Step<T> seen(const variable_list& x) {
    return {x[STATE].size(-1),    rows<T>(x[FROM_STATE]), rows<T>(x[STATE]),    rows<T>(x[FROM_INPUT]),
            rows<T>(x[ALSO]),     rows<T>(x[SCALED]),     numbers<T>(x[SCALE]), numbers<T>(x[MASK])};
}

template <typename T> void forward_rows(const Step<T>& step, std::int64_t B, std::int64_t S, T* out) {
    const auto D = step.D;
    in_chunks(chunks_for(B, B * S * D), B, [&](std::int64_t, std::int64_t first, std::int64_t last) {
        std::vector<T> x(3 * D);
        for (auto b = first; b < last; ++b)
            for (std::int64_t j = 0; j < S; ++j) {
                step.input(b, j, x.data());
                gates(D, step.from_state.at(b, j), x.data());
                const T real = step.real(b, j);
                move(D, x.data(), step.state.at(b, j), real, out + (b * S + j) * D);
            }
    });
}

// Whether anybody asks for the gradient of input k; autograd counts only the inputs that were given.
bool wanted(AutogradContext* ctx, const variable_list& inputs, Input k) {
    const auto before = std::count_if(inputs.begin(), inputs.begin() + k, [](const Tensor& x) { return x.defined(); });
    return inputs[k].defined() && ctx->needs_input_grad(before);
}

template <typename T>
variable_list backward_rows(AutogradContext* ctx, const variable_list& saved, const Tensor& grad) {
    const auto S = words(grad), B = sentences(grad);
    const auto step = seen<T>(saved);
    const auto D = step.D, chunks = chunks_for(B, B * S * D);
    const auto into = [&](Input k) {
        return Gradient<T>(saved[k], wanted(ctx, saved, k), B, S, chunks, saved_sum(ctx, k));
    };
    auto d_state = into(STATE), d_from_input = into(FROM_INPUT), d_also = into(ALSO), d_scaled = into(SCALED),
         d_from_state = into(FROM_STATE); // in the order of putting
    const auto d_scale = wanted(ctx, saved, SCALE) ? at::empty({B, S}, grad.options()) : Tensor();
    const auto arriving = rows<T>(grad);
    in_chunks(chunks, B, [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
        std::vector<T> x(3 * D), d(3 * D), kept(D);
        for (auto b = first; b < last; ++b)
            for (std::int64_t j = 0; j < S; ++j) {
                step.input(b, j, x.data());
                gates(D, step.from_state.at(b, j), x.data());
                T *r = x.data(), *u_n = step.from_state.at(b, j) + 2 * D;
                move_gradient(D, r, step.state.at(b, j), u_n, step.real(b, j), arriving.at(b, j), d.data(), kept.data());
                d_state.put(chunk, b, j, kept.data());
                d_from_input.put(chunk, b, j, d.data());
                d_also.put(chunk, b, j, d.data());
                if (d_scale.defined()) d_scale.data_ptr<T>()[b * S + j] = dot(3 * D, d.data(), step.scaled.at(b, j));
                if (d_scaled) d_scaled.put(chunk, b, j, *step.scale.at(b, j), d.data());
                multiply(D, r, d.data() + 2 * D);
                d_from_state.put(chunk, b, j, d.data());
            }
    });
    variable_list found(INPUTS);
    found[FROM_STATE] = d_from_state.finished();
    found[STATE] = d_state.finished();
    found[FROM_INPUT] = d_from_input.finished();
    found[ALSO] = d_also.finished();
    found[SCALED] = d_scaled.finished();
    found[SCALE] = d_scale;
    return found;
}

struct Gated : torch::autograd::Function<Gated> {
    static Tensor forward(AutogradContext* ctx, const Tensor& from_state, const Tensor& state, const Tensor& from_input,
                          Maybe also, Maybe scaled, Maybe scale, Maybe mask) {
        variable_list x{dense_rows(from_state), dense_rows(state), dense_rows(from_input), dense_rows(given(also)),
                        dense_rows(given(scaled)), given(scale), given(mask)};
        std::int64_t B = 1, S = scale ? scale->size(1) : 1;
        for (int k = FROM_STATE; k <= SCALED; ++k) { // not the largest: there may be no sentence, or no word
            if (sentences(x[k]) != 1) B = sentences(x[k]);
            if (words(x[k]) != 1) S = words(x[k]);
        }
        const auto D = state.size(-1);
        const auto out = state.dim() == 3 ? at::empty({B, S, D}, state.options()) : at::empty({B, D}, state.options());
        with_type(state, [&]<typename T>(T) { forward_rows(seen<T>(x), B, S, out.data_ptr<T>()); });
        ctx->save_for_backward(x);
        save_sums(ctx, {sum_of(from_state), sum_of(state), sum_of(from_input), sum_of(given(also)), sum_of(given(scaled))});
        return out;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
        refuse_second_derivative();
        const auto grad = dense_rows(grads[0]);
        variable_list found;
        with_type(grad, [&]<typename T>(T) { found = backward_rows<T>(ctx, ctx->get_saved_variables(), grad); });
        return found;
    }
};

Tensor gated_recurrence(const Tensor& from_state, const Tensor& state, const Tensor& from_input, Maybe also,
                        Maybe scaled, Maybe scale, Maybe mask) {
    return Gated::apply(from_state, state, from_input, also, scaled, scale, mask);
}

} // namespace
} // namespace kernels::gated

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("gated_recurrence(Tensor from_state, Tensor state, Tensor from_input, Tensor? also=None, "
                "Tensor? scaled=None, Tensor? scale=None, Tensor? mask=None) -> Tensor",
                &kernels::gated::gated_recurrence);
}
