"""Which differences between systems are more than chance: marks for other tables, and tables of their own."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from stages.reporting.measure_names import NAMES
from stages.reporting.recipe import short
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.table import MISSING, Cell, ReportTable, Table, chance, signed
from stages.scoring.catalogue import MEASURES

SHOWN = ("bleu", "ter_minus_bleu_half", "rot", "aer", "saer")
"""Measures of the page; the CSV file has all that were compared."""

HEADINGS = (
    "System",
    "Δ",
    "95 % interval",
    "p bootstrap",
    "p randomisation",
    "p Holm",
    "sign test: better – worse, p",
    "over the seeds",
    "marks",
)

WORDS = frozenset({"over the seeds", "marks"})
CHANCES = frozenset({"p bootstrap", "p randomisation", "p Holm"})

NOTES = (
    "95 % interval and p bootstrap: paired bootstrap (Koehn 2004), p as sacrebleu defines it, which is at most .05 in "
    "about one of ten cases without a difference",
    "p randomisation: approximate randomisation (Riezler and Maxwell 2005); both ask what other sentences would say of "
    "the same trained systems",
    "p Holm: p randomisation, corrected for all systems that are compared with the same one by this measure on this "
    "set",
    "sign test: Collins et al. (2005), exact, of the first seed",
    "over the seeds: Welch's test of the two systems' own runs, or Student's paired test if one starts from the other "
    "or both from a third; it asks what other trainings would say; one seed says nothing, and the verdicts on claims "
    "learn the spread from all systems; the phrase-based system has one run, taken to be without spread; runs of an "
    "ensemble share models and are no independent trainings, so only systems of the same models have a test beside it; "
    "not corrected for the number of systems",
    "‡: better than the baseline, ⋆: better than every rival, by p Holm; not at systems that were trained for longer, "
    "nor at ensembles",
)
"""What each test takes as given, and what it asks."""

Compared = Mapping[str, Any]
"""What `compare_systems.compare` returns."""


def differences(study: StudyResults) -> ReportTable:
    """Every system against the baseline; the CSV file has the rivals and all measures too."""
    compared, titles = study.compared, study.spec.titles
    settings = compared["settings"]
    better: dict[str, str | None] = {measure: MEASURES[measure].better for measure in SHOWN}
    better |= {one.name: one.better for one in study.given}
    rivals = [titles[name] for name in settings["rivals"] if name not in compared["left_out"]]
    return ReportTable(
        name="differences",
        title="Differences between systems",
        about=f"Baseline: {titles[settings['baseline']]}. Rivals: {', '.join(rivals) or 'none'}. "
        f"{settings['resamples']:,} resamples, level {settings['level']:g}.",
        mirrors="the marks of Xue et al. (2019), Table 2, and Kuang et al. (2018), Table 1",
        parts=dict(_parts(compared, titles, better)),
        notes=(*NOTES, *short(study.document["recipe"], ["unknown_words"])),
        records=pd.DataFrame(_records(compared)),
    )


def _parts(
    compared: Compared, titles: Mapping[str, str], shown: Mapping[str, str | None]
) -> Iterator[tuple[str, Table]]:
    """shown: measure -> which way is better."""
    for name, measures in compared["sets"].items():
        for measure in (measure for measure in shown if measure in measures):
            rows = dict(_rows(measures[measure], 2 if measure in SHOWN else 4))
            if rows:
                lines = tuple((titles[variant], cells) for variant, cells in rows.items())
                lower = CHANCES | ({"Δ", "95 % interval"} if shown[measure] == "low" else set())
                table = Table(HEADINGS, lines, tuple(rows), WORDS, lower)
                yield f"{NAMES.get(measure, measure)}, {name} set", table


def _rows(variants: Mapping[str, Any], decimals: int) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    for variant, entry in variants.items():
        if entry and entry["baseline"]:
            of = entry["baseline"]
            values = (of[key] for key in ("difference", "low", "high"))
            difference, low, high = (MISSING if value is None else signed(value, decimals) for value in values)
            chances = (chance(of[key], 4) for key in ("p_bootstrap", "p_randomisation", "p_holm"))
            test = of.get("sign")
            sign = f"{test['better']} – {test['worse']}, {chance(test['p'], 4)}" if test else MISSING
            texts = (difference, f"{low} to {high}", *chances, sign, of["seeds"], entry["marks"])
            yield variant, tuple(map(Cell, texts))


def _records(compared: Compared) -> Iterable[dict[str, Any]]:
    baseline = compared["settings"]["baseline"]
    for name, measures in compared["sets"].items():
        for measure, variants in measures.items():
            for variant, entry in variants.items():
                opponents = {baseline: entry["baseline"], **entry["rivals"]} if entry else {}
                for opponent, of in opponents.items():
                    if of is not None:
                        place = {"set": name, "measure": measure, "variant": variant, "against": opponent}
                        yield place | {key: value for key, value in of.items() if key != "sign"}
