"""From the counts of every sentence to marks, and one clear error for files that do not fit."""

import json

import numpy as np
import pandas as pd
import pytest

from stages.files.errors import InputError
from stages.files.text import write_lines
from stages.measures.ratio import ratio
from stages.reporting import compare_systems
from stages.reporting.ranking import ENSEMBLE, LONGER
from stages.scoring.catalogue import Measure
from stages.scoring.inputs import read_text
from stages.settings.comparison import CompareSettings

SENTENCES = 60
VARIANTS = ("base", "nn", "ia", "both", "half", "blind")
SEEDS = (3, 1)
SETTINGS = CompareSettings(baseline="base", rivals=["nn", "ia", "gone"], resamples=999, level=0.05, seed=1)
GROUPS = {"words": ("right", "all"), "edits": ("edits", "all"), "links": ("found", "all")}
LEVELS = {"base": 0.5, "nn": 0.55, "ia": 0.6, "both": 0.8, "half": 0.58, "blind": 0.4}
"""How good each system is: `both` beats all, `half` the baseline but not `ia`, `blind` has no attention."""


def share(totals):
    return 100 * ratio(totals[..., 0], totals[..., 1])


MEASURES = {
    "bleu": Measure(groups=("words",), value=share, better="high", sets="tests"),
    "ter": Measure(groups=("edits",), value=share, better="low", sets="tests"),
    "ter_minus_bleu_half": Measure(
        groups=("edits", "words"), value=lambda ter, bleu: (share(ter) - share(bleu)) / 2, better="low", sets="tests"
    ),
    "aer": Measure(groups=("links",), value=lambda links: 100 - share(links), better="low", sets="gold"),
}


def frame(variant, seed, name):
    """Rows of one run. The sentences of all systems are as hard; the seeds of a system are alike."""
    hard = np.random.default_rng(0).random((SENTENCES, 20))
    noise = np.random.default_rng([seed, *map(ord, variant)]).random((SENTENCES, 20))
    right = (0.9 * hard + 0.1 * noise < LEVELS[variant]).sum(1)
    columns = {"words.right": right, "words.all": 20, "edits.edits": 20 - right, "edits.all": 20}
    if name == "gold":
        columns = {} if variant == "blind" else {"links.found": right, "links.all": 20}
    return pd.DataFrame({"other.column": 1.5, **columns}, index=range(SENTENCES))


@pytest.fixture
def files(tmp_path):
    """A corpus and the scores of all systems on it, as the stages before leave them."""
    text = tmp_path / "corpus"
    text.mkdir()
    stats = {"corpus": "toy", "source": "de", "target": "en", "tests": ["test", "other"], "gold": True}
    (text / "stats.json").write_text(json.dumps(stats))
    for name in ("test", "other", "gold"):
        write_lines(text / f"{name}.en", ["a"] * SENTENCES)
        for variant in VARIANTS:
            for seed in SEEDS:
                folder = tmp_path / "scores" / f"{variant}-{seed}"
                folder.mkdir(parents=True, exist_ok=True)
                frame(variant, seed, name).to_csv(folder / f"{name}.csv", index=False)
    return tmp_path


def compared(files, variants=VARIANTS, seeds=SEEDS, settings=SETTINGS, unmarked=(), **more):
    text = read_text(files / "corpus", "forward")
    return compare_systems.compare(text, files, variants, seeds, settings, MEASURES, GROUPS, unmarked, **more)


def test_the_document(files):
    document = compared(files)
    assert document["settings"] == SETTINGS.model_dump()
    assert document["left_out"] == ["gone"]
    assert {name: list(measures) for name, measures in document["sets"].items()} == {
        "test": ["bleu", "ter", "ter_minus_bleu_half"],
        "other": ["bleu", "ter", "ter_minus_bleu_half"],
        "gold": ["aer"],
    }
    for measures in document["sets"].values():
        for entries in measures.values():
            assert list(entries) == list(VARIANTS)
            for variant, entry in entries.items():
                if entry is not None:
                    assert list(entry["rivals"]) == ["nn", "ia"]
                    assert (entry["baseline"] is None) == (variant == "base")
    json.dumps(document, allow_nan=False)


@pytest.mark.parametrize(
    ("name", "measure"), [("test", "bleu"), ("other", "ter"), ("test", "ter_minus_bleu_half"), ("gold", "aer")]
)
def test_marks(files, name, measure):
    """Better is higher BLEU, and lower TER and AER; the baseline beats `blind`, which earns no mark."""
    entries = compared(files)["sets"][name][measure]
    assert {variant: entry["marks"] for variant, entry in entries.items() if entry is not None} == {
        "base": "", "nn": "‡", "ia": "‡", "both": "‡⋆", "half": "‡",
    } | ({} if name == "gold" else {"blind": ""})  # fmt: skip
    assert entries["half"]["rivals"]["ia"]["p_holm"] <= SETTINGS.level  # worse for certain, and therefore no star


def test_a_comparison(files):
    comparison = compared(files)["sets"]["test"]["ter"]["both"]["baseline"]
    values = {
        variant: [share(frame(variant, seed, "test")[["edits.edits", "edits.all"]].to_numpy().sum(0)) for seed in SEEDS]
        for variant in ("both", "base")
    }
    assert comparison["difference"] == pytest.approx(np.mean(values["both"]) - np.mean(values["base"]))
    assert comparison["low"] < comparison["difference"] < comparison["high"] < 0
    assert comparison["p_randomisation"] == 1 / 1000
    assert comparison["p_holm"] == pytest.approx(5 / 1000)  # five systems against the baseline
    assert comparison["seeds"] == "beyond seed noise"
    assert comparison["p_seeds"] < 0.05


def test_the_sign_test_is_of_bleu_and_of_the_first_seed(files):
    entries = compared(files)["sets"]["test"]
    sign = entries["bleu"]["nn"]["rivals"]["ia"]["sign"]
    gain = frame("nn", SEEDS[0], "test")["words.right"] - frame("ia", SEEDS[0], "test")["words.right"]
    assert (sign["seed"], sign["better"], sign["worse"]) == (SEEDS[0], (gain > 0).sum(), (gain < 0).sum())
    assert sign["p"] < 0.01
    assert sign["interval_99"][0] < sign["interval_95"][0] < sign["interval_95"][1] < 0.5
    assert "sign" not in entries["ter"]["nn"]["rivals"]["ia"]


def test_one_seed_says_nothing_of_training(files):
    comparison = compared(files, seeds=(1,))["sets"]["test"]["bleu"]["both"]["baseline"]
    assert (comparison["p_seeds"], comparison["seeds"]) == (None, "one seed: unknown")
    assert comparison["p_randomisation"] == 1 / 1000


def test_the_runs_of_an_ensemble_are_no_trainings(files):
    comparison = compared(files, ensembles=["both"])["sets"]["test"]["ter"]["both"]["baseline"]
    assert (comparison["p_seeds"], comparison["seeds"]) == (None, "shared models: unknown")


def test_a_difference_inside_seed_noise_is_called_so(files):
    """One of two seeds is lucky: sentences tell the systems apart, seeds do not."""
    path = files / "scores" / f"nn-{SEEDS[0]}" / "test.csv"
    frame("both", SEEDS[0], "test").to_csv(path, index=False)
    comparison = compared(files)["sets"]["test"]["bleu"]["nn"]["baseline"]
    assert comparison["p_holm"] < 0.05
    assert comparison["seeds"] == "inside seed noise"


def test_a_system_without_the_columns_has_no_measure(files):
    entries = compared(files)["sets"]["gold"]["aer"]
    assert entries["blind"] is None
    assert entries["both"]["baseline"]["p_holm"] == pytest.approx(4 / 1000)  # it is not in the family either
    opponent = SETTINGS.model_copy(update={"baseline": "blind"})
    entry = compared(files, settings=opponent)["sets"]["gold"]["aer"]["both"]
    assert entry["baseline"] is None
    assert entry["marks"] == "⋆"


def test_a_system_without_a_value_in_one_run_has_no_measure(files):
    path = files / "scores" / f"both-{SEEDS[0]}" / "test.csv"
    frame("both", SEEDS[0], "test").assign(**{"words.all": 0}).to_csv(path, index=False)
    entries = compared(files)["sets"]["test"]
    assert entries["bleu"]["both"] is None
    assert entries["ter"]["both"] is not None


def test_marks_are_of_the_corrected_p(files):
    entries = compared(files, settings=SETTINGS.model_copy(update={"level": 0.003}))["sets"]["test"]["bleu"]
    assert entries["both"]["baseline"]["p_randomisation"] < 0.003 < entries["both"]["baseline"]["p_holm"]
    assert {entry["marks"] for entry in entries.values()} == {""}


def test_a_copy_of_the_baseline_is_compared_like_any_other(files):
    for seed in SEEDS:
        frame("base", seed, "test").to_csv(files / "scores" / f"half-{seed}" / "test.csv", index=False)
    entry = compared(files)["sets"]["test"]["bleu"]["half"]
    assert entry["marks"] == ""
    assert entry["baseline"] | {"sign": None} == {
        "difference": 0, "low": 0, "high": 0, "p_bootstrap": 1, "p_randomisation": 1, "p_holm": 1,
        "p_seeds": 1, "seeds": "inside seed noise", "sign": None,
    }  # fmt: skip
    assert entry["baseline"]["sign"] == {
        "seed": SEEDS[0], "better": 0, "worse": 0, "p": 1, "interval_95": [None, None], "interval_99": [None, None],
    }  # fmt: skip


def test_a_longer_training_has_its_difference_and_no_mark(files):
    of = [compared(files, unmarked=unmarked)["sets"]["test"]["bleu"] for unmarked in ((), ("both",))]
    assert [(one["both"]["marks"], one["ia"]["marks"]) for one in of] == [("‡⋆", "‡"), ("", "‡")]
    assert of[0]["both"]["baseline"] == of[1]["both"]["baseline"]


def test_who_has_no_mark_is_said():
    def said(*why: str) -> str:
        return compare_systems.compared_how(SETTINGS, VARIANTS, dict(zip(VARIANTS, why, strict=False)), ())

    longer = "systems that were trained for longer"
    assert said(LONGER) == f"{said()}; {longer} have no mark"
    assert said(ENSEMBLE, ENSEMBLE) == f"{said()}; ensembles have no mark"
    assert said(ENSEMBLE, LONGER) == f"{said()}; {longer} and ensembles have no mark"


def test_without_rivals_there_is_no_star(files):
    entry = compared(files, variants=("base", "both"))["sets"]["test"]["bleu"]["both"]
    assert (entry["marks"], entry["rivals"]) == ("‡", {})


def test_the_baseline_must_be_a_row(files):
    with pytest.raises(InputError, match=r"compare.baseline: base is not a system of this study; name one of nn, ia"):
        compared(files, variants=("nn", "ia"))


WHOLE = frame("nn", 1, "test")


@pytest.mark.parametrize(
    ("spoiled", "message"),
    [
        (None, r"nn-1/test.csv is missing; run the score stage"),
        (WHOLE[:-1], r"nn-1/test.csv has 59 lines but .*test.en has 60"),
        (WHOLE.drop(columns="words.right"), r"scores of nn: only some .* words.right, words.all; run the score stage"),
        (WHOLE.drop(columns=["words.right", "words.all"]), r"scores of nn: only some"),  # of one seed
        (WHOLE.assign(**{"words.right": "many"}), r"nn-1/test.csv: not a table of numbers .*many"),
        (WHOLE.assign(**{"words.right": None}), r"nn-1/test.csv: words.right has a line without a number"),
        (pd.DataFrame(), r"nn-1/test.csv"),
    ],
)
def test_files_that_do_not_fit(files, spoiled, message):
    path = files / "scores" / "nn-1" / "test.csv"
    if spoiled is None:
        path.unlink()
    else:
        spoiled.to_csv(path, index=False)
    with pytest.raises(InputError, match=message):
        compared(files)


@pytest.mark.parametrize("settings", [{"rivals": ["base"]}, {"rivals": ["nn", "nn"]}, {"level": 1}, {"resamples": 0}])
def test_settings_are_checked(settings):
    with pytest.raises(ValueError, match=r"stands twice|level|resamples"):
        CompareSettings(**SETTINGS.model_dump() | settings)
