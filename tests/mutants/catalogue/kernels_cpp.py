"""The kernels in C++: signs, masks, strides, sums that go on from step to step, and work split among threads."""

from collections.abc import Mapping

from ..mutant import Mutant, mutants

CPP = "fairseq_plugins/kernels/cpp"
TESTS = " ".join(
    f"tests/fairseq_plugins/kernels/test_{name}.py"
    for name in ("kernel_shapes", "kernels", "kernel_edges", "kernel_functions")
)


def kernels(file: str, tests: str, changes: Mapping[str, tuple[str, str]]) -> tuple[Mutant, ...]:
    """The mutants of a file of the kernels; ``tests``: those of ``TESTS`` whose names these words choose."""
    return mutants("kernels", f"{CPP}/{file}", f"{TESTS} -k '{tests}'", changes)


MUTANTS = (
    *kernels("gated.cpp", "history or coverage or gate", {
        "the mask is forgotten":
            ("out[k] = real * (n[k] + z[k] * (h[k] - n[k]))", "out[k] = n[k] + z[k] * (h[k] - n[k])"),
        "a gradient past the mask": ("const T whole = real * g[k],", "const T whole = g[k],"),
        "the gradient of z with the wrong sign":
            ("d_z[k] = (h[k] - moved[k]) * old", "d_z[k] = (moved[k] - h[k]) * old"),
        "a candidate beyond 1": (
            "std::min(std::max((moved[k] - z[k] * h[k]) / rest, -LARGEST), LARGEST)",
            "(moved[k] - z[k] * h[k]) / rest",
        ),
        "a gate that is all open divides by 0": ("std::max(T(1) - z[k], LEAST)", "T(1) - z[k]"),
        "r meets the whole of what the tanh has seen":
            ("candidate * (inverse_hyperbolic_tangent(n) - x_n[k])", "candidate * inverse_hyperbolic_tangent(n)"),
        "the other addend learns nothing": ("                d_also.put(chunk, b, j, d.data());\n", ""),
        "what is scaled has the gradient of what is not":
            ("d_scaled.put(chunk, b, j, *step.scale.at(b, j), d.data())", "d_scaled.put(chunk, b, j, d.data())"),
        "the gradient of the scale behind the reset gate": (
            "if (d_scale.defined()) d_scale.data_ptr<T>()[b * S + j] = dot(3 * D,",
            "if (d_scale.defined()) d_scale.data_ptr<T>()[b * S + j] = dot(2 * D,",
        ),
    }),
    *kernels("attend.cpp", "weight or weights", {
        "the softmax sees padding": ("if (real[j]) largest", "largest"),
        "padding has weight":
            ("e[j] = real[j] ? exponential(e[j] - largest) : T(0)", "e[j] = exponential(e[j] - largest)"),
        "the softmax's gradient without its mean": ("alpha[j] * (g[j] - mean)", "alpha[j] * g[j]"),
        "v learns of the last word alone": ("d_v[a] += d_e * t[a]", "d_v[a] = d_e * t[a]"),
        "features learn of the last word alone":
            ("add(A, x.at(b, j)[f], d, d_turned + f * A)", "std::copy_n(d, A, d_turned + f * A)"),
        "one feature stands for all":
            ("d_x[f] = dot(A, d, turned.data_ptr<T>() + f * A)", "d_x[f] = dot(A, d, turned.data_ptr<T>())"),
        "a second addend is left out": ("if (second_extra) add(A, second_extra.at(b, j), row);", ""),
        "an addend's gradient joins the keys'": ("input == KEYS ? 0 : input - ADDEND + 1", "0"),
    }),
    *kernels("gradient.h", "gathered or history or values", {
        "a sum that begins anew at each step": (
            "const bool continues = sum && sum->value.defined()",
            "const bool continues = false && sum->value.defined()",
        ),
        "threads add to one row":
            ("if (into_.sentence == 0 && B > 1) shares_", "if (into_.sentence == 0 && B > 1 && chunks == 1) shares_"),
        "the share of one thread is lost":
            ("for (const auto& one : shares_) add(", "for (const auto& one : shares_) if (&one == &shares_[0]) add("),
    }),
    *kernels("gather.cpp", "gathered", {
        "what was added up is lost where a gradient arrives too": ("return {found + grads[0]};", "return {grads[0]};"),
    }),
    *kernels("write.cpp", "written", {
        "what is to be forgotten is kept":
            ("h[k] + alpha * (update[k] - forget[k] * h[k])", "h[k] + alpha * update[k]"),
        "forgetting learns of the last word alone": ("d_forget[k] -= share * h[k]", "d_forget[k] = -share * h[k]"),
        "what is written learns of the last word alone, where nothing is forgotten":
            ("d_update[k] += alpha * g[k]", "d_update[k] = alpha * g[k]"),
    }),
    *kernels("rows.h", "values or memory", {
        "rows of a slice as if they were a whole tensor's":
            ("sentences(x) > 1 ? x.stride(0) : 0", "sentences(x) > 1 ? words(x) * x.size(-1) : 0"),
        "a chunk loses its last row": ("(chunk + 1) * total / chunks);", "(chunk + 1) * total / chunks - 1);"),
    }),
    *kernels("linear.cpp", "linear or gathered", {
        "a gradient is that of the last step": ("make(adds, out);", "make(false, out);"),
        "what was added up is handed on too":
            ("    sum->value = out;\n    return {};", "    sum->value = out;\n    return out;"),
    }),
    *kernels("rows.h", "gathered or step", {
        "a product that joins a sum takes its place": ("if (adds) out.addmm_(a, b);\n    else ", ""),
    }),
    *kernels("lstm.cpp", "LSTM", {
        "the memory's gradient passes the output gate alone": ("d = g_c[k] + g_h[k] * o[k]", "d = g_h[k] * o[k]"),
    }),
    *kernels("padded_gru.cpp", "GRU", {
        "padding moves a state": ("h[k] + real * (T(1) - z[k])", "h[k] + (T(1) - z[k])"),
        "the gradient does not pass padding": ("d_h[k] = whole - moved + stays", "d_h[k] = stays"),
    }),
    *kernels("loss.cpp", "loss", {
        "epsilon shared with the target too": ("std::max<std::int64_t>(1, choices - 1)", "choices"),
        "padding has a gradient": ("std::fill_n(d, V, T(0));\n                        continue;", ""),
        "a row of one choice has the weight of others":
            ("weight * exponential(x[k] - normaliser)", "exponential(x[k] - normaliser)"),
    }),
    *mutants("kernels", f"{CPP}/rounded.cpp", "tests/fairseq_plugins/kernels/test_rounding.py", {
        "every block takes the place of the last one":
            ("block.width, PANEL, stride, follows,", "block.width, PANEL, stride, false,"),
        "rows beyond the end of a matrix":
            ("_mm512_maskz_loadu_ps(r + 1 < x.rows ? mask : 0, at + x.stride)", "_mm512_maskz_loadu_ps(mask, at)"),
        "both rows of a pair in one place":
            ("_mm512_slli_epi32(_mm512_cvtepu16_epi32(two), 16)", "_mm512_cvtepu16_epi32(two)"),
    }),
    *kernels("math.h", "precise or ends", {
        "tanh far from 0 near 0 too": ("return size < 0.625f ? small :", "return size < 0.0f ? small :"),
    }),
)  # fmt: skip
