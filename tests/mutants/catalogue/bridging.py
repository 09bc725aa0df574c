"""Kuang et al. 2018."""

from ..mutant import mutants

FILE = "tests/fairseq_plugins/terms/test_bridging.py"

MUTANTS = (
    *mutants("source_bridging", "fairseq_plugins/terms/source_bridging.py", f"{FILE} -k 'base or annotations_end'", {
        "the embedding in front of the annotation":
            ("(source.annotations, source.embeddings), -1)", "(source.embeddings, source.annotations), -1)"),
        "the embedding of the word before": ("source.embeddings), -1)", "source.embeddings.roll(1, 1)), -1)"),
    }),
    *mutants("source_bridging", "fairseq_plugins/terms/source_bridging.py",
        "tests/fairseq_plugins/models/test_parity.py -k 'gradients_equal and bridging_source'", {
        "the embedding learns nothing by it": ("source.embeddings), -1)", "source.embeddings.detach()), -1)"),
    }),
    *mutants("target_bridging direct_bridging", "fairseq_plugins/terms/_bridging.py", f"{FILE} -k most_attended", {
        "the word behind the most attended one": (
            "weights.argmax(-1, keepdim=True)",
            "(weights.argmax(-1, keepdim=True) + 1).clamp(max=weights.shape[-1] - 1)",
        ),
        "the least attended word": ("weights.argmax(", "weights.argmin("),
        "the chosen embedding learns nothing":
            ("return embeddings.gather(1, chosen)", "return embeddings.detach().gather(1, chosen)"),
    }),
    *mutants("target_bridging", "fairseq_plugins/terms/target_bridging.py",
        f"{FILE} -k 'bridging_target or recurrence or base_of_a_step'", {
        "the mean of the source words":
            ("most_attended(memory, weights.unsqueeze(1)).squeeze(1)", "(weights.unsqueeze(1) @ memory).squeeze(1)"),
        "no source word": (
            "most_attended(memory, weights.unsqueeze(1)).squeeze(1)",
            "most_attended(memory, weights.unsqueeze(1)).squeeze(1) * 0",
        ),
    }),
    *mutants("target_bridging", "fairseq_plugins/core/cells/conditional.py",
        f"{FILE} -k 'bridging_target or base_of_a_step'", {
        "the extra input in front of the context":
            ("torch.cat((context, extra), -1)", "torch.cat((extra, context), -1)"),
    }),
    *mutants("direct_bridging", "fairseq_plugins/terms/direct_bridging.py", f"{FILE} -k 'loss or without_w'", {
        "padding of the target counts": (".sum(-1), target.mask)", ".sum(-1), target.mask | True)"),
        "lambda is lost": ("return self.coefficient * total(", "return total("),
        "lambda is 1/2 by default": ("option(1.0,", "option(0.5,"),
        "the loss has the wrong sign": ("return self.coefficient * total(", "return -self.coefficient * total("),
        "the norm is not squared": (".square().sum(-1), target.mask)", ".square().sum(-1).sqrt(), target.mask)"),
        "W is left out": ("self.W(bridged) - words", "bridged + 0 * self.W(bridged) - words"),
        "the other side's embeddings are left alone":
            ('memory.detach() if self.stopgrad == "source"', 'memory.detach() if self.stopgrad == "target"'),
        "soft by default": ("option(False, ", "option(True, "),
        "the target word before": ("else target.embeddings\n", "else target.embeddings.roll(1, 1)\n"),
    }),
    *mutants("bridging_direct", "fairseq_plugins/models/bridging_direct.py", f"{FILE} -k parameters_added", {
        "no source bridging": ("terms = (SourceBridging, DirectBridging)", "terms = (DirectBridging,)"),
        "no direct bridging": ("terms = (SourceBridging, DirectBridging)", "terms = (SourceBridging,)"),
    }),
)  # fmt: skip
