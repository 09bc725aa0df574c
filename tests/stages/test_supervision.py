"""The supervision stage: what each system learns from beside the text, in a folder of its own."""

import contextlib
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from stages import supervision
from stages.files.errors import InputError
from stages.files.text import read_lines, write_lines
from tests.helpers import tiny
from tests.helpers.paths import files

SUPERVISED = {"arch": "covemb_gru_sub_supobj"}
SYSTEMS = {
    "plain": ({"arch": "ba_nmt"}, {}),
    "released": ({"arch": "rnnsearch"}, {}),  # trained here in the reverse direction only
    "of_fairseq": ({"arch": "transformer"}, {}),
    "links": (SUPERVISED, {"supervision": "links"}),
    "candidates": ({"arch": "lvnmt"}, {"supervision": "candidates"}),
    "both": ({"arch": "lvnmt"}, {"supervision": "links_and_candidates"}),
    "tuned": ({"arch": "bridging_direct"}, {}),
    "tuned_links": (SUPERVISED, {"supervision": "links"}),
}
TUNED = {"tuned": "plain", "tuned_links": "plain"}
SOURCE = {"train": ["w@@ ohnung ist rot", "ja"], "dev": ["ro@@ t i@@ st"]}
TARGET = {"train": ["re@@ d house", "no"], "dev": ["red is"]}
LINKS = {"train": ["0-1 2-0", ""], "dev": ["1-1"]}  # of words: Wohnung-house, rot-red
FORWARD = {"train": ["0-2 1-2 3-0 3-1", ""], "valid": ["2-1 3-1"]}  # of pieces: w@@ and ohnung-house, rot-re@@ and d


@pytest.fixture
def study(tmp_path) -> Path:
    """What the stage reads."""
    content = tiny.params()
    content["variants"] = {name: model | {"training": training} for name, (model, training) in SYSTEMS.items()}
    here = [name for name in SYSTEMS if name not in (*TUNED, "released")]
    content |= {"systems": here, "fine_tuned": TUNED, "released": {"released": None}, "also_reverse": ["released"]}
    write(tmp_path, content)
    for language, sets in ((tiny.SOURCE, SOURCE), (tiny.TARGET, TARGET)):
        for name, lines in sets.items():
            write_lines(tmp_path / "bpe" / f"{name}.{language}", lines)
    for name, lines in LINKS.items():
        write_lines(tmp_path / "wordalign" / f"{name}.gdfa", lines)
    write_lines(tmp_path / "candidates.tsv", ["rot\tre@@"])
    return tmp_path


def write(study: Path, content: dict[str, Any]) -> None:
    (study / "params.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")


def run(study: Path, direction: str = "forward") -> Path:
    with contextlib.chdir(study):
        places = map(Path, ("bpe", "wordalign", "candidates.tsv", "out"))
        supervision.supervision(tiny.CORPUS, direction, *places)
    return study / "out"


def pairs(lines: Iterable[str]) -> list[set[tuple[int, ...]]]:
    return [{tuple(map(int, link.split("-"))) for link in line.split()} for line in lines]


def test_each_system_gets_what_it_learns_from_and_nothing_else(study):
    out = run(study)
    assert {folder.name for folder in out.iterdir()} == set(SYSTEMS)
    links, text = {"kind", "train.align", "valid.align"}, {"kind"}
    expected = {"links": links, "tuned_links": links, "candidates": {"kind", "candidates.tsv"}}
    expected |= {"both": links | {"candidates.tsv"}}
    for name in SYSTEMS:
        assert files(out / name) == expected.get(name, text)
    assert read_lines(out / "plain" / "kind") == ("the text alone",)
    assert read_lines(out / "both" / "kind") == ("links_and_candidates",)


def test_links_of_words_become_links_of_pieces(study):
    out = run(study)
    for name, expected in FORWARD.items():
        assert list(read_lines(out / "links" / f"{name}.align", allow_empty=True)) == expected


def test_the_reverse_direction_turns_every_link(study):
    out = run(study, "reverse")
    for name, expected in FORWARD.items():
        turned = [{link[::-1] for link in links} for links in pairs(expected)]
        assert pairs(read_lines(out / "links" / f"{name}.align", allow_empty=True)) == turned != pairs(expected)


def test_candidates_are_the_table_as_it_is(study):
    assert (run(study) / "candidates" / "candidates.tsv").read_bytes() == (study / "candidates.tsv").read_bytes()


def test_a_system_that_left_the_study_is_gone(study):
    run(study)
    content = yaml.safe_load((study / "params.yaml").read_text(encoding="utf-8"))
    write(study, content | {"systems": ["plain"], "fine_tuned": {}})
    assert {folder.name for folder in run(study).iterdir()} == {"plain", "released"}


def test_the_corpus_may_ask_for_links_of_every_system(study):
    content = yaml.safe_load((study / "params.yaml").read_text(encoding="utf-8"))
    content["corpora"][tiny.CORPUS]["training"]["supervision"] = "links"
    content["variants"]["plain"]["training"] = {"supervision": None}
    write(study, content)
    out = run(study)
    assert files(out / "tuned") == {"kind", "train.align", "valid.align"}
    assert files(out / "plain") == {"kind"}


def test_settings_that_are_right_in_fine_tuning_alone_are(study):
    content = yaml.safe_load((study / "params.yaml").read_text(encoding="utf-8"))
    content["corpora"][tiny.CORPUS]["training"] |= {"anneal_epoch": None, "lr_shrink": None}
    content["corpora"][tiny.CORPUS]["fine_tuning"] = {"anneal_epoch": 1, "lr_shrink": 0.5}
    content["variants"]["tuned"]["training"] = {"lr_shrink": 0.3}
    write(study, content)
    assert files(run(study) / "tuned") == {"kind"}


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda study: write_lines(study / "wordalign" / "dev.gdfa", ["1-2"]), r"dev\.gdfa, line 1: link 1-2"),
        (lambda study: write_lines(study / "wordalign" / "train.gdfa", ["0-0"]), r"train\.gdfa has 1 lines"),
        (lambda study: shutil.rmtree(study / "wordalign"), r"train\.gdfa: no such file"),
    ],
)
def test_what_is_missing_is_said_and_nothing_is_written(study, damage, message):
    damage(study)
    with pytest.raises(InputError, match=message):
        run(study)
    assert not (study / "out").exists()
