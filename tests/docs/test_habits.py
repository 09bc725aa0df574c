"""What helps others to use and change the project: citation, changes, issue forms, checks before a commit."""

import re
import subprocess
import tomllib

import pytest
import yaml

from docs.make.blocks import BLOCK
from tests.helpers.paths import ROOT

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
AS_ROOT = 'sudo env "PATH=$PATH" "LD_LIBRARY_PATH=$LD_LIBRARY_PATH" '


def loaded(path):
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def test_the_readme_is_short() -> None:
    """At most 800 words beside its commands, what is made from the reports, and two pictures."""
    text = BLOCK.sub("", CODE.sub("", (ROOT / "README.md").read_text(encoding="utf-8")))
    prose = [line for line in text.splitlines() if not line.startswith(("    ", "!["))]
    assert text.count("\n![") == 2 and len(" ".join(prose).split()) <= 800


def test_the_version_is_one() -> None:
    (newest, *_) = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert {loaded("CITATION.cff")["version"], newest} == {VERSION}


def test_the_papers_are_those_of_the_reports() -> None:
    titles = {one["title"] for one in loaded("CITATION.cff")["references"]}
    papers = {loaded(path)["title"] for path in (ROOT / "stages" / "reporting" / "papers").glob("*.yaml")}
    assert {title.casefold() for title in titles} == {title.casefold() for title in papers}


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_is_one(path) -> None:
    """As GitHub wants it; it shows no form that is otherwise, and says nothing."""
    form = loaded(path)
    assert {"name", "description", "body"} <= set(form)
    ids = [field["id"] for field in form["body"] if field["type"] != "markdown"]
    assert len(set(ids)) == len(ids) > 0
    for field in form["body"]:
        assert field["type"] in {"markdown", "input", "textarea", "dropdown", "checkboxes"}
        assert field["attributes"]["value" if field["type"] == "markdown" else "label"]
        assert field["type"] != "dropdown" or all(isinstance(option, str) for option in field["attributes"]["options"])


def test_there_is_a_form_for_each_kind_of_issue() -> None:
    assert {path.stem for path in FORMS} == {"missing_variant", "misread_claim", "bug"}


@pytest.mark.process
def test_no_file_is_large_but_those_listed() -> None:
    (hook,) = (one for repo in loaded(".pre-commit-config.yaml")["repos"] for one in repo["hooks"] if "exclude" in one)
    (limit,) = re.findall(r"--maxkb=(\d+)", hook["entry"])
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    there = [name for name in tracked.split("\0") if name and (ROOT / name).is_file()]
    large = [name for name in there if (ROOT / name).stat().st_size > int(limit) * 1024]
    assert [name for name in large if not re.search(hook["exclude"], name)] == []
    assert large  # the list is not for nothing


def test_ci_calls_what_there_is() -> None:
    steps = [step for job in loaded(".github/workflows/ci.yml")["jobs"].values() for step in job["steps"]]
    commands = [step["run"] for step in steps if "run" in step]
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for command in commands:
        program, *arguments = command.removeprefix(AS_ROOT).split()
        assert (arguments[0] in targets) if program == "make" else (ROOT / program).is_file(), command
    assert f"{AS_ROOT}.ci/run" in commands  # or the tests with Slurm are skipped
