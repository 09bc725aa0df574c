"""What the stages before a report leave: two systems, one of them without attention, with two seeds."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from stages import report as stage
from stages.reporting.figures.all_figures import CLAIMS, OF_STUDY
from stages.reporting.results import SeedResults
from stages.reporting.study_results import ReportFolders, StudyResults, read_study_results
from stages.reporting.study_spec import StudySpec
from stages.scoring.catalogue import GROUPS
from stages.scoring.embedding_transform import transform_metrics
from stages.scoring.values import values
from stages.settings.comparison import CompareSettings
from stages.settings.report import ReportSettings
from stages.settings.variants import VariantModel

TITLES = {"star": "RNNsearch*", "plain": "RNNencdec (Cho et al.)"}


RECIPE = {"test_set": "test", "direction": "zh-en"}


BRIDGED = [{"word": "北京", "count": 12, "nearest": ["Beijing", "a|b"], "lexicon": "Beijing"}]


SETTINGS = ReportSettings(sentence=None, shortest=4, longest=6)


SOURCE = ["昨天 他 到 了 北京 。", "代表团 讨论 了 合作 计划"]


TARGET = ["he arrived in Beijing yesterday .", "the delegation discussed cooperation"]


STATISTICAL = {
    "forward": {"aer": 9.125, "align_precision": 91.5, "align_recall": 90.5},
    "reverse": {"aer": 8.125, "align_precision": 93.5, "align_recall": 92.5},
    "gdfa": {"aer": 7.125, "align_precision": 95.5, "align_recall": 94.5},
}


INPUTS = {"text": "corpus", "wordalign": "wordalign", "thotalign": "thotalign", "tags": "tags"}
"""Folder of each input of the stage."""


ALIGN = ["0-4 1-0 2-1 2?2 3?1 4-3 5-5", "0-1 1-2 3-3"]


FIGURES = (
    *(name for name in OF_STUDY if not name.startswith((CLAIMS, "read_outs"))),
    "attention/reordering",
    "attention/fertility",
)


ATTENTION = ("rot", "eos", "entropy", "coverage", "confusion", "rot_vocabulary")


GOLD = ("aer", "aer_renorm", "saer", "threshold")


def rows_of_counts(groups: Iterable[str], seed: int) -> dict[str, np.ndarray]:
    """Counts of two sentences, as the score stage might have found them."""
    rng = np.random.default_rng(seed)
    return {group: rng.integers(1, 9, size=(2, len(GROUPS[group]))) for group in groups}


def counts(name: str, seed: int, attends: bool) -> dict[str, np.ndarray]:
    """Of the set `name`."""
    if name == "gold":
        return rows_of_counts(GOLD, seed) if attends else {}
    text = [group for group in GROUPS if group not in (*GOLD, *ATTENTION, "perplexity")]
    return rows_of_counts([*text, *(ATTENTION if attends else ())], seed)


def metrics(bleu: float, aer: float | None, seed: int) -> dict:
    """Of a first test set and the gold set; without `aer` those of a system that does not attend."""
    attends = aer is not None
    found = values(counts("test", seed, attends), "tests") | values(counts("gold", seed, attends), "gold")
    aligned = dict.fromkeys(("aer", "saer", "align_precision", "align_recall", "rot"), aer)
    return found | {
        "bleu": bleu,
        "bleu_cased": bleu - 1,
        "perplexity": 5.25,
        "perplexity_zh-en": 5.25,
        **aligned,
        **transform_metrics(None, {}),
        "aer_floor": 7.125,
        "repeated_phrases": 3,
        "parameters": 1_234_567,
        "train_tokens_per_second": 4321.9,
        "wall_seconds": 3725.0,
    }


def run_of(seed: int, bleu: float, aer: float | None = 20.0, epochs: int = 3) -> SeedResults:
    epoch = range(1, epochs + 1)
    curve = pd.DataFrame(
        {
            "epoch": epoch,
            "updates": [10 * e for e in epoch],
            "train_loss": [5.0 / e for e in epoch],
            "dev_ppl": [50.0 / e for e in epoch],
            "dev_bleu": [bleu * e / epochs for e in epoch],
        }
    )
    recipe = {"test_set": "test", "machine": {"cores": 2}}
    tests = {name: {"bleu": bleu} for name in ("test", "test2", "average")}
    measured = metrics(bleu, aer, seed) | {"tests": tests, "dev": {"bleu": bleu}}
    return SeedResults(seed, measured, recipe, curve, epochs, None)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def record(source: str, target: str, attends: bool) -> str:
    """A line of the evaluate stage; the last source word is in two pieces, and attention is even over the pieces."""
    *words, last = source.split()
    pieces, targets = [*words, f"{last}@@", "x", "</s>"], [*target.split(), "</s>"]
    rows = [[1 / len(pieces)] * len(pieces)] * len(targets) if attends else None
    return json.dumps(
        {
            "source": pieces,
            "target": targets,
            "attention": rows,
            "score": -1.0,
            "positional": [-0.5] * len(targets),
            "finished": True,
        },
        ensure_ascii=False,
    )


def results(
    study: Path, titles: dict[str, str] = TITLES, seeds: tuple[int, ...] = (1, 2), **asked: Any
) -> StudyResults:
    """asked: of `StudySpec`."""
    compare = CompareSettings(baseline="plain", rivals=["gone"], resamples=99, level=0.05, seed=1)
    reverse = [variant for variant in titles if variant == "star"]
    recipes = {"training": {"lr": 0.01}, "model": {"embed_dim": 8, "hidden_dim": 9}}
    folders = ReportFolders(
        study / "forward-bpe", *(study / stage for stage in ("corpus", "wordalign", "thotalign", "tags", "metrics"))
    )
    archs = {"star": "rnnsearch_star", "shared": "rnnsearch_star", "plain": "rnnencdec", "smt": "smt"}
    models = {name: VariantModel(arch=archs[name]) for name in titles}
    spec = StudySpec("demo", titles, seeds, reverse, SETTINGS, compare, recipes, models, ["demo-small"])
    return read_study_results(folders, spec._replace(**asked))


def make(study: Path, titles: dict[str, str] = TITLES, seeds: tuple[int, ...] = (1, 2), **asked: Any) -> Path:
    stage.report(results(study, titles, seeds, **asked), study / "reports/demo")
    return study / "reports/demo"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def rows_of(out: Path) -> dict[str, dict[str, str]]:
    """Title -> heading without arrow -> cell, of both written tables."""
    found, heading = {}, []
    for line in (out / "tables/main.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| System"):
            heading = [name.rstrip(" ↑↓") for name in cells]
        elif line.startswith("| "):
            found[cells[0]] = dict(zip(heading, cells, strict=True))
    return found
