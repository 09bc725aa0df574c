"""dvc.lock of the chosen study alone; those of the others lie beside the params of their reports.

DVC reads and writes the whole of dvc.lock at every stage: with all studies in one, most of its time went there.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dvc.utils.serialize import ParseError, parse_yaml

from stages.files.atomic import new_file
from stages.files.errors import InputError
from stages.files.main import RUN
from stages.files.run_directory import REPORTS
from stages.files.strict_yaml import read_yaml
from stages.pipeline.dvc import Entries
from stages.pipeline.lock_text import EMPTY, entries, whole
from stages.settings.names import folder_of, item_of, wrong_words

LOCK, PIPELINE = Path("dvc.lock"), Path("dvc.yaml")
ANCHOR = re.compile(r"[ -][&*]id[0-9]+$", re.MULTILINE)
PROVENANCE = REPORTS / "provenance"


def settle(content: Mapping[str, Any]) -> None:
    """Have dvc.lock hold the entries of the study that this content of params.yaml chooses, and put those of others
    away: whether the study was chosen by `STUDY=` or by hand, and whatever DVC has made since.

    Raises:
        InputError: a file of entries cannot be read; nothing is written then.
    """
    chosen, below = content.get("study"), content.get("studies")
    studies = _whole({**(below if isinstance(below, dict) else {}), str(chosen): content})
    if not isinstance(chosen, str) or chosen not in studies:
        return  # settings that are about to be refused
    there, own = _read(LOCK), PROVENANCE / chosen / LOCK.name
    kept = _read(own)
    others = [name for name in studies if name != chosen and f"check@{name}" in there]
    if not others and not kept:
        return
    definitions = read_yaml(PIPELINE)["stages"]
    owners = {name: owned_by(name, text, definitions, studies) for name, text in (kept | there).items()}
    paths = {study: PROVENANCE / study / LOCK.name for study in others}
    before = {study: _read(path) for study, path in paths.items()}
    for study, path in paths.items():
        _write(path, before[study] | {name: text for name, text in there.items() if study in owners[name]})
    mine = {name: text for name, text in there.items() if chosen in owners[name] or not owners[name]}
    entries_of_it = kept | mine  # what two studies share was made last by the one that was chosen until now
    _write(LOCK, {name: text for name, text in entries_of_it.items() if owners[name] or not _known(name, definitions)})
    own.unlink(missing_ok=True)


def _known(name: str, definitions: Mapping[str, Any]) -> bool:
    """Whether the entry has the name of a stage of some study; one that no study has is of an older name of it."""
    return "matrix" in (definitions.get(name.partition("@")[0]) or {})


def owned_by(name: str, text: str, definitions: Mapping[str, Any], studies: Mapping[str, Any]) -> set[str]:
    """The studies that an entry of dvc.lock belongs to; one of a corpus, or of a folder of systems, to all on it.

    definitions: the stages of dvc.yaml. studies: name -> its block.
    """
    group, _, item = name.partition("@")
    definition = definitions.get(group)
    matrix = definition.get("matrix", {}) if isinstance(definition, dict) else {}
    if "study" in matrix:
        fitting = [study for study in studies if item == study or item.startswith(f"{study}-")]
        return set(sorted(fitting, key=len)[-1:])
    if "direction" in matrix:
        folders = {study: item_of(block) for study, block in studies.items()}
        return {study for study, folder in folders.items() if item == folder or item.startswith(f"{folder}-")}
    if "corpus" in matrix:
        return {study for study, block in studies.items() if block["corpus"] == item}
    return {study for study, block in studies.items() if f"{folder_of(block)}/" in text}


def _whole(studies: Mapping[Any, Any]) -> dict[str, Any]:
    """Those that say where they write; what is no name becomes no path here."""
    return {
        name: block
        for name, block in studies.items()
        if isinstance(block, dict) and not any(wrong_words({"study": name} | {key: block.get(key) for key in RUN}))
    }


def _read(path: Path) -> dict[str, str]:
    """Entries that stand by themselves: plain DVC numbers anchors through a file, and two of a name are no YAML."""
    text = path.read_text(encoding="utf-8") if path.exists() else EMPTY
    texts = entries(text)
    parsed = Entries(texts, str(path))
    if not texts and text != EMPTY:
        parsed.update(_stages(text, path))
    for name in [name for name, text in texts.items() if ANCHOR.search(text)]:
        parsed[name] = parsed[name]
    return texts


def _stages(text: str, path: Path) -> Mapping[str, Any]:
    """What a file says that DVC can read, but does not write like this: someone has put a comment there."""
    try:
        content = parse_yaml(text, str(path))
        if {*content} == {"schema", "stages"} and all(isinstance(one, dict) for one in content["stages"].values()):
            return content["stages"]
    except (ParseError, TypeError, AttributeError):
        pass
    raise InputError(
        f"{path} is no lock file of DVC's (are marks of a conflict in it?); mend it, or `git checkout HEAD {path}` "
        "brings back the committed one, and run again"
    )


def _write(path: Path, texts: Mapping[str, str]) -> None:
    text = whole(texts)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        with new_file(path) as handle:
            handle.write(text)
