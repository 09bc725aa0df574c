"""`examples.md` with its heat maps: of each example the sentence, what the systems make of it, and their numbers."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import matplotlib

from stages.files.links import Link
from stages.measures.hard_links import link_set, strongest
from stages.reporting.chosen_sentences import map_of
from stages.reporting.examples import rules
from stages.reporting.examples.counterparts import counterparts, longest_trained
from stages.reporting.examples.rules import Case, Example
from stages.reporting.examples.sentence_scores import (
    Aligned,
    AttentionErrors,
    SentenceWords,
    StudyScores,
    alignments,
    kept_at_end,
    read_words,
    sentence_scores,
)
from stages.reporting.heat_map import HeatMap, heat_maps
from stages.reporting.outputs import EXAMPLES, FIGURES
from stages.reporting.sentence_sets import SentenceSet
from stages.reporting.study_results import StudyResults
from stages.reporting.study_spec import StudySpec
from stages.reporting.style import SCREEN_DPI, rc, save_png
from stages.reporting.tables.markdown import escape, markdown
from stages.reporting.tables.table import MISSING, Cell, Table
from stages.tagging.classes import Classes
from stages.translating.translations import Translation

BROAD = 16
"""Source words of which two heat maps abreast still fit a page; broader ones are figures of their own."""

STRUCK_OUT, BOLD = "~~", "**"
"""What Markdown has around words: struck out and bold."""

FIGURES_FOLDER = Path(FIGURES) / "examples"


class Place(NamedTuple):
    """folder: of the report; name: what the names of the example's figures begin with."""

    folder: Path
    name: str


def translated(
    example: Example,
    place: Place,
    test: SentenceSet,
    words: Sequence[SentenceWords],
    scores: StudyScores,
    spec: StudySpec,
) -> Iterator[str]:
    """A sentence of a test set as the systems translate it by themselves."""
    k, titles = example.sentence, spec.titles
    source = words[k].source
    given = {variant: test.sides[variant].translations[k] for variant in example.variants}
    seen = {variant: of[k] if (of := scores[variant].attention_errors) else None for variant in given}
    caption = f"{test.name} set, sentence {k + 1}"
    yield f"{escape(caption)}, {len(source)} words\n"
    yield f"- source: {_marked(source, _positions(seen[example.variants[0]], 'left_out'), STRUCK_OUT)}"
    for number, reference in enumerate(test.references[k], start=1):
        yield f"- reference {number}: {escape(reference)}"
    for variant, each in given.items():
        over = _positions(seen[variant], "over_translated")
        yield f"- {escape(titles[variant])}: {_marked(each.target, over, BOLD)}"
    headings = ("System", "BLEU", "words", "over-translated", "left out", "its end looks at")
    rows = [(titles[v], _cells(each, source, seen[v], scores[v].bleu[k])) for v, each in given.items()]
    yield f"\n{markdown(Table(headings, tuple(rows), words=frozenset(headings[4:])))}"
    maps = {
        variant: map_of(titles[variant], source, each.target, each)
        for variant, each in given.items()
        if each.attention is not None
    }
    yield from _figures(place, maps, f"{caption} · each system's own translation · seed {spec.seeds[0]}")


def aligned(
    example: Example, place: Place, gold: SentenceSet, of: Mapping[str, Aligned], spec: StudySpec
) -> Iterator[str]:
    """A sentence of the gold set, with the attention of the systems while they are made to give its reference."""
    assert gold.golds is not None  # of the gold set alone
    k, titles, links = example.sentence, spec.titles, gold.golds[example.sentence]
    source, target = gold.source[k].split(" "), gold.references[k][0].split(" ")
    given = {variant: gold.sides[variant].translations[k] for variant in example.variants}
    yield f"gold set, sentence {k + 1}, {len(source)} words\n"
    yield f"- source: {_marked(source, (), STRUCK_OUT)}"
    yield f"- reference: {_marked(target, (), BOLD)}"
    headings = ("System", "AER", "sure links missed", "wrong links")
    rows = []
    for variant, each in given.items():
        found = link_set(strongest(each.word_weights, spec.aer_eos))
        pairs = (links.sure - found, found - links.possible)
        texts = (f"{of[variant].aer[k]:.1f}", *(_pairs(some, source, target) for some in pairs))
        rows.append((titles[variant], tuple(map(Cell, texts))))
    yield f"\n{markdown(Table(headings, tuple(rows), words=frozenset(headings[2:])))}"
    maps = {variant: map_of(titles[variant], source, target, each, links) for variant, each in given.items()}
    caption = f"gold set, sentence {k + 1} · forced decoding of the reference · seed {spec.seeds[0]}"
    yield from _figures(place, maps, caption)


def _positions(seen: AttentionErrors | None, field: str) -> tuple[int, ...]:
    return () if seen is None else getattr(seen, field)


def _marked(words: Sequence[str], positions: Collection[int], mark: str) -> str:
    """The words as text, those at `positions` between marks."""
    shown = [f"{mark}{escape(word)}{mark}" if i in positions else escape(word) for i, word in enumerate(words)]
    return " ".join(shown) or "(nothing)"


def _cells(each: Translation, source: Sequence[str], seen: AttentionErrors | None, bleu: float) -> tuple[Cell, ...]:
    attended = [MISSING] * 3
    if seen is not None:
        left_out = " ".join(source[j] for j in seen.left_out)
        attended = [str(len(seen.over_translated)), left_out or MISSING, _end(each, source)]
    return tuple(map(Cell, (f"{bleu:.1f}", str(len(each.target)), *attended)))


def _end(each: Translation, source: Sequence[str]) -> str:
    if len(each.weights) == len(each.target):
        return "no end: cut off"
    end = int(each.weights[-1].argmax())
    return "the source's end" if end == len(source) else f"{source[end]} ({end + 1} of {len(source)})"


def _pairs(links: frozenset[Link], source: Sequence[str], target: Sequence[str]) -> str:
    return ", ".join(f"{source[i]}–{target[j]}" for i, j in sorted(links)) or MISSING


def _figures(place: Place, maps: Mapping[str, HeatMap], caption: str) -> Iterator[str]:
    """maps: by variant, of the same source."""
    if not maps:
        yield "Without attention there is no heat map.\n"
        return
    if len(next(iter(maps.values())).source) > BROAD:
        figures = {f"{place.name}_{variant}": [each] for variant, each in maps.items()}
    else:
        figures = {place.name: list(maps.values())}
    for name, abreast in figures.items():
        save_png(heat_maps(abreast, caption, len(abreast)), place.folder / FIGURES_FOLDER / name, SCREEN_DPI)
        about = f"Attention of {' and of '.join(each.title for each in abreast)}"
        yield f"![{escape(about)}]({FIGURES_FOLDER / name}.png)\n"


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
END = """Of the test set with the longest source, if training left out such long ones: the sentence in which {without},
which has no attention, loses most of the end beside {attending}, of those with attention the one set up most like it.
Of the end are kept the words that the last thirds of translation and reference share, each as often as both have it.
"""
AGREEMENT = """The largest difference of AER from the baseline, among the sources of at least {least} words of the gold
set, whose references the systems are made to give.
"""

ClassesOf = Mapping[str, Classes | None]
"""Test set -> the classes of its source words, None for a language without a tagger."""

Render = Callable[[Example, Place], Iterator[str]]


def write_examples(study: StudyResults, sets: Sequence[SentenceSet], classes: ClassesOf, folder: Path) -> None:
    """`examples.md` and `figures/examples/` in the `folder` of the report. sets: of `read_sets`."""
    with matplotlib.rc_context(rc()):
        page = "\n".join([*_translations(study, sets, classes, folder), *_alignments(study, sets[-1], folder)])
    (folder / EXAMPLES).write_text(page, encoding="utf-8")


def _translations(study: StudyResults, sets: Sequence[SentenceSet], classes: ClassesOf, folder: Path) -> Iterator[str]:
    spec, test = study.spec, sets[0]
    words = read_words(study, test, classes[test.name])
    baseline, found = spec.compare.baseline, sentence_scores(study, test, words)
    yield ABOUT.format(
        content=WITH_CLASSES if classes[test.name] else WITHOUT_CLASSES,
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
    longest = max((one for one in sets if not one.forced), key=_longest)
    others = free if longest is test else range(len(longest.source))
    yield from _lost_end(study, longest, classes[longest.name], others, folder)


def _lost_end(
    study: StudyResults, test: SentenceSet, classes: Classes | None, free: Sequence[int], folder: Path
) -> Iterator[str]:
    """Nothing for a study without such a pair of systems. free: the sentences to choose from."""
    spec, pair = study.spec, counterparts(study.spec)
    if pair is None:
        return
    without, attending = (escape(spec.titles[variant]) for variant in pair)
    yield f"## The end of a long sentence\n\n{END.format(without=without, attending=attending)}"
    test = test._replace(sides={variant: test.sides[variant] for variant in pair})
    words = read_words(study, test, classes)
    found = sentence_scores(study, test, words)
    kept = {
        variant: [
            kept_at_end(each.target, of.references, study.text.target)
            for each, of in zip(side.translations, words, strict=True)
        ]
        for variant, side in test.sides.items()
    }
    if _longest(test) <= longest_trained(spec, pair.without):
        free = []

    def shown(example: Example, place: Place) -> Iterator[str]:
        yield from translated(example, place, test, words, found, spec)
        numbers = (f"{kept[variant][example.sentence]} by {escape(spec.titles[variant])}" for variant in pair)
        yield f"Words kept of the end: {', '.join(numbers)}.\n"

    yield from _cases([rules.lost_ends(kept, pair, free)], "end", folder, shown)


def _longest(test: SentenceSet) -> int:
    """Words of the longest source."""
    return max(len(line.split(" ")) for line in test.source)


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


def _cases(cases: Sequence[Case], name: str, folder: Path, render: Render) -> Iterator[str]:
    for number, case in enumerate(cases, start=1):
        yield f"### {case.heading}\n"
        if case.example:
            yield from render(case.example, Place(folder, f"{name}_{number}"))
        else:
            yield f"{case.why}\n"
