"""The set-up script, against machines on which something is missing. No network: it stops before pip is called."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT as REPOSITORY

VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
TOOLS = ("cksum", "date", "dirname", "grep", "mv", "rm", "sed", "sh", "sleep", "uname")


def interpreter(include: str, version: str = VERSION, has_venv: bool = True, pip_works: bool = True) -> str:
    """A shell script that answers the set-up's questions as the Python of another machine would.

    The environments that it makes hold a copy of it, and the options of the call in the file `call`.
    """
    return f"""#!/bin/sh
case $2 in
*version_info*) echo {version} ;;
*"import ensurepip"*) exit {0 if has_venv else 1} ;;
*include*) echo "{include}" ;;
*CXX*) echo "g++ -pthread" ;;
*fcntl*) exec {sys.executable} "$@" ;;
venv) for folder; do :; done; mkdir -p "$folder/bin"; cp "$0" "$folder/bin/python"; echo "$@" >"$folder/call" ;;
pip) exit {0 if pip_works else 1} ;;
esac
"""


@pytest.fixture
def begin(tmp_path: Path):
    """Begins the script in a folder with a space in its name; `commands`: name -> script that the machine has."""

    def start(commands: dict[str, str], environment: dict[str, str]) -> subprocess.Popen[str]:
        folder = tmp_path / "a clone"
        (folder / ".ci").mkdir(parents=True, exist_ok=True)
        for name in (".ci/setup", "requirements.lock", "pyproject.toml"):
            if not (folder / name).exists():  # a shell may be reading it
                shutil.copy(REPOSITORY / name, folder / name)
        path = Path(tempfile.mkdtemp(dir=tmp_path))  # its own, for another one may be at work
        for tool in {*TOOLS, "cat", "cp", "mkdir"} - commands.keys():
            (path / tool).symlink_to(shutil.which(tool))
        for name, script in commands.items():
            (path / name).write_text(script)
            (path / name).chmod(0o755)
        return subprocess.Popen(
            [folder / ".ci/setup"],
            env={"PATH": str(path), **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    return start


@pytest.fixture
def machine(begin):
    """Runs the script as `begin` does, to its end."""

    def run(commands: dict[str, str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        process = begin(commands, environment)
        out, err = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    return run


@pytest.fixture
def headers(tmp_path: Path) -> str:
    folder = tmp_path / "include"
    folder.mkdir()
    (folder / "Python.h").touch()
    return str(folder)


ANY = "#!/bin/sh\nexit 0\n"
BROKEN = "#!/bin/sh\nexit 127\n"
BUILD = dict.fromkeys(("g++", "cc", "make", "git"), ANY)

MISSING = {
    "no git": (("git",), {}, "git is missing; install it with: sudo apt install git"),
    "no compiler": (
        ("g++",),
        {},
        "a C++ compiler (g++), which builds fairseq, is missing; install it with: sudo apt install g++",
    ),
    "no C compiler": (
        ("cc",),
        {},
        "a C compiler with OpenMP (cc), which builds eflomal, is missing; install it with: sudo apt install gcc",
    ),
    "another C compiler that is absent": ((), {"CC": "clang -O2"}, "a C compiler with OpenMP (clang), which builds"),
    "no make": (("make",), {}, "make, which builds eflomal, is missing; install it with: sudo apt install make"),
    "no Python": (("python3",), {}, "3.14 is needed (python3 does not run); the packages of this system have none"),
    "asked for one that is absent": ((), {"PYTHON": "python3.12"}, "(python3.12 does not run)"),
}


@pytest.mark.process
@pytest.mark.parametrize(("absent", "environment", "sentence"), MISSING.values(), ids=MISSING)
def test_a_missing_command_is_named_with_its_package(machine, headers, absent, environment, sentence):
    commands = {"python3": interpreter(headers), **BUILD}
    done = machine({name: script for name, script in commands.items() if name not in absent}, environment)
    assert_stopped(done, sentence)


PYTHONS = {
    "too old": (dict(version="3.10"), "(python3 is 3.10)"),
    "too new": (dict(version="3.15"), "(python3 is 3.15)"),
    "no headers": (
        dict(include="/nowhere"),
        f"headers of Python {VERSION} are missing; install it with: sudo apt install python{VERSION}-dev",
    ),
    "no venv": (
        dict(has_venv=False),
        f"venv module of Python {VERSION} is missing; install it with: sudo apt install python{VERSION}-venv",
    ),
}


@pytest.mark.process
@pytest.mark.parametrize(("python", "sentence"), PYTHONS.values(), ids=PYTHONS)
def test_a_python_that_does_not_do_is_named_with_its_package(machine, headers, python, sentence):
    done = machine({"python3": interpreter(**{"include": headers, **python}), **BUILD}, {})
    assert_stopped(done, sentence)


@pytest.mark.process
@pytest.mark.parametrize("there", ["3.12", "3.14"])
def test_the_packages_that_are_named_are_those_that_the_release_has(machine, headers, there):
    has = f"#!/bin/sh\n[ $2 = python{there}-dev ]\n"
    done = machine({"python3": interpreter(headers, "3.15"), "apt-cache": has, **BUILD}, {})
    assert_stopped(done, f"sudo apt install python{there} python{there}-venv python{there}-dev")


def refusing(words: str) -> str:
    return f'#!/bin/sh\necho "{words}" >&2\nexit 128\n'


@pytest.mark.process
def test_a_download_without_a_repository_is_told_so_before_anything_is_installed(machine, headers):
    words = "fatal: not a git repository (or any of the parent directories): .git"
    commands = {"python3": interpreter(headers), **BUILD, "git": refusing(words)}
    assert_stopped(machine(commands, {}), f"a clone git says: {words}; if it is a download, not a clone, call")


@pytest.mark.process
def test_a_repository_that_git_refuses_is_told_in_gits_words(machine, headers, tmp_path):
    """As in a container, where a checkout has another owner."""
    (tmp_path / "a clone/.git").mkdir(parents=True)
    words = "fatal: detected dubious ownership in repository at '/a clone'"
    remedy = "git config --global --add safe.directory '/a clone'"
    done = machine({"python3": interpreter(headers), **BUILD, "git": refusing(f"{words}\n{remedy}")}, {})
    assert done.returncode == 1 and f"{words}\n{remedy}\n" in done.stderr and "git init" not in done.stderr


@pytest.mark.process
def test_pythons_of_today_are_taken(machine, headers):
    done = machine({"python3": interpreter(headers, "3.14"), **BUILD}, {})
    assert "creating .venv with Python 3.14 (python3)" in done.stdout and done.returncode == 0


@pytest.mark.process
def test_options_of_pip_may_stand_before_torch(machine, headers, tmp_path):
    chosen = "-i file:///wheels torch==2.13.0"
    noting = interpreter(headers).replace("pip) exit", f'pip) echo "$@" >>"{tmp_path}/pip"; exit')
    assert machine({"python3": noting, **BUILD}, {"TORCH": chosen}).returncode == 0
    assert f"--no-compile --quiet {chosen}\n" in (tmp_path / "pip").read_text()


@pytest.mark.process
def test_no_long_silence(machine, headers):
    """A pip that says nothing for two of the clock's ticks, which are short here."""
    slow = interpreter(headers).replace("pip) exit 0", "pip) /bin/sleep 0.5; exit 0")
    tick = "#!/bin/sh\nexec /bin/sleep 0.1\n"
    done = machine({"python3": slow, "sleep": tick, **BUILD}, {})
    assert done.returncode == 0 and done.stdout.count("set-up: installing packages: ") >= 2


@pytest.mark.process
def test_a_clone_keeps_every_byte_whatever_git_is_told_about_line_ends(tmp_path):
    (tmp_path / "a").mkdir()
    shutil.copy(REPOSITORY / ".gitattributes", tmp_path / "a")
    (tmp_path / "a/script").write_bytes(b"#!/bin/sh\n")
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        subprocess.run(["git", *command], cwd=tmp_path / "a", check=True)
    subprocess.run(["git", "clone", "-q", "-c", "core.autocrlf=true", "a", "b"], cwd=tmp_path, check=True)
    assert (tmp_path / "b/script").read_bytes() == b"#!/bin/sh\n"


def assert_stopped(done: subprocess.CompletedProcess[str], sentence: str) -> None:
    assert done.returncode == 1
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


@pytest.mark.process
def test_unfit_interpreters_are_passed_over(machine, headers):
    """pip fails here, so the set-up ends after it has chosen an interpreter and made the environment."""
    commands = {
        "python3": BROKEN,
        "python3.13": interpreter(headers, "3.9"),
        "python3.12": interpreter(headers, "3.12", pip_works=False),
        **BUILD,
    }
    done = machine(commands, {})
    assert "creating .venv with Python 3.12 (python3.12)" in done.stdout
    assert done.returncode == 1
    assert "pip could not install torch==2.13.0" in done.stderr


@pytest.mark.process
def test_an_unfinished_environment_is_made_anew_and_a_finished_one_left_alone(machine, headers, tmp_path):
    working = interpreter(headers)
    commands = {"python3": working, **BUILD}
    leftover = tmp_path / "a clone/.venv/leftover"
    leftover.parent.mkdir(parents=True)
    leftover.touch()

    first = machine(commands, {})
    assert (first.returncode, first.stderr) == (0, "")
    assert "creating .venv" in first.stdout
    assert not leftover.exists()

    leftover.touch()
    second = machine(commands, {})
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    assert leftover.exists()

    (tmp_path / "a clone/.venv/setup.stamp").unlink()
    machine(commands, {})
    assert not leftover.exists()


@pytest.mark.process
def test_another_torch_or_another_python_makes_another_environment(machine, headers):
    def working(version: str) -> str:
        return interpreter(headers, version)

    commands = {"python3": working("3.12"), "python3.13": working("3.13"), **BUILD}
    machine(commands, {})
    again = machine(commands, {"TORCH": "torch==2.11.0"})
    assert "installing torch==2.11.0" in again.stdout
    assert machine(commands, {}).stdout == "", "without TORCH, the one that is installed stays"
    other = machine(commands, {"PYTHON": "python3.13"})
    assert "creating .venv with Python 3.13 (python3.13)" in other.stdout
    assert "installing torch==2.11.0" in other.stdout


def until_pip(process: subprocess.Popen[str]) -> None:
    """Wait until it installs torch."""
    assert process.stdout is not None
    assert any("installing torch" in line for line in process.stdout)


@pytest.mark.process
def test_a_second_set_up_touches_nothing_while_one_is_at_work(begin, machine, headers, tmp_path):
    wait = f'n=0; while [ -e "{tmp_path}/wait" ] && [ $((n += 1)) -lt 200 ]; do /bin/sleep 0.1; done'
    commands = {"python3": interpreter(headers).replace("pip) ", f"pip) {wait}; "), **BUILD}
    (tmp_path / "wait").touch()
    first = begin(commands, {})
    until_pip(first)
    begun = tmp_path / "a clone/.venv/begun"
    begun.touch()
    second = machine(commands, {})
    (tmp_path / "wait").unlink()
    assert_stopped(second, f"another set-up is at work in {tmp_path}/a clone (process {first.pid} on ")
    assert (first.communicate()[1], first.returncode) == ("", 0)
    assert begun.exists()
    assert machine(commands, {}).stdout == "", "it is finished, and lets go of the lock"


@pytest.mark.process
@pytest.mark.parametrize("there", ["finished", "unfinished"])
def test_what_was_there_comes_back_when_torch_is_not_to_be_had(machine, headers, tmp_path, there):
    commands = {"python3": interpreter(headers).replace("pip) ", 'pip) [ "${7:-}" != torch==9 ] || exit 1; '), **BUILD}
    machine(commands, {})
    kept = tmp_path / "a clone/.venv/kept"
    kept.touch()
    if there == "unfinished":
        (tmp_path / "a clone/.venv/setup.stamp").unlink()
    done = machine(commands, {"TORCH": "torch==9"})
    assert done.returncode == 1 and "could not install torch==9 (see above); correct TORCH" in done.stderr
    assert done.stdout.endswith("set-up: .venv is the one of before again\n")
    assert kept.exists() and not (tmp_path / "a clone/.venv.old").exists()
    assert (machine(commands, {}).stdout == "") == (there == "finished")


@pytest.mark.process
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_what_was_there_comes_back_after_a_kill(begin, machine, headers, tmp_path, end):
    commands = {"python3": interpreter(headers), **BUILD}
    machine(commands, {})
    kept = tmp_path / "a clone/.venv/kept"
    kept.touch()
    slow = {**commands, "python3": interpreter(headers).replace("pip) ", "pip) /bin/sleep 60; ")}
    process = begin(slow, {"TORCH": "torch==2.11.0"})
    until_pip(process)
    assert not kept.exists()
    os.killpg(process.pid, end)
    process.communicate()
    assert kept.exists() == (end == signal.SIGINT)
    assert machine(commands, {"TORCH": "torch==2.13.0"}).returncode == 0
    assert kept.exists() and not (tmp_path / "a clone/.venv.old").exists()


@pytest.mark.process
def test_the_torch_of_the_machine_can_be_kept(machine, headers, tmp_path):
    done = machine({"python3": interpreter(headers), **BUILD}, {"TORCH": "system"})
    assert done.returncode == 0
    assert "installing torch" not in done.stdout
    assert "--system-site-packages" in (tmp_path / "a clone/.venv/call").read_text()


@pytest.mark.process
def test_a_changed_lock_is_installed_in_place(machine, headers, tmp_path):
    working = interpreter(headers)
    commands = {"python3": working, **BUILD}
    machine(commands, {})
    kept = tmp_path / "a clone/.venv/kept"
    kept.touch()
    stamp = tmp_path / "a clone/.venv/setup.stamp"
    stamp.write_text(stamp.read_text().replace("files ", "files 1"))
    done = machine(commands, {})
    assert done.returncode == 0
    assert "locked packages" in done.stdout
    assert "creating" not in done.stdout
    assert kept.exists()


@pytest.mark.process
def test_without_its_packages_a_changed_lock_costs_no_environment(machine, headers, tmp_path):
    commands = {"python3": interpreter(headers), **BUILD}
    machine(commands, {})
    kept = tmp_path / "a clone/.venv/kept"
    kept.touch()
    stamp = tmp_path / "a clone/.venv/setup.stamp"
    stamp.write_text(stamp.read_text().replace("files ", "files 1"))
    python = tmp_path / "a clone/.venv/bin/python"
    working = python.read_text()
    python.write_text(working.replace("pip) ", "pip) exit 1; "))
    offline = machine(commands, {})
    assert (offline.returncode, kept.exists()) == (1, True)
    python.write_text(working)
    done = machine(commands, {})
    assert done.returncode == 0 and kept.exists()
    assert "creating" not in done.stdout


def test_no_address_of_a_package_index_is_committed():
    for name in ("requirements.lock", "pyproject.toml", "Makefile", ".ci/setup", ".ci/run"):
        text = (REPOSITORY / name).read_text()
        assert "index-url" not in text.replace("--no-emit-index-url", "")
        assert "://" not in text


def test_every_locked_line_is_one_exact_version():
    for line in (REPOSITORY / "requirements.lock").read_text().splitlines():
        requirement = line.partition(";")[0].strip()
        name, equals, version = requirement.partition("==")
        assert name and equals and version and not set("<>~*, ") & set(version), line
        assert name not in ("torch", "torchaudio"), "torch depends on the machine's GPU and is installed by itself"


def test_the_scripts_may_be_run():
    for name in ("setup", "run"):
        assert os.access(REPOSITORY / ".ci" / name, os.X_OK)
