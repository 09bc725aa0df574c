"""Made-up studies with known answers: which verdict each claim gets, and why one gets none."""

import itertools
import json
import shutil
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from stages.files.run_directory import RunDirectory
from stages.releasing.results_file import REVERSE_FILE
from stages.reporting.claims import judge as judging
from stages.reporting.claims.counts import REVERSE, Counts
from stages.reporting.claims.judge import judge
from stages.reporting.claims.judged import About, record
from stages.reporting.claims.margins import margin
from stages.reporting.claims.plans import OF_PLAN, OF_REVERSE, Plan
from stages.reporting.claims.testable import objection
from stages.reporting.claims.words import bounds, decided_by, verdict
from stages.scoring.inputs import Text
from stages.scoring.sentence_files import write_counts
from stages.statistics import deciding
from stages.statistics.crossed import Trainings, components, interval
from stages.statistics.seed_spread import Spread
from tests.helpers.report_study import write
from tests.stages.reporting.claims.made_up import SEEDS, TESTS, N, claim, counts_of, judged


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


def test_a_claim_of_no_difference_is_held_against_the_margin(study: Path):
    """It has no p of a difference, and 0 does not decide it."""
    equal = judged(study, claim("good", "bad", claimed="equal"))
    assert (equal.verdict, equal.p_fdr, equal.to_zero, record(equal)["claimed"]) == ("disagrees", None, None, "equal")
    assert judged(study, claim("bad", "good", claimed="not lower")).verdict == "agrees"
    unsure = judged(study, claim("same", "bad", claimed="equal", printed="-0.10"))
    assert (unsure.verdict, unsure.printed_gain) == ("undecided", None)
    assert decided_by(unsure) == "neither 20 seeds nor 100,000 sentences"  # it is found as large as the margin
    smaller = judged(study, claim("same", "bad", "aer", claimed="equal"))
    assert N < smaller.sentences_needed < 100_000 and decided_by(smaller).endswith(" sentences")


def test_no_difference_is_undecided(study: Path):
    found = judged(study, claim("same", "bad"))
    assert found.verdict == "undecided" and found.low < 0 < found.high


def test_one_lucky_seed_decides_nothing_and_more_seeds_would(study: Path):
    found = judged(study, claim("lucky", "bad"))
    assert found.verdict == "undecided" and found.difference < -8
    assert (found.seeds_needed, found.sentences_needed) == (None, None), "no more than 20 are advice"
    assert decided_by(found) == "neither 20 seeds nor 100,000 sentences"


def test_what_would_decide_names_systems_and_their_cost(study: Path, monkeypatch: pytest.MonkeyPatch):
    """The base of a fine-tuned system is trained again too."""
    monkeypatch.setattr(deciding, "MOST_SEEDS", 100)
    hours = {"good": 9.0, "same": 0.5, "bad": 2.0, "lucky": 1.0}
    found = judged(study, claim("lucky", "bad"), about=About(hours=hours), lucky="same")
    assert found.to_train == ("same", "lucky", "bad") and 20 < found.seeds_needed < 100
    assert found.hours_needed == pytest.approx((found.seeds_needed - 3) * 3.5)
    trainings = f"{3 * (found.seeds_needed - 3)} trainings"
    of = f"{found.seeds_needed} seeds of same and lucky and bad"
    assert decided_by(found) == f"{of} ({trainings}, {found.hours_needed:.0f} CPU-hours)"
    assert decided_by(judged(study, claim("lucky", "bad"), lucky="same")) == f"{of} ({trainings})"
    shared = judged(study, claim("lucky", "bad"), about=About(hours=hours, decoded=["lucky"]), lucky="same")
    assert shared.to_train == ("same", "bad"), "the models are trained once"


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


def test_systems_that_have_learnt_nothing_are_not_compared(study: Path, tmp_path: Path):
    """A width of 0 is no certainty, and what is written of the claim is JSON."""
    folder = Path(shutil.copytree(study, tmp_path / "study"))
    for path in folder.glob("scores/*/*.csv"):
        write_counts(path, counts_of(np.zeros(N), np.full(N, 7), np.random.default_rng(1)), N)
    found = judged(folder, claim("good", "bad"))
    assert (found.verdict, found.difference, found.why) == ("not testable", 0, judging.UNSPREAD)
    json.dumps(record(found), allow_nan=False)


def test_systems_that_do_the_same_in_every_run_have_no_difference(study: Path, tmp_path: Path):
    """As one that decodes with penalties of 0: their sentences do differ from each other."""
    folder = Path(shutil.copytree(study, tmp_path / "study"))
    for path in folder.glob("scores/good-*"):
        shutil.rmtree(folder / "scores" / path.name.replace("good", "bad"))
        shutil.copytree(path, folder / "scores" / path.name.replace("good", "bad"))
    found = judged(folder, claim("good", "bad"), bad="good")
    assert (found.difference, found.low, found.high, found.p, found.df) == (0, 0, 0, 1, None)
    assert found.verdict == "no difference above m"
    json.dumps(record(found), allow_nan=False)


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


def test_record_is_plain(study: Path):
    found = record(judged(study, claim("good", "bad")))
    assert found["systems"] == {"good": 1, "bad": -1} and found["verdict"] == "agrees"
    assert json.loads(json.dumps(found)) == found
    assert found["to_zero"] == min(abs(found["low"]), abs(found["high"]))


def test_a_gain_as_large_as_printed_is_possible_or_excluded(study: Path):
    possible = judged(study, claim("good", "bad", printed="-10.5"))
    assert (possible.verdict, possible.printed_gain) == ("agrees", "possible")
    excluded = judged(study, claim("good", "bad", printed="-20"))
    assert (excluded.verdict, excluded.printed_gain) == ("agrees, smaller than printed", "excluded")
    undecided = judged(study, claim("same", "bad", printed="-20"))
    assert (undecided.verdict, undecided.printed_gain) == ("undecided, printed gain excluded", "excluded")


def test_no_difference_above_the_margin_of_its_measure(study: Path, monkeypatch: pytest.MonkeyPatch):
    found = judged(study, claim("same", "bad"))
    assert found.margin == margin("rot") and found.low < found.low_90 < found.high_90 < found.high
    monkeypatch.setattr(judging, "margin", lambda _: 1.01 * max(abs(found.low_90), abs(found.high_90)))
    none = judged(study, claim("same", "bad", printed="-20"))
    assert none.verdict == "no difference above m" and none.seeds_needed is None
    assert verdict(none) == f"no difference above {none.margin:g}" and decided_by(none) == "–"


def test_p_is_adjusted_among_the_claims_that_are_counted_together(study: Path):
    counts = Counts(Text(study, "forward", "zh", "en", TESTS, True), study, SEEDS, [])
    asked = [claim("good", "bad"), claim("same", "bad"), claim("good", "smt"), claim("ba_nmt", "bad")]
    good, same, smt, absent = judge(asked, counts, ["bad", "good", "same", "smt"], {}, About())
    assert (good.p_fdr, same.p_fdr) == pytest.approx((2 * good.p, same.p))
    assert smt.p_fdr == pytest.approx(smt.p) and absent.p_fdr is None
    assert [one.apart for one in (good, same, smt)] == [record(one)["apart"] for one in (good, same, smt)]
    assert smt.apart and not good.apart


def test_on_lower_cased_text_no_case_is_counted(study: Path):
    one = claim("good", "bad", "tests.average.rot")._replace(measure="tests.average.bleu_cased")
    assert objection(one, None, [], True) == "the text is lower-cased: there is no case to count"


PLAN = Plan(
    date=date(2026, 11, 28), why="w", settings="s", systems=["good", "bad"], studies=["here"], seeds=[3], read_at=3,
    claims=OF_PLAN,
)  # fmt: skip


def test_a_verdict_is_read_when_all_planned_seeds_are_there(study: Path):
    about = About(names=("here",), plans={"three": PLAN})
    found = judged(study, claim("good", "bad"), about=about)
    assert (found.verdict, found.plan, verdict(found)) == ("agrees", "three", "agrees (planned)")
    assert judged(study, claim("good", "same"), about=about).plan is None
    later = About(names=("here",), plans={"three": PLAN.model_copy(update={"seeds": [3, 4]})})
    early = judged(study, claim("good", "bad"), about=later)
    assert early.verdict == "not compared" and early.why == "read at 3 seeds, and not before: plan three"
    assert judged(study, claim("good", "same"), about=later).verdict == "agrees"
    assert judged(study, claim("good", "bad"), seeds=(1, 2), about=later).plan is None, "not begun"
    elsewhere = About(names=("here",), plans={"three": PLAN.model_copy(update={"reported_in": ["there"]})})
    again = judged(study, claim("good", "bad"), about=elsewhere)
    assert (again.verdict, again.why) == ("not compared", "read in there: plan three")


def test_the_reverse_direction_is_read_when_all_of_its_plan_is_trained(study: Path, tmp_path: Path):
    """The claims on systems that the plan does not train, too."""
    plan = PLAN.model_copy(update={"systems": ["bad", "same"], "seeds": list(SEEDS), "claims": OF_REVERSE})
    about = About(names=("here",), plans={"reverse": plan})
    asked = [claim(name, "bad", REVERSE) for name in ("good", "same")]
    text, random, found = Text(study, "forward", "zh", "en", (), False), np.random.default_rng(3), []
    for name, seed in itertools.product(("good", "bad", "same"), SEEDS):
        sums = [[-8 * (1.5 if name == "good" else 2.0) + error, 8.0] for error in random.normal(size=N)]
        content = json.dumps({"training": {"wall_seconds": 1.0, "machine": {}}, "sums": sums})
        write(RunDirectory(tmp_path).model(name, seed) / REVERSE_FILE, content)
        found.append(judge(asked, Counts(text, tmp_path, SEEDS, []), ["bad", "good", "same"], {}, about))
    *early, whole = found
    assert {(one.verdict, one.plan) for each in early for one in each} == {("not compared", None)}
    assert early[-1][0].why == "read when same has every seed in reverse, and not before: plan reverse"
    assert [one.verdict for one in whole] == ["agrees", "no difference above m"]
    assert {one.plan for one in whole} == {"reverse"}
