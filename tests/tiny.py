"""A miniature study, made once a session by the real stages: sixty short sentence pairs and systems of some ten units.

Everything runs on the CPU with one thread, where the same seed gives the same bits.
"""

import contextlib
import copy
import os
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import yaml

os.environ["CUDA_VISIBLE_DEVICES"] = ""  # before torch looks for devices

from fairseq_plugins import compat  # makes fairseq importable
from stages.textio import read_json, read_lines, write_json, write_lines

ROOT = Path(__file__).parents[1]
CORPUS, SOURCE, TARGET, SEED = "tiny", "zh", "en", 1
TEXT, BPE, DATA, NEEDS = Path("corpus"), Path("bpe"), Path("bin"), Path("needs")
EPOCHS = 3

WHO = {"mao": "the cat", "lao shu": "the mouse", "goukou": "the dog", "niao": "the bird"}
DOES = {"kanjian le": "saw", "zhui": "chases", "chi": "eats"}
WHOM = {"yu": "a fish", "hong de pingguo": "a red apple", "daniao": "a large bird", "shu": "it", "ta": "them"}

STAR = {"arch": "rnnsearch_star"}
VARIANTS = {
    "rnnsearch_star": {"model": STAR, "training": {}},
    "often_saved": {"model": STAR, "training": {"save_seconds": 1e-6}},
    "one_epoch": {"model": STAR, "training": {"max_epoch": 1, "save_seconds": 1e-6}},
    "never_better": {"model": STAR, "training": {"max_epoch": 9, "patience": 2, "lr": 1e-9, "save_seconds": 1e-6}},
    "my_combination": {
        "model": {"arch": "attnmt", "terms": ["target_history", "source_history"], "history_dim": 2},
        "training": {"max_epoch": 1},
    },
    "rnnencdec": {"model": {"arch": "rnnencdec"}, "training": {"max_epoch": 1}},
    "transformer": {
        "model": {
            "arch": "transformer", "encoder_layers": 1, "decoder_layers": 2, "encoder_embed_dim": 8,
            "encoder_ffn_embed_dim": 8, "encoder_attention_heads": 2, "decoder_attention_heads": 2,
            "share_decoder_input_output_embed": True,
        },
        "training": {"max_epoch": 1},
    },
}  # fmt: skip


def params() -> dict[str, Any]:
    """The committed params.yaml, with a corpus so small that everything takes a moment."""
    content = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    small = copy.deepcopy(content["corpora"]["demo"])
    small["segmentation"] |= {"merges": 15}
    small["model"] |= {"embed_dim": 16, "hidden_dim": 16, "history_dim": 3, "init_range": 0.3}
    small["model"] |= {"coverage_dim": 3, "covemb_dim": 3, "recurrent_attention_dim": 3}
    small["model"] |= {"embed_dropout": 0.1, "annotation_dropout": 0.1, "readout_dropout": 0.1}
    small["training"] |= {"max_epoch": EPOCHS, "patience": 0, "max_tokens": 60, "lr": 0.05, "warmup_updates": 4}
    small["training"] |= {"label_smoothing": 0, "precision": "fp32", "threads": 1, "save_seconds": 999}
    small["decoding"] |= {"beam": 3, "max_tokens": 100}
    variants = {name: {"title": name, **variant} for name, variant in VARIANTS.items()}
    rows = {"variants": variants, "continued": {}, "starts": {}, "opposite": []}
    return content | rows | {"corpus": CORPUS, "seeds": [SEED], "corpora": {CORPUS: small}}


@cache
def study() -> Path:
    """A folder with params.yaml and the outputs of the stages corpus, bpe, binarize and needs."""
    keep = tempfile.TemporaryDirectory(prefix="tiny-study-")
    _KEPT.append(keep)
    root = Path(keep.name)
    (root / "params.yaml").write_text(yaml.safe_dump(params(), sort_keys=False), encoding="utf-8")
    _write_corpus(root / TEXT)
    from stages import binarize, bpe
    from stages.fingerprint import fingerprint
    from stages.settings.training import VariantModel

    with contextlib.chdir(root):
        run(bpe.main, corpus=CORPUS, segmentation="bpe", text=TEXT, out=BPE)
        run(binarize.main, corpus=CORPUS, direction="forward", bpe=BPE, out=DATA)
    for name, variant in VARIANTS.items():
        lines = fingerprint("stages.train", VariantModel(**variant["model"]), ROOT)
        write_lines(root / NEEDS / name / "train" / "code", lines)
    return root


_KEPT: list[tempfile.TemporaryDirectory] = []


def run(main: Callable[[], None], **options: Any) -> None:
    """A stage's ``main`` with a command line."""
    command = sys.argv
    sys.argv = ["stage", *(part for name, value in options.items() for part in (f"--{name}", str(value)))]
    try:
        main()
    finally:
        sys.argv = command


def train(variant: str, scratch: Path, out: Path) -> Path:
    """The train stage; paths are relative to the study. Returns the folder of its outputs."""
    from stages.train import main

    inputs = {"text": TEXT, "bpe": BPE, "data": DATA, "needs": NEEDS / variant / "train"}
    cell = {"corpus": CORPUS, "direction": "forward", "variant": variant, "seed": SEED}
    with contextlib.chdir(study()), _quiet():
        run(main, **cell, **inputs, scratch=scratch, out=out)
    return study() / out


@cache
def trained(variant: str) -> Path:
    """The outputs of one undisturbed training."""
    return train(variant, Path("scratch"), Path("models") / variant)


@cache
def evaluated(variant: str) -> Path:
    """The outputs of the evaluate stage for ``trained(variant)``."""
    from stages import evaluate

    model, out = trained(variant) / "model.pt", Path("translations") / variant
    with contextlib.chdir(study()), _quiet():
        run(evaluate.main, corpus=CORPUS, direction="forward", text=TEXT, bpe=BPE, data=DATA, model=model, out=out)
    return study() / out


def train_until_killed(variant: str, scratch: Path, moment: str, call: int) -> None:
    """The train stage in a process of its own, which gets SIGKILL when a method returns for the ``call``-th time.

    Args:
        moment: the method, e.g. ``Loop._save``.
    """
    orders = [str(study()), variant, str(scratch), moment, str(call)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]), "OMP_NUM_THREADS": "1"}
    child = subprocess.run(
        [sys.executable, "-c", "import sys, tiny; tiny._train_and_die(*sys.argv[1:])", *orders],
        env=environment, capture_output=True, text=True,
    )  # fmt: skip
    if child.returncode != -signal.SIGKILL:
        raise RuntimeError(f"the training ended with status {child.returncode}, not by a kill: {child.stderr}")


def _train_and_die(root: str, variant: str, scratch: str, moment: str, call: str) -> None:
    from stages.training import loop

    kind, method = moment.split(".")
    original, calls = getattr(vars(loop)[kind], method), 0

    def deadly(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        result = original(*args, **kwargs)
        calls += 1
        if calls == int(call):
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(vars(loop)[kind], method, deadly)
    globals()["study"] = lambda: Path(root)
    train(variant, Path(scratch), Path("never written"))


def pieces(part: str, language: str) -> list[list[str]]:
    """A set as the bpe stage left it."""
    return [line.split(" ") for line in read_lines(study() / BPE / f"{part}.{language}")]


def checkpoint(folder: Path) -> dict[str, Any]:
    """What model.pt of a trained system holds."""
    return compat.load_checkpoint(folder / "model.pt")


def record(folder: Path) -> dict[str, Any]:
    """training.json of a trained system."""
    return read_json(folder / "training.json")


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without fairseq's warnings: pytest lifts the filters of ``fairseq_plugins.compat``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _write_corpus(folder: Path) -> None:
    pairs = [(f"{s} ba {o} {v} .", f"{WHO[s]} {DOES[v]} {WHOM[o]} .") for s, v, o in product(WHO, DOES, WHOM)]
    long = [
        (" ".join(source for source, _ in pairs[k : k + n]), " ".join(target for _, target in pairs[k : k + n]))
        for k, n in ((3, 2), (17, 3), (31, 2))
    ]
    unseen = [("mao ba Xq zhui .", "the cat chases Xq .")]  # letters that train lacks: unknown pieces
    sets = {
        "train": pairs + long[1:],
        "dev": [*pairs[::7], long[0]],
        "test": [*unseen, *pairs[5::11], *long, *pairs[2::17]],
        "gold": [pairs[4], long[2], pairs[30]],
    }
    for name, rows in sets.items():
        for language, column in zip((SOURCE, TARGET), zip(*rows, strict=True), strict=True):
            write_lines(folder / f"{name}.{language}", column)
    about = {"corpus": CORPUS, "source": SOURCE, "target": TARGET, "tests": ["test"], "gold": True, "tokenised": True}
    write_json(folder / "stats.json", about)
