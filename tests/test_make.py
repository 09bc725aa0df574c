"""Which variables `make` takes on its command line, and what it hands on."""

import os
import subprocess

import pytest

from tests.helpers.paths import ROOT


@pytest.fixture
def make(tmp_path):
    """Runs make with a Python that prints its arguments."""
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text())
    for path, script in {".ci/setup": "#!/bin/sh\n", ".venv/bin/python": "#!/bin/sh\nprintf '<%s> ' \"$@\"\n"}.items():
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(script)
        (tmp_path / path).chmod(0o755)

    def run(*arguments, **inherited):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")} | inherited
        return subprocess.run(["make", *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True)

    return run


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "unknown", "known"),
    [
        (["repro", "STUDDY=x"], "STUDDY", "STUDY"),
        (["repro", "BEAM=4"], "BEAM", "SYSTEMS"),
        (["repro", "SYSTEM=ba_nmt"], "SYSTEM", "SYSTEMS"),
        (["status", "SYSTEMS=a b"], "SYSTEMS", "STUDY"),
        (["studies", "STUDY=x"], "STUDY", "PYTHON"),
        (["release", "SYSTEMS=a"], "SYSTEMS", "STUDY"),
    ],
)
def test_a_variable_that_no_target_reads_is_refused(make, arguments, unknown, known):
    done = make(*arguments)
    assert done.returncode == 2 and done.stdout == ""
    message, _, names = done.stderr.partition("; it knows ")
    assert f"`make {arguments[0]}` knows no {unknown}" in message and known in names.split()


@pytest.mark.process
@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["repro"], "<stages.pipeline> <--study> <> <--released> <> <--systems> <> "),
        (
            ["repro", "STUDY=x", "RELEASED=1", "SYSTEMS=a b", "JOBS=2", "ENGINE=slurm", "CORPUS_MIRROR=/corpora"],
            "<stages.pipeline> <--study> <x> <--released> <1> <--systems> <a b> <--jobs> <2> <--engine> <slurm> ",
        ),
        (["repro", "MPS=1"], "<stages.pipeline> <--study> <> <--released> <> <--systems> <> <--mps> <1> "),
        (["status", "STUDY=$$(touch made)"], "<stages.pipeline.status> <--study> <$(touch made)> <--released> <> "),
        (["release", "STUDY=x"], "<stages.pipeline.release> <--study> <x> "),
        (["release", "REPLACE=1"], "<stages.pipeline.release> <--study> <> <--replace> <1> "),
        (["export", "STUDY=x"], "<stages.pipeline.export> <--study> <x> "),
        (["gpu"], "<benchmarks.gpu> "),
        (["gpu", "PARTS=kernels *", "MPS=1"], "<benchmarks.gpu> <--parts> <kernels> <*> <--mps> <1> "),
        (["studies", "PYTHON=python3"], "<stages.pipeline.studies> "),
    ],
)
def test_what_is_asked_is_handed_on(make, arguments, printed):
    done = make(*arguments)
    assert (done.returncode, done.stderr, done.stdout) == (0, "", f"<-m> {printed}")


@pytest.mark.process
def test_what_an_environment_has_for_others_is_not_taken(make):
    done = make("release", "SEED=2", MODEL="gpt-4", SEED="7", JOBS="9", ENGINE="v8")
    assert (done.returncode, done.stdout) == (0, "<-m> <stages.pipeline.release> <--study> <> <--seed> <2> ")
    (line,) = done.stderr.splitlines()
    assert line.endswith("MODEL of the environment is not used; `make release MODEL=…` is")


@pytest.mark.process
def test_a_process_that_make_starts_does_not_see_it_either(make, tmp_path):
    (tmp_path / ".venv/bin/python").write_text("#!/bin/sh\nenv\n")
    printed = make("studies", MODEL="gpt-4", INPUT="x", CORPUS_MIRROR="/corpora", CXX="clang++").stdout.splitlines()
    assert {"CORPUS_MIRROR=/corpora", "CXX=clang++"} <= {*printed}
    assert not {"MODEL=gpt-4", "INPUT=x"} & {*printed}
