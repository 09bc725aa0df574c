"""What DVC and the stages complain about reaches the user: one sentence, DVC's own words, status 1, no traceback."""

import errno
import os
import subprocess

import pytest

from stages.files.errors import InputError
from stages.pipeline.execute import Local
from stages.pipeline.jobs import Job
from stages.pipeline.steps import Step
from tests.stages.pipeline.toy import STUDY, Toy


@pytest.fixture(scope="module")
def toy(tmp_path_factory) -> Toy:
    toy = Toy(tmp_path_factory.mktemp("toy"))
    assert toy.run().returncode == 0
    return toy


def error_of(toy: Toy) -> str:
    answer = toy.run()
    assert answer.returncode == 1 and "Traceback" not in answer.stdout
    return answer.stdout.partition("error: ")[2]


@pytest.mark.dvc
@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("dvc.lock", "", "'./dvc.lock' validation failed: required key not provided"),
        ("dvc.yaml", "stages: [", "'dvc.yaml', YAML file structure is corrupted"),
        (".dvc/config", "[core", "config file error"),
    ],
)
def test_files_that_dvc_cannot_read(toy, name, text, words):
    before = toy.text(name)
    toy.write(**{name: text} if text else {})
    if not text:
        (toy.folder / name).write_text("")
    try:
        error = error_of(toy)
    finally:
        (toy.folder / name).write_text(before)
    assert error.startswith("DVC cannot read its files: ") and words in error and error.count("\n") == 1


@pytest.mark.dvc
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("echo oops >&2; exit 3", ["oops", "exited with 3"]),
        ("kill -9 $$", ["exited with -9 (SIGKILL, perhaps for want of memory)"]),
        ("kill -SEGV $$", ["exited with -11 (SIGSEGV)"]),
        ("true", ["output 'corpus' does not exist"]),
    ],
    ids=["status", "killed", "segmentation fault", "no output"],
)
def test_stages_that_fail(tmp_path, command, words):
    toy = Toy(tmp_path, STUDY | {"corpus": STUDY["corpus"] | {"cmd": command}})
    error = error_of(toy)
    assert error.startswith("corpus failed; the end of work/logs/corpus.log:\n")
    assert all(word in error for word in words)
    assert "\n  | ERROR: failed to reproduce 'corpus': " in error
    assert "\nnot begun because of that: train@a-1, train@b-1, train@c-1, report\n" in error


@pytest.mark.dvc
def test_a_missing_dependency(toy):
    (toy.folder / "source").rename(toy.folder / "gone")
    try:
        error = error_of(toy)
    finally:
        (toy.folder / "gone").rename(toy.folder / "source")
    assert f"No such file or directory: '{toy.folder}/source'" in error


@pytest.mark.dvc
def test_a_cache_that_is_none(toy):
    """A file where DVC has its folder."""
    cache, aside = toy.folder / ".dvc" / "cache", toy.folder / "aside"
    cache.rename(aside)
    cache.touch()
    toy.write(**{"a.sh": "echo another"})
    try:
        error = error_of(toy)
    finally:
        cache.unlink()
        aside.rename(cache)
    assert error.startswith("DVC cannot use its cache: ") and "Not a directory" in error


@pytest.mark.dvc
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a file system of its own")
def test_a_full_disk_below_dvc(tmp_path):
    toy = Toy(tmp_path)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", tmp_path / ".dvc"], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        (tmp_path / ".dvc" / "config").write_text("[core]\n    no_scm = True\n    analytics = false\n")
        (tmp_path / ".dvc" / "fill").write_bytes(b"x" * 1_000_000)
        error = error_of(toy)
        assert "No space left on device" in error or "disk is full" in error or "disk I/O error" in error
    finally:
        subprocess.run(["umount", "-l", tmp_path / ".dvc"], check=True)


@pytest.mark.dvc
def test_damaged_databases_of_dvc_are_begun_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("DVC_SITE_CACHE_DIR", str(tmp_path / "site"))  # nobody else's are there
    (tmp_path / "study").mkdir()
    toy = Toy(tmp_path / "study")
    assert toy.run().returncode == 0
    databases = list((tmp_path / "site").rglob("*.db"))
    assert databases
    for path in databases:
        path.write_bytes(b"not a database" * 100)
    answer = toy.run()
    assert answer.returncode == 0 and "DVC's database of files was damaged" in answer.stdout
    assert "nothing to do" in answer.stdout and "Traceback" not in answer.stdout


def test_a_machine_that_starts_no_process_is_not_taken_for_a_log_that_cannot_be_written(tmp_path, monkeypatch):
    def refuse(*arguments, **options):
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))

    monkeypatch.setattr(subprocess, "Popen", refuse)
    (tmp_path / "file").touch()
    places = {"logs": r"^no process can be started \(Cannot allocate memory\); end others", "file": "cannot be written"}
    for place, message in places.items():
        with pytest.raises(InputError, match=message):
            Local(1, tmp_path / place, 0).start(Job(("corpus",)), [Step("corpus", [], [], {})], {})
