#include "factor.h"

// Of MKL, which torch brings along on some machines, and of it only what torch uses itself: not those for double.
extern "C" {
std::size_t cblas_sgemm_pack_get_size(int factor, int m, int n, int k) __attribute__((weak));
void cblas_sgemm_pack(int layout, int factor, int transposed, int m, int n, int k, float alpha, const float* from,
                      int stride, float* to) __attribute__((weak));
void cblas_sgemm_compute(int layout, int a_is, int b_is, int m, int n, int k, const float* a, int a_stride,
                         const float* b, int b_stride, float beta, float* c, int c_stride) __attribute__((weak));
}

namespace kernels {
namespace {

enum : int { ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112, PACKED = 151, RIGHT = 162 }; // of MKL's mkl_cblas.h

bool can_pack(const Tensor& x, const Tensor& weight) {
    return cblas_sgemm_pack_get_size && cblas_sgemm_pack && cblas_sgemm_compute && x.scalar_type() == at::kFloat &&
           weight.scalar_type() == at::kFloat && weight.is_contiguous() && x.size(0) > 0;
}

} // namespace

bool Factor::packed_for(const Tensor& x, const Tensor& weight, bool transposed) {
    if (!can_pack(x, weight)) return false;
    const auto M = x.size(0), K = x.size(1), N = weight.size(transposed ? 0 : 1);
    if (packed_.defined()) return rows_ == M;
    if (++uses_ == 1) return false; // many are used once
    rows_ = M;
    const auto bytes = static_cast<std::int64_t>(cblas_sgemm_pack_get_size(RIGHT, M, N, K));
    packed_ = at::empty({bytes}, weight.options().dtype(at::kByte));
    cblas_sgemm_pack(ROW_MAJOR, RIGHT, transposed ? TRANSPOSED : AS_IT_IS, M, N, K, 1, weight.data_ptr<float>(),
                     weight.size(1), static_cast<float*>(packed_.data_ptr()));
    return true;
}

void Factor::multiply(const Tensor& x, const Tensor& weight, bool transposed, bool adds, const Tensor& out) {
    if (!packed_for(x, weight, transposed)) return product(x, transposed ? weight.t() : weight, adds, out);
    const auto rows = x.stride(1) == 1 && x.stride(0) >= x.size(1) ? x : x.contiguous();
    const auto M = rows.size(0), K = rows.size(1), N = out.size(1);
    cblas_sgemm_compute(ROW_MAJOR, AS_IT_IS, PACKED, M, N, K, rows.data_ptr<float>(), rows.stride(0),
                        static_cast<const float*>(packed_.data_ptr()), N, adds, out.data_ptr<float>(), N);
}

} // namespace kernels
