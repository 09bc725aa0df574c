"""A miniature study, made once a session by the real stages: sixty short sentence pairs and systems of some ten units.

Everything runs on the CPU with one thread, where the same seed gives the same bits.
"""

import contextlib
import copy
import importlib
import json
import os
import signal
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import torch
import yaml

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")  # a GPU is asked for; before torch looks for devices

from fairseq_plugins import compat  # makes fairseq importable
from fairseq_plugins.kernels import products
from stages.files.records import read_json
from stages.files.text import read_lines
from tests.helpers import committed
from tests.helpers.forked import forked
from tests.helpers.paths import ROOT
from tests.helpers.tiny_systems import BASES, EPOCHS, FINE_TUNED, PAPERS, RATE, REVERSE, VARIANTS, with_recipe
from tests.helpers.tiny_text import LANGUAGES, write_corpus

CORPUS, SEED = "tiny", 1
SOURCE, TARGET = LANGUAGES
TEXT, BPE, DATA, DATA_REVERSE = Path("corpus"), Path("bpe"), Path("bin"), Path("bin-reverse")
WORDALIGN, CANDIDATES = Path("wordalign"), Path("candidates.tsv")
MANIFEST, SUPERVISION = Path("manifest"), Path("supervision")


def params() -> dict[str, Any]:
    """The committed params.yaml, with a corpus so small that everything takes a moment."""
    content = committed.params()
    small = copy.deepcopy(content["corpora"]["demo"])
    small["segmentation"] |= {"merges": 15}
    small["model"] |= {"embed_dim": 16, "hidden_dim": 16, "history_dim": 3, "init_range": 0.3}
    small["model"] |= {"coverage_dim": 3, "covemb_dim": 3, "recurrent_attention_dim": 3}
    small["model"] |= {"embed_dropout": 0.1, "annotation_dropout": 0.1, "readout_dropout": 0.1}
    small["training"] |= {"max_epoch": EPOCHS, "patience": 0, "max_tokens": 60, "lr": RATE, "warmup_updates": 4}
    small["training"] |= {"anneal_epoch": EPOCHS}
    small["training"] |= {"label_smoothing": 0, "precision": "fp32", "threads": 1, "save_seconds": 999}
    small["decoding"] |= {"beam": 3, "max_tokens": 100}
    small["compare"] |= {"rivals": []}
    of_papers = {name: with_recipe(content, name) for name in PAPERS}
    systems = {**VARIANTS, **of_papers, **FINE_TUNED}
    chosen = {
        "study": CORPUS, "corpus": CORPUS, "run": f"work/{CORPUS}/forward-bpe",
        "direction": "forward", "segmentation": "bpe", "seeds": [SEED],
        "systems": [name for name in systems if name not in FINE_TUNED], "fine_tuned": BASES, "also_reverse": REVERSE,
        "decoded": {}, "read_outs": [], "smt": [], "training_sizes": [], "released": {}, "released_smt": [],
    }  # fmt: skip
    there = {
        "defaults": content["defaults"],
        "recipes": {},
        "sets": {},
        "fine_tuned_sets": {},
        "titles": {},
        "studies": {CORPUS: chosen},
    }
    return there | chosen | {"variants": systems, "corpora": {CORPUS: small}}


@cache
def study() -> Path:
    """A folder with params.yaml and the outputs of the stages corpus, bpe, binarize and supervision.

    The aligner's part is played by links from every word to its place on the diagonal and from the first word to all.
    """
    keep = tempfile.TemporaryDirectory(prefix="tiny-study-")
    _KEPT.append(keep)
    root = Path(keep.name)
    (root / "params.yaml").write_text(yaml.safe_dump(params(), sort_keys=False), encoding="utf-8")
    write_corpus(root / TEXT, root / WORDALIGN, root / CANDIDATES)
    for package in ("stages", "fairseq_plugins"):
        (root / package).symlink_to(ROOT / package)  # the manifest stage lists the code
    from stages import binarize, bpe, supervision

    with contextlib.chdir(root):
        bpe.bpe(CORPUS, "bpe", TEXT, BPE)
        binarize.binarize(CORPUS, "bpe", BPE, LANGUAGES, DATA)
        binarize.binarize(CORPUS, "bpe", BPE, LANGUAGES[::-1], DATA_REVERSE)
        supervision.supervision(CORPUS, "forward", BPE, WORDALIGN, CANDIDATES, SUPERVISION)
    return root


_KEPT: list[tempfile.TemporaryDirectory] = []


def code() -> Path:
    """What the manifest stage left, relative to the study; only trainings need it, and it takes seconds."""
    from stages import manifest

    if not (study() / MANIFEST).exists():
        with contextlib.chdir(study()):
            manifest.manifest(MANIFEST)
    return MANIFEST


def train(variant: str, scratch: Path, out: Path, reverse: bool = False, **inputs: Path | None) -> Path:
    """The train stage; paths are relative to the study. Returns the folder of its outputs.

    inputs: what replaces the study's, e.g. ``initial``.
    """
    from stages.settings.study_run import study_run
    from stages.train import job
    from stages.train import train as train_stage

    folders = {
        "text": TEXT, "bpe": BPE, "data": data(reverse), "code": code() / "train" / variant,
        "supervision": SUPERVISION / variant,
    }  # fmt: skip
    if variant in BASES and "initial" not in inputs:
        inputs["initial"] = initial(variant)
    folders |= inputs
    with contextlib.chdir(study()), quiet(), products("fp32"):  # a training sets its own, for good
        one = job(study_run(CORPUS), variant, SEED, reverse, fine_tuned=folders.get("initial") is not None)
        train_stage(one._replace(**folders, scratch=scratch, out=out))
    return study() / out


def data(reverse: bool = False) -> Path:
    """What the binarize stage left, relative to the study."""
    return DATA_REVERSE if reverse else DATA


@cache
def initial(variant: str) -> Path:
    """What the initialise stage left for a fine-tuned system, relative to the study; its base is trained at need."""
    from stages import initialise

    base, out = BASES[variant], Path("initial") / variant
    trained(base)
    if base in REVERSE:
        trained(base, reverse=True)
    with contextlib.chdir(study()):
        initialise.initialise(Path("models") / base, [SEED], out)
    return out / str(SEED)


@cache
def trained(variant: str, reverse: bool = False) -> Path:
    """The outputs of one undisturbed training."""
    return train(variant, Path("scratch-reverse" if reverse else "scratch"), _model(variant, reverse), reverse)


def _model(variant: str, reverse: bool = False) -> Path:
    return Path("models") / variant / (f"{SEED}-reverse" if reverse else str(SEED))


@cache
def evaluated(variant: str) -> Path:
    """The outputs of the evaluate stage for ``trained(variant)``."""
    from stages import evaluate

    model, out = trained(variant) / "model.pt", Path("translations") / variant
    with contextlib.chdir(study()), quiet():
        evaluate.evaluate(CORPUS, "forward", False, TEXT, BPE, DATA, model, None, out)
    return study() / out


def train_until_killed(variant: str, scratch: Path, moment: str, call: int, by: int = signal.SIGKILL) -> str:
    """The train stage in a process of its own, which gets a signal when a method returns for the ``call``-th time.

    Args:
        moment: a method of a class in `stages.training.loop`, or a function of a module beside it, e.g. ``Loop._save``
            and ``saves.sync``.
        by: the signal; SIGTERM is answered by a save.

    Returns:
        What it printed.
    """
    code()  # what the child would make is lost with it
    if variant in BASES:
        initial(variant)
    child = forked(_train_and_die, variant, str(scratch), moment, str(call), str(int(by)))
    if child.returncode != (128 + by if by == signal.SIGTERM else -by):
        raise RuntimeError(f"the training ended with status {child.returncode}, not by its signal: {child.stderr}")
    return child.stdout


def _train_and_die(orders: list[str]) -> int:
    from stages.training import loop

    variant, scratch, moment, call, by = orders
    kind, method = moment.split(".")
    owner = vars(loop).get(kind) or importlib.import_module(f"stages.training.{kind}")
    original, calls = getattr(owner, method), 0

    def deadly(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        result = original(*args, **kwargs)
        calls += 1
        if calls == int(call):
            os.kill(os.getpid(), int(by))
        return result

    setattr(owner, method, deadly)
    train(variant, Path(scratch), Path("never written"))
    return 0


def pieces(part: str, language: str) -> list[list[str]]:
    """A set as the bpe stage left it."""
    return [line.split(" ") for line in read_lines(study() / BPE / f"{part}.{language}")]


def checkpoint(folder: Path) -> dict[str, Any]:
    """What model.pt of a trained system holds."""
    return compat.load_checkpoint(folder / "model.pt")


def same_weights(folder: Path, other: Path) -> bool:
    """Whether two trained systems have the same, bit by bit."""
    model, expected = (checkpoint(path)["model"] for path in (folder, other))
    return model.keys() == expected.keys() and all(torch.equal(model[name], expected[name]) for name in model)


def assert_same(folder: Path, other: Path) -> None:
    """That two trained systems have the same weights, to the bit, and the same curve with the same best epoch."""
    assert same_weights(folder, other)
    pd.testing.assert_frame_equal(curve(folder), curve(other), check_exact=True)
    assert record(folder)["best_epoch"] == record(other)["best_epoch"]


def record(folder: Path) -> dict[str, Any]:
    """training.json of a trained system."""
    return read_json(folder / "training.json")


def curve(folder: Path) -> pd.DataFrame:
    """The learning curve of a trained system, but for what depends on the clock."""
    return pd.read_csv(folder / "curve.csv").drop(columns=["tokens_per_second", "wall_seconds"])


def log(folder: Path, kind: str) -> list[dict[str, str]]:
    """What fairseq logged at the end of each epoch; kind: `train` or `valid`. Names lose that prefix."""
    rows = [json.loads(line) for line in read_lines(folder / "log.jsonl")]
    return [{name.removeprefix(f"{kind}_"): value for name, value in row.items()} for row in rows if row["log"] == kind]


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Without fairseq's warnings: pytest lifts the filters of ``fairseq_plugins.compat``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
