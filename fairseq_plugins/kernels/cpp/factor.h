// The right factor of a product that the loop makes at every step, in the layout that MKL would else give it each time.
#pragma once

#include "rows.h"

namespace kernels {

// out = a b, or with `adds` out += a b.
inline void product(const Tensor& a, const Tensor& b, bool adds, Tensor out) {
    if (adds) out.addmm_(a, b);
    else at::mm_out(out, a, b);
}

// B of x B, where B is a weight (K, N), or the transpose of one (N, K).
class Factor {
  public:
    // out (M, N) = x B, or with `adds` out += x B, for x (M, K). All calls give the same weight; autograd refuses to go
    // on with a gathered one that has been changed.
    void multiply(const Tensor& x, const Tensor& weight, bool transposed, bool adds, const Tensor& out);

  private:
    bool packed_for(const Tensor& x, const Tensor& weight, bool transposed);

    int uses_ = 0;
    std::int64_t rows_ = 0; // of x, that `packed_` was made for
    Tensor packed_;
};

} // namespace kernels
