"""Mi et al. 2016a, Liu et al. 2016 and Garg et al. 2019, and the criterion that brings links and adds up losses."""

from ..mutant import mutants

TERM = "tests/fairseq_plugins/terms/test_supervised_attention.py"
ALIGNED = "tests/fairseq_plugins/models/test_transformer_aligned.py"
CRITERION = "tests/fairseq_plugins/criterions/test_auxiliary_nll.py"

MUTANTS = (
    *mutants("supervised_attention direct_bridging global_fertility covemb_gru_sub_obj covemb_gru_sub_supobj",
        "fairseq_plugins/terms/_losses.py", "tests/fairseq_plugins/models/test_parity.py -k losses_equal", {
        "losses are summed over padding": ("values.masked_fill(~counted, 0).sum()", "values.sum()"),
    }),
    *mutants("supervised_attention", "fairseq_plugins/terms/supervised_attention.py",
        f"{TERM} {CRITERION} -k 'supervised or link or attention'", {
        "the loss has the wrong sign": ("return -(expected * torch.log", "return (expected * torch.log"),
        "lambda is lost": ("return self.coefficient * total(", "return total("),
        "target words without a link count": ("target.mask & expected.any(-1)", "target.mask"),
        "padding inherits links and counts": ("target.mask & expected.any(-1)", "expected.any(-1)"),
        "a row of several links is not normalised":
            ("return links / links.sum(-1, keepdim=True).clamp(min=torch.finfo(links.dtype).tiny)", "return links"),
        "the Gaussian is too narrow": ("/ (2 * self.sigma**2))", "/ self.sigma**2)"),
        "the Gaussian reaches padding": (" * mask.unsqueeze(1)", ""),
        "attention learns nothing": ("alpha = precise(trace.weights)", "alpha = precise(trace.weights).detach()"),
        "half of the squared error is lost": ("return 0.5 * (alpha", "return 0.25 * (alpha"),
        "the links of the word behind are inherited": (
            "torch.where(links.any(-1), steps, 0).cummax(1)",
            "torch.where(links.any(-1), steps, 9).flip(1).cummin(1)",
        ),
    }),
    *mutants("supervised_attention", "fairseq_plugins/terms/supervised_attention.py",
        "tests/fairseq_plugins/models/test_defaults.py", {
        "lambda is 1/2 by default": ("option(1.0,", "option(0.5,"),
        "links are spread by default": ("        0.0, ", "        1.0, "),
        "the squared error by default": ('option("ce",', 'option("mse",'),
        "links are inherited by default": ('        "exclude", ', '        "inherit", '),
    }),
    *mutants("transformer_aligned", "fairseq_plugins/models/transformer_aligned.py", ALIGNED, {
        "a search has the mean of the last layer, as fairseq's":
            ("if alignment_layer is None:", "if alignment_layer is None and kwargs.get('incremental_state') is None:"),
        "all heads of the layer are taught": ("self.guided_layer - 1, 1", "self.guided_layer - 1, None"),
        "the last layer is taught": ("max(1, layers - 1)", "layers"),
        "lambda is lost": ("self.guided_lambda * total(", "total("),
        "a row of several links is not normalised": ("G = G / G.sum(-1, keepdim=True).clamp(min=1)", "pass"),
        "eos is taught too": (" & ids.ne(self.decoder.dictionary.eos())", ""),
        "attention learns nothing": ('net_output[1]["attn"][0])', 'net_output[1]["attn"][0].detach())'),
    }),
    *mutants("supervised_attention covemb_gru_sub_supobj", "fairseq_plugins/criterions/auxiliary_nll.py",
        f"{CRITERION} -k 'links or denominator'", {
        "links are read the wrong way round":
            ("links[found[:, 1], found[:, 0]] = 1", "links[found[:, 0], found[:, 1]] = 1"),
        "the word before eos is linked to eos":
            ("target.ne(self.padding_idx).sum(1) - 1", "target.ne(self.padding_idx).sum(1) - 2"),
        "auxiliary losses are subtracted":
            ("loss = loss + sum(auxiliary.values())", "loss = loss - sum(auxiliary.values())"),
        "auxiliary losses are left out":
            ("loss = loss + sum(auxiliary.values())", "loss = loss + 0 * sum(auxiliary.values())"),
    }),
)  # fmt: skip
