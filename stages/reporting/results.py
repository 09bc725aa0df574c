"""What the stages before left behind for each system: scores, training record and learning curve, one run a seed."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from stages.files.errors import InputError
from stages.files.records import read_record
from stages.files.run_directory import STATISTICAL, RunDirectory
from stages.files.text import reading
from stages.releasing.results_file import READ_OUTS_FILE, RECORD
from stages.releasing.reverse import sums
from stages.reporting.metrics import average, deviation, leaves, mean, over_seeds
from stages.reporting.study_spec import StudySpec
from stages.scoring.aligner_scores import Quality
from stages.scoring.catalogue import ADDED
from stages.scoring.inputs import Text
from stages.scoring.read_outs import READ_OUTS
from stages.scoring.statistical import left_out
from stages.scoring.values import Metrics, values
from stages.settings.renamed import current_smt

CURVE_COLUMNS = ("epoch", "updates", "dev_ppl", "dev_bleu")


@dataclass(frozen=True)
class SeedResults:
    """One training of a system.

    `metrics`: the measures of the first test set and of the gold set, those of every test set and their average under
    `tests`, those of dev under `dev`. `recipe`: how the numbers came about. `curve`: one row an epoch. `best_epoch`:
    the epoch whose checkpoint was evaluated. `bridged`: the nearest target words of frequent source words, None for a
    system that does not bridge.
    """

    seed: int
    metrics: Metrics
    recipe: dict[str, Any]
    curve: pd.DataFrame
    best_epoch: int
    bridged: list[dict[str, Any]] | None


@dataclass(frozen=True)
class SystemResults:
    """A system of the report: a variant with its title and its runs in the order of the seeds.

    One that is no neural network has one run, which stands for all seeds.
    """

    variant: str
    title: str
    runs: tuple[SeedResults, ...]

    @property
    def trained(self) -> bool:
        """Whether it has learning curves, and a seed."""
        return self.variant not in STATISTICAL


def without_left_out(spec: StudySpec, run: RunDirectory) -> tuple[StudySpec, dict[str, str]]:
    """What is to be reported, without the systems that this machine cannot run, and why it cannot, for the recipe."""
    seed = spec.seeds[0]
    reasons = {name: left_out(run.scores(name, seed)) for name in spec.titles if name in STATISTICAL}
    why = {name: f"left out: {reason}" for name, reason in reasons.items() if reason}
    titles = {name: title for name, title in spec.titles.items() if name not in why}
    return spec._replace(titles=titles, models={name: spec.models[name] for name in titles if spec.models}), why


def read_systems(
    run_directory: Path, text: Text, titles: Mapping[str, str], seeds: Iterable[int], reverse: Collection[str]
) -> tuple[SystemResults, ...]:
    """Read every run of `titles` (variant -> title) in their order; raises InputError naming the file.

    run_directory: work/<corpus>/<direction>-<segmentation>. reverse: the variants that are trained in the reverse
    direction here; what is released says itself whether it was.
    """
    seeds = tuple(seeds)
    systems = []
    for variant, title in titles.items():
        runs: tuple[SeedResults, ...]
        if variant in STATISTICAL:
            runs = (_read_statistical(run_directory, text, variant, seeds[0]),)
        else:
            runs = tuple(read_run(run_directory, text, variant, seed, variant in reverse) for seed in seeds)
        systems.append(SystemResults(variant, title, runs))
    return tuple(systems)


def read_run(run_directory: Path, text: Text, variant: str, seed: int, reverse: bool) -> SeedResults:
    """Read scores, training record and curve of one run."""
    run = RunDirectory(run_directory)
    model = run.model(variant, seed)
    training = read_record(model / "training.json", ("best_epoch", "versions", "machine"))
    backward = sums(run, variant, seed, reverse)
    perplexity = None if backward is None else values({"perplexity": backward}, "dev")["perplexity"]
    metrics, scores = _read_scores(run, text, variant, seed, perplexity)
    made = {"versions": training["versions"], "machine": training["machine"]} | _released(model / RECORD)
    return SeedResults(
        seed=seed,
        metrics=metrics,
        recipe=scores["recipe"] | made,
        curve=_read_curve(model / "curve.csv"),
        best_epoch=training["best_epoch"],
        bridged=scores["transform"],
    )


def _released(path: Path) -> dict[str, str]:
    """Of a system that was not made here, how it came here; path: what the stage `released` wrote, if it is there."""
    if not path.exists():
        return {}
    record = read_record(path, ("commit", "same_code"))
    other = "" if record["same_code"] else ", with code that differs from that here"
    return {"released": f"trained elsewhere, at commit {record['commit'][:7]}{other}"}


def _read_statistical(run_directory: Path, text: Text, variant: str, seed: int) -> SeedResults:
    """Of a system that is no neural network: it has no epochs."""
    run = RunDirectory(run_directory)
    metrics, scores = _read_scores(run, text, variant, seed, None)
    made = scores["recipe"]
    settings = {"settings": current_smt(made["settings"])} if "settings" in made else {}
    recipe = made | settings | _released(run.translations(variant, seed) / RECORD)
    return SeedResults(seed, metrics, recipe, pd.DataFrame(columns=CURVE_COLUMNS), 0, None)


def _read_scores(
    run: RunDirectory, text: Text, variant: str, seed: int, reverse_perplexity: float | None
) -> tuple[Metrics, dict[str, Any]]:
    """The measures of a run, and what its scores.json says."""
    path = run.scores(variant, seed) / "scores.json"
    scores = read_record(path, ("metrics", "tests", "dev", "transform", "recipe"))
    metrics = {
        **dict.fromkeys(ADDED),
        **scores["metrics"],
        f"perplexity_{text.target}-{text.source}": reverse_perplexity,
        "tests": {**scores["tests"], "average": average(list(scores["tests"].values()))},
        "dev": dict.fromkeys(ADDED) | scores["dev"],
    }
    for measure, value in leaves(metrics):
        if value is not None and not isinstance(value, int | float):
            raise InputError(
                f"{path}: {measure} is {value!r}, not a number; run the score stage of {variant}-{seed} again"
            )
    return metrics, scores


def _read_curve(path: Path) -> pd.DataFrame:
    try:
        with reading(path) as file:
            curve = pd.read_csv(file)
    except ValueError as error:
        raise InputError(f"{path} is not a table ({error}); remove it and run `dvc repro`") from None
    missing = [column for column in CURVE_COLUMNS if column not in curve]
    if missing or curve.empty:
        raise InputError(f"{path} has no {', '.join(missing) or 'rows'}; remove it and run `dvc repro`")
    return curve


def curves_frame(systems: Sequence[SystemResults], decoded: Collection[str]) -> pd.DataFrame:
    """All curves as one long table: variant, seed and the columns of `curve.csv`, systems and seeds in their order.

    decoded: as `StudySpec.decoded`; what lies beside their models are the curves of others.
    """
    return pd.concat(
        [
            run.curve.assign(variant=system.variant, seed=run.seed)[["variant", "seed", *run.curve.columns]]
            for system in systems
            if system.trained and system.variant not in decoded
            for run in system.runs
        ],
        ignore_index=True,
    )


ReadOuts = Mapping[str, Any]
"""Variant -> {"mean", "sd": {name of `READ_OUTS`: {"aer", "precision", "recall"}}, "seeds": {seed: the same}, "heads":
{seed: {"layer", "head"}, null of a system without}}. A value is None where a seed has none, an sd of one seed too."""


def read_read_outs(
    run: RunDirectory, variants: Iterable[str], here: Collection[str], seeds: Sequence[int]
) -> dict[str, Any]:
    """As `read_outs` of metrics.json: of those of `variants` that are read out `here`, and of those that were released
    with them for all seeds.

    Raises:
        InputError: a file is missing or damaged.
    """
    found = {}
    for variant in variants:
        made, released = run.read_outs(variant), [run.model(variant, seed) / READ_OUTS_FILE for seed in seeds]
        if variant in here:
            found[variant] = _read_outs_of({str(seed): made / f"{seed}.json" for seed in seeds})
        elif all(path.exists() for path in released):
            found[variant] = _read_outs_of(dict(zip(map(str, seeds), released, strict=True)))
    return found


def _read_outs_of(paths: Mapping[str, Path]) -> dict[str, Any]:
    """paths: seed -> file."""
    records = {seed: read_record(path, ("variant", "seed", "read_outs", "head")) for seed, path in paths.items()}
    for seed, record in records.items():
        values = [set(one) for one in record["read_outs"].values()]
        if set(record["read_outs"]) - set(READ_OUTS) or any(one != set(Quality._fields) for one in values):
            raise InputError(f"{paths[seed]} holds other read-outs than this version knows; run `dvc repro`")
    each = {seed: record["read_outs"] for seed, record in records.items()}
    names = [name for name in READ_OUTS if all(name in one for one in each.values())]
    runs = [{name: one[name] for name in names} for one in each.values()]
    return {
        "mean": over_seeds(runs, mean),
        "sd": over_seeds(runs, deviation),
        "seeds": each,
        "heads": {seed: record["head"] for seed, record in records.items()},
    }
