"""What of the queue is still to be done, and what its results say of CUDA graphs."""

from pathlib import Path
from typing import Any

from benchmarks.commit import now_and_commit
from benchmarks.gpu.__main__ import FOLDER as PAGES
from benchmarks.gpu.parts import ROOT
from benchmarks.gpu.prepared import FOLDER
from benchmarks.gpu.queue.items import Item, archive, settings, trainings
from stages.files.records import read_json
from stages.releasing.results_file import RELEASED
from stages.releasing.training import Training
from stages.settings.systems import study_systems

LEFT = Path("left.json")
"""In an item's folder: trainings without results when it was prepared, for where reports/released is not."""
OF_GRAPHS = ("waiting_tests", "parity")
"""Parts that record and replay them."""


def left(name: str, item: Item, smoke: bool) -> list[str] | list[Training]:
    """Of an item's parts those that have neither passed nor been run at this commit; of its trainings those without
    results."""
    if item.parts:
        found, commit = found_of_parts(), now_and_commit()["commit"]
        done = [part for part, one in found.items() if not one["failure"] or one.get("commit") == commit]
        return [part for part in item.parts if part not in done]
    study, list_ = study_systems(settings(item, smoke)), FOLDER / name / LEFT
    wanted = [*trainings(item, study)]
    if list_.exists() and not (ROOT / RELEASED).exists():
        wanted = [Training(*one) for one in read_json(list_)]
    places = [FOLDER / name, *([] if smoke else [ROOT])]
    return [one for one in wanted if not any((at / archive(study, one)).exists() for at in places)]


def found_of_parts() -> dict[str, Any]:
    path = PAGES / "gpu.json"
    return read_json(path)["parts"] if path.exists() else {}


def graphs_fail() -> bool:
    """Whether a test of CUDA graphs has failed when it was last run, or what would have said so has not ended well."""
    found = found_of_parts()
    return any(_says_so(found[part]) for part in OF_GRAPHS if part in found)


def _says_so(one: dict[str, Any]) -> bool:
    found = one["found"] or {}
    if one["failure"] != found.get("failure"):  # of the process: it was stopped, or broke off
        return True
    said = [*found.get("failures", ()), *(row["failure"] or "" for row in found.get("systems", ()))]
    return any("graph" in line for line in said)
