"""Yang et al. 2016."""

from ..mutant import mutants

TERMS, PARITY = "tests/fairseq_plugins/terms", "tests/fairseq_plugins/models/test_parity.py"
FILES = f"{TERMS}/test_recurrent_attention.py {TERMS}/test_attention_so_far.py {PARITY}"

MUTANTS = mutants(
    "recurrent_attention",
    "fairseq_plugins/terms/recurrent_attention.py",
    "tests/fairseq_plugins/models/test_parity.py -k 'reference_implementation and recurrent_attention'",
    {"the cell instead of the hidden state": ("return self.V_d(state.d), ()", "return self.V_d(state.m), ()")},
) + mutants(
    "recurrent_attention",
    "fairseq_plugins/terms/recurrent_attention.py",
    f"{FILES} -k 'recurrent or memory_in_context'",
    {
        "the memory does not enter the tanh": ("return self.V_d(state.d), ()", "return None, ()"),
        "the mask is forgotten": ("d.view_as(state.d) * memory", "d.view_as(state.d)"),
        "what was remembered is forgotten": (
            "state.d.flatten(0, 1), self.U)",
            "state.d.flatten(0, 1) * 0, self.U)",
        ),
        "no bias": ("linear(around, self.W, self.b)", "linear(around, self.W)"),
        "k is 4 by default": ("option(5, ", "option(4, "),
        "the memory reaches the readout alone": (
            "return self.read(weights, (), memory, state), None, state",
            "return state.d[:, 0] * 0, None, state",
        ),
    },
)
