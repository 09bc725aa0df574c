"""Where the stages leave what they make: the layout whose paths dvc.yaml writes, in one place.

work/manifest                                code that each stage runs
work/<corpus>/corpus wordalign thotalign tags
work/<corpus>/<direction>-<segmentation>/    of a study's systems, see `RunDirectory`
reports/<study>
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

WORK, REPORTS = Path("work"), Path("reports")
GIVEN_METRICS = REPORTS / "metrics"
MANIFEST = WORK / "manifest"
STATISTICAL = ("smt",)
"""The systems that are no neural network: they have no seed, and one run stands for those of all seeds."""
LEFT_OUT = "left_out.json"
"""In the place of all other files of a system that this machine cannot run: says why."""
SMT_RECORD, SMT_LINKS = "smt.json", "gold.links"
"""Of the stage `smt`, beside its translations: how the system came about, and its links of the gold pairs."""


def lexicon_of(direction: str) -> str:
    """The file of the wordalign stage with the translations of each source word of that direction."""
    return f"lexicon.{'source-target' if direction == 'forward' else 'target-source'}.tsv"


@dataclass(frozen=True)
class CorpusDirectory:
    """``work/<corpus>``: what does not depend on direction and segmentation."""

    path: Path

    @property
    def text(self) -> Path:
        """Of the corpus stage."""
        return self.path / "corpus"

    @property
    def wordalign(self) -> Path:
        return self.path / "wordalign"

    @property
    def thotalign(self) -> Path:
        return self.path / "thotalign"

    @property
    def tags(self) -> Path:
        return self.path / "tags"


@dataclass(frozen=True)
class RunDirectory:
    """``work/<corpus>/<direction>-<segmentation>``."""

    path: Path

    @property
    def of_corpus(self) -> CorpusDirectory:
        return CorpusDirectory(self.path.parent)

    @property
    def direction_and_segmentation(self) -> tuple[Literal["forward", "reverse"], str]:
        direction, segmentation = self.path.name.split("-", 1)
        return "forward" if direction == "forward" else "reverse", segmentation

    @property
    def tokens(self) -> Path:
        """Of the bpe stage."""
        return self.path / "bpe"

    @property
    def data(self) -> Path:
        """Of the binarize stage: dictionaries and binary data."""
        return self.path / "bin"

    @property
    def data_reverse(self) -> Path:
        """The same for the reverse direction."""
        return self.path / "bin-reverse"

    @property
    def candidates(self) -> Path:
        return self.path / "candidates.tsv"

    @property
    def supervision(self) -> Path:
        """Has a folder for each system."""
        return self.path / "supervision"

    def initial(self, variant: str) -> Path:
        """Of the initialise stage: has a folder for each seed."""
        return self.path / "initial" / variant

    def scratch(self, reverse: bool = False) -> Path:
        """Of trainings under way."""
        return self.path / ("scratch-reverse" if reverse else "scratch")

    def model(self, variant: str, seed: int, reverse: bool = False) -> Path:
        """Of the stages that train."""
        return self.path / "models" / variant / (f"{seed}-reverse" if reverse else str(seed))

    def translations(self, variant: str, seed: int, reverse: bool = False) -> Path:
        """Of the stages that evaluate, and of `smt`."""
        return self.path / "translations" / (f"{variant}-{seed}-reverse" if reverse else _run(variant, seed))

    def scores(self, variant: str, seed: int) -> Path:
        """Of the stages that score."""
        return self.path / "scores" / _run(variant, seed)

    def read_outs(self, variant: str) -> Path:
        """Of the stage `read_outs`: has a file for each seed."""
        return self.path / "scores" / "read_outs" / variant


def _run(variant: str, seed: int) -> str:
    return variant if variant in STATISTICAL else f"{variant}-{seed}"
