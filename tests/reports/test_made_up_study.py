"""Claims that no committed report answers yet, of a made-up study, by both programs."""

import json
from pathlib import Path

import numpy as np
import pytest

from stages.measures.coverage_embeddings import statistics
from stages.releasing.archive import write_archive
from stages.reporting.claims.claims import load_claims
from stages.reporting.claims.counts import Counts
from stages.reporting.claims.judge import judge
from stages.reporting.claims.judged import About, Judged
from stages.scoring.inputs import Text
from stages.scoring.sentence_files import write_counts
from tests.reports import verdicts
from tests.reports.intervals import Asked, Study
from tests.reports.verdicts import Claim

N, SEEDS = 200, (1, 2, 3)
LEFT = {"covemb_gru_sub": 0.3, "covemb_gru_sub_obj": 0.1}
"""Share of the first length that a word's coverage embedding has in the end; what is true of these systems."""
CLAIMS = {
    one.claim.name: one
    for one in load_claims("mi-2016")
    if one.measure.startswith("coverage_") and set(one.claim.ours.weights) <= set(LEFT)
}


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Counts of dev, as a run's and as released; the first length grows by a tenth with each target word."""
    folder, random = tmp_path_factory.mktemp("made-up"), np.random.default_rng(3)
    linked = [random.poisson(1.1, size) for size in random.integers(3, 25, N)]
    for variant, left in LEFT.items():
        for seed in SEEDS:
            share, rows = left * random.normal(1, 0.1), []
            for words in linked:
                first = 1 + 0.1 * words + random.normal(0, 0.2, len(words))
                rows.append(statistics(first, first * share * random.uniform(0.5, 1.5, len(words)), words))
            place = folder / f"scores/{variant}-{seed}"
            place.mkdir(parents=True)
            write_counts(place / "dev.csv", {"coverage_embeddings": np.array(rows, float)}, N)
            about = json.dumps({"initialised_from": None}).encode()
            files = {"about.json": about, "dev.csv": (place / "dev.csv").read_bytes()}
            write_archive(folder / f"{variant}-{seed}.tar.xz", files)
    for language in ("zh", "en"):
        (folder / f"dev.{language}").write_text("w\n" * N, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def judged(released: Path) -> dict[str, Judged]:
    text = Text(released, "forward", "zh", "en", ("test",), gold=False)
    found = judge(list(CLAIMS.values()), Counts(text, released, SEEDS, []), list(LEFT), {}, About())
    return {one.claim.claim.name: one for one in found}


@pytest.mark.parametrize("name", CLAIMS)
def test_both_programs_say_the_same(released: Path, judged: dict[str, Judged], name: str):
    claim, found = CLAIMS[name].claim, judged[name]
    again = Study(released, ["test"], LEFT, SEEDS).interval(
        claim.ours.weights, Asked(CLAIMS[name].measure, less=claim.beside_measure)
    )
    assert list(again) == pytest.approx([getattr(found, field) for field in again._fields], rel=1e-9, abs=1e-9)
    said = verdicts.verdict(Claim(claim.ours.weights, CLAIMS[name].measure, claim.claimed, None), again)
    assert said == (found.verdict, found.printed_gain) and found.margin == verdicts.MARGINS[CLAIMS[name].measure]


def test_they_find_what_is_true_of_the_made_up_study(judged: dict[str, Judged]):
    assert {name: one.verdict for name, one in judged.items()} == dict.fromkeys(CLAIMS, "agrees")
    assert judged["empty"].difference == pytest.approx(2 * 30 - 100, abs=8)  # 30 % left, 70 % taken
    assert judged["objective-empty"].difference == pytest.approx(10 - 30, abs=5)
    true = 0.1 * 1.1**0.5 / (0.01 * 1.1 + 0.04) ** 0.5  # of a Poisson number with its tenth and noise
    assert judged["fertility"].difference == pytest.approx(true, abs=0.03)
    assert judged["fertility"].low < true < judged["fertility"].high
