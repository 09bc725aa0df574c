#include "gather.h"

#include <torch/csrc/autograd/graph_task.h>
#include <torch/library.h>

namespace kernels {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

namespace {

// Nodes save values of certain types; this one holds pointers.
struct Sums : torch::CustomClassHolder {
    std::vector<SumPointer> pointers;
};

Sums& sums_in(AutogradContext* ctx) {
    return *static_cast<Sums*>(ctx->saved_data.at("sums").toCapsule().get());
}

} // namespace

void save_sums(AutogradContext* ctx, const std::vector<SumPointer>& sums) {
    auto saved = c10::make_intrusive<Sums>();
    saved->pointers = sums;
    ctx->saved_data["sums"] = c10::IValue::make_capsule(std::move(saved));
}

SumPointer saved_sum(AutogradContext* ctx, std::size_t k) {
    const auto& sum = sums_in(ctx).pointers[k];
    const auto pass = torch::autograd::get_current_graph_task_id();
    if (sum && std::exchange(sum->pass, pass) != pass) {
        sum->value = Tensor();
        sum->products.clear();
    }
    return sum;
}

Tensor Gather::forward(AutogradContext* ctx, const Tensor& x) {
    ctx->set_materialize_grads(false); // no gradient arrives when all of them went into the sum
    save_sums(ctx, {c10::make_intrusive<Sum>()});
    return x.view_as(x);
}

variable_list Gather::backward(AutogradContext* ctx, const variable_list& grads) {
    const auto sum = saved_sum(ctx, 0);
    auto found = std::exchange(sum->value, Tensor()); // a graph that is kept can be gone through again
    if (const auto products = std::exchange(sum->products, {}); !products.empty()) {
        const bool adds = found.defined();
        if (!adds) found = at::empty({products[0].left.rows, products[0].right.columns}, products[0].left.data.options().dtype(at::kFloat));
        rounded::multiply(products, adds, found);
    }
    if (!found.defined() || !grads[0].defined()) return {found.defined() ? found : grads[0]};
    return {found + grads[0]};
}

SumPointer sum_of(const Tensor& x) {
    if (!x.defined() || !x.requires_grad()) return {};
    auto* node = dynamic_cast<torch::autograd::CppNode<Gather>*>(x.grad_fn().get());
    return node ? sums_in(&node->ctx_).pointers[0] : SumPointer();
}

namespace {

Tensor gathered(const Tensor& x) { return x.requires_grad() && at::GradMode::is_enabled() ? Gather::apply(x) : x; }

} // namespace
} // namespace kernels

TORCH_LIBRARY_FRAGMENT(attention_kernels, library) {
    library.def("gathered(Tensor x) -> Tensor", &kernels::gathered);
}
