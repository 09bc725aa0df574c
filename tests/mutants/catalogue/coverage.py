"""Tu et al. 2016."""

from ..mutant import mutants

TERMS = "tests/fairseq_plugins/terms"
FILES = f"{TERMS}/test_coverage.py {TERMS}/test_attention_so_far.py tests/fairseq_plugins/models/test_parity.py"
BOTH = f"{FILES} -k 'linguistic or fertility'"
LEARNED = f"{FILES} -k 'learned or base or padding or tanh or gru'"

MUTANTS = (
    *mutants("linguistic_coverage linguistic_coverage_fertility", "fairseq_plugins/terms/_linguistic_coverage.py",
        BOTH, {
        "coverage does not enter the tanh":
            ("return Features(state.to(q.dtype).unsqueeze(-1), self.V_a.weight), ()", "return None, ()"),
        "coverage is the last step's attention alone":
            ("torch.addcmul(state, step.weights, memory.gain)", "step.weights * memory.gain"),
        "counting down, it grows": ("CoverageMemory(real, -each)", "CoverageMemory(real, each)"),
        "counting down, padding starts at 1":
            ("CoverageMemory(real, -each)", "CoverageMemory(torch.ones_like(real), -each)"),
        "counting down by default": ('"add", "coverage grows', '"subtract", "coverage grows'),
    }),
    *mutants("linguistic_coverage", "fairseq_plugins/terms/linguistic_coverage.py", BOTH, {
        "a fertility of 2":
            ("annotations.new_ones(annotations.shape[:2])", "annotations.new_full(annotations.shape[:2], 2)"),
    }),
    *mutants("linguistic_coverage_fertility", "fairseq_plugins/terms/_linguistic_coverage.py",
        f"{FILES} -k fertility", {
        "attention times fertility": ("1 / precise(self.fertility", "1 * precise(self.fertility"),
    }),
    *mutants("linguistic_coverage_fertility", "fairseq_plugins/terms/linguistic_coverage_fertility.py",
        f"{FILES} -k fertility", {
        "N is lost": ("return self.N * torch.sigmoid", "return torch.sigmoid"),
        "the bias is lost": ("asked if self.b_f is None else asked + self.b_f", "asked"),
        "N is 1 by default": ("option(2.0,", "option(1.0,"),
    }),
    *mutants("linguistic_coverage_fertility", "fairseq_plugins/terms/linguistic_coverage_fertility.py",
        "tests/fairseq_plugins/models/test_defaults.py", {
        "a bias by default": ("option(False,", "option(True,"),
    }),
    *mutants("nn_coverage_tanh nn_coverage_gru", "fairseq_plugins/terms/_nn_coverage.py", LEARNED, {
        "coverage does not enter the tanh": ("return self.V_a(state), ()", "return None, ()"),
        "q_i instead of s_{i-1}, and the reverse":
            ('s_prev if self.enters == "prev" else q', 'q if self.enters == "prev" else s_prev'),
        "the mask is forgotten": (
            "self.moved(step.weights, from_decoder, memory, state)",
            "self.moved(step.weights, from_decoder, memory._replace(mask=torch.ones_like(memory.mask)), state)",
        ),
        "attention does not move it": ("moved(step.weights, from_decoder,", "moved(step.weights * 0, from_decoder,"),
        "no bias": ("linear(source.annotations, self.A, self.b)", "linear(source.annotations, self.A)"),
        "the decoder state is not seen": (" + from_decoder", ""),
    }),
    *mutants("nn_coverage_tanh", "fairseq_plugins/terms/nn_coverage_tanh.py", LEARNED, {
        "C_{i-1} is forgotten": ("+ linear(state, self.U))", "+ linear(state, self.U) * 0)"),
        "tanh is left out": ("return torch.tanh(", "return ("),
    }),
    *mutants("nn_coverage_gru", "fairseq_plugins/terms/nn_coverage_gru.py", LEARNED, {
        "C_{i-1} is not kept": ("linear(state, self.U), state,", "linear(state, self.U), state * 0,"),
        "reset before, z keeps the new state": ("torch.lerp(n, state, z)", "torch.lerp(state, n, z)"),
        "reset before is reset after": ("linear(r * state, self.U[2 * D :])", "r * linear(state, self.U[2 * D :])"),
        "reset before by default": ("option(False, ", "option(True, "),
    }),
    *mutants("coverage_loss", "fairseq_plugins/terms/coverage_loss.py", f"{TERMS}/test_coverage_loss.py", {
        "a word covers itself at once": ("F.pad(alpha[:, :-1].cumsum(1), (0, 0, 1, 0))", "alpha.cumsum(1)"),
        "coverage is the last step's attention alone": ("alpha[:, :-1].cumsum(1)", "alpha[:, :-1]"),
        "the larger instead of the smaller": ("torch.minimum", "torch.maximum"),
        "steps after a sentence's end count":
            ("target.mask.unsqueeze(-1).expand_as(again)", "torch.ones_like(again, dtype=torch.bool)"),
        "lambda is lost": ("return self.coefficient * total", "return total"),
    }),
)  # fmt: skip
