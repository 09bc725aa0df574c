// The reset-after GRU from its products to its new state, of one row a sentence or one row a source word.

#include "gradient.h"
#include "math.h"
#include "rows.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <limits>

namespace kernels::gated {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Everything that enters one step but U h; what is missing counts as 0 (`mask`: as 1).
template <typename T> struct Step {
    std::int64_t D;
    Rows<T> state, from_input, also, scaled, scale, mask;

    // What of the inputs meets U h in one word, from_input + also + scale * scaled: numbers [first, 3D).
    void input(std::int64_t b, std::int64_t j, std::int64_t first, T* x) const {
        const auto n = 3 * D - first;
        std::copy_n(from_input.at(b, j) + first, n, x);
        if (also) add(n, also.at(b, j) + first, x);
        if (scaled) add(n, *scale.at(b, j), scaled.at(b, j) + first, x);
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

// d: gradient of the gates' pre-activations, the candidate state's before its reset; kept: what goes straight to h.
//
// Of a step r and z are kept, and the states on either side of it are kept for others. They say the rest:
// n = (h' - z h) / (1 - z), (1 - z) (h - n) = h - h', and r (U_n h) = artanh n - x_n. Where z is near 1, n is inexact,
// and all that it enters has the factor 1 - z: each gradient is exact to a few roundings of g (d_r: times the tanh's
// argument).
template <typename T>
void move_gradient(std::int64_t D, const T* gates, const T* h, const T* moved, const T* x_n, T real, const T* g, T* d,
                   T* kept) {
    constexpr T LEAST = std::numeric_limits<T>::min(), LARGEST = T(1) - std::numeric_limits<T>::epsilon();
    const T *r = gates, *z = r + D;
    T *d_r = d, *d_z = d_r + D, *d_n = d_z + D;
#pragma omp simd
    for (std::int64_t k = 0; k < D; ++k) {
        const T whole = real * g[k], old = whole * z[k], rest = std::max(T(1) - z[k], LEAST);
        const T n = std::min(std::max((moved[k] - z[k] * h[k]) / rest, -LARGEST), LARGEST);
        const T candidate = (whole - old) * (T(1) - n * n);
        kept[k] = old;
        d_n[k] = candidate;
        d_z[k] = (h[k] - moved[k]) * old;
        d_r[k] = candidate * (inverse_hyperbolic_tangent(n) - x_n[k]) * (T(1) - r[k]);
    }
}

template <typename T> void multiply(std::int64_t D, const T* factor, T* x) {
#pragma omp simd
    for (std::int64_t k = 0; k < D; ++k) x[k] *= factor[k];
}

// In the order of the arguments; gradients of the first five may go to sums.
enum Input { FROM_STATE, STATE, FROM_INPUT, ALSO, SCALED, SCALE, MASK, INPUTS };
enum Saved { GATES = INPUTS, MOVED }; // behind the inputs

template <typename T> Step<T> seen(const variable_list& x) {
    return {x[STATE].size(-1),  rows<T>(x[STATE]),    rows<T>(x[FROM_INPUT]), rows<T>(x[ALSO]),
            rows<T>(x[SCALED]), numbers<T>(x[SCALE]), numbers<T>(x[MASK])};
}

variable_list inputs(const Tensor& from_state, const Tensor& state, const Tensor& from_input, Maybe also, Maybe scaled,
                     Maybe scale, Maybe mask) {
    return {dense_rows(from_state),    dense_rows(state), dense_rows(from_input), dense_rows(given(also)),
            dense_rows(given(scaled)), given(scale),      given(mask)};
}

// The new state. r and z go to `kept` if it is given, which becomes a tensor for them.
Tensor step_from(const variable_list& inputs, Tensor* kept) {
    const auto &state = inputs[STATE], &scale = inputs[SCALE];
    std::int64_t B = 1, S = scale.defined() ? scale.size(1) : 1;
    for (int k = FROM_STATE; k <= SCALED; ++k) { // not the largest: there may be no sentence, or no word
        if (sentences(inputs[k]) != 1) B = sentences(inputs[k]);
        if (words(inputs[k]) != 1) S = words(inputs[k]);
    }
    const auto D = state.size(-1);
    const auto of_all = [&](std::int64_t width) {
        return state.dim() == 3 ? at::empty({B, S, width}, state.options()) : at::empty({B, width}, state.options());
    };
    const auto out = of_all(D);
    if (kept) *kept = of_all(2 * D);
    with_type(state, [&]<typename T>(T) {
        const auto step = seen<T>(inputs);
        const auto from_state = rows<T>(inputs[FROM_STATE]), new_state = rows<T>(out);
        const auto for_gradient = kept ? rows<T>(*kept) : Rows<T>();
        in_chunks(chunks_for(B, B * S * D), B, [&](std::int64_t, std::int64_t first, std::int64_t last) {
            std::vector<T> x(3 * D);
            for (auto b = first; b < last; ++b)
                for (std::int64_t j = 0; j < S; ++j) {
                    step.input(b, j, 0, x.data());
                    gates(D, from_state.at(b, j), x.data());
                    move(D, x.data(), step.state.at(b, j), step.real(b, j), new_state.at(b, j));
                    if (kept) std::copy_n(x.data(), 2 * D, for_gradient.at(b, j));
                }
        });
    });
    return out;
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
    const auto arriving = rows<T>(grad), gates = rows<T>(saved[GATES]), moved = rows<T>(saved[MOVED]);
    in_chunks(chunks, B, [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
        std::vector<T> x_n(D), d(3 * D), kept(D);
        for (auto b = first; b < last; ++b)
            for (std::int64_t j = 0; j < S; ++j) {
                step.input(b, j, 2 * D, x_n.data());
                const T* r = gates.at(b, j);
                move_gradient(D, r, step.state.at(b, j), moved.at(b, j), x_n.data(), step.real(b, j), arriving.at(b, j),
                              d.data(), kept.data());
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
        auto saved = inputs(from_state, state, from_input, also, scaled, scale, mask);
        Tensor kept;
        const auto out = step_from(saved, &kept);
        saved[FROM_STATE] = at::empty({1}, state.options()).expand(from_state.sizes()); // of U h the shape is enough
        saved.insert(saved.end(), {kept, out});
        ctx->save_for_backward(saved);
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
    if (at::GradMode::is_enabled()) return Gated::apply(from_state, state, from_input, also, scaled, scale, mask);
    return step_from(inputs(from_state, state, from_input, also, scaled, scale, mask), nullptr);
}

} // namespace
} // namespace kernels::gated

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("gated_recurrence(Tensor from_state, Tensor state, Tensor from_input, Tensor? also=None, "
                "Tensor? scaled=None, Tensor? scale=None, Tensor? mask=None) -> Tensor",
                &kernels::gated::gated_recurrence);
}
