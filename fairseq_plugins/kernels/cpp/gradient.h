// Gradients of rows that words, sentences or everybody share.
#pragma once

#include "gather.h"

namespace kernels {

// The gradient of `of`, whose rows may be shared: each thread adds up its own share of what all sentences share.
// One tensor may be two inputs of a step, with one sum: what is made first has to be put first, for it may overwrite.
template <typename T> class Gradient {
  public:
    // wanted: whether anybody asks; sum: where it is added up with those of other steps, if it is.
    Gradient(const Tensor& of, bool wanted, std::int64_t B, std::int64_t S, std::int64_t chunks, const SumPointer& sum) {
        if (!of.defined() || !wanted) return;
        const bool continues = sum && sum->value.defined();
        overwrite_ = sentences(of) == B && words(of) == S && !continues;
        tensor_ = continues ? sum->value : overwrite_ ? at::empty(of.sizes(), of.options()) : at::zeros(of.sizes(), of.options());
        if (sum) sum->value = tensor_;
        handed_out_ = !sum;
        into_ = rows<T>(tensor_);
        if (into_.sentence == 0 && B > 1) shares_.assign(chunks, std::vector<T>(words(of) * of.size(-1)));
        width_ = of.size(-1);
    }

    explicit operator bool() const { return tensor_.defined(); }

    void put(std::int64_t chunk, std::int64_t b, std::int64_t j, const T* x) {
        if (!tensor_.defined()) return;
        T* row = target(chunk, b, j);
        if (overwrite_) std::copy(x, x + width_, row);
        else add(width_, x, row);
    }

    void put(std::int64_t chunk, std::int64_t b, std::int64_t j, T factor, const T* x) {
        if (!tensor_.defined()) return;
        T* row = target(chunk, b, j);
        if (overwrite_)
#pragma omp simd
            for (std::int64_t k = 0; k < width_; ++k) row[k] = factor * x[k];
        else add(width_, factor, x, row);
    }

    // What autograd gets of this step: nothing if it went into a sum.
    Tensor finished() {
        for (const auto& one : shares_) add(static_cast<std::int64_t>(one.size()), one.data(), tensor_.template data_ptr<T>());
        return handed_out_ ? tensor_ : Tensor();
    }

  private:
    T* target(std::int64_t chunk, std::int64_t b, std::int64_t j) {
        return shares_.empty() ? into_.at(b, j) : shares_[chunk].data() + j * into_.word;
    }

    Tensor tensor_;
    Rows<T> into_;
    bool overwrite_ = false, handed_out_ = true;
    std::int64_t width_ = 0;
    std::vector<std::vector<T>> shares_;
};

} // namespace kernels
