"""Guided alignment: fairseq's Transformer, one head of which is taught word links (Garg et al. 2019, Section 4)."""

from argparse import SUPPRESS, Action, ArgumentParser, Namespace
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import torch
from torch import Tensor

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from fairseq_plugins.core.options import add_options, option, read_options
from fairseq_plugins.core.protocol import Target
from fairseq_plugins.terms._losses import precise, required_links, total

from fairseq.models import register_model, register_model_architecture
from fairseq.models.transformer import TransformerDecoderBase, TransformerModel, base_architecture

UNFIT = ("no_cross_attention", "decoder_layerdrop", "adaptive_softmax_cutoff")
"""Options with which a taught head is not always there, or outputs are no logits."""


@dataclass(frozen=True)
class GuidedAlignmentOptions:
    """Which layer, and how much; fairseq's options are beside these.

    Choices:
        guided_layer: Garg: the last but one of six -> paper
        guided_lambda: Garg: 0.05 -> paper
    """

    guided_layer: int | None = option(
        None, "decoder layer, counted from 1, whose first head is taught; the last but one unless given"
    )
    guided_lambda: float = option(0.05, "coefficient of the loss of guided alignment")


class AlignedDecoder(TransformerDecoderBase):
    """Whose attention is that of the taught head, in training, in a search and everywhere else.

    fairseq's own ``transformer_align`` has it in training alone: its search takes the mean of the last layer's heads.
    """

    guided_layer: int

    def extract_features(
        self, *args: Any, alignment_layer: int | None = None, alignment_heads: int | None = None, **kwargs: Any
    ) -> tuple[Tensor, dict[str, list[Any]]]:
        """fairseq's; with ``alignment_layer`` (from 0) it hands on the mean of the heads of that one, as ever."""
        if alignment_layer is None:
            alignment_layer, alignment_heads = self.guided_layer - 1, 1
        return super().extract_features(
            *args, alignment_layer=alignment_layer, alignment_heads=alignment_heads, **kwargs
        )


@register_model("transformer_aligned")
class TransformerAligned(TransformerModel):
    """e_ij = (W_q x_i + b_q)^T (W_k h_j + b_k) / sqrt(d), alpha_i = softmax(e_i), of one head.

    Loss: -lambda sum_i sum_j G_ij log alpha_ij, G_i: equal shares for what y_i is linked with.

    State: what self-attention keeps of the words so far.

    Family: supervised attention.

    Written from: the authors' code, which is fairseq's, and the paper's abstract.

    Confidence: high.

    Ours: eflomal's links, of sub-words; eos and words without a link are left out, as in fairseq; the taught head sees
    the words so far, not the whole translation.
    """

    terms: ClassVar[tuple[()]] = ()
    own_options: ClassVar[tuple[type, ...]] = (GuidedAlignmentOptions,)
    fix_options = staticmethod(base_architecture)

    @classmethod
    def option_types(cls) -> tuple[type, ...]:
        return cls.own_options

    @classmethod
    def option_names(cls, terms: list[str] | None) -> set[str]:
        """As of ``RecurrentModel``; those of fairseq's Transformer too, but for paths."""
        if terms is not None:
            raise ValueError("only a combination (arch: attnmt) takes `terms`")
        of_fairseq = {action.dest for action in _of_fairseq() if not action.dest.endswith("_path")}
        return of_fairseq | {field.name for field in fields(GuidedAlignmentOptions)}

    @classmethod
    def reads_links(cls, args: Namespace) -> bool:
        return True

    @classmethod
    def add_args(cls, parser: ArgumentParser) -> None:
        """Switches of fairseq are followed by true or false, as those of every system of this project."""
        add_options(parser, *cls.option_types())
        for action in _of_fairseq():
            if action.nargs == 0:
                parser.add_argument(*action.option_strings, type=truth, default=SUPPRESS, help=action.help)
            else:
                parser._add_action(action)

    @classmethod
    def build_model(cls, args: Namespace, task: Any) -> "TransformerAligned":
        """Raises ValueError if there is no such layer."""
        model, options = super().build_model(args, task), read_options(GuidedAlignmentOptions, args)
        layers = len(model.decoder.layers)
        layer = max(1, layers - 1) if options.guided_layer is None else options.guided_layer
        if not 1 <= layer <= layers:
            raise ValueError(f"guided_layer is {layer}, and the decoder has {layers} layers")
        model.decoder.guided_layer, model.guided_lambda = layer, options.guided_lambda
        return model

    @classmethod
    def build_decoder(cls, args: Any, tgt_dict: Any, embed_tokens: torch.nn.Embedding) -> AlignedDecoder:
        return AlignedDecoder(args, tgt_dict, embed_tokens)

    def auxiliary_losses(
        self, net_output: tuple[Tensor, dict[str, Any]], ids: Tensor, links: Tensor | None = None
    ) -> dict[str, Tensor]:
        """As of ``RecurrentModel``."""
        real = ids.ne(self.decoder.dictionary.pad()) & ids.ne(self.decoder.dictionary.eos())
        alpha = precise(net_output[1]["attn"][0])
        target = Target(ids, real, self.decoder.embed_tokens(ids), links)
        G = required_links(target, "transformer_aligned").to(alpha.dtype)
        G = G / G.sum(-1, keepdim=True).clamp(min=1)
        distances = -(G * alpha.clamp(min=torch.finfo(alpha.dtype).tiny).log()).sum(-1)  # no infinity by underflow
        return {"guided_alignment": self.guided_lambda * total(distances, real)}


register_model_architecture("transformer_aligned", "transformer_aligned")(TransformerAligned.fix_options)


def truth(text: str) -> bool:
    """The switch that ``true`` or ``false`` says; a ValueError for any other."""
    return ("false", "true").index(text.lower()) == 1


def _of_fairseq() -> list[Action]:
    """The options of fairseq's Transformer that fit."""
    parser = ArgumentParser(add_help=False, argument_default=SUPPRESS)
    TransformerModel.add_args(parser)
    return [action for action in parser._actions if action.dest not in UNFIT]
