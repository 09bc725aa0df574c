"""A short training on the Hansards through the study's own stages, with what `auto` chooses for the device.

In one process and a folder of its own, from a params.yaml that is the committed one but for the sizes below. Its text
is made here, or was made elsewhere by `python -m benchmarks.gpu.queue prepare training` and carried here.
"""

import contextlib
import shutil
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.gpu.part import Asked, main, say, switched_off
from benchmarks.gpu.parts import ROOT
from benchmarks.gpu.prepared import FOLDER, call, fill, words_of
from stages import binarize, bpe, corpus, supervision, train
from stages.files.errors import InputError
from stages.files.records import read_json
from stages.files.run_directory import RunDirectory
from stages.files.strict_yaml import read_yaml
from stages.settings.params import PARAMS, read
from stages.settings.training import AUTO, WITHOUT_GPU

STUDY = "gpu"
CORPUS = "hansards-en-fr"
SYSTEMS = ("rnnsearch_star", "ba_nmt")
FULL: dict[str, dict[str, Any]] = {
    "corpus": {"limit": 40_000},
    "model": {"embed_dim": 512, "hidden_dim": 512},
    "training": {"max_epoch": 3, **dict.fromkeys(WITHOUT_GPU, AUTO)},
}
IN_SMOKE: dict[str, dict[str, Any]] = {
    "corpus": {"train": 60, "dev": 6, "test": 6, "gold": 6},
    "segmentation": {"merges": 60},
    "model": {"embed_dim": 8, "hidden_dim": 8},
    "training": {"max_epoch": 1, "cuda_graphs": AUTO},
}


def run(asked: Asked) -> None:
    name, systems = ("demo", SYSTEMS[:1]) if asked.smoke else (CORPUS, SYSTEMS)
    settings = params(name, systems, IN_SMOKE if asked.smoke else FULL)
    with tempfile.TemporaryDirectory(prefix="gpu-training-") as folder:
        try:
            _text(Path(folder), settings)
        except InputError as error:
            why = f"the text is not to be had: {error}"
            asked.write({"systems": [], "skipped": why, "failure": why})
            return
        with contextlib.chdir(folder):
            found: dict[str, Any] = {"corpus": name, "settings": settings["corpora"][name], "failure": None}
            found["systems"] = []
            for system in systems:
                found["systems"].append(train_one(settings, system))
                found["failure"] = switched_off(one.get("cuda_graphs_switched_off", "") for one in found["systems"])
                asked.write(found)


def _text(folder: Path, settings: dict[str, Any]) -> None:
    """A copy of what was prepared with these settings; where nothing was, made now."""
    there = FOLDER / "training"
    if settings["corpus"] != CORPUS or not there.exists():
        prepare(settings, folder)
    elif read_yaml(there / PARAMS) != settings:
        raise InputError(f"{there} was prepared with other settings; delete it, or prepare it again and carry it here")
    else:
        shutil.copytree(there, folder, symlinks=True, dirs_exist_ok=True)


def prepare(settings: dict[str, Any], folder: Path) -> None:
    """The stages between the text and the training; these systems learn from nothing beside the text."""
    fill(folder, settings, [corpus], [bpe, binarize, supervision])


def params(name: str, systems: tuple[str, ...], changes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The committed settings with a study of one corpus, changed section by section."""
    content = read(ROOT / "params.yaml")
    of = content["corpora"][name]
    changed = of | {section: of[section] | values for section, values in changes.items()}
    own = {"study": STUDY, "corpus": name, "run": f"work/{name}/forward-bpe", "systems": list(systems)}
    chosen = content["defaults"]["study"] | own
    there = {"sets": {}, "fine_tuned_sets": {}, "titles": {}, "studies": {STUDY: chosen}}
    return there | chosen | {"variants": content["variants"], "corpora": {name: changed}}


def train_one(settings: dict[str, Any], system: str) -> dict[str, Any]:
    """The record of a training, with dev BLEU after every epoch."""
    call(train.main, **words_of(settings), variant=system, seed=1)
    made = RunDirectory(Path(settings["run"])).model(system, 1)
    found = read_json(made / "training.json")
    curve = (made / "curve.csv").read_text(encoding="utf-8").splitlines()
    header, *epochs = (line.split(",") for line in curve)
    say(f"{system}: dev BLEU {found['best_dev_bleu']:.2f}")
    return found | {"curve": [dict(zip(header, map(float, row), strict=True)) for row in epochs]}


if __name__ == "__main__":
    main(run, __doc__)
