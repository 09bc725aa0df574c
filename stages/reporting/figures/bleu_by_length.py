"""BLEU by length of the source sentence: the systems of the papers' figures and the best, among all others."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.corpora.hansards import LONG_TEST
from stages.measures import length_buckets
from stages.reporting.compare_systems import read_runs
from stages.reporting.figures.labels import End, end_labels
from stages.reporting.figures.layout import Caption, Grid, note, small_multiples
from stages.reporting.study_results import StudyResults
from stages.reporting.style import BASELINE, OTHERS, LineStyle, line_of
from stages.scoring.catalogue import GROUPS

GRID = Grid(columns=3, width=1.65, height=2.3, right=1.2, below=0.58)
BEST = 5
FEW = 30
"""Sentences; BLEU of fewer is drawn hollow."""


class Selection(NamedTuple):
    """Systems that a panel sets off from the others; mirrors: the figure of a paper that shows them."""

    title: str
    variants: tuple[str, ...]
    mirrors: str = ""


IN_PAPERS = (
    Selection(
        "Bahdanau et al. 2015, Figure 2",
        ("rnnencdec_30", "rnnencdec_50", "rnnsearch_30", "rnnsearch_50"),
        "Bahdanau et al. (2015), Figure 2",
    ),
    Selection("Kuang et al. 2018, Figure 6", ("rnnsearch_star", "bridging_direct"), "Kuang et al. (2018), Figure 6"),
)


class Bucket(NamedTuple):
    """Sentences of similar length; scores: variant -> BLEU of every seed."""

    name: str
    sentences: int
    scores: dict[str, list[float]]


def caption(study: StudyResults) -> Caption:
    systems = study.document["systems"]
    in_papers = in_papers_of(systems, study.spec.compare.baseline)
    shown = ["the systems of the papers' figures"] if in_papers else []
    about = f"{' and '.join([*shown, 'the best of this study'])}, the baseline in thick grey"
    about += ", all others in light grey." if _leaves_some_out([*in_papers, _best(study)], systems) else "."
    bands = " Bands are the range over the seeds." if len(study.spec.seeds) > 1 else ""
    few = any(bucket.sentences < FEW for bucket in _buckets(study))
    of = "the sentences of all test sets" if _tests(study)[1:] else "the first test set's sentences"
    return Caption(
        "BLEU by length of the source sentence",
        f"BLEU (higher is better) of {of} of each length, unknown words kept as wrong words: "
        f"{about}{bands}" + (" Hollow points stand for few sentences." if few else ""),
        ", and ".join(one.mirrors for one in in_papers),
    )


def bleu_by_length(study: StudyResults) -> Figure | None:
    """Over the buckets that have sentences; None if none has."""
    systems = study.document["systems"]
    buckets = _buckets(study)
    if not buckets:
        return None
    selections = [*in_papers_of(systems, study.spec.compare.baseline), _best(study)]
    figure, panels = small_multiples(len(selections), GRID)
    for axis, selection in zip(panels, selections, strict=True):
        axis.set_title(selection.title, fontsize=8, pad=4)
        _panel(axis, buckets, selection, study.spec.compare.baseline)
    meaning = f"BLEU on {', '.join(_tests(study))} over words of the source sentence · n: sentences"
    few = any(bucket.sentences < FEW for bucket in buckets)
    meaning += f" · hollow: n < {FEW}" if few else ""
    meaning += " · light lines: all other systems" if _leaves_some_out(selections, systems) else ""
    note(figure, meaning, (0.1, 0))
    return figure


def _tests(study: StudyResults) -> tuple[str, ...]:
    """The sets whose sentences are put together: all where one of them has the long ones. Elsewhere sets are of
    different text, and it is the first."""
    tests = tuple(study.text.tests)
    return tests if LONG_TEST in tests else tests[:1]


def _buckets(study: StudyResults) -> list[Bucket]:
    """Those that have sentences. All systems translate the same ones."""
    systems, tests = study.document["systems"], _tests(study)
    found = {
        variant: _together(study, variant, tests)
        if tests[1:]
        else [seed["bleu_by_length"] for seed in system["seeds"].values()]
        for variant, system in systems.items()
    }
    return [
        Bucket(
            name,
            content["sentences"],
            {variant: [one[name]["bleu"] for one in runs] for variant, runs in found.items()},
        )
        for name, content in next(iter(found.values()))[0].items()
        if content["sentences"]
    ]


def _together(study: StudyResults, variant: str, tests: Sequence[str]) -> list[dict[str, Any]]:
    """`bleu_by_length` of the sentences of these sets, of every run."""
    seeds = study.spec.seeds[: len(study.document["systems"][variant]["seeds"])]
    sets = [read_runs(study.text, name, study.folders.run_directory, [variant], seeds)[variant] for name in tests]
    counts = [f"bleu_unk_kept.{field}" for field in GROUPS["bleu_unk_kept"]]
    runs = [pd.concat(of_sets) for of_sets in zip(*sets, strict=True)]
    return [length_buckets.aggregate(run[counts].to_numpy(), run["source.words"].astype(int).tolist()) for run in runs]


def in_papers_of(systems: Mapping[str, Any], baseline: str) -> list[Selection]:
    """The papers' figures of which the study has a system beside the baseline, with the systems that it has."""
    found = (one._replace(variants=tuple(name for name in one.variants if name in systems)) for one in IN_PAPERS)
    return [one for one in found if set(one.variants) - {baseline}]


def _best(study: StudyResults) -> Selection:
    """The baseline and the systems of the highest BLEU."""
    ranked = study.frame["bleu"].sort_values(ascending=False, kind="stable").index
    baseline = study.spec.compare.baseline
    names = [name for name in ranked if name != baseline][:BEST]
    others = f" and the best {len(names)} others" if len(names) > 1 else " and the best other" if names else ""
    return Selection(f"{baseline}{others}", (baseline, *names))


def _leaves_some_out(selections: Iterable[Selection], systems: Iterable[str]) -> bool:
    return any({*systems} - {*one.variants} for one in selections)


def _panel(axis: Axes, buckets: list[Bucket], selection: Selection, baseline: str) -> None:
    places = range(len(buckets))
    for name in buckets[0].scores:
        if name not in selection.variants:
            axis.plot(places, _means(buckets, name), color=OTHERS, linewidth=0.7, zorder=1)
    top = max(score for bucket in buckets for scores in bucket.scores.values() for score in scores)
    axis.set(xlim=(-0.25, len(buckets) - 0.75), ylim=(0, 1.05 * top or 1))
    axis.set_xticks(places, [f"{bucket.name.replace('-', '–')}\nn = {bucket.sentences}" for bucket in buckets])
    axis.tick_params(labelsize=6.5, length=2)
    axis.grid(axis="y")
    axis.set_axisbelow(True)
    ends = []
    others = [name for name in selection.variants if name != baseline]
    for name in selection.variants:
        line = BASELINE if name == baseline else line_of(others.index(name))
        _draw(axis, buckets, name, line, width=2.6 if name == baseline else 1.3)
        ends.append(End(name, len(buckets) - 1, _means(buckets, name)[-1], line.color))
    end_labels(axis, ends)


def _draw(axis: Axes, buckets: list[Bucket], name: str, line: LineStyle, width: float) -> None:
    means = _means(buckets, name)
    axis.plot(range(len(buckets)), means, linewidth=width, zorder=2, **line._asdict())
    scores = [bucket.scores[name] for bucket in buckets]
    if len(scores[0]) > 1:
        low, high = list(map(min, scores)), list(map(max, scores))
        axis.fill_between(range(len(buckets)), low, high, color=line.color, alpha=0.18, linewidth=0)
    for place, (bucket, value) in enumerate(zip(buckets, means, strict=True)):
        filled = line.color if bucket.sentences >= FEW else "white"
        axis.plot(place, value, "o", color=line.color, mfc=filled, markersize=3.6, mew=0.9, zorder=3)


def _means(buckets: list[Bucket], name: str) -> list[float]:
    return [sum(bucket.scores[name]) / len(bucket.scores[name]) for bucket in buckets]
