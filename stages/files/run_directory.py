"""Where the stages of a study leave what belongs to its systems: the layout that dvc.yaml writes."""

from dataclasses import dataclass
from pathlib import Path

STATISTICAL = ("smt",)
"""The systems that are no neural network: they have no seed, and one run stands for those of all seeds."""
LEFT_OUT = "left_out.json"
"""In the place of all other files of a system that this machine cannot run: says why."""


def lexicon_of(direction: str) -> str:
    """The file of the wordalign stage with the translations of each source word of that direction."""
    return f"lexicon.{'source-target' if direction == 'forward' else 'target-source'}.tsv"


@dataclass(frozen=True)
class RunDirectory:
    """``work/<corpus>/<direction>-<segmentation>``."""

    path: Path

    @property
    def direction_and_segmentation(self) -> tuple[str, str]:
        direction, segmentation = self.path.name.split("-", 1)
        return direction, segmentation

    @property
    def tokens(self) -> Path:
        """Of the bpe stage."""
        return self.path / "bpe"

    @property
    def data(self) -> Path:
        """Of the binarize stage: dictionaries and binary data."""
        return self.path / "bin"

    def model(self, variant: str, seed: int, reverse: bool = False) -> Path:
        """Of the stages that train."""
        return self.path / "models" / variant / (f"{seed}-reverse" if reverse else str(seed))

    def translations(self, variant: str, seed: int, reverse: bool = False) -> Path:
        """Of the stages that evaluate, and of `smt`."""
        return self.path / "translations" / (f"{variant}-{seed}-reverse" if reverse else _run(variant, seed))

    def scores(self, variant: str, seed: int) -> Path:
        """Of the stages that score."""
        return self.path / "scores" / _run(variant, seed)


def _run(variant: str, seed: int) -> str:
    return variant if variant in STATISTICAL else f"{variant}-{seed}"
