"""The decoder loop: what it observes, freezes and reorders for all systems."""

from ..mutant import mutants

TERMS = "tests/fairseq_plugins/terms"
BEAM = "tests/fairseq_plugins/models/test_invariants.py -k 'reordering and {}'"

MUTANTS = (
    *mutants("rnnsearch_star", "fairseq_plugins/core/decoder.py", BEAM.format("rnnsearch_star"), {
        "beam search does not reorder s": (
            "s, state = select_rows((carried.s, carried.state), new_order)",
            "s, state = carried.s, select_rows(carried.state, new_order)",
        ),
        "beam search leaves the annotations to the sentence before":
            ("of_sentence = select_rows(of_sentence, new_order)", "of_sentence = of_sentence"),
    }),
    *mutants("source_history target_history", "fairseq_plugins/core/decoder.py", BEAM.format("everything"), {
        "beam search does not reorder the state of attention": (
            "s, state = select_rows((carried.s, carried.state), new_order)",
            "s, state = select_rows(carried.s, new_order), carried.state",
        ),
    }),
    *mutants("markov_bias coverage_embedding_gru", "fairseq_plugins/core/decoder.py",
        "tests/fairseq_plugins/models/test_invariants.py -k 'hands_out and (markov or covemb)'", {
        "a step hands out the state's own weights": ("tree_map(torch.clone, output[2])", "output[2]"),
    }),
    *mutants("interactive_attention", "fairseq_plugins/core/decoder.py", BEAM.format("interactive_attention"), {
        "beam search moves what has been written to other rows": (
            "s, state = select_rows((carried.s, carried.state), new_order)",
            "s, state = select_rows((carried.s, carried.state), new_order.flip(0))",
        ),
    }),
    *mutants("rnnsearch_star", "fairseq_plugins/core/encoder.py", BEAM.format("rnnsearch_star"), {
        "beam search does not reorder the source": ("return select_rows(encoder_out, new_order)", "return encoder_out"),
    }),
    *mutants("implicit_fertility", "fairseq_plugins/core/decoder.py",
        "tests/fairseq_plugins/terms/test_feng.py -k 'left or norm'", {
        "a step behind the end of a sentence counts":
            ("keep_inactive(lengths.each > i,", "keep_inactive(lengths.each >= i,"),
        "the first step behind the shortest sentence counts": ("i >= lengths.shortest", "i > lengths.shortest"),
    }),
    *mutants("ba_nmt cohn_all", "fairseq_plugins/core/additive.py",
        "tests/fairseq_plugins/models/test_parity.py -k 'reference_implementation and (ba_nmt or cohn_all)'", {
        "of several terms' numbers the first alone enter the tanh":
            ("torch.cat(parts, -1) for parts", "parts[0] for parts"),
        "of several terms the last alone enters the tanh": ("addends.append(one)", "addends[:] = [one]"),
        "of several terms the first alone is read": (
            "reads |= {} if read is None else {term.name: read}",
            "reads |= {} if read is None else {term.name: read * (not reads)}",
        ),
        "what terms know of a sentence is lost": (
            "keys = keys if addend is None else keys + addend\n        return",
            "keys = keys if addend is None else keys\n        return",
        ),
    }),
    *mutants("coverage_embedding_gru coverage_embedding_sub", "fairseq_plugins/core/decoder.py",
        f"{TERMS}/test_coverage_embeddings.py {TERMS}/test_coverage_objectives.py -k 'papers or step_by_step'", {
        "the lazy update sees the word before": ("y = observed[i]", "y = observed[max(i - 1, 0)]"),
        "the lazy update at the first step too": ("if i > 0:\n", "if i >= 0:\n"),
        "the last word is not observed":
            ("state = self._observe(observed[steps], memory", "state = self._observe(observed[steps - 1], memory"),
        "padding in the place of the final eos":
            ("return extended.scatter(1, lengths.unsqueeze(1), self.dictionary.eos())", "return extended"),
        "words behind the end of a sentence are observed":
            ("observed = keep_inactive(lengths.each >= i, observed, state)", "observed = observed"),
        "a sentence of the batch's shortest is taken for unfinished":
            ("i > lengths.shortest", "i > lengths.shortest + 1"),
        "the last word of a sentence is not observed":
            ("keep_inactive(lengths.each >= i,", "keep_inactive(lengths.each > i,"),
        "step by step, the word just chosen is not observed":
            ("carried._replace(state=attention.observe(y, carried.memory, carried.state))", "carried"),
    }),
)  # fmt: skip
