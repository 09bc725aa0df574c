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

    def run(*arguments, stdin=None, **inherited):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")} | inherited
        return subprocess.run(
            ["make", *arguments], cwd=tmp_path, env=environment, input=stdin, capture_output=True, text=True
        )

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
        (
            ["attack"],
            "<pytest> <-q> <-n> <0> <tests/attack> <-m> <tests.attack.fuzz> <--seconds> <30> "
            "<-m> <tests.attack.kills> <--kills> <200> ",
        ),
        (
            ["attack", "KILLS=5", "FUZZ=2", "SEED=7"],
            "<pytest> <-q> <-n> <0> <tests/attack> <-m> <tests.attack.fuzz> <--seconds> <2> <--seed> <7> "
            "<-m> <tests.attack.kills> <--kills> <5> <--seed> <7> ",
        ),
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


TRANSLATED = {
    "SYSTEM": "$(touch made) `touch made`; touch made",
    "MODEL": "a ~/file",
    "STUDY": "a b",
    "SEED": "3",
    "INPUT": "in put'\"",
    "FORM": "json",
    "SCORES": "1",
    "NBEST": "2",
    "MAP": "a.png",
    "TOKENISED": "0",
    "LONGEST": "9",
    "WINDOW": "8",
}


@pytest.mark.process
def test_values_and_text_to_translate_are_handed_on_and_no_shell_reads_them(make, tmp_path):
    """Nor does the set-up; a reader that has enough is no error."""
    (tmp_path / ".ci/setup").write_text("#!/bin/sh\ncat\necho set-up")
    (tmp_path / ".venv/bin/python").write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\ncat\nexit 141")
    given = [f"{name}={value}".replace("$", "$$") for name, value in TRANSLATED.items()]
    done = make("translate", *given, stdin="text\n")
    assert (done.returncode, done.stderr) == (0, "set-up\n")
    printed = done.stdout.splitlines()
    assert printed[:2] == ["-m", "stages.translator"] and printed[-1] == "text"
    options = dict(zip(printed[2:-1:2], printed[3:-1:2], strict=True))
    assert options == {f"--{name.lower()}": value for name, value in TRANSLATED.items()}
    assert not (tmp_path / "made").exists()
