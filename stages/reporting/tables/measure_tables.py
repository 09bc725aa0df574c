"""The tables whose cells are measures of metrics.json, as a list: what each shows, of whom, and what stands below."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from stages.reporting.given_metrics import GIVEN
from stages.reporting.study_results import StudyResults
from stages.reporting.tables import measure_columns
from stages.reporting.tables.main_table import COST
from stages.reporting.tables.measure_columns import Parts
from stages.reporting.tables.measured import AVERAGE, Measured, notes, shown, test_sets
from stages.reporting.tables.table import Column, ReportTable, Table, count, percent, ratio


class MeasureTable(NamedTuple):
    """recipe: the keys that matter; columns: of every part; needed: measures of which a system must have one, of all
    if none is named; numbers: what the cells are of; finish: the table of a part, completed or left out; above, below:
    notes before and behind those of the recipe."""

    name: str
    title: str
    about: str
    mirrors: str
    recipe: tuple[str, ...]
    columns: Callable[[StudyResults], Parts]
    needed: Sequence[str] = ()
    numbers: Callable[[StudyResults, Measured], Measured] = lambda study, measured: measured
    finish: Callable[[StudyResults, Measured, str, Table], Table | None] = lambda study, measured, part, table: table
    above: Callable[[StudyResults], Sequence[str]] = lambda study: ()
    below: Sequence[str] = ()

    def of(self, study: StudyResults, measured: Measured) -> ReportTable | None:
        """None if the study has nothing for it."""
        numbers, parts = self.numbers(study, measured), {}
        for part, columns in self.columns(study).items():
            table = shown(numbers, columns, self.needed)
            if table is not None and (table := self.finish(study, numbers, part, table)) is not None:
                parts[part] = table
        if not parts:
            return None
        below = (*self.above(study), *notes(study.document, parts.values(), self.recipe), *self.below)
        return ReportTable(self.name, self.title, self.about, self.mirrors, parts, below)


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
    columns=measure_columns.quality,
)
ABLATION = MeasureTable(
    name="ablation",
    title="Ablation of the bilingual history",
    about="Source history (SA), target history (TA) and both (BA) on top of the same baseline; Δ: average BLEU over "
    "that of RNNsearch*.",
    mirrors="Xue et al. (2019), Tables 3 and 4",
    recipe=("bleu", "checkpoint", "decoding"),
    columns=measure_columns.of_each_test,
    numbers=lambda study, measured: measured._replace(
        frame=measured.frame[measured.frame.index.isin(measure_columns.OF_ABLATION)]
    ),
    finish=measure_columns.with_gains,
)
BY_LENGTH = MeasureTable(
    name="length_buckets",
    title="BLEU by length of the source",
    about="Corpus BLEU of the sentences of each length, in words of the source; buckets without sentences are left "
    "out.",
    mirrors="Kuang et al. (2018), Figure 6; the Bahdanau slides, BLEU by length",
    recipe=("bleu", "bleu_by_length"),
    columns=measure_columns.by_length,
    finish=measure_columns.with_counts,
)
UNKNOWN_WORDS = MeasureTable(
    name="unknown_words",
    title="Unknown words",
    about="BLEU of all sentences with unknown words replaced, of all with unknown words kept as wrong words, and of "
    "those without unknown words.",
    mirrors="the Bahdanau slides, Quantitative results (All and No UNK)",
    recipe=("bleu", "unknown_words", "no_unk"),
    columns=measure_columns.one(*measure_columns.UNKNOWN),
    finish=measure_columns.if_unknown,
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
    columns=measure_columns.one(measure_columns.BLEU, *measure_columns.ALIGNMENT),
    needed=[column.measure for column in measure_columns.ALIGNMENT],
    finish=measure_columns.with_aligners,
    above=measure_columns.lengths,
)
OVER_TRANSLATION = MeasureTable(
    name="over_translation",
    title="Over-translation and under-translation",
    about="Ratio of over-translation (ROT, percent) of all source words and by part of speech, repeated phrases and "
    "4-grams, 1-gram BLEU, which an untranslated word lowers, and the length of the translations to that of the "
    "references.",
    mirrors="Kuang et al. (2018), Tables 5 and 6; Mi et al. (2016), Section 5.3",
    recipe=("rot", "tags", "unknown_words", "repeated_phrases", "bleu1"),
    columns=measure_columns.one(
        Column(f"{AVERAGE}rot", "ROT", "low", percent),
        *(Column(f"{AVERAGE}rot_{name}", f"ROT {name}", "low", percent) for name in ("NN", "NR", "DT", "CD", "rest")),
        Column(f"{AVERAGE}repeated_phrases", "repeated phrases", "low", count),
        Column(f"{AVERAGE}repeated_ngrams", "repeated 4-grams", "low", count),
        Column(f"{AVERAGE}bleu1", "1-gram BLEU", "high", percent),
        Column(f"{AVERAGE}length_ratio", "length ratio", None, ratio),
    ),
    above=measure_columns.of_totals,
)
COVERAGE_EMBEDDINGS = MeasureTable(
    name="coverage_embeddings",
    title="Coverage embeddings",
    about="What is left of coverage embeddings when a sentence ends, in percent of their length at first, and "
    "Pearson's correlation of that length with the number of target words of the source word.",
    mirrors="Mi et al. (2016), Section 3, which has no figures of it",
    recipe=(),
    columns=measure_columns.one(
        Column("coverage_left", "left in the end", None, percent),
        Column("coverage_fertility", "correlation with fertility", None, ratio),
    ),
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
    columns=measure_columns.one(
        Column("dev.eos_aligned", "dev, eos aligned", "high", percent),
        Column("dev.cut_off", "dev, cut off", None, count),
        Column(f"{AVERAGE}eos_aligned", "test sets, eos aligned", "high", percent),
        Column(f"{AVERAGE}cut_off", "test sets, cut off", None, count),
    ),
    above=measure_columns.of_totals,
)
PERPLEXITY = MeasureTable(
    name="perplexity",
    title="Perplexity by direction",
    about="Of all of dev under forced decoding, by the checkpoint that was kept; each direction is a training of its "
    "own, the reverse one only of the systems that params.yaml lists under also_reverse, and released ones.",
    mirrors="the 2018 review, Table 1 (Cohn et al., 2016)",
    recipe=("segmentation", "perplexity", "checkpoint"),
    columns=measure_columns.both_directions,
    numbers=measure_columns.with_both,
)
COSTS = MeasureTable(
    name="cost",
    title="Parameters and speed",
    about="Size, speed of training, and how long training took.",
    mirrors="Kuang et al. (2018), Section 3.2 (parameters)",
    recipe=("model", "machine"),
    columns=measure_columns.one(
        COST[0],
        Column("added", "more than the baseline", None, lambda value: f"{value / 1e6:+.2f} M", spread=False),
        *COST[1:],
        Column("epochs", "epochs", None, count),
        Column("best_epoch", "best epoch", None, count),
    ),
    numbers=measure_columns.with_costs,
    below=(
        "wall time and epochs of a fine-tuned system are those of its own training, without its base's",
        "speed and wall time are those of a machine at its time, often with other trainings beside; between machines "
        "they do not compare",
    ),
)
