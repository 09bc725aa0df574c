"""The needs stage: what a row's training, evaluation and scoring depend on beside the text and the data."""

import contextlib
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from stages import manifest as needs
from stages.files.errors import InputError
from stages.files.text import read_lines, write_lines
from stages.pipeline.fingerprint import fingerprint
from stages.settings.variants import VariantModel
from tests.helpers import tiny

SUPERVISED = {"arch": "covemb_gru_sub_supobj"}
ROWS = {
    "plain": ({"arch": "ba_nmt"}, {}),
    "combination": ({"arch": "attnmt", "terms": ["markov_bias"]}, {}),
    "of_fairseq": ({"arch": "transformer"}, {}),
    "links": (SUPERVISED, {"supervision": "links"}),
    "candidates": ({"arch": "lvnmt"}, {"supervision": "candidates"}),
}
CONTINUED = {"later": ({"arch": "bridging_direct"}, {}), "later_links": (SUPERVISED, {"supervision": "links"})}
SOURCE = {"train": ["w@@ ohnung ist rot", "ja"], "dev": ["ro@@ t i@@ st"]}
TARGET = {"train": ["re@@ d house", "no"], "dev": ["red is"]}
CODE = {"train/code", "evaluate/code", "score/code"}
LINKS = {"train": ["0-1 2-0", ""], "dev": ["1-1"]}  # of words: Wohnung-house, rot-red
FORWARD = {"train": ["0-2 1-2 3-0 3-1", ""], "valid": ["2-1 3-1"]}  # of pieces: w@@ and ohnung-house, rot-re@@ and d


def block(row: tuple[dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
    return {"title": "", "model": row[0], "training": row[1]}


@pytest.fixture
def study(tmp_path) -> Path:
    """What the stage reads, and the code."""
    content = tiny.params()
    rows = {"variants": ROWS, "continued": CONTINUED}
    content |= {part: {name: block(row) for name, row in of.items()} for part, of in rows.items()}
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    for language, sets in ((tiny.SOURCE, SOURCE), (tiny.TARGET, TARGET)):
        for name, lines in sets.items():
            write_lines(tmp_path / "bpe" / f"{name}.{language}", lines)
    for name, lines in LINKS.items():
        write_lines(tmp_path / "wordalign" / f"{name}.gdfa", lines)
    write_lines(tmp_path / "candidates.tsv", ["rot\tre@@"])
    for package in ("stages", "fairseq_plugins"):
        (tmp_path / package).symlink_to(tiny.ROOT / package)
    return tmp_path


def run(study: Path, row: str, direction: str = "forward") -> Path:
    with contextlib.chdir(study):
        tiny.run(
            needs.main, corpus=tiny.CORPUS, direction=direction, variant=row, bpe="bpe", wordalign="wordalign",
            candidates="candidates.tsv", out="out",
        )  # fmt: skip
    return study / "out"


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def pairs(lines: Iterable[str]) -> list[set[tuple[int, ...]]]:
    return [{tuple(map(int, link.split("-"))) for link in line.split()} for line in lines]


@pytest.mark.parametrize(
    ("row", "learnt_from"),
    [
        ("plain", []),
        ("combination", []),
        ("of_fairseq", []),
        ("later", []),
        ("links", ["train.align", "valid.align"]),
        ("later_links", ["train.align", "valid.align"]),
        ("candidates", ["candidates.tsv"]),
    ],
)
def test_a_row_gets_its_code_and_what_it_learns_from_and_nothing_else(study, row, learnt_from):
    out = run(study, row)
    assert files(out) == CODE | {f"train/{name}" for name in learnt_from}
    model = VariantModel(**(ROWS | CONTINUED)[row][0])
    for stage, built in {"train": model, "evaluate": model, "score": None}.items():
        listed = list(read_lines(out / stage / "code"))
        assert listed == fingerprint(f"stages.{stage}", built, tiny.ROOT)
        assert any(line.startswith(f"stages/{stage}.py ") for line in listed)
    named = f"fairseq_plugins/models/{model.arch}.py "
    assert any(line.startswith(named) for line in read_lines(out / "train" / "code")) == (row != "of_fairseq")


def test_links_of_words_become_links_of_pieces(study):
    out = run(study, "links")
    for name, expected in FORWARD.items():
        assert list(read_lines(out / "train" / f"{name}.align", allow_empty=True)) == expected


def test_the_other_direction_turns_every_link(study):
    out = run(study, "links", "reverse")
    for name, expected in FORWARD.items():
        turned = [{link[::-1] for link in links} for links in pairs(expected)]
        assert pairs(read_lines(out / "train" / f"{name}.align", allow_empty=True)) == turned != pairs(expected)


def test_candidates_are_the_table_as_it_is(study):
    out = run(study, "candidates")
    assert (out / "train" / "candidates.tsv").read_bytes() == (study / "candidates.tsv").read_bytes()


def test_what_was_there_before_is_gone(study):
    run(study, "links")
    assert files(run(study, "plain")) == CODE


def test_the_corpus_may_ask_for_links_of_every_row(study):
    content = yaml.safe_load((study / "params.yaml").read_text(encoding="utf-8"))
    content["corpora"][tiny.CORPUS]["training"]["supervision"] = "links"
    content["variants"]["plain"]["training"] = {"supervision": None}
    (study / "params.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    assert files(run(study, "combination")) == CODE | {"train/train.align", "train/valid.align"}
    assert files(run(study, "plain")) == CODE


@pytest.mark.parametrize(
    ("row", "damage", "message"),
    [
        ("links", lambda study: write_lines(study / "wordalign" / "dev.gdfa", ["1-2"]), r"dev\.gdfa, line 1: link 1-2"),
        ("links", lambda study: write_lines(study / "wordalign" / "train.gdfa", ["0-0"]), r"train\.gdfa has 1 lines"),
        ("links", lambda study: shutil.rmtree(study / "wordalign"), r"train\.gdfa: no such file"),
        ("nobody", lambda study: None, r"variants has no 'nobody'"),
    ],
)
def test_what_is_missing_is_said_and_nothing_is_written(study, row, damage, message):
    damage(study)
    with pytest.raises(InputError, match=message):
        run(study, row)
    assert not (study / "out").exists()
