// Gradients of what every step of the loop uses, added up in one place.
#pragma once

#include "rounded.h"

#include <torch/csrc/autograd/custom_function.h>

namespace kernels {

// The gradient so far of a gathered tensor; undefined before there is any.
struct Sum : c10::intrusive_ptr_target {
    Tensor value;
    int pass = -1; // the run through the graph that it belongs to: one that was interrupted leaves a part of it
    std::vector<rounded::Product> products; // what shall be added to it: one long sum costs less than many short ones
    rounded::Right straight, turned; // the tensor as a rounded factor, once a step has asked for it
};
using SumPointer = c10::intrusive_ptr<Sum>;

// The identity. Autograd alone would make a tensor of x's size for each use of x and add it to the others; the kernels
// recognise what comes from here and add to its sum instead.
struct Gather : torch::autograd::Function<Gather> {
    static Tensor forward(torch::autograd::AutogradContext* ctx, const Tensor& x);
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                   const torch::autograd::variable_list& grads);
};

// Where gradients of x are added up; null unless x is a gathered tensor itself.
SumPointer sum_of(const Tensor& x);

// Puts sums into what a node saves, and takes them out in its backward, without what an earlier pass has left.
void save_sums(torch::autograd::AutogradContext* ctx, const std::vector<SumPointer>& sums);
SumPointer saved_sum(torch::autograd::AutogradContext* ctx, std::size_t k);

} // namespace kernels
