"""The names in params.yaml that become parts of paths and commands. Imports little: every stage asks."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from stages.files.main import RUN

PARAMS = Path("params.yaml")
NAME, STUDY_NAME = r"^[a-z][a-z0-9_]{0,63}$", r"^[a-z][a-z0-9_-]{0,63}$"
RESERVED = {
    "provenance", "released", "metrics", "manifest", "logs", "checked", "export", "cluster", "downloads", "ci",
    "bench", "bench-smoke", "gpu-pack", "gpu-smoke", "gpu-wheels", "toolkits", "remotes-1", "triton-3",
}  # fmt: skip
"""Folders beside the reports or the corpora."""
SEEDS = 2**32
LONGEST = 100  # characters of a value in a message

DIRECTION, SEGMENTATION = r"^(forward|reverse)$", r"^(bpe|words)$"
WORDS = {"study": STUDY_NAME, "corpus": STUDY_NAME, "direction": DIRECTION, "segmentation": SEGMENTATION}
LISTS = {
    "systems": NAME, "also_reverse": NAME, "read_outs": NAME, "smt": NAME, "training_sizes": STUDY_NAME,
    "released_smt": NAME,
}  # fmt: skip
WORK = "work"


def wrong_names(params: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for everything of the chosen study that DVC puts into paths and commands and that is no name."""
    yield from wrong_words({key: params.get(key) for key in WORDS})
    if params.get("run") != (run := folder_of(params)):
        yield f"run: {shown(params.get('run'))} is not the folder of this study; write {run}"
    for key, pattern in LISTS.items():
        values = params.get(key)
        if not isinstance(values, list) or not all(_fits(value, pattern) for value in values):
            yield f"{key}: {shown(values)} is no list of names; write names that match {pattern}"
    for key in ("fine_tuned", "decoded"):
        pairs = params.get(key)
        if not isinstance(pairs, dict) or not all(_fits(name, NAME) for pair in pairs.items() for name in pair):
            yield f"{key}: {shown(pairs)} is no mapping of names to names; write names that match {NAME}"
    released = params.get("released")
    if not isinstance(released, dict) or not all(map(_released, released.items())):
        yield f"released: {shown(released)} is no mapping of names to names or null; write names that match {NAME}"
    seeds = params.get("seeds")
    if not isinstance(seeds, list) or not all(type(seed) is int and 0 <= seed < SEEDS for seed in seeds):
        yield f"seeds: {shown(seeds)} is no list of whole numbers from 0 to {SEEDS - 1}"


def wrong_words(words: Mapping[str, Any]) -> Iterator[str]:
    """The same for the names of a study, a corpus, a direction, a segmentation; ``words`` has any of them."""
    for key, word in words.items():
        if not _fits(word, WORDS[key]) or word in RESERVED:
            yield f"{key}: {shown(word)} is no name; write one that matches {WORDS[key]}"


def folder_of(study: Mapping[str, Any]) -> str:
    """The folder of a study's systems, as its key ``run`` names it."""
    return f"{WORK}/{study.get('corpus')}/{study.get('direction')}-{study.get('segmentation')}"


def item_of(study: Mapping[str, Any]) -> str:
    """The same as stages have it in their names, after ``@``."""
    return "-".join(study[key] for key in RUN)


def shown(value: Any) -> str:
    """A value as a message shows it: on one line, and not the whole of a long one."""
    text = "null" if value is None else repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def repeated(names: Iterable[Any]) -> str:
    """Those that stand there more than once, sorted, for a message; empty if none does."""
    return ", ".join(sorted(str(name) for name, times in Counter(names).items() if times > 1))


def _fits(value: Any, pattern: str) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _released(pair: tuple[Any, Any]) -> bool:
    name, base = pair
    return _fits(name, NAME) and (base is None or _fits(base, NAME))
