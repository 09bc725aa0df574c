"""Measures that a user has taken elsewhere, such as COMET, read from `reports/metrics/<study>/<name>.csv`.

Such a file has a score a sentence, and says first what it is and which way is better:

    # signature: unbabel-comet 2.2.2, Unbabel/wmt22-comet-da
    # better: higher
    system,seed,set,score
    ba_nmt,1,test,0.8123

The scores of a system with one seed on one set stand in the order of its sentences.
"""

import csv
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from stages.files.errors import InputError
from stages.files.run_directory import STATISTICAL
from stages.files.text import iter_lines, read_lines
from stages.measures.ratio import ratio
from stages.reporting.metrics import average
from stages.reporting.results import SystemResults
from stages.scoring.catalogue import GROUPS, MEASURES, Measure
from stages.scoring.inputs import Text
from stages.scoring.values import Metrics

NAME = re.compile(r"[a-z][a-z0-9_]*")
COLUMNS = ["system", "seed", "set", "score"]
BETTER: Mapping[str, Literal["high", "low"]] = {"higher": "high", "lower": "low"}
COUNTS = ("sum", "sentences")
GIVEN = "given_metrics"
"""Key of the recipe."""

Run = tuple[str, str, str]
"""System, seed and test set, as the file writes them; a system without seeds has an empty one."""


class GivenMetric(NamedTuple):
    """Of one file. scores: variant -> the scores of every set, for each seed, (N,), of the systems that it has."""

    name: str
    signature: str
    better: Literal["high", "low"]
    scores: Mapping[str, Sequence[Mapping[str, np.ndarray]]]

    @property
    def measure(self) -> Measure:
        """The mean over the sentences."""
        return Measure((self.name,), lambda totals: ratio(totals[..., 0], totals[..., 1]), self.better, "tests")

    def columns(self, variant: str, k: int, test: str) -> dict[str, np.ndarray | float]:
        """Of the k-th seed: what a frame of scores has of this measure; none of a system without it."""
        if variant not in self.scores:
            return {}
        return {f"{self.name}.sum": self.scores[variant][k][test], f"{self.name}.sentences": 1.0}

    def value(self, variant: str, k: int, test: str) -> float | None:
        return float(self.scores[variant][k][test].mean()) if variant in self.scores else None

    @property
    def said(self) -> str:
        """For the recipe."""
        way = {high: word for word, high in BETTER.items()}[self.better]
        return f"{self.signature}; mean over the sentences, {way} is better; scores were taken outside this project"


def read_given(
    folder: Path | None, text: Text, systems: Sequence[str], seeds: Sequence[int], taken: Collection[str] = ()
) -> list[GivenMetric]:
    """Of the files in this folder, by name; none without it.

    taken: names of what the report has of each system already.

    Raises:
        InputError: a file is not as above, has no number, or is not of these systems, all seeds, sets and sentences.
    """
    paths = sorted(folder.glob("*.csv")) if folder and folder.is_dir() else []
    for path in paths:
        if not NAME.fullmatch(path.stem) or path.stem in (*MEASURES, *GROUPS, *taken) or path.stem.endswith("_sd"):
            raise InputError(
                f"{path}: {path.stem!r} cannot name a measure; take another one of small letters, digits and _ that no "
                "measure of the report has, without _sd at its end"
            )
    return [_read(path, text, systems, seeds) for path in paths]


def with_given(systems: Sequence[SystemResults], given: Sequence[GivenMetric], text: Text) -> tuple[SystemResults, ...]:
    """The systems with these measures of every test set, None of one without it."""

    def metrics(variant: str, k: int, before: Metrics) -> Metrics:
        of = {test: {one.name: one.value(variant, k, test) for one in given} for test in text.tests}
        of["average"] = average(list(of.values()))
        tests = {name: values | of.get(name, {}) for name, values in before["tests"].items()}
        return before | of[text.tests[0]] | {"tests": tests}

    return tuple(
        replace(
            system,
            runs=tuple(
                replace(run, metrics=metrics(system.variant, k, run.metrics)) for k, run in enumerate(system.runs)
            ),
        )
        for system in systems
    )


def _read(path: Path, text: Text, systems: Sequence[str], seeds: Sequence[int]) -> GivenMetric:
    lines = iter_lines(path)
    signature, better = _stated(path, lines, 1, "signature"), _stated(path, lines, 2, "better")
    if better not in BETTER:
        raise InputError(f"{path}, line 2: {better!r} is no way; write `# better: higher` or `# better: lower`")
    if (heading := next(lines, "").split(",")) != COLUMNS:
        raise InputError(f"{path}, line 3: the columns are {', '.join(heading)}; write `{','.join(COLUMNS)}`")
    known = {name: _seeds(name, seeds) for name in systems}
    found: dict[Run, list[float]] = {}
    for number, cells in enumerate(csv.reader(lines), start=4):
        run, score = _row(f"{path}, line {number}", cells, known, text)
        found.setdefault(run, []).append(score)
    if not found:
        raise InputError(f"{path}: it has no scores; write a line a sentence below the columns, or remove the file")
    scores = {
        name: _complete(path, name, found, known[name] * (len(seeds) if name in STATISTICAL else 1), text)
        for name in systems
        if any(run[0] == name for run in found)
    }
    return GivenMetric(path.stem, signature, BETTER[better], scores)


def _stated(path: Path, lines: Iterator[str], number: int, key: str) -> str:
    begin, line = f"# {key}:", next(lines, "")
    if not line.startswith(begin) or not (value := line.removeprefix(begin).strip()):
        raise InputError(f"{path}, line {number}: it does not state its {key}; write `{begin} …` there")
    return value


def _seeds(name: str, seeds: Sequence[int]) -> list[str]:
    return [""] if name in STATISTICAL else [str(seed) for seed in seeds]


def _row(where: str, cells: Sequence[str], known: Mapping[str, Sequence[str]], text: Text) -> tuple[Run, float]:
    if len(cells) != len(COLUMNS):
        raise InputError(f"{where}: {len(cells)} columns in the place of {len(COLUMNS)}; write {', '.join(COLUMNS)}")
    system, seed, test, score = cells
    if system not in known:
        raise InputError(f"{where}: {system!r} is no system of this study (they are: {', '.join(known)}); correct it")
    if seed not in known[system]:
        there = ", ".join(known[system]) or "none"
        raise InputError(f"{where}: {system} has no seed {seed!r} in this study (there are: {there}); correct it")
    if test not in text.tests:
        raise InputError(f"{where}: {test!r} is no test set (there are: {', '.join(text.tests)}); correct it")
    try:
        number = float(score)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{where}: {score!r} is no score; score the sentence again, or take {system} off the file")
    return (system, seed, test), number


def _complete(
    path: Path, name: str, found: Mapping[Run, Sequence[float]], seeds: Sequence[str], text: Text
) -> list[dict[str, np.ndarray]]:
    """The scores of each seed, by set."""
    for seed in seeds:
        for test in text.tests:
            run = f"seed {seed}" if seed else "its one run"
            if (name, seed, test) not in found:
                raise InputError(
                    f"{path}: {name} has no scores of {run} on {test}; add them (`make export` writes the "
                    f"translations), or take {name} off the file"
                )
            words, scores = text.folder / f"{test}.{text.target}", len(found[name, seed, test])
            if scores != (sentences := len(read_lines(words))):
                raise InputError(
                    f"{path}: {name} has {scores} scores of {run} on {test}, which has {sentences} sentences "
                    f"({words}); write one a sentence, in their order"
                )
    return [{test: np.array(found[name, seed, test]) for test in text.tests} for seed in seeds]
