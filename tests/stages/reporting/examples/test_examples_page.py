"""examples.md: its text and its figures."""

import re
from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure

from stages.files.text import write_lines
from stages.reporting.examples import write_examples as examples
from stages.reporting.examples.rules import Case, Example
from stages.reporting.examples.sentence_scores import alignments, kept_at_end, read_words
from stages.reporting.examples.write_examples import write_examples
from stages.reporting.sentence_sets import SentenceSet, read_sets
from stages.reporting.study_results import StudyResults
from stages.reporting.style import rc
from stages.reporting.tables.table import MISSING
from tests.helpers.browser.study import KINDS, Shape, build, read

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
    monkeypatch.setattr(examples, "heat_maps", lambda maps, caption, columns: Figure(figsize=(1, 1)))


def write(study: StudyResults, folder: Path, classes: list[list[str]] | None = None) -> str:
    return write_sets(study, read_sets(study), folder, classes)


def write_sets(
    study: StudyResults, sets: list[SentenceSet], folder: Path, classes: list[list[str]] | None = None
) -> str:
    folder.mkdir()
    write_examples(study, sets, dict.fromkeys(study.text.tests, classes), folder)
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


@pytest.mark.slow
def test_two_heat_maps_stand_abreast_unless_they_are_broad(inputs: Path, tmp_path: Path) -> None:
    study = read(inputs, ROWS, SHAPE)
    gold = read_sets(study)[-1]
    lengths = [len(line.split(" ")) for line in gold.source]
    broad = min(length for length in lengths if length > examples.BROAD)
    for k, figures in ((lengths.index(min(lengths)), 1), (lengths.index(broad), 2)):
        example = Example(k, ("rnnsearch_star", "ba_nmt"))
        place, found = examples.Place(tmp_path, str(k)), alignments(study, gold)
        with matplotlib.rc_context(rc()):
            lines = list(examples.aligned(example, place, gold, found, study.spec))
        assert sum(line.startswith("![Attention of RNNsearch") for line in lines) == 1
        assert sum(line.startswith("![") for line in lines) == figures
    files = list((tmp_path / "figures/examples").iterdir())
    assert len(files) == 3 and all(2_000 < path.stat().st_size < 150_000 for path in files)


@pytest.mark.parametrize(
    ("language", "line", "words"),
    [("en", "hostile remarks.", ["hostile", "remarks", "."]), ("zh", "老师买书。", ["老师", "买", "书", "。"])],
)
def test_references_that_are_running_text_are_counted_in_words(
    inputs: Path, tmp_path: Path, language: str, line: str, words: list[str]
) -> None:
    study = read(inputs, ROWS, SHAPE)
    test = read_sets(study)[0]
    write_lines(tmp_path / f"test.{language}", ["a ."] * len(test.source))
    text = study.text._replace(folder=tmp_path, target=language)
    study = study._replace(text=text, stats=study.stats | {"tokenised": False})
    found = read_words(study, test._replace(references=[("a.", line)] * len(test.source)), None)
    assert [one.references for one in found] == [[["a", "."], words]] * len(found)


def test_links_that_are_no_attention_are_in_no_example_of_agreement(inputs: Path) -> None:
    """SMT's, which its aligner makes, are counted sentence by sentence too."""
    study = read(inputs, ROWS, SHAPE)
    gold = read_sets(study)[-1]
    name, side = next((name, side) for name, side in gold.sides.items() if "aer" in side.values)
    without = side._replace(translations=[one._replace(attention=None) for one in side.translations])
    assert name in alignments(study, gold)
    assert name not in alignments(study, gold._replace(sides={**gold.sides, name: without}))


@pytest.mark.usefixtures("blank")
@pytest.mark.slow
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


END = "The end of a long sentence"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    """RNNsearch and RNNencdec, trained on up to 40 words; a sentence of each of two test sets has 50."""
    folder, shape = tmp_path_factory.mktemp("pair"), Shape(("test", "late"), (1,), sentences=12)
    kinds = {"rnnsearch": KINDS["ba_nmt"]._replace(title="RNNsearch", arch="rnnsearch"), "cho": KINDS["rnnencdec"]}
    build(folder, kinds, shape)
    study = read(folder, kinds, shape)
    return study._replace(spec=study.spec._replace(recipes={"training": {"max_length": 40}}))


def longer_late(study: StudyResults) -> list[SentenceSet]:
    """The sets, of the second one every source with a word more."""
    test, late, gold = read_sets(study)
    return [test, late._replace(source=[f"{line} 词1" for line in late.source]), gold]


@pytest.mark.usefixtures("blank")
def test_the_end_that_is_lost_is_shown_in_full_with_the_attention_of_the_other(
    pair: StudyResults, tmp_path: Path
) -> None:
    sets = longer_late(pair)
    lines = section(write_sets(pair, sets, tmp_path / "out"), END)
    _, late, _ = sets
    words, translations = read_words(pair, late, None), {name: side.translations for name, side in late.sides.items()}
    kept = {
        name: [kept_at_end(one.target, of.references, "en") for one, of in zip(found, words, strict=True)]
        for name, found in translations.items()
    }
    losses = [a - b for a, b in zip(kept["rnnsearch"], kept["cho"], strict=True)]
    k = losses.index(max(losses))
    assert first(lines, "late set").startswith(f"late set, sentence {k + 1}, ")
    for title, name in (("RNNencdec (Cho et al.)", "cho"), ("RNNsearch", "rnnsearch")):
        assert (
            re.sub(r"\\|\*\*", "", first(lines, f"- {title}")) == f"- {title}: {' '.join(translations[name][k].target)}"
        )
    said = f"Words kept of the end: {kept['cho'][k]} by RNNencdec (Cho et al.), {kept['rnnsearch'][k]} by RNNsearch."
    assert said in lines
    assert [line for line in lines if line.startswith("![")] == [
        "![Attention of RNNsearch](figures/examples/end_1_rnnsearch.png)"
    ]


@pytest.mark.usefixtures("blank")
@pytest.mark.parametrize(("limit", "there"), [(50, True), (51, False)])
def test_an_end_is_shown_only_of_sentences_longer_than_those_of_training(
    pair: StudyResults, tmp_path: Path, limit: int, there: bool
) -> None:
    study = pair._replace(spec=pair.spec._replace(recipes={"training": {"max_length": limit}}))
    lines = section(write_sets(study, longer_late(study), tmp_path / "out"), END)
    assert ("There is no such sentence." in lines) != there
    assert any(line.startswith("late set") for line in lines) == there


@pytest.mark.usefixtures("blank")
def test_an_end_of_the_first_set_is_of_a_sentence_that_is_not_shown_yet(
    pair: StudyResults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends_of(folder: str) -> str:
        return first(section(write_sets(pair, read_sets(pair), tmp_path / folder), END), "test set, sentence ")

    before = ends_of("before")
    shown = Example(int(re.findall(r"\d+", before)[0]) - 1, ("cho", "rnnsearch"))
    monkeypatch.setattr(examples.rules, "long_sentences", lambda *_, **__: (Case("a case", shown, ""),))
    assert ends_of("after") != before


@pytest.mark.usefixtures("blank")
def test_each_set_has_its_own_classes(pair: StudyResults, tmp_path: Path) -> None:
    """Words of the class OTHER are never left out; the first set is of a language without a tagger."""
    sets = longer_late(pair)
    classes = {"test": None, "late": [["OTHER"] * len(line.split(" ")) for line in sets[1].source]}
    write_examples(pair, sets, classes, tmp_path)
    page = (tmp_path / "examples.md").read_text(encoding="utf-8")
    assert "all but punctuation" in page
    assert first(section(page, END), "| RNNsearch").split(" | ")[4].strip() == MISSING


@pytest.mark.usefixtures("blank")
def test_without_such_a_pair_no_end_is_spoken_of(inputs: Path, tmp_path: Path) -> None:
    assert END not in write(read(inputs, ROWS, SHAPE), tmp_path / "out")
