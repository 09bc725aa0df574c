"""`README.md` of a report: what is in git is linked, what is not is named."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from stages.reporting import front_page, outputs
from stages.reporting.claims.judged import Judged
from stages.reporting.front_page import write_front_page
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.markdown import escape
from tests.helpers.browser import study as made_up
from tests.helpers.browser.example import HOSTILE, SHAPE
from tests.helpers.paper_claims import CLAIMS, OF_PAPERS
from tests.helpers.paths import ROOT


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    folder = tmp_path_factory.mktemp("study")
    made_up.build(folder, made_up.KINDS, SHAPE)
    return made_up.read(folder, made_up.KINDS, SHAPE)


def page(study: StudyResults, folder: Path, figures: Sequence[str] = (), sizes: Sequence[str] = ()) -> str:
    for name in figures:
        (folder / f"figures/{name}.png").parent.mkdir(parents=True, exist_ok=True)
        (folder / f"figures/{name}.png").touch()
    spec = study.spec._replace(training_sizes=sizes)
    write_front_page(study._replace(spec=spec), folder)
    return (folder / "README.md").read_text(encoding="utf-8")


def test_every_link_is_to_what_git_keeps_and_all_of_that_is_linked(study: StudyResults, tmp_path: Path) -> None:
    """But for the page, of which GitHub shows the source, and which git keeps of some studies only."""
    links = re.findall(r"\]\(([^)]+)\)", page(study, tmp_path, ["learning_curves", "attention/longest"]))
    assert "../../docs/variants.md" in links and (ROOT / "docs/variants.md").is_file()
    kept = {link.split("/")[0] for link in links if not link.startswith("../")}
    assert kept == set(outputs.IN_GIT) - {outputs.PAGE, outputs.BROWSER_PAGE}
    assert f"`{outputs.BROWSER_PAGE}`" in page(study, tmp_path)


def test_what_dvc_keeps_is_named_and_not_linked(study: StudyResults, tmp_path: Path) -> None:
    text = page(study, tmp_path)
    for name in outputs.CACHED:
        assert re.search(rf"`{re.escape(name)}/?`", text) and f"]({name}" not in text


def test_begins_with_the_name_of_the_study(study: StudyResults, tmp_path: Path) -> None:
    assert page(study, tmp_path).startswith("# Study demo\n\n4 systems on corpus demo, zh → en, seed 1, seed 2. ")


def test_one_system_is_one(study: StudyResults, tmp_path: Path) -> None:
    assert "\n\n1 system on corpus demo" in page(study._replace(systems=study.systems[:1]), tmp_path)


def test_shows_one_attention_map_and_links_the_other_figures(study: StudyResults, tmp_path: Path) -> None:
    text = page(study, tmp_path, ["learning_curves", "attention/longest", "attention/named", "claims"])
    assert re.findall(r"!\[[^]]*\]\(([^)]+)\)", text) == ["figures/attention/longest.png"]
    (line,) = [line for line in text.splitlines() if line.startswith("Figures: ")]
    others = [f"figures/{name}.png" for name in ("claims", "learning_curves", "attention/named")]
    assert re.findall(r"\]\(([^)]+)\)", line) == others


def test_begins_with_systems_a_map_and_findings(study: StudyResults, tmp_path: Path) -> None:
    text = page(study, tmp_path, ["attention/longest"])
    order = [text.index(part) for part in ("## Systems", "| System", "![", "## Findings", "## What else there is")]
    assert order == sorted(order)


def test_the_table_has_the_chosen_systems_with_their_means(
    study: StudyResults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert front_page.SYSTEM_RULE not in page(study, tmp_path)  # all of its four systems are shown
    monkeypatch.setattr(front_page, "SYSTEMS", 2)
    text = page(study, tmp_path)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    titles = [row.strip("| ").split(" | ")[0].strip() for row in rows]
    bleu = {name: system["mean"]["tests"]["average"]["bleu"] for name, system in study.document["systems"].items()}
    baseline = study.spec.compare.baseline
    shown = {baseline, max((name for name in bleu if name != baseline), key=bleu.get)}
    named = [name for name in study.spec.titles if name in shown]
    assert titles[2:] == [escape(study.spec.titles[name]) for name in named]
    for row, name in zip(rows[2:], named, strict=True):
        assert row.split(" | ")[1].strip(" *").startswith(f"{bleu[name]:.2f}")
    headings = ["System", "BLEU", "TER", "AER", "ROT", "dev perplexity", "parameters"]
    assert [heading.strip(" ↑↓") for heading in rows[0].strip("|").split("|")] == headings
    assert front_page.SYSTEM_RULE in text


def test_what_was_looked_into_is_linked_where_there_is_such_a_file(study: StudyResults, tmp_path: Path) -> None:
    looked = {study.spec.compare.baseline: "another rate in demo"}
    assert "looked_into.md" not in page(study, tmp_path)
    text = page(study._replace(looked=looked), tmp_path)
    assert "](tables/looked_into.md)" in text and "another rate" not in text


def test_titles_are_text(study: StudyResults, tmp_path: Path) -> None:
    text, title = page(study, tmp_path), study.spec.titles[HOSTILE]
    assert escape(title) in text and title not in text


def test_tables_of_two_training_sizes_are_named_where_the_study_has_some(study: StudyResults, tmp_path: Path) -> None:
    assert "training_sizes" not in page(study, tmp_path)
    text = page(study, tmp_path, sizes=["less", "least"])
    assert "- `training_sizes/less/`" in text and "- `training_sizes/least/`" in text


def test_a_finding_has_both_differences_and_the_table_of_claims_is_linked(study: StudyResults, tmp_path: Path) -> None:
    claim = OF_PAPERS["xue-2019/ba"]
    found = Judged(
        claim, "agrees, smaller than printed", 0.8, 0.3, 1.3, p_fdr=0.01, margin=0.5, printed_gain="excluded"
    )
    text = page(study._replace(judged=[found]), tmp_path)
    assert (
        "1. BA-NMT translates better than RNNsearch\\* (Xue et al. 2019, Table 2): agrees, smaller than printed. "
        "BLEU ↑ +0.80 (+0.30 to +1.30) \\[+1.41\\]\n"
    ) in text
    assert "](tables/claims.md)" in text and "| BA-NMT translates" not in text


def test_findings_of_our_own_are_said_to_be_no_papers(study: StudyResults, tmp_path: Path) -> None:
    found = Judged(OF_PAPERS["xue-2019/ba"], "agrees", 0.8, 0.3, 1.3, p_fdr=0.01, margin=0.5, printed_gain="possible")
    own = found._replace(claim=CLAIMS["beyond/no-repeats-rot"], difference=-0.8, printed_gain=None)
    assert "Each is a claim of a paper and what" in page(study._replace(judged=[found]), tmp_path)
    text = page(study._replace(judged=[found, own]), tmp_path)
    assert "Each is a claim of a paper or one of our own, beyond the papers, and what this study says of it" in text
    assert "may come twice (Beyond the papers, fairseq, no-repeat-ngram-size): agrees. ROT ↓ -0.80" in text


def test_without_any_verdict_it_says_so(study: StudyResults, tmp_path: Path) -> None:
    _, findings = page(study._replace(judged=[]), tmp_path).split("## Findings")
    assert findings.startswith("\n\nThis study judges none of 0 claims.") and front_page.FINDING_RULE not in findings


@pytest.mark.parametrize("generated", [True, False])
def test_generated_text_is_said_to_support_no_claim_before_any(
    study: StudyResults, tmp_path: Path, generated: bool
) -> None:
    above, _, _ = page(study._replace(spec=study.spec._replace(generated=generated)), tmp_path).partition("## Systems")
    assert ("support no claim about translation" in above) == generated


def test_says_what_the_trainings_cost(study: StudyResults, tmp_path: Path) -> None:
    """Four systems with two seeds, about an hour each."""
    assert "8 trainings took at most 8.1 CPU-hours." in page(study, tmp_path)
