"""auxiliary_nll: fairseq's label-smoothed cross-entropy and the auxiliary losses of the model."""

import math
from dataclasses import dataclass, field
from typing import Any

import torch
from omegaconf import II
from torch import Tensor

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from fairseq_plugins.kernels import smoothed_nll

from fairseq import metrics
from fairseq.criterions import register_criterion
from fairseq.criterions.label_smoothed_cross_entropy import LabelSmoothedCrossEntropyCriterion
from fairseq.dataclass import FairseqDataclass

PREFIX = "aux_"


@dataclass
class AuxiliaryNLLConfig(FairseqDataclass):
    label_smoothing: float = field(default=0.0, metadata={"help": "epsilon, spread evenly over all words; 0: none"})
    sentence_avg: bool = II("optimization.sentence_avg")


@register_criterion("auxiliary_nll", dataclass=AuxiliaryNLLConfig)
class AuxiliaryNLL(LabelSmoothedCrossEntropyCriterion):
    """NLL(y|x), label-smoothed, + the losses of ``model.auxiliary_losses``, all summed over the batch.

    Everything has one denominator, tokens or sentences as fairseq chooses, so that the coefficients are the papers'.
    Each auxiliary loss is logged as ``aux_<name>`` in the unit of ``loss``, which is their sum with the smoothed NLL:
    per denominator, divided by log 2. ``nll_loss`` and ``ppl`` are those of the plain NLL.
    """

    def __init__(self, task, sentence_avg: bool, label_smoothing: float):
        super().__init__(task, sentence_avg, label_smoothing)

    def forward(self, model, sample: dict[str, Any], reduce: bool = True) -> tuple[Tensor, int, dict[str, Any]]:
        """-> (the loss of a batch, its denominator, what is logged). ``reduce`` is fairseq's; sums are all there is.

        Raises:
            ValueError: a loss of the model reads word alignments, and the text has none.
        """
        output = model(**sample["net_input"])
        logits, target = output[0].flatten(0, 1), sample["target"].flatten()
        loss, nll_loss = smoothed_nll(logits, target, self.eps, self.padding_idx, consume=True)
        auxiliary = model.auxiliary_losses(output, sample["target"], self.links(sample))
        loss = loss + sum(auxiliary.values())
        sentences = len(sample["target"])
        denominator = sentences if self.sentence_avg else sample["ntokens"]
        logged = {
            "loss": loss.detach(),
            "nll_loss": nll_loss.detach(),
            "ntokens": sample["ntokens"],
            "nsentences": sentences,
            "sample_size": denominator,
        }
        return loss, denominator, logged | {PREFIX + name: value.detach() for name, value in auxiliary.items()}

    def links(self, sample: dict[str, Any]) -> Tensor | None:
        """Word alignments of a batch as 0/1, ``(B, T, S)``, eos linked to eos; None when the text has none.

        fairseq hands out the links that it kept, and nothing when it kept none of a batch: it drops all links of a
        sentence when one of them lies outside the sentence or touches eos. Such a sentence counts as unaligned.
        """
        found = sample.get("alignments")
        if found is None and not self._text_is_aligned():
            return None
        target, source = sample["target"], sample["net_input"]["src_tokens"]
        links = torch.zeros(target.numel(), source.shape[1], device=target.device)
        if found is not None:
            links[found[:, 1], found[:, 0]] = 1
        links = links.view(*target.shape, -1)
        rows = torch.arange(len(target), device=target.device)
        last = target.ne(self.padding_idx).sum(1) - 1, source.ne(self.padding_idx).sum(1) - 1
        links[rows, *last] = 1
        return links

    def _text_is_aligned(self) -> bool:
        datasets = self.task.datasets.values()
        return bool(datasets) and all(getattr(dataset, "align_dataset", None) is not None for dataset in datasets)

    @classmethod
    def reduce_metrics(cls, logging_outputs: list[dict[str, Any]]) -> None:
        super().reduce_metrics(logging_outputs)
        denominator = sum(log["sample_size"] for log in logging_outputs)
        for key in sorted({key for log in logging_outputs for key in log if key.startswith(PREFIX)}):
            total = sum(log[key] for log in logging_outputs if key in log)
            metrics.log_scalar(key, total / denominator / math.log(2), denominator, round=3)
