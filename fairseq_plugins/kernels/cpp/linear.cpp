// x W^T + b, whose gradients join those of the other steps inside the products that make them.

#include "gather.h"

#include <torch/library.h>

#include <optional>
#include <unordered_map>

namespace kernels::linear {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// (..., I) as (N, I).
Tensor as_rows(const Tensor& x) { return x.dim() == 2 ? x : x.reshape({-1, x.size(-1)}); }

// Outputs for which a large matrix and its gradient are rounded at a time, so that they are in a cache when multiplied.
constexpr std::int64_t WIDE = 2048;

// Parameters that do not change for a while, rounded. Each holds its tensor too, so that no other gets its address.
struct Kept {
    Tensor weight;
    rounded::Right turned;
};
thread_local std::optional<std::unordered_map<const void*, Kept>> kept;

void keep_rounded(bool keep) {
    if (keep) kept.emplace();
    else kept.reset();
}

// Where W^T stays rounded for later products: beside the sum of a gathered weight or among the kept ones.
rounded::Right* place_of_turned(const Tensor& weight, const SumPointer& sum) {
    if (sum) return &sum->turned;
    if (!kept || !weight.is_leaf() || !weight.requires_grad()) return nullptr;
    auto& found = (*kept)[weight.unsafeGetTensorImpl()];
    found.weight = weight;
    return &found.turned;
}

template <typename Round> rounded::Right rounded_once(rounded::Right* place, const Tensor& rows, const Round& round) {
    if (!place) return round(rows);
    if (!place->data.defined()) *place = round(rows);
    return *place;
}

// Calls f(begin, end) for every share of the outputs: for all at once where the whole weight stays rounded.
template <typename F> void by_outputs(std::int64_t outputs, bool whole, const F& f) {
    const auto most = whole ? outputs : WIDE;
    for (std::int64_t begin = 0; begin < outputs; begin += most) f(begin, std::min(begin + most, outputs));
}

// out = x W^T, or with `adds` out += x W^T.
void rounded_forward(const Tensor& x, const Tensor& weight, const SumPointer& sum, bool adds, const Tensor& out) {
    const auto left = rounded::left(x);
    auto* place = place_of_turned(weight, sum);
    by_outputs(weight.size(0), place != nullptr, [&](std::int64_t begin, std::int64_t end) {
        const auto right = rounded_once(place, weight.slice(0, begin, end), rounded::turned_right);
        rounded::multiply({{left, right}}, adds, out.slice(1, begin, end));
    });
}

// out = G W, or with `adds` out += G W.
void rounded_to_input(const Tensor& grad, const Tensor& weight, const SumPointer& sum, bool adds, const Tensor& out) {
    by_outputs(weight.size(0), bool(sum), [&](std::int64_t begin, std::int64_t end) {
        const auto right = rounded_once(sum ? &sum->straight : nullptr, weight.slice(0, begin, end), rounded::right);
        rounded::multiply({{rounded::left(grad.slice(1, begin, end)), right}}, adds || begin > 0, out);
    });
}

// G^T x, now or, of a gathered weight, together with the other steps'.
Tensor rounded_to_weight(const Tensor& grad, const Tensor& x, const SumPointer& sum) {
    const auto right = rounded::right(x);
    if (sum) {
        sum->products.push_back({rounded::turned_left(grad), right});
        return {};
    }
    const auto out = at::empty({grad.size(1), x.size(1)}, x.options());
    by_outputs(grad.size(1), false, [&](std::int64_t begin, std::int64_t end) {
        rounded::multiply({{rounded::turned_left(grad.slice(1, begin, end)), right}}, false, out.slice(0, begin, end));
    });
    return out;
}

// The gradient where nobody gathers it. Else it joins its sum, and nothing is handed on. `make(adds, out)`: out = the
// gradient, or out += it.
template <typename Make> Tensor gather(const SumPointer& sum, at::IntArrayRef shape, const Tensor& like, const Make& make) {
    const bool adds = sum && sum->value.defined();
    const auto out = adds ? sum->value : at::empty(shape, like.options());
    make(adds, out);
    if (!sum) return out;
    sum->value = out;
    return {};
}

struct Linear : torch::autograd::Function<Linear> {
    enum Input { X, W, B, ROUNDS, INPUTS };

    static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& weight, Maybe bias, bool rounds) {
        const bool biased = bias && bias->defined();
        ctx->save_for_backward({x, weight});
        save_sums(ctx, {sum_of(x), sum_of(weight), sum_of(given(bias))});
        ctx->saved_data["bias"] = biased;
        ctx->saved_data["rounds"] = rounds = rounds && x.scalar_type() == at::kFloat;
        auto shape = x.sizes().vec();
        shape.back() = weight.size(0);
        const auto out = at::empty(shape, x.options()); // whoever gets a view of it could not write into it
        if (biased) out.copy_(*bias);
        if (rounds) rounded_forward(as_rows(x), weight, sum_of(weight), biased, as_rows(out));
        else product(as_rows(x), weight.t(), biased, as_rows(out));
        return out;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
        refuse_second_derivative();
        const auto saved = ctx->get_saved_variables();
        const auto &x = saved[0], &weight = saved[1];
        const auto grad = as_rows(grads[0]), turned = grad.t();
        const bool rounds = ctx->saved_data["rounds"].toBool();
        variable_list found(INPUTS);
        if (ctx->needs_input_grad(X))
            found[X] = gather(saved_sum(ctx, X), x.sizes(), x, [&](bool adds, const Tensor& out) {
                if (rounds) rounded_to_input(grad, weight, saved_sum(ctx, W), adds, as_rows(out));
                else product(grad, weight, adds, as_rows(out));
            });
        if (ctx->needs_input_grad(W) && rounds) found[W] = rounded_to_weight(grad, as_rows(x), saved_sum(ctx, W));
        else if (ctx->needs_input_grad(W))
            found[W] = gather(saved_sum(ctx, W), weight.sizes(), weight, [&](bool adds, const Tensor& out) {
                product(turned, as_rows(x), adds, out);
            });
        if (ctx->saved_data["bias"].toBool() && ctx->needs_input_grad(B))
            found[B] = gather(saved_sum(ctx, B), {weight.size(0)}, weight,
                              [&](bool adds, Tensor out) { adds ? out.add_(grad.sum(0)) : at::sum_out(out, grad, {0}); });
        return found;
    }
};

Tensor apply(const Tensor& x, const Tensor& weight, Maybe bias, bool rounds) {
    return Linear::apply(x, weight, bias, rounds);
}

} // namespace
} // namespace kernels::linear

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("keep_rounded(bool keep) -> ()", &kernels::linear::keep_rounded);
    library.def("linear(Tensor x, Tensor weight, Tensor? bias=None, bool rounds=False) -> Tensor", &kernels::linear::apply);
}
