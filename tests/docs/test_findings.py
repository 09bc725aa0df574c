"""docs/findings.md has the figures of the reports, and is renewed like any generated part of a page."""

import json
import re
from collections.abc import Iterator

import pytest

from docs.make import findings, results
from docs.make.blocks import INLINE, renewed
from docs.make.results import BEYOND
from stages.reporting.overview.study import Study, read_studies
from tests.helpers.paths import ROOT
from tests.reports.texts import rank, speaking, together
from tests.reports.verdicts import TEXT_BOUND

PAGE = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
FIGURE = re.compile(
    r"(?P<measure>.+) (?P<difference>[+-]\d+\.\d+) \((?P<low>[+-]\d+\.\d+) to (?P<high>[+-]\d+\.\d+)\)"
    r"(?: \[(?P<paper>[+-][\d.]+)\])?(?P<mark> †)?"
)
STUDIES = {
    study.name: study
    for study in read_studies(ROOT / "reports")
    if len(study.document["recipe"]["seeds"]) > 1 and not study.name.startswith("demo")
}
CORPORA = findings.CORPORA
WRITTEN = re.findall(r"<!--([\w-]+/[\w-]+):([\w-]+)-->(.*?)<!--end-->", PAGE)


def test_there_are_findings() -> None:
    assert len(WRITTEN) > 40 and len(WRITTEN) == len(INLINE.findall(PAGE))


def test_read_outs_are_those_of_the_report() -> None:
    document = json.loads((ROOT / "reports/hansards-en-fr/metrics.json").read_text(encoding="utf-8"))
    found = document["read_outs"]["rnnsearch_star"]["mean"]
    words = " ".join(PAGE.split())
    told = re.search(r"Attention of RNNsearch\\\* has an AER of .*? No claim tests this", words)[0]
    ways = ("attention", "grow_diag_final_and", "erasure", "gradient")
    assert re.findall(r"\d+\.\d", told) == [f"{found[way]['aer']:.1f}" for way in ways]


def test_the_readme_counts_printed_gains_as_this_page_does() -> None:
    words = " ".join(PAGE.split())
    total, points, share = re.search(
        r"For (\d+) printed differences.*? (\d+) of these printed.*? In proportion to [^,]+, (\d+) lie above", words
    ).groups()
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"rule out {points} of {total} in points, {share} in proportion to the score" in readme


def test_no_line_begins_with_a_figure() -> None:
    """Markdown takes a line that begins with a comment for HTML, which ends the paragraph before it."""
    assert re.findall(r"^ *<!--[\w-]+/.*", PAGE, re.MULTILINE) == []


@pytest.mark.parametrize(("claim", "study", "text"), [one for one in WRITTEN if one[1] != CORPORA])
def test_a_figure_is_that_of_the_reports(claim: str, study: str, text: str) -> None:
    figure = FIGURE.fullmatch(text)
    named = [STUDIES[study]] if study != "mean" else speaking(claim, STUDIES.values())
    told = [one.verdicts[claim] for one in named]
    assert len(told) == 1 if study != "mean" else len(told) > 1
    difference = sum(one["difference"] for one in told) / len(told)
    assert float(figure["difference"]) == pytest.approx(difference, abs=0.0051)
    assert float(figure["low"]) < difference < float(figure["high"])
    if study != "mean":
        assert float(figure["low"]) == pytest.approx(told[0]["low"], abs=0.0051)
        assert float(figure["high"]) == pytest.approx(told[0]["high"], abs=0.0051)
    of_the_text = told[0]["measure"].removesuffix("_reverse").endswith(TEXT_BOUND)
    assert figure["paper"] == (None if of_the_text else told[0]["paper_difference"])
    if study != "mean":
        decided = told[0]["verdict"] in ("agrees", "agrees, smaller than printed", "disagrees")
        assert bool(figure["mark"]) == (decided and (told[0]["p_fdr"] or 0) > 0.05)


@pytest.mark.parametrize(("claim", "study"), [one[:2] for one in WRITTEN if one[1] in STUDIES])
def test_a_figure_is_that_of_the_most_seeds(claim: str, study: str) -> None:
    same = next(studies for studies in together(STUDIES.values()) if STUDIES[study] in studies)
    told = [one for one in same if claim in one.verdicts]
    assert rank(STUDIES[study])[0] == max(rank(one)[0] for one in told)


@pytest.mark.parametrize(("claim", "text"), [(claim, text) for claim, study, text in WRITTEN if study == CORPORA])
def test_a_mean_names_its_corpora(claim: str, text: str) -> None:
    corpora = [study.document["recipe"]["data"]["corpus"] for study in speaking(claim, STUDIES.values())]
    names = sorted(findings.NAMES.get(corpus, corpus) for corpus in corpora)
    assert sorted(text.replace(" and ", ", ").split(", ")) == names


def test_a_mean_follows_the_names_of_its_corpora() -> None:
    _example, *written = WRITTEN
    said = ""
    for claim, study, text in written:
        said = text if study == CORPORA else said
        assert study != "mean" or findings.finding(claim, CORPORA) == said, claim


def test_pages_count_the_corpora_that_there_are() -> None:
    number = {3: "three", 4: "four", 5: "five"}[len(together(STUDIES.values()))]
    corpora = {study.document["recipe"]["data"]["corpus"]: study for study in STUDIES.values()}
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for page, words in (
        (PAGE, "There are {} corpora:"),
        (readme, "what {} corpora say"),
        (readme, "ours on {} corpora"),
    ):
        assert words.format(number) in page
    for study in corpora.values():
        assert f"{study.document['recipe']['data']['sets']['train']['pairs']:,} " in PAGE
    assert min(rank(study)[0] for study in STUDIES.values()) == 3 and "at least three seeds" in " ".join(PAGE.split())


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Study]]:
    """Those that there are but for the one on our own claims; what is added is read too."""
    found = {study.name: study for study in read_studies(ROOT / "reports") if study.name != BEYOND}
    monkeypatch.setattr(results, "read_studies", lambda folder: list(found.values()))
    forget()
    yield found
    forget()


def forget() -> None:
    findings._records.cache_clear()
    findings._corpora.cache_clear()


GERMAN = "multi30k-en-de"
OWN, AGAIN = "beyond/ba-coverage-penalty-rot", "xue-2019/ba"


def test_our_own_claims_can_be_quoted_once_a_study_judges_them(reports: dict[str, Study]) -> None:
    with pytest.raises(KeyError):
        renewed(f"<!--{OWN}:{BEYOND}--><!--end-->")
    before = results.verdicts(), findings.sizes(), findings.finding(AGAIN, findings.MEAN)
    hansards = reports["hansards-en-fr"]
    some = {name: hansards.document["systems"][name] for name in ("rnnsearch_star", "ba_nmt")}
    again = hansards.claims[AGAIN] | {"difference": 9.0, "low": 8.0, "high": 10.0}
    own = again | {"difference": -0.5, "low": -0.75, "high": -0.25, "verdict": "agrees", "printed_gain": None}
    reports[BEYOND] = Study(BEYOND, hansards.document | {"systems": some}, {OWN: own, AGAIN: again})
    forget()
    assert findings.finding(OWN, BEYOND).removesuffix(" †") == "ROT -0.50 (-0.75 to -0.25)"
    assert findings.finding(AGAIN, BEYOND).startswith("BLEU +9.00 (+8.00 to +10.00) [+1.41]")
    assert (findings.sizes(), findings.finding(AGAIN, findings.MEAN)) == before[1:], "the same trainings count once"
    (of_our_own,) = {*results.verdicts().splitlines()} - {*before[0].splitlines()}
    assert f"[{BEYOND}](reports/{BEYOND}/README.md): of 1 claims of our own 1 agree, 0 disagree, 0 are" in of_our_own


def test_a_study_is_told_once_it_has_a_report(reports: dict[str, Study]) -> None:
    """Of the same captions into the other language, which has the systems of one of the two corpora of a mean."""
    english = reports["multi30k-de-en"]
    both = findings.finding("xue-2019/ba", findings.MEAN), findings.finding("xue-2019/ba", CORPORA)
    recipe = english.document["recipe"] | {"direction": "en-de"}
    systems = {name: english.document["systems"][name] for name in ("rnnsearch_star", "ba_nmt")}
    systems["sa_nmt"] = reports["zh-en"].document["systems"]["sa_nmt"]
    sa = reports["zh-en"].claims["xue-2019/sa"]
    claims = {"xue-2019/sa": sa, "xue-2019/sa-cased": sa | {"measure": "bleu_cased"}, "xue-2019/ba": sa}
    reports[GERMAN] = Study(GERMAN, english.document | {"recipe": recipe, "systems": systems}, claims)
    forget()
    assert findings.finding("xue-2019/sa-cased", GERMAN).startswith("BLEU cased +")
    assert findings.finding("xue-2019/sa", CORPORA) == f"Hansards, Chinese-English and {GERMAN}"
    assert (findings.finding("xue-2019/ba", findings.MEAN), findings.finding("xue-2019/ba", CORPORA)) == both
    assert f"[{GERMAN}](reports/{GERMAN}/README.md): of 3 claims" in results.verdicts()


def test_a_figure_is_renewed_where_it_stands() -> None:
    claim, study, text = WRITTEN[0]
    sentence = "Gains: <!--{}:{}-->{}<!--end-->, more."
    assert renewed(sentence.format(claim, study, "old\ntext")) == sentence.format(claim, study, text)


NEITHER = [
    ("xue-2019/nothing", "mean"),  # no claim
    ("review-2018/attention", "mean"),  # one corpus speaks to it
    ("review-2018/coverage-rot", "mean"),  # two do, and contradict each other
    ("review-2018/attention", "zh-en"),  # not this one
]


@pytest.mark.parametrize(("claim", "study"), NEITHER)
def test_a_figure_that_there_is_not_is_refused(claim: str, study: str) -> None:
    with pytest.raises(KeyError, match=f"{claim}:{study} has no figure: .*; write that sentence anew"):
        renewed(f"<!--{claim}:{study}--><!--end-->")
