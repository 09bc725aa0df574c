"""What trainings of an item read, made where the environment is whole: corpus, pieces, binary data, word alignments."""

import contextlib
import os
import subprocess
from pathlib import Path

import yaml

from benchmarks.gpu.parts import ROOT
from benchmarks.gpu.queue.items import Item, settings
from benchmarks.gpu.queue.training import COMMIT
from benchmarks.gpu.training import call, words_of
from stages import binarize, bpe, candidates, corpus, manifest, supervision, tag, wordalign
from stages.settings.params import PARAMS

FOLDER = ROOT / "work" / "gpu-queue"


def prepare(item: Item, folder: Path, smoke: bool) -> None:
    """Fill the item's folder, which is all that has to be carried to the machine with a GPU beside the project; of its
    links nothing there has need."""
    content = settings(item, smoke)
    (folder / "work").mkdir(parents=True, exist_ok=True)
    with contextlib.chdir(folder):
        for name in ("stages", "fairseq_plugins"):
            _link(Path(name), ROOT / name)
        _link(Path("work/downloads"), ROOT / "work" / "downloads")
        PARAMS.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
        head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
        COMMIT.write_text(head.stdout, encoding="utf-8")
        call(manifest.main)
        for of_corpus in (corpus, wordalign, tag):
            call(of_corpus.main, corpus=content["corpus"])
        for of_study in (bpe, candidates, binarize, supervision):
            call(of_study.main, **words_of(content))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    print(f"{folder}: {size / 2**20:,.0f} MiB", flush=True)


def _link(path: Path, target: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(os.path.relpath(target))
