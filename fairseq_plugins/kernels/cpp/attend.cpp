// Additive attention: energies and their softmax in one pass over the keys, and sums of rows weighted by it.

#include "gradient.h"
#include "math.h"
#include "rows.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <limits>

namespace kernels::attend {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Softmax over the real words of a sentence; 0 at the others.
template <typename T> void softmax(std::int64_t S, const bool* real, T* e) {
    T largest = -std::numeric_limits<T>::infinity(), sum = 0;
    for (std::int64_t j = 0; j < S; ++j)
        if (real[j]) largest = std::max(largest, e[j]);
    for (std::int64_t j = 0; j < S; ++j) {
        e[j] = real[j] ? exponential(e[j] - largest) : T(0);
        sum += e[j];
    }
    for (std::int64_t j = 0; j < S; ++j) e[j] /= sum;
}

// t = tanh(query + t).
template <typename T> void squash(std::int64_t A, const T* query, T* t) {
#pragma omp simd
    for (std::int64_t a = 0; a < A; ++a) t[a] = hyperbolic_tangent(t[a] + query[a]);
}

// Of d_e v^T t, t = tanh(key + query): into d for the key; added to d_query and d_v.
template <typename T>
void energy_gradient(std::int64_t A, T d_e, const T* t, const T* v, T* d, T* d_query, T* d_v) {
#pragma omp simd
    for (std::int64_t a = 0; a < A; ++a) {
        const T moved = d_e * v[a] * (T(1) - t[a] * t[a]);
        d[a] = moved;
        d_query[a] += moved;
        d_v[a] += d_e * t[a];
    }
}

// W x_j for F numbers x_j of a word. Few as they are, their products are made here: as tensors of (B, S, A) they would
// cost a pass over memory each.
template <typename T> struct Features {
    std::int64_t F = 0, A = 0;
    Rows<T> x;
    Tensor turned; // W^T (F, A)

    Features(const Tensor& numbers, const Tensor& weight) {
        if (!numbers.defined()) return;
        F = numbers.size(2), A = weight.size(0), x = rows<T>(numbers), turned = weight.t().contiguous();
    }

    void enter(std::int64_t b, std::int64_t j, T* row) const {
        for (std::int64_t f = 0; f < F; ++f) add(A, x.at(b, j)[f], turned.data_ptr<T>() + f * A, row);
    }

    // Of d, the gradient of W x_j: into d_x (F), and added to d_W^T (F, A).
    void gradient(std::int64_t b, std::int64_t j, const T* d, T* d_x, T* d_turned) const {
        for (std::int64_t f = 0; f < F; ++f) {
            d_x[f] = dot(A, d, turned.data_ptr<T>() + f * A);
            add(A, x.at(b, j)[f], d, d_turned + f * A);
        }
    }
};

// Weights, or as they come the energies that they are the softmax of.
struct Weights : torch::autograd::Function<Weights> {
    enum Input { KEYS, QUERY, V, MASK, ADDEND, ALSO, FEATURES, OF_FEATURES, NORMALISED, INPUTS };

    static Tensor forward(AutogradContext* ctx, const Tensor& all_keys, const Tensor& all_queries,
                          const Tensor& along_which, const Tensor& real, Maybe some_addend, Maybe another,
                          Maybe some_features, Maybe of_features, bool normalised) {
        const auto keys = dense_rows(all_keys), query = dense_rows(all_queries);
        const auto addend = dense_rows(given(some_addend)), also = dense_rows(given(another));
        const auto numbers = dense_rows(given(some_features)), weight = given(of_features);
        const auto v = along_which.contiguous(), mask = real.contiguous();
        const auto B = keys.size(0), S = keys.size(1), A = keys.size(2);
        const auto weights = at::empty({B, S}, keys.options()), t = at::empty({B, S, A}, keys.options());
        with_type(keys, [&]<typename T>(T) {
            const auto k = rows<T>(keys), q = rows<T>(query), first_extra = rows<T>(addend), second_extra = rows<T>(also);
            const auto squashed = rows<T>(t);
            const Features<T> features(numbers, weight);
            const auto* along = v.data_ptr<T>();
            in_chunks(chunks_for(B, B * S * A), B, [&](std::int64_t, std::int64_t first, std::int64_t last) {
                for (auto b = first; b < last; ++b) {
                    auto* e = weights.data_ptr<T>() + b * S;
                    const auto* of_sentence = q.at(b, 0);
                    for (std::int64_t j = 0; j < S; ++j) {
                        auto* row = squashed.at(b, j);
                        std::copy_n(k.at(b, j), A, row);
                        if (first_extra) add(A, first_extra.at(b, j), row);
                        if (second_extra) add(A, second_extra.at(b, j), row);
                        features.enter(b, j, row);
                        squash(A, of_sentence, row);
                        e[j] = dot(A, row, along);
                    }
                    if (normalised) softmax(S, mask.data_ptr<bool>() + b * S, e);
                }
            });
        });
        ctx->save_for_backward({t, v, weights, numbers, weight});
        save_sums(ctx, {sum_of(all_keys), sum_of(given(some_addend)), sum_of(given(another))});
        ctx->saved_data["addend"] = addend.defined();
        ctx->saved_data["also"] = also.defined();
        ctx->saved_data["normalised"] = normalised;
        return weights;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
        refuse_second_derivative();
        const auto saved = ctx->get_saved_variables();
        const auto &t = saved[0], &v = saved[1], &weights = saved[2], &numbers = saved[3], &weight = saved[4];
        const auto B = t.size(0), S = t.size(1), A = t.size(2), chunks = chunks_for(B, B * S * A);
        // Autograd counts only the inputs that were given.
        const bool has_addend = ctx->saved_data["addend"].toBool(), has_also = ctx->saved_data["also"].toBool();
        const auto wanted = [&](int input) {
            if (input == ADDEND) return has_addend && ctx->needs_input_grad(ADDEND);
            if (input == ALSO) return has_also && ctx->needs_input_grad(ADDEND + has_addend);
            return ctx->needs_input_grad(input);
        };
        const auto grad = grads[0].contiguous();
        const bool normalised = ctx->saved_data["normalised"].toBool();
        variable_list found(INPUTS);
        with_type(t, [&]<typename T>(T) {
            // All that stands inside the tanh has the same gradient: a tensor for what has no sum, and each sum.
            Tensor of_words;
            std::vector<Gradient<T>> added_up;
            for (const int input : {KEYS, ADDEND, ALSO}) {
                if (!wanted(input)) continue;
                if (const auto sum = saved_sum(ctx, input == KEYS ? 0 : input - ADDEND + 1)) {
                    added_up.emplace_back(t, true, B, S, chunks, sum);
                } else {
                    if (!of_words.defined()) of_words = at::empty_like(t);
                    found[input] = of_words;
                }
            }
            const auto squashed = rows<T>(t);
            const auto of_sentences = at::zeros({B, A}, t.options());
            const Features<T> features(numbers, weight);
            const auto F = features.F;
            const Tensor d_numbers = at::empty({B, S, F}, t.options());
            std::vector<std::vector<T>> d_v(chunks, std::vector<T>(A)), d_turned(chunks, std::vector<T>(F * A));
            in_chunks(chunks, B, [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
                std::vector<T> spare(A);
                for (auto b = first; b < last; ++b) {
                    const auto *alpha = weights.data_ptr<T>() + b * S, *g = grad.data_ptr<T>() + b * S;
                    const auto* along = v.data_ptr<T>();
                    auto *d_q = of_sentences.data_ptr<T>() + b * A, *d_along = d_v[chunk].data();
                    const auto mean = dot(S, alpha, g);
                    for (std::int64_t j = 0; j < S; ++j) {
                        const auto d_e = normalised ? alpha[j] * (g[j] - mean) : g[j];
                        const auto* row = squashed.at(b, j);
                        auto* d = of_words.defined() ? of_words.data_ptr<T>() + (b * S + j) * A : spare.data();
                        energy_gradient(A, d_e, row, along, d, d_q, d_along);
                        for (auto& one : added_up) one.put(chunk, b, j, d);
                        features.gradient(b, j, d, d_numbers.data_ptr<T>() + (b * S + j) * F, d_turned[chunk].data());
                    }
                }
            });
            const auto of_v = at::zeros_like(v);
            for (const auto& one : d_v) add(A, one.data(), of_v.data_ptr<T>());
            found[QUERY] = of_sentences;
            found[V] = of_v;
            if (!F) return;
            const Tensor of_weight = at::zeros({F, A}, t.options());
            for (const auto& one : d_turned) add(F * A, one.data(), of_weight.data_ptr<T>());
            found[FEATURES] = d_numbers;
            found[OF_FEATURES] = of_weight.t();
        });
        return found;
    }
};

struct WeightedSum : torch::autograd::Function<WeightedSum> {
    enum Input { WEIGHTS, VALUES, INPUTS };

    static Tensor forward(AutogradContext* ctx, const Tensor& weights, const Tensor& all_values) {
        const auto values = dense_rows(all_values);
        const auto B = values.size(0), S = values.size(1), C = values.size(2);
        const auto out = at::zeros({B, C}, values.options());
        with_type(values, [&]<typename T>(T) {
            const auto alpha = numbers<T>(weights), x = rows<T>(values);
            in_chunks(chunks_for(B, B * S * C), B, [&](std::int64_t, std::int64_t first, std::int64_t last) {
                for (auto b = first; b < last; ++b)
                    for (std::int64_t j = 0; j < S; ++j)
                        add(C, *alpha.at(b, j), x.at(b, j), out.data_ptr<T>() + b * C);
            });
        });
        ctx->save_for_backward({weights, values});
        save_sums(ctx, {sum_of(all_values)});
        return out;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
        refuse_second_derivative();
        const auto saved = ctx->get_saved_variables();
        const auto &weights = saved[0], &values = saved[1];
        const auto B = values.size(0), S = values.size(1), C = values.size(2);
        const auto grad = grads[0].contiguous(), d_weights = at::empty({B, S}, values.options());
        variable_list found(INPUTS);
        with_type(values, [&]<typename T>(T) {
            const auto chunks = chunks_for(B, B * S * C);
            const auto alpha = numbers<T>(weights), x = rows<T>(values);
            Gradient<T> d_values(values, ctx->needs_input_grad(VALUES), B, S, chunks, saved_sum(ctx, 0));
            in_chunks(chunks, B, [&](std::int64_t chunk, std::int64_t first, std::int64_t last) {
                for (auto b = first; b < last; ++b) {
                    const auto* g = grad.data_ptr<T>() + b * C;
                    for (std::int64_t j = 0; j < S; ++j) {
                        d_weights.data_ptr<T>()[b * S + j] = dot(C, g, x.at(b, j));
                        d_values.put(chunk, b, j, *alpha.at(b, j), g);
                    }
                }
            });
            found[WEIGHTS] = d_weights;
            found[VALUES] = d_values.finished();
        });
        return found;
    }
};

Tensor attention_weights(const Tensor& keys, const Tensor& query, const Tensor& v, const Tensor& mask, Maybe addend,
                         Maybe also, Maybe features, Maybe of_features) {
    return Weights::apply(keys, query, v, mask, addend, also, features, of_features, true);
}

Tensor energies(const Tensor& keys, const Tensor& query, const Tensor& v, const Tensor& mask, Maybe addend, Maybe also,
                Maybe features, Maybe of_features) {
    return Weights::apply(keys, query, v, mask, addend, also, features, of_features, false);
}

Tensor weighted_sum(const Tensor& weights, const Tensor& values) {
    return WeightedSum::apply(weights, values);
}

} // namespace
} // namespace kernels::attend

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("attention_weights(Tensor keys, Tensor query, Tensor v, Tensor mask, Tensor? addend=None, "
                "Tensor? also=None, Tensor? features=None, Tensor? of_features=None) -> Tensor",
                &kernels::attend::attention_weights);
    library.def("energies(Tensor keys, Tensor query, Tensor v, Tensor mask, Tensor? addend=None, Tensor? also=None, "
                "Tensor? features=None, Tensor? of_features=None) -> Tensor",
                &kernels::attend::energies);
    library.def("weighted_sum(Tensor weights, Tensor values) -> Tensor", &kernels::attend::weighted_sum);
}
