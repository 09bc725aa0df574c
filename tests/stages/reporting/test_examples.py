"""examples.md: what a translation repeats and leaves out, which sentences the rules choose, and the page."""

import re
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

from stages.reporting.examples import show
from stages.reporting.examples.facts import Aligned, Facts, alignments
from stages.reporting.examples.looks import Looks, content_words, looks
from stages.reporting.examples.page import write_examples
from stages.reporting.examples.rules import Case, Example, agreement, faults, long_sentences
from stages.reporting.page.sentences import read_sets
from stages.reporting.study import Study
from stages.reporting.style import rc
from stages.translating.translations import Translation
from tests.helpers.browser.study import KINDS, Shape, build, read

# What a translation shows


def translation(source: str, linked: str, end: int | None = None) -> Translation:
    """linked: `word-s` for each target word; end: source position that the end looks at, None if cut off."""
    words = [pair.rsplit("-", 1) for pair in linked.split()]
    positions = [int(s) for _, s in words] + ([] if end is None else [end])
    attention = np.full((len(positions), len(source.split()) + 1), 0.01)
    attention[np.arange(len(positions)), positions] = 0.9
    return Translation(source.split(), [word for word, _ in words], attention, [])


@pytest.mark.parametrize(
    ("linked", "references", "found"),
    [
        ("hong-0 kong-0 hong-0 kong-0", ["hong kong"], (2, 3)),
        ("hong-0 kong-0 Hong-0", ["hong kong"], (2,)),
        ("hong-0 kong-0 hong-0", ["hong kong", "kong hong hong"], ()),
        ("hong-0 kong-0 hong-0 hong-0", ["hong kong hong"], (2, 3)),
        ("hong-0 hong-1", ["hong"], ()),
        ("hong-2 hong-2", ["hong"], ()),
        ("", ["hong"], ()),
    ],
)
def test_a_word_is_over_translated_by_one_source_word_beyond_every_reference(linked, references, found) -> None:
    words = [reference.split() for reference in references]
    assert looks(translation("香港 的", linked), words, [True, True]).over_translated == found


@pytest.mark.parametrize(
    ("linked", "end", "left_out", "behind_end"),
    [
        ("a-0 c-2", 4, (3,), ()),
        ("a-0 c-2", 1, (3,), (3,)),
        ("a-2", 2, (0, 3), (3,)),
        ("a-2", 0, (0, 3), (3,)),
        ("a-2", 3, (0, 3), ()),
        ("d-3", 0, (0, 2), ()),
        ("a-2", None, (0, 3), ()),
        ("", 0, (0, 2, 3), (2, 3)),
        ("x-4 y-4", 4, (0, 2, 3), ()),
    ],
)
def test_content_words_that_nothing_looks_at_are_left_out(linked, end, left_out, behind_end) -> None:
    seen = looks(translation("A 的 C D", linked, end), [["a"]], [True, False, True, True])
    assert (seen.left_out, seen.behind_end) == (left_out, behind_end)


def test_content_is_known_by_class_or_else_is_all_but_punctuation() -> None:
    words = ["他", "没有", "去", "北京", "2003年", "。", "3.5%"]
    assert content_words(words, ["OTHER", "AD", "V", "NR", "NT", "OTHER", "CD"]) == [0, 0, 1, 1, 1, 0, 1]
    assert content_words(words, None) == [1, 1, 1, 1, 1, 0, 1]


# Rules


def system(left_out: list[int] | None, bleu: list[float], short: list[int] | None = None, whole: float = 0.0) -> Facts:
    """left_out: how many words of each sentence; None without attention."""
    seen = None if left_out is None else [Looks((), tuple(range(number)), ()) for number in left_out]
    return Facts(np.array(bleu), whole, np.array(short or [1] * len(bleu)), seen)


def shown(cases: tuple[Case, Case]) -> list[Example | None]:
    return [case.example for case in cases]


def left_out(facts: dict[str, Facts], lost: bool = True, free: Sequence[int] | None = None) -> list[Example | None]:
    free = range(len(facts["base"].bleu)) if free is None else free
    return shown(faults(facts, "base", "left_out", lost, free))


def test_the_worst_sentence_has_most_words_then_the_lowest_bleu_then_comes_first() -> None:
    assert left_out({"base": system([1, 3, 2], [5, 50, 5], short=[9, 9, 9])}) == [Example(1, ("base",)), None]
    assert left_out({"base": system([3, 3, 3], [9, 5, 5], short=[9, 9, 9])}) == [Example(1, ("base",)), None]


def test_a_repair_has_fewer_words_and_more_bleu_the_fewest_first_and_of_equals_the_first_row() -> None:
    facts = {
        "worse": system([0, 0], [0, 9]),
        "silent": system(None, [0, 99]),
        "one": system([0, 1], [0, 90]),
        "base": system([0, 3], [0, 20]),
        "none": system([0, 0], [0, 30]),
        "equal": system([0, 0], [0, 30]),
    }
    assert left_out(facts)[0] == Example(1, ("base", "none"))


def test_the_worst_of_the_others_stands_beside_the_baseline_with_another_sentence() -> None:
    lacks = [9, 9, 9]
    facts = {
        "base": system([2, 9, 1], [5, 5, 5], lacks),
        "late": system([2, 9, 4], [9, 9, 9], lacks),
        "later": system([0, 9, 4], [9, 9, 9], lacks),
    }
    assert left_out(facts) == [Example(1, ("base",)), Example(2, ("late", "base"))]


def test_words_are_lost_up_to_the_number_that_a_translation_lacks() -> None:
    facts = {"base": system([4, 8, 3], [5, 5, 5], short=[0, 2, 3])}
    assert left_out(facts)[0] == Example(2, ("base",))
    assert left_out(facts, lost=False)[0] == Example(1, ("base",))


def test_only_sentences_that_are_free_are_chosen() -> None:
    assert left_out({"base": system([4, 8, 3], [5, 5, 5])}, lost=False, free=[0, 2])[0] == Example(0, ("base",))


@pytest.mark.parametrize(
    ("facts", "whys"),
    [
        (
            {"base": system([0], [5]), "b": system([0], [5])},
            ["of the baseline qualifies", "of another system qualifies"],
        ),
        ({"base": system(None, [5]), "b": system([0], [5])}, ["has no attention", "of another system qualifies"]),
        ({"base": system(None, [5])}, ["has no attention", "of another system qualifies"]),
    ],
)
def test_where_nothing_qualifies_the_page_says_so(facts, whys) -> None:
    cases = faults(facts, "base", "left_out", lost=True, free=[0])
    assert shown(cases) == [None, None]
    assert all(why in case.why for case, why in zip(cases, whys, strict=True))


def test_a_baseline_without_attention_still_stands_beside_the_worst() -> None:
    assert left_out({"base": system(None, [5]), "b": system([2], [5])}) == [None, Example(0, ("b", "base"))]


def test_long_sentences_are_the_longest_tenth_and_those_as_long() -> None:
    lengths = [30, 8, 29, 29, *[7] * 16]  # the longest two, and one as long as the second
    base, other = [0.0] * 20, [90.0] * 20
    base[3], other[:4] = 30.0, [10.0, 99.0, 20.0, 0.0]
    facts = {"base": system(None, base, whole=5), "other": system(None, other, whole=5)}
    kept, lost = Example(2, ("base", "other")), Example(3, ("other", "base"))
    assert shown(long_sentences(facts, "base", lengths, range(20))) == [kept, lost]
    assert shown(long_sentences(facts, "base", lengths, [0, 1, 3])) == [kept._replace(sentence=0), lost]


def test_a_worse_system_is_no_example_of_a_loss() -> None:
    facts = {"base": system(None, [90], whole=5), "worse": system(None, [0], whole=4.9)}
    assert shown(long_sentences(facts, "base", [9], [0])) == [None, None]


def test_agreement_goes_by_error_rates_of_sentences_with_enough_words() -> None:
    aligned = {
        "base": Aligned(np.array([50, 50, np.nan, 10.0]), 20.0),
        "good": Aligned(np.array([0, 30, 0, 40.0]), 15.0),
        "bad": Aligned(np.array([0, 45, 0, 99.0]), 25.0),
    }
    kept, lost = Example(1, ("base", "good")), Example(3, ("good", "base"))
    assert shown(agreement(aligned, "base", [3, 10, 10, 10], least=10)) == [kept, lost]
    assert shown(agreement(aligned, "silent", [3, 10, 10, 10], least=10)) == [None, None]


# The page

SHAPE = Shape(("test",), (1,), sentences=12)
ROWS = {variant: KINDS[variant] for variant in ("rnnsearch_star", "ba_nmt", "rnnencdec", "hostile")}
"""The first is the baseline."""


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    build(folder, KINDS, SHAPE)
    return folder


@pytest.fixture
def blank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes longer than everything else, so the figures are empty."""
    monkeypatch.setattr(show, "heat_maps", lambda maps, caption, columns: Figure(figsize=(1, 1)))


def write(study: Study, folder: Path, classes: list[list[str]] | None = None) -> str:
    folder.mkdir()
    write_examples(study, read_sets(study), classes, folder)
    return (folder / "examples.md").read_text(encoding="utf-8")


def section(page: str, heading: str) -> list[str]:
    """Lines below a heading of the second order."""
    return page.split(f"## {heading}\n")[1].split("\n## ")[0].splitlines()


def first(lines: list[str], start: str) -> str:
    return next(line for line in lines if line.startswith(start))


@pytest.mark.usefixtures("blank")
def test_every_figure_is_on_the_page(inputs: Path, tmp_path: Path) -> None:
    page = write(read(inputs, ROWS, SHAPE), tmp_path / "out")
    drawn = {path.name for path in (tmp_path / "out/figures/examples").iterdir()}
    assert sorted(re.findall(r"\(figures/examples/(\S+)\)", page)) == sorted(drawn)
    assert {"over_1_rnnsearch_star.png", "agreement_1.png"} <= drawn


def test_two_heat_maps_stand_abreast_unless_they_are_broad(inputs: Path, tmp_path: Path) -> None:
    study = read(inputs, ROWS, SHAPE)
    gold = read_sets(study)[-1]
    lengths = [len(line.split(" ")) for line in gold.source]
    broad = min(length for length in lengths if length > show.BROAD)
    for k, figures in ((lengths.index(min(lengths)), 1), (lengths.index(broad), 2)):
        example = Example(k, ("rnnsearch_star", "ba_nmt"))
        place, found = show.Place(tmp_path, str(k)), alignments(study, gold)
        with matplotlib.rc_context(rc()):
            lines = list(show.aligned(example, place, gold, found, study.asked))
        assert sum(line.startswith("![Attention of RNNsearch") for line in lines) == 1
        assert sum(line.startswith("![") for line in lines) == figures
    files = list((tmp_path / "figures/examples").iterdir())
    assert len(files) == 3 and all(2_000 < path.stat().st_size < 150_000 for path in files)


@pytest.mark.usefixtures("blank")
def test_the_same_study_gives_the_same_page(inputs: Path, tmp_path: Path) -> None:
    assert len({write(read(inputs, ROWS, SHAPE), tmp_path / name) for name in ("a", "b")}) == 1


@pytest.mark.usefixtures("blank")
def test_words_are_marked_in_the_text(inputs: Path, tmp_path: Path) -> None:
    page = write(read(inputs, ROWS, SHAPE), tmp_path / "out")
    lines = section(page, "Over-translation")
    bold = re.findall(r"\*\*(\S+)\*\*", first(lines, r"- RNNsearch\*: "))
    assert bold and len(bold) == int(first(lines, r"| RNNsearch\*").split(" | ")[3])
    lines = section(page, "Words left out")
    struck = re.findall(r"~~(\S+)~~", first(lines, "- source"))
    assert struck and struck == first(lines, r"| RNNsearch\*").split(" | ")[4].split()


@pytest.mark.usefixtures("blank")
def test_no_sentence_of_the_test_set_is_shown_twice(inputs: Path, tmp_path: Path) -> None:
    numbers = re.findall(r"^test set, sentence (\d+)", write(read(inputs, ROWS, SHAPE), tmp_path / "out"), re.M)
    assert len(numbers) == len(set(numbers)) >= 5


@pytest.mark.usefixtures("blank")
def test_classes_decide_what_is_left_out(inputs: Path, tmp_path: Path) -> None:
    study = read(inputs, ROWS, SHAPE)
    [test, *_] = read_sets(study)
    page = write(study, tmp_path / "out", [["OTHER"] * len(line.split(" ")) for line in test.source])
    assert "\n".join(section(page, "Words left out")).count("qualifies.") == 2
    assert "nouns, names" in page


@pytest.mark.usefixtures("blank")
def test_a_removed_system_disappears(inputs: Path, tmp_path: Path) -> None:
    left = {variant: kind for variant, kind in ROWS.items() if variant != "ba_nmt"}
    pages = [write(read(inputs, kinds, SHAPE), tmp_path / str(len(kinds))) for kinds in (ROWS, left)]
    assert ["BA-NMT" in page for page in pages] == [True, False]


@pytest.mark.usefixtures("blank")
def test_text_that_would_be_markup_is_text(tmp_path: Path) -> None:
    """The sentence with hostile words is one of two."""
    shape = Shape(("test",), (1,), sentences=2)
    build(tmp_path / "in", KINDS, shape)
    page = write(read(tmp_path / "in", ROWS, shape), tmp_path / "out")
    left = re.sub(r"\\.", "", page)
    assert "script" in page
    assert not re.findall(r"<|&|\$|`", left)


@pytest.mark.usefixtures("blank")
@pytest.mark.parametrize("variant", ["rnnsearch_star", "rnnencdec"])
def test_one_system_with_or_without_attention_makes_a_page(inputs: Path, tmp_path: Path, variant: str) -> None:
    page = write(read(inputs, {variant: KINDS[variant]}, SHAPE), tmp_path / "out")
    attends = KINDS[variant].sharpness is not None
    assert ("no other system repairs it" in page) == attends
    assert ("The baseline has no attention." in page) != attends
    assert page.count("There is no such sentence.") == (4 if attends else 2)


def test_systems_without_attention_are_compared_on_long_sentences_without_figure(tmp_path: Path) -> None:
    silent = KINDS["rnnencdec"]
    kinds = {"base": silent, "good": silent._replace(drops=0.0, repeats=0.0)}
    build(tmp_path / "in", kinds, SHAPE)
    page = write(read(tmp_path / "in", kinds, SHAPE), tmp_path / "out")
    assert "there is no heat map" in page and not (tmp_path / "out/figures").exists()


@pytest.mark.usefixtures("blank")
def test_without_hand_made_links_the_page_says_so(inputs: Path, tmp_path: Path) -> None:
    study = read(inputs, ROWS, SHAPE)
    page = write(study._replace(text=study.text._replace(gold=False)), tmp_path / "out")
    assert page.endswith("The corpus has none.\n") and "gold set" not in page
