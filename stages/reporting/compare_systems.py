"""From the counts of every sentence to which differences between systems are more than chance."""

import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from stages.files.errors import InputError
from stages.files.run_directory import STATISTICAL, RunDirectory
from stages.files.text import check_counts, read_lines, reading
from stages.reporting.given_metrics import COUNTS, GivenMetric
from stages.reporting.measure_names import NAMES
from stages.reporting.ranking import WHOLLY
from stages.scoring.catalogue import COMPARED, Measure
from stages.scoring.inputs import Text
from stages.settings.comparison import CompareSettings
from stages.settings.params import PARAMS
from stages.settings.systems import origin
from stages.statistics.opponents import comparisons
from stages.statistics.resampling import SeedRuns, SystemPair, values
from stages.statistics.sign_test import normal_interval, sign_test, signs

BETTER_THAN_BASELINE, BETTER_THAN_RIVALS = "‡", "⋆"
"""The marks of Xue et al. (2019), Table 2."""

SIGN_TEST_OF = "bleu"

Runs = Mapping[str, Sequence[pd.DataFrame]]
"""Variant -> the scores on one set, a frame of one line a sentence for each seed."""

Groups = Mapping[str, Sequence[str]]
"""Group of counts -> their names: the columns are `<group>.<name>`."""


def compare(
    text: Text,
    run_directory: Path,
    variants: Sequence[str],
    seeds: Sequence[int],
    settings: CompareSettings,
    measures: Mapping[str, Measure],
    groups: Groups,
    unmarked: Collection[str] = (),
    given: Sequence[GivenMetric] = (),
    bases: Mapping[str, str] = MappingProxyType({}),
    ensembles: Collection[str] = (),
) -> dict[str, Any]:
    """Every variant against the baseline and the rivals, ready for JSON.

    {"settings", "left_out": rivals that the study lacks, "sets": {set: {measure: {variant: {"baseline": comparison,
    "rivals": {rival: comparison}, "marks"}}}}}. A comparison has the fields of `Comparison` and, for BLEU, `sign`.
    None stands for a variant without the measure, and for a comparison with itself or with a system without it.
    unmarked: variants whose difference has another cause too, a longer training or several models: they are compared,
    and have no marks.
    given: further measures of the test sets. bases: as `StudySpec.fine_tuned`. ensembles: as there.

    Raises:
        InputError: the study lacks the baseline, or a file of scores is missing or does not fit.
    """
    if settings.baseline not in variants:
        raise InputError(
            f"{PARAMS}: compare.baseline: {settings.baseline} is not a system of this study; name one of "
            f"{', '.join(variants)}"
        )
    rivals = [name for name in settings.rivals if name in variants]
    measures = {**measures, **{one.name: one.measure for one in given}}
    groups = {**groups, **{one.name: COUNTS for one in given}}
    rest = (settings, seeds[0], unmarked, bases, ensembles)
    sets: dict[str, Any] = {}
    for name in [*text.tests, *text.gold_set]:
        kind = "gold" if name == "gold" else "tests"
        # A word aligner's links, where many may stand for a word, compete with no attention.
        compete = [one for one in variants if kind == "tests" or one not in STATISTICAL]
        runs = read_runs(text, name, run_directory, compete, seeds)
        if kind == "tests":
            runs = {one: [_with(given, one, k, name, f) for k, f in enumerate(runs[one])] for one in compete}
        sets[name] = {
            measure: _entries(_systems(runs, of, groups), variants, rivals, measure, of, *rest)
            for measure, of in measures.items()
            if of.sets == kind
        }
    return {
        "settings": settings.model_dump(),
        "left_out": [name for name in settings.rivals if name not in rivals],
        "sets": sets,
    }


def _with(given: Sequence[GivenMetric], variant: str, k: int, name: str, frame: pd.DataFrame) -> pd.DataFrame:
    """The frame of the k-th seed on a test set with what is given of it."""
    more = {key: value for one in given for key, value in one.columns(variant, k, name).items()}
    return pd.concat([frame, pd.DataFrame(more)], axis=1) if more else frame


def compared_how(
    settings: CompareSettings, variants: Sequence[str], unmarked: Mapping[str, str], given: Sequence[str]
) -> str:
    """What the marks of a table mean; unmarked: those of `compare` -> a key of `WHOLLY`; given: names of further
    measures."""
    rivals = [name for name in settings.rivals if name in variants]
    tested = ", ".join([*(NAMES[name] for name in COMPARED), *given])
    against = f"; {BETTER_THAN_RIVALS} better than {' and '.join(rivals)}" if rivals else ""
    without = " and ".join(systems for why, systems in WHOLLY.items() if why in unmarked.values())
    return (
        f"{BETTER_THAN_BASELINE} better than {settings.baseline}{against}: approximate randomisation, "
        f"{settings.resamples:,} resamples of the sentences, p at most {settings.level:g} after Holm's correction for "
        f"all rows of the table; tested are {tested}, nothing else has marks; about these trained systems, not about "
        "other trainings (see differences.md)" + (f"; {without} have no mark" if without else "")
    )


def _entries(
    systems: Mapping[str, SeedRuns],
    variants: Sequence[str],
    rivals: Sequence[str],
    name: str,
    measure: Measure,
    settings: CompareSettings,
    first_seed: int,
    unmarked: Collection[str],
    bases: Mapping[str, str],
    ensembles: Collection[str],
) -> dict[str, Any]:
    """What the report shows of each variant by one measure on one set."""
    opponents, how = [settings.baseline, *rivals], (settings.resamples, settings.seed, settings.level)
    origins = {name: origin(name, bases) for name in systems}
    found = comparisons(systems, opponents, measure.value, *how, origins, ensembles)
    shown = {pair: _plain(comparison._asdict()) for pair, comparison in found.items()}
    if name == SIGN_TEST_OF:
        for system, opponent in found:
            sign = _sign(systems[system], systems[opponent], measure)
            shown[system, opponent]["sign"] = {"seed": first_seed, **sign}
    way = 1 if measure.better == "high" else -1
    better = {pair for pair, of in found.items() if way * of.difference > 0 and of.p_holm <= settings.level}
    return {
        variant: {
            "baseline": shown.get((variant, settings.baseline)),
            "rivals": {rival: shown.get((variant, rival)) for rival in rivals},
            "marks": "" if variant in unmarked else _marks(variant, settings.baseline, rivals, better),
        }
        if variant in systems
        else None
        for variant in variants
    }


def _marks(variant: str, baseline: str, rivals: Sequence[str], better: set[SystemPair]) -> str:
    """‡ better than the baseline, ⋆ better than every rival there is."""
    marks = BETTER_THAN_BASELINE if (variant, baseline) in better else ""
    if rivals and all((variant, rival) in better for rival in rivals):
        marks += BETTER_THAN_RIVALS
    return marks


def _sign(system: SeedRuns, opponent: SeedRuns, measure: Measure) -> dict[str, Any]:
    """Collins' sign test of the first runs: it knows no second one. Intervals: of better / (better + worse)."""
    counts = signs(system[0], opponent[0], measure.value)
    better, worse = counts.better, counts.worse
    return _plain(
        {
            "better": better,
            "worse": worse,
            "p": sign_test(better, worse),
            "interval_95": normal_interval(better, worse, 0.95),
            "interval_99": normal_interval(better, worse, 0.99),
        }
    )


def _plain(record: Mapping[str, Any]) -> dict[str, Any]:
    """None for nan, which JSON does not have."""

    def plain(value: Any) -> Any:
        if isinstance(value, tuple):
            return [plain(part) for part in value]
        return None if isinstance(value, float) and math.isnan(value) else value

    return {key: plain(value) for key, value in record.items()}


def _systems(runs: Runs, measure: Measure, groups: Groups) -> dict[str, SeedRuns]:
    """The variants that have the measure: the columns of its groups, and a value in every run."""
    needed = [[f"{group}.{name}" for name in groups[group]] for group in measure.groups]
    systems: dict[str, SeedRuns] = {}
    for variant, frames in runs.items():
        if all([_has(variant, frames, columns) for columns in needed]):
            system = [[frame[columns].to_numpy() for columns in needed] for frame in frames]
            if not np.isnan(values(system, measure.value)).any():
                systems[variant] = system
    return systems


def _has(variant: str, frames: Sequence[pd.DataFrame], columns: Sequence[str]) -> bool:
    """Whether all frames have all columns; raises InputError if only some do."""
    present = [column in frame for frame in frames for column in columns]
    if any(present) and not all(present):
        raise InputError(
            f"scores of {variant}: only some of its files and columns have {', '.join(columns)}; "
            "run the score stage again for all its seeds"
        )
    return all(present)


def read_runs(text: Text, name: str, run_directory: Path, variants: Sequence[str], seeds: Sequence[int]) -> Runs:
    """The frames of the set `name`, held against its number of sentences.

    Raises:
        InputError: a file of scores is missing or does not fit.
    """
    words_path = text.folder / f"{name}.{text.target}"
    sentences = len(read_lines(words_path))
    runs: dict[str, list[pd.DataFrame]] = {variant: [] for variant in variants}
    for variant, frames in runs.items():
        for seed in seeds:
            path = RunDirectory(run_directory).scores(variant, seed) / f"{name}.csv"
            frames.append(_read_frame(path))
            check_counts((path, len(frames[-1])), (words_path, sentences))
    return runs


def _read_frame(path: Path) -> pd.DataFrame:
    if not path.exists():
        raise InputError(f"{path} is missing; run the score stage of this system, e.g. with `dvc repro`")
    try:
        with reading(path) as handle:
            frame = pd.read_csv(handle, dtype=float)
    except ValueError as error:
        raise InputError(f"{path}: not a table of numbers ({error}); delete it and run `dvc repro`") from None
    if frame.isna().any(axis=None):
        column = frame.columns[frame.isna().any()][0]
        raise InputError(f"{path}: {column} has a line without a number; delete the file and run `dvc repro`")
    return frame
