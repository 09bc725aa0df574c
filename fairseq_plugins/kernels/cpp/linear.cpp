// x W^T + b, whose gradients join those of the other steps inside the products that make them.

#include "gather.h"

#include <torch/library.h>

namespace kernels::linear {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// (..., I) as (N, I).
Tensor as_rows(const Tensor& x) { return x.dim() == 2 ? x : x.reshape({-1, x.size(-1)}); }

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
    enum Input { X, W, B, INPUTS };

    static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& weight, Maybe bias) {
        const bool biased = bias && bias->defined();
        ctx->save_for_backward({x, weight});
        save_sums(ctx, {sum_of(x), sum_of(weight), sum_of(given(bias))});
        ctx->saved_data["bias"] = biased;
        auto shape = x.sizes().vec();
        shape.back() = weight.size(0);
        const auto out = at::empty(shape, x.options()); // whoever gets a view of it could not write into it
        if (biased) out.copy_(*bias);
        product(as_rows(x), weight.t(), biased, as_rows(out));
        return out;
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
        refuse_second_derivative();
        const auto saved = ctx->get_saved_variables();
        const auto &x = saved[0], &weight = saved[1];
        const auto grad = as_rows(grads[0]), turned = grad.t();
        variable_list found(INPUTS);
        if (ctx->needs_input_grad(X))
            found[X] = gather(saved_sum(ctx, X), x.sizes(), x, [&](bool adds, const Tensor& out) {
                product(grad, weight, adds, as_rows(out));
            });
        if (ctx->needs_input_grad(W))
            found[W] = gather(saved_sum(ctx, W), weight.sizes(), weight, [&](bool adds, const Tensor& out) {
                product(turned, as_rows(x), adds, out);
            });
        if (ctx->saved_data["bias"].toBool() && ctx->needs_input_grad(B))
            found[B] = gather(saved_sum(ctx, B), {weight.size(0)}, weight,
                              [&](bool adds, Tensor out) { adds ? out.add_(grad.sum(0)) : at::sum_out(out, grad, {0}); });
        return found;
    }
};

Tensor apply(const Tensor& x, const Tensor& weight, Maybe bias) { return Linear::apply(x, weight, bias); }

} // namespace
} // namespace kernels::linear

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("linear(Tensor x, Tensor weight, Tensor? bias=None) -> Tensor", &kernels::linear::apply);
}
