"""`README.md` of a report: what is in git is linked, what is not is named."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from stages.reporting import front_page, outputs
from stages.reporting.front_page import write_front_page
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.markdown import escape
from tests.helpers.browser import study as made_up
from tests.helpers.browser.example import HOSTILE, SHAPE


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    folder = tmp_path_factory.mktemp("study")
    made_up.build(folder, made_up.KINDS, SHAPE)
    return made_up.read(folder, made_up.KINDS, SHAPE)


def page(study: StudyResults, folder: Path, figures: Sequence[str] = (), sizes: Sequence[str] = ()) -> str:
    for name in figures:
        (folder / f"figures/{name}.png").parent.mkdir(parents=True, exist_ok=True)
        (folder / f"figures/{name}.png").touch()
    asked = study.asked._replace(training_sizes=sizes)
    write_front_page(study._replace(asked=asked), folder)
    return (folder / "README.md").read_text(encoding="utf-8")


def test_every_link_is_to_what_git_keeps_and_all_of_that_is_linked(study: StudyResults, tmp_path: Path) -> None:
    """But for the page, of which GitHub shows the source, and which git keeps of some studies only."""
    links = re.findall(r"\]\(([^)]+)\)", page(study, tmp_path, ["learning_curves", "attention/longest"]))
    kept = {link.split("/")[0] for link in links}
    assert kept == set(outputs.IN_GIT) - {outputs.PAGE, outputs.BROWSER_PAGE}
    assert f"`{outputs.BROWSER_PAGE}`" in page(study, tmp_path)


def test_what_dvc_keeps_is_named_and_not_linked(study: StudyResults, tmp_path: Path) -> None:
    text = page(study, tmp_path)
    for name in outputs.CACHED:
        assert re.search(rf"`{re.escape(name)}/?`", text) and f"]({name}" not in text


def test_begins_with_the_name_of_the_study(study: StudyResults, tmp_path: Path) -> None:
    assert page(study, tmp_path).startswith("# Study demo\n\n4 systems on corpus demo, zh → en, seed 1, seed 2. ")


def test_shows_the_figures_that_there_are(study: StudyResults, tmp_path: Path) -> None:
    text = page(study, tmp_path, ["learning_curves", "attention/longest", "cost"])
    assert re.findall(r"!\[[^]]*\]\(([^)]+)\)", text) == [
        "figures/attention/longest.png",
        "figures/learning_curves.png",
    ]
    assert "BLEU on dev after each epoch, higher is better." in text


def test_head_of_the_table_is_the_baseline_and_the_best(
    study: StudyResults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_page, "BEST", 1)
    _, systems = page(study, tmp_path).split("## The systems")
    rows = [line for line in systems.splitlines() if line.startswith("|")]
    titles = [row.strip("| ").split(" | ")[0].strip() for row in rows]
    bleu = {name: system["mean"]["tests"]["average"]["bleu"] for name, system in study.document["systems"].items()}
    shown = {study.asked.compare.baseline, max(bleu, key=bleu.get)}
    assert titles[2:] == [study.asked.titles[name] for name in study.asked.titles if name in shown]
    for row, name in zip(rows[2:], [name for name in study.asked.titles if name in shown], strict=True):
        assert row.split(" | ")[1].strip(" *").startswith(f"{bleu[name]:.2f}")
    assert [heading.strip(" ↑↓") for heading in rows[0].strip("|").split("|")] == ["System", *front_page.HEADINGS]


def test_what_surprised_is_said_below_the_claims(study: StudyResults, tmp_path: Path) -> None:
    baseline = study.asked.compare.baseline
    looked = {baseline: "another rate in demo"}
    claims, _ = page(study._replace(looked=looked), tmp_path).split("## The systems")
    assert f"- looked into: {escape(baseline)}: another rate in demo\n" in claims


def test_titles_are_text(study: StudyResults, tmp_path: Path) -> None:
    text, title = page(study, tmp_path), study.asked.titles[HOSTILE]
    assert escape(title) in text and title not in text


def test_tables_of_two_training_sizes_are_named_where_the_study_has_some(study: StudyResults, tmp_path: Path) -> None:
    assert "training_sizes" not in page(study, tmp_path)
    text = page(study, tmp_path, sizes=["less", "least"])
    assert "- `training_sizes/less/`" in text and "- `training_sizes/least/`" in text


def test_begins_with_the_claims_and_their_verdicts(study: StudyResults, tmp_path: Path) -> None:
    claims, _ = page(study, tmp_path, ["claims"]).split("## The systems")
    assert "## Which of the papers' claims hold" in claims and "](figures/claims.png)" in claims
    (row,) = [line for line in claims.splitlines() if line.startswith("| BA-NMT translates better than RNNsearch\\* ")]
    assert re.search(r"Table 2 +\| BLEU ↑ +\| +\+1\.41 \| +[+-]\d+\.\d\d \| +[+-].* to .* \| (agrees|dis|und)", row)
    assert "these data speak to" in claims and "sa_nmt" not in claims


def test_without_any_verdict_it_says_so(study: StudyResults, tmp_path: Path) -> None:
    claims, _ = page(study._replace(judged=[]), tmp_path).split("## The systems")
    assert "These data speak to none of 0 claims." in claims and "|" not in claims


@pytest.mark.parametrize("generated", [True, False])
def test_generated_text_is_said_to_support_no_claim_before_any(
    study: StudyResults, tmp_path: Path, generated: bool
) -> None:
    above, _, _ = page(study._replace(asked=study.asked._replace(generated=generated)), tmp_path).partition("## Which")
    assert ("support no claim about translation" in above) == generated


def test_says_what_the_trainings_cost(study: StudyResults, tmp_path: Path) -> None:
    """Four systems with two seeds, about an hour each."""
    assert "8 trainings took at most 8.1 CPU-hours." in page(study, tmp_path)
