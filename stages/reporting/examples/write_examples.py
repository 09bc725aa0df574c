"""`examples.md` with its heat maps."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import matplotlib

from stages.reporting.examples import rules
from stages.reporting.examples.rules import Case, Example
from stages.reporting.examples.sentence_scores import alignments, read_words, sentence_scores
from stages.reporting.examples.show import Place, aligned, translated
from stages.reporting.outputs import EXAMPLES
from stages.reporting.sentence_sets import SentenceSet
from stages.reporting.study_results import StudyResults
from stages.reporting.style import rc
from stages.reporting.tables.markdown import escape

ABOUT = """# Examples

Sentences chosen by the measures, not by hand: each section states its rule. Of equals, the system that stands first in
the tables is shown, then the first sentence; no sentence is shown twice. Translations are as the systems gave them.

A target word looks at the source word of its highest attention. In a source, ~~struck out~~: content words that no word
of the first translation looks at; some are translated all the same, by way of their neighbours. In a translation,
**bold**: over-translated words. BLEU is that of the sentence, smoothed.

Content words: {content}. Baseline: {baseline}. Test set: {test}. Seed: {seed}.
"""
WITH_CLASSES, WITHOUT_CLASSES = "nouns, names, numbers, verbs and adjectives", "all but punctuation"

OVER_TRANSLATED = """Most over-translated words: those that another target word before has said already by way of the
same source word, as ROT counts them, and of which the translation has more than any reference.
"""
LEFT_OUT = """Most content words of the source that no target word looks at, counted up to the number of words that the
translation lacks to the shortest reference.
"""
ENDED_EARLY = """Most content words behind the last source word that the translation or its end looks at, counted up to
the number of words that the translation lacks to the shortest reference.
"""
ORDER = """Of as many, the lowest BLEU. A system repairs the sentence if it has fewer of them and a higher BLEU: the
one with the fewest is shown, then the one with the highest BLEU.
"""
LONG = """The largest difference of BLEU from the baseline, among the longest tenth of the sources.
"""
AGREEMENT = """The largest difference of AER from the baseline, among the sources of at least {least} words of the gold
set, whose references the systems are made to give.
"""

Render = Callable[[Example, Place], Iterator[str]]


def write_examples(
    study: StudyResults, sets: Sequence[SentenceSet], classes: Sequence[Sequence[str]] | None, folder: Path
) -> None:
    """`examples.md` and `figures/examples/` in the `folder` of the report.

    sets: of `read_sets`; classes: of the source words of the first test set, None for a language without a tagger.
    """
    with matplotlib.rc_context(rc()):
        page = "\n".join([*_translations(study, sets[0], classes, folder), *_alignments(study, sets[-1], folder)])
    (folder / EXAMPLES).write_text(page, encoding="utf-8")


def _translations(
    study: StudyResults, test: SentenceSet, classes: Sequence[Sequence[str]] | None, folder: Path
) -> Iterator[str]:
    spec, words = study.spec, read_words(study, test, classes)
    baseline, found = spec.compare.baseline, sentence_scores(study, test, words)
    yield ABOUT.format(
        content=WITH_CLASSES if classes else WITHOUT_CLASSES,
        baseline=escape(spec.titles[baseline]),
        test=escape(test.name),
        seed=spec.seeds[0],
    )
    lengths = [len(each.source) for each in words]
    free = list(range(len(words)))
    faults = partial(rules.faults, found, baseline)
    for heading, rule, name, choose in (
        ("Over-translation", OVER_TRANSLATED + ORDER, "over", partial(faults, "over_translated", lost=False)),
        ("Ended too early", ENDED_EARLY + ORDER, "early", partial(faults, "behind_end", lost=True)),
        ("Words left out", LEFT_OUT + ORDER, "left_out", partial(faults, "left_out", lost=True)),
        ("Long sentences", LONG, "long", partial(rules.long_sentences, found, baseline, lengths)),
    ):
        yield f"## {heading}\n\n{rule}"
        cases = choose(free=free)
        yield from _cases(
            cases, name, folder, lambda example, place: translated(example, place, test, words, found, spec)
        )
        shown = {case.example.sentence for case in cases if case.example}
        free = [k for k in free if k not in shown]


def _alignments(study: StudyResults, gold: SentenceSet, folder: Path) -> Iterator[str]:
    """`gold`: the last set, which is the gold set if there is one."""
    yield "## Agreement with alignments by hand\n"
    if gold.golds is None:
        yield "The corpus has none.\n"
        return
    spec, found = study.spec, alignments(study, gold)
    least, lengths = spec.settings.shortest, [len(line.split(" ")) for line in gold.source]
    yield AGREEMENT.format(least=least)
    cases = rules.agreements(found, spec.compare.baseline, lengths, least)
    yield from _cases(cases, "agreement", folder, lambda example, place: aligned(example, place, gold, found, spec))


def _cases(cases: tuple[Case, Case], name: str, folder: Path, render: Render) -> Iterator[str]:
    for number, case in enumerate(cases, start=1):
        yield f"### {case.heading}\n"
        if case.example:
            yield from render(case.example, Place(folder, f"{name}_{number}"))
        else:
            yield f"{case.why}\n"
