"""A made-up study for the report page: systems that repeat and pass over words on purpose.

The translations are drawn at random; their counts are those that the score stage would find.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from stages.files.records import write_json
from stages.files.text import write_lines
from stages.measures.gold_links import Gold, parse
from stages.reporting.study_results import ReportFolders, StudyResults, read_study_results
from stages.reporting.study_spec import StudySpec
from stages.scoring.attention_counts import alignment_rows, attention_rows
from stages.scoring.embedding_transform import transform_metrics
from stages.scoring.sentence_files import write_counts
from stages.scoring.text_counts import Reading, no_unk_rows, text_rows
from stages.scoring.values import values
from stages.settings.comparison import CompareSettings
from stages.settings.report import ReportSettings
from stages.settings.scoring import ScoreSettings
from stages.settings.variants import VariantModel
from stages.translating.translations import read_translations
from tests.helpers.browser.made_text import Pair, pairs, pieces_of, write_corpus, write_pieces

READING = Reading(ScoreSettings(detokenise=False, bleu_tokenize="none", aer_eos="drop", unk_replace="none"), "en", {})


HOSTILE_TITLE = "<b onmouseover=alert(5)>\"Evil\" & 'Co'</b></script><script>alert(6)</script>"


class Shape(NamedTuple):
    """Names of the test sets, seeds, and sentences of each set; the gold set has as many."""

    tests: tuple[str, ...]
    seeds: tuple[int, ...]
    sentences: int


class Kind(NamedTuple):
    """A kind of system: its title, whose formulas it has, the share of words that it passes over and repeats, and the
    weight that its attention puts on the word it translates; None for one that does not attend."""

    title: str
    arch: str
    drops: float
    repeats: float
    sharpness: float | None


KINDS = {
    "ba_nmt": Kind("BA-NMT", "ba_nmt", 0.05, 0.05, 0.7),
    "rnnsearch_star": Kind("RNNsearch*", "rnnsearch_star", 0.2, 0.3, 0.5),
    "rnnencdec": Kind("RNNencdec (Cho et al.)", "rnnencdec", 0.4, 0.1, None),
    "hostile": Kind(HOSTILE_TITLE, "coverage_linguistic", 0.1, 0.2, 0.6),
}


EMPTY = "ba_nmt"
"""The system whose translation of the last sentence of each test set is empty."""


def _places(variant: str, seed: int) -> tuple[str, str, str]:
    """ReportFolders of a run in the run directory: translations, scores and model."""
    return f"translations/{variant}-{seed}", f"scores/{variant}-{seed}", f"models/{variant}/{seed}"


def build(folder: Path, kinds: Mapping[str, Kind], shape: Shape) -> None:
    """Write what the stages before the report leave in `folder`, for `kinds` (variant -> what it is like)."""
    random = np.random.default_rng(1)
    decoded = {name: pairs(shape.sentences, random) for name in (*shape.tests, "gold")}
    sets = {"train": pairs(50, random), "dev": pairs(5, random), **decoded}
    write_corpus(folder / "corpus", sets, shape.tests)
    write_pieces(folder / "forward-bpe", sets)
    aligned = {"aer": 9.5, "align_precision": 91.5, "align_recall": 90.5}
    aligners = dict.fromkeys(("forward", "reverse", "gdfa"), aligned)
    (folder / "wordalign").mkdir()
    (folder / "thotalign").mkdir()
    write_json(folder / "thotalign/scores.json", {"aligners": {}, "recipe": {"left out": "not in this study"}})
    write_json(folder / "wordalign/scores.json", {"aligners": aligners, "recipe": {"program": "eflomal 2.0.0"}})
    for k, (variant, kind) in enumerate(kinds.items()):
        for seed in shape.seeds:
            _write_run([folder / "forward-bpe" / place for place in _places(variant, seed)], k, kind, decoded, random)


def read(folder: Path, kinds: Mapping[str, Kind], shape: Shape) -> StudyResults:
    """kinds: of the rows; the first is the baseline."""
    baseline = next(iter(kinds))
    titles = {variant: kind.title for variant, kind in kinds.items()}
    models = {variant: VariantModel(arch=kind.arch) for variant, kind in kinds.items()}
    compare = CompareSettings(baseline=baseline, rivals=[], resamples=99, level=0.05, seed=1)
    settings = ReportSettings(sentence=None, shortest=8, longest=14)
    recipes = {"training": {"lr": 0.01}, "model": {"embed_dim": 8, "hidden_dim": 9}}
    folders = ReportFolders(
        folder / "forward-bpe", *(folder / stage for stage in ("corpus", "wordalign", "thotalign", "tags"))
    )
    return read_study_results(folders, StudySpec("demo", titles, shape.seeds, [], settings, compare, recipes, models))


def _write_run(
    places: Sequence[Path], rank: int, kind: Kind, sets: Mapping[str, Sequence[Pair]], random: np.random.Generator
) -> None:
    """places: of `_places`; rank: of the kind among the kinds, which sizes and speeds follow."""
    translations, scores, model = places
    for folder in places:
        folder.mkdir(parents=True)
    rows = {}
    for name, text in sets.items():
        forced = name == "gold"
        path = translations / (f"{name}.forced.jsonl" if forced else f"{name}.jsonl")
        linked = [_forced(one, random) if forced else _translated(one, kind, random) for one in text]
        if not forced and kind is KINDS[EMPTY]:
            linked[-1] = []
        write_lines(path, (_record(one.source, words, kind, random) for one, words in zip(text, linked, strict=True)))
        found = read_translations(path)
        if forced:
            golds: list[Gold] = [parse(one.gold) for one in text]
            rows[name] = alignment_rows(found, golds, READING.settings)
        else:
            references = [one.references for one in text]
            rows[name] = text_rows(found, references, READING) | no_unk_rows({}, references, READING)
            rows[name] |= attention_rows(found, READING.language, None, None, None)
        write_counts(scores / f"{name}.csv", rows[name], len(text))
    tests = {name: values(of, "tests") for name, of in rows.items() if name != "gold"}
    aligned = values(rows["gold"], "gold")
    cost = {"parameters": 900_000 + 70_000 * rank, "train_tokens_per_second": 9_800.0 + 150 * rank}
    cost |= {"wall_seconds": 3500.0 + 90 * rank, "aer_floor": 7.125, "perplexity": 5.25, "perplexity_zh-en": 5.25}
    metrics = next(iter(tests.values())) | aligned | cost | transform_metrics(None, {})
    write_json(
        scores / "scores.json",
        {
            "metrics": metrics,
            "tests": {name: metrics | found for name, found in tests.items()},
            "dev": metrics,
            "transform": None,
            "recipe": {"test_set": "test", "direction": "zh-en"},
        },
    )
    write_json(model / "training.json", {"best_epoch": 2, "versions": {"torch": "2.13.0"}, "machine": {"cores": 2}})
    curve = {"epoch": [1, 2], "updates": [10, 20], "train_loss": [5.0, 4.0], "dev_ppl": [50.0, 25.0]}
    pd.DataFrame(curve | {"dev_bleu": [10.0, 20.0 + rank]}).to_csv(model / "curve.csv", index=False)


Linked = list[tuple[str, int]]
"""The target words, each with the source word that it is translated from."""


def _translated(one: Pair, kind: Kind, random: np.random.Generator) -> Linked:
    linked = []
    for word, s in zip(one.target, one.order, strict=True):
        drawn = random.random()
        times = 0 if drawn < kind.drops else 2 if drawn < kind.drops + kind.repeats else 1
        linked += [(word, s)] * times
    return linked


def _forced(one: Pair, random: np.random.Generator) -> Linked:
    """The target as it is, with one link in five wrong."""
    return [
        (word, int(random.integers(len(one.source))) if random.random() < 0.2 else s)
        for word, s in zip(one.target, one.order, strict=True)
    ]


def _record(source: Sequence[str], linked: Linked, kind: Kind, random: np.random.Generator) -> str:
    """A line of the evaluate stage."""
    sources, targets = [pieces_of(word) for word in source], [pieces_of(word) for word, _ in linked]
    attention = None
    if kind.sharpness is not None:
        words = _attention([s for _, s in linked] + [len(source)], len(source) + 1, kind.sharpness, random)
        widths, heights = ([*map(len, side), 1] for side in (sources, targets))
        weights = np.repeat(np.repeat(words / widths, widths, axis=1), heights, axis=0)
        attention = weights.round(5).tolist()
    pieces = [piece for word in targets for piece in word]
    return json.dumps(
        {
            "source": [*(piece for word in sources for piece in word), "</s>"],
            "target": [*pieces, "</s>"],
            "attention": attention,
            "score": -1.0,
            "positional": [-0.5] * (len(pieces) + 1),
            "finished": True,
        },
        ensure_ascii=False,
    )


def _attention(links: Sequence[int], width: int, sharpness: float, random: np.random.Generator) -> np.ndarray:
    """(len(links), width): `sharpness` on each link and the rest anywhere."""
    weights = random.dirichlet(np.ones(width), len(links)) * (1 - sharpness)
    weights[np.arange(len(links)), links] += sharpness
    return weights
