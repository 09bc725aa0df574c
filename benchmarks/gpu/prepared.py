"""A folder of its own that trainings on a GPU run in: its settings, its text, and the stages called in it."""

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from benchmarks.gpu.parts import ROOT
from stages import manifest
from stages.files.main import RUN
from stages.settings.params import PARAMS

PLACE = Path("work") / "gpu-queue"
FOLDER = ROOT / PLACE
"""Of what is prepared to be carried to a GPU, a folder an item."""


def fill(
    folder: Path, settings: Mapping[str, Any], of_corpus: Iterable[ModuleType], of_study: Iterable[ModuleType]
) -> None:
    """Run the stages of the corpus, then those of the study, in the folder; where it is carried to, its links to the
    code and to downloads are not needed."""
    (folder / "work").mkdir(parents=True, exist_ok=True)
    with contextlib.chdir(folder):
        for name in ("stages", "fairseq_plugins"):
            link(Path(name), ROOT / name)
        if not os.environ.get("CORPUS_MIRROR"):
            (ROOT / "work" / "downloads").mkdir(parents=True, exist_ok=True)
            link(Path("work/downloads"), ROOT / "work" / "downloads")
        PARAMS.write_text(yaml.safe_dump(dict(settings), sort_keys=False), encoding="utf-8")
        call(manifest.main)  # of the code that is linked
        for stage in of_corpus:
            call(stage.main, corpus=settings["corpus"])
        for stage in of_study:
            call(stage.main, **words_of(settings))


def link(path: Path, target: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(os.path.relpath(target))


def words_of(settings: Mapping[str, Any]) -> dict[str, str]:
    """What a stage's command says of the folder of these settings' systems."""
    return {name: settings[name] for name in RUN}


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
