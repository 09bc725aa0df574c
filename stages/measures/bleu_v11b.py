"""BLEU as NIST's script mteval-v11b computes it, case-insensitive, from the same rows as `bleu`.

What differs from sacrebleu: the reference length of a sentence is that of its SHORTEST reference, there is no smoothing
(one order without a match makes the score 0), and case is folded for the letters A to Z only.

The script tokenises by itself. Its `NormalizeText` has the rules of sacrebleu's tokeniser `13a` in the same order; they
differ in white space beyond ASCII only (such as U+3000), which parts words here but not in the script. Without words of
the system the script stops at a division by zero; here the score is 0.
"""

import string
from collections.abc import Sequence

import numpy as np
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from stages.measures import bleu

_TOKENISER = Tokenizer13a()
_FOLD = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_SCORER = bleu.scorer("none", lowercase=False)


def statistics(hypothesis: str, references: Sequence[str]) -> bleu.Counts:
    """Counts of one sentence; the reference length is that of the shortest reference."""
    normal = [_normalise(reference) for reference in references]
    shortest = min(len(reference.split()) for reference in normal)
    return bleu.statistics(_normalise(hypothesis), normal, _SCORER)._replace(reference_length=shortest)


def _normalise(text: str) -> str:
    return _TOKENISER(text).translate(_FOLD)


def of_totals(totals: np.ndarray) -> bleu.BleuScore:
    """totals: (..., 10) summed `bleu.Counts`."""
    return bleu.combine(totals, np.asarray(totals, float)[..., 2 : 2 + bleu.ORDER])
