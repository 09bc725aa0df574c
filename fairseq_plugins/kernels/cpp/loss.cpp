// Label-smoothed negative log-likelihood of logits, read twice and written once.

#include "math.h"
#include "rows.h"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

#include <cmath>
#include <limits>
#include <tuple>

namespace kernels::loss {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Whether a word is one of its row's choices: its logit is not -inf. A logit that is no number is, for it has to show.
template <typename T> bool is_choice(T x) { return x != -std::numeric_limits<T>::infinity(); }

// What a row of logits comes to.
template <typename T> struct Row {
    T normaliser, total; // log sum exp, and the sum of its choices' logits
    std::int64_t choices;

    Row(std::int64_t V, const T* x) {
        T largest = -std::numeric_limits<T>::infinity(), sum = 0, all = 0;
#pragma omp simd reduction(max : largest)
        for (std::int64_t k = 0; k < V; ++k) largest = x[k] > largest ? x[k] : largest;
        std::int64_t out = 0;
#pragma omp simd reduction(+ : sum, all, out)
        for (std::int64_t k = 0; k < V; ++k) {
            const bool possible = is_choice(x[k]);
            sum += possible ? exponential(x[k] - largest) : T(0);
            all += possible ? x[k] : T(0);
            out += possible ? 0 : 1;
        }
        normaliser = largest + std::log(sum);
        total = all;
        choices = V - out;
    }

    // What each of the other choices gets of epsilon.
    T share(double epsilon) const { return static_cast<T>(epsilon / std::max<std::int64_t>(1, choices - 1)); }
};

// factor (weight softmax(x) - share) for the row's choices, 0 for other words.
template <typename T>
void row_gradient(std::int64_t V, const T* x, T normaliser, T weight, T share, T factor, T* d) {
#pragma omp simd
    for (std::int64_t k = 0; k < V; ++k) {
        const bool possible = is_choice(x[k]);
        d[k] = possible ? factor * (weight * exponential(x[k] - normaliser) - share) : T(0);
    }
}

// logits (N, V), target (N) -> (smoothed, nll), both summed over the rows whose target is not padding.
struct SmoothedNLL : torch::autograd::Function<SmoothedNLL> {
    static variable_list forward(AutogradContext* ctx, const Tensor& logits, const Tensor& target, double epsilon,
                                 std::int64_t padding, bool consume) {
        const auto N = logits.size(0), V = logits.size(1);
        const auto normalisers = at::zeros({N}, logits.options()), shares = at::zeros({N}, logits.options());
        const auto weights = at::zeros({N}, logits.options());
        const auto smoothed = at::zeros({N}, logits.options()), nll = at::zeros({N}, logits.options());
        with_type(logits, [&]<typename T>(T) {
            const auto* y = target.data_ptr<std::int64_t>();
            in_chunks(chunks_for(N, N * V), N, [&](std::int64_t, std::int64_t first, std::int64_t last) {
                for (auto i = first; i < last; ++i) {
                    if (y[i] == padding) continue;
                    TORCH_CHECK_INDEX(0 <= y[i] && y[i] < V, "target ", y[i], " is none of the ", V, " words");
                    const auto* x = logits.data_ptr<T>() + i * V;
                    const Row<T> row(V, x);
                    const auto share = row.share(epsilon), loss = row.normaliser - x[y[i]];
                    normalisers.data_ptr<T>()[i] = row.normaliser;
                    shares.data_ptr<T>()[i] = share;
                    weights.data_ptr<T>()[i] =
                        static_cast<T>(1 - epsilon) + share * static_cast<T>(row.choices - 1);
                    nll.data_ptr<T>()[i] = loss;
                    smoothed.data_ptr<T>()[i] = static_cast<T>(1 - epsilon) * loss +
                        share * (static_cast<T>(row.choices) * row.normaliser - row.total - loss);
                }
            });
        });
        ctx->save_for_backward({logits, target, normalisers, shares, weights});
        ctx->saved_data["epsilon"] = epsilon;
        ctx->saved_data["padding"] = padding;
        ctx->saved_data["consume"] = consume;
        const auto found = variable_list{smoothed.sum(), nll.sum()};
        ctx->mark_non_differentiable({found[1]});
        return found;
    }

    // Of a row: weight * softmax - share - (1 - epsilon - share) at the target. The weight is 1, but 1 - epsilon in a row
    // of one choice, which has nobody to share with.
    static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
        refuse_second_derivative();
        const auto saved = ctx->get_saved_variables();
        const auto &logits = saved[0], &target = saved[1], &normalisers = saved[2], &shares = saved[3], &weights = saved[4];
        const auto epsilon = ctx->saved_data["epsilon"].toDouble();
        const auto padding = ctx->saved_data["padding"].toInt(), N = logits.size(0), V = logits.size(1);
        const bool consume = ctx->saved_data["consume"].toBool();
        const auto found = consume ? logits.detach() : at::empty_like(logits);
        if (consume) found.unsafeGetTensorImpl()->bump_version(); // a second pass would find gradients and is refused
        with_type(logits, [&]<typename T>(T) {
            const auto* y = target.data_ptr<std::int64_t>();
            const auto factor = grads[0].template item<T>();
            in_chunks(chunks_for(N, N * V), N, [&](std::int64_t, std::int64_t first, std::int64_t last) {
                for (auto i = first; i < last; ++i) {
                    const auto* x = logits.data_ptr<T>() + i * V;
                    auto* d = found.data_ptr<T>() + i * V;
                    if (y[i] == padding) {
                        std::fill_n(d, V, T(0));
                        continue;
                    }
                    const auto share = shares.data_ptr<T>()[i];
                    row_gradient(V, x, normalisers.data_ptr<T>()[i], weights.data_ptr<T>()[i], share, factor, d);
                    d[y[i]] -= factor * (static_cast<T>(1 - epsilon) - share);
                }
            });
        });
        return {found, Tensor(), Tensor(), Tensor(), Tensor()};
    }
};

std::tuple<Tensor, Tensor> smoothed_nll(const Tensor& logits, const Tensor& target, double epsilon,
                                        std::int64_t padding, bool consume) {
    const auto found = SmoothedNLL::apply(logits.contiguous(), target.contiguous(), epsilon, padding, consume);
    return {found[0], found[1]};
}

} // namespace
} // namespace kernels::loss

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("smoothed_nll(Tensor logits, Tensor target, float epsilon, int padding, bool consume) -> (Tensor, Tensor)",
                &kernels::loss::smoothed_nll);
}
