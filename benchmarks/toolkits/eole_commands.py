"""eole, OpenNMT-py's successor, through its own commands: its RNN with additive attention on random text.

Its encoder's annotations are H wide, both directions together (here: 2H), and its attention stands behind the
recurrence, on states that do not see the context, so one product does for all steps: it has less to do.
"""

import random
import re
import shutil
from pathlib import Path
from typing import Any

import yaml

from benchmarks.toolkits.environment import ToolkitError, run

REPORT_EVERY = 2
TRAINED = re.compile(r"Step\s+\d+/\s*\d+;.*?\d+/\s*(\d+) tok/s")
DECODED = re.compile(r"Subsequent prediction time including all \(s\): ([\d.]+)")
SECONDS = 900


def measure(python: Path, settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    """As `joeynmt_steps` prints it, from what the commands report.

    Raises:
        ToolkitError: a command fails, or reports nothing of its speed.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _write_text(folder, settings)
    (folder / "config.yaml").write_text(yaml.safe_dump(_config(settings)))
    # Its threads are those of the library's variables.
    command = ["env", f"OMP_NUM_THREADS={settings['threads']}", str(python.with_name("eole"))]
    run([*command, "build_vocab", "--config", "config.yaml", "--n_sample", "-1"], "eole build_vocab", folder, SECONDS)
    trained = run([*command, "train", "--config", "config.yaml"], "eole train", folder, SECONDS)
    lengths = ["--min_length", str(settings["T"] - 1), "--max_length", str(settings["T"] - 1)]
    batch = ["--batch_type", "sents", "--batch_size", str(settings["decoded"]), "--world_size", "0"]
    translate = ["--model_path", "model", "--src", "few", "--output", "out", "--report_time"]
    decoded = run(
        [*command, "predict", *translate, "--beam_size", str(settings["beam"]), *lengths, *batch],
        "eole predict", folder, SECONDS,
    )  # fmt: skip
    return _found(trained, decoded, settings)


def _found(trained: str, decoded: str, settings: dict[str, Any]) -> dict[str, Any]:
    speeds = [float(one) for one in TRAINED.findall(trained)][1:]  # the first has the first steps' memory
    seconds = DECODED.search(decoded)
    if not speeds or seconds is None:
        raise ToolkitError("eole says nothing of its speed where it used to")
    tokens = settings["B"] * settings["T"]
    return {
        "steps": [tokens / speed for speed in speeds],
        "decoding": max(float(seconds[1]), 0.01),
    }  # printed in hundredths


def _write_text(folder: Path, settings: dict[str, Any]) -> None:
    """Sentences of S and T pieces, eos counted as in the other systems' batches; every word of V occurs."""
    draw = random.Random(1)
    words = [f"w{k}" for k in range(settings["V"] - 4)]
    # eole adds no eos to the source
    for name, length in (("source", settings["S"]), ("target", settings["T"] - 1)):
        rows = max(_sentences(settings), -(-len(words) // length))
        text = [*words, *draw.choices(words, k=rows * length - len(words))]
        draw.shuffle(text)
        lines = [" ".join(text[k * length : (k + 1) * length]) + "\n" for k in range(rows)]
        (folder / name).write_text("".join(lines))
        if name == "source":
            (folder / "few").write_text("".join(lines[: settings["decoded"]]))


def _sentences(settings: dict[str, Any]) -> int:
    return settings["B"] * REPORT_EVERY * (settings["steps"] + 1)


def _config(settings: dict[str, Any]) -> dict[str, Any]:
    steps = REPORT_EVERY * (settings["steps"] + 1)
    side = {"rnn_type": "GRU", "hidden_size": settings["H"], "layers": 1}
    return {
        "src_vocab": "vocabulary.source", "tgt_vocab": "vocabulary.target", "save_data": "data", "overwrite": True,
        "src_vocab_size": settings["V"], "tgt_vocab_size": settings["V"], "vocab_size_multiple": 1,
        "data": {"text": {"path_src": "source", "path_tgt": "target"}}, "report_every": REPORT_EVERY, "seed": 1,
        "training": {
            "batch_type": "sents", "batch_size": settings["B"], "normalization": "tokens", "accum_count": [1],
            "train_steps": steps, "valid_steps": steps + 1, "save_checkpoint_steps": steps, "model_path": "model",
            "optim": "adam", "learning_rate": 0.001, "max_grad_norm": settings["clip_norm"],
            "label_smoothing": settings["smoothing"], "dropout": [settings["dropout"]], "dropout_steps": [0],
            "compute_dtype": "fp32", "num_workers": 0, "world_size": 0, "gpu_ranks": [],
        },
        "model": {
            # as `rnn` its encoder cannot be bidirectional: a check of its settings replaces what is asked for
            "architecture": "custom", "hidden_size": settings["H"], "layers": 1,
            "embeddings": {"word_vec_size": settings["H"]}, "encoder": {"encoder_type": "brnn", **side},
            "decoder": {"decoder_type": "rnn", **side, "global_attention": "mlp", "bidirectional_encoder": True},
        },
    }  # fmt: skip
