"""What a run ends with on the terminal: a narrow table, where the report is, and what to run next."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from stages.files.records import read_json
from stages.reporting.outputs import BROWSER_PAGE, METRICS, PAGE
from stages.reporting.ranking import ALIGNER, ENSEMBLE, LONGER, apart
from stages.settings.corpora import DemoSettings
from stages.settings.schema import Params

WIDTH = 80
"""Columns of the table, at most."""

COLUMNS = {"BLEU": ("bleu", ".1f"), "AER": ("aer", ".1f"), "ROT": ("rot", ".2f"), "seconds": ("wall_seconds", ".0f")}
"""Heading -> measure and form. Those of test sets are of their average; seconds are those of training."""

CELL = 8
MISSING = "–"
MARKS = {
    LONGER: ("¹", "trained for longer than the others"),
    ALIGNER: ("²", "AER of its word aligner"),
    ENSEMBLE: ("³", "an ensemble of models"),
}
"""Why values do not compete -> its mark, and what that means."""
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
    yield from table(systems, document["apart"])
    found = {why for name, system in systems.items() for why in _reasons(name, system, document["apart"])}
    yield from (f"{mark}: {meaning}" for why, (mark, meaning) in MARKS.items() if why in found)
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


def table(systems: Mapping[str, Any], why: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """A line a system of metrics.json, of at most `WIDTH` columns: means over seeds, and over test sets.

    why: `apart` of metrics.json.
    """
    room = WIDTH - CELL * len(COLUMNS)
    marks = {
        name: "".join(f" {MARKS[reason][0]}" for reason in _reasons(name, system, why))
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


def _reasons(name: str, system: Mapping[str, Any], why: Mapping[str, str]) -> list[str]:
    """Why values of a system in the table do not compete: keys of `MARKS`."""
    there = [measure for measure, _ in COLUMNS.values() if _value(system, measure) is not None]
    found = {apart(name, measure, why.get(name, "")) for measure in there}
    return [reason for reason in MARKS if reason in found]


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
