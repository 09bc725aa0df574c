"""The items of the queue, and the settings under which one is trained."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import Field, model_validator

from benchmarks.gpu.parts import PARTS, ROOT
from benchmarks.gpu.training import IN_SMOKE
from stages.files.atomic import new_file
from stages.files.errors import InputError
from stages.files.strict_yaml import read_yaml
from stages.releasing.results_file import results_path
from stages.releasing.training import Training
from stages.settings.params import PARAMS, Name, Seed, Settings, StudyName, read, validate
from stages.settings.systems import StudySystems

LIST = Path(__file__).with_name("items.yaml")
SMOKE = "smoke"


class Item(Settings):
    """One of items.yaml, which says what each key means."""

    why: str
    parts: list[str] = Field(default_factory=list)
    study: StudyName | None = None
    systems: list[Name] = Field(default_factory=list)
    seeds: list[Seed] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if bool(self.parts) == bool(self.study):
            raise ValueError("write either parts or study")
        if odd := set(self.parts) - {part.name for part in PARTS}:
            raise ValueError(f"there is no part {', '.join(sorted(odd))}")
        return self


def items(smoke: bool) -> dict[str, Item]:
    """By name, in order; of the smoke form one, of systems that are trained in seconds."""
    if smoke:
        systems = ["rnnsearch_star", "rnnsearch_star_continued"]
        return {SMOKE: Item(why="whether it runs", study="demo", systems=systems, seeds=[1, 2])}
    content = read_yaml(LIST)
    return {name: validate(item, Item, name, LIST) for name, item in content.items()}


def settings(item: Item, smoke: bool) -> dict[str, Any]:
    """params.yaml with the item's study chosen, its systems alone, and its seeds behind those of the study."""
    content = read(ROOT / PARAMS)
    study = content["studies"][item.study]
    chosen = item.systems or [*study["systems"], *study["fine_tuned"]]
    if unknown := [name for name in chosen if name not in study["systems"] and name not in study["fine_tuned"]]:
        raise InputError(f"{LIST}: study {item.study} does not train {', '.join(unknown)}")
    fine_tuned = {name: base for name, base in study["fine_tuned"].items() if name in chosen}
    own = {
        "systems": [name for name in study["systems"] if name in chosen or name in fine_tuned.values()],
        "fine_tuned": fine_tuned, "seeds": [*dict.fromkeys([*study["seeds"], *item.seeds])],
        "also_reverse": [], "decoded": {}, "smt": [], "training_sizes": [],
    }  # fmt: skip
    corpus = content["corpora"][study["corpus"]]
    changes: dict[str, dict[str, Any]] = IN_SMOKE if smoke else {}
    corpus = corpus | {section: corpus[section] | values for section, values in changes.items()}
    if not smoke:
        corpus["training"] = corpus["training"] | {"cuda_graphs": True}  # by which no result changes but for rounding
    there: dict[str, Any] = {"sets": {}, "fine_tuned_sets": {}, "titles": {}, "studies": {}, "recipes": {}}
    kept = {name: content[name] for name in ("defaults", "variants")}
    return kept | there | study | own | {"corpora": {study["corpus"]: corpus}}


def set_graphs(wanted: bool) -> None:
    """In the params.yaml of an item's folder, which is the working directory."""
    content = read()
    for corpus in content["corpora"].values():
        corpus["training"]["cuda_graphs"] = wanted
    with new_file(PARAMS) as handle:
        yaml.safe_dump(content, handle, sort_keys=False)
    if not wanted:
        print("the tests of CUDA graphs fail: trainings go without", flush=True)


def trainings(item: Item, study: StudySystems) -> Iterator[Training]:
    """Of the item, seed by seed: a system that is fine-tuned after its base."""
    for seed in item.seeds or study.seeds:
        yield from (Training(name, seed) for name in study.trained if name in (item.systems or study.trained))


def archive(study: StudySystems, training: Training) -> Path:
    """Where its results lie, from the root of the project or of the item's folder."""
    return results_path(study.corpus, study.direction, study.segmentation, *training)
