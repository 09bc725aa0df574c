"""A study of a moment, in a checkout of its own: every stage of the pipeline once, for real."""

import copy
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, BinaryIO

import yaml

from tests.attack import outputs
from tests.helpers import committed
from tests.helpers.paths import ROOT
from tests.helpers.signals import hear_signals

STUDY, ROW, TUNED = "demo", "rnnsearch_star", "rnnsearch_star_continued"
SENTENCES = {"train": 150, "dev": 10, "test": 12, "gold": 12}
COMMAND = [sys.executable, "-m", "stages.pipeline", "--jobs", "2"]


def params() -> dict[str, Any]:
    """The committed params.yaml with one system, one that is fine-tuned from it, and so little text that all stages
    take seconds. Whatever the moment of a kill, something has been saved: a training saves after every update."""
    content = committed.params()
    small = copy.deepcopy(content["corpora"][content["corpus"]])
    small["corpus"] |= SENTENCES
    small["segmentation"] |= {"merges": 60}
    small["model"] |= {"embed_dim": 8, "hidden_dim": 8}
    small["training"] |= {"max_epoch": 3, "max_tokens": 300, "warmup_updates": 4, "threads": 1, "save_seconds": 1e-6}
    small["decoding"] |= {"beam": 2}
    small["smt"]["tuning"] |= {"rounds": 1, "nbest": 5, "restarts": 1, "directions": 1}
    small["compare"] |= {"rivals": [], "resamples": 99}
    chosen = {
        "study": STUDY, "systems": [ROW], "fine_tuned": {TUNED: ROW}, "also_reverse": [ROW], "read_outs": [],
        "decoded": {}, "smt": ["smt"], "training_sizes": [], "released": {}, "released_smt": [], "seeds": [1],
    }  # fmt: skip
    variants = {name: content["variants"][name] for name in (ROW, TUNED)}
    variants = {name: {key: of[key] for key in of if key != "by_corpus"} for name, of in variants.items()}
    there = {"defaults": content["defaults"], "recipes": {}, "sets": {}, "fine_tuned_sets": {}, "titles": {}}
    there |= {"corpora": {content["corpus"]: small}}
    return content | chosen | there | {"variants": variants, "studies": {STUDY: _of_study(content) | chosen}}


def _of_study(content: dict[str, Any]) -> dict[str, Any]:
    return {key: content[key] for key in ("corpus", "run", "direction", "segmentation")}


class Checkout:
    """A checkout of its own, with the code of this one copied and another params.yaml."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()

    def make(self, settings: dict[str, Any]) -> None:
        """Lay the folder, which must not exist. settings: what params.yaml says."""
        for package in ("stages", "fairseq_plugins"):
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / package, self.folder / package, ignore=ignored)
        for name in ("dvc.yaml", ".dvcignore", "requirements.lock"):
            shutil.copy(ROOT / name, self.folder)
        (self.folder / ".dvc").mkdir()
        (self.folder / ".dvc" / "config").write_text("[core]\n    no_scm = True\n    analytics = false\n")
        content = yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)
        (self.folder / "params.yaml").write_text(content, encoding="utf-8")

    def begin_anew(self) -> None:
        """Forget all runs."""
        for name in ("work", "reports", ".dvc/cache", ".dvc/tmp"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
        (self.folder / "dvc.lock").unlink(missing_ok=True)

    def start(self, output: BinaryIO) -> subprocess.Popen:
        """A run that leads a session and a process group of its own, and is deaf to no signal, as if from a shell."""
        return subprocess.Popen(
            COMMAND, cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=hear_signals,
        )  # fmt: skip

    def run(self) -> subprocess.CompletedProcess:
        """A whole run, as `make repro` starts it."""
        return subprocess.run(COMMAND, cwd=self.folder, env=environment(), capture_output=True, text=True)

    def contents(self) -> dict[str, bytes]:
        """What runs have left behind, but for times."""
        return outputs.contents(self.folder)


def environment() -> dict[str, str]:
    own = {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": ".", "PYTHONWARNINGS": "ignore"}
    return {**os.environ, **own}
