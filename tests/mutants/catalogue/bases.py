"""The recurrences, encoders, readouts and kernels below all systems."""

from ..mutant import mutants

MODELS = "tests/fairseq_plugins/models"
STAR = "tests/fairseq_plugins/models/test_parity.py -k 'reference_implementation and rnnsearch_star'"
SEARCH = "tests/fairseq_plugins/models/test_parity.py -k 'reference_implementation and rnnsearch and not star'"
ENCDEC = "tests/fairseq_plugins/models/test_parity.py -k 'reference_implementation and rnnencdec'"

MUTANTS = (
    *mutants("rnnsearch_star", "fairseq_plugins/core/cells/conditional.py", STAR, {
        "s_0 from a mean over padding too": ("source.mean()", "source.annotations.mean(1)"),
        "s_0 without tanh": ("return torch.tanh(self.W_init(source.mean()))", "return self.W_init(source.mean())"),
        "the query is s_{i-1}": ("return query, query", "return s, query"),
        "GRU_2 goes on from s_{i-1}": (", mid, candidate)", ", s, candidate)"),
        "the readout reads s_{i-1}": (
            "def readout_state(self, s_prev: Tensor, s: Tensor) -> Tensor:\n        return s",
            "def readout_state(self, s_prev: Tensor, s: Tensor) -> Tensor:\n        return s_prev",
        ),
    }),
    *mutants("rnnsearch_star", "fairseq_plugins/core/additive.py", STAR, {
        "the query does not enter the energy": ("= self.W_a(q), []", "= self.W_a(q) * 0, []"),
        "attention to the word before":
            ("weighted_sum(weights, memory.annotations)", "weighted_sum(weights, memory.annotations.roll(1, 1))"),
    }),
    *mutants("rnnsearch_star", "fairseq_plugins/kernels/eager.py", "tests/fairseq_plugins/kernels/test_kernels.py", {
        "weights on padding": ('.masked_fill(~mask, float("-inf"))', ""),
        "i and f exchanged": ("i, f, g, o = gates.split(width, -1)", "f, i, g, o = gates.split(width, -1)"),
        "the gradient of the memory ends at a step":
            ("torch.addcmul(d_c_new, d_h * o,", "torch.addcmul(d_c_new * 0, d_h * o,"),
        "z keeps the new state": ("return torch.lerp(n, state, z)", "return torch.lerp(state, n, z)"),
        "the reset gate does nothing": (
            "torch.addcmul(from_input[..., 2 * width :], r, candidate_from_state)",
            "from_input[..., 2 * width :] + candidate_from_state",
        ),
        "a gradient of the GRU without its reset gate": ("(d_r, d_z, d_n * r)", "(d_r, d_z, d_n)"),
        "a gradient of the query that is a mean": ("d_keys, d_keys.sum(1), d_v", "d_keys, d_keys.mean(1), d_v"),
    }),
    *mutants("rnnsearch_star", "fairseq_plugins/core/readout.py", STAR, {
        "the embedding is not read": ("self.L_s(states) + self.L_y(embeddings) +", "self.L_s(states) +"),
        "tanh is left out": ("return torch.tanh(pre)", "return pre"),
    }),
    *mutants("rnnsearch rnnencdec", "fairseq_plugins/core/readout.py", SEARCH, {
        "maxout over halves instead of neighbours":
            ("unflatten(-1, (-1, 2)).max(-1).values", "unflatten(-1, (2, -1)).max(-2).values"),
    }),
    *mutants("rnnsearch rnnencdec", "fairseq_plugins/core/cells/gated.py", SEARCH, {
        "z keeps the old state": (
            "return torch.lerp(s, torch.tanh(pre if candidate is None else pre + candidate), z)",
            "return torch.lerp(torch.tanh(pre if candidate is None else pre + candidate), s, z)",
        ),
        "reset behind the product": ("linear(r * s, self.U_n)", "r * linear(s, self.U_n)"),
        "r and z exchanged": ("r, z = torch.sigmoid(", "z, r = torch.sigmoid("),
        "the readout reads the other state": (
            'return s_prev if self.readout_reads == "prev" else s',
            'return s if self.readout_reads == "prev" else s_prev',
        ),
    }),
    *mutants("rnnencdec", "fairseq_plugins/core/cells/gated.py", ENCDEC, {
        "c enters the first step alone": ("), from_context", "), from_context * 0"),
    }),
    *mutants("rnnsearch", "fairseq_plugins/core/encoder.py", SEARCH, {
        "s_0 from the forward state": ("hidden[:, 0, self.hidden_dim :]", "hidden[:, 0, : self.hidden_dim]"),
        "s_0 from the last position": ("hidden[:, 0, self.hidden_dim :]", "hidden[:, -1, self.hidden_dim :]"),
    }),
    *mutants("rnnencdec", "fairseq_plugins/core/encoder.py", ENCDEC, {
        "c from the last column, padding or not": ("self.annotation_dropout(last[0])", "hidden[:, -1]"),
        "c without tanh": ("return torch.tanh(self.V(", "return (self.V("),
    }),
    *mutants("rnnsearch", "fairseq_plugins/models/rnnsearch.py",
        f"{MODELS}/test_systems.py {MODELS}/test_parameters.py -k 'of_the_papers or parameters_of_the_bases'", {
        "a bias in the energy": ("bias=False", "bias=True"),
        "a tanh readout": ('default_readout = "maxout"', 'default_readout = "tanh"'),
    }),
    *mutants("rnnsearch", "fairseq_plugins/core/decoder.py", SEARCH, {
        "a tanh behind the factor of low rank": ("self.W_l(features))", "self.W_l(features).tanh())"),
    }),
    *mutants("rnnsearch", "fairseq_plugins/models/rnnsearch.py", SEARCH, {
        "a readout of s_i": ('readout_reads="prev"', 'readout_reads="cur"'),
    }),
    *mutants("rnnencdec", "fairseq_plugins/models/rnnencdec.py", "tests/fairseq_plugins/models/test_defaults.py", {
        "a readout of s_i by default": ('option("prev", "state that', 'option("cur", "state that'),
    }),
)  # fmt: skip
