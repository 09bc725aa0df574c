"""How much each source word matters for each target word of a given translation, asked otherwise than by attention.

One sentence at a time: its copies are a batch, so that a single pass answers for all target pieces or source words.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
from torch import Tensor, nn

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.measures.merge_attention import merge_attention
from stages.text.pieces import word_starts
from stages.translating.decoding import System, all_words

from fairseq.models import FairseqEncoderDecoderModel

Pieces = Sequence[str]


def attention(system: System, source: Pieces, target: Pieces) -> np.ndarray | None:
    """As all else in a report takes it, ``(T + 1, S + 1)`` words; None of a system that does not attend."""
    tokens, previous, _ = _encoded(system, source, target)
    with torch.no_grad():
        _, extra = system.model(tokens, _lengths(tokens), previous)
    weights = extra["attn"][0] if extra["attn"] else None
    return None if weights is None else _words(weights[0].float(), source, target)


def gradient_times_input(system: System, source: Pieces, target: Pieces) -> np.ndarray:
    """|sum over the pieces of word j of e · d log P(word i) / d e|, ``(T + 1, S + 1)`` words, eos last on both sides.

    The gradient by the embedding e of a piece, times e (Denil et al. 2014); of word alignment Ding et al. 2019, whose
    smoothing by noise is left out. log P of a word is the mean over its pieces, which scales its row. The absolute
    value is that of Li et al. 2016 (Visualizing and Understanding Neural Models in NLP).
    """
    tokens, previous, wanted = _encoded(system, source, target)
    rows = len(wanted)
    kept: list[Tensor] = []

    def change(embeddings: Tensor) -> Tensor:
        kept.append(embeddings.detach().requires_grad_())
        return kept[0]

    if hasattr(system.model.decoder, "_future_mask"):  # fairseq's keeps it, and one of inference mode has no gradient
        system.model.decoder._future_mask = torch.empty(0)
    cudnn_off = torch.backends.cudnn.flags(enabled=False)  # it has no backward pass through recurrences in eval mode
    with cudnn_off, torch.enable_grad(), _source_embeddings(system.model, change):
        found = _log_probabilities(system.model, tokens.expand(rows, -1), previous.expand(rows, -1), wanted)
        # Row k of the batch stands for target piece k: all gradients are those of one sum.
        (gradient,) = torch.autograd.grad(found.diagonal().sum(), kept[0])
    return np.abs(_words((gradient * kept[0].detach()).sum(2), source, target))


def erasure(system: System, source: Pieces, target: Pieces) -> np.ndarray:
    """log P(word i) less the same with the embeddings of all pieces of word j set to 0, ``(T + 1, S + 1)``.

    Li et al. 2016 (Understanding Neural Networks through Representation Erasure). What a system learns of a word beside
    its embedding, as the vectors of coverage embeddings, stays.
    """
    tokens, previous, wanted = _encoded(system, source, target)
    starts = [*word_starts(source), len(source)]
    word = torch.bucketize(torch.arange(len(source) + 1), torch.tensor(starts), right=True) - 1
    kept = torch.cat([torch.ones(1, len(word)), word != torch.arange(len(starts))[:, None]]).to(tokens.device)
    rows = len(kept)
    with torch.no_grad(), _source_embeddings(system.model, lambda embeddings: embeddings * kept[:, :, None]):
        found = _log_probabilities(system.model, tokens.expand(rows, -1), previous.expand(rows, -1), wanted)
    lost = (found[0] - found[1:]).T.double().cpu().numpy()
    return np.add.reduceat(lost, [*word_starts(target), len(target)], axis=0)


def heads(system: System, source: Pieces, target: Pieces) -> dict[tuple[int, int], np.ndarray]:
    """(layer, head), both from 1, -> its attention, ``(T + 1, S + 1)`` words; nothing of a system without layers.

    fairseq's Transformer hands on the mean of the last layer's heads, and that is its attention everywhere else.
    """
    tokens, previous, _ = _encoded(system, source, target)
    found = {}
    for layer, block in enumerate(getattr(system.model.decoder, "layers", ())):
        kept: list[Tensor] = []
        handle = block.encoder_attn.register_forward_hook(lambda module, given, output, to=kept: to.append(output[1]))
        try:
            with torch.no_grad():
                system.model(tokens, _lengths(tokens), previous, alignment_layer=layer)
        finally:
            handle.remove()
        for head, weights in enumerate(kept[0][:, 0]):
            found[layer + 1, head + 1] = _words(weights, source, target)
    return found


def _encoded(system: System, source: Pieces, target: Pieces) -> tuple[Tensor, Tensor, Tensor]:
    """Source ``(1, S)``, what the decoder is fed ``(1, T)`` and what it should say ``(T,)``, each with eos."""

    def ids(dictionary, pieces: Pieces) -> list[int]:
        return [*map(dictionary.index, pieces), dictionary.eos()]

    device = next(system.model.parameters()).device
    tokens = torch.tensor([ids(system.source_dictionary, source)], device=device)
    wanted = torch.tensor(ids(system.target_dictionary, target), device=device)
    return tokens, wanted.roll(1)[None], wanted


def _log_probabilities(model: FairseqEncoderDecoderModel, tokens: Tensor, previous: Tensor, wanted: Tensor) -> Tensor:
    """Natural, of the pieces of the translation in each row, ``(B, T)``, over the whole vocabulary."""
    with all_words(model):
        output, _ = model(tokens, _lengths(tokens), previous)
    return output.float().log_softmax(-1).gather(2, wanted.expand(len(tokens), -1)[:, :, None]).squeeze(2)


def _lengths(tokens: Tensor) -> Tensor:
    return torch.full((len(tokens),), tokens.shape[1], device=tokens.device)


@contextmanager
def _source_embeddings(model: FairseqEncoderDecoderModel, change: Callable[[Tensor], Tensor]) -> Iterator[None]:
    """While it is open, the first look-up in the encoder's embeddings, of a source, is what ``change`` makes of it.

    Later ones are of the target, where both sides share their embeddings.
    """
    changed = False

    def hook(module: nn.Module, given: tuple, embeddings: Tensor) -> Tensor | None:
        nonlocal changed
        if changed:
            return None
        changed = True
        return change(embeddings)

    handle = model.encoder.embed_tokens.register_forward_hook(hook)
    try:
        yield
    finally:
        handle.remove()


def _words(matrix: Tensor, source: Pieces, target: Pieces) -> np.ndarray:
    """From pieces with eos ``(T, S)`` to words: summed over those of a source word, averaged over a target word's."""
    starts = [[*word_starts(side), len(side)] for side in (source, target)]
    return merge_attention(matrix.double().cpu().numpy(), *starts)
