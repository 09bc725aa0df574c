"""What a run ends with on the terminal: a narrow table, where the report is, and what to run next."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from stages.files.records import read_json
from stages.reporting.outputs import BROWSER_PAGE, METRICS, PAGE
from stages.reporting.ranking import ALIGNER, LONGER, apart
from stages.settings.corpora import DemoSettings
from stages.settings.schema import Params

WIDTH = 80
"""Columns of the table, at most."""

COLUMNS = {"BLEU": ("bleu", ".1f"), "AER": ("aer", ".1f"), "ROT": ("rot", ".2f"), "seconds": ("wall_seconds", ".0f")}
"""Heading -> measure and form. Those of test sets are of their average; seconds are those of training."""

CELL = 8
MISSING, MARK, OF_ALIGNER = "–", "¹", "²"
NEXT = (
    ("make repro STUDY=hansards-en-fr RELEASED=1", "real text, from released results: 8 min"),
    ("make repro STUDY=demo", "54 systems on three times the text: 80 min"),
)
"""Commands after a study on generated text, and how long they take on two cores."""


def ending(params: Params, reports: Path) -> Iterator[str]:
    """The last lines of a run whose report is in the folder of its study below `reports`.

    Raises InputError if its metrics.json cannot be read.
    """
    folder = reports / params.study
    document = read_json(folder / METRICS)
    systems = document["systems"]
    longer = [name for name, why in document["apart"].items() if why == LONGER and name in systems]
    yield from table(systems, longer)
    if longer:
        yield f"{MARK}: trained for longer than the others"
    if any(_of_aligner(name, system) for name, system in systems.items()):
        yield f"{OF_ALIGNER}: AER of its word aligner"
    corpus = params.corpora[params.corpus].corpus
    generated = isinstance(corpus, DemoSettings)
    if generated:
        yield "generated text: it shows mechanisms at work and supports no claim about translation"
    yield ""
    yield f"report: {folder / PAGE}"
    yield f"page: {folder / BROWSER_PAGE}"
    yield "what changed since the last commit:"
    yield f"  dvc metrics diff --targets {folder / METRICS}"
    if generated:
        yield ""
        yield "next, with times on two cores:"
        for command, what in (*_translation(params, systems), *NEXT):
            yield f"  {command}\n      {what}"


def table(systems: Mapping[str, Any], marked: Collection[str] = ()) -> Iterator[str]:
    """A line a system of metrics.json, of at most `WIDTH` columns: means over seeds, and over test sets."""
    room = WIDTH - CELL * len(COLUMNS)
    marks = {
        name: (f" {MARK}" if name in marked else "") + (f" {OF_ALIGNER}" if _of_aligner(name, system) else "")
        for name, system in systems.items()
    }
    widest = min(room, max(len(system["title"]) + len(marks[name]) for name, system in systems.items()))
    yield f"{'System':{widest}}" + "".join(f"{heading:>{CELL}}" for heading in COLUMNS)
    for name, system in systems.items():
        title, left = system["title"], widest - len(marks[name])
        shown = (title if len(title) <= left else f"{title[: left - 1]}…") + marks[name]
        cells = (_cell(_value(system, measure), form) for measure, form in COLUMNS.values())
        yield f"{shown:{widest}}" + "".join(f"{cell:>{CELL}}" for cell in cells)


def _value(system: Mapping[str, Any], measure: str) -> float | None:
    """The average of the test sets where the measure is one of theirs."""
    mean = system["mean"]
    return mean["tests"]["average"].get(measure, mean.get(measure))


def _of_aligner(name: str, system: Mapping[str, Any]) -> bool:
    return apart(name, "aer") == ALIGNER and _value(system, "aer") is not None


def _cell(value: float | None, form: str) -> str:
    return MISSING if value is None else format(value, form)


def _translation(params: Params, systems: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A sentence of the test set through the system that was trained here and has the highest BLEU."""
    here = [name for name in params.trained if name in systems]
    best = max(here, key=lambda name: _value(systems[name], "bleu") or 0.0, default=None)
    if best is not None:
        corpus = params.corpora[params.corpus].corpus
        source = corpus.source if params.direction == "forward" else corpus.target
        command = f"head -1 work/{params.corpus}/corpus/test.{source} | make translate SYSTEM={best} MAP=map.png"
        yield command, "a sentence and its heat map: 15 s"
