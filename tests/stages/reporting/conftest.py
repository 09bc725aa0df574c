"""A study's files, and figures that take no time."""

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from stages.reporting.figures import all_figures as figures
from stages.scoring.sentence_files import write_counts
from tests.helpers.report_study import (
    ALIGN,
    BRIDGED,
    RECIPE,
    SOURCE,
    STATISTICAL,
    TARGET,
    TITLES,
    counts,
    make,
    metrics,
    record,
    run_of,
    write,
)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_study(tmp_path)


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of that study, for tests that read it alone."""
    with pytest.MonkeyPatch.context() as patch:
        draw_empty(patch)
        return make(write_study(tmp_path_factory.mktemp("report")))


@pytest.fixture(scope="session")
def of_plain_alone(report: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report that takes the place of that one when `star` has left the study."""
    study = write_study(tmp_path_factory.mktemp("plain"))
    shutil.copytree(report, study / "reports/demo")
    with pytest.MonkeyPatch.context() as patch:
        draw_empty(patch)
        return make(study, {"plain": TITLES["plain"]})


def write_study(tmp_path: Path) -> Path:
    """Files of the stages before, for two systems with two seeds; `plain` has no attention."""
    corpus, run_directory = tmp_path / "corpus", tmp_path / "forward-bpe"
    stats = {"corpus": "demo", "source": "zh", "target": "en", "tests": ["test", "test2"], "gold": True}
    each = {"mean_length": {"zh": 5.5, "en": 5.0}, "max_length": {"zh": 6, "en": 6}}
    sets = {name: each | {"pairs": 2, "tokens": {"zh": 11, "en": 10}} for name in ("dev", "test", "test2", "gold")}
    stats |= {"sets": {"train": each | {"pairs": 6000, "tokens": {"zh": 61234, "en": 70001}}, **sets}}
    stats |= {"tokenised": True, "lowercase": False, "train_pairs": {"read": 6012, "overlap": 12, "kept": 6000}}
    write(corpus / "stats.json", json.dumps(stats))
    for name in ("train", "dev", "gold", "test", "test2"):
        write(corpus / f"{name}.zh", "\n".join(SOURCE) + "\n")
        write(corpus / f"{name}.en", "\n".join(TARGET) + "\n")
        write(run_directory / f"bpe/{name}.zh", "\n".join(SOURCE) + "\n")
        write(run_directory / f"bpe/{name}.en", "\n".join(TARGET) + "\n")
        write(corpus / f"{name}.ref0.en", "\n".join(TARGET) + "\n")
    for language, lines in (("zh", SOURCE), ("en", TARGET)):
        write(
            run_directory / f"bin/dict.{language}.txt",
            "".join(f"{word} 1\n" for word in sorted(set(" ".join(lines).split()))),
        )
    write(corpus / "gold.align", "\n".join(ALIGN) + "\n")
    aligned = {"program": "eflomal 2.0.0", "text": "train, gold are aligned together"}
    write(tmp_path / "thotalign/scores.json", json.dumps({"aligners": {}, "recipe": {"left out": "no Thot"}}))
    write(tmp_path / "wordalign/scores.json", json.dumps({"aligners": STATISTICAL, "recipe": aligned}))
    untagged = {"tagger": None, "why": "none knows it", "tags_of_new_text": None, "words": None, "accuracy": None}
    write(tmp_path / "tags/about.json", json.dumps({"zh": untagged, "en": untagged}))
    for variant, bleu, attends in (("star", 30.0, True), ("plain", 10.0, False)):
        for seed in (1, 2):
            run_name = f"{variant}-{seed}"
            run = run_of(seed, bleu + seed, 20.0 if attends else None)
            measured = metrics(bleu + seed, 20.0 if attends else None, seed)
            tests = {name: measured | {"bleu": bleu + seed + k} for k, name in enumerate(("test", "test2"))}
            scores = {"variant": variant, "seed": seed, "metrics": measured, "tests": tests, "dev": measured}
            scores |= {"transform": BRIDGED if attends else None, "recipe": {**RECIPE, "rule": "a|b*c"}}
            write(run_directory / f"scores/{run_name}/scores.json", json.dumps(scores))
            for name in ("test", "test2", "gold"):
                write_counts(run_directory / f"scores/{run_name}/{name}.csv", counts(name, seed, attends), len(SOURCE))
            training = {"best_epoch": 2, "versions": {"torch": "2.13.0"}, "machine": {"cores": 2}}
            model = run_directory / f"models/{variant}/{seed}"
            write(model / "training.json", json.dumps(training))
            run.curve.to_csv(model / "curve.csv", index=False)
            if variant == "star":
                backward = {"wall_seconds": 1800.0, "machine": {"cores": 2, "threads": 2}}
                write(run_directory / f"models/{variant}/{seed}-reverse/training.json", json.dumps(backward))
                backward = record("s t", "a b c", attends).replace("-0.5", str(-math.log(8 + seed)))
                write(run_directory / f"translations/{run_name}-reverse/dev.forced.jsonl", backward + "\n")
            lines = [record(source, target, attends) for source, target in zip(SOURCE, TARGET, strict=True)]
            for file in ("gold.forced.jsonl", "test.jsonl", "test2.jsonl"):
                write(run_directory / f"translations/{run_name}/{file}", "\n".join(lines) + "\n")
    return tmp_path


@pytest.fixture
def empty_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_empty(monkeypatch)


def draw_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures have tests of their own: here they are drawn, but their files are empty."""

    def touch(*endings: str) -> Callable[..., None]:
        def save(_: Figure, stem: Path, dpi: int = 0) -> None:
            for ending in endings:
                write(stem.with_name(stem.name + ending), "")

        return save

    monkeypatch.setattr(figures, "save", touch(".png", ".svg"))
    for name in ("save_png", "save_small"):
        monkeypatch.setattr(figures, name, touch(".png"))
