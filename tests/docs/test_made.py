"""The generated parts of pages say what dvc.yaml and the code say now."""

import contextlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from dvc.repo import Repo

from docs.make.__main__ import made
from docs.make.blocks import BLOCK, FILE, MADE, pages, renewed
from docs.make.flow import arrows, stages
from docs.make.imports import layers
from tests.helpers import committed
from tests.helpers.paths import ROOT
from tests.stages.pipeline.toy import repository


@pytest.fixture(scope="module")
def wanted() -> dict[str, str]:
    return made()


def test_everything_is_up_to_date(wanted: dict[str, str]) -> None:
    old = [name for name, text in wanted.items() if (ROOT / name).read_text(encoding="utf-8") != text]
    assert old == [], "run `make docs` and commit what it writes"


def test_every_block_stands_on_a_page() -> None:
    there = {block["name"] for page in pages() for block in BLOCK.finditer(page.read_text(encoding="utf-8"))}
    assert {name for name in there if not name.startswith(f"{FILE} ")} == set(MADE)


def test_a_block_is_replaced_and_nothing_else() -> None:
    page = "before\n<!-- made: a -->\nold\n<!-- end -->\nbetween\n<!-- made: b -->\n<!-- end -->\nafter\n"
    new = renewed(page, {"a": lambda: "A", "b": lambda: "B"})
    expected = "before\n<!-- made: a -->\n\nA\n\n<!-- end -->\nbetween\n<!-- made: b -->\n\nB\n\n<!-- end -->\nafter\n"
    assert new == expected
    assert renewed(new, {"a": lambda: "A", "b": lambda: "B"}) == new
    with pytest.raises(KeyError):
        renewed(page, {"a": lambda: "A"})


def test_a_file_is_shown_as_it_is() -> None:
    (ours,) = re.findall(
        r"```python\n(.*?)```", renewed(f"<!-- made: {FILE} docs/make/__init__.py -->\n<!-- end -->\n"), re.S
    )
    assert ours == (ROOT / "docs" / "make" / "__init__.py").read_text(encoding="utf-8")


@pytest.mark.process
def test_the_drawings_are_made_the_same_everywhere(wanted: dict[str, str]) -> None:
    code = "from docs.make.__main__ import made; print(made()['docs/architecture.md'], end='')"
    again = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={"PYTHONHASHSEED": "7"}, capture_output=True, text=True, check=True
    )
    assert again.stdout == wanted["docs/architecture.md"]


def test_every_script_is_a_stage() -> None:
    """At the top level of stages/ stands what dvc.yaml runs, and nothing else."""
    scripts = {path.stem for path in (ROOT / "stages").glob("[!_]*.py")}
    guard = {"names"}  # runs before the scripts of two stages
    assert scripts == {stage.script for stage in stages().values()} | guard == set(layers("stages")[0])


def test_every_stage_says_what_it_does() -> None:
    """In dvc.yaml, to which docs/pipeline.md sends its readers."""
    written = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
    assert [name for name, stage in written.items() if not stage.get("do", stage).get("desc")] == []


@pytest.mark.dvc
def test_the_flow_is_that_of_dvc(tmp_path: Path) -> None:
    """Read from dvc.yaml alone, it agrees with the graph in which DVC has every system and seed of a study.

    The demo, with what it lacks, has a system for every stage but those of released results, for it trains them all,
    and fine-tunes no fine-tuned system.
    """
    study = "<<: *demo\ndecoded: {rnnsearch_star_coverage_penalty: rnnsearch_star}\nread_outs: [rnnsearch_star]"
    (tmp_path / "params.yaml").write_text(committed.choosing(study), encoding="utf-8")
    shutil.copy(ROOT / "dvc.yaml", tmp_path)
    repository(tmp_path)
    with contextlib.chdir(tmp_path), Repo() as repo:
        graph = repo.index.graph
        name = {stage: stage.addressing.partition("@")[0] for stage in graph}
        of_dvc = {(name[first], name[then]) for then, first in graph.edges if name[first] != name[then]}
    of_dvc -= {("fine_tune", "initialise")}
    assert of_dvc == {arrow for arrow in arrows(stages()) if not {"released", "released_smt"} & {*arrow}}
