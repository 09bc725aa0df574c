"""What results depend on: by it a report knows whether those of another machine are of its settings and its text."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.files.corpus_record import read_corpus_record
from stages.files.errors import InputError
from stages.settings.params import PARAMS, find, read
from stages.settings.training import AUTO
from stages.settings.variants import variant as definition

OF_CORPUS = ("corpus", "segmentation", "model", "training", "wordalign", "decoding", "score")
OF_MACHINE = ("threads", "save_seconds", "cuda_graphs", "length_multiple")
"""Settings by which no result changes, but for rounding and what dropout draws, in which devices differ anyway."""

ADVICE = "train the system here: move it from `released` to `systems` or `fine_tuned`"
CODE = ("train", "evaluate", "score")
"""The stages whose code the results of a training come from."""


def settings_now(corpus: str, variant: str, seed: int, base: str | None) -> dict[str, Any]:
    """What about.json says of settings, as params.yaml has them: by dotted key, all that results depend on.

    base: the variant that it is initialised from, or whose models it shares.
    """
    content = read()
    own, found = definition(variant, content).on(corpus), _of_variant(variant, corpus, content)
    if own.decoding is not None:
        found[f"variants.{variant}.decoding"] = own.decoding.model_dump()
    if base is not None:
        found |= _of_variant(base, corpus, content)
    keys = [*OF_CORPUS, *(["fine_tuning"] if base is not None else [])]
    found |= {f"corpora.{corpus}.{key}": find(content, f"corpora.{corpus}.{key}") for key in keys}
    return {"variant": variant, "seed": seed, "initialised_from": base, "settings": _of_any_machine(found)}


def _of_variant(variant: str, corpus: str, content: dict[str, Any]) -> dict[str, Any]:
    own = definition(variant, content).on(corpus)
    model = {"arch": own.arch, **({} if own.terms is None else {"terms": own.terms}), **own.options()}
    return {f"variants.{variant}": model, f"variants.{variant}.training": own.training}


def _of_any_machine(settings: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {key: {name: one for name, one in of.items() if name not in OF_MACHINE} for key, of in settings.items()}


def text_now(pieces: Path | None, text: Path) -> dict[str, str | None]:
    """What it says of the text: SHA-256 of all sets, and of the held-out ones in pieces.

    pieces, text: folders of the stages bpe and corpus; None of a system that reads words.
    """
    record = read_corpus_record(text)
    sets = [path for name in ("train", *record.held_out) for path in sorted(text.glob(f"{name}.*"))]
    cut = [f"{name}.{language}" for name in record.held_out for language in record.languages]
    return {"text": _sum(sets), "pieces": None if pieces is None else _sum(pieces / name for name in cut)}


def code_sums(manifest: Path, variant: str, stages: Sequence[str] = CODE) -> dict[str, str]:
    """Of each stage. manifest: folder of the manifest stage."""
    lists = {stage: manifest / stage for stage in stages}
    return {stage: _sum([path / variant if path.is_dir() else path], _code) for stage, path in lists.items()}


def _code(path: Path) -> bytes:
    """The lines of a list of the manifest stage but for versions of packages, by which results are not told apart."""
    return b"".join(line for line in path.read_bytes().splitlines(keepends=True) if b"==" not in line)


def require_same_settings(path: Path, about: Mapping[str, Any], now: Mapping[str, Any], advice: str = ADVICE) -> None:
    """Raise InputError if `about`, of the results at `path`, has other settings than `settings_now`, key by key.

    advice: what to do then.
    """
    for key in ("variant", "seed"):
        if about[key] != now[key]:
            raise InputError(f"{path}: holds {key} {about[key]}, not {now[key]}; restore it with git")
    if about["initialised_from"] != now["initialised_from"]:
        base = about["initialised_from"] or "null"
        raise InputError(f"{PARAMS}: released: {now['variant']} was initialised from {base}; write that there")
    there, base = _of_any_machine(about["settings"]), f"variants.{now['initialised_from']}"
    # What was released before 2026-12 does not say how its base was trained.
    here = {key: one for key, one in now["settings"].items() if key in there or key not in (base, f"{base}.training")}
    if odd := list(_differing(there, here)):
        raise InputError(f"{path}: the results are of other settings ({'; '.join(odd)}); {advice}")


def require_same_text(
    path: Path, about: Mapping[str, Any], now: Mapping[str, str | None], advice: str = ADVICE
) -> None:
    """The same of `text_now`."""
    for key, what in (("text", "text of the corpus"), ("pieces", "pieces of the text")):
        if about[key] != now[key]:
            raise InputError(f"{path}: the results are of another {what} than this machine has; {advice}")


def _differing(there: Any, here: Any, key: str = "") -> Iterable[str]:
    if isinstance(there, dict) and isinstance(here, dict):
        for name in dict.fromkeys([*there, *here]):
            yield from _differing(there.get(name), here.get(name), f"{key}.{name}" if key else str(name))
    elif there != here and here != AUTO:  # which a machine chooses: that of the results has chosen
        yield f"{key}: {there} there, {here} here"


def _sum(paths: Iterable[Path], content: Callable[[Path], bytes] = Path.read_bytes) -> str:
    whole = hashlib.sha256()
    for path in paths:
        try:
            whole.update(f"{path.name} {hashlib.sha256(content(path)).hexdigest()}\n".encode())
        except FileNotFoundError:
            raise InputError(f"{path} is missing; run `dvc repro`") from None
    return whole.hexdigest()
