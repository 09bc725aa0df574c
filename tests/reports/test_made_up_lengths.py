"""Claims about some sentences, of a made-up corpus that has long ones in a set of their own, and unknown words."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stages.releasing.archive import write_archive
from stages.reporting.claims import counts
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
FINE_TUNED = ("rnnsearch_star_continued", "bridging_direct")
RIGHT = {
    **{BASE: 0.6, "rnnsearch_star_continued": 0.6, "bridging_direct": 0.7, "smt": 0.8},
    **{"rnnsearch_50": 0.7, "rnnencdec_50": 0.5},
}
"""Share of the words that a system translates rightly."""
FALLS = 0.004
"""What one word more of the source takes from that, but from SMT's."""
KNOWN = {"test": 0.5, "long": 0.3, "gold447": 0.4}
"""Share of the sentences that have no unknown word."""
OF_LENGTHS = {
    key: claim
    for key, claim in OF_PAPERS.items()
    if claim.claim.words and claim.file == "kuang-2018" and set(claim.claim.ours.weights) <= set(RIGHT)
}
OF_KNOWN = "bahdanau-2015/attention-50-known"
OF_UNKNOWN = ("kuang-2018/rot-unknown", "kuang-2018/rot-unknown-nouns")
CLAIMS = OF_LENGTHS | {key: OF_PAPERS[key] for key in (OF_KNOWN, *OF_UNKNOWN)}


def bleu_counts(length: np.ndarray, rate: np.ndarray, random: np.random.Generator) -> np.ndarray:
    total = np.stack([np.maximum(length - n, 0) for n in range(4)], axis=1)
    correct = random.binomial(total, np.clip(rate[:, None] ** np.arange(1, 5), 0, 1))
    return np.concatenate([np.stack([length, length], axis=1), correct, total], axis=1)


def over_translated(length: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A fifth of the words is unknown, and over-translated twice as often; half of both are nouns."""
    unknown = random.binomial(length, 0.2)
    words = np.stack([unknown, length - unknown], axis=1)
    nouns = random.binomial(words, 0.5)
    of_nouns = random.binomial(nouns, [0.3, 0.15])
    repeats = of_nouns + random.binomial(words - nouns, [0.3, 0.15])
    return np.concatenate(
        [np.stack(both, axis=2).reshape(N, 4) for both in ((repeats, words), (of_nouns, nouns))], axis=1
    )


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Counts of each set, as a run's and as released."""
    folder, random = tmp_path_factory.mktemp("made-up"), np.random.default_rng(7)
    words = {name: random.integers(of.start, of.stop, N) for name, of in SETS.items()}
    known = {name: random.random(N) < share for name, share in KNOWN.items()}
    for language in ("en", "fr"):
        for name in SETS:
            (folder / f"{name}.{language}").write_text("w\n" * N, encoding="utf-8")
    for variant, right in RIGHT.items():
        for seed in SEEDS[: 1 if variant == "smt" else None]:
            run = variant if variant == "smt" else f"{variant}-{seed}"
            about = {"initialised_from": BASE if variant in FINE_TUNED else None}
            files = {"about.json": json.dumps(about).encode()}
            luck, place = random.normal(0, 0.01), folder / "scores" / run
            place.mkdir(parents=True)
            for name, length in words.items():
                falls = 0.0 if variant == "smt" else FALLS
                full = bleu_counts(length, right + luck - falls * length, random)
                short = full.copy()
                short[:, 0] -= (length > 20) * length // 10  # every tenth word is missing
                of_known = known[name][:, None] * np.concatenate([np.ones((N, 1), int), full], axis=1)
                rows = {"source": length[:, None], "bleu_v11b": full, "bleu": short, "bleu_no_unk": of_known}
                rows["rot_vocabulary"] = over_translated(length, random)
                write_counts(place / f"{name}.csv", rows, N)
                files[f"{name}.csv"] = (place / f"{name}.csv").read_bytes()
            write_archive(folder / f"{run}.tar.xz", files)
    return folder


@pytest.fixture(scope="module")
def judged(released: Path) -> dict[str, Judged]:
    return judge_all(released, tuple(SETS))


def judge_all(released: Path, sets: tuple[str, ...]) -> dict[str, Judged]:
    bases = dict.fromkeys(FINE_TUNED, BASE)
    found = judge(list(CLAIMS.values()), counts_of(released, sets), list(RIGHT), bases, About())
    return {one.claim.id: one for one in found}


def counts_of(released: Path, sets: tuple[str, ...]) -> Counts:
    return Counts(Text(released, "forward", "en", "fr", sets, gold=False), released, SEEDS, [])


def asked(claim: PaperClaim) -> Asked:
    return Asked(claim.measure, claim.claim.words, claim.claim.beside_words, claim.claim.beside_measure)


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
    assert len(OF_LENGTHS) == 8
    assert {key: one.verdict for key, one in judged.items()} == dict.fromkeys(judged, "agrees")
    assert judged["kuang-2018/stops-early"].difference == pytest.approx(-0.1, abs=0.02)
    assert judged["kuang-2018/falls"].sentences > 2 * N, "both ranges of all sets"
    assert judged["kuang-2018/over-50"].sentences < N


def test_unknown_words_are_over_translated_by_twice_as_much(judged: dict[str, Judged]):
    assert [judged[key].difference for key in OF_UNKNOWN] == pytest.approx([30 - 15] * 2, abs=3)


def test_of_a_corpus_without_a_set_of_long_sentences_each_set_must_have_enough(released: Path):
    """What sentences of some length differ in would be their text."""
    sets = ("gold447", "test")
    found = {key: one.verdict for key, one in judge_all(released, sets).items() if key in OF_LENGTHS}
    lacking = {f"kuang-2018/{name}": "not testable" for name in ("length-over-30", "over-50", "stops-early-50")}
    assert found == dict.fromkeys(found, "agrees") | lacking
    study = Study(released, sets, RIGHT, SEEDS)
    assert all(study.fewest(BASE, asked(CLAIMS[key])) < 20 for key in lacking)


def test_no_unk_is_of_the_sentences_without_unknown_words(
    released: Path, judged: dict[str, Judged], monkeypatch: pytest.MonkeyPatch
):
    """Of too few of them nothing is said, as of too few of any."""
    files = (pd.read_csv(released / f"scores/smt/{name}.csv") for name in SETS)
    known = [file["bleu_no_unk.sentences"].to_numpy() == 1 for file in files]
    assert judged[OF_KNOWN].sentences == np.concatenate(known).sum() < 3 * N / 2
    runs = counts_of(released, tuple(SETS)).trainings("rnnsearch_50", CLAIMS[OF_KNOWN].measure, None)
    assert ((runs.effects != 0).any(0) == np.concatenate(known)).all()
    few = known[1].sum()
    monkeypatch.setattr(counts, "LEAST", few + 1)
    without = judge_all(released, tuple(SETS))[OF_KNOWN]
    assert without.verdict == "not testable"
    assert without.why == f"{few} sentences without unknown words in the set long are too few"
