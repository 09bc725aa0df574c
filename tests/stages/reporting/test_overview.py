"""`reports/README.md`: every study that has a report, and what they say of the claims."""

import json
import math
import subprocess
from pathlib import Path
from typing import Any

import pytest
from scipy.special import stdtrit

from stages.files.errors import InputError
from stages.reporting.claims.unmeasured import unmeasured
from stages.reporting.overview import __main__ as program
from stages.reporting.overview import contrasts
from stages.reporting.overview.means import judging, means, one_a_corpus
from stages.reporting.overview.page import OLD, write_overview
from stages.reporting.overview.study import read_studies
from stages.reporting.overview.systems import MEASURES, systems_table
from tests.helpers.paper_claims import OF_PAPERS
from tests.helpers.report_study import write


def verdict(name: str, difference: float) -> dict[str, Any]:
    ends = {"low": difference - 1, "high": difference + 1, "low_90": difference - 0.8, "high_90": difference + 0.8}
    about = {"systems": {"ba_nmt": 1, "rnnsearch_star": -1}, "margin": 0.5, "p_fdr": 0.01, "df": 20.0}
    return {"verdict": name, "difference": difference, "printed_gain": "possible", **ends, **about}


def system(title: str, **mean: float | None) -> dict[str, Any]:
    mean = dict.fromkeys(MEASURES) | mean
    return {"title": title, "mean": mean, "sd": {measure: None if mean[measure] is None else 0.25 for measure in mean}}


def text(corpus: str) -> dict[str, Any]:
    """As a report has it of its text; the test sets of two corpora differ in their words."""
    words = {"en": sum(map(ord, corpus)), "fr": 10_000}
    sets = {"train": {"pairs": 40000}, "test": {"pairs": 1000, "tokens": words}}
    return {"corpus": corpus, "sets": sets, "tests": ["test"]}


def study(reports: Path, name: str, corpus: str | None = None, **more: Any) -> None:
    data = text(corpus or f"text of {name}")
    made = {"direction": "en-fr", "seeds": [1, 2, 3], "data": data}
    systems = {"ba_nmt": system("BA-NMT", bleu=29.5), "rnnsearch_star": system("RNNsearch*", bleu=28.0)}
    document = {"systems": systems, "recipe": made, "marks": {"sets": {"test": {}}}} | more
    write(reports / name / "metrics.json", json.dumps(document))


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    hours = {"trainings": 6, "cpu": 7.25, "gpu": 0}
    study(tmp_path, "b", claims={"xue-2019/ba": verdict("agrees", 1.5)}, hours=hours)
    claims = {"xue-2019/ba": verdict("undecided", 0.25), "kuang-2018/source": verdict("disagrees", -2)}
    claims |= {"xue-2019/ba-aer": verdict("not testable", 0.1)}
    study(tmp_path, "a", claims=claims | {"xue-2019/sa": verdict("one seed", 9.0)}, hours=hours)
    study(tmp_path, "old")
    return tmp_path


def rows(reports: Path, section: str, part: str = "") -> list[list[str]]:
    write_overview(reports)
    page = (reports / "README.md").read_text(encoding="utf-8")
    text = page.split(f"\n## {section}\n")[1].split("\n## ")[0]
    lines = (text.split(f"{part}\n")[1] if part else text).split("\n### ")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")]


def test_studies_with_their_verdicts_and_hours(reports: Path):
    head, a, b, old = rows(reports, "Studies")
    assert head[0] == "Study" and [a[0], b[0], old[0]] == ["a", "b", "old"]
    assert a[1:] == [
        "en-fr",
        "40,000",
        "2",
        "3",
        "2",
        "1",
        "0",
        "1",
        "1",
        "1",
        "6 trainings took at most 7.2 CPU-hours.",
    ]
    assert head[5:11] == ["claims", "contrasts", "agrees", "disagrees", "undecided", "not testable"]
    assert b[5:11] == ["1", "1", "1", "0", "0", "0"]
    assert old[5:] == ["–"] * 6 + [OLD]


def test_systems_of_the_studies_that_have_verdicts_side_by_side(reports: Path):
    systems = {
        "rnnsearch_star_continued": system("continued", bleu=31.0, aer=30.5),
        "smt": system("SMT", bleu=27.0, aer=12.5),
        "ba_nmt": system("BA-NMT", bleu=29.5, aer=28.5),
        "sa_nmt": system("SA-NMT", bleu=29.0, aer=None),
    }
    about = {"apart": {"rnnsearch_star_continued": "longer"}, "claims": {"xue-2019/ba": verdict("agrees", 2.0)}}
    study(reports, "b", systems=systems, **about)
    table = systems_table(read_studies(reports)[:2])
    assert [table.headings, *((title, *(cell.text for cell in cells)) for title, cells in table.rows)] == [
        ("System", "a: BLEU ↑", "b: BLEU ↑", "b: AER ↓"),
        ("continued", "–", "31.00 ± 0.25", "30.50 ± 0.25"),
        ("BA-NMT", "29.50 ± 0.25", "29.50 ± 0.25", "28.50 ± 0.25"),
        ("SA-NMT", "–", "29.00 ± 0.25", "–"),
        ("RNNsearch*", "28.00 ± 0.25", "–", "–"),
        ("SMT", "–", "27.00 ± 0.25", "12.50 ± 0.25"),
    ]


def test_a_table_of_systems_for_each_study_that_has_verdicts(reports: Path):
    assert rows(reports, "Systems", "### b") == [
        ["System", "BLEU ↑"],
        ["BA-NMT", "**29.50 ± 0.25**"],
        ["RNNsearch\\*", "28.00 ± 0.25"],
    ]
    assert "### old" not in (reports / "README.md").read_text("utf-8")


def test_measures_of_translations_are_means_over_the_test_sets_as_in_the_claims(reports: Path):
    of = {"bleu": 29.5, "aer": 28.5}
    sets = {"test": {"bleu": 29.5}, "gold": {"bleu": 19.5}, "average": {"bleu": 24.5}}
    mean, sd = dict.fromkeys(MEASURES) | of | {"tests": sets}, {**of, "tests": sets}
    study(reports, "a", systems={"ba_nmt": {"title": "BA-NMT", "mean": mean, "sd": sd}})
    table = systems_table(read_studies(reports)[:1], ["bleu", "aer"])
    assert [cell.number for cell in table.cells] == [24.5, 28.5]


def test_some_systems_in_the_order_asked_for(reports: Path):
    spec = ("rnnsearch_star", "sa_nmt", "ba_nmt")
    table = systems_table(read_studies(reports)[:1], ["bleu"], spec)
    assert table.names == ("rnnsearch_star", "ba_nmt")
    assert [[cell.text for cell in cells] for _, cells in table.rows] == [["28.00 ± 0.25"], ["29.50 ± 0.25"]]
    assert systems_table(read_studies(reports)[:1], MEASURES, ("sa_nmt",)).rows == ()
    worse = systems_table(read_studies(reports)[:1], ["bleu"], ("rnnsearch_star",))
    assert [cell.best for cell in worse.cells] == [False], "the best is that of the whole study"


def test_how_many_claims_of_each_paper_have_which_verdict(reports: Path):
    assert rows(reports, "Claims") == [
        ["Paper", "a", "b", "mean of the corpora"],
        ["Kuang et al. 2018", "0 / 1 / 0", "–", "–"],
        ["Xue et al. 2019", "0 / 0 / 1", "1 / 0 / 0", "1 / 0 / 0"],
        ["All", "0 / 1 / 1", "1 / 0 / 0", "1 / 0 / 0"],
        ["of these, made by the papers' text", "0 / 1 / 1", "1 / 0 / 0", "1 / 0 / 0"],
    ]
    page = (reports / "README.md").read_text("utf-8")
    assert "a study judges: agrees / disagrees / undecided" in page
    assert (
        f"- b: This study judges 1 of {len(OF_PAPERS)} claims, about 1 contrast of systems. Of these, 1 agrees" in page
    )
    assert "Several corpora judge 1 claim. On 0 of them the corpora disagree. The others have a mean: 1 claim." in page


def test_claims_that_a_study_decides_or_leaves_open(reports: Path):
    head, *claims = rows(reports, "Claims", "### Xue et al. 2019")
    assert head == ["Claim", "where", "measure", "Δ paper", "a", "b", "mean of the corpora"]
    found = ["+0.25 (-0.75 to +1.25) undecided", "+1.50 (+0.50 to +2.50) agrees", "+0.88 (+0.17 to +1.58) agrees"]
    found[2] += ", Q 3.0"
    assert claims[1][4:] == ["+0.10 (-0.90 to +1.10) not testable", "–", "–"]
    assert claims[:1] == [["BA-NMT translates better than RNNsearch\\*", "Table 2", "BLEU ↑", "+1.41", *found]]
    kuang = rows(reports, "Claims", "### Kuang et al. 2018")[1:]
    assert [claim[3:] for claim in kuang] == [["+1.10", "-2.00 (-3.00 to -1.00) disagrees", "–", "–"]]


def test_the_mean_has_the_larger_study_of_each_corpus(reports: Path):
    systems = {"systems": {name: system(name, bleu=1.0) for name in ("ba_nmt", "rnnsearch_star", "sa_nmt")}}
    study(reports, "c", "text of a", claims={"xue-2019/ba": verdict("agrees", 2.0)}, **systems)
    claims = rows(reports, "Claims", "### Xue et al. 2019")[1:]
    assert [claim[-1] for claim in claims if claim[0].startswith("BA-NMT")] == [
        "+1.75 (+1.04 to +2.46) agrees, Q 0.5",
        "–",
    ]


def test_the_mean_has_the_study_of_most_seeds_of_each_claim(reports: Path):
    few = {"systems": {"ba_nmt": system("BA-NMT", bleu=1.0), "ours": system("Ours", bleu=1.0)}}
    more = {"direction": "en-fr", "seeds": [1, 2, 3, 4, 5, 6, 7, 8], "data": text("text of a") | {"corpus": "a-large"}}
    study(reports, "c", claims={"xue-2019/ba": verdict("agrees", 2.0)}, recipe=more, **few)
    studies = {one.name: one for one in one_a_corpus([one for one in read_studies(reports) if one.verdicts])}
    assert set(studies) == {"a", "b"}, "named after the study of most systems"
    found = {name: one["difference"] for name, one in studies["a"].verdicts.items()}
    assert found == {"xue-2019/ba": 2.0, "kuang-2018/source": -2}
    assert studies["a"].document["systems"]["ours"]["title"] == "Ours", "what claims are about is there"


def test_a_mean_is_counted_apart_if_one_of_its_corpora_is(reports: Path):
    """Whether that is so follows from the parameters in a report that does not say it."""
    one = {"xue-2019/transformer": verdict("agrees", 2.0) | {"systems": {"transformer": 1, "rnnsearch_star": -1}}}
    for name, parameters in {"a": 3.4e6, "b": 8.4e6}.items():
        sizes = {"transformer": parameters, "rnnsearch_star": 8.5e6}
        study(reports, name, claims=one, systems={of: system(of, parameters=size) for of, size in sizes.items()})
    studies = read_studies(reports)
    assert [of.verdicts["xue-2019/transformer"]["apart"] for of in studies[:2]] == [True, False]
    assert means(studies)["xue-2019/transformer"]["apart"]


@pytest.fixture
def reverse(reports: Path) -> Path:
    """Beside the study `a` one of the same sentences in the other direction, with fewer systems."""
    claims = {"xue-2019/ba": verdict("agrees", 8.0), "xue-2019/ta": verdict("agrees", 6.0)}
    made = {"direction": "fr-en", "seeds": [1, 2, 3], "data": text("text of a")}
    study(reports, "c", claims=claims, recipe=made, systems={"ba_nmt": system("BA-NMT", bleu=50.0)})
    study(reports, "b", claims={"xue-2019/ba": verdict("agrees", 1.5), "xue-2019/ta": verdict("agrees", 1.0)})
    return reports


def test_two_directions_of_the_same_sentences_are_two_corpora(reverse: Path):
    studies = one_a_corpus([one for one in read_studies(reverse) if one.verdicts])
    found = {one.name: {name: told["difference"] for name, told in one.verdicts.items()} for one in studies}
    assert found["c"] == {"xue-2019/ba": 8.0, "xue-2019/ta": 6.0} and found["a"]["xue-2019/ba"] == 0.25
    assert "xue-2019/ta" not in found["a"]


def test_one_of_two_directions_speaks_in_a_mean(reverse: Path):
    studies = [one for one in read_studies(reverse) if one.verdicts]
    found = {name: one["difference"] for name, one in means(studies).items()}
    assert found == {"xue-2019/ba": pytest.approx(0.875), "xue-2019/ta": 3.5}, "a and b; b and c"
    assert {one.name for one in judging("xue-2019/ba", one_a_corpus(studies))} == {"a", "b"}
    write_overview(reverse)
    page = (reverse / "README.md").read_text("utf-8")
    assert "the same test sentences in two directions: a and c.\n" in page and "in common" not in page


def test_one_corpus_has_no_mean(reports: Path):
    study(reports, "b", "text of a", claims={"xue-2019/ba": verdict("agrees", 1.5)})
    assert rows(reports, "Claims")[0][-1] == "b"
    assert "mean of the corpora" not in (reports / "README.md").read_text("utf-8")


def test_corpora_that_disagree_have_no_mean_verdict(reports: Path):
    study(reports, "b", claims={"xue-2019/ba": verdict("disagrees", -3.0)})
    (claim,) = rows(reports, "Claims", "### Xue et al. 2019")[1:2]
    assert claim[-1] == "-1.38 (-2.08 to -0.67) corpora disagree, Q 20.3"
    assert rows(reports, "Claims")[-2] == ["All", "0 / 1 / 1", "0 / 1 / 0", "0 / 0 / 0"]


def test_a_report_from_before_these_verdicts_tells_nothing(reports: Path):
    older = {key: value for key, value in verdict("agrees", 1.5).items() if key != "p_fdr"}
    study(reports, "b", claims={"xue-2019/ba": older})
    assert rows(reports, "Studies")[2][5:11] == ["–"] * 6


def test_claims_that_no_study_speaks_to_wait_for_one(reports: Path):
    study(reports, "b", claims={"bahdanau-2015/smt": verdict("agrees", 1.5)})
    write_overview(reports)
    page = (reports / "README.md").read_text(encoding="utf-8").split("### Claims that wait")[1]
    lines = page.partition("\n- hansards-en-fr-words:\n")[2].partition("\n- ")[0].splitlines()
    assert "  - Longer training translates better (Bahdanau et al. 2015 (slides), BLEU, no unknown words ↑)" in lines
    assert not any("SMT translates better than attention" in line for line in lines), "it has an answer"


@pytest.mark.parametrize(("found", "waits"), [("not testable", True), ("undecided", False)])
def test_a_claim_waits_until_it_has_a_verdict(reports: Path, found: str, waits: bool):
    """As those on cased text do, which no study of lower-cased text can test."""
    study(reports, "b", claims={"xue-2019/ba": verdict("agrees", 1.5), "xue-2019/ba-cased": verdict(found, 0.1)})
    write_overview(reports)
    page = (reports / "README.md").read_text(encoding="utf-8").split("### Claims that wait")[1]
    line = "  - BA-NMT translates better than RNNsearch\\*, case counted (Xue et al. 2019, BLEU cased ↑)"
    assert (line in page.partition("\n- multi30k-en-de:\n")[2].partition("\n- ")[0].splitlines()) == waits


def test_claims_that_nothing_measures_are_told_with_the_reason(reports: Path):
    write_overview(reports)
    page = (reports / "README.md").read_text(encoding="utf-8").split("### Claims that are not measured")[1]
    lines = [line for line in page.splitlines() if line.startswith("- ")]
    assert len(lines) == len(unmeasured()) >= 8
    (line,) = [line for line in lines if "Local attention costs less" in line]
    assert "(Review of 2018, Section 3.1): not testable, " in line and "benchmarks/results.md" in line
    (line,) = [line for line in lines if "On more training text" in line]
    assert "(Mi et al. 2016, Section 5.2): waits for hansards-en-fr-large, " in line


OF_PAPER = {"xue-2019/ba": verdict("undecided", 0.25), "kuang-2018/source": verdict("disagrees", -2)}
OWN = verdict("agrees", -1.5) | {"printed_gain": None}
OTHER = verdict("undecided", 0.1) | {"printed_gain": None, "systems": {"penalty": 1, "rnnsearch_star": -1}}


@pytest.fixture
def beyond(reports: Path) -> Path:
    """A study that judges our own claims too, and one claim again with the trainings of the study `a`."""
    names = ("ba_nmt", "rnnsearch_star", "rnnsearch_star_coverage_penalty")
    claims = {"xue-2019/ba": verdict("agrees", 9.0)}
    claims |= {"beyond/ba-coverage-penalty-rot": OWN, "beyond/coverage-penalty-bleu": OTHER}
    claims |= {"beyond/ba-coverage-penalty-bleu": verdict("not testable", 0.1)}
    study(reports, "c", "text of a", claims=claims, systems={name: system(name, bleu=1.0) for name in names})
    study(reports, "a", claims=OF_PAPER, systems={name: system(name, bleu=1.0) for name in (*names, "sa_nmt")})
    return reports


def test_our_own_claims_have_a_table_of_their_own(beyond: Path):
    head, *claims = rows(beyond, "Claims", "### Claims of our own")
    assert head == ["Claim", "from", "measure", "c"]
    assert [claim[1:] for claim in claims] == [
        ["Wu et al. 2016, Eq. 14", "ROT ↓", "-1.50 (-2.50 to -0.50) agrees"],
        ["Wu et al. 2016, Eq. 14", "BLEU ↑", "+0.10 (-0.90 to +1.10) not testable"],
        ["Wu et al. 2016, Table 2", "BLEU ↑", "+0.10 (-0.90 to +1.10) undecided"],
    ]
    waiting = (beyond / "README.md").read_text("utf-8").split("### Claims that wait")[1]
    assert "  - BA-NMT repeats fewer phrases than RNNsearch\\* with a length and coverage penalty (Beyond" in waiting
    assert "improves the translations of RNNsearch" not in waiting


def test_our_own_claims_are_counted_apart_from_the_papers(beyond: Path):
    assert rows(beyond, "Claims")[-2] == ["All", "0 / 1 / 1", "1 / 0 / 0", "1 / 0 / 0", "1 / 0 / 0"]
    assert rows(beyond, "Studies")[3][5:11] == ["1", "1", "1", "0", "0", "0"]
    page = (beyond / "README.md").read_text("utf-8")
    assert (
        f"- c: This study judges 1 of {len(OF_PAPERS)} claims, about 1 contrast of systems. Of these, 1 agrees" in page
    )
    assert (
        "- c: This study judges 2 of 5 claims of our own, about 2 contrasts of systems. Of these, 1 agrees (1 "
        "contrast); 0 disagree (0 contrasts); 1 is undecided (1 contrast). Of the undecided ones, 0 have no difference "
        "that matters. At a false discovery rate of 5 %, 1 agreement and 0 disagreements remain. 1 more claim cannot"
    ) in page
    assert page.count("[our own](#claims-of-our-own)") == 1


def test_where_no_study_has_them_nothing_is_said_of_our_own_claims_or_of_shared_sentences(reports: Path):
    write_overview(reports)
    page = (reports / "README.md").read_text("utf-8")
    assert "our own" not in page and "in common" not in page


def test_what_two_studies_of_the_same_sentences_say_is_one_finding(beyond: Path):
    """That of the larger one, here the study `a`, whose difference is not 9."""
    (claim, *_) = rows(beyond, "Claims", "### Xue et al. 2019")[1:]
    assert claim[4:7:2] == ["+0.25 (-0.75 to +1.25) undecided", "+9.00 (+8.00 to +10.00) agrees"]
    assert claim[7] == "+0.88 (+0.17 to +1.58) agrees, Q 3.0"
    page = (beyond / "README.md").read_text("utf-8")
    assert "have trainings in common: a and c.\n" in page


def test_a_reconstruction_is_marked_and_not_drawn(reports: Path):
    """Though the gain of the system that it stands for is printed."""
    weights = {"feng_fertdec": 1, "rnnsearch_star": -1}
    study(reports, "b", claims={"review-2018/fertility": verdict("agrees", 2.0) | {"systems": weights}})
    (claim,) = rows(reports, "Claims", "### Review of 2018")[1:]
    assert claim[-1].endswith(" agrees (reconstruction)")
    assert not contrasts.rows(read_studies(reports)[1:2])


def test_a_small_figure_of_contrasts(reports: Path):
    """Of those whose gain is printed, the paper's and ours on every corpus, turned as claimed."""
    write_overview(reports)
    text = (reports / "README.md").read_text(encoding="utf-8")
    assert "](contrasts.png)" in text and "a continued control or LVNMT" in " ".join(text.split())
    assert (reports / "contrasts.png").read_bytes().startswith(b"\x89PNG")
    studies = one_a_corpus([study for study in read_studies(reports) if study.verdicts])
    assert [row.claim.id for row in contrasts.rows(studies)] == ["kuang-2018/source", "xue-2019/ba"]
    figure = contrasts.drawn(studies)
    (axis,) = figure.axes
    diamonds = [line for line in axis.get_lines() if line.get_marker() == "D"]
    assert [line.get_xdata()[0] for line in diamonds] == [1.10, 1.41]
    dots = [line for line in axis.get_lines() if line.get_marker() == "o"]
    assert sorted(line.get_xdata()[0] for line in dots) == [-2, 0.25, 1.5]
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["paper", *(study.name for study in studies)]


def test_contrasts_among_the_papers_systems_are_not_in_the_small_figure(tmp_path: Path):
    study(
        tmp_path, "a", claims={"xue-2019/ba-sa": verdict("agrees", 1.0), "kuang-2018/length-10": verdict("agrees", 1)}
    )
    assert contrasts.drawn([one for one in read_studies(tmp_path) if one.verdicts]) is None


def test_what_the_slides_and_mi_hold_their_systems_against_is_in_the_small_figure(tmp_path: Path):
    """RNNsearch-50 stands on either side: it has a baseline, and is one."""
    names = ("bahdanau-2015/attention-30", "bahdanau-2015/attention-50", "bahdanau-2015/longer-sentences")
    names += ("bahdanau-2015/longer", "mi-2016/lvnmt-gru", "kuang-2018/direct-rnnsearch")
    study(tmp_path, "a", claims=dict.fromkeys(names, verdict("agrees", 1.0)))
    assert {row.claim.id for row in contrasts.rows(read_studies(tmp_path))} == {*names}


def test_claims_of_the_other_direction_are_turned_in_the_figure(tmp_path: Path):
    study(tmp_path, "a", claims={"mi-2016/sub": verdict("agrees", -0.7)})
    figure = contrasts.drawn([one for one in read_studies(tmp_path) if one.verdicts])
    found = {line.get_marker(): line.get_xdata()[0] for line in figure.axes[0].get_lines()}
    assert found["D"] == 1.86 and found["o"] == 0.7


def test_says_the_same_again(reports: Path):
    write_overview(reports)
    first = (reports / "README.md").read_bytes()
    write_overview(reports)
    assert (reports / "README.md").read_bytes() == first


def test_without_verdicts(tmp_path: Path):
    study(tmp_path, "old")
    program.main(["--reports", str(tmp_path)])
    assert "No study has a verdict yet" in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_a_damaged_report_is_named(reports: Path):
    write(reports / "b/metrics.json", "{")
    with pytest.raises(InputError, match=r"b/metrics\.json: not valid JSON"):
        write_overview(reports)


def test_a_report_that_git_has_not_is_in_no_page_that_git_keeps(reports: Path):
    """A user's own study leaves the page as it was; in a repository without reports the page has all that there are."""
    subprocess.run(["git", "init", "--quiet", str(reports)], check=True)
    assert [study.name for study in read_studies(reports)] == ["a", "b", "old"]
    subprocess.run(["git", "add", "a", "b"], cwd=reports, check=True)
    assert [study.name for study in read_studies(reports)] == ["a", "b"]


def test_a_study_without_a_verdict_has_neither_a_table_nor_a_column(reports: Path):
    study(reports, "c", claims={"xue-2019/sa": verdict("not testable", 0.1)})
    assert rows(reports, "Claims")[0] == ["Paper", "a", "b", "mean of the corpora"]
    page = (reports / "README.md").read_text("utf-8")
    assert "### c\n" not in page and "[c](c/README.md)" in page


def test_a_verdict_that_does_not_last_is_marked(reports: Path):
    claims = {"xue-2019/ba": verdict("agrees", 1.5) | {"p_fdr": 0.06}, "xue-2019/sa": verdict("undecided", 0.1)}
    claims |= {"kuang-2018/source": verdict("disagrees", -2), "xue-2019/ta": verdict("agrees", 1.5) | {"p_fdr": None}}
    study(reports, "a", claims=claims)
    cells = {row[4].rpartition(") ")[2] for row in rows(reports, "Claims", "### Xue et al. 2019")[1:]}
    assert cells == {"agrees †", "undecided", "agrees"}
    assert rows(reports, "Claims", "### Kuang et al. 2018")[1][4].endswith(") disagrees")


def test_a_mean_is_corrected_for_the_number_of_means(reports: Path):
    """Three with p 0.001, 0.04 and 0.9, of which the second does not last, and one on the Transformer, by itself."""
    claims = {"xue-2019/ba": 3.0, "xue-2019/sa": 1.5, "xue-2019/ta": 0.1, "xue-2019/transformer": 1.5}
    for name in ("a", "b"):
        judged = {one: verdict("agrees", of) for one, of in claims.items()}
        judged["xue-2019/transformer"]["apart"] = True
        study(reports, name, name, claims=judged)
    found = means(read_studies(reports))
    p = {one: found[one]["p_fdr"] for one in claims}
    alone = p["xue-2019/transformer"]
    assert p["xue-2019/sa"] == pytest.approx(alone * 3 / 2) and p["xue-2019/ba"] < alone
    half = 1 / stdtrit(20.0, 0.975)
    assert math.hypot(half, half) * -stdtrit(20.0, alone / 2) == pytest.approx(3.0)
