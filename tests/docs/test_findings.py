"""docs/findings.md has the figures of the reports, and is renewed like any generated part of a page."""

import json
import re

import pytest

from docs.make.blocks import INLINE, renewed
from docs.make.results import MORE_SEEDS, STUDIES
from tests.helpers.paths import ROOT

PAGE = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
FIGURE = re.compile(
    r"(?P<measure>.+) (?P<difference>[+-]\d+\.\d+) \((?P<low>[+-]\d+\.\d+) to (?P<high>[+-]\d+\.\d+)\)"
    r"(?: \[(?P<paper>[+-][\d.]+)\])?(?P<mark> †)?"
)
CLAIMS = {
    study: json.loads((ROOT / "reports" / study / "metrics.json").read_text(encoding="utf-8"))["claims"]
    for study in (*STUDIES, *MORE_SEEDS)
}
MORE = {"hansards-en-fr": "hansards-en-fr-bridging", "zh-en": "zh-en-bridging"}
"""A study -> one on the same text with more seeds of some of its systems, whose word counts in a mean."""
WRITTEN = re.findall(r"<!--([\w-]+/[\w-]+):([\w-]+)-->(.*?)<!--end-->", PAGE)


def test_there_are_findings() -> None:
    assert len(WRITTEN) > 40 and len(WRITTEN) == len(INLINE.findall(PAGE))


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


def of_corpus(claim: str, study: str) -> dict | None:
    found = CLAIMS.get(MORE.get(study, ""), {}).get(claim)
    return found if found and found["low"] is not None else CLAIMS[study].get(claim)


@pytest.mark.parametrize(("claim", "study", "text"), WRITTEN)
def test_a_figure_is_that_of_the_reports(claim: str, study: str, text: str) -> None:
    figure = FIGURE.fullmatch(text)
    named = [CLAIMS[study].get(claim)] if study != "mean" else [of_corpus(claim, name) for name in STUDIES]
    told = [one for one in named if one and one["low"] is not None]
    assert len(told) == 1 if study != "mean" else len(told) > 1
    difference = sum(one["difference"] for one in told) / len(told)
    assert float(figure["difference"]) == pytest.approx(difference, abs=0.0051)
    assert float(figure["low"]) < difference < float(figure["high"])
    if study != "mean":
        assert float(figure["low"]) == pytest.approx(told[0]["low"], abs=0.0051)
        assert float(figure["high"]) == pytest.approx(told[0]["high"], abs=0.0051)
    of_the_text = told[0]["measure"].endswith(("perplexity", "repeated_phrases"))
    assert figure["paper"] == (None if of_the_text else told[0]["paper_difference"])
    if study != "mean":
        decided = told[0]["verdict"] in ("agrees", "agrees, smaller than printed", "disagrees")
        assert bool(figure["mark"]) == (decided and (told[0]["p_fdr"] or 0) > 0.05)


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
    with pytest.raises(KeyError):
        renewed(f"<!--{claim}:{study}--><!--end-->")
