// Matrix products of factors rounded to bf16, whose exact products are added up in fp32.
#pragma once

#include "rows.h"

#include <vector>

namespace kernels::rounded {

// Where the processor has instructions for it, numbers lie in bf16 in the order in which they are multiplied; elsewhere
// `data` is the matrix itself, rounded, in fp32.

// A factor (M, K) on the left: blocks of DEEP columns, the last one narrower, each with its rows one after the other.
struct Left {
    Tensor data;
    std::int64_t rows = 0, inner = 0;
};

// A factor (K, N) on the right: panels of PANEL columns, in which the numbers of two rows alternate.
struct Right {
    Tensor data;
    std::int64_t inner = 0, columns = 0;
};

struct Product {
    Left left;
    Right right;
};

// Matrices of float, rounded; `turned_`: their transposes. Rows may lie apart.
Left left(const Tensor& x);
Left turned_left(const Tensor& x);
Right right(const Tensor& x);
Right turned_right(const Tensor& x);

// out = the sum of the products, or with `adds` out += it; the same in every run.
void multiply(const std::vector<Product>& products, bool adds, const Tensor& out);

// Whether that is quicker than fp32: the processor has instructions for it, and torch the kernels.
bool quick();

} // namespace kernels::rounded
