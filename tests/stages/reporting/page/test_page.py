"""The report page as Python writes it; what a reader can do with it is tested in test_browser.py."""

import base64
import hashlib
import json
import re
import subprocess
from pathlib import Path

import pytest

from stages.reporting.claims.judged import Judged
from stages.reporting.figures.layout import Caption
from stages.reporting.fonts import is_cjk
from stages.reporting.page import contents, template
from stages.reporting.page.contents import findings, page_figures, page_links
from stages.reporting.page.template import fill
from stages.reporting.page.write_page import UNKNOWN, made_from
from stages.reporting.tables.claims import summary_of
from tests.helpers.browser import made_text, study
from tests.helpers.paper_claims import CLAIMS, OF_PAPERS
from tests.stages.reporting.page.written import SHAPE, SILENT, STAR, TITLES, Scripts, make, opened

# The page as a whole


@pytest.mark.slow
def test_same_input_same_bytes(small: Path, written: str, tmp_path: Path) -> None:
    assert make(small, tmp_path) == written


def test_nothing_is_fetched_and_only_the_page_s_own_script_may_run(written: str) -> None:
    parsed = Scripts(written)
    (policy,) = [value for name, value in parsed.attributes if name == "content" and "default-src" in str(value)]
    assert policy.startswith("default-src 'none'; img-src data:; font-src data:; style-src 'sha256-")
    assert "unsafe" not in policy and "http" not in policy
    (script,) = [text for of, text in parsed.scripts if of["type"] != "application/json"]
    style = re.search(r"<style>(.*?)</style>", written, re.DOTALL)[1]
    for kind, text in (("script", script), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert {value for name, value in parsed.attributes if name in ("src", "href")} == {"data:,"}
    assert not [name for name, _ in parsed.attributes if name.startswith("on")]


def test_hostile_text_stays_data(written: str) -> None:
    parsed = Scripts(written)
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


@pytest.mark.slow
def test_removed_variant_disappears(small: Path, tmp_path: Path) -> None:
    left = {variant: kind for variant, kind in study.KINDS.items() if variant != STAR}
    parsed = Scripts(make(small, tmp_path, left))
    data = parsed.data["data"]
    of_study = [table for table in data["tables"] if "Claims of the papers" not in json.dumps(table)]
    assert len(of_study) < len(data["tables"])  # what the papers claim stays
    written = json.dumps(data | {"tables": of_study}, ensure_ascii=False)
    assert STAR not in written and TITLES[STAR] not in written and TITLES[SILENT] in written


@pytest.mark.slow
def test_one_system_is_enough(small: Path, tmp_path: Path) -> None:
    data = Scripts(make(small, tmp_path, {STAR: study.KINDS[STAR]})).data["data"]
    assert data["first"] == [STAR, STAR]


def test_first_shown_are_the_baseline_and_the_best(small: Path, written: str) -> None:
    found = study.read(small, study.KINDS, SHAPE)
    best = found.frame["bleu"].drop(found.spec.compare.baseline).idxmax()
    assert Scripts(written).data["data"]["first"] == [found.spec.compare.baseline, best]


def test_every_script_is_part_of_the_page() -> None:
    assert {path.name for path in template.WEB.glob("*.js")} == set(template.SCRIPTS)


def test_it_begins_with_how_many_claims_of_each_paper_hold() -> None:
    first = next(claim for claim in OF_PAPERS.values() if claim.difference is None)
    other = next(claim for claim in OF_PAPERS.values() if claim.paper != first.paper)
    close, no_gain = "agrees, smaller than printed", "undecided, printed gain excluded"
    verdicts = [(first, "agrees"), (other, no_gain), (first, close), (other, "disagrees"), (first, "not compared")]
    judged = [Judged(claim, verdict, 1.0, 0.5, 1.5, p_fdr=0.01) for claim, verdict in verdicts]
    assert findings(judged, "") == {
        "text": summary_of(judged),
        "headings": ["Claims of", "agrees", "undecided", "disagrees"],
        "rows": [[first.paper, "2", "0", "0"], [other.paper, "0", "1", "1"], ["All", "2", "1", "1"]],
    }
    assert findings(judged[:1], "")["rows"] == [[first.paper, "1", "0", "0"]]


def test_our_own_claims_are_not_among_all_of_the_papers() -> None:
    of_papers = [next(claim for claim in OF_PAPERS.values() if claim.file == file) for file in ("xue-2019", "mi-2016")]
    claims = [CLAIMS["beyond/no-repeats-rot"], *of_papers]
    judged = [Judged(claim, "agrees", 1.0, 0.5, 1.5, p_fdr=0.01) for claim in claims]
    names = ["Xue et al. 2019", "Mi et al. 2016", "All papers", "Beyond the papers"]
    assert findings(judged, "")["rows"] == [[name, "2" if name == "All papers" else "1", "0", "0"] for name in names]


def test_findings_stand_above_the_tables(written: str) -> None:
    assert written.index('id="findings"') < written.index('id="tables"') < written.index('id="explorer"')


def test_without_verdicts_it_says_so_and_counts_nothing() -> None:
    assert findings([], "")["rows"] == [] and findings([], "")["text"] == summary_of([])
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


def test_links_are_to_what_the_report_has(tmp_path: Path) -> None:
    assert page_links(tmp_path) == []
    for name in ("README.md", "tables/papers/papers.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    assert [file for _, file in page_links(tmp_path)] == ["README.md", "tables/papers/papers.md"]


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
