"""JoeyNMT's recurrent model, optimiser and beam search on random sentences of equal length; run by its own Python.

    python joeynmt_steps.py SETTINGS

SETTINGS: a size (`benchmarks.sizes.Size`), `threads`, `steps`, `beam`, `dropout`, `smoothing`, `clip_norm`, as JSON.
Prints seconds of training steps and of translating `decoded` sentences, as JSON.
"""

import json
import logging
import sys
import time
from types import SimpleNamespace

import torch
from joeynmt.batch import Batch
from joeynmt.builders import build_gradient_clipper, build_optimizer
from joeynmt.model import Model, build_model
from joeynmt.search import search
from joeynmt.vocabulary import Vocabulary

UNK, PAD, BOS, EOS = range(4)
SYMBOLS = SimpleNamespace(
    unk_token="<unk>", pad_token="<pad>", bos_token="<s>", eos_token="</s>", sep_token=None,
    unk_id=UNK, pad_id=PAD, bos_id=BOS, eos_id=EOS, sep_id=None, lang_tags=[],
)  # fmt: skip


def built(settings: dict) -> Model:
    """One layer of GRUs on either side, input feeding, Bahdanau's attention; all widths H but the annotations' 2H."""
    words = Vocabulary([str(k) for k in range(settings["V"] - 4)], SYMBOLS)
    side = {
        "type": "recurrent", "rnn_type": "gru", "hidden_size": settings["H"], "num_layers": 1, "dropout": 0.0,
        "embeddings": {"embedding_dim": settings["H"], "dropout": 0.0},
    }  # fmt: skip
    reads = {
        "hidden_dropout": settings["dropout"],
        "input_feeding": True,
        "init_hidden": "bridge",
        "attention": "bahdanau",
    }
    model = build_model({"encoder": {**side, "bidirectional": True}, "decoder": {**side, **reads}}, words, words)
    model.loss_function = ("crossentropy", settings["smoothing"])
    return model


def batch(source: torch.Tensor, target: torch.Tensor | None) -> Batch:
    count, length = source.shape
    return Batch(
        source, torch.full((count,), length), None, target, None, torch.arange(count), torch.device("cpu"), PAD, EOS,
        is_train=target is not None,
    )  # fmt: skip


def training(model: Model, whole: Batch, settings: dict) -> list[float]:
    """Seconds of each step after the first."""
    optimiser = build_optimizer({"optimizer": "adam", "learning_rate": 0.001}, model.parameters())
    clip = build_gradient_clipper({"clip_grad_norm": settings["clip_norm"], "clip_grad_val": None})
    seconds = []
    for _ in range(settings["steps"] + 1):
        begun = time.perf_counter()
        loss = model(return_type="loss", **vars(whole))[0]
        optimiser.zero_grad()
        whole.normalize(loss, "tokens").backward()
        clip(model.parameters())
        optimiser.step()
        seconds.append(time.perf_counter() - begun)
    return seconds[1:]


def decoding(model: Model, few: Batch, settings: dict) -> float:
    """Seconds of beam search, every translation with T pieces."""
    model.eval()
    begun = time.perf_counter()
    with torch.no_grad():
        found = search(model, few, settings["T"], settings["beam"], 1.0, min_output_length=settings["T"])[0]
    assert found.shape == (settings["decoded"], settings["T"]), found.shape
    return time.perf_counter() - begun


def main() -> None:
    logging.disable()
    settings = json.loads(sys.argv[1])
    torch.set_num_threads(settings["threads"])
    torch.manual_seed(1)
    model = built(settings)
    source = torch.randint(4, settings["V"], (settings["B"], settings["S"]))
    target = torch.randint(4, settings["V"], (settings["B"], settings["T"] + 1))
    source[:, -1], target[:, 0], target[:, -1] = EOS, BOS, EOS
    steps = training(model, batch(source, target), settings)
    few = batch(source[: settings["decoded"]], None)
    print(json.dumps({"steps": steps, "decoding": decoding(model, few, settings)}))


if __name__ == "__main__":
    main()
