"""The penalties with which a search translates dev best."""

from collections.abc import Sequence
from itertools import product

from stages.settings.training import Decoding, DecodingControl
from stages.text.pieces import merge_pieces
from stages.translating.decoding import Control, Finished, System, finished, rank
from stages.translating.words_bleu import words_bleu

Tried = list[dict[str, float]]
"""alpha, beta and the BLEU of dev with them."""


def tuned(
    system: System, sentences: Sequence[Sequence[str]], references: Sequence[Sequence[str]], decoding: Decoding,
    given: DecodingControl,
) -> tuple[Control, Tried]:  # fmt: skip
    """The values of ``given`` with the best BLEU, of equals the first, and what each came to; nothing if there is no
    choice. Penalties rank what a search has finished, so one search is enough for all of them.

    Args:
        sentences, references: dev in pieces. BLEU is of their words.

    Raises:
        InputError: as ``rank``.
    """
    values = [
        Control(alpha, beta, given.no_repeat_ngram)
        for alpha, beta in product(given.gnmt_length_penalty, given.coverage_penalty)
    ]
    if len(values) == 1:
        return values[0], []
    lists: dict[int, list[Finished]] = {}
    for row, hypotheses, _ in finished(system, sentences, decoding, "tuning on dev", 0.0, values[0]):
        lists[row] = hypotheses
    words = [" ".join(merge_pieces(reference)) for reference in references]
    tried: Tried = []
    for one in values:
        best = [rank(lists[row], one, decoding)[0] for row in range(len(sentences))]
        tried.append({"alpha": one.alpha, "beta": one.beta, "bleu": words_bleu(best, words)})
    return max(zip(values, tried, strict=True), key=lambda pair: pair[1]["bleu"])[0], tried
