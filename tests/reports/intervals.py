"""The interval of a claim as docs/claims.md has it "in full", from the counts of the sentences in reports/released.

After a program by somebody who had read that page and none of stages/. Nothing here knows what it is compared with.
"""

import json
import tarfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from tests.reports.measures import MEASURES

Words = tuple[int, int | None] | None
"""The lengths of the source sentences that are measured; None: any."""

OF_SETS, OF_DEV = "tests.average.", "dev."
FORCED = ("perplexity", "coverage_left", "coverage_taken", "coverage_fertility")
"""Measures of dev under forced decoding."""
REVERSE = "reverse"
"""As a set: dev in the direction from target to source."""
LEVEL = 0.05
LONG = "long"
"""A test set of long sentences. Beside it, only sets with at least `ENOUGH` sentences of the claimed lengths count."""
ENOUGH = 20
ONCE = "smt"
"""Made once: its run stands for one with every seed."""


class Interval(NamedTuple):
    """Of 95 % and, from low_90 to high_90, of 90 %; p: two-sided."""

    difference: float
    low: float
    high: float
    df_seeds: float
    df: float
    p: float
    low_90: float
    high_90: float


class Asked(NamedTuple):
    """What is measured: of some sets, the mean over them; beside: lengths whose value is taken away; less: the measure
    by which it is taken away."""

    measure: str
    words: Words = None
    beside: Words = None
    less: str | None = None


class Runs(NamedTuple):
    """Of a system or a sum of systems: values (R,), and effects (R, N), what each sentence adds to them."""

    values: np.ndarray
    effects: np.ndarray


class Variance(NamedTuple):
    """Of the value of one run, known with df degrees of freedom."""

    value: float
    df: float
    pooled: bool = False


class Study:
    """The released results of these systems and seeds in `folder`; sets: the test sets of the corpus in their order."""

    def __init__(self, folder: Path, sets: Sequence[str], systems: Collection[str], seeds: Sequence[int]):
        self.sets = tuple(sets)
        self.files: dict[str, list[dict[str, bytes]]] = {}
        for path in sorted(one for one in folder.glob("*.tar.xz") if not one.name.endswith(".model.tar.xz")):
            name, _, seed = path.name.removesuffix(".tar.xz").rpartition("-")
            if (name or ONCE) not in systems or (name and int(seed) not in seeds):
                continue
            with tarfile.open(path) as tar:
                files = {
                    m.name: tar.extractfile(m).read()
                    for m in tar
                    if m.name in ("about.json", f"{REVERSE}.json") or m.name.endswith(".csv")
                }
            self.files.setdefault(name or ONCE, []).append(files)
        if ONCE in self.files:
            self.files[ONCE] *= max(map(len, self.files.values()))
        self.bases = {name: json.loads(runs[0]["about.json"])["initialised_from"] for name, runs in self.files.items()}
        self.table = cache(self._table)
        self.runs = cache(self._runs)
        self.pool = cache(self._pool)

    def interval(self, systems: Mapping[str, int], asked: Asked) -> Interval:
        """Of the sum of the systems, each times its coefficient."""
        units = [self._unit(unit, systems, asked) for unit in self._units(systems)]
        effects = [runs.effects for runs, _ in units]
        each = [len(runs.values) for runs, _ in units]
        of_sentences = float((sum(one.mean(0) for one in effects) ** 2).sum())
        rest = sum(float(one.var(0, ddof=1).sum()) / R for one, R in zip(effects, each, strict=True))
        parts = [spread._replace(value=spread.value / R) for (_, spread), R in zip(units, each, strict=True)]
        of_seeds, df_seeds = _sum(parts)
        variance = max(of_sentences + of_seeds - rest, rest)
        known = of_seeds**2 / df_seeds + of_sentences**2 / (effects[0].shape[1] - 1)
        difference, error, df = sum(float(runs.values.mean()) for runs, _ in units), variance**0.5, np.inf
        if variance:
            df = max(1.0, variance**2 / known)
        wide, narrow = (stats.t.ppf(quantile, df) * error for quantile in (0.975, 0.95))
        p = 2 * stats.t.sf(abs(difference) / error, df) if error else float(difference == 0)
        ends = (difference - wide, difference + wide), (difference - narrow, difference + narrow)
        return Interval(difference, *ends[0], df_seeds, df, p, *ends[1])

    def mean(self, system: str, asked: Asked) -> float | None:
        """Of its runs; None: it lacks the measure."""
        values = self._values(system, asked)
        return None if values is None else float(values.mean())

    def fewest(self, system: str, asked: Asked) -> int | None:
        """Sentences of the claimed lengths in the set, among those that count, that has the fewest; 0 if none counts;
        None: it has no such counts."""
        try:
            measure, sets = self._where(asked.measure)
            ranges = [asked.words, *([asked.beside] if asked.beside else [])]
            each = [[len(one) for one in self._sets(system, 0, sets, measure, words)] for words in ranges]
            return min(min(one, default=0) for one in each)
        except KeyError:
            return None

    def _units(self, systems: Iterable[str]) -> list[list[str]]:
        """Fine-tuned systems of one base and, if it is there, that base; every other system by itself."""
        units: dict[str, list[str]] = {}
        for name in systems:
            units.setdefault(self.bases[name] or name, []).append(name)
        return list(units.values())

    def _unit(self, unit: Sequence[str], systems: Mapping[str, int], asked: Asked) -> tuple[Runs, Variance]:
        runs = [self.runs(name, asked) for name in unit]
        values = sum(systems[name] * one.values for name, one in zip(unit, runs, strict=True))
        effects = sum(systems[name] * one.effects for name, one in zip(unit, runs, strict=True))
        spread = _own(values)
        if len(unit) == 1 and (pooled := self.pool(asked).get(unit[0])):
            spread = pooled._replace(value=systems[unit[0]] ** 2 * pooled.value)
        return Runs(values, effects), spread

    def _pool(self, asked: Asked) -> dict[str, Variance]:
        """Of every system: the variance of those that are trained from scratch, or its own if that is larger."""
        own = {}
        for name in self.bases:
            if name != ONCE and (values := self._values(name, asked)) is not None:
                own[name] = _own(values)
        members = [name for name in own if self.bases[name] is None]
        if len(members) < 2:
            return own
        while len(members) > 2:
            chances = {name: _chance(own[name], [own[other] for other in members if other != name]) for name in members}
            least = min(chances, key=chances.get)
            if chances[least] >= LEVEL / len(members):
                break
            members.remove(least)
        found = {}
        for name, one in own.items():
            others = [own[other] for other in members if other != name]
            keeps = _chance(one, others) < LEVEL
            found[name] = one if keeps else _mean([own[other] for other in members])
        return found

    def _values(self, name: str, asked: Asked) -> np.ndarray | None:
        """None: the system lacks the measure."""
        try:
            values = self.runs(name, asked).values
        except (KeyError, ValueError):
            return None
        return values if np.isfinite(values).all() else None

    def _runs(self, name: str, asked: Asked) -> Runs:
        if asked.less:
            both = [self.runs(name, Asked(measure, asked.words)) for measure in (asked.measure, asked.less)]
            return Runs(both[0].values - both[1].values, both[0].effects - both[1].effects)
        measure, sets = self._where(asked.measure)
        value = MEASURES[measure].value
        values, effects = [], []
        for run in range(len(self.files[name])):
            whole, added = 0.0, []
            for words, sign in ((asked.words, 1), *([(asked.beside, -1)] if asked.beside else [])):
                counted = self._sets(name, run, sets, measure, words)
                for counts in counted:
                    number, total = len(counts), counts.sum(0)
                    of_all, without = float(value(total)), value(total - counts)
                    effect = (number - 1) / number * (of_all - without)
                    scale = sign / len(counted)
                    whole += scale * of_all
                    added.append(scale * (number / (number - 1)) ** 0.5 * (effect - effect.mean()))
            values.append(whole)
            effects.append(np.concatenate(added))
        return Runs(np.array(values), np.array(effects))

    def _where(self, measure: str) -> tuple[str, Sequence[str]]:
        """The measure's name, and of which sets it is the mean."""
        if measure == f"perplexity_{REVERSE}":
            return "perplexity", (REVERSE,)
        for start, sets in ((OF_SETS, self.sets), (OF_DEV, ("dev",))):
            if measure.startswith(start):
                return measure.removeprefix(start), sets
        first = self.sets[:1] if measure.startswith("pos_") else ("dev",) if measure in FORCED else ("gold",)
        return measure, first

    def _sets(self, name: str, run: int, sets: Sequence[str], measure: str, words: Words) -> list[np.ndarray]:
        """The counts of each set that is in the mean."""
        counts = [self._counts(name, run, one, measure, words) for one in sets]
        return [one for one in counts if len(one) >= ENOUGH] if words and LONG in sets else counts

    def _counts(self, name: str, run: int, of: str, measure: str, words: Words) -> np.ndarray:
        table = self.table(name, run, of)
        if words:
            lengths = (table if "source.words" in table else self.table(ONCE, 0, of))["source.words"]
            table = table[lengths.between(words[0], words[1] or np.inf)]
        if measure == "bleu_no_unk":
            table = table[table["bleu_no_unk.sentences"] == 1]
        return table[list(MEASURES[measure].columns)].to_numpy(float)

    def _table(self, name: str, run: int, of: str) -> pd.DataFrame:
        files = self.files[name][run]
        if of == REVERSE:
            return pd.DataFrame(json.loads(files[f"{REVERSE}.json"])["sums"], columns=MEASURES["perplexity"].columns)
        return pd.read_csv(BytesIO(files[f"{of}.csv"]))


def _own(values: np.ndarray) -> Variance:
    return Variance(float(values.var(ddof=1)), len(values) - 1)


def _mean(variances: Sequence[Variance]) -> Variance:
    df = sum(one.df for one in variances)
    return Variance(sum(one.df * one.value for one in variances) / df, df, pooled=True)


def _chance(one: Variance, others: Sequence[Variance]) -> float:
    """Of a variance as large beside the others'."""
    mean = _mean(others)
    return float(stats.f.sf(one.value / mean.value, one.df, mean.df)) if mean.value else float(one.value == 0)


def _sum(parts: Sequence[Variance]) -> tuple[float, float]:
    """Its degrees of freedom are Satterthwaite's, where what is of the pool is one part."""
    pooled = [one for one in parts if one.pooled]
    alone = [one for one in parts if not one.pooled]
    together = [*alone, *([Variance(sum(one.value for one in pooled), pooled[0].df)] if pooled else [])]
    total = sum(one.value for one in together)
    return total, total**2 / sum(one.value**2 / one.df for one in together) if total else together[0].df
