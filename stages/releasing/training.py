"""The results of one training as a file of `stages.releasing.results_file`, from the folders that stages left."""

import csv
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.errors import InputError
from stages.files.run_directory import MANIFEST, RunDirectory
from stages.releasing import reverse
from stages.releasing.about import code_sums, require_same_settings, require_same_text, settings_now, text_now
from stages.releasing.results_file import (
    ALWAYS,
    CURVE,
    OF_MODEL,
    OF_TRAINING,
    READ_OUTS_FILE,
    REVERSE_FILE,
    read_results,
    results_path,
    write_results,
)
from stages.releasing.translations import FOLDER, take
from stages.settings.systems import StudySystems

NO_RESULTS = {
    *("wall_seconds", "train_tokens_per_second", "tokens_per_second"),
    *("machine", "versions", "cuda_graphs_switched_off", "recipe", "commit"),
}
"""What JSON and the learning curve say of times, machines and how it was made: the same training has other ones when
it is repeated."""


class OtherResultsError(InputError):
    """Results that reports may rest on are there already, and are not these."""


class Training(NamedTuple):
    """One system with one seed."""

    variant: str
    seed: int


def release(study: StudySystems, training: Training, commit: str, replace: bool = False) -> tuple[Path, bool]:
    """As `write`; those of the first seed, which is the one that reports show, have the attention of the translations
    too."""
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
    path = results_path(study.corpus, study.direction, study.segmentation, *training)
    return write(path, about, files, ALWAYS, replace)


def add_reverse(study: StudySystems, training: Training, commit: str, replace: bool = False) -> tuple[Path, bool]:
    """The same of results that were released before and are taken here, in `study.released`: what its training in the
    reverse direction came to is put to them."""
    path = results_path(study.corpus, study.direction, study.segmentation, *training)
    about, files = read_results(path)
    made = reverse.take(RunDirectory(Path(study.run)), *training) | {"commit": commit}
    return write(path, about, files | {REVERSE_FILE: reverse.text_of(made)}, ALWAYS, replace)


def write(
    path: Path, about: Mapping[str, Any], files: Mapping[str, bytes], always: Sequence[str], replace: bool = False
) -> tuple[Path, bool]:
    """Where the results are, and whether anything is new there.

    The same results keep the times, code and commit that they were released with, and gain files that they lack. Of the
    same training the file keeps what of `OF_MODEL` another study has asked for. Others are replaced if `replace` says
    so.

    Raises:
        OtherResultsError: others are there; they are left.
    """
    before: dict[str, Any] = {}
    there: dict[str, bytes] = {}
    with suppress(InputError):  # missing or damaged
        before, there = read_results(path, always)
    other = [name for name in files if name in there and _results(name, files[name]) != _results(name, there[name])]
    if other and not replace:
        what = f"other results ({', '.join(other)}), on which reports may rest"
        raise OtherResultsError(f"{path} holds {what}; REPLACE=1 replaces it")
    if other:
        of_model = {name: there[name] for name in OF_MODEL if name in there}
        files = {**({} if {*other} & {*OF_TRAINING} else of_model), **files}
    elif there:
        shown = about["translations"] and not before["translations"]
        attention = {name: data for name, data in files.items() if shown and name.startswith(FOLDER)}
        files = {**files, **there, **attention}
        with suppress(InputError):  # of other settings or text: those of today stand from now on
            require_same_settings(path, before, about)
            require_same_text(path, before, about)
            about = before
        about = {**about, "translations": before["translations"] or shown}
    if (about, files) == (before, there):
        return path, False
    write_results(path, about, files)
    return path, True


def _results(name: str, data: bytes) -> Any:
    """What of the file is the same however often the training is repeated on a machine. Translations tell nothing more
    than their counts."""
    if name.startswith(FOLDER):
        return None
    if name.endswith(".json"):
        return _without(json.loads(data))
    if name == CURVE:
        return [_without(row) for row in csv.DictReader(data.decode().splitlines())]
    return data


def _without(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _without(one) for key, one in found.items() if key not in NO_RESULTS}
    return found
