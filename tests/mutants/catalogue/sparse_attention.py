"""What takes the softmax's place: Martins and Astudillo 2016, Peters et al. 2019, Malaviya et al. 2018."""

from ..mutant import mutants

FILE = "tests/fairseq_plugins/terms/test_sparse_attention.py"
PROJECTIONS = f"{FILE} -k 'projection or gradcheck or bounds or sink or padding'"

MUTANTS = (
    *mutants("sparsemax", "fairseq_plugins/terms/sparsemax.py", PROJECTIONS, {
        "it is the softmax": ("return _Sparsemax.apply(energies, -1)", "return energies.softmax(-1)"),
        "energies are halved, as in 1.5-entmax": ("apply(energies, -1)", "apply(energies / 2, -1)"),
        "gradients without their mean": ("grad - mean", "grad"),
        "the mean is over all words": ("torch.where(weights != 0, grad, 0).sum(", "grad.sum("),
    }),
    *mutants("entmax15", "fairseq_plugins/terms/entmax15.py", PROJECTIONS, {
        "it is the softmax": ("return entmax15(energies, -1)", "return energies.softmax(-1)"),
        "energies are halved twice": ("entmax15(energies, -1)", "entmax15(energies / 2, -1)"),
    }),
    *mutants("constrained_sparsemax", "fairseq_plugins/terms/_csparsemax.py", PROJECTIONS, {
        "bounds are forgotten": ("torch.cat((z, z - u), -1).sort", "torch.cat((z, z - u * 0 - 1), -1).sort"),
        "words never reach their bound": (" & (above < u), above >= u", ", above > u * 0 + 9e9"),
        "what is bounded has not taken its share": ("torch.where(bounded, u, 0)).sum", "u * 0).sum"),
        "gradients without their mean": ("moved = grad - mean", "moved = grad"),
        "the mean is over all words": ("torch.where(active, grad, 0).sum(", "grad.sum("),
        "bounds learn nothing": ("torch.where(bounded, moved, 0)\n", "moved * 0\n"),
        "where no word is active 0 is divided by 0":
            ("grad, 0).sum(-1, keepdim=True) / count.clamp(min=1)", "grad, 0).sum(-1, keepdim=True) / count"),
    }),
    *mutants("constrained_sparsemax", "fairseq_plugins/terms/constrained_sparsemax.py", FILE, {
        "nothing is used up": ("return state + step.weights", "return state"),
        "only the last word's attention is taken off": ("return state + step.weights", "return step.weights"),
        "the sink is bounded": ("left.clamp(max=1) + memory.sink)", "left.clamp(max=1) + memory.sink * 0.5)"),
        "the sink gains credit": ("energies + self.c * left,", "energies + self.c * (left + memory.sink),"),
        "c is lost": ("energies + self.c * left,", "energies + left,"),
        "all words have a fertility of 1": ("self.N * share * words", "share * words"),
        "eos is a word": ("F.pad(source.mask[:, 1:], (0, 1))", "source.mask"),
        "padding is a sink": ("(source.mask & ~words)", "(~words)"),
        "a limit of 0": ("if not self.csparsemax_limit > 0", "if not self.csparsemax_limit >= 0"),
    }),
)  # fmt: skip
