"""Xue et al. 2019."""

from ..mutant import mutants

MODELS = "tests/fairseq_plugins/models"
PARITY = "tests/fairseq_plugins/models/test_parity.py -k 'reference_implementation and (sa_nmt or ta_nmt or ba_nmt)'"

MUTANTS = (
    *mutants("source_history target_history", "fairseq_plugins/terms/_history.py", PARITY, {
        "the history does not enter the tanh": ("return self.V(state), ()", "return None, ()"),
        "the readout reads the sum of the histories, not weighted": ("weighted_sum(weights, state)", "state.sum(1)"),
        "what a word contributes is not weighted": ("scale=step.weights", "scale=torch.ones_like(step.weights)"),
        "the GRU forgets the history": ("linear(state, self.gru.U), state,", "linear(state, self.gru.U) * 0, state,"),
        "the history starts at 1": ("memory.mask.new_zeros(", "memory.mask.new_ones("),
    }),
    *mutants("source_history target_history", "fairseq_plugins/terms/_history.py",
        "tests/fairseq_plugins/models/test_histories.py -k stay_zero_at_padding", {
        "the mask is forgotten": (", mask=memory.mask", ""),
    }),
    *mutants("source_history", "fairseq_plugins/terms/source_history.py",
        "tests/fairseq_plugins/models/test_parity.py -k 'reference_implementation and sa_nmt'", {
        "the annotation of the word before": ("linear(source.annotations,", "linear(source.annotations.roll(1, 1),"),
    }),
    *mutants("source_history", "fairseq_plugins/terms/source_history.py",
        f"{MODELS}/test_parity.py -k 'gradients_equal and sa_nmt'", {
        "annotations learn nothing": ("linear(source.annotations,", "linear(source.annotations.detach(),"),
    }),
    *mutants("target_history", "fairseq_plugins/terms/target_history.py",
        "tests/fairseq_plugins/models/test_histories.py -k hands_out", {
        "s_i instead of s_{i-1}": ('"prev": s_prev', '"prev": s'),
        "s_{i-1} instead of q_i": ('"query": q', '"query": s_prev'),
        "q_i instead of s_i": ('"cur": s}', '"cur": q}'),
    }),
    *mutants("target_history", "fairseq_plugins/terms/target_history.py",
        "tests/fairseq_plugins/models/test_defaults.py", {
        "q_i by default": ('"prev", "the decoder state that enters', '"query", "the decoder state that enters'),
    }),
    *mutants("ba_nmt", "fairseq_plugins/models/ba_nmt.py",
        f"{MODELS}/test_systems.py {MODELS}/test_parameters.py -k 'made_of_its_terms or added_at'", {
        "no target history": ("terms = (SourceHistory, TargetHistory)", "terms = (SourceHistory,)"),
        "no source history": ("terms = (SourceHistory, TargetHistory)", "terms = (TargetHistory,)"),
    }),
)  # fmt: skip
