"""Building the kernels in C++, with compilers that are scripts."""

import multiprocessing
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from fairseq_plugins.kernels import native
from tests.helpers.damage import DAMAGES, truncate

OUTPUT = 'while [ "$1" != -o ]; do shift; done'  # $2 is then the file to write


@pytest.fixture
def folder(monkeypatch, tmp_path) -> Path:
    """Where libraries are kept; nothing is there yet."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.delenv(native.CHOICE, raising=False)
    return tmp_path / "attention_kernels"


@pytest.fixture
def compiler(monkeypatch, tmp_path):
    """Makes a script the compiler."""

    def made(*lines: str) -> Path:
        script = tmp_path / "compiler"
        script.write_text("\n".join(("#!/bin/sh", *lines, "")), encoding="utf-8")
        script.chmod(0o755)
        monkeypatch.setenv("CXX", str(script))
        return script

    return made


def kept(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.skipif(shutil.which(native.compiler()[0]) is None, reason="there is no compiler")
def test_the_source_compiles():
    """Else the tests of the kernels would be left out as where there is no compiler."""
    assert native.built().is_file()


@pytest.mark.process
def test_it_is_built_once(folder, compiler, tmp_path):
    compiler(f"echo built >> {tmp_path / 'log'}", OUTPUT, 'cat > "$2"')
    library = native.built()
    assert native.built() == library
    assert (tmp_path / "log").read_text().splitlines() == ["built"]
    assert kept(folder) == [library.name, "lock"]
    assert '#include "gated.cpp"' in library.read_text().splitlines()  # what the compiler was given


@pytest.mark.process
def test_of_two_processes_one_builds_and_the_other_waits(folder, compiler, tmp_path):
    compiler(f"echo built >> {tmp_path / 'log'}", "sleep 0.5", OUTPUT, 'echo whole > "$2"')
    fork = multiprocessing.get_context("fork")
    found = fork.Queue()
    both = [fork.Process(target=lambda: found.put(native.built().read_text())) for _ in range(2)]
    for process in both:
        process.start()
    assert [found.get(timeout=30) for _ in both] == ["whole\n"] * 2
    for process in both:
        process.join()
    assert (tmp_path / "log").read_text().splitlines() == ["built"]


@pytest.mark.process
def test_a_build_that_fails_says_why_and_leaves_nothing(folder, compiler):
    compiler(OUTPUT, 'echo half > "$2"', "echo note: 7 of 9 >&2", "echo gated.cpp:3: error: no torch >&2", "exit 1")
    with pytest.raises(native.BuildError, match=r"cannot be built: gated\.cpp:3: error: no torch$"):
        native.built()
    assert kept(folder) == ["lock"]


@pytest.mark.process
def test_a_library_that_cannot_be_loaded(folder, compiler, monkeypatch):
    compiler(OUTPUT, 'echo no library > "$2"')
    with pytest.warns(UserWarning, match=r"cannot be loaded: .*; remove .*\.so; going on with PyTorch's own"):
        assert native.operations.__wrapped__() is None
    monkeypatch.setenv(native.CHOICE, "native")
    with pytest.raises(native.BuildError, match="cannot be loaded"):
        native.operations.__wrapped__()


@pytest.mark.process
@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_library_is_built_anew(folder, compiler, capfd, kind):
    compiler(OUTPUT, 'cat > "$2"')
    library = native.built()
    whole = library.read_bytes()
    DAMAGES[kind](library)
    capfd.readouterr()
    assert native.built() == library and library.read_bytes() == whole
    assert (f"{library} is damaged: removed it\n" in capfd.readouterr().err) == (kind != "missing")
    assert kept(folder) == [library.name, "lock"]


@pytest.mark.process
def test_a_library_of_before_its_name_held_its_sum_is_not_loaded(folder, compiler):
    compiler(OUTPUT, 'cat > "$2"')
    folder.mkdir()
    (folder / f"{native._identity()}.so").write_text("who knows")
    assert "gated.cpp" in native.built().read_text()


@pytest.mark.process
def test_a_damaged_library_where_nothing_can_be_built(folder, compiler):
    compiler(OUTPUT, 'cat > "$2"')
    truncate(native.built())
    compiler("exit 1")
    with pytest.warns(UserWarning, match="cannot be built"):
        assert native.operations.__wrapped__() is None


@pytest.mark.process
@pytest.mark.skipif(shutil.which(native.compiler()[0]) is None, reason="there is no compiler")
def test_half_a_real_library_does_not_end_the_process(tmp_path):
    """Loading it would: SIGBUS."""
    half = tmp_path / "attention_kernels" / native.built().name
    half.parent.mkdir()
    shutil.copy(native.built(), half)
    truncate(half)
    code = (
        f"import sys, torch; sys.prefix = {str(tmp_path)!r}\n"
        "from fairseq_plugins.kernels import native\n"
        "print(native.operations())"
    )
    environment = os.environ | {"CXX": "no-compiler"}
    answer = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (answer.returncode, answer.stdout) == (0, "None\n") and "is damaged: removed it" in answer.stderr


def test_a_folder_that_cannot_be_written(folder):
    folder.write_text("a file in its place", encoding="utf-8")
    with pytest.raises(native.BuildError, match=f"cannot be kept in {folder}"):
        native.built()


@pytest.mark.parametrize(
    ("name", "value"),
    [("FLAGS", ("-O0",)), ("_processor", lambda: "flags: another"), ("_files", list)],
    ids=["flags", "processor", "source"],
)
def test_another_library_for_another(monkeypatch, name, value):
    before = native._identity()
    assert native._identity() == before
    monkeypatch.setattr(native, name, value)
    assert native._identity() != before


def test_another_library_for_another_torch(monkeypatch):
    before = native._identity()
    monkeypatch.setattr(torch, "__version__", "0.0")
    assert native._identity() != before


def test_another_library_for_one_changed_letter(monkeypatch, tmp_path):
    for file in native._files():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    before = native._identity()
    monkeypatch.setattr(native, "SOURCES", tmp_path)
    assert native._identity() == before
    (tmp_path / "math.h").write_bytes((tmp_path / "math.h").read_bytes() + b" ")
    assert native._identity() != before


@pytest.mark.process
@pytest.mark.parametrize("choice", ["eager", "native"])
def test_the_choice(folder, compiler, monkeypatch, choice):
    """Nothing is built for ``eager``; ``native`` does not go on without."""
    compiler("exit 1")
    monkeypatch.setenv(native.CHOICE, choice)
    if choice == "eager":
        assert native.operations.__wrapped__() is None
        assert not folder.exists()
    else:
        with pytest.raises(native.BuildError):
            native.operations.__wrapped__()


def test_a_wish_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv(native.CHOICE, "fast")
    with pytest.raises(ValueError, match="eager or native"):
        native.operations.__wrapped__()


@pytest.mark.process
def test_without_a_compiler_it_goes_on_more_slowly(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("CXX", str(tmp_path / "no-compiler"))
    with pytest.warns(UserWarning, match="install g\\+\\+"):
        assert native.operations.__wrapped__() is None
    monkeypatch.setenv(native.CHOICE, "native")
    with pytest.raises(native.BuildError):
        native.operations.__wrapped__()
    assert kept(folder) == ["lock"]
