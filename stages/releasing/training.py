"""The results of one training as a file of `stages.releasing.results_file`, from the folders that stages left."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.errors import InputError
from stages.files.run_directory import MANIFEST, RunDirectory
from stages.releasing import reverse
from stages.releasing.about import code_sums, settings_now, text_now
from stages.releasing.results_file import ALWAYS, OF_TRAINING, read_results, results_path, write_results
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
        files[reverse.FILE] = reverse.text_of(reverse.take(folders, *training))
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
    before = json.loads(files.get(reverse.FILE, b"{}"))
    if {name: before.get(name) for name in made} == made:
        return path, False
    write_results(path, about, files | {reverse.FILE: reverse.text_of(made | {"commit": commit})})
    return path, True


def write(path: Path, about: Mapping[str, Any], files: Mapping[str, bytes], always: Sequence[str]) -> tuple[Path, bool]:
    """The same path, and whether it is new."""
    if _holds(path, about, files, always):
        return path, False
    write_results(path, about, files)
    return path, True


def _holds(path: Path, about: Mapping[str, Any], files: Mapping[str, bytes], always: Sequence[str]) -> bool:
    """Whether these results are there already, whatever their commit, and maybe those of the reverse direction too."""
    try:
        before, same = read_results(path, always)
    except InputError:  # missing or damaged
        return False
    same = {name: data for name, data in same.items() if name != reverse.FILE or name in files}
    return same == files and before | {"commit": about["commit"]} == about
