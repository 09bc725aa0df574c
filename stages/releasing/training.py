"""The results of one training as a file of `stages.releasing.results_file`, from the folders that stages left."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.errors import InputError
from stages.files.run_directory import MANIFEST, RunDirectory
from stages.releasing import reverse
from stages.releasing.about import code_sums, settings_now, text_now
from stages.releasing.results_file import (
    ALWAYS,
    OF_MODEL,
    OF_TRAINING,
    READ_OUTS_FILE,
    REVERSE_FILE,
    read_results,
    results_path,
    write_results,
)
from stages.releasing.translations import take
from stages.settings.systems import StudySystems


class Training(NamedTuple):
    """One system with one seed."""

    variant: str
    seed: int


def release(study: StudySystems, training: Training, commit: str) -> tuple[Path, bool]:
    """Where the results are, and whether they are new: the same results keep the commit that they were released from.

    Those of the first seed, which is the one that reports show, have the attention of the translations too.
    """
    folders = RunDirectory(Path(study.run))
    text = folders.of_corpus.text
    model, scores = folders.model(*training), folders.scores(*training)
    made = [*scores.iterdir(), *(model / name for name in OF_TRAINING)]
    files = {path.name: path.read_bytes() for path in made}
    shown = training.seed == study.seeds[0]
    files |= take(folders.translations(*training), text, shown)
    if training.variant in study.also_reverse:
        files[REVERSE_FILE] = reverse.text_of(reverse.take(folders, *training))
    if training.variant in study.read_outs:
        files[READ_OUTS_FILE] = (folders.read_outs(training.variant) / f"{training.seed}.json").read_bytes()
    about = {
        **settings_now(study.corpus, *training, study.bases.get(training.variant)),
        **text_now(folders.tokens, text),
        "code": code_sums(MANIFEST, training.variant),
        "commit": commit,
        "translations": shown,
    }
    return write(results_path(study.corpus, study.direction, study.segmentation, *training), about, files, ALWAYS)


def add_reverse(study: StudySystems, training: Training, commit: str) -> tuple[Path, bool]:
    """The same of results that were released before and are taken here, in `study.released`: what its training in the
    reverse direction came to is put to them."""
    path = results_path(study.corpus, study.direction, study.segmentation, *training)
    about, files = read_results(path)
    made = reverse.take(RunDirectory(Path(study.run)), *training)
    before = json.loads(files.get(REVERSE_FILE, b"{}"))
    if {name: before.get(name) for name in made} == made:
        return path, False
    write_results(path, about, files | {REVERSE_FILE: reverse.text_of(made | {"commit": commit})})
    return path, True


def write(path: Path, about: Mapping[str, Any], files: Mapping[str, bytes], always: Sequence[str]) -> tuple[Path, bool]:
    """The same path, and whether it is new: not if these results are there already, whatever their commit.

    Of the same results it keeps what of `OF_MODEL` another study has asked for.
    """
    before: dict[str, Any] = {}
    there: dict[str, bytes] = {}
    with suppress(InputError):  # missing or damaged
        before, there = read_results(path, always)
    kept = {name: there[name] for name in OF_MODEL if name in there}
    if before | {"commit": about["commit"]} == about and there == {**kept, **files}:
        return path, False
    same = _of_training(there) == _of_training(files)
    write_results(path, about, {**kept, **files} if same else files)
    return path, True


def _of_training(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if name not in OF_MODEL}
