"""A system that shares trained models translates as its evaluation did, with all its models and its control."""

import contextlib
import shutil
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
import torch
import yaml

from stages import evaluate
from stages.files.errors import InputError
from stages.files.text import read_lines
from stages.settings.training import DecodingControl
from stages.text.unknown import replace_unknown
from stages.translating.translations import read_translations
from stages.translator.__main__ import main
from stages.translator.choose import choose, there_are
from tests.helpers import tiny

pytestmark = pytest.mark.training
NAME = "decoded_otherwise"


@pytest.fixture(scope="module")
def project(translated, tmp_path_factory) -> Path:
    """The study of `translated` with an ensemble that repeats no two pieces."""
    root = tmp_path_factory.mktemp("decoded")
    shutil.copytree(translated.root / "work", root / "work", symlinks=True)
    control = {"no_repeat_ngram": 2, "coverage_penalty": [0.7], "ensemble": 2}
    content = tiny.params()
    content["variants"][NAME] = {"arch": "rnnsearch_star", "decoding": control}
    content["seeds"] = [tiny.SEED, tiny.SEED + 1, tiny.SEED + 2]
    content["decoded"] = {NAME: "rnnsearch_star"}
    (root / "params.yaml").write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    run = root / "work" / tiny.CORPUS / "forward-bpe"
    model = run / "models" / NAME / str(tiny.SEED) / "model.pt"
    model.parent.mkdir(parents=True)
    shutil.copy(run / "models/rnnsearch_star" / str(tiny.SEED) / "model.pt", model)
    other = torch.load(model, weights_only=True)
    other["model"]["decoder.W_o.bias"] += torch.linspace(-2, 2, len(other["model"]["decoder.W_o.bias"]))
    torch.save(other, model.with_name("model-2.pt"))
    out = run / "translations" / f"{NAME}-{tiny.SEED}"
    with contextlib.chdir(root), tiny.quiet():
        text = tiny.study() / tiny.TEXT
        evaluate.evaluate(
            tiny.CORPUS, "forward", False, text, run / tiny.BPE, run / tiny.DATA, model,
            DecodingControl(**control), out,
        )  # fmt: skip
    return root


def translated_lines(given: Path, monkeypatch: pytest.MonkeyPatch, system: str) -> list[str]:
    out = TextIOWrapper(BytesIO(), encoding="ascii")
    with monkeypatch.context() as patch, tiny.quiet(), open(given, encoding="ascii") as text:
        patch.setattr(sys, "stdin", text)
        patch.setattr(sys, "stdout", out)
        main(["--system", system])
    return out.buffer.getvalue().decode().splitlines()


def test_its_lines_are_those_that_were_scored(project, translated, monkeypatch, tmp_path):
    monkeypatch.chdir(project)
    given = tmp_path / "given"
    lines = read_lines(tiny.study() / tiny.TEXT / f"test.{tiny.SOURCE}")
    given.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    path = project / "work" / tiny.CORPUS / f"forward-bpe/translations/{NAME}-{tiny.SEED}/test.jsonl"
    scored = [
        replace_unknown(one.target, one.attended, one.source, "lexical", translated.lexicon)
        for one in read_translations(path)
    ]
    found = translated_lines(given, monkeypatch, NAME)
    assert found == [" ".join(words) for words in scored]
    assert found != translated_lines(given, monkeypatch, "rnnsearch_star")


def test_it_is_among_those_that_can_translate(project, monkeypatch):
    monkeypatch.chdir(project)
    assert NAME in there_are()


def test_before_its_evaluation_it_says_what_makes_it(project, monkeypatch, tmp_path):
    shutil.copytree(project, tmp_path / "new", symlinks=True)
    monkeypatch.chdir(tmp_path / "new")
    path = Path("work") / tiny.CORPUS / f"forward-bpe/translations/{NAME}-{tiny.SEED}/decoding.json"
    path.unlink()
    remedy = (
        rf"decoding.json is missing: `make repro SYSTEMS={NAME}`.*evaluate_decoded@{tiny.CORPUS}-forward-bpe-{NAME}"
    )
    with pytest.raises(InputError, match=remedy):
        choose(NAME, None, None)
