"""Cohn et al. 2016, one direction."""

from ..mutant import mutants

TERMS = "tests/fairseq_plugins/terms"
FILES = (
    f"{TERMS}/test_structural_biases.py {TERMS}/test_attention_so_far.py tests/fairseq_plugins/models/test_parity.py"
)
LOCALITY = f"{TERMS}/test_recurrent_attention.py"
LOSSES = f"{TERMS}/test_global_fertility.py"

MUTANTS = (
    *mutants("markov_bias local_fertility_bias recurrent_attention", "fairseq_plugins/terms/_neighbours.py",
        f"{FILES} {LOCALITY} -k 'neighbours or reaches or markov'", {
        "the window stands one word to the left": ("F.pad(a, (k, k))", "F.pad(a, (k + 1, k - 1))"),
        "the window is read backwards": (".unfold(1, 2 * k + 1, 1)", ".unfold(1, 2 * k + 1, 1).flip(-1)"),
    }),
    *mutants("markov_bias local_fertility_bias", "fairseq_plugins/terms/_neighbours.py",
        f"{FILES} -k 'markov or local'", {
        "the bias does not enter the tanh":
            ("return Features(neighbours(state.to(q.dtype), self.k), self.projection().weight), ()", "return None, ()"),
        "k is 2 by default": ("option(1, ", "option(2, "),
    }),
    *mutants("markov_bias", "fairseq_plugins/terms/markov_bias.py", f"{FILES} -k markov", {
        "all attention so far": ("return step.weights", "return state + step.weights"),
        "the attention before the last": ("return step.weights", "return state"),
    }),
    *mutants("markov_bias", "fairseq_plugins/terms/markov_bias.py",
        "tests/fairseq_plugins/models/test_parity.py -k 'gradients_equal and cohn_markov'", {
        "attention learns nothing by it": ("return step.weights", "return step.weights.detach()"),
    }),
    *mutants("local_fertility_bias", "fairseq_plugins/terms/local_fertility_bias.py", f"{FILES} -k local", {
        "the last step's attention alone": ("return state + step.weights", "return step.weights"),
        "attention counted down": ("return state + step.weights", "return state - step.weights"),
    }),
    *mutants("position_bias", "fairseq_plugins/terms/position_bias.py", f"{FILES} -k position", {
        "i counts from 0": ("torch.ones_like(lengths)", "torch.zeros_like(lengths)"),
        "j counts from 0": ("torch.arange(1, source.mask.shape[1] + 1,", "torch.arange(0, source.mask.shape[1],"),
        "S counts padding": ("source.mask.sum(1)\n", "source.mask.ge(0).sum(1)\n"),
        "i stands still": ("return state + 1", "return state"),
        "log i instead of log(1 + i)": ("torch.log1p(state", "torch.log(state"),
        "i does not enter the tanh": ("return i.view(-1, 1, 1) * self.W_p.weight[:, 0], ()", "return None, ()"),
    }),
    *mutants("cohn_all", "fairseq_plugins/models/cohn_all.py", f"{FILES} -k 'all_biases'", {
        "no Markov bias": ("(PositionBias, MarkovBias, LocalFertilityBias)", "(PositionBias, LocalFertilityBias)"),
        "no local fertility": ("(PositionBias, MarkovBias, LocalFertilityBias)", "(PositionBias, MarkovBias)"),
    }),
    *mutants("global_fertility", "fairseq_plugins/terms/global_fertility.py", LOSSES, {
        "the loss has the wrong sign": ("surprise = 0.5 *", "surprise = -0.5 *"),
        "padding of the target counts": (".masked_fill(~target.mask.unsqueeze(-1), 0).sum(1)", ".sum(1)"),
        "the source's eos counts": ("words = F.pad(source.mask[:, 1:], (0, 1))", "words = source.mask"),
        "padding of the source counts": ("square(), memory.mask)", "square(), memory.mask | True)"),
        "lambda is lost": ("self.coefficient * surprise", "surprise"),
        "the precision is the variance": ("torch.exp(-log_var)", "torch.exp(log_var)"),
        "the normaliser is lost": (" + log_var)", ")"),
        "attention learns nothing by it": ("precise(trace.weights).masked", "precise(trace.weights).detach().masked"),
    }),
    *mutants("global_fertility", "fairseq_plugins/terms/global_fertility.py",
        "tests/fairseq_plugins/models/test_defaults.py", {
        "lambda is 1/2 by default": ("option(1.0,", "option(0.5,"),
    }),
    *mutants("cohn_globalfert", "fairseq_plugins/models/cohn_globalfert.py", f"{LOSSES} -k structural", {
        "no position bias": ("terms = (PositionBias, MarkovBias,", "terms = (MarkovBias,"),
        "no global fertility": ("LocalFertilityBias, GlobalFertility)", "LocalFertilityBias)"),
    }),
)  # fmt: skip
