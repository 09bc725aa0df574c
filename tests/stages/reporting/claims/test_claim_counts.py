"""Of which sentences and sets a claim is told, and what each adds to it."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stages.reporting.claims import counts as counted
from stages.reporting.claims.claims import PaperClaim
from stages.reporting.claims.counts import Counts
from stages.reporting.claims.words import decided_by
from stages.scoring.catalogue import GROUPS, MEASURES
from stages.scoring.inputs import Text
from tests.stages.reporting.claims.made_up import SEEDS, TESTS, N, claim, judged


@pytest.mark.parametrize("words", [(1, 15), (16, None)])
def test_links_of_sentences_of_some_lengths(study: Path, words: tuple[int, int | None]):
    """By the lengths among the counts, and of a gold set that has none by those of the text."""
    found = judged(study, claim("good", "bad", "aer", words=words))
    assert found.verdict == "agrees" and 20 < found.sentences < N
    counts = Counts(Text(study, "forward", "zh", "en", TESTS, True), study, SEEDS, [])
    written = counts._read("good", "gold")[0][counted.LENGTH]
    lines = ["w " * int(length) for length in written]
    bare = {
        variant: [frame.drop(columns=counted.LENGTH) for frame in counts._read(variant, "gold")]
        for variant in ("good", "bad", "same")
    }
    (study / "gold.zh").write_text("".join(f"{line.strip()}\n" for line in lines), encoding="utf-8")
    try:
        again = Counts(counts.text, study, SEEDS, [])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                counted, "read_runs", lambda text, name, folder, variants, seeds: {variants[0]: bare[variants[0]]}
            )
            values = again.trainings("good", "aer", words)
    finally:
        (study / "gold.zh").write_text("w\n" * N, encoding="utf-8")
    assert (values.values == counts.trainings("good", "aer", words).values).all()


def test_sentences_are_chosen_by_their_length(study: Path):
    found = judged(study, claim("good", "bad", words=(5, 12)))
    assert found.verdict == "agrees" and 20 < found.sentences < 2 * N
    change = judged(study, claim("bad", None, words=(5, 12), beside_words=(13, None)))
    assert change.verdict == "undecided" and change.sentences == 2 * N
    few = judged(study, claim("good", "bad", words=(29, None)))
    assert few.verdict == "not testable" and "sentences of 29 words and more in the set test are too few" in few.why


def test_effects_stand_at_their_sentences(study: Path):
    """So that those of two systems, or of two lengths, meet at the same sentence."""
    text = Text(study, "forward", "zh", "en", TESTS, True)
    found = Counts(text, study, SEEDS, []).trainings("good", "tests.average.rot", (5, 12))
    files = (study / f"scores/good-1/{name}.csv" for name in TESTS)
    words = np.concatenate([pd.read_csv(path)["source.words"].to_numpy() for path in files])
    assert ((found.effects != 0).any(0) == (words <= 12)).all()


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (claim("ba_nmt", "bad"), "not in this study: ba_nmt"),
        (claim("good", "bad", "tests.average.bleu"), "good has no such counts"),
        (claim("good", "bad", "perplexity_reverse"), "good is not trained in the reverse direction"),
    ],
)
def test_what_the_study_cannot_say(study: Path, one: PaperClaim, why: str):
    found = judged(study, one)
    assert found.verdict == "not compared" and why in found.why
    assert decided_by(found) == found.why


def test_without_gold_alignments(study: Path):
    assert judged(study, claim("good", "bad", "aer"), gold=False).why == "the corpus has no gold alignments"


def test_the_mean_of_the_test_sets(study: Path):
    """Equal weights, whatever their sizes; their sentences are no sentences of each other."""
    text = Text(study, "forward", "zh", "en", TESTS, True)
    both = Counts(text, study, SEEDS, []).trainings("good", "tests.average.rot", None)
    each = [
        Counts(text._replace(tests=(name,)), study, SEEDS, []).trainings("good", "tests.average.rot", None)
        for name in TESTS
    ]
    assert both.values == pytest.approx(sum(one.values for one in each) / 2)
    squares = [(one.effects**2).sum(1) for one in each]
    assert (both.effects**2).sum(1) == pytest.approx(sum(squares) / 4)


def test_confusion_is_a_measure_of_the_first_test_set(study: Path):
    sets = counted.sets_of("pos_confusion.V.V", Text(study, "forward", "zh", "en", TESTS, True))
    totals = np.zeros(len(GROUPS["confusion"]))
    totals[GROUPS["confusion"].index("V_V")], totals[GROUPS["confusion"].index("V_N")] = 3, 1
    assert sets.names == ("test",) and sets.measure.value(totals) == 75
    assert counted.sets_of("perplexity", Text(study, "forward", "zh", "en", TESTS, True)).names == ("dev",)
    assert MEASURES["perplexity"].better == "low"
