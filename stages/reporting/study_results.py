"""Everything that a report shows, read once."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd

from stages.files.corpus_record import read_corpus_record
from stages.files.run_directory import RunDirectory
from stages.reporting.aligners import aligner_frame, read_aligners
from stages.reporting.claims.claims import all_claims, own_claims
from stages.reporting.claims.counts import Counts
from stages.reporting.claims.judge import judge
from stages.reporting.claims.judged import About, Judged, record
from stages.reporting.claims.looked_into import looked_into
from stages.reporting.claims.plans import read_plans
from stages.reporting.compare_systems import compare, compared_how
from stages.reporting.decoded import chosen_on_dev, other_decoding
from stages.reporting.given_metrics import GIVEN, GivenMetric, read_given, with_given
from stages.reporting.hours import hours, hours_each
from stages.reporting.marks import marks_record
from stages.reporting.metrics_document import columns_of, metrics_document, results_frame
from stages.reporting.preconditions import check_seeds
from stages.reporting.ranking import WHOLLY
from stages.reporting.recipe import shared_recipe
from stages.reporting.results import SystemResults, read_read_outs, read_systems, without_left_out
from stages.reporting.study_spec import StudySpec
from stages.scoring.catalogue import COMPARED, GROUPS
from stages.scoring.inputs import Text, read_text


class ReportFolders(NamedTuple):
    """run_directory: work/<corpus>/<direction>-<segmentation>, where the stages after the corpus have their folders;
    text, wordalign, thotalign, tags: of the stages of these names, text being of `corpus`; given: with the files of
    `given_metrics`, if there is such a folder."""

    run_directory: Path
    text: Path
    wordalign: Path
    thotalign: Path
    tags: Path
    given: Path | None = None


class StudyResults(NamedTuple):
    """document: what metrics.json says; compared: what comparisons.json says; frame: a row a system, see
    `results_frame`; aligners: the statistical ones in the same columns; stats: of the corpus; judged: every claim of
    the papers, and those of our own about these systems; looked: see `looked_into`; given:
    measures that were taken elsewhere."""

    folders: ReportFolders
    spec: StudySpec
    text: Text
    systems: tuple[SystemResults, ...]
    document: dict[str, Any]
    compared: dict[str, Any]
    frame: pd.DataFrame
    aligners: pd.DataFrame
    stats: dict[str, Any]
    judged: Sequence[Judged] = ()
    looked: Mapping[str, str] = MappingProxyType({})
    given: Sequence[GivenMetric] = ()


def read_study_results(folders: ReportFolders, spec: StudySpec) -> StudyResults:
    """Raises InputError if an input is missing or does not fit."""
    direction, segmentation = RunDirectory(folders.run_directory).direction_and_segmentation
    check_seeds(folders.run_directory, spec.titles, spec.seeds)
    text = read_text(folders.text, direction)
    spec, why = without_left_out(spec, RunDirectory(folders.run_directory))
    systems = read_systems(folders.run_directory, text, spec.titles, spec.seeds, spec.reverse)
    given = read_given(folders.given, text, list(spec.titles), spec.seeds, columns_of(systems[0].runs[0].metrics))
    systems = with_given(systems, given, text)
    aligners = read_aligners(folders.wordalign, folders.thotalign)
    stats = read_corpus_record(folders.text).content
    made = {"segmentation": segmentation, "seeds": list(spec.seeds), **spec.recipes}
    made |= other_decoding(spec.decoded, spec.fine_tuned)
    made |= chosen_on_dev(RunDirectory(folders.run_directory), spec.decoded, spec.seeds)
    made |= _references(text)
    made |= shared_recipe([system for system in systems if system.trained])
    made |= {system.variant: system.runs[0].recipe for system in systems if not system.trained} | why
    made |= {"aligners": aligners.recipe, "data": stats}
    unmarked = {name: why for name, why in spec.apart.items() if why in WHOLLY}
    names = [one.name for one in given]
    made |= {"differences": compared_how(spec.compare, list(spec.titles), unmarked, names)}
    made |= {GIVEN: {one.name: one.said for one in given}} if given else {}
    compared = compare(
        text,
        folders.run_directory,
        list(spec.titles),
        spec.seeds,
        spec.compare,
        COMPARED,
        GROUPS,
        unmarked,
        given,
        spec.fine_tuned,
        spec.ensembles,
    )
    counts = Counts(text, folders.run_directory, spec.seeds, spec.reverse)
    trained = [system for system in systems if system.variant not in spec.decoded]
    about = About(
        names=(spec.study, stats["corpus"]),
        lowercase=stats["lowercase"],
        hours=hours_each(trained),
        sizes={one.variant: one.runs[0].metrics["parameters"] for one in systems if one.trained},
        plans=read_plans(),
        decoded=spec.decoded,
        whole_words=segmentation == "words",
    )
    claims = [*all_claims(), *own_claims(spec.titles)]
    judged = judge(claims, counts, list(spec.titles), spec.fine_tuned, about)
    document = metrics_document(systems, aligners.metrics, made) | {"marks": marks_record(compared)}
    document |= {"apart": dict(spec.apart)}
    document |= {"claims": {one.claim.id: record(one) for one in judged if one.verdict != "not compared"}}
    if found := read_read_outs(RunDirectory(folders.run_directory), spec.titles, spec.read_outs, spec.seeds):
        document |= {"read_outs": found}
    document |= {"hours": hours(RunDirectory(folders.run_directory), trained, spec.reverse)}
    frame = results_frame(document)
    below = aligner_frame(document, frame)
    looked = looked_into(spec.study, judged)
    return StudyResults(folders, spec, text, systems, document, compared, frame, below, stats, judged, looked, given)


def _references(text: Text) -> dict[str, Any]:
    """`references` of a recipe: test set -> how many a sentence has; not there where all sets have as many."""
    found = {name: len(list(text.folder.glob(f"{name}.ref*.{text.target}"))) for name in text.tests}
    return {"references": found} if len(set(found.values())) > 1 else {}
