"""The tables whose cells are measures of metrics.json, as a list: what each shows, of whom, and what stands below."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

import pandas as pd

from stages.measures.length_buckets import BUCKETS
from stages.reporting.aligners import TITLES
from stages.reporting.given_metrics import GIVEN
from stages.reporting.results import SystemResults
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.columns import AVERAGE, column, columns
from stages.reporting.tables.main_table import COST, given_columns, of_case
from stages.reporting.tables.measured import Measured, append, notes, shown, test_sets
from stages.reporting.tables.table import MISSING, Cell, Column, ReportTable, Table, count, signed, without_arrow

BASE = "rnnsearch_star"
OF_ABLATION = ("rnnsearch", BASE, "sa_nmt", "ta_nmt", "ba_nmt")
BLEU = column(f"{AVERAGE}bleu")
ALIGNMENT = (
    *columns("aer", "aer_renorm", "saer"),
    column("align_precision", "precision"),
    column("align_recall", "recall"),
    *columns("align_precision_t02", "align_recall_t02", "align_f1_t02"),
)
UNKNOWN = (
    column(f"{AVERAGE}bleu", "replaced"),
    *columns("bleu_unk_kept", "bleu_no_unk", "no_unk_sentences", above=AVERAGE),
)
FLOOR = "Floor: the best links, one a target word"

Parts = Mapping[str, Sequence[Column]]


class MeasureTable(NamedTuple):
    """recipe: the keys that matter; columns: of the table, or of each of its parts; needed: measures of which a system
    must have one, of all if none is named; numbers: what the cells are of; finish: the table of a part, completed or
    left out; above, below: notes before and behind those of the recipe."""

    name: str
    title: str
    about: str
    mirrors: str
    recipe: tuple[str, ...]
    columns: Sequence[Column] | Callable[[StudyResults], Parts]
    needed: Sequence[str] = ()
    numbers: Callable[[StudyResults, Measured], Measured] = lambda study, measured: measured
    finish: Callable[[StudyResults, Measured, str, Table], Table | None] = lambda study, measured, part, table: table
    above: Callable[[StudyResults], Sequence[str]] = lambda study: ()
    below: Sequence[str] = ()

    def of(self, study: StudyResults, measured: Measured) -> ReportTable | None:
        """None if the study has nothing for it."""
        numbers, parts = self.numbers(study, measured), {}
        for part, of in (self.columns(study) if callable(self.columns) else {"": self.columns}).items():
            table = shown(numbers, of, self.needed)
            if table is not None and (table := self.finish(study, numbers, part, table)) is not None:
                parts[part] = table
        if not parts:
            return None
        below = (*self.above(study), *notes(study.document, parts.values(), self.recipe), *self.below)
        return ReportTable(self.name, self.title, self.about, self.mirrors, parts, below)


def _quality(study: StudyResults) -> Parts:
    """A part a test set, and one of their average."""
    sets = {name: f"tests.{name}." for name in study.text.tests} | (
        {"average": AVERAGE} if study.text.tests[1:] else {}
    )
    names = ("bleu", "bleu_cased", "bleu_v11b", "bleu1", "brevity_penalty", "chrf", "ter", "ter_minus_bleu_half")
    return {name: (*columns(*names, above=above), *given_columns(study.given, above)) for name, above in sets.items()}


def _of_each_test(study: StudyResults) -> Parts:
    found = [column(f"tests.{name}.bleu", f"BLEU {name}") for name in study.text.tests]
    return {"": found + ([BLEU._replace(heading="BLEU average")] if len(found) > 1 else [])}


def _with_gains(study: StudyResults, of: Measured, part: str, table: Table) -> Table | None:
    """A column with the difference to the baseline behind the others; None for fewer than two rows."""
    bleu = of.frame[f"{AVERAGE}bleu"]

    def gain(name: str) -> Cell:
        if BASE not in bleu or name == BASE or pd.isna(difference := bleu[name] - bleu[BASE]):
            return Cell(MISSING)
        return Cell(signed(difference), number=float(difference))

    rows = tuple((title, (*cells, gain(name))) for name, (title, cells) in zip(table.names, table.rows, strict=True))
    return table._replace(headings=(*table.headings, "Δ"), rows=rows) if len(rows) > 1 else None


def _by_length(study: StudyResults) -> Parts:
    return {
        test: [column(f"tests.{test}.bleu_by_length.{name}.bleu", name) for name in BUCKETS]
        for test in study.text.tests
    }


def _with_counts(study: StudyResults, of: Measured, test: str, table: Table) -> Table:
    """How many sentences each bucket has as the first row: as many for every system."""
    above, first = f"tests.{test}.bleu_by_length", of.frame.iloc[0]
    numbers = [first[f"{above}.{without_arrow(heading)}.sentences"] for heading in table.headings[1:]]
    cells = tuple(Cell(count(number), number=float(number)) if number else Cell(MISSING) for number in numbers)
    return table._replace(rows=(("Sentences", cells), *table.rows), names=("", *table.names))


def _if_unknown(study: StudyResults, of: Measured, part: str, table: Table) -> Table | None:
    """None where nothing is unknown, as with pieces: all three columns are the same."""
    frame = of.frame[[one.measure for one in UNKNOWN[:3]]]
    return None if (frame.nunique(axis=1, dropna=False) == 1).all() else table


def _with_aligners(study: StudyResults, of: Measured, part: str, table: Table) -> Table:
    names = {"AER": "aer", "precision": "align_precision", "recall": "align_recall"}
    rows = {
        TITLES[method]: {heading: values[name] for heading, name in names.items()}
        for method, values in study.document["aligners"].items()
    }
    floor = of.frame["aer_floor"].dropna()
    rows |= {FLOOR: {"AER": float(floor.iloc[0])}} if len(floor) else {}
    return append(table, rows, [BLEU, *ALIGNMENT])


def _lengths(study: StudyResults) -> tuple[str, str]:
    def means(name: str) -> str:
        lengths = study.stats["sets"][name]["mean_length"].items()
        return " and ".join(f"{length:.1f} ({language})" for language, length in lengths)

    words = f"words of a sentence: {means('gold')} in the gold set, {means('train')} in train"
    return f"BLEU: {test_sets(study.document)}", words


def _of_totals(study: StudyResults) -> tuple[str]:
    return (f"{test_sets(study.document)}; of counts, of their totals",)


def _both_directions(study: StudyResults) -> Parts:
    """Of the systems that are trained in both directions, if there are any."""
    pairs = ((study.text.source, study.text.target), (study.text.target, study.text.source))
    return {"": [column("perplexity", f"{a} → {b}")._replace(measure=f"perplexity_{a}-{b}") for a, b in pairs]}


def _with_both(study: StudyResults, measured: Measured) -> Measured:
    """The systems with both perplexities, or with the one that there is."""
    names = [one.measure for one in _both_directions(study)[""]]
    needed = [name for name in names if measured.frame[name].notna().any()][-1:] or names
    return measured._replace(frame=measured.frame[measured.frame[needed].notna().any(axis=1)])


def _with_costs(study: StudyResults, measured: Measured) -> Measured:
    """With `added` parameters, and mean and deviation over the seeds of `epochs` and `best_epoch`."""
    sizes = {name: of["mean"]["parameters"] for name, of in study.document["systems"].items()}
    baseline, rows = study.spec.compare.baseline, {}
    for system in study.systems:
        size, base = sizes[system.variant], sizes[baseline]
        added = None if None in (size, base) or system.variant == baseline else size - base
        trained = system.trained and system.variant not in study.spec.decoded
        rows[system.variant] = {"added": added, "added_sd": None} | (_epochs(system) if trained else {})
    found = pd.DataFrame.from_dict(rows, orient="index", dtype=float)
    return measured._replace(frame=measured.frame.join(found))


def _epochs(system: SystemResults) -> dict[str, float | None]:
    of = {"epochs": [len(run.curve) for run in system.runs], "best_epoch": [run.best_epoch for run in system.runs]}
    means: dict[str, float | None] = {name: fmean(values) for name, values in of.items()}
    return means | {f"{name}_sd": stdev(values) if len(values) > 1 else None for name, values in of.items()}


QUALITY = MeasureTable(
    name="quality",
    title="Quality of translation",
    about="Measures against the references. BP: brevity penalty; v11b: BLEU as mteval-v11b has it; (TER−BLEU)/2 falls "
    "with better translations.",
    mirrors="Xue et al. (2019), Table 2; Kuang et al. (2018), Table 1; Mi et al. (2016), Table 1",
    recipe=(
        *("bleu", "bleu_cased", "bleu_v11b", "bleu1", "chrf", "ter"),
        *("bleu_input", "unknown_words", "checkpoint", "decoding", GIVEN),
    ),
    columns=_quality,
    above=of_case,
)
ABLATION = MeasureTable(
    name="ablation",
    title="Ablation of the bilingual history",
    about="Source history (SA), target history (TA) and both (BA) on top of the same baseline; Δ: average BLEU over "
    "that of RNNsearch*.",
    mirrors="Xue et al. (2019), Tables 3 and 4",
    recipe=("bleu", "checkpoint", "decoding"),
    columns=_of_each_test,
    numbers=lambda study, measured: measured._replace(frame=measured.frame[measured.frame.index.isin(OF_ABLATION)]),
    finish=_with_gains,
)
BY_LENGTH = MeasureTable(
    name="length_buckets",
    title="BLEU by length of the source",
    about="Corpus BLEU of the sentences of each length, in words of the source, unknown words kept as wrong words; "
    "buckets without sentences are left out.",
    mirrors="Kuang et al. (2018), Figure 6; the Bahdanau slides, BLEU by length",
    recipe=("bleu", "bleu_by_length"),
    columns=_by_length,
    finish=_with_counts,
)
UNKNOWN_WORDS = MeasureTable(
    name="unknown_words",
    title="Unknown words",
    about="BLEU of all sentences with unknown words replaced, of all with unknown words kept as wrong words, and of "
    "those without unknown words.",
    mirrors="the Bahdanau slides, Quantitative results (All and No UNK)",
    recipe=("bleu", "unknown_words", "no_unk"),
    columns=UNKNOWN,
    finish=_if_unknown,
    above=lambda study: (test_sets(study.document),),
)
ALIGNMENT_QUALITY = MeasureTable(
    name="alignment",
    title="Quality of alignment",
    about="Alignment error rate (AER) of the strongest source word of each target word, the same with target words on "
    "the end of sentence moved to their strongest real word, the soft rate (SAER) of the weights themselves, and links "
    "of a weight above 0.2; systems that attend.",
    mirrors="Xue et al. (2019), Table 5; Kuang et al. (2018), Table 4; Mi et al. (2016), Table 3",
    recipe=("alignment",),
    columns=(BLEU, *ALIGNMENT),
    needed=[one.measure for one in ALIGNMENT],
    finish=_with_aligners,
    above=_lengths,
)
OVER_TRANSLATION = MeasureTable(
    name="over_translation",
    title="Over-translation and under-translation",
    about="Ratio of over-translation (ROT, percent) of all source words and by part of speech, repeated phrases and "
    "4-grams, 1-gram BLEU, which an untranslated word lowers, and the length of the translations to that of the "
    "references.",
    mirrors="Kuang et al. (2018), Tables 5 and 6; Mi et al. (2016), Section 5.3",
    recipe=("rot", "tags", "unknown_words", "repeated_phrases", "bleu1"),
    columns=columns(
        *("rot", "rot_NN", "rot_NR", "rot_DT", "rot_CD", "rot_rest"),
        *("repeated_phrases", "repeated_ngrams", "bleu1", "length_ratio"),
        above=AVERAGE,
    ),
    above=_of_totals,
)
COVERAGE_EMBEDDINGS = MeasureTable(
    name="coverage_embeddings",
    title="Coverage embeddings",
    about="What is left of coverage embeddings when a sentence ends, in percent of their length at first, and "
    "Pearson's correlation of that length with the number of target words of the source word.",
    mirrors="Mi et al. (2016), Section 3, which has no figures of it",
    recipe=(),
    columns=columns("coverage_left", "coverage_fertility"),
    below=(
        "dev under forced decoding, the end of the target read; target words by the links of the word aligner; a word "
        "of several pieces has their mean, a system with two coverage embeddings the length of both together",
    ),
)
END_OF_SENTENCE = MeasureTable(
    name="eos",
    title="End of sentence",
    about="Of the translations that ended, the percentage whose end of sentence is aligned with the source's, and how "
    "many the length limit cut off instead.",
    mirrors="Kuang et al. (2018), Table 2",
    recipe=("decoding",),
    columns=(
        column("dev.eos_aligned", "dev, eos aligned"),
        column("dev.cut_off", "dev, cut off"),
        column(f"{AVERAGE}eos_aligned", "test sets, eos aligned"),
        column(f"{AVERAGE}cut_off", "test sets, cut off"),
    ),
    above=_of_totals,
)
PERPLEXITY = MeasureTable(
    name="perplexity",
    title="Perplexity by direction",
    about="Of all of dev under forced decoding, by the checkpoint that was kept; each direction is a training of its "
    "own, the reverse one only of the systems that params.yaml lists under also_reverse, and released ones.",
    mirrors="the 2018 review, Table 1 (Cohn et al., 2016)",
    recipe=("segmentation", "perplexity", "checkpoint"),
    columns=_both_directions,
    numbers=_with_both,
)
COSTS = MeasureTable(
    name="cost",
    title="Parameters and speed",
    about="Size, speed of training, and how long training took.",
    mirrors="Kuang et al. (2018), Section 3.2 (parameters)",
    recipe=("model", "machine"),
    columns=(
        COST[0],
        Column("added", "more than the baseline", None, lambda value: f"{signed(value / 1e6)} M", spread=False),
        *COST[1:],
        *columns("epochs", "best_epoch"),
    ),
    numbers=_with_costs,
    below=(
        "wall time and epochs of a fine-tuned system are those of its own training, without its base's; a system that "
        "shares another's models has none",
        "speed and wall time are those of a machine at its time, often with other trainings beside; between machines "
        "they do not compare",
    ),
)
