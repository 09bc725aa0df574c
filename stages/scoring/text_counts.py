"""What words count in every sentence, by group of `catalogue.GROUPS`: arrays (N, K), one row a sentence."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from stages.measures import bleu, bleu_v11b, chrf, perplexity, repeated, ter
from stages.scoring.catalogue import Rows
from stages.settings.scoring import ScoreSettings
from stages.text.detokenise import comparable, detokenise
from stages.text.languages import DOTLESS, fold_case, is_unspaced, lower_case, rules_of
from stages.text.unknown import replace_unknown
from stages.translating.translations import Translation

Pairs = Sequence[tuple[str, Sequence[str]]]
"""Each translation with its references."""

LEFT = "ⅎ"
"""What is counted for an unknown word: a letter that no language writes, and that no tokeniser parts as it does the
marks of `<unk>`, or joins with the next one in text without blanks."""


class Reading(NamedTuple):
    """How text is compared: settings, the language translated into, and each source word's best translation."""

    settings: ScoreSettings
    language: str
    best: Mapping[str, str]


def known_words(translations: Iterable[Translation], reading: Reading) -> list[Translation]:
    """The translations with what stands in for their unknown words; `unknown` are those that are left."""
    rule, best = reading.settings.unk_replace, reading.best
    return [
        one._replace(
            target=replace_unknown(one.target, one.attended, one.source, rule, best),
            unknown=one.unknown if rule == "none" else one.unknown.difference(one.attended),
        )
        for one in translations
    ]


def text_rows(translations: Sequence[Translation], references: Sequence[Sequence[str]], reading: Reading) -> Rows:
    """What counts words against references; translations as the system gave them, references: per sentence, one or
    more. Repetition is counted on case-folded words."""
    settings = reading.settings
    insensitive, sensitive = (bleu.scorer(settings.bleu_tokenize, lowercase) for lowercase in (True, False))
    tokeniser = ter.tokeniser(normalized=settings.detokenise, characters=by_characters(reading))
    known = known_words(translations, reading)
    pairs = _pairs(known, references, reading)
    folded = _folded(pairs, reading)
    rows = {
        "source": np.array([[len(one.source)] for one in translations]),
        "bleu": np.array([bleu.statistics(*pair, insensitive) for pair in folded]),
        "bleu_cased": np.array([bleu.statistics(*pair, sensitive) for pair in pairs]),
        **({} if by_characters(reading) else {"bleu_v11b": np.array([bleu_v11b.statistics(*pair) for pair in folded])}),
        "chrf": np.array([chrf.statistics(*pair) for pair in pairs]),
        "ter": np.array([ter.statistics(*pair, tokeniser) for pair in folded]),
        "repeated": np.array([repeated.statistics(fold(one.target, reading.language)) for one in known]),
    }
    replaced = [k for k, one in enumerate(translations) if one.unknown != known[k].unknown]
    before = _pairs([translations[k] for k in replaced], [references[k] for k in replaced], reading)
    kept = rows["bleu"].copy()
    for k, pair in zip(replaced, _folded(before, reading), strict=True):
        kept[k] = bleu.statistics(*pair, insensitive)
    return rows | {"bleu_unk_kept": kept}


def no_unk_rows(translations: Mapping[int, Translation], references: Sequence[Sequence[str]], reading: Reading) -> Rows:
    """BLEU's counts of the sentences without unknown words (row -> translation); of the others zeros."""
    scorer = bleu.scorer(reading.settings.bleu_tokenize, lowercase=True)
    counts = np.zeros((len(references), 1 + len(bleu.Counts._fields)), int)
    pairs = _pairs(list(translations.values()), [references[k] for k in translations], reading)
    for k, pair in zip(translations, _folded(pairs, reading), strict=True):
        counts[k] = (1, *bleu.statistics(*pair, scorer))
    return {"bleu_no_unk": counts}


def probability_rows(translations: Sequence[Translation]) -> Rows:
    """Of the force-decoded dev set."""
    return {"perplexity": np.array([perplexity.statistics(one.forced) for one in translations])}


def fold(words: Sequence[str], language: str) -> list[str]:
    return list(map(fold_case(language), words))


def by_characters(reading: Reading) -> bool:
    """Whether running text of a language without blanks is compared, whose words nothing shows."""
    return reading.settings.detokenise and is_unspaced(reading.language)


def compared(texts: Iterable[str], reading: Reading) -> list[str]:
    """Texts of the system, or references, in the form in which they are compared: see `comparable`."""
    return list(map(comparable(reading.language), texts) if by_characters(reading) else texts)


def _pairs(translations: Sequence[Translation], references: Sequence[Sequence[str]], reading: Reading) -> Pairs:
    """As they are compared; each unknown word that is left is one word, which no reference has."""
    words = [[LEFT if i in one.unknown else word for i, word in enumerate(one.target)] for one in translations]
    texts = compared(written(words, reading), reading)
    return list(zip(texts, (compared(of, reading) for of in references), strict=True))


def _folded(pairs: Pairs, reading: Reading) -> Pairs:
    """`pairs` for measures without regard to case, where they would take one letter for another's lower case."""
    if rules_of(reading.language) not in DOTLESS:
        return pairs
    lower = lower_case(reading.language)
    return [(lower(text), list(map(lower, references))) for text, references in pairs]


def written(sentences: Sequence[Sequence[str]], reading: Reading) -> list[str]:
    """The words as text: running text if the references are that."""
    if reading.settings.detokenise:
        return detokenise(sentences, reading.language)
    return [" ".join(words) for words in sentences]
