"""An environment for a toolkit, in which torch is the study's own."""

import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "work" / "toolkits"


class ToolkitError(Exception):
    """A toolkit cannot be installed or run; says why."""


def environment(name: str, requirements: Sequence[str], folder: Path = FOLDER) -> Path:
    """The Python of ``folder/<name>``, made first if need be: what is missing beside the study's packages, or has to be
    of another version, is installed from PyPI.

    Raises:
        ToolkitError: pip cannot.
    """
    home = folder / name
    python, stamp = home / "bin" / "python", home / "installed"
    wanted = "\n".join(requirements)
    if stamp.exists() and stamp.read_text() == wanted:
        return python
    run([sys.executable, "-m", "venv", "--clear", str(home)], f"{name}: no environment")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = home / "lib" / version / "site-packages"
    (packages / "study.pth").write_text(sysconfig.get_paths()["purelib"])
    run(
        [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements], f"{name}: pip failed"
    )
    stamp.write_text(wanted)
    return python


def run(command: Sequence[str], what: str, cwd: Path | None = None, seconds: float | None = None) -> str:
    """What a command prints on either stream, errors last.

    Raises:
        ToolkitError: it fails or takes longer; ``what``, and the last line of what it printed.
    """
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise ToolkitError(f"{what}: longer than {seconds:.0f} s") from None
    except OSError as error:
        raise ToolkitError(f"{what}: {error}") from None
    if done.returncode:
        lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise ToolkitError(f"{what}: {lines[-1].strip() if lines else f'exit status {done.returncode}'}")
    return done.stdout + done.stderr
