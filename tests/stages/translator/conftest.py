"""The miniature study in the folders that dvc.yaml would give it, with a system that likes to say <unk>."""

import contextlib
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
import yaml

from stages import evaluate
from stages.files.records import write_json
from stages.files.text import read_lines, write_lines
from stages.pipeline.release_model import release_model
from stages.settings.systems import study_systems
from stages.translator.__main__ import main
from tests.helpers import tiny
from tests.helpers.decoding import load

LEXICON = {"ba": "of", "mao": "cat", "chi": "eats"}
SYSTEMS = ("rnnsearch_star", "my_combination", "rnnencdec")
UNK_LOVED = {"rnnsearch_star": 8.0, "my_combination": 8.0}
"""How much is added to the logit of <unk>, so that some words are unknown."""


class Study(NamedTuple):
    """root: a folder with params.yaml and work/; translations: variant -> what the evaluate stage wrote of it; lexicon:
    best translation of some source words."""

    root: Path
    translations: dict[str, Path]
    lexicon: dict[str, str]


def given() -> str:
    """The sentences of a test set, as somebody who wants them translated has them."""
    return "".join(f"{line}\n" for line in read_lines(tiny.study() / tiny.TEXT / f"test.{tiny.SOURCE}"))


@pytest.fixture(scope="session")
def translated(tmp_path_factory) -> Study:
    root = tmp_path_factory.mktemp("translator")
    run = root / "work" / tiny.CORPUS / "forward-bpe"
    run.mkdir(parents=True)
    (root / "params.yaml").symlink_to(tiny.study() / "params.yaml")
    for name in (tiny.BPE, tiny.DATA):
        (run / name).symlink_to(tiny.study() / name)
    (run.parent / "corpus").symlink_to(tiny.study() / tiny.TEXT)
    rows = (f"{word}\t{best}\t0.5\t9" for word, best in LEXICON.items())
    write_lines(run.parent / "wordalign" / "lexicon.source-target.tsv", rows)
    found = {}
    for variant in SYSTEMS:
        model = run / "models" / variant / str(tiny.SEED) / "model.pt"
        model.parent.mkdir(parents=True)
        torch.save(_liking_unk(variant), model)
        found[variant] = root / "translations" / variant
        (model.parent / "training.json").symlink_to(tiny.trained(variant) / "training.json")
        with contextlib.chdir(root), tiny.quiet():
            text, data = tiny.study() / tiny.TEXT, run / tiny.DATA
            evaluate.evaluate(tiny.CORPUS, "forward", False, text, run / tiny.BPE, data, model, None, found[variant])
    return Study(root, found, LEXICON)


def _liking_unk(variant: str) -> dict:
    content = torch.load(tiny.trained(variant) / "model.pt", weights_only=True)
    if variant in UNK_LOVED:
        content["model"]["decoder.W_o.bias"][load(variant).target_dictionary.unk()] += UNK_LOVED[variant]
    return content


@pytest.fixture(scope="session")
def released(translated, tmp_path_factory) -> Path:
    """A folder with params.yaml of another study, in which nothing is trained, and the models of `translated`."""
    root = tmp_path_factory.mktemp("released")
    with contextlib.chdir(translated.root), tiny.quiet():
        (translated.root / "work/manifest").symlink_to(tiny.study() / tiny.code())
        for variant in SYSTEMS:
            scores = {"tests": {"test": {"bleu": 1.5, "bleu_cased": 1.0, "chrf": 9.0, "ter": 99.0}}}
            write_json(Path(f"work/{tiny.CORPUS}/forward-bpe/scores/{variant}-{tiny.SEED}/scores.json"), scores)
            release_model(study_systems(), variant, tiny.SEED, "0123456789abcdef")
        Path("reports").rename(root / "reports")
    content = tiny.params()
    other = {
        "study": "other",
        "systems": ["ba_nmt", "one_epoch"],
        "fine_tuned": {},
        "also_reverse": [],
        "seeds": [3, 4],
    }
    content |= other
    content["studies"]["other"] = content["studies"][tiny.CORPUS] | other
    moved = {"corpus": "another", "run": "work/another/forward-bpe"}
    content["studies"]["other"] |= moved
    content |= moved
    content["corpora"]["another"] = content["corpora"][tiny.CORPUS]
    (root / "params.yaml").write_text(yaml.safe_dump(content, sort_keys=False))
    return root


@pytest.fixture
def translate(translated, monkeypatch, tmp_path) -> Callable[..., str]:
    """The command: what stands in its output after it has read this text, or these bytes."""
    monkeypatch.chdir(translated.root)

    def command(text: str | bytes, *arguments: str, system: str = "rnnsearch_star") -> str:
        (tmp_path / "given").write_bytes(text.encode() if isinstance(text, str) else text)
        out = TextIOWrapper(BytesIO(), encoding="ascii")
        with monkeypatch.context() as patch, tiny.quiet(), open(tmp_path / "given", encoding="ascii") as given:
            patch.setattr(sys, "stdin", given)
            patch.setattr(sys, "stdout", out)
            main([*(["--system", system] if system else []), *arguments])
        return out.buffer.getvalue().decode()

    return command
