"""A new report takes the place of the last one as a whole, or not at all."""

import errno
import os
import signal
from pathlib import Path

import pytest
import yaml

from stages.files.errors import OutputError
from stages.reporting import outputs
from stages.reporting.outputs import CACHED, IN_GIT, OUTPUTS, new_outputs
from tests.helpers.paths import ROOT
from tests.helpers.report_study import contents

FOLDERS = {"tables", "figures", "latex", "vector"}
OTHERS = {".gitignore": b"/index.html\n", "training_sizes/less.md": b"# Sizes\n"}
"""What stands in the folder of a report and is no output of its stage."""


def write(folder: Path, text: str) -> None:
    """Every output, in `folder`."""
    for name in OUTPUTS:
        path = folder / name / "inside/file" if name in FOLDERS else folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text} {name}")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A report."""
    out = tmp_path / "reports/demo"
    write(out, "last")
    for name, content in OTHERS.items():
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_bytes(content)
    return out


def test_every_output_has_one_keeper() -> None:
    assert not set(IN_GIT) & set(CACHED)
    assert len(set(OUTPUTS)) == len(OUTPUTS)


def test_a_new_report_takes_the_place_of_the_last_and_leaves_the_rest(out: Path) -> None:
    (out / "tables/removed.md").write_text("of a system that is gone")
    with new_outputs(out) as folder:
        write(folder, "new")
        assert contents(out)["metrics.json"] == b"last metrics.json"
    assert contents(out).items() >= OTHERS.items()
    made = {name: text for name, text in contents(out).items() if name not in OTHERS}
    assert {text.split()[0] for text in made.values()} == {b"new"} and len(made) == len(OUTPUTS)
    assert [path.name for path in out.parent.iterdir()] == ["demo"]


def test_the_first_report_needs_no_folder(tmp_path: Path) -> None:
    with new_outputs(tmp_path / "reports/demo") as folder:
        write(folder, "new")
    assert {path.name for path in (tmp_path / "reports/demo").iterdir()} == set(OUTPUTS)


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_an_error_in_the_middle_leaves_the_last_report(out: Path, error: type[BaseException]) -> None:
    last = contents(out)
    with pytest.raises(error), new_outputs(out) as folder:
        write(folder, "new")
        raise error
    assert contents(out) == last
    assert [path.name for path in out.parent.iterdir()] == ["demo"]


@pytest.mark.parametrize(
    ("there", "move"),
    [(True, move) for move in range(2 * len(OUTPUTS))] + [(False, move) for move in range(len(OUTPUTS))],
)
def test_an_error_while_they_move_leaves_the_last_report(
    out: Path, there: bool, move: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each output moves away and its successor moves in; of a first report there is nothing to move away."""
    if not there:
        out = out.with_name("first")
        out.mkdir()
    last, moved, rename = contents(out), [], Path.rename

    def fail_once(path: Path, to: Path) -> Path:
        moved.append(path)
        if len(moved) == move + 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", fail_once)
    with pytest.raises(OutputError, match=f"{out}: no space left"), new_outputs(out) as folder:
        write(folder, "new")
    assert contents(out) == last
    assert not [path for path in out.parent.iterdir() if path.name.startswith(".")]


def test_a_run_that_was_killed_while_they_moved_is_undone_by_the_next(out: Path) -> None:
    """Even if that one fails too: what the killed run had moved away comes back."""
    report, last = contents(out), out.with_name(".demo.last")
    last.mkdir()
    for name in OUTPUTS[:3]:
        (out / name).rename(last / name)
        (out / name).write_text("of the killed run")
    with pytest.raises(RuntimeError), new_outputs(out):
        raise RuntimeError
    assert contents(out) == report
    assert [path.name for path in out.parent.iterdir()] == ["demo"]


@pytest.mark.parametrize("odd", ["index.html", "more.md"], ids=["missing", "unknown"])
def test_a_report_of_other_outputs_is_refused(out: Path, odd: str) -> None:
    last = contents(out)
    with pytest.raises(ValueError, match=odd), new_outputs(out) as folder:
        write(folder, "new")
        if odd in OUTPUTS:
            (folder / odd).unlink()
        else:
            (folder / odd).touch()
    assert contents(out) == last


MOMENTS = 2 * len(OUTPUTS) + 6
"""More than there are renames and removals."""


@pytest.mark.process
@pytest.mark.parametrize("moment", range(MOMENTS))
def test_after_a_kill_at_any_moment_and_a_failure_a_whole_report_is_there(out: Path, moment: int) -> None:
    """All of the last one or all of the new one, never some of each."""
    before = contents(out)
    child = os.fork()
    if child == 0:
        _write_and_die(out, moment)
    status = os.waitpid(child, 0)[1]
    with pytest.raises(RuntimeError), new_outputs(out):
        raise RuntimeError
    report = {name: text for name, text in contents(out).items() if name not in OTHERS}
    assert len(report) == len(OUTPUTS) and len({text.split()[0] for text in report.values()}) == 1
    assert [path.name for path in out.parent.iterdir()] == ["demo"]
    assert contents(out).items() >= OTHERS.items()
    if moment == 0:
        assert os.WTERMSIG(status) == signal.SIGKILL and contents(out) == before
    if moment == MOMENTS - 1:
        assert os.WIFEXITED(status) and contents(out) != before


def _write_and_die(out: Path, moment: int) -> None:
    """A new report in this process, which gets SIGKILL after so many renames and, of removals, in the midst."""
    left = [moment]

    def die_in_time() -> None:
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1

    rename, remove = Path.rename, outputs.remove

    def renamed(path: Path, to: Path) -> Path:
        die_in_time()
        return rename(path, to)

    def removed(path: Path) -> None:
        if path.is_dir() and not left[0]:
            for one in sorted(path.iterdir())[:3]:
                remove(one)
        if path.exists():
            die_in_time()
        remove(path)

    try:
        Path.rename, outputs.remove = renamed, removed
        with new_outputs(out) as folder:
            write(folder, "new")
    finally:
        os._exit(0)


def test_what_stands_below_reports_is_replaced_by_stages_themselves() -> None:
    """DVC deletes the other outputs before a stage begins."""
    stages = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
    flags = {
        path: options
        for stage in stages.values()
        for out in (stage.get("do") or stage).get("outs", [])
        for path, options in (out.items() if isinstance(out, dict) else [(out, {})])
        if path.startswith("reports/")
    }
    assert len(flags) == len(OUTPUTS) + 1 and all(one.get("persist") for one in flags.values())
