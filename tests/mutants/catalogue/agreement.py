"""Cohn et al. 2016, both directions together."""

from ..mutant import mutants

MUTANTS = mutants(
    "cohn_agreement",
    "fairseq_plugins/models/cohn_agreement.py",
    "tests/fairseq_plugins/models/test_parity.py -k '(losses_equal or gradients_equal) and agreement'",
    {
        "agreement is punished": ("-self.gamma * (", "self.gamma * ("),
        "gamma is lost": ("-self.gamma * (", "-1.0 * ("),
        "gamma is mantis's by default": ("option(1.0,", "option(0.1,"),
        "one direction agrees with the other one word later": (
            "reverse.transpose(1, 2)",
            "reverse.transpose(1, 2).roll(1, 1)",
        ),
        "the reversed model sees the word that it predicts": ("torch.cat((first, source[:, :-1]), 1)", "source"),
        "likelihoods of padding count": ("0.0, dictionary.pad(), consume", "0.0, -1, consume"),
        "the reversed likelihood is minimised": (
            '"reverse": nll,',
            '"reverse": -nll,',
        ),
        "the first direction learns nothing by it": (
            'forward = precise(net_output[1]["attn"][0])',
            'forward = precise(net_output[1]["attn"][0].detach())',
        ),
        "the reversed direction learns nothing by it": (
            'reverse = precise(extra["attn"][0])',
            'reverse = precise(extra["attn"][0].detach())',
        ),
    },
)
