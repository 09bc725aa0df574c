"""Claims about sentences of some lengths, of a made-up corpus that has long ones in a set of their own."""

import json
from pathlib import Path

import numpy as np
import pytest

from stages.releasing.archive import write_archive
from stages.reporting.claims.claims import PaperClaim
from stages.reporting.claims.counts import Counts
from stages.reporting.claims.judge import judge
from stages.reporting.claims.judged import About, Judged
from stages.scoring.inputs import Text
from stages.scoring.sentence_files import write_counts
from tests.helpers.paper_claims import OF_PAPERS
from tests.reports import verdicts
from tests.reports.intervals import Asked, Study
from tests.reports.verdicts import Claim

SEEDS = (1, 2, 3)
SETS = {"test": range(2, 46), "long": range(31, 61), "gold447": range(2, 29)}
"""Words of the source."""
N = 150
BASE = "rnnsearch_star"
RIGHT = {BASE: 0.6, "rnnsearch_star_continued": 0.6, "bridging_direct": 0.7, "smt": 0.8}
"""Share of the words that a system translates rightly."""
FALLS = 0.004
"""What one word more of the source takes from that, but from SMT's."""
CLAIMS = {
    key: claim
    for key, claim in OF_PAPERS.items()
    if claim.claim.words and claim.file == "kuang-2018" and set(claim.claim.ours.weights) <= set(RIGHT)
}


def bleu_counts(length: np.ndarray, rate: np.ndarray, random: np.random.Generator) -> np.ndarray:
    total = np.stack([np.maximum(length - n, 0) for n in range(4)], axis=1)
    correct = random.binomial(total, np.clip(rate[:, None] ** np.arange(1, 5), 0, 1))
    return np.concatenate([np.stack([length, length], axis=1), correct, total], axis=1)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Counts of each set, as a run's and as released."""
    folder, random = tmp_path_factory.mktemp("made-up"), np.random.default_rng(7)
    words = {name: random.integers(of.start, of.stop, N) for name, of in SETS.items()}
    for language in ("en", "fr"):
        for name in SETS:
            (folder / f"{name}.{language}").write_text("w\n" * N, encoding="utf-8")
    for variant, right in RIGHT.items():
        for seed in SEEDS[: 1 if variant == "smt" else None]:
            run = variant if variant == "smt" else f"{variant}-{seed}"
            about = {"initialised_from": None if variant in (BASE, "smt") else BASE}
            files = {"about.json": json.dumps(about).encode()}
            luck, place = random.normal(0, 0.01), folder / "scores" / run
            place.mkdir(parents=True)
            for name, length in words.items():
                falls = 0.0 if variant == "smt" else FALLS
                counts = bleu_counts(length, right + luck - falls * length, random)
                short = counts.copy()
                short[:, 0] -= (length > 20) * length // 10  # every tenth word is missing
                rows = {"source": length[:, None], "bleu_v11b": counts, "bleu": short}
                write_counts(place / f"{name}.csv", rows, N)
                files[f"{name}.csv"] = (place / f"{name}.csv").read_bytes()
            write_archive(folder / f"{run}.tar.xz", files)
    return folder


@pytest.fixture(scope="module")
def judged(released: Path) -> dict[str, Judged]:
    return judge_all(released, tuple(SETS))


def judge_all(released: Path, sets: tuple[str, ...]) -> dict[str, Judged]:
    text = Text(released, "forward", "en", "fr", sets, gold=False)
    bases = {name: BASE for name in RIGHT if name not in (BASE, "smt")}
    found = judge(list(CLAIMS.values()), Counts(text, released, SEEDS, []), list(RIGHT), bases, About())
    return {one.claim.id: one for one in found}


def asked(claim: PaperClaim) -> Asked:
    return Asked(claim.measure, claim.claim.words, claim.claim.beside_words)


@pytest.mark.parametrize("key", CLAIMS)
def test_both_programs_say_the_same(released: Path, judged: dict[str, Judged], key: str):
    claim, found = CLAIMS[key], judged[key]
    study = Study(released, [*SETS], RIGHT, SEEDS)
    again = study.interval(claim.claim.ours.weights, asked(claim))
    assert list(again) == pytest.approx([getattr(found, field) for field in again._fields], rel=1e-9, abs=1e-9)
    printed = None if claim.difference is None else float(claim.difference)
    said = verdicts.verdict(Claim(claim.claim.ours.weights, claim.measure, claim.claim.claimed, printed), again)
    assert said == (found.verdict, found.printed_gain)
    assert study.fewest(BASE, asked(claim)) >= 20


def test_a_set_without_such_sentences_does_not_count(judged: dict[str, Judged]):
    """All of these are true of the made-up systems."""
    assert len(judged) == 7
    assert {key: one.verdict for key, one in judged.items()} == dict.fromkeys(judged, "agrees")
    assert judged["kuang-2018/stops-early"].difference == pytest.approx(-0.1, abs=0.02)
    assert judged["kuang-2018/falls"].sentences > 2 * N, "both ranges of all sets"
    assert judged["kuang-2018/over-50"].sentences < N


def test_of_a_corpus_without_a_set_of_long_sentences_each_set_must_have_enough(released: Path):
    """What sentences of some length differ in would be their text."""
    sets = ("gold447", "test")
    found = {key: one.verdict for key, one in judge_all(released, sets).items()}
    lacking = {f"kuang-2018/{name}": "not testable" for name in ("length-over-30", "over-50")}
    assert found == dict.fromkeys(found, "agrees") | lacking
    study = Study(released, sets, RIGHT, SEEDS)
    assert all(study.fewest(BASE, asked(CLAIMS[key])) < 20 for key in lacking)
