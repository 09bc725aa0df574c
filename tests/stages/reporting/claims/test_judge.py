"""Made-up studies with known answers: which verdict each claim gets, and why one gets none."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stages.reporting.claims import counts as counted
from stages.reporting.claims.claims import Claim, Compared, PaperClaim
from stages.reporting.claims.counts import Counts
from stages.reporting.claims.judge import Judged, judge, record
from stages.reporting.claims.words import bounds, decided_by
from stages.scoring.catalogue import GROUPS, MEASURES
from stages.scoring.inputs import Text
from stages.scoring.sentence_files import write_counts
from stages.statistics.crossed import Trainings, components, interval
from stages.statistics.seed_spread import Spread

N, SEEDS = 120, (1, 2, 3)
TESTS = ("test", "late")
RATES = {"bad": 0.5, "good": 0.4, "same": 0.5, "lucky": 0.5, "tuned": 0.5, "control": 0.5, "smt": 0.45}


def counts_of(rate: np.ndarray, words: np.ndarray, random: np.random.Generator) -> dict[str, np.ndarray]:
    """Over-translation and links of sentences of so many words, with errors at a rate a sentence."""
    errors = random.binomial(words, np.clip(rate, 0, 1))
    rot = np.zeros((len(words), len(GROUPS["rot"])), int)
    rot[:, 0], rot[:, 1] = errors, words
    right = words - errors
    return {"source": words[:, None], "rot": rot, "aer": np.stack([words, words, right, right], axis=1)}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`bad` errs in 50 % of the words, `good` in 40 %, `same` as `bad`, `lucky` as `bad` but for one lucky seed of
    three; `smt` in 45 %, once."""
    folder = tmp_path_factory.mktemp("study")
    random = np.random.default_rng(5)
    for name in (*TESTS, "gold"):
        words = random.integers(5, 30, N)
        for language in ("zh", "en"):
            (folder / f"{name}.{language}").write_text("w\n" * N, encoding="utf-8")
        hard = random.normal(0, 0.05, N)
        for variant, rate in RATES.items():
            for seed in SEEDS:
                luck = -0.3 if variant == "lucky" and seed == 1 else 0.0
                shared = (seed - 2) * 0.1 if variant in ("tuned", "control") else 0.0
                gain = -0.05 if variant == "tuned" else 0.0
                place = folder / "scores" / (variant if variant == "smt" else f"{variant}-{seed}")
                place.mkdir(parents=True, exist_ok=True)
                write_counts(place / f"{name}.csv", counts_of(rate + hard + luck + shared + gain, words, random), N)
    return folder


def claim(system: str, against: str | None, measure: str = "tests.average.rot", **more: object) -> PaperClaim:
    about = {"name": "x", "says": "X", "place": "Table 1", "claimed": "lower", "measure": measure}
    found = Claim(ours=Compared(system=system, against=against), **(about | more))
    return PaperClaim("xue-2019", "Xue", found, measure, None)


def judged(study: Path, one: PaperClaim, seeds: tuple[int, ...] = SEEDS, gold: bool = True, **base: str) -> Judged:
    """In a study of `bad`, `good`, `same`, `smt` and the systems of the claim."""
    text = Text(study, "forward", "zh", "en", TESTS, gold)
    named = {name for name in one.claim.ours.weights if name in RATES}
    systems = sorted({"bad", "good", "same", "smt"} | named | set(base))
    return judge([one], Counts(text, study, seeds, []), systems, base)[0]


@pytest.mark.parametrize("measure", ["tests.average.rot", "aer"])
def test_a_true_claim_agrees_and_its_opposite_disagrees(study: Path, measure: str):
    found = judged(study, claim("good", "bad", measure))
    assert found.verdict == "agrees"
    assert found.low < -10 < found.high < 0 and found.low < found.difference < found.high
    assert (found.seeds, found.sentences) == (3, N if measure == "aer" else 2 * N)
    assert (found.seeds_needed, found.sentences_needed, decided_by(found)) == (None, None, "–")
    assert judged(study, claim("good", "bad", measure, claimed="higher")).verdict == "disagrees"
    turned = judged(study, claim("bad", "good", measure))
    assert (turned.verdict, turned.difference) == ("disagrees", pytest.approx(-found.difference))


def test_no_difference_is_undecided(study: Path):
    found = judged(study, claim("same", "bad"))
    assert found.verdict == "undecided" and found.low < 0 < found.high


def test_one_lucky_seed_decides_nothing_and_more_seeds_would(study: Path):
    found = judged(study, claim("lucky", "bad"))
    assert found.verdict == "undecided" and found.difference < -8
    assert found.sentences_needed is None and 3 < found.seeds_needed < 50
    assert decided_by(found) == f"{found.seeds_needed} seeds"


def test_seeds_of_one_base_belong_together(study: Path):
    """What both systems share by their base is no chance between them."""
    apart = judged(study, claim("tuned", "control"))
    together = judged(study, claim("tuned", "control"), tuned="bad", control="bad")
    assert apart.verdict == "undecided" and together.verdict == "agrees"


def test_the_spread_of_seeds_is_that_of_all_systems_trained_from_scratch(study: Path):
    """SMT is trained once, and fine-tuned systems share their bases' luck."""
    assert judged(study, claim("good", "bad")).df_seeds == pytest.approx(3 * 2)
    assert judged(study, claim("good", "smt")).df_seeds == pytest.approx(3 * 2)
    assert judged(study, claim("good", "smt", "aer"), same="bad").df_seeds == pytest.approx(2 * 2)
    assert judged(study, claim("good", "bad", words=(5, 12), beside_words=(13, None))).df_seeds == pytest.approx(3 * 2)


def test_a_system_with_a_lucky_seed_keeps_its_own_spread(study: Path):
    found = judged(study, claim("lucky", "bad"))
    assert 2 < found.df_seeds < 2.5
    assert judged(study, claim("tuned", "control"), tuned="bad", control="bad").df_seeds == 2  # one family


def test_one_seed_gives_no_verdict(study: Path):
    found = judged(study, claim("good", "bad"), seeds=(1,))
    assert found.verdict == "one seed" and found.low is None and found.difference < -5
    assert bounds(found) == "–"


def test_the_system_without_seeds_stands_for_all(study: Path):
    found = judged(study, claim("good", "smt"))
    assert found.verdict == "agrees" and found.low < -5 < found.high


def test_the_system_without_seeds_has_no_spread_of_them(study: Path):
    found = judged(study, claim("good", "smt"))
    counts = Counts(Text(study, "forward", "zh", "en", TESTS, True), study, SEEDS, [])
    good, smt, *others = (counts.trainings(name, "tests.average.rot", None) for name in ("good", "smt", "bad", "same"))
    of_all = np.mean([one.values.var(ddof=1) for one in (good, *others)])
    blocks = [good, Trainings(-smt.values, -smt.effects)]
    expected = interval(components(blocks, 2 * N, [Spread(of_all, 6, True), Spread(0.0, 2)]))
    assert (found.low, found.high) == pytest.approx(tuple(expected))


def test_sentences_are_chosen_by_their_length(study: Path):
    found = judged(study, claim("good", "bad", words=(5, 12)))
    assert found.verdict == "agrees" and 20 < found.sentences < 2 * N
    change = judged(study, claim("bad", None, words=(5, 12), beside_words=(13, None)))
    assert change.verdict == "undecided" and change.sentences == 2 * N


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
        (claim("good", "bad", words=(29, None)), "too few"),
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


def test_record_is_plain(study: Path):
    found = record(judged(study, claim("good", "bad")))
    assert found["systems"] == {"good": 1, "bad": -1} and found["verdict"] == "agrees"
    assert all(isinstance(value, str | int | float | dict | None) for value in found.values())


def test_confusion_is_a_measure_of_the_first_test_set(study: Path):
    sets = counted.sets_of("pos_confusion.V.V", Text(study, "forward", "zh", "en", TESTS, True))
    totals = np.zeros(len(GROUPS["confusion"]))
    totals[GROUPS["confusion"].index("V_V")], totals[GROUPS["confusion"].index("V_N")] = 3, 1
    assert sets.names == ("test",) and sets.measure.value(totals) == 75
    assert counted.sets_of("perplexity", Text(study, "forward", "zh", "en", TESTS, True)).names == ("dev",)
    assert MEASURES["perplexity"].better == "low"
