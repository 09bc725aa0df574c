"""A new report takes the place of the last one as a whole, or not at all."""

import errno
from pathlib import Path

import pytest

from stages.files.errors import OutputError
from stages.reporting.outputs import CACHED, IN_GIT, OUTPUTS, new_outputs

FOLDERS = {"tables", "figures", "latex", "vector"}
OTHERS = {".gitignore": b"/index.html\n", "training_sizes/less.md": b"# Sizes\n"}
"""What stands in the folder of a report and is no output of its stage."""


def write(folder: Path, text: str) -> None:
    """Every output, in `folder`."""
    for name in OUTPUTS:
        path = folder / name / "inside/file" if name in FOLDERS else folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text} {name}")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


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


@pytest.mark.parametrize("there", [True, False], ids=["a report", "none"])
@pytest.mark.parametrize("move", range(2 * len(OUTPUTS)))
def test_an_error_while_they_move_leaves_the_last_report(
    out: Path, move: int, there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each output moves away and its successor moves in; of a first report there is nothing to move away."""
    if not there:
        out = out.with_name("first")
        out.mkdir()
        move //= 2
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
