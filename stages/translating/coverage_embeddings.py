"""How long a system's coverage embeddings are before and after given translations (Mi et al. 2016, Section 3)."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from fairseq_plugins.core.protocol import Target
from stages.text.pieces import word_starts
from stages.translating.decoding import System, forced_batches


def coverage_embeddings(
    system: System, sentences: Sequence[Sequence[str]], references: Sequence[Sequence[str]], max_tokens: int
) -> list[dict[str, list[float]]] | None:
    """||c_{0,j}|| and ||c_{T,j}|| of every source word under forced decoding; None for a system without them.

    c_T has seen the end of the target. A word of several pieces has the mean of theirs, and a system with two coverage
    embeddings the norm of both as one vector; the source's end of sentence is no word. An ensemble has none.

    Returns:
        Per sentence ``first`` and ``last``, the lengths of its words.
    """
    attention = getattr(system.model.decoder, "attention", None)  # fairseq's own decoders have none
    names = [name for name, term in getattr(attention, "terms", {}).items() if hasattr(term, "at_the_end")]
    if not names or attention is None or system.others:
        return None
    results: dict[int, dict[str, list[float]]] = {}
    for batch in forced_batches(system, sentences, references, max_tokens, "measuring coverage embeddings"):
        with torch.inference_mode(), _traced(attention):
            encoded = system.model.encoder(batch.tokens, batch.lengths)
            _, extra = system.model.decoder(batch.previous, encoded, features_only=True)
            found = _of_terms(attention, names, extra["trace"], batch.previous.ne(system.target_dictionary.pad()))
        for k, row in enumerate(batch.rows):
            starts = word_starts(sentences[row])
            first, last = (_of_words(norms[k], starts, len(sentences[row])) for norms in found)
            results[row] = {"first": first, "last": last}
    return [results[row] for row in range(len(sentences))]


@contextmanager
def _traced(attention: Any) -> Iterator[None]:
    """While it is open the decoder keeps a trace, as for a loss that reads the state at each sentence's own end."""
    before = attention.has_loss, attention.final_state
    attention.has_loss = attention.final_state = True
    try:
        yield
    finally:
        attention.has_loss, attention.final_state = before


def _of_terms(attention: Any, names: Sequence[str], trace: Any, words: Tensor) -> tuple[Tensor, Tensor]:
    """Norms (B, S) at first and in the end; words: mask (B, T) of the target."""
    target = Target(ids=words, mask=words, embeddings=words, links=None)  # the mask alone is read
    first, last = [], []
    for place, (name, term) in enumerate(attention.terms.items()):
        if name in names:
            memory = trace.memory.terms[place]
            first.append(memory.initial)
            last.append(term.at_the_end(trace.y[place], memory, trace.state[place], trace, target))
    of_first, of_last = (torch.linalg.vector_norm(torch.cat(parts, -1).double(), dim=-1) for parts in (first, last))
    return of_first.cpu(), of_last.cpu()


def _of_words(norms: Tensor, starts: Sequence[int], pieces: int) -> list[float]:
    ends = [*starts[1:], pieces]
    return [round(float(norms[a:b].mean()), 5) for a, b in zip(starts, ends, strict=True)]
