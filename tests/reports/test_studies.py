"""A committed report is of what its study in params.yaml names, and of nothing else."""

import json
import re

import pytest

from stages.releasing.results_file import REVERSE_FILE, read_results, results_path
from stages.reporting.claims.plans import OF_REVERSE, read_plans
from stages.reporting.overview.study import read_studies
from stages.settings.params import read
from tests.helpers.paths import ROOT

STUDIES = read()["studies"]
OF_A_DIRECTION = re.compile("perplexity_[a-z]+-[a-z]+$").match
REPORTS = {path.parent.name: path for path in (ROOT / "reports").glob("*/metrics.json") if path.parent.name in STUDIES}


def seeds_of_systems(study: str) -> dict[str, dict]:
    systems = json.loads(REPORTS[study].read_text(encoding="utf-8"))["systems"]
    return {name: one["seeds"] for name, one in systems.items()}


def planned(study: str) -> set[str]:
    """Systems whose reverse direction a plan names and that have released results without it."""
    of_reverse = [one for one in read_plans().values() if study in one.studies and one.claims == OF_REVERSE]
    asked = [STUDIES[study][key] for key in ("corpus", "direction", "segmentation")]
    return {
        name
        for plan in of_reverse
        for name in plan.systems
        if any(REVERSE_FILE not in read_results(ROOT / results_path(*asked, name, seed))[1] for seed in plan.seeds)
    }


def test_there_are_reports_of_the_studies_on_real_text():
    assert {"hansards-en-fr", "multi30k-de-en", "multi30k-de-en-others", "zh-en"} <= set(REPORTS)


def test_every_report_that_git_has_is_of_a_study():
    """Or no test would look at it."""
    assert {study.name for study in read_studies(ROOT / "reports")} <= set(STUDIES)


@pytest.mark.parametrize("study", sorted(REPORTS))
def test_systems_and_seeds_are_those_of_the_study(study):
    asked = STUDIES[study]
    trained = {*asked["systems"], *asked["fine_tuned"], *asked["decoded"]}
    found = seeds_of_systems(study)
    assert set(found) == trained | set(asked["smt"])
    seeds = {str(seed) for seed in asked["seeds"]}
    assert {name for name in trained if not seeds <= set(found[name])} == set()


@pytest.mark.parametrize("study", [name for name in sorted(REPORTS) if STUDIES[name]["also_reverse"]])
def test_both_directions_of_the_systems_that_are_trained_in_both(study):
    both = {
        name
        for name, seeds in seeds_of_systems(study).items()
        if all(sum(value is not None for key, value in of.items() if OF_A_DIRECTION(key)) == 2 for of in seeds.values())
    }
    asked = set(STUDIES[study]["also_reverse"])
    assert asked - both <= planned(study), "the report lacks a reverse direction that is trained, or that no plan names"
    assert both <= asked, "the report has a reverse direction that the study does not ask for: add it to also_reverse"


def test_a_plan_excuses_only_what_is_not_trained():
    assert "rnnsearch_star" not in planned("hansards-en-fr")
