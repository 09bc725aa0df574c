"""One example as Markdown: the sentence, what the systems make of it, their numbers, and figures of their attention."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stages.files.links import Link
from stages.measures.hard_links import link_set, strongest
from stages.reporting.chosen_sentences import map_of
from stages.reporting.examples.attention_errors import AttentionErrors
from stages.reporting.examples.rules import Example
from stages.reporting.examples.sentence_scores import Aligned, SentenceWords, StudyScores, SystemScores
from stages.reporting.heat_map import HeatMap, heat_maps
from stages.reporting.outputs import FIGURES
from stages.reporting.sentence_sets import SentenceSet
from stages.reporting.study_spec import StudySpec
from stages.reporting.style import SCREEN_DPI, save_png
from stages.reporting.tables.markdown import escape, markdown
from stages.reporting.tables.table import MISSING, Cell, Table
from stages.translating.translations import Translation

BROAD = 16
"""Source words of which two heat maps abreast still fit a page; broader ones are figures of their own."""

LEFT_OUT, OVER_TRANSLATED = "~~", "**"
"""What Markdown has around words: struck out and bold."""

FOLDER = Path(FIGURES) / "examples"


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
    seen = {variant: _looks(scores[variant], k) for variant in given}
    caption = f"{test.name} set, sentence {k + 1}"
    yield f"{escape(caption)}, {len(source)} words\n"
    yield f"- source: {_marked(source, _positions(seen[example.variants[0]], 'left_out'), LEFT_OUT)}"
    for number, reference in enumerate(test.references[k], start=1):
        yield f"- reference {number}: {escape(reference)}"
    for variant, each in given.items():
        over = _positions(seen[variant], "over_translated")
        yield f"- {escape(titles[variant])}: {_marked(each.target, over, OVER_TRANSLATED)}"
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
    yield f"- source: {_marked(source, (), LEFT_OUT)}"
    yield f"- reference: {_marked(target, (), OVER_TRANSLATED)}"
    headings = ("System", "AER", "sure links missed", "wrong links")
    rows = []
    for variant, each in given.items():
        found = link_set(strongest(each.word_weights, "drop"))
        pairs = (links.sure - found, found - links.possible)
        texts = (f"{of[variant].aer[k]:.1f}", *(_pairs(some, source, target) for some in pairs))
        rows.append((titles[variant], tuple(map(Cell, texts))))
    yield f"\n{markdown(Table(headings, tuple(rows), words=frozenset(headings[2:])))}"
    maps = {variant: map_of(titles[variant], source, target, each, links) for variant, each in given.items()}
    caption = f"gold set, sentence {k + 1} · forced decoding of the reference · seed {spec.seeds[0]}"
    yield from _figures(place, maps, caption)


def _looks(of: SystemScores, k: int) -> AttentionErrors | None:
    return None if of.attention_errors is None else of.attention_errors[k]


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
        save_png(heat_maps(abreast, caption, len(abreast)), place.folder / FOLDER / name, SCREEN_DPI)
        about = f"Attention of {' and of '.join(each.title for each in abreast)}"
        yield f"![{escape(about)}]({FOLDER / name}.png)\n"
