"""A made-up study of any shape for the tests of the tables, and a table made by hand."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from stages.reporting.study_results import ReportFolders, StudyResults, read_study_results
from stages.reporting.study_spec import StudySpec
from stages.reporting.tables.all_tables import report_tables
from stages.reporting.tables.table import Cell, ReportTable, Table
from stages.scoring.catalogue import GROUPS
from stages.scoring.embedding_transform import transform_metrics
from stages.scoring.sentence_files import write_counts
from stages.scoring.values import values
from stages.settings.comparison import CompareSettings
from stages.settings.report import ReportSettings
from stages.settings.variants import VariantModel

HOSTILE = "a&b 50% $x$ #1 s_i {y} ~h ^2 \\n | *c* <d> [e] 中国"


SETTINGS = ReportSettings(sentence=None, shortest=4, longest=6)


def entry(table: Table, **changes: Any) -> ReportTable:
    return ReportTable("name", "Title", "About.", "Table 1", {"": table}, ("note",))._replace(**changes)


TABLE = Table(
    ("System", "BLEU ↑", "words"),
    (("A*", (Cell("30.12", True, "‡⋆", 30.123456789012345, 0.5), Cell("x y"))), ("B", (Cell("–"), Cell("–")))),
    ("a", "b"),
    frozenset({"words"}),
)


ATTENTION = ("rot", "eos", "entropy", "coverage", "confusion", "rot_vocabulary")


ALIGNMENT = ("aer", "aer_renorm", "saer", "threshold")


TITLES = {
    "rnnencdec": "RNNencdec",
    "rnnsearch_star": "RNNsearch*",
    "sa_nmt": "SA & <NMT>",
    "ba_nmt": "BA_NMT",
    "bridging_direct": "Direct bridging",
}


WORDS = {
    "train": ("a b c", "a b"),
    "dev": ("a d", "b"),
    "gold": ("a", "c c"),
    "test": ("a b", "e e"),
    "late": ("c", "a"),
}


PIECES = WORDS | {"test": ("a@@ b b", "e e"), "dev": ("a@@ a d", "b")}


DICTIONARIES = {"zh": "a 2\nb 2\nc 1\nmadeupword0000 0\n", "en": "a 2\nb 2\na@@ 1\n"}
"""What the stages bpe and binarize left; fairseq fills dictionaries up with pieces of frequency 0."""


class Shape:
    """What a made-up study has."""

    def __init__(self, tests: tuple[str, ...] = ("test",), seeds: tuple[int, ...] = (1,), **lacks: bool):
        self.tests, self.seeds = tests, seeds
        self.gold, self.tags, self.attention = (lacks.get(name, True) for name in ("gold", "tags", "attention"))

    def counts(self, name: str, variant: str, seed: int) -> dict[str, np.ndarray]:
        attends = self.attention and variant != "rnnencdec"
        text = [group for group in GROUPS if group not in (*ATTENTION, *ALIGNMENT, "perplexity")]
        attention = [group for group in ATTENTION if self.tags or group != "confusion"]
        groups = [*text, *(attention if attends else ())] if name != "gold" else ALIGNMENT if attends else ()
        random = np.random.default_rng([seed, list(TITLES).index(variant), len(name)])
        found = {group: random.integers(1, 9, size=(2, len(GROUPS[group]))) for group in groups}
        if "rot" in found and not self.tags:
            found["rot"][:, 2:] = 0
        return found


def put(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), encoding="utf-8")


def made(folder: Path, shape: Shape, titles: Mapping[str, str] = TITLES) -> StudyResults:
    """The files of a study of this shape, read."""
    sets = ["train", "dev", *shape.tests, *(["gold"] if shape.gold else [])]
    numbers = {"zh": 3, "en": 4}
    each = {"pairs": 2, "tokens": numbers, "mean_length": {"zh": 1.5, "en": 2.0}, "max_length": numbers}
    stats = {"corpus": "demo", "source": "zh", "target": "en", "tests": list(shape.tests), "gold": shape.gold}
    stats |= {"lowercase": False, "train_pairs": {"read": 9, "overlap": 7, "kept": 2}}
    stats |= {"sets": dict.fromkeys(sets, each)}
    put(folder / "corpus/stats.json", stats)
    for name in sets:
        for language in ("zh", "en"):
            put(folder / f"corpus/{name}.{language}", "".join(f"{line}\n" for line in WORDS[name]))
            put(folder / f"forward-bpe/bpe/{name}.{language}", "".join(f"{line}\n" for line in PIECES[name]))
    for language, frequencies in DICTIONARIES.items():
        put(folder / f"forward-bpe/bin/dict.{language}.txt", frequencies)
    aligned = {"aer": 9.125, "align_precision": 91.5, "align_recall": 90.5}
    aligners = dict.fromkeys(("forward", "reverse", "gdfa"), aligned if shape.gold else dict.fromkeys(aligned))
    put(folder / "thotalign/scores.json", {"aligners": {}, "recipe": {"left out": "not in this study"}})
    put(folder / "wordalign/scores.json", {"aligners": aligners, "recipe": {"program": "eflomal"}})
    run_directory = folder / "forward-bpe"
    for variant in titles:
        for seed in shape.seeds:
            _put_run(run_directory, shape, variant, seed)
    compared = CompareSettings(baseline="rnnsearch_star", rivals=[], resamples=19, level=0.05, seed=1)
    models = {name: VariantModel(arch=name) for name in titles}
    spec = StudySpec("demo", titles, shape.seeds, ["rnnsearch_star"], SETTINGS, compared, {}, models)
    return read_study_results(
        ReportFolders(run_directory, *(folder / stage for stage in ("corpus", "wordalign", "thotalign", "tags"))), spec
    )


def _put_run(run_directory: Path, shape: Shape, variant: str, seed: int) -> None:
    run_name = f"{variant}-{seed}"
    rows = {name: shape.counts(name, variant, seed) for name in (*shape.tests, "gold", "dev")}
    tests = {name: values(rows[name], "tests") for name in shape.tests}
    size = {"parameters": 1_000_000 + 500_000 * list(TITLES).index(variant)}
    metrics = tests[shape.tests[0]] | values(rows["gold"] if shape.gold else {}, "gold") | transform_metrics(None, {})
    metrics |= size | {"perplexity": 5.5, "perplexity_zh-en": 5.5, "aer_floor": 7.125 if shape.gold else None}
    metrics |= {"train_tokens_per_second": 4321.5, "wall_seconds": 3725.0}
    words = [{"word": "北京", "count": 1200, "nearest": ["Beijing", "a|b"], "lexicon": "Beijing"}]
    bridged = words if variant == "bridging_direct" else None
    if bridged:
        metrics |= {"transform_p1": 40.0, "transform_p5": 60.0, "transform_words": 1000.0}
    scores = {"metrics": metrics, "tests": tests, "dev": values(rows["dev"], "tests"), "transform": bridged}
    about = {"bleu": "tok:none|nrefs:1", "alignment": "gold", "decoding": "beam 10"}
    put(run_directory / f"scores/{run_name}/scores.json", scores | {"recipe": about})
    for name in (*shape.tests, *(["gold"] if shape.gold else [])):
        write_counts(run_directory / f"scores/{run_name}/{name}.csv", rows[name], 2)
    training = {"best_epoch": 1 + seed % 2, "versions": {}, "machine": {"cores": 2}}
    curve = "epoch,updates,dev_ppl,dev_bleu\n1,10,9.5,1.0\n2,20,8.5,2.0\n"
    put(run_directory / f"models/{variant}/{seed}/training.json", training)
    backward = {"wall_seconds": 3600.0, "machine": {"cores": 2, "threads": 2}}
    put(run_directory / f"models/{variant}/{seed}-reverse/training.json", backward)
    put(run_directory / f"models/{variant}/{seed}/curve.csv", curve)
    logs = [-math.log(9.5 - seed % 2)] * 2
    forced = {"source": ["x", "</s>"], "target": ["y", "</s>"], "attention": None, "positional": logs, "finished": True}
    put(run_directory / f"translations/{run_name}-reverse/dev.forced.jsonl", forced)


def found_in(study: StudyResults) -> dict[str, ReportTable]:
    return {each.name: each for each in report_tables(study)}


def grid(table: Table) -> dict[str, dict[str, Cell]]:
    """Row -> heading -> cell."""
    return {title: dict(zip(table.headings[1:], cells, strict=True)) for title, cells in table.rows}


ALL = (
    *("main", "claims", "differences", "quality", "ablation", "length_buckets", "unknown_words", "alignment"),
    *("over_translation", "eos", "pos_confusion", "transform", "perplexity", "cost", "data", "formulas"),
)
