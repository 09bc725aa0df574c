"""The report page as Python writes it; what a reader can do with it is tested in test_browser.py."""

import base64
import hashlib
import json
import re
import subprocess
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
from stages.reporting.claims.judged import Judged
from stages.reporting.figures.layout import Caption
from stages.reporting.fonts import is_cjk
from stages.reporting.page import contents, template
from stages.reporting.page import write_page as write_page_module
from stages.reporting.page.blocks import quantised
from stages.reporting.page.contents import findings, page_figures
from stages.reporting.page.fit import LEVELS, fit, pack
from stages.reporting.page.fonts import font_face
from stages.reporting.page.template import fill
from stages.reporting.page.write_page import LIMIT, UNKNOWN, made_from, write_page
from stages.reporting.sentence_sets import SentenceSet, Side, read_sets, sentence_aer, sentence_bleu
from stages.reporting.tables.all_tables import report_tables
from stages.reporting.tables.claims import summary_of
from stages.translating.translations import Translation, read_translations
from tests.helpers.browser import made_text, study
from tests.helpers.paper_claims import OF_PAPERS

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


@pytest.mark.slow
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
    best = found.frame["bleu"].drop(found.spec.compare.baseline).idxmax()
    assert Scripts(page).data["data"]["first"] == [found.spec.compare.baseline, best]


def test_every_script_is_part_of_the_page() -> None:
    assert {path.name for path in template.WEB.glob("*.js")} == set(template.SCRIPTS)


def test_it_begins_with_how_many_claims_of_each_paper_hold() -> None:
    first = next(claim for claim in OF_PAPERS.values() if claim.difference is None)
    other = next(claim for claim in OF_PAPERS.values() if claim.paper != first.paper)
    close, no_gain = "agrees, smaller than printed", "undecided, printed gain excluded"
    verdicts = [(first, "agrees"), (other, no_gain), (first, close), (other, "disagrees"), (first, "not compared")]
    judged = [Judged(claim, verdict, 1.0, 0.5, 1.5, p_fdr=0.01) for claim, verdict in verdicts]
    assert findings(judged) == {
        "text": summary_of(judged),
        "headings": ["Claims of", "agrees", "undecided", "disagrees"],
        "rows": [[first.paper, "2", "0", "0"], [other.paper, "0", "1", "1"], ["All", "2", "1", "1"]],
    }
    assert findings(judged[:1])["rows"] == [[first.paper, "1", "0", "0"]]


def test_findings_stand_above_the_tables(page: str) -> None:
    assert page.index('id="findings"') < page.index('id="tables"') < page.index('id="explorer"')


def test_without_verdicts_it_says_so_and_counts_nothing() -> None:
    assert findings([])["rows"] == [] and findings([])["text"] == summary_of([])
    assert findings([], "Careful.")["text"] == f"Careful. {summary_of([])}"


def git(folder: Path, *arguments: str) -> str:
    named = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    return subprocess.run(
        ["git", *named, *arguments], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.mark.process
def test_it_names_its_commit_and_whether_code_was_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert made_from() == UNKNOWN
    for name in ("stages/report.py", "fairseq_plugins/a.py", "dvc.yaml", "params.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    head = git(tmp_path, "rev-parse", "HEAD")
    assert made_from() == f"Made from commit {head}."
    (tmp_path / "params.yaml").write_text("another study")
    assert made_from() == f"Made from commit {head}."
    (tmp_path / "stages/more.py").write_text("2")
    assert made_from() == f"Made from commit {head}, with changes to the code that are not committed."
    monkeypatch.setenv("PATH", "")
    assert made_from() == UNKNOWN


STANDING = ("中国", "ひらがな", "サッカー", "한국", "。。", "ＡＡ", "\U00020000\U00020001", "a")
WORDS = (*STANDING, "2003", "A股", "Ελ", "</s>")


def test_the_page_and_the_figures_let_the_same_words_stand() -> None:
    (written,) = re.findall(r"UPRIGHT =\s+/(.+)/u;", (template.WEB / "heat_map.js").read_text(encoding="utf-8"))
    upright = re.compile(re.sub(r"\\u\{(\w+)\}", lambda found: f"\\U{found[1]:0>8}", written))
    for word in WORDS:
        stands = word in STANDING
        assert (bool(upright.search(word)), is_cjk(word) or len(word) == 1) == (stands, stands), word


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


def test_almost_as_many_sentences_as_fit_are_kept() -> None:
    sets = [sentence_set(40)]
    room = pack(sets, LEVELS[-1], 30).size
    packed = fit(sets, room)
    assert packed.levels == LEVELS[-1] and packed.size <= room and 27 <= packed.sentences <= 30


def test_the_page_is_small_enough_for_git() -> None:
    assert LIMIT <= 4_000_000


def test_a_page_is_no_larger_than_its_limit(
    folder: Path, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all that stands around the sentences, and a font of their characters."""
    blocks = sum(len(text) for of, text in Scripts(page).scripts if str(of.get("id")).startswith("block-"))
    limit = len(page.encode()) - blocks // 2
    monkeypatch.setattr(write_page_module, "LIMIT", limit)
    smaller = make(folder, tmp_path)
    assert limit - blocks // 4 < len(smaller.encode()) <= limit
    assert Scripts(smaller).data["data"]["sets"][0]["sentences"] < SHAPE.sentences


def test_the_font_is_of_the_sentences_that_are_shown() -> None:
    side = Side([Translation(["x"], ["x"], None, [])] * 2, {})
    sets = [SentenceSet("test", False, ["中", "国"], [("a",)] * 2, None, {"a": side})]
    assert len(font_face({}, sets, 1)) < len(font_face({}, sets, 2))
    assert font_face({}, [sets[0]._replace(source=["a", "国"])], 1) == ""


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


def test_figures_stand_in_the_order_of_their_captions_and_the_largest_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in {"bleu_by_length": 30, "attention/longest": 10, "aer_bleu": 500, "examples/1": 5}.items():
        path = tmp_path / f"figures/{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x" * size)
    monkeypatch.setattr(contents, "LIMIT", 200)
    captions = {
        name: Caption(name, "About it.") for name in ("aer_bleu", "cost", "bleu_by_length", "attention/longest")
    }
    captions["cost"] = Caption("cost", "Not drawn.")
    captions["bleu_by_length"] = Caption("Lengths", "About it.", "Figure 2")
    found = page_figures(tmp_path, captions)
    assert [(one.title, one.about, one.file, one.data is None) for one in found] == [
        ("aer_bleu", "About it.", "figures/aer_bleu.png", True),
        ("Lengths", "About it. Counterpart of Figure 2.", "figures/bleu_by_length.png", False),
        ("attention/longest", "About it.", "figures/attention/longest.png", False),
    ]
    assert found[1].data == f"data:image/png;base64,{base64.b64encode(b'x' * 30).decode()}"


def test_no_figures_no_error(tmp_path: Path) -> None:
    assert page_figures(tmp_path, {}) == []
