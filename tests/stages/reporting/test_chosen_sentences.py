"""The attention of the systems for the sentences that are shown."""

import json
from pathlib import Path

import numpy as np

from stages.measures.gold_links import parse
from stages.reporting.chosen_sentences import read_chosen
from stages.scoring.inputs import read_text
from tests.helpers.report_study import ALIGN, SETTINGS, SOURCE, TARGET, TITLES, record, write


def test_without_a_gold_set_the_heat_maps_show_the_first_test_set(study: Path) -> None:
    stats = json.loads((study / "corpus/stats.json").read_text())
    write(study / "corpus/stats.json", json.dumps(stats | {"gold": False}))
    (study / "corpus/gold.align").unlink()
    text = read_text(study / "corpus", "forward")
    (shown,) = read_chosen(study / "forward-bpe", text, TITLES, 1, SETTINGS, None).values()
    assert shown.caption.startswith("test set, sentence 1")
    assert not shown.maps["star"].gold.possible


def test_reverse_direction_turns_the_gold_links(study: Path) -> None:
    run_directory = study / "forward-bpe"
    lines = [record(target, source, True) for source, target in zip(SOURCE, TARGET, strict=True)]
    write(run_directory / "translations/star-1/gold.forced.jsonl", "\n".join(lines) + "\n")
    text = read_text(study / "corpus", "reverse")
    shown = read_chosen(run_directory, text, {"star": "S"}, 1, SETTINGS, None)["reordering"]
    assert shown.maps["star"].source == (*TARGET[0].split(), "</s>")
    assert (4, 0) in shown.maps["star"].gold.sure


def test_heat_map_data_are_words_and_their_links(study: Path) -> None:
    text = read_text(study / "corpus", "forward")
    shown = read_chosen(study / "forward-bpe", text, TITLES, 2, SETTINGS, None)["reordering"]
    assert list(shown.maps) == ["star"]
    star = shown.maps["star"]
    assert (star.source, star.target) == ((*SOURCE[0].split(), "</s>"), (*TARGET[0].split(), "</s>"))
    assert star.gold == parse(ALIGN[0])
    np.testing.assert_allclose(star.weights, np.tile([1, 1, 1, 1, 1, 2, 1], (7, 1)) / 8)
