// x W^T + b, whose weight gradient joins those of the other steps inside the product that makes it.

#include "gather.h"

#include <torch/library.h>

namespace kernels::linear {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// (..., I) as (N, I).
Tensor as_rows(const Tensor& x) { return x.dim() == 2 ? x : x.reshape({-1, x.size(-1)}); }

// The gradient where nobody gathers it. Else it joins its sum, by `next` if there is one, and nothing is handed on.
template <typename First, typename Next>
Tensor gather(const SumPointer& sum, const First& first, const Next& next) {
    if (!sum) return first();
    if (sum->value.defined()) next(sum->value);
    else sum->value = first();
    return {};
}

struct Linear : torch::autograd::Function<Linear> {
    enum Input { X, W, B, INPUTS };

    static Tensor forward(AutogradContext* ctx, const Tensor& x, const Tensor& weight, Maybe bias) {
        ctx->save_for_backward({x, weight});
        save_sums(ctx, {sum_of(weight), sum_of(given(bias))});
        ctx->saved_data["bias"] = bias && bias->defined();
        return at::linear(x, weight, bias);
    }

    static variable_list backward(AutogradContext* ctx, const variable_list& grads) {
        refuse_second_derivative();
        const auto saved = ctx->get_saved_variables();
        const auto &x = saved[0], &weight = saved[1];
        const auto grad = as_rows(grads[0]);
        variable_list found(INPUTS);
        if (ctx->needs_input_grad(X)) found[X] = at::mm(grad, weight).view(x.sizes());
        if (ctx->needs_input_grad(W)) {
            const auto inputs = as_rows(x), turned = grad.t();
            found[W] = gather(saved_sum(ctx, 0), [&] { return at::mm(turned, inputs); },
                              [&](Tensor& sum) { sum.addmm_(turned, inputs); });
        }
        if (ctx->saved_data["bias"].toBool() && ctx->needs_input_grad(B))
            found[B] = gather(saved_sum(ctx, 1), [&] { return grad.sum(0); }, [&](Tensor& sum) { sum += grad.sum(0); });
        return found;
    }
};

Tensor apply(const Tensor& x, const Tensor& weight, Maybe bias) { return Linear::apply(x, weight, bias); }

} // namespace
} // namespace kernels::linear

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("linear(Tensor x, Tensor weight, Tensor? bias=None) -> Tensor", &kernels::linear::apply);
}
