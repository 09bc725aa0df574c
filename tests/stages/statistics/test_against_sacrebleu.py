"""Tests of differences against sacrebleu's own."""

import pytest
from sacrebleu.significance import PairedTest

from stages.statistics import resampling
from stages.statistics.resampling import difference
from tests.stages.statistics.pairs import METRICS, RESAMPLES, SEED, both, rows_of


@pytest.mark.slow
@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("kind", ["bs", "ar"])
def test_p_is_that_of_sacrebleu(texts, name, kind, monkeypatch):
    """The same seed draws the same resamples. Only ties differ: sacrebleu counts them against chance, we for it, which
    shows where edits are whole numbers of one set of reference words."""
    system, baseline, references = texts
    metric, value = METRICS[name]
    theirs = PairedTest(
        [("baseline", baseline), ("system", system)], {name: metric}, [references], test_type=kind, n_samples=RESAMPLES
    )()[1][name][1]
    systems = [rows_of(metric, lines, references) for lines in (system, baseline)]

    def p():
        bootstrap, randomised = both([systems[0]], [systems[1]], value, seed=SEED)
        return bootstrap.p if kind == "bs" else randomised

    if (name, kind) == ("TER", "ar"):
        assert p() >= theirs.p_value
    else:
        assert p() == pytest.approx(theirs.p_value, abs=2 / RESAMPLES)
    monkeypatch.setattr(resampling, "SAME", -1e-9)  # ties against chance
    assert p() == pytest.approx(theirs.p_value, abs=2 / RESAMPLES)


@pytest.mark.parametrize("name", METRICS)
def test_the_difference_is_that_of_the_corpus_scores(texts, name):
    system, baseline, references = texts
    metric, value = METRICS[name]
    runs, scores = zip(
        *(
            (rows_of(metric, lines, references), metric.corpus_score(lines, [references]).score)
            for lines in (system, baseline)
        ),
        strict=True,
    )
    assert difference([runs[0]], [runs[1]], value) == pytest.approx(scores[0] - scores[1])
