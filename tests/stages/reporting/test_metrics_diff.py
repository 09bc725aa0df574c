"""What changed since the last report: metrics.json beside that of git's HEAD."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from stages.files.errors import InputError
from stages.reporting.metrics_diff import MOST, main, metrics_diff

Numbers = dict[str, float | None]


def document(recipe: dict[str, Any] | None = None, **bleu: float) -> dict[str, Any]:
    """metrics.json of systems with that BLEU; only what is read of it."""
    numbers = {"ter": 7.0, "perplexity": 5.0, "aer": None, "rot": 1.0, "wall_seconds": 9.0}
    systems = {name: {"title": f"{name}*", "mean": {"bleu": value, **numbers}} for name, value in bleu.items()}
    return {"systems": systems, "aligners": {}, "recipe": recipe or {}}


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def metrics(tmp_path: Path) -> Path:
    """metrics.json of a project that is a folder of a repository."""
    git(tmp_path, "init")
    path = tmp_path / "project/reports/demo/metrics.json"
    path.parent.mkdir(parents=True)
    return path


def compared(path: Path, old: Any, new: Any) -> str:
    """The section on `new` when HEAD has `old`."""
    write(path, old)
    git(path.parent, "add", ".")
    git(path.parent, "commit", "-m", "old")
    write(path, new)
    return metrics_diff(path)


def rows(section: str) -> list[list[str]]:
    """Cells of the table of systems, without its headings."""
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def test_after_the_commit_nothing_has_changed(metrics: Path) -> None:
    assert "Nothing" in compared(metrics, document(a=1), document(a=1))


def test_systems_that_came_and_went_are_named(metrics: Path) -> None:
    section = compared(metrics, document(a=1, b=2), document(b=2, c=3))
    assert "Systems added:\n\n- c\\*\n" in section
    assert "Systems removed:\n\n- a\\*\n" in section
    assert "No system's BLEU" in section and not rows(section)


def test_what_moved_stands_before_and_after_with_the_largest_change_first(metrics: Path) -> None:
    section = compared(metrics, document(a=10, b=20, c=30), document(a=11, b=17.5, c=30.004))
    assert [row[:2] for row in rows(section)] == [["b\\*", "20.00 → 17.50"], ["a\\*", "10.00 → 11.00"]]
    assert "2 of 3" in section
    assert "7.00 →" not in section


def test_another_measure_than_bleu_is_a_move_too(metrics: Path) -> None:
    new = document(a=10)
    new["systems"]["a"]["mean"] |= {"aer": 12.5, "rot": None}
    [row] = rows(compared(metrics, document(a=10), new))
    assert row[1] == "10.00" and row[4:] == ["– → 12.50", "1.00 → –"]


def test_a_measure_that_is_new_in_the_report_has_not_moved(metrics: Path) -> None:
    old = document(a=10)
    del old["systems"]["a"]["mean"]["ter"]
    assert not rows(compared(metrics, old, document(a=10)))


def test_the_cost_of_a_training_is_no_change_of_a_result(metrics: Path) -> None:
    new = document(a=10)
    new["systems"]["a"]["mean"]["wall_seconds"] = 10.0
    assert "No system's BLEU" in compared(metrics, document(a=10), new)


def test_what_does_not_fit_is_counted(metrics: Path) -> None:
    names = [f"s{k:02}" for k in range(MOST + 3)]
    old = document({name: 1 for name in names}, **dict.fromkeys(names, 10.0))
    new = document({name: 2 for name in names}, **dict.fromkeys(names, 11.0))
    section = compared(metrics, old, new)
    assert [row[0] for row in rows(section)] == [f"{name}\\*" for name in names[:MOST]]
    assert section.count("… and 3 more") == 2


def test_settings_that_differ_are_named_by_their_path(metrics: Path) -> None:
    old = {"training": {"lr": 0.1, "gone": 1}, "versions": {"torch": "2.11"}, "same": [1], "long": "x"}
    new = {"training": {"lr": 0.2, "new": None}, "versions": {"torch": "2.13"}, "same": [1], "long": "a|b" * 40}
    section = compared(metrics, document(old, a=1), document(new, a=1))
    listed = section.split("differ:\n\n")[1].splitlines()
    assert listed[:4] == [
        "- recipe.training.lr: 0.1 → 0.2",
        "- recipe.training.gone: 1 → –",
        '- recipe.versions.torch: "2.11" → "2.13"',
        listed[3],
    ]
    assert listed[3].startswith('- recipe.long: "x" → "a\\|ba') and listed[3].endswith("…") and len(listed[3]) < 120
    assert listed[4] == "- recipe.training.new: – → null"


@pytest.mark.parametrize(
    "old",
    [
        [],
        {"systems": []},
        {"systems": {"a": {}}},
        {"systems": {"a": {"title": "a", "mean": 3}}},
        {"systems": {"a": {"title": "a", "mean": {"bleu": "3"}}}},
    ],
)
def test_a_report_of_another_form_is_no_error(metrics: Path, old: Any) -> None:
    assert "another form" in compared(metrics, old, document(a=1))


def test_without_an_earlier_report_the_section_says_so(metrics: Path) -> None:
    write(metrics, document(a=1))
    assert "no earlier metrics.json" in metrics_diff(metrics)


def test_without_git_the_section_says_so(metrics: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(metrics, document(a=1))
    monkeypatch.setenv("PATH", "")
    assert "there is no git" in metrics_diff(metrics)


def test_without_a_report_there_is_one_clear_error(metrics: Path) -> None:
    with pytest.raises(InputError, match=r"metrics.json: no such file"):
        metrics_diff(metrics)


def test_the_command_prints_and_leaves_the_report_as_it_is(
    metrics: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    section = compared(metrics, document(a=1), document(a=2))
    monkeypatch.chdir(metrics.parents[2])
    main(["--study", "demo"])
    assert capsys.readouterr().out.startswith(section)
    assert [path.name for path in metrics.parent.iterdir()] == ["metrics.json"]
