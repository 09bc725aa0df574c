"""fairseq's own commands of `python -m fairseq_plugins`, forked, and a binarised corpus to try them on."""

import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from fairseq_plugins.__main__ import main
from tests.helpers.forked import forked

SENTENCES = 24
TRAIN = "--optimizer adam --lr 0.01 --max-tokens 200 --no-epoch-checkpoints --eval-bleu --best-checkpoint-metric bleu"
RIGHT_PAD = "--left-pad-source"  # in fairseq 0.12.2 the flag turns left padding off

command = partial(forked, main)


def finished(*arguments: str, stdin: str = "", run: Callable[..., subprocess.CompletedProcess[str]] = command) -> str:
    """The output of a command that must end well and without a warning."""
    done = run(*arguments, stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A binarised corpus in which the target is the source in capitals."""
    folder = tmp_path_factory.mktemp("data")
    words = ["a", "b", "c", "d", "e", "f"]
    lines = [" ".join(words[(k + i) % 6] for i in range(2 + k % 4)) for k in range(SENTENCES)]
    for part in ("train", "valid", "test"):
        (folder / f"{part}.src").write_text("\n".join(lines) + "\n")
        (folder / f"{part}.tgt").write_text("\n".join(lines).upper() + "\n")
    prefixes = [word for part in ("train", "valid", "test") for word in (f"--{part}pref", str(folder / part))]
    finished("preprocess", "-s", "src", "-t", "tgt", *prefixes, "--destdir", str(folder / "bin"))
    return folder / "bin"
