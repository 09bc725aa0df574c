"""A short training on the Hansards through the study's own stages, with what `auto` chooses for the device.

In one process and a folder of its own, from a params.yaml that is the committed one but for the sizes below.
"""

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from benchmarks.gpu.part import Asked, main, say
from benchmarks.gpu.parts import ROOT
from stages import binarize, bpe, corpus, manifest, supervision, train
from stages.files.errors import InputError
from stages.files.main import RUN
from stages.files.records import read_json
from stages.files.run_directory import RunDirectory
from stages.settings.params import read
from stages.settings.training import AUTO, WITHOUT_GPU

STUDY = "gpu"
SYSTEMS = ("rnnsearch_star", "ba_nmt")
FULL: dict[str, dict[str, Any]] = {
    "corpus": {"limit": 40_000},
    "model": {"embed_dim": 512, "hidden_dim": 512},
    "training": {"max_epoch": 3, **dict.fromkeys(WITHOUT_GPU, AUTO)},
}
IN_SMOKE: dict[str, dict[str, Any]] = {
    "corpus": {"train": 60, "dev": 6, "test": 6, "gold": 6},
    "segmentation": {"merges": 60},
    "model": {"embed_dim": 8, "hidden_dim": 8},
    "training": {"max_epoch": 1, "cuda_graphs": AUTO},
}


def run(asked: Asked) -> None:
    name, systems = ("demo", SYSTEMS[:1]) if asked.smoke else ("hansards-en-fr", SYSTEMS)
    downloads = ROOT / "work" / "downloads"
    with tempfile.TemporaryDirectory(prefix="gpu-training-") as folder, contextlib.chdir(folder):
        Path("work").mkdir()
        if not os.environ.get("CORPUS_MIRROR"):
            downloads.mkdir(parents=True, exist_ok=True)
            Path("work/downloads").symlink_to(downloads)
        for package in ("stages", "fairseq_plugins"):
            Path(package).symlink_to(ROOT / package)  # the manifest stage lists the code
        settings = params(name, systems, IN_SMOKE if asked.smoke else FULL)
        Path("params.yaml").write_text(yaml.safe_dump(settings, sort_keys=False), encoding="utf-8")
        try:
            call(corpus.main, corpus=name)
        except InputError as error:
            why = f"the text is not to be had: {error}"
            asked.write({"systems": [], "skipped": why, "failure": why})
            return
        prepare(settings)
        trained: list[dict[str, Any]] = []
        for system in systems:
            trained.append(train_one(settings, system))
            asked.write({"corpus": name, "settings": settings["corpora"][name], "systems": trained, "failure": None})


def params(name: str, systems: tuple[str, ...], changes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The committed settings with a study of one corpus, changed section by section."""
    content = read(ROOT / "params.yaml")
    of = content["corpora"][name]
    changed = of | {section: of[section] | values for section, values in changes.items()}
    own = {"study": STUDY, "corpus": name, "run": f"work/{name}/forward-bpe", "systems": list(systems)}
    chosen = content["defaults"]["study"] | own
    there = {"sets": {}, "fine_tuned_sets": {}, "titles": {}, "studies": {STUDY: chosen}}
    return there | chosen | {"variants": content["variants"], "corpora": {name: changed}}


def words_of(settings: Mapping[str, Any]) -> dict[str, str]:
    """What a stage's command says of the folder of these settings' systems."""
    return {name: settings[name] for name in RUN}


def prepare(settings: Mapping[str, Any]) -> None:
    """The stages between the text and the training; these systems learn from nothing beside the text."""
    call(manifest.main)
    for stage in (bpe, binarize, supervision):
        call(stage.main, **words_of(settings))


def train_one(settings: dict[str, Any], system: str) -> dict[str, Any]:
    """The record of a training, with dev BLEU after every epoch."""
    call(train.main, **words_of(settings), variant=system, seed=1)
    made = RunDirectory(Path(settings["run"])).model(system, 1)
    found = read_json(made / "training.json")
    curve = (made / "curve.csv").read_text(encoding="utf-8").splitlines()
    header, *epochs = (line.split(",") for line in curve)
    say(f"{system}: dev BLEU {found['best_dev_bleu']:.2f}")
    return found | {"curve": [dict(zip(header, map(float, row), strict=True)) for row in epochs]}


def call(stage: Callable[[], None], **options: Any) -> None:
    """A stage's ``main`` with a command line."""
    with _arguments([part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", str(value))]):
        stage()


@contextlib.contextmanager
def _arguments(given: list[str]) -> Iterator[None]:
    command = sys.argv
    sys.argv = ["stage", *given]
    try:
        yield
    finally:
        sys.argv = command


if __name__ == "__main__":
    main(run, __doc__)
