"""Feng et al. 2016, as reconstructed."""

from ..mutant import mutants

FILE = "tests/fairseq_plugins/terms/test_feng.py tests/fairseq_plugins/models/test_parity.py"

MUTANTS = (
    *mutants("implicit_distortion", "fairseq_plugins/terms/implicit_distortion.py",
        f"{FILE} -k 'attention or recatt or context'", {
        "the memory does not enter the tanh": ("return self.V_g(g).unsqueeze(1), g", "return None, g"),
        "g is forgotten": ("return Focus(step.context, scratch)", "return Focus(step.context, state.g)"),
        "c_{i-1} is never seen": ("return Focus(step.context, scratch)", "return Focus(state.context, scratch)"),
        "g_{i-1} enters the tanh": ("return self.V_g(g).unsqueeze(1), g", "return self.V_g(state.g).unsqueeze(1), g"),
        "the context itself by default": ('option("gru", "what enters', 'option("context", "what enters'),
    }),
    *mutants("implicit_fertility", "fairseq_plugins/terms/implicit_fertility.py",
        f"{FILE} -k 'fertdec or extract or left or loss or candidate'", {
        "nothing is taken away": ("return None, self.V_d(d), d", "return None, self.V_d(d), state"),
        "d_{i-1} enters the recurrence": ("return None, self.V_d(d), d", "return None, self.V_d(state), d"),
        "the gate is turned round": ("d = torch.sigmoid(y + self.U_x(q)", "d = torch.sigmoid(-y - self.U_x(q)"),
        "the gate does not see the context": (" + self.C_x(context))", ")"),
        "d_0 from a mean over padding too": ("linear(source.mean(),", "linear(source.annotations.mean(1),"),
        "eta is lost": ("return self.eta * (precise", "return 1.0 * (precise"),
        "the loss has the wrong sign": ("return self.eta * (precise", "return -self.eta * (precise"),
        "the loss is of the longest sentence's end":
            ("self.has_loss = self.final_state = self.eta != 0", "self.has_loss = self.eta != 0"),
    }),
    *mutants("implicit_fertility", "fairseq_plugins/core/gru.py",
        "tests/fairseq_plugins/kernels/test_kernels.py -k candidate", {
        "what is left enters the reset gate":
            ("F.pad(candidate, (2 * self.width, 0))", "F.pad(candidate, (0, 2 * self.width))"),
    }),
    *mutants("implicit_fertility", "fairseq_plugins/core/additive.py",
        "tests/fairseq_plugins/core/test_protocol.py -k candidate_states_of_several", {
        "one term's addend to the candidate is lost": ("torch.stack(candidates).sum(0)", "candidates[0]"),
    }),
    *mutants("feng_both", "fairseq_plugins/models/feng_both.py", f"{FILE} -k both", {
        "no fertility": ("terms = (ImplicitDistortion, ImplicitFertility)", "terms = (ImplicitDistortion,)"),
        "no distortion": ("terms = (ImplicitDistortion, ImplicitFertility)", "terms = (ImplicitFertility,)"),
    }),
)  # fmt: skip
