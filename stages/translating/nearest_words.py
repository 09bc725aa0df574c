"""Which target words a trained embedding transform finds nearest to source words (Kuang et al. 2018, Eq. 4)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from stages.text.symbols import CONTINUES
from stages.translating.decoding import System

from fairseq.data import Dictionary

TERM = "direct_bridging"  # the term that has the transform W
ASKED, NEAREST = 2000, 5
ROWS = 256  # source words whose distances to all target words are in memory at once


def nearest_words(system: System, train: Sequence[Callable[[], Mapping[str, int]]]) -> dict[str, Any] | None:
    """y* = argmin_y ||W E_x(x) - E_y(y)|| for the most frequent source words; None for a system without W.

    train: what counts the pieces of the training text, on the source side and on the target side. A vocabulary of both
    languages has the words of both, and counts them together.

    Words are the entries of the dictionaries that stand in the training text of their side and are neither specials nor
    the beginning of a longer word (a choice: the paper has no sub-word units).

    Returns:
        words: for each source word, from the most frequent on, ``word``, its ``count`` in the training text and
        ``nearest``, its five nearest target words with their distances, from the nearest on.
        targets: the target words, among which they were sought.
        mean_norm_x, mean_norm_y: mean ||E_x|| and ||E_y|| over the vocabularies without specials. Both near 0 would say
        that the loss which trained W has shrunk the embeddings instead.
        mean_distance: mean over ``words`` of the distance to the nearest target word.
    """
    decoder = system.model.decoder
    terms = getattr(getattr(decoder, "attention", None), "terms", {})  # fairseq's own decoders have neither
    if TERM not in terms:
        return None
    of_source, of_target = (count() for count in train)
    sources, targets = _words(system.source_dictionary, of_source), _words(system.target_dictionary, of_target)
    sources.sort(key=lambda word: -of_source[system.source_dictionary[word]])
    del sources[ASKED:]
    E_x, E_y = (side.embed_tokens.weight.detach() for side in (system.model.encoder, decoder))
    with torch.inference_mode():
        transformed = terms[TERM].W(E_x[sources]).double()
    found = [_nearest(rows, E_y[targets].double()) for rows in transformed.split(ROWS)]
    distances, places = (torch.cat(parts).tolist() for parts in zip(*found, strict=True))
    target_words = [system.target_dictionary[word] for word in targets]
    words = [
        {
            "word": system.source_dictionary[word],
            "count": of_source[system.source_dictionary[word]],
            "nearest": [[target_words[y], round(distance, 5)] for y, distance in zip(ys, row, strict=True)],
        }
        for word, ys, row in zip(sources, places, distances, strict=True)
    ]
    return {
        "words": words,
        "targets": target_words,
        "mean_norm_x": _mean_norm(E_x, system.source_dictionary),
        "mean_norm_y": _mean_norm(E_y, system.target_dictionary),
        "mean_distance": sum(row[0] for row in distances) / len(distances),
    }


def _words(dictionary: Dictionary, counts: Mapping[str, int]) -> list[int]:
    """Ids of the entries that are whole words of a text."""
    return [
        k for k in range(dictionary.nspecial, len(dictionary))
        if dictionary[k] in counts and not dictionary[k].endswith(CONTINUES)
    ]  # fmt: skip


def _nearest(points: Tensor, candidates: Tensor) -> tuple[Tensor, Tensor]:
    """Distances and places of the nearest ``candidates (V, E)`` to each of the ``points (N, E)``: both ``(N, 5)``."""
    return torch.cdist(points, candidates).topk(min(NEAREST, len(candidates)), largest=False)


def _mean_norm(embeddings: Tensor, dictionary: Dictionary) -> float:
    return float(embeddings[dictionary.nspecial :].norm(dim=1).mean())
