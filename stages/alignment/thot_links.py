"""The links of the gold pairs by the models of Thot, aligned together with the training text."""

from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from stages.alignment import pharaoh, thot
from stages.alignment.symmetrise import grow_diag_final_and
from stages.files.corpus_record import CorpusRecord
from stages.files.links import Link
from stages.files.text import iter_parallel, write_lines
from stages.settings.smt import Aligner
from stages.text.languages import lower_case

DIRECTIONS = ("forward", "reverse", "gdfa", "intersection")
METHODS = tuple(f"{model}_{method}" for model in thot.Model._fields for method in DIRECTIONS)
SETS = ("train", "dev", "gold")
"""One text, as for eflomal."""


def align_gold(text: Path, corpus: CorpusRecord, settings: Aligner, folder: Path) -> dict[str, Any]:
    """Write `gold.<method>` of every method, in the corpus's own direction, into `folder`; -> what the links depend on.

    Raises:
        InputError: Thot is missing or fails, or a file of the corpus is missing or does not fit.
    """
    read = {name: _pairs(text, corpus, name) for name in SETS}
    pairs = list(chain.from_iterable(read.values()))
    print(f"aligning the words of {', '.join(SETS)} with {thot.PACKAGE}", flush=True)
    models = thot.train(pairs, settings), thot.train([(target, source) for source, target in pairs], settings)
    for model, forward, reverse in zip(thot.Model._fields, *models, strict=True):
        found = [_each(forward, reverse, *pair) for pair in read["gold"]]
        for method, links in zip(DIRECTIONS, zip(*found, strict=True), strict=True):
            write_lines(folder / f"gold.{model}_{method}", map(pharaoh.write, links))
    return {
        "program": thot.release(),
        "model": f"{settings.ibm1} x IBM 1, then {settings.hmm} x HMM that begins with its lexicon",
        **settings.model_dump(include={"null_prior", "lexical_smoothing", "jump_smoothing"}),
        "text": f"as above ({len(pairs):,} pairs)",
    }


def _pairs(text: Path, corpus: CorpusRecord, name: str) -> list[tuple[list[str], list[str]]]:
    paths = (text / f"{name}.{corpus.source}", text / f"{name}.{corpus.target}")
    lower_source, lower_target = map(lower_case, corpus.languages)
    return [
        (lower_source(source).split(" "), lower_target(target).split(" ")) for source, target in iter_parallel(*paths)
    ]


def _each(forward: Any, reverse: Any, source: Sequence[str], target: Sequence[str]) -> tuple[Collection[Link], ...]:
    """Links of `DIRECTIONS`, source word first."""
    one = thot.links(forward, source, target)
    other = [(j, i) for i, j in thot.links(reverse, target, source)]
    return one, other, grow_diag_final_and(one, other), set(one) & set(other)
