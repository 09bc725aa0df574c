"""A made-up study of any systems for the tests of the figures, and what is seen in a figure."""

import json
from collections.abc import Collection
from itertools import combinations
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.text import Text as Label

from stages.measures.coverage import BINS
from stages.measures.length_buckets import BUCKETS
from stages.reporting.claims.judged import Judged
from stages.reporting.figures.all_figures import OF_STUDY
from stages.reporting.figures.families import (
    families_of,
)
from stages.reporting.metrics_document import metrics_document, results_frame
from stages.reporting.results import SeedResults, SystemResults
from stages.reporting.study_results import ReportFolders, StudyResults
from stages.reporting.study_spec import StudySpec
from stages.reporting.style import rc
from stages.scoring.inputs import Text
from stages.settings.comparison import CompareSettings
from stages.settings.params import validate
from stages.settings.report import ReportSettings
from stages.settings.training import DecodingControl
from stages.settings.variants import Variant, VariantModel
from tests.helpers import committed
from tests.helpers.paper_claims import OF_PAPERS

SOURCE = ["昨天 他 到 了 北京", "代表团 讨论 合作 计划"]


TARGET = ["he arrived in Beijing yesterday", "the delegation discussed cooperation plans"]


ALIGN = ["0-4 1-0 2-1 3?1 4-3", "0-0 0-1 1-2 2-3 3-4"]


COMMITTED = committed.params()


ROWS = COMMITTED["variants"]


TITLES = {name: COMMITTED["titles"][name] for name in ROWS}
DECODED = {name: DecodingControl(**row["decoding"]) for name, row in ROWS.items() if "decoding" in row}


MODELS = {name: validate(row, Variant, name).on("demo").model for name, row in ROWS.items()}


FAMILY = families_of(MODELS)


FEW = {name: TITLES[name] for name in ("rnnencdec", "rnnsearch_star", "ba_nmt", "cohn_all")}


BASELINE = "rnnsearch_star"


LENGTHS = {"1-10": 90, "11-20": 200, "21-30": 7}


SEEDS = (1, 2, 3)


def attends(name: str) -> bool:
    return not name.startswith("rnnencdec")


def metrics_of(rank: int, seed: int, attending: bool, lengths: dict[str, int]) -> dict[str, Any]:
    """Most systems lie close together, a few far off, as in a real study."""
    rng = np.random.default_rng([rank, seed])
    bleu = 82 + rng.normal(0, 2) if rank % 7 else 40 + rng.normal(0, 8)
    shares = rng.dirichlet(np.ones(len(BINS))) * 100
    return {
        "bleu": bleu,
        "aer": 100 - bleu + rng.normal(0, 2) if attending else None,
        "parameters": 900_000 + 1000 * rank,
        "train_tokens_per_second": 5000 + rng.normal(0, 900),
        "wall_seconds": 50 + rng.normal(0, 9),
        "bleu_by_length": {
            name: {"bleu": bleu - 3 * k if lengths.get(name) else None, "sentences": lengths.get(name, 0)}
            for k, name in enumerate(BUCKETS)
        },
        "coverage_histogram": dict(zip(BINS, shares if attending else [None] * len(BINS), strict=True)),
        "tests": {"test": {"bleu": bleu}, "average": {"bleu": bleu}},
    }


def run_of(rank: int, seed: int, attending: bool, lengths: dict[str, int]) -> SeedResults:
    metrics = metrics_of(rank, seed, attending, lengths)
    epoch = np.arange(1, 4 if rank % 5 else 3)
    curve = {"epoch": epoch, "updates": 10 * epoch, "dev_ppl": 9 / epoch, "dev_bleu": metrics["bleu"] * epoch / 3}
    return SeedResults(seed, metrics, {}, pd.DataFrame(curve), 2, None)


def entry(rank: int, better: int) -> dict[str, Any]:
    difference = better * ((rank % 9) - 3.0) * (1 if rank % 11 else 12)
    found = {"difference": difference, "low": difference - 1.5, "high": difference + 1.5, "p_holm": 0.02 * (rank % 5)}
    return {"baseline": found, "rivals": {}, "marks": ""}


def compared_of(titles: dict[str, str], gold: bool) -> dict[str, Any]:
    def compared_by(better: int, measured: list[str]) -> dict[str, Any]:
        own = {"baseline": None, "rivals": {}, "marks": ""}
        return {
            name: (own if name == BASELINE else entry(k, better)) if name in measured else None
            for k, name in enumerate(titles)
        }

    sets = {"test": {"bleu": compared_by(1, list(titles))}}
    return {"sets": sets | ({"gold": {"aer": compared_by(-1, list(filter(attends, titles)))}} if gold else {})}


def judged_of(titles: Collection[str]) -> list[Judged]:
    """Of the claims about these systems."""
    random = np.random.default_rng(3)
    judged = []
    for k, claim in enumerate(OF_PAPERS.values()):
        if set(claim.claim.ours.weights) <= set(titles):
            middle, half = random.normal(0, 3), random.uniform(0.5, 3)
            verdict = ("agrees", "disagrees", "undecided")[k % 3]
            judged.append(Judged(claim, verdict, middle, middle - half, middle + half, 3, 500))
    return judged


def record(source: str, target: str, attending: bool, seed: int) -> str:
    pieces, targets = [*source.split(), "</s>"], [*target.split(), "</s>"]
    weights = np.random.default_rng(seed).dirichlet(np.full(len(pieces), 0.3), size=len(targets)).round(6)
    return json.dumps(
        {
            "source": pieces,
            "target": targets,
            "attention": weights.tolist() if attending else None,
            "positional": [-0.5] * len(targets),
            "finished": True,
        }
    )


def study_of(
    folder: Path,
    titles: dict[str, str],
    seeds: tuple[int, ...] = (1,),
    gold: bool = True,
    lengths: dict[str, int] = LENGTHS,
) -> StudyResults:
    """A study as `read_study_results` gives it, with the files from which the heat maps are drawn."""
    for name in ("gold", "test"):
        for language, lines in (("zh", SOURCE), ("en", TARGET)):
            (folder / f"{name}.{language}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "gold.align").write_text("\n".join(ALIGN) + "\n", encoding="utf-8")
    for rank, name in enumerate(titles):
        lines = [record(*pair, attends(name), rank) for pair in zip(SOURCE, TARGET, strict=True)]
        of_run = folder / "translations" / f"{name}-{seeds[0]}"
        of_run.mkdir(parents=True, exist_ok=True)
        (of_run / ("gold.forced.jsonl" if gold else "test.jsonl")).write_text("\n".join(lines) + "\n", encoding="utf-8")
    systems = tuple(
        SystemResults(name, title, tuple(run_of(rank, seed, gold and attends(name), lengths) for seed in seeds))
        for rank, (name, title) in enumerate(titles.items())
    )
    document = metrics_document(systems, {}, {})
    compare = CompareSettings(baseline=BASELINE, rivals=[], resamples=9, level=0.05, seed=1)
    settings = ReportSettings(sentence=None, shortest=4, longest=6)
    models = {name: MODELS[name] if name in MODELS else VariantModel(arch="mine") for name in titles}
    spec = StudySpec("demo", titles, seeds, [], settings, compare, {}, models, decoded=DECODED)
    text = Text(folder, "forward", "zh", "en", ["test"], gold)
    frame, compared = results_frame(document), compared_of(titles, gold)
    aligners = pd.DataFrame({"aer": [9.0, 7.5] if gold else []})
    folders = ReportFolders(folder, folder, folder, folder, folder)
    return StudyResults(folders, spec, text, systems, document, compared, frame, aligners, {}, judged_of(titles))


def drawn(study: StudyResults, name: str) -> Figure | None:
    with matplotlib.rc_context(rc()):
        return OF_STUDY[name].draw(study)


def labels(figure: Figure) -> list[Label]:
    """Every text that is seen: ticks beyond the limits are not."""
    found = [*figure.texts, *(text for legend in figure.legends for text in legend.get_texts())]
    for axis in figure.axes:
        found += [*axis.texts, axis.title, axis._left_title, axis.xaxis.label, axis.yaxis.label]
        for side in (axis.xaxis, axis.yaxis):
            low, high = sorted(side.get_view_interval())
            found += [tick.label1 for tick in side.get_major_ticks() if low <= tick.get_loc() <= high]
    return [label for label in found if label.get_visible() and label.get_text().strip()]


def overlaps(figure: Figure, tolerance: float) -> list[tuple[str, str]]:
    """Pairs of texts that share more than `tolerance` pixels both ways."""
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    texts = labels(figure)
    boxes = np.array([Label.get_window_extent(label, renderer).extents for label in texts])
    return [
        (texts[a].get_text(), texts[b].get_text())
        for a, b in combinations(range(len(texts)), 2)
        if (np.minimum(boxes[a, 2:], boxes[b, 2:]) - np.maximum(boxes[a, :2], boxes[b, :2]) > tolerance).all()
    ]
