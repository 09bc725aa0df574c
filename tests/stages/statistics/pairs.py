"""Two systems to compare: points of sentences, or translations that get some words of a reference wrong."""

import numpy as np
from sacrebleu.metrics import BLEU, CHRF, TER

from stages.measures import bleu, chrf, ter
from stages.measures.ratio import ratio
from stages.statistics.crossed import Components
from stages.statistics.resampling import approximate_randomisation, paired_bootstrap

PAIR = ("system", "baseline")
RESAMPLES, SEED = 1000, 12345  # 12345: sacrebleu's own


def mean(totals):
    """A measure whose rows are (points, sentences)."""
    return 100 * ratio(totals[..., 0], totals[..., 1])


def points(scores):
    """One run with these points a sentence."""
    return [np.stack([scores, np.ones(len(scores))], axis=-1)]


def both(system, baseline, value=mean, resamples=RESAMPLES, seed=1):
    """Bootstrap and p of the randomisation for one pair."""
    systems = {"system": system, "baseline": baseline}
    bootstrap = paired_bootstrap(systems, [PAIR], value, resamples, seed)
    return bootstrap[PAIR], approximate_randomisation(systems, [PAIR], value, resamples, seed)[PAIR]


def sentences(random, number):
    return [[f"w{word}" for word in random.integers(30, size=random.integers(5, 15))] for _ in range(number)]


def translate(random, references, error):
    """Words are replaced, dropped or doubled at this rate."""

    def word(right):
        kind = random.random() / error
        return [right] if kind > 1 else [["wrong"], [], [right, right]][int(kind * 3)]

    return [" ".join(part for right in words for part in word(right)) for words in references]


METRICS = {
    "BLEU": (BLEU(tokenize="none"), lambda totals: bleu.of_totals(totals).score),
    "TER": (TER(), ter.of_totals),
    "chrF2": (CHRF(), chrf.of_totals),
}


def rows_of(metric, hypotheses, references):
    return [np.array(metric._extract_corpus_statistics(hypotheses, [references]), float)]


def components_of(difference, sentences, seeds, interaction, df_sentences=199, df_seeds=4):
    return Components(*map(np.float64, (difference, sentences, seeds, interaction, df_sentences, df_seeds)))
