"""The report page as Python writes it; what a reader can do with it is tested in test_browser.py."""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sacrebleu.metrics import BLEU

from stages.files.text import read_lines
from stages.measures import bleu
from stages.measures import hard_links as links
from stages.reporting.figures.caption import Caption
from stages.reporting.page import embedded_figures, template
from stages.reporting.page.blocks import quantised
from stages.reporting.page.embedded_figures import page_figures
from stages.reporting.page.fit import LEVELS, fit
from stages.reporting.page.template import fill
from stages.reporting.page.write_page import LIMIT, write_page
from stages.reporting.sentence_sets import SentenceSet, Side, read_sets
from stages.reporting.sentence_values import sentence_aer, sentence_bleu
from stages.reporting.tables.all_tables import report_tables
from stages.translating.translations import Translation, read_translations
from tests.helpers.browser import made_text, study

TITLES = {variant: kind.title for variant, kind in study.KINDS.items()}
SHAPE = study.Shape(("test", "test2"), (1, 2), sentences=8)
STAR, SILENT = "rnnsearch_star", "rnnencdec"


class Scripts(HTMLParser):
    """The script elements of a page as (attributes, text), and the attributes of all elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs
        self.open = tag == "script"
        if self.open:
            self.scripts.append((dict(attrs), ""))

    def handle_data(self, data: str) -> None:
        if self.open:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = attributes, text + data

    def handle_endtag(self, tag: str) -> None:
        self.open = False

    @property
    def data(self) -> dict[str, Any]:
        """The JSON of the page by its id."""
        return {of["id"]: json.loads(text) for of, text in self.scripts if of["type"] == "application/json"}


def opened(block: Mapping[str, str]) -> tuple[dict[str, Any], bytes | None]:
    """Text and weights of a block."""
    parts = {name: zlib.decompress(base64.b64decode(part)) for name, part in block.items()}
    return json.loads(parts["text"]), parts.get("weights")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    study.build(folder, study.KINDS, SHAPE)
    return folder


def make(folder: Path, report: Path, kinds: Mapping[str, study.Kind] = study.KINDS) -> str:
    report.mkdir(exist_ok=True)
    found = study.read(folder, kinds, SHAPE)
    write_page(found, read_sets(found), report_tables(found), report)
    return (report / "index.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    return make(folder, folder / "report")


# The page as a whole


def test_same_input_same_bytes(folder: Path, page: str, tmp_path: Path) -> None:
    assert make(folder, tmp_path) == page


def test_nothing_is_fetched_and_only_the_page_s_own_script_may_run(page: str) -> None:
    parsed = Scripts(page)
    (policy,) = [value for name, value in parsed.attributes if name == "content" and "default-src" in str(value)]
    assert policy.startswith("default-src 'none'; img-src data:; font-src data:; style-src 'sha256-")
    assert "unsafe" not in policy and "http" not in policy
    (script,) = [text for of, text in parsed.scripts if of["type"] != "application/json"]
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    for kind, text in (("script", script), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert {value for name, value in parsed.attributes if name in ("src", "href")} == {"data:,"}
    assert not [name for name, _ in parsed.attributes if name.startswith("on")]


def test_hostile_text_stays_data(page: str) -> None:
    parsed = Scripts(page)
    assert len([of for of, _ in parsed.scripts if of["type"] != "application/json"]) == 1
    assert len(parsed.data) == 1 + 3 + 3 * len(TITLES)  # what is shown at once; sets; systems on sets
    assert [one["title"] for one in parsed.data["data"]["systems"]] == list(TITLES.values())
    assert "<" not in "".join(text for of, text in parsed.scripts if of["type"] == "application/json")
    source, _ = opened(parsed.data["block-0"])
    assert source["source"][0].split(" ") == list(made_text.HOSTILE_WORDS)


def test_a_title_is_escaped_and_a_placeholder_in_the_data_stays() -> None:
    page = fill("</title><script>", {"text": "{{script}} </script>"}, {}, "")
    assert "<title>Attention variants: &lt;/title&gt;&lt;script&gt;</title>" in page
    assert Scripts(page).data["data"] == {"text": "{{script}} </script>"}


def test_removed_variant_disappears(folder: Path, tmp_path: Path) -> None:
    left = {variant: kind for variant, kind in study.KINDS.items() if variant != STAR}
    parsed = Scripts(make(folder, tmp_path, left))
    data = parsed.data["data"]
    of_study = [table for table in data["tables"] if "Claims of the papers" not in json.dumps(table)]
    assert len(of_study) < len(data["tables"])  # what the papers claim stays
    written = json.dumps(data | {"tables": of_study}, ensure_ascii=False)
    assert STAR not in written and TITLES[STAR] not in written and TITLES[SILENT] in written


def test_one_system_is_enough(folder: Path, tmp_path: Path) -> None:
    data = Scripts(make(folder, tmp_path, {STAR: study.KINDS[STAR]})).data["data"]
    assert data["first"] == [STAR, STAR]


def test_first_shown_are_the_baseline_and_the_best(folder: Path, page: str) -> None:
    found = study.read(folder, study.KINDS, SHAPE)
    best = found.frame["bleu"].drop(found.asked.compare.baseline).idxmax()
    assert Scripts(page).data["data"]["first"] == [found.asked.compare.baseline, best]


def test_every_script_is_part_of_the_page() -> None:
    assert {path.name for path in template.WEB.glob("*.js")} == set(template.SCRIPTS)


# Its sentences


def test_blocks_hold_the_sentences(folder: Path, page: str) -> None:
    data = Scripts(page).data
    system = list(TITLES).index(STAR)
    for k, name in enumerate(("test", "test2", "gold")):
        assert data["data"]["sets"][k]["name"] == name
        text, _ = opened(data[f"block-{k}"])
        assert text["source"] == list(read_lines(folder / f"corpus/{name}.zh"))
        side, weights = opened(data[f"block-{k}-{system}"])
        file = "gold.forced.jsonl" if name == "gold" else f"{name}.jsonl"
        translations = read_translations(folder / f"forward-bpe/translations/{STAR}-1/{file}")
        if name == "gold":
            assert "target" not in side
            assert text["references"] == [[line] for line in read_lines(folder / "corpus/gold.en")]
            assert text["gold"][1]["sure"] and text["gold"][1]["possible"]
        else:
            assert side["target"] == [" ".join(one.target) for one in translations]
            assert len(text["references"][0]) == 2
        assert side["rows"] == [len(one.attention) for one in translations]
        expected = np.concatenate([one.attention.ravel() for one in translations])
        np.testing.assert_allclose(np.frombuffer(weights, np.uint8) / 100, expected, atol=0.0151)


def test_a_set_says_what_a_system_can_be_compared_by(page: str) -> None:
    test, _, gold = Scripts(page).data["data"]["sets"]
    star, silent = list(TITLES).index(STAR), list(TITLES).index(SILENT)
    assert (test["measures"][star], test["measures"][silent]) == (["bleu", "over-translation"], ["bleu"])
    assert (gold["measures"][star], gold["measures"][silent]) == (["aer"], [])


def test_system_without_attention_has_no_weights(page: str) -> None:
    side, weights = opened(Scripts(page).data[f"block-0-{list(TITLES).index(SILENT)}"])
    assert weights is None and "rows" not in side and "over-translation" not in side


@pytest.mark.parametrize("levels", LEVELS)
def test_coarse_weights_keep_every_link(levels: int) -> None:
    random = np.random.default_rng(3)
    for sharpness in (0.02, 0.3, 3.0):
        attention = random.dirichlet(np.full(12, sharpness), 200).round(3)
        attention[::9] = 0
        attention[1::9] = attention[1::9].mean(axis=1, keepdims=True)  # all equal
        coarse = quantised(attention, levels)
        np.testing.assert_array_equal(links.strongest(coarse, "drop"), links.strongest(attention, "drop"))
        assert np.abs(coarse / levels - attention).max() < 1.5 / levels + 1e-9


def test_weights_are_bytes_even_above_one() -> None:
    assert quantised(np.array([[1.001, 0.004], [0.0, 0.996]]), 100).tolist() == [[100, 0], [0, 100]]
    assert quantised(np.zeros((0, 4)), 100).size == 0


def sentence_set(sentences: int) -> SentenceSet:
    random = np.random.default_rng(5)
    words = [f"w{k}" for k in range(20)]
    made = [Translation(words, words, random.dirichlet(np.ones(21), 21), []) for _ in range(sentences)]
    line = " ".join(words)
    side = Side(made, {"bleu": [1.0] * sentences})
    return SentenceSet("test", False, [line] * sentences, [(line,)] * sentences, None, {"a": side})


def test_weights_become_coarser_before_sentences_are_left_out() -> None:
    sets = [sentence_set(40)]
    finest = fit(sets, 10**9)
    assert (finest.levels, finest.sentences) == (LEVELS[0], 40)
    coarser = fit(sets, finest.size - 1)
    assert (coarser.levels, coarser.sentences) == (LEVELS[1], 40)
    assert coarser.size < finest.size
    shorter = fit(sets, finest.size // 8)
    assert shorter.levels == LEVELS[-1] and 1 < shorter.sentences < 40
    assert shorter.size <= finest.size // 8
    assert fit(sets, 0).sentences == 1


def test_room_is_what_a_page_below_ten_megabytes_leaves() -> None:
    assert LIMIT < 10_000_000


# Values of a sentence


def test_sentence_bleu_is_sacrebleu_s() -> None:
    scorer = BLEU(effective_order=True)
    pairs = [("the cat sat on the mat", "a cat sat on the mat"), ("a b", "a b"), ("x y z", "a b c"), ("a", "a b c d e")]
    expected = [scorer.sentence_score(given, [reference]) for given, reference in pairs]
    counts = [bleu.statistics(given, [reference], bleu.scorer("13a", False)) for given, reference in pairs]
    np.testing.assert_allclose(sentence_bleu(np.array(counts)), [one.score for one in expected])


def test_sentence_error_rate() -> None:
    np.testing.assert_allclose(sentence_aer(np.array([[4, 4, 3, 4], [0, 0, 0, 0]])), [12.5, np.nan])


# Figures


def test_of_each_figure_the_smaller_file_is_inside_and_the_largest_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {"bleu_by_length.png": 30, "bleu_by_length.svg": 20, "attention/longest.png": 10, "aer_bleu.png": 500}
    for name, size in sizes.items():
        path = tmp_path / "vector" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * size)
    monkeypatch.setattr(embedded_figures, "LIMIT", 200)
    captions = {name: Caption(name, "About it.") for name in ("aer_bleu", "bleu_by_length", "attention/longest")}
    found = page_figures(tmp_path, captions)
    assert [(one.caption, one.file, one.data is None) for one in found] == [
        ("aer_bleu. About it.", "vector/aer_bleu.png", True),
        ("bleu_by_length. About it.", "vector/bleu_by_length.svg", False),
        ("attention/longest. About it.", "vector/attention/longest.png", False),
    ]
    assert found[1].data == f"data:image/svg+xml;base64,{base64.b64encode(b'x' * 20).decode()}"


def test_a_figure_without_a_caption_is_no_figure_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "vector").mkdir()
    (tmp_path / "vector/new_idea.png").write_bytes(b"x")
    with pytest.raises(KeyError, match="new_idea"):
        page_figures(tmp_path, {})


def test_no_figures_no_error(tmp_path: Path) -> None:
    assert page_figures(tmp_path, {}) == []
