"""What results depend on: by it a report knows whether those of another machine are of its settings and its text."""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from stages.files.corpus_record import read_corpus_record
from stages.files.errors import InputError
from stages.settings.params import PARAMS, find

OF_VARIANT = ("model", "training")
OF_CORPUS = ("corpus", "segmentation", "model", "training", "wordalign", "decoding", "score")
OF_MACHINE = ("threads", "save_seconds")
"""Settings by which no result changes, but for rounding."""

CODE = ("train", "evaluate", "score")
"""The stages whose code results come from."""


def settings_of(content: Mapping[str, Any], corpus: str, variant: str, fine_tuned: bool) -> dict[str, Any]:
    """Dotted key of params.yaml -> what stands there, of all that the results of a variant on a corpus depend on.

    content: of params.yaml.
    """
    keys = [f"variants.{variant}.{key}" for key in OF_VARIANT] + [f"corpora.{corpus}.{key}" for key in OF_CORPUS]
    if fine_tuned:
        keys.append(f"corpora.{corpus}.fine_tuning")
    found = {key: find(content, key) for key in keys}
    return {key: {name: each for name, each in value.items() if name not in OF_MACHINE} for key, value in found.items()}


def text_sum(folder: Path) -> str:
    """SHA-256 of all sets of the corpus stage's folder."""
    record = read_corpus_record(folder)
    named = [path for name in ("train", *record.held_out) for path in sorted(folder.glob(f"{name}.*"))]
    return _sum(named)


def pieces_sum(pieces: Path, text: Path) -> str:
    """SHA-256 of the held-out sets in pieces. pieces: folder of the bpe stage; text: of the corpus stage."""
    record = read_corpus_record(text)
    return _sum(pieces / f"{name}.{language}" for name in record.held_out for language in record.languages)


def code_sums(manifest: Path, variant: str) -> dict[str, str]:
    """Of each stage of `CODE`. manifest: folder of the manifest stage."""
    lists = {stage: manifest / stage for stage in CODE}
    return {stage: _sum([path / variant if path.is_dir() else path]) for stage, path in lists.items()}


def require_same(path: Path, about: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Raise InputError if `about`, of the results at `path`, says otherwise than `expected`, key by key."""
    advice = "train the system here: move it from `released` to `rows` or `fine_tuned`"
    for key in ("variant", "seed"):
        if about[key] != expected[key]:
            raise InputError(f"{path}: holds {key} {about[key]}, not {expected[key]}; restore it with git")
    if about["initialised_from"] != expected["initialised_from"]:
        base = about["initialised_from"] or "null"
        raise InputError(f"{PARAMS}: released: {expected['variant']} was initialised from {base}; write that there")
    if odd := list(_differing(about["settings"], expected["settings"])):
        raise InputError(f"{path}: the results are of other settings ({'; '.join(odd)}); {advice}")
    for key, what in (("text", "text of the corpus"), ("pieces", "pieces of the text")):
        if about[key] != expected[key]:
            raise InputError(f"{path}: the results are of another {what} than this machine has; {advice}")


def _differing(there: Any, here: Any, key: str = "") -> Iterable[str]:
    if isinstance(there, dict) and isinstance(here, dict):
        for name in dict.fromkeys([*there, *here]):
            yield from _differing(there.get(name), here.get(name), f"{key}.{name}" if key else str(name))
    elif there != here:
        yield f"{key}: {there} there, {here} here"


def _sum(paths: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    for path in paths:
        try:
            whole.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        except FileNotFoundError:
            raise InputError(f"{path} is missing; run `dvc repro`") from None
    return whole.hexdigest()
