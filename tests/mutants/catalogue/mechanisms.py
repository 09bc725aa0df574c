"""Meng et al. 2016, Zhang et al. 2017, Wang et al. 2018."""

from ..mutant import mutants

FOLDER = "tests/fairseq_plugins/mechanisms"
ALL = f"{FOLDER}/test_mechanisms.py"
INTERACTIVE = f"{FOLDER}/test_interactive.py {ALL} -k 'interactive or writ or memory_stays or closed_form'"
GATED = f"{FOLDER}/test_gated.py {ALL} -k gat"
DHEA = f"{FOLDER}/test_decoding_history.py {ALL} -k 'dhea or decod'"

MUTANTS = (
    *mutants("interactive_attention gatt gatt_inv dhea", "fairseq_plugins/mechanisms/_additive.py",
        "tests/fairseq_plugins/models/test_parity.py -k 'reference_implementation and (interactive or gatt or dhea)'", {
        "b_a is left out": ("linear(q, self.W_a.weight, self.b_a)", "linear(q, self.W_a.weight)"),
        "v is all ones": ("self.b_a), self.v, mask)", "self.b_a), self.v * 0 + 1, mask)"),
    }),
    *mutants("interactive_attention", "fairseq_plugins/mechanisms/interactive.py", INTERACTIVE, {
        "nothing is written": ("return write_memory(step.state, weights, update, forget)", "return step.state"),
        "forget and update exchanged": ("weights, update, forget)\n\n    def", "weights, forget, update)\n\n    def"),
        "the annotations are read as they were":
            ("Step(weighted_sum(weights, state)", "Step(weighted_sum(weights, memory.annotations)"),
        "the keys stay as they were": ("self.U_a(state), memory.mask)", "self.U_a(memory.annotations), memory.mask)"),
        "separate weights on padding": ("query, self.v_w, mask)", "query, self.v_w, mask | True)"),
        "separate weights by default": ("option(False, ", "option(True, "),
    }),
    *mutants("interactive_attention", "fairseq_plugins/kernels/eager.py",
        "tests/fairseq_plugins/kernels/test_kernels.py -k 'written and eager'", {
        "the gradient of F has the wrong sign": ("-torch.bmm(row, moved)", "torch.bmm(row, moved)"),
    }),
    *mutants("interactive_attention", "fairseq_plugins/mechanisms/interactive.py",
        "tests/fairseq_plugins/models/test_parity.py -k 'reference_implementation and interactive'", {
        "s_{i-1} says what is forgotten": ("linear(s, self.W_F.weight", "linear(s_prev, self.W_F.weight"),
        "q_i says what is written": ("linear(s, self.W_U.weight", "linear(q, self.W_U.weight"),
    }),
    *mutants("gatt gatt_inv", "fairseq_plugins/mechanisms/gated.py", GATED, {
        "q_i instead of s_{i-1}, and the reverse":
            ('q if self.gated_by == "query" else s_prev', 's_prev if self.gated_by == "query" else q'),
        "r and z exchanged when reset before": ("r, z = gates[", "z, r = gates["),
        "z keeps the new state when reset before": ("(n, state, z)", "(n, state, 1 - z)"),
        "the energies have no bias":
            ("self.weights(q, self.U_a(gated), memory.mask)", "self.weights(q * 0, self.U_a(gated), memory.mask)"),
    }),
    *mutants("gatt", "fairseq_plugins/mechanisms/gated.py", f"{FOLDER}/test_gated.py {ALL} -k gatt", {
        "values without gates": ("Step(weighted_sum(weights, gated)", "Step(weighted_sum(weights, memory.annotations)"),
        "keys without gates": ("self.U_a(gated)", "self.U_a(memory.annotations)"),
        "the annotation is not the old state": (
            "self.recur(self.gru.from_input(s), memory.hoisted, memory.annotations)",
            "self.recur(self.gru.from_input(s), memory.hoisted, memory.annotations * 0)",
        ),
    }),
    *mutants("gatt gatt_inv", "fairseq_plugins/mechanisms/gated.py",
        "tests/fairseq_plugins/models/test_parity.py -k 'gradients_equal and gatt'", {
        "annotations learn nothing by their gates":
            ("self.hoist(source.annotations)", "self.hoist(source.annotations.detach())"),
    }),
    *mutants("gatt_inv", "fairseq_plugins/mechanisms/gated.py",
        f"{FOLDER}/test_gated.py {ALL} -k 'gatt_inv or GAttInv'", {
        "the decoder state is not the old state": (
            "self.recur(memory.hoisted, self.from_state(s), s)",
            "self.recur(memory.hoisted, self.from_state(s), s * 0)",
        ),
        "the decoder state does not gate": (
            "self.recur(memory.hoisted, self.from_state(s), s)",
            "self.recur(memory.hoisted, self.from_state(s) * 0, s)",
        ),
    }),
    *mutants("gatt gatt_inv", "fairseq_plugins/mechanisms/gated.py", "tests/fairseq_plugins/models/test_defaults.py", {
        "gated by q_i by default": ('option("prev", "decoder state', 'option("query", "decoder state'),
    }),
    *mutants("dhea", "fairseq_plugins/mechanisms/decoding_history.py", DHEA, {
        "P is left out": ("* self.P(decoded)", "* decoded"),
        "the gate is turned round": ("return torch.sigmoid(self.W_g(q)", "return torch.sigmoid(-self.W_g(q)"),
        "the gate does not see c^t": (" + self.C_t(decoded)", ""),
        "c^t in front of c^s":
            ("(source, self.history(q, source, state)), -1)", "(self.history(q, source, state), source), -1)"),
        "past states are scored without the query": ("self.W_t(q), self.v_t,", "self.W_t(q) * 0, self.v_t,"),
        "s_{i-1} is remembered instead of s_i":
            ("s.unsqueeze(1)), 1), torch.cat", "s_prev.unsqueeze(1)), 1), torch.cat"),
        "only the first state is remembered": (
            "torch.cat((states, s.unsqueeze(1)), 1)",
            "torch.cat((states, (states[:, 0] if states.shape[1] else s).unsqueeze(1)), 1)",
        ),
    }),
    *mutants("dhea", "fairseq_plugins/mechanisms/decoding_history.py",
        "tests/fairseq_plugins/models/test_parity.py -k 'gradients_equal and dhea'", {
        "past states learn nothing":
            ("torch.cat((states, s.unsqueeze(1)), 1)", "torch.cat((states, s.detach().unsqueeze(1)), 1)"),
    }),
    *mutants("multihead_additive", "fairseq_plugins/mechanisms/multihead_additive.py",
        "tests/fairseq_plugins/mechanisms/test_multihead_additive.py", {
        "every head reads with the first one's weights":
            ("zip(weights, memory.values", "zip([weights[0]] * self.K, memory.values"),
        "the first head's weights are shown": ("torch.stack(weights).mean(0)", "weights[0]"),
        "values are the annotations": ("self._heads(self.W_V(source.annotations))", "self._heads(source.annotations)"),
        "heads score without the query": ("self.W_a(q).chunk", "(self.W_a(q) * 0).chunk"),
        "b_a is left out":
            ("linear(source.annotations, self.U_a.weight, self.b_a)", "linear(source.annotations, self.U_a.weight)"),
        "head_dim is that of all heads": ("wide = self.K * options.head_dim if", "wide = options.head_dim if"),
    }),
)  # fmt: skip
