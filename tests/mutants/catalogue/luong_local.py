"""Luong et al. 2015: windows."""

from ..mutant import mutants

PATH = "fairseq_plugins/mechanisms/luong_local.py"
WINDOWS = "tests/fairseq_plugins/mechanisms/test_luong_windows.py"

MUTANTS = (
    *mutants("luong_local_m luong_local_p", PATH, "tests/fairseq_plugins/models/test_defaults.py", {
        "D is 5 by default": ("local_window: int = option(10,", "local_window: int = option(5,"),
    }),
    *mutants("luong_local_m luong_local_p", PATH, WINDOWS, {
        "the window ends a word early": (".abs() <= self.D", ".abs() < self.D"),
        "positions count from 0":
            ("torch.arange(1, memory.mask.shape[1] + 1,", "torch.arange(0, memory.mask.shape[1],"),
        "padding inside the window": ("inside & memory.mask.unsqueeze(1)", "inside"),
    }),
    *mutants("luong_local_m", PATH, WINDOWS, {
        "p_i goes on to S": ("(memory.lengths - 1).clamp(min=1)", "memory.lengths"),
        "p_i stands still": ("return step.state + 1", "return step.state"),
        "p_1 is 0": ("torch.ones_like(memory.lengths)", "torch.zeros_like(memory.lengths)"),
    }),
    *mutants("luong_local_p", PATH,
        "tests/fairseq_plugins/models/test_parity.py -k 'reference_implementation and luong_local_p'", {
        "sigma is D": ("(-2 / self.D**2)", "(-0.5 / self.D**2)"),
        "p_i reaches eos": ("* (memory.lengths - 2)", "* (memory.lengths - 1)"),
        "no Gaussian": ("memory) * gaussian", "memory)"),
        "renormalised by default": ("self.renorm = options.local_renorm", "self.renorm = True"),
    }),
    *mutants("luong_local_p", PATH, WINDOWS, {
        "the window stands around the nearest word": ("p.detach().floor()", "p.detach().round()"),
    }),
    *mutants("luong_local_p", PATH, "tests/fairseq_plugins/mechanisms/test_luong_windows.py -k predicted_position", {
        "the position learns nothing":
            ("self.positions(memory) - p.unsqueeze(-1)", "self.positions(memory) - p.detach().unsqueeze(-1)"),
    }),
)  # fmt: skip
