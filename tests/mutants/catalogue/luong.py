"""Luong et al. 2015: scores, input feeding, and the LSTMs below them."""

from ..mutant import mutants

FOLDER = "tests/fairseq_plugins/mechanisms"
PARITY = "tests/fairseq_plugins/models/test_parity.py"
FILES = f"{FOLDER}/test_luong.py {FOLDER}/test_luong_scores.py {FOLDER}/test_luong_lstm.py {PARITY}"
GLOBAL = "luong_global_dot luong_global_general luong_global_concat luong_global_location"
ALL = f"{GLOBAL} luong_local_m luong_local_p"

MUTANTS = (
    *mutants(ALL, "fairseq_plugins/mechanisms/luong.py", "tests/fairseq_plugins/models/test_defaults.py", {
        "eos is left out by default": ("attend_eos: bool = option(True,", "attend_eos: bool = option(False,"),
        "nothing is fed by default": ("input_feeding: bool = option(True,", "input_feeding: bool = option(False,"),
        "64 positions by default": ("location_positions: int = option(128,", "location_positions: int = option(64,"),
    }),
    *mutants(ALL, "fairseq_plugins/mechanisms/luong.py",
        "tests/fairseq_plugins/models/test_parity.py -k 'reference_implementation and luong'", {
        "without eos, one word more is lost": ("(lengths - 1).clamp(min=1)", "(lengths - 2).clamp(min=1)"),
        "without eos, nothing is left of a sentence without words": ("(lengths - 1).clamp(min=1)", "lengths - 1"),
    }),
    *mutants(GLOBAL, "fairseq_plugins/mechanisms/luong.py", f"{FILES} -k 'scores or without_feeding or luong_global'", {
        "weights on padding": (
            "return masked_softmax(self.scores(queries, memory), memory.mask.unsqueeze(1))",
            "return self.scores(queries, memory).softmax(-1)",
        ),
        "all steps at once attend as the first one": (
            "weights = self.weights(queries, steps, memory)",
            "weights = self.weights(queries[:, :1].expand_as(queries), steps, memory)",
        ),
    }),
    *mutants("luong_global_dot", "fairseq_plugins/mechanisms/luong.py", f"{FILES} -k 'scores or dot'", {
        "the product is scaled":
            ("        return annotations\n", "        return annotations / annotations.shape[-1] ** 0.5\n"),
        "the word before is scored": ("        return annotations\n", "        return annotations.roll(1, 1)\n"),
    }),
    *mutants("luong_global_general luong_local_m luong_local_p", "fairseq_plugins/mechanisms/luong.py",
        f"{FILES} -k scores", {
        "W_a is transposed": (
            "return self.W_a(annotations)",
            "return F.linear(annotations, self.W_a.weight.t().reshape(self.W_a.weight.shape))",
        ),
    }),
    *mutants("luong_global_concat", "fairseq_plugins/mechanisms/luong.py", f"{FILES} -k scores", {
        "h in front of d": ("self.W_a[:, -self.annotation_width :]", "self.W_a[:, : self.annotation_width]"),
        "d is not scored":
            ("attention_weights(memory.keys, query, self.v,", "attention_weights(memory.keys, query * 0, self.v,"),
    }),
    *mutants("luong_global_location", "fairseq_plugins/mechanisms/luong.py", f"{FILES} -k 'location or scores'", {
        "positions from the end of W_l": ("[..., : memory.mask.shape[1]]", "[..., -memory.mask.shape[1] :]"),
        "one position further": (
            "self.W_l(queries)[..., : memory.mask.shape[1]]",
            "self.W_l(queries).roll(-1, -1)[..., : memory.mask.shape[1]]",
        ),
    }),
    *mutants(ALL, "fairseq_plugins/core/attentional.py", f"{FILES} -k attentional_state", {
        "d in front of c": ("torch.cat((context, d), -1)", "torch.cat((d, context), -1)"),
        "tanh is left out": ("return torch.tanh(self.W_c(", "return (self.W_c("),
    }),
    *mutants(ALL, "fairseq_plugins/core/cells/lstm.py", f"{FILES} -k 'lstm or feeding or attentional_state or unfed'", {
        "a~ is not fed": ("linear_onto(y, s.fed, self.W_feed)", "linear_onto(y, s.fed * 0, self.W_feed)"),
        "a~_0 is 1": ("torch.zeros_like(layers[-1].h)", "torch.ones_like(layers[-1].h)"),
        "the output reads a~_{i-1}": ("is None else s.fed\n", "is None else s_prev.fed\n"),
        "without feeding, the lowest layer starts from the top":
            ("self.layers[0].unroll(y, s.layers[0])", "self.layers[0].unroll(y, s.layers[-1])"),
    }),
    *mutants(ALL, "fairseq_plugins/core/stacked_encoder.py", f"{FILES} -k encoder", {
        "h and c of the last states exchanged": ("LSTMState(h, c) for h, c", "LSTMState(h, c) for c, h"),
    }),
)  # fmt: skip
