"""What the stages of a study read of it: its corpus, its direction, its folders.

Reads little of params.yaml and imports little: training depends on it.
"""

from argparse import Namespace
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.errors import InputError
from stages.files.main import RUN
from stages.files.run_directory import REPORTS, WORK, CorpusDirectory, RunDirectory
from stages.settings.languages import Direction, Segmentation, languages
from stages.settings.names import PARAMS, folder_of, wrong_names, wrong_words
from stages.settings.params import Section, StudyName, find, read, validate


class StudyRun(NamedTuple):
    """Of one study or several. folders: where its stages read and write; content: all of params.yaml."""

    corpus: str
    direction: Direction
    segmentation: Segmentation
    folders: RunDirectory
    content: dict[str, Any]

    def languages(self, reverse: bool = False) -> tuple[str, str]:
        """(source, target) of what is trained; the other way round for ``reverse``."""
        return languages(self.corpus, self.direction, reverse, self.content)

    def section(self, name: str, kind: type[Section]) -> Section:
        """The section ``corpora.<corpus>.<name>`` as an object of ``kind``, see `stages.settings.params.section`."""
        of = f"corpora.{self.corpus}.{name}"
        return validate(find(self.content, of), kind, of)


def run_of(command: Namespace) -> StudyRun:
    """Of the corpus, the direction and the segmentation that a stage's command names, see `stages.files.main.RUN`.

    The command names no study: two on the same text have a stage in common, and what one has made serves the other.

    Raises:
        InputError: one of them is none, or a name of the chosen study, so that its paths cannot be trusted.
    """
    words, content = {name: getattr(command, name) for name in RUN}, read()
    if wrong := list(wrong_names(content)) or list(wrong_words(words)):
        raise InputError(f"{PARAMS}: " + "; ".join(wrong))
    return StudyRun(**words, folders=RunDirectory(Path(folder_of(words))), content=content)


def study_run(study: str) -> StudyRun:
    """Of the study of this name: the one at the top level of params.yaml, or a block of `studies`.

    Raises:
        InputError: there is no such study, or one of its names is none, so that its paths cannot be trusted.
    """
    content = read()
    block = content if content.get("study") == study else find(content, f"studies.{study}")
    if wrong := list(wrong_names(block)):
        raise InputError(f"{PARAMS}: " + "; ".join(wrong))
    return StudyRun(**{name: block[name] for name in RUN}, folders=RunDirectory(Path(block["run"])), content=content)


def corpus_directory(corpus: str) -> CorpusDirectory:
    """Of this corpus. Raises InputError: it is no name."""
    return CorpusDirectory(WORK / validate(corpus, StudyName, "corpus"))


def study_report(study: str) -> Path:
    """The folder of a study's report. Raises InputError: it is no name."""
    return REPORTS / validate(study, StudyName, "study")
