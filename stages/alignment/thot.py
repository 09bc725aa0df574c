"""Thot's word aligners (Ortiz-Martínez & Casacuberta 2014; SIL's fork, package sil-thot): IBM model 1 and the HMM.

The package has wheels for Linux on x86-64 only; `missing` says so elsewhere. It is native code and believes what it is
given, so words that mean something to it are escaped, and what it returns is checked here.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

import numpy as np

from stages.files.errors import InputError
from stages.files.links import Link
from stages.settings.smt import Aligner

PACKAGE = "sil-thot"
MISSING = f"{PACKAGE} is not installed (it has wheels for Linux on x86-64 only)"
REBUILD = (
    "install it anew: .venv/bin/python -m pip install --no-deps --force-reinstall -c requirements.lock "
    f"{PACKAGE}; or do without: .venv/bin/python -m pip uninstall {PACKAGE}"
)
ESCAPE = "\\"
RESERVED = frozenset({"|||", "({", "})", "<s>", "</s>", "<unk>", "<sp_sym1>", "NULL", "UNKNOWN_WORD", "<UNUSED_WORD>"})
LONGEST = 200
"""Words of a sentence: Thot has no result for a longer one."""

Pairs = Sequence[tuple[Sequence[str], Sequence[str]]]
"""Words of both sides."""


@cache
def missing() -> str | None:
    """Why there is no Thot on this machine; None if there is.

    Raises:
        InputError: it is installed and does not load: nobody is to take that for a machine without it.
    """
    try:
        version(PACKAGE)
    except PackageNotFoundError:
        return MISSING
    try:
        import_module("thot.alignment")
    except ImportError as error:
        raise InputError(f"{PACKAGE} is installed and does not load ({error}); {REBUILD}") from None
    return None


def release() -> str:
    """Name and version."""
    return f"{PACKAGE} {version(PACKAGE)}"


def library(name: str) -> Any:
    """Its module `thot.<name>`.

    Raises:
        InputError: it is missing, or does not load.
    """
    if why := missing():
        raise InputError(f"{why}; take smt off `smt` in params.yaml")
    return import_module(f"thot.{name}")


def escape(words: Iterable[str]) -> list[str]:
    """Words that mean nothing to Thot; `unescape` gives the words back."""
    return [ESCAPE + word if word in RESERVED or word.startswith(ESCAPE) else word for word in words]


def unescape(words: Iterable[str]) -> list[str]:
    return [word.removeprefix(ESCAPE) for word in words]


class Model(NamedTuple):
    """ibm1, hmm: of one direction, p(target | source): every target word takes at most one source word."""

    ibm1: Any
    hmm: Any


def train(pairs: Pairs, settings: Aligner) -> Model:
    """Both models of `pairs`, those with an empty side or more than `LONGEST` words left out."""
    thot = library("alignment")
    ibm1 = thot.Ibm1AlignmentModel()
    for source, target in pairs:
        if 0 < len(source) <= LONGEST and 0 < len(target) <= LONGEST:
            ibm1.add_sentence_pair(escape(source), escape(target))
    if not ibm1.num_sentence_pairs:
        raise InputError(f"there is no sentence pair of at most {LONGEST} words to align; check the corpus")
    _iterate(ibm1, settings.ibm1)
    hmm = thot.HmmAlignmentModel(ibm1)
    hmm.hmm_p0 = settings.null_prior
    hmm.lexical_smoothing_factor = settings.lexical_smoothing
    hmm.hmm_alignment_smoothing_factor = settings.jump_smoothing
    _iterate(hmm, settings.hmm)
    return Model(ibm1, hmm)


def _iterate(model: Any, times: int) -> None:
    model.start_training()
    for _ in range(times):
        model.train()
    model.end_training()


def links(model: Any, source: Sequence[str], target: Sequence[str]) -> list[Link]:
    """(source position, target position) of the best alignment by one of the models; none for too long a pair."""
    if max(len(source), len(target)) > LONGEST:
        return []
    _, matrix = model.get_best_alignment(escape(source), escape(target))
    if (matrix.row_length, matrix.column_length) != (len(source), len(target)):
        raise InputError(f"{release()} lost words of a sentence pair; install the locked version")
    return [(int(j), int(i)) for j, i in np.argwhere(matrix.to_numpy())]
