"""A trained system as one file, `<variant>-<seed>.model.tar.xz`: all that it takes to translate with it.

about.json        what it is, how it searches and is scored, what trained it, and the sha256 of each other file
stats.json        of the corpus stage: how text is tokenised, its quotation marks and letter case
codes, codes.de   merges of the source language, if it is cut by them; with a vocabulary threshold words.tsv too
dict.de.txt, …    both dictionaries
lexicon.….tsv     the best translation of each source word, if unknown words are replaced by it
model.pt          weights in half precision, see `stages.releasing.half_precision`
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from stages.files.errors import InputError
from stages.releasing.archive import Kind, opened, write_archive
from stages.releasing.results_file import ABOUT, RELEASED
from stages.settings.corpora import Language
from stages.settings.languages import Direction, Segmentation
from stages.settings.params import Name, Seed, StudyName, validate
from stages.settings.scoring import ScoreSettings
from stages.settings.titles import Title
from stages.settings.training import Decoding

FORMAT = 1
SUFFIX = ".model.tar.xz"
MODEL, COUNTS = "model.pt", "words.tsv"
SUM = Field(pattern=r"^[0-9a-f]{64}$")
KIND = Kind("a model", "get it again, or have `make release MODEL=…` write it anew", 2**31)


class AboutModel(BaseModel):
    """What about.json says that translating needs; the rest says where the model comes from.

    threshold: the vocabulary threshold of its sub-words. files: name -> sha256.
    """

    model_config = ConfigDict(extra="allow", frozen=True)
    format: Literal[1]
    variant: Name
    title: Title
    seed: Seed
    study: StudyName
    corpus: StudyName
    direction: Direction
    segmentation: Segmentation
    languages: tuple[Language, Language]
    threshold: Annotated[int, Field(ge=0)]
    decoding: Decoding
    score: ScoreSettings
    files: dict[str, Annotated[str, SUM]]


class ModelPath(NamedTuple):
    """What the place of a file says of it."""

    corpus: str
    direction_and_segmentation: str
    variant: str
    seed: int
    path: Path


def model_path(corpus: str, direction: str, segmentation: str, variant: str, seed: int) -> Path:
    """Where the model of a training lies, from the root of the project: beside its results."""
    return RELEASED / corpus / f"{direction}-{segmentation}" / f"{variant}-{seed}{SUFFIX}"


def shipped() -> Iterator[ModelPath]:
    """The models that lie where `model_path` says, in the order of their paths."""
    for path in sorted(RELEASED.glob(f"*/*/*-*{SUFFIX}")):
        variant, _, seed = path.name.removesuffix(SUFFIX).rpartition("-")
        if seed.isdecimal():
            yield ModelPath(path.parts[-3], path.parts[-2], variant, int(seed), path)


def write_model(path: Path, about: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
    """Write what `AboutModel` names but `format` and `files`, with whatever else is said of it, and the files.

    Raises:
        OutputError: the disk is full or the folder is not writable; what stood at `path` is as it was.
    """
    about = _whole(about, files)
    validate(about, AboutModel, ABOUT, path)
    write_archive(path, {ABOUT: (json.dumps(about, ensure_ascii=False, indent=2) + "\n").encode(), **files})


def holds(path: Path, about: Mapping[str, Any], files: Mapping[str, bytes]) -> bool:
    """Whether `write_model` would write what is there already, whatever its commit."""
    try:
        with opened(path, KIND) as members:
            before = _content(path, next(members, ("", b"")))
            return before | {"commit": about["commit"]} == _whole(about, files) and dict(members) == files
    except InputError:  # missing or damaged
        return False


def unpack(path: Path, folder: Path) -> AboutModel:
    """Write the files to a folder that is there; every sum has been checked before. What the file says of itself.

    Raises:
        InputError: it is missing, damaged, of another format or no model, or a file in it has not the sum that it was
            written with.
    """
    with opened(path, KIND) as members:
        about = _about(path, next(members, ("", b"")))
        files = dict(members)
    if wrong := [name for name in {**about.files, **files} if about.files.get(name) != _sum(files.get(name, b""))]:
        raise InputError(f"{path}: {', '.join(wrong)} has another sha256 sum than it was written with; {KIND.remedy}")
    for name, data in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    return about


def _whole(about: Mapping[str, Any], files: Mapping[str, bytes]) -> dict[str, Any]:
    whole = {"format": FORMAT, **about, "files": {name: _sum(data) for name, data in files.items()}}
    return json.loads(json.dumps(whole))  # as it is read again


def _about(path: Path, member: tuple[str, bytes]) -> AboutModel:
    content = _content(path, member)
    if "format" not in content:
        raise InputError(f"{path} holds the results of a training, not a model; a model's file ends in {SUFFIX}")
    if content["format"] != FORMAT:
        raise InputError(
            f"{path} is of format {content['format']}, and this version of the project reads {FORMAT}; update the "
            f"project, or get a file of format {FORMAT}"
        )
    return validate(content, AboutModel, ABOUT, path)


def _content(path: Path, member: tuple[str, bytes]) -> dict[str, Any]:
    name, data = member
    try:
        content = json.loads(data) if name == ABOUT else None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise InputError(f"{path} is no model: it does not begin with {ABOUT}; name a file that `make release` wrote")
    return content


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
