"""What a claim is measured by, as counts of sentences: of which sets, and what they add up to."""

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from stages.corpora.hansards import LONG_TEST
from stages.files.run_directory import STATISTICAL, RunDirectory
from stages.measures import confusion
from stages.releasing.reverse import sums
from stages.reporting.claims.claims import Words
from stages.reporting.compare_systems import read_runs
from stages.scoring.catalogue import GROUPS, MEASURES, OF_CLAIMS, Measure
from stages.scoring.inputs import Text, lengths
from stages.statistics.crossed import Trainings, jackknife

REVERSE = "perplexity_reverse"
"""Perplexity of dev in the reverse direction."""
REVERSE_SET = "dev, reverse"
AVERAGE, DEV, CONFUSION = "tests.average.", "dev.", "pos_confusion."
LENGTH = f"source.{GROUPS['source'][0]}"
"""Words of the source."""
LEAST = 20
"""Sentences: a corpus measure of fewer is no estimate of another text's."""
KNOWN = "bleu_no_unk"
"""Group of counts that only sentences without unknown words have; its first one says which."""


class AbsentError(ValueError):
    """The study cannot say it; the message says why."""


class TooFewError(AbsentError):
    """The study has the systems, but not the sentences."""


class Sets(NamedTuple):
    """The sets whose mean the measure is of, and how it is made of counts."""

    names: tuple[str, ...]
    measure: Measure


def sets_of(measure: str, text: Text) -> Sets:
    """measure: path of metrics.json below a system, one of `OF_CLAIMS` in such a path, or `REVERSE`.

    Raises:
        AbsentError: the corpus has no gold set.
        KeyError: there is no such measure.
    """
    if measure.startswith(AVERAGE):
        return Sets(text.tests, (MEASURES | OF_CLAIMS)[measure.removeprefix(AVERAGE)])
    if measure.startswith(DEV):
        return Sets(("dev",), MEASURES[measure.removeprefix(DEV)])
    if measure.startswith(CONFUSION):
        return Sets(text.tests[:1], _confusion(*measure.removeprefix(CONFUSION).split(".")))
    if measure == REVERSE:
        return Sets((REVERSE_SET,), MEASURES["perplexity"])
    found = (MEASURES | OF_CLAIMS)[measure]
    if found.sets == "gold" and not text.gold:
        raise AbsentError("the corpus has no gold alignments")
    return Sets(("gold" if found.sets == "gold" else "dev",), found)


def _confusion(target: str, source: str) -> Measure:
    def share(totals: np.ndarray) -> np.ndarray:
        return confusion.of_totals(totals)[target][source]

    return Measure(("confusion",), share, "high" if target == source else None, "tests")


class Counts:
    """The counts of a study's systems, each file read once."""

    def __init__(self, text: Text, run_directory: Path, seeds: Sequence[int], reverse: Collection[str]) -> None:
        self.text, self.seeds = text, seeds
        self._folder, self._reverse = run_directory, reverse
        self._frames: dict[tuple[str, str], Sequence[pd.DataFrame]] = {}
        self._trainings: dict[tuple[str, str, Words | None], Trainings] = {}

    def trainings(self, variant: str, measure: str, words: Words | None) -> Trainings:
        """Of all runs of one system: values (R,), and effects (R, N) of the sentences of all sets together.

        words: of the source, from and to.

        Raises:
            AbsentError: the system has no such counts, or too few sentences are so long.
            InputError: a file of scores is missing or does not fit.
        """
        place = variant, measure, words
        if place not in self._trainings:
            sets = sets_of(measure, self.text)
            chosen = self._chosen(variant, sets, words)
            each = [self._of_set(variant, name, sets.measure, chosen[name]) for name in sets.names]
            share = 1 / sum(one.any() for one in chosen.values())
            self._trainings[place] = Trainings(
                share * sum((found.values for found in each), np.zeros(())),
                share * np.concatenate([found.effects for found in each], axis=1),
            )
        return self._trainings[place]

    def sentences(self, measure: str, variant: str, words: Words | None) -> int:
        """How many the measure is of; of that system, as of any."""
        return sum(int(one.sum()) for one in self._chosen(variant, sets_of(measure, self.text), words).values())

    def has_reverse(self, variant: str) -> bool:
        """Whether the system is trained in the reverse direction, with every seed."""
        try:
            self._read(variant, REVERSE_SET)
        except AbsentError:
            return False
        return True

    def _chosen(self, variant: str, sets: Sets, words: Words | None) -> dict[str, np.ndarray]:
        """Set -> (N,) truth values: the sentences that the measure is of.

        A corpus with long sentences in a set of their own has no set of all lengths: there, those that lack such
        sentences are left out. Elsewhere sets are of different text, and none is.
        """
        found = {}
        for name in sets.names:
            frames = self._read(variant, name)
            if any(column not in frame for frame in frames for group in _columns(sets.measure) for column in group):
                raise AbsentError(f"{variant} has no such counts")
            found[name] = _of_length(frames[0], words)
            if KNOWN in sets.measure.groups:
                found[name] &= frames[0][f"{KNOWN}.{GROUPS[KNOWN][0]}"].to_numpy() > 0
        few = [name for name in sets.names if found[name].sum() < LEAST]
        if few and (words is None or LONG_TEST not in sets.names or len(few) == len(found)):
            of = "" if words is None else f" of {_length(words)}"
            of += " without unknown words" if KNOWN in sets.measure.groups else ""
            raise TooFewError(f"{int(found[few[0]].sum())} sentences{of} in the set {few[0]} are too few")
        return found | {name: np.zeros_like(found[name]) for name in few}

    def _of_set(self, variant: str, name: str, measure: Measure, chosen: np.ndarray) -> Trainings:
        """chosen: (N,) truth values; without any sentence it adds nothing."""
        frames, columns = self._read(variant, name), _columns(measure)
        effects = np.zeros((len(frames), len(chosen)))
        if not chosen.any():
            return Trainings(np.zeros(len(frames)), effects)
        try:
            runs = [
                jackknife([frame[group].to_numpy()[chosen] for group in columns], measure.value) for frame in frames
            ]
        except ValueError:
            raise AbsentError(f"{variant} has no value of it") from None
        effects[:, chosen] = np.concatenate([run.effects for run in runs])
        return Trainings(np.concatenate([run.values for run in runs]), effects)

    def _read(self, variant: str, name: str) -> Sequence[pd.DataFrame]:
        """A frame a seed."""
        place = variant, name
        if place not in self._frames:
            read = self._read_reverse if name == REVERSE_SET else partial(self._read_scores, name)
            self._frames[place] = read(variant)
        return self._frames[place]

    def _read_scores(self, name: str, variant: str) -> Sequence[pd.DataFrame]:
        seeds = self.seeds[:1] if variant in STATISTICAL else self.seeds
        found = read_runs(self.text, name, self._folder, [variant], seeds)[variant]
        if LENGTH not in found[0]:  # of a gold set that was scored before its lengths were counted
            found = [frame.assign(**{LENGTH: lengths(self.text, name)[:, 0]}) for frame in found]
        return [found[0]] * len(self.seeds) if variant in STATISTICAL else found

    def _read_reverse(self, variant: str) -> Sequence[pd.DataFrame]:
        run = RunDirectory(self._folder)
        each = [sums(run, variant, seed, variant in self._reverse) for seed in self.seeds]
        if any(found is None for found in each):
            raise AbsentError(f"{variant} is not trained in the reverse direction")
        columns = [f"perplexity.{field}" for field in GROUPS["perplexity"]]
        return [pd.DataFrame(found, columns=columns) for found in each]


def _columns(measure: Measure) -> list[list[str]]:
    """A list a group."""
    return [[f"{group}.{field}" for field in GROUPS[group]] for group in measure.groups]


def _of_length(frame: pd.DataFrame, words: Words | None) -> np.ndarray:
    """(N,) truth values."""
    if words is None:
        return np.ones(len(frame), bool)
    each, (low, high) = frame[LENGTH].to_numpy(), words
    return (each >= low) & (each <= (high or np.inf))


def _length(words: Words) -> str:
    low, high = words
    return f"{low} words and more" if high is None else f"{low} to {high} words"
