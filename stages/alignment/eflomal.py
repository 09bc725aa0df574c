"""eflomal (Östling & Tiedemann 2016, "Efficient Word Alignment with Markov Chain Monte Carlo") as a program.

Its licence is the GPL, so nothing of it is imported: it is started with files of ours, and its files are read.

Forward means that every target word chooses at most one source word, p(target | source); reverse that every source word
chooses at most one target word. Both are written source word first.

eflomal samples, and it has no option for a seed: it reads eight bytes of /dev/urandom. So a copy of the program runs in
which that path is the file `seed` beside it. Each direction has one thread, for the order in which eflomal's threads
draw their seeds is not fixed. It is compiled for the machine's own processor: the same text and settings give the same
links on one kind of processor, not on every one.
"""

import math
import os
import random
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from stages.files.errors import InputError
from stages.settings.alignment import AlignmentSettings
from stages.text.languages import lower_case

NAME = "eflomal"
PROGRAM = "eflomal/bin/eflomal"  # in the installed package
SEED_PATH = b"\0/dev/urandom\0"
MAX_WORDS = 1023
HEADER = 42  # characters: two numbers, known only when the text has been written
REBUILD = (
    "build it anew on this machine: "
    f".venv/bin/python -m pip install --no-deps --no-cache-dir --force-reinstall -c requirements.lock {NAME}"
)


class Alignment(NamedTuple):
    """Files with a line of links for every sentence pair, and how they came about."""

    forward: Path
    reverse: Path
    pairs: int
    iterations: tuple[int, ...]


def version() -> str:
    """Raises InputError if eflomal is not installed."""
    return _distribution().version


def align(
    pairs: Iterable[tuple[str, str]], languages: tuple[str, str], settings: AlignmentSettings, folder: Path
) -> Alignment:
    """Align the words of `pairs` of sentences of these `languages`, lower-cased, in `folder`.

    A pair with more than 1,023 words on a side has no links, as in eflomal's own front end.

    Raises:
        InputError: there is no eflomal, or it does not run on this machine, or it ended before its end.
    """
    program = _seeded_copy(settings.seed, folder)
    count = _write_texts(pairs, languages, (folder / "source", folder / "target"))
    iterations = settings.iterations or default_iterations(settings.model, count)
    options = ["-q", "-m", settings.model, "-n", settings.samplers, "-N", settings.null_prior]
    options += [part for model, number in enumerate(iterations, 1) for part in (f"-{model}", number)]
    command = [str(program.resolve()), "-s", "source", "-t", "target", *map(str, options)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(_run, ([*command, "-f", "forward"], [*command, "-r", "reverse"]), (folder, folder)))
    done = Alignment(folder / "forward", folder / "reverse", count, tuple(iterations))
    for path in (done.forward, done.reverse):
        with open(path, "rb") as handle:
            lines = sum(1 for _ in handle)
        if lines != count:
            raise InputError(f"{NAME} wrote {lines} lines of {count}; free some space on the disk and run again")
    return done


def default_iterations(model: int, pairs: int) -> tuple[int, ...]:
    """eflomal's own rule, for each model up to `model`."""
    last = max(2, round(5000 / math.sqrt(pairs)))
    quarter = max(1, last // 4)
    return ((last,), (max(2, quarter), last), (max(2, quarter), quarter, last))[model - 1]


def _distribution() -> metadata.Distribution:
    try:
        return metadata.distribution(NAME)
    except metadata.PackageNotFoundError:
        raise InputError(f"the word aligner {NAME} is not installed; run `make setup`") from None


def _seeded_copy(seed: int, folder: Path) -> Path:
    """The program in `folder`, reading its random state from the file `seed` there."""
    original = Path(str(_distribution().locate_file(PROGRAM)))
    try:
        code = original.read_bytes()
    except OSError as error:
        raise InputError(f"the word aligner {original} cannot be read ({error.strerror}); {REBUILD}") from None
    if code.count(SEED_PATH) != 1:
        raise InputError(f"{original} takes its seed in a way that is not known here; {REBUILD}")
    copy = folder / NAME
    copy.write_bytes(code.replace(SEED_PATH, b"\0seed".ljust(len(SEED_PATH), b"\0")))
    copy.chmod(0o755)
    (folder / "seed").write_bytes(random.Random(seed).randbytes(8))
    return copy


def _write_texts(pairs: Iterable[tuple[str, str]], languages: tuple[str, str], paths: tuple[Path, Path]) -> int:
    """Both sides in eflomal's form: `sentences words`, then a line `length id id …` a sentence; -> sentences."""
    vocabularies: tuple[dict[str, int], ...] = ({}, {})
    cases = [lower_case(language) for language in languages]
    count = 0
    with ExitStack() as stack:
        handles = [stack.enter_context(open(path, "w", encoding="ascii")) for path in paths]
        for handle in handles:
            handle.write(" " * HEADER + "\n")
        for count, pair in enumerate(pairs, 1):  # noqa: B007  the last one is the number of sentences
            for handle, ids, lower, sentence in zip(handles, vocabularies, cases, pair, strict=True):
                words = [ids.setdefault(word, len(ids)) for word in lower(sentence).split(" ")]
                print(*([len(words), *words] if len(words) <= MAX_WORDS else [0]), file=handle)
        for handle, ids in zip(handles, vocabularies, strict=True):
            handle.seek(0)
            handle.write(f"{count} {len(ids)}")
    return count


def _run(command: list[str], folder: Path) -> None:
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    except OSError as error:
        raise InputError(f"{NAME} cannot be started ({error.strerror}); {REBUILD}") from None
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()[-1:] or ["it says nothing"]
        raise InputError(f"{NAME} ended with status {done.returncode} ({said[0]}); {REBUILD}")
