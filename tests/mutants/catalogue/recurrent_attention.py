"""Yang et al. 2016."""

from ..mutant import mutants

MUTANTS = mutants(
    "recurrent_attention",
    "fairseq_plugins/terms/recurrent_attention.py",
    "tests/test_invariants.py -k 'naive_truth and recurrent_attention'",
    {"the cell instead of the hidden state": ("return self.V_d(state.d), ()", "return self.V_d(state.m), ()")},
) + mutants(
    "recurrent_attention",
    "fairseq_plugins/terms/recurrent_attention.py",
    "tests/test_coverage_and_cohn.py -k 'recurrent or memory_in_context'",
    {
        "the memory does not enter the tanh": ("return self.V_d(state.d), ()", "return None, ()"),
        "the mask is forgotten": ("d.view_as(state.d) * memory", "d.view_as(state.d)"),
        "what was remembered is forgotten": (
            "state.d.flatten(0, 1), state.m.flatten(0, 1)",
            "state.d.flatten(0, 1) * 0, state.m.flatten(0, 1) * 0",
        ),
        "no bias": ("before, self.W, self.U, self.b)", "before, self.W, self.U, self.b * 0)"),
        "k is 4 by default": ("option(5, ", "option(4, "),
        "the memory reaches the readout alone": (
            "return self.read(weights, (), memory, state), None, state",
            "return state.d[:, 0] * 0, None, state",
        ),
    },
)
