"""What the phrase-based system came to, `smt.tar.xz`: one run of it stands for all seeds, and made anew it is another
one on another processor (docs/smt.md)."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stages.files.errors import InputError
from stages.files.run_directory import MANIFEST, RunDirectory
from stages.releasing.about import code_sums, require_same_settings, require_same_text, text_now
from stages.releasing.results_file import read_about, read_results, results_path
from stages.releasing.translations import restore, take
from stages.settings.params import PARAMS, find, read
from stages.settings.systems import Study, StudySystems

OF_CORPUS = ("corpus", "wordalign", "smt", "score")
VOCABULARY = "segmentation"
"""Beside `OF_CORPUS`, it says which words are unknown; what was released before 2026-11-30 has no counts of No UNK, and
does not name it."""
CODE = ("smt", "score_smt")
"""The stages whose code it comes from."""
SCORES = "scores.json"
ADVICE = "have it made here: move it from `released_smt` to `smt`"


def smt_path(study: Study, variant: str) -> Path:
    """Where it lies, from the root of the project."""
    return results_path(study.corpus, study.direction, study.segmentation, variant, None)


def take_smt(study: StudySystems, variant: str, commit: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What its file says of itself, and its other files; of the one that was made here."""
    run, seed = RunDirectory(Path(study.run)), study.seeds[0]
    text = run.of_corpus.text
    files = {path.name: path.read_bytes() for path in run.scores(variant, seed).iterdir()}
    about = {
        **_settings_now(study.corpus, variant),
        **text_now(None, text),
        "code": code_sums(MANIFEST, variant, CODE),
        "commit": commit,
        "translations": True,
    }
    return about, files | take(run.translations(variant, seed), text)


def check_smt(study: Study) -> None:
    """Raise InputError if one that is to be taken is missing or of other settings."""
    for variant in study.released_smt:
        path = smt_path(study, variant)
        if not path.exists():
            raise InputError(f"{PARAMS}: released_smt: there is no {path}; {ADVICE}")
        _require_same_settings(path, read_about(path), study.corpus, variant)


def read_smt(study: StudySystems, variant: str) -> tuple[dict[str, Any], dict[str, bytes], dict[str, Iterator[str]]]:
    """Where it comes from, `results_file.RECORD`; its files of scores; and lines of its translations, both by name.

    Raises InputError: it is missing, damaged, or of other settings or text.
    """
    path, text = smt_path(study, variant), RunDirectory(Path(study.run)).of_corpus.text
    about, files = read_results(path, (SCORES,))
    _require_same_settings(path, about, study.corpus, variant)
    require_same_text(path, about, text_now(None, text), ADVICE)
    record = {"commit": about["commit"], "same_code": about["code"] == code_sums(MANIFEST, variant, CODE)}
    translations = restore(path, files, text, text, study.direction)  # it reads words, and no pieces
    return record, {name: data for name, data in files.items() if "/" not in name}, translations


def _settings_now(corpus: str, variant: str) -> dict[str, Any]:
    content, keys = read(), [f"corpora.{corpus}.{key}" for key in (*OF_CORPUS, VOCABULARY)]
    settings = {key: find(content, key) for key in keys}
    return {"variant": variant, "seed": None, "initialised_from": None, "settings": settings}


def _require_same_settings(path: Path, about: Mapping[str, Any], corpus: str, variant: str) -> None:
    """Results that do not name a vocabulary fit any."""
    now, vocabulary = _settings_now(corpus, variant), f"corpora.{corpus}.{VOCABULARY}"
    if vocabulary not in about["settings"]:
        del now["settings"][vocabulary]
    require_same_settings(path, about, now, ADVICE)
