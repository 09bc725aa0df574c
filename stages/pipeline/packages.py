"""The packages that compute results, in the versions that are installed here: stages depend on them as on our code.

Those of trainings are left out: torch is another one on every machine, the lock has two versions of NumPy, and another
version of what else a training imports is no reason to train everything again.
"""

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from stages.files.run_directory import WORK
from stages.files.text import write_lines

IMPORTED = {
    "HanTa": "hanta",
    "jieba": "jieba",
    "sacrebleu": "sacrebleu",
    "sacremoses": "sacremoses",
    "subword_nmt": "subword-nmt",
}
"""Name in an import statement -> package."""

CALLED = {Path("stages/alignment/eflomal.py"): "eflomal", Path("stages/alignment/thot.py"): "sil-thot"}
"""The module of ours that starts or loads a package without such a statement -> the package."""

CHECKED = WORK / "checked"
"""Of the stage `check`. The stage `manifest` reads it, and so runs again when a version has changed."""
LINE = "with these packages: "


def installed(files: Iterable[Path], imported: Iterable[str]) -> list[str]:
    """Lines ``package==version`` of what these modules of ours call or import. A package that a machine lacks counts as
    well: its results are others."""
    names = {IMPORTED[name] for name in imported if name in IMPORTED} | {CALLED[one] for one in files if one in CALLED}
    return [f"{name}=={_version(name)}" for name in sorted(names)]


def line() -> str:
    """What `work/checked` says of all of them."""
    return LINE + " ".join(installed(CALLED, IMPORTED))


def note() -> None:
    """Have `work/checked`, if it is there, name the versions as they are now: DVC does not see what is installed."""
    if CHECKED.exists():
        lines = CHECKED.read_text(encoding="utf-8").splitlines()
        now = [*(one for one in lines if not one.startswith(LINE)), line()]
        if now != lines:
            write_lines(CHECKED, now)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"
