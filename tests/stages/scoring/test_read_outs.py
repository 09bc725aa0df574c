"""From weights to links and their error rate, by each way of reading them."""

from pathlib import Path

import numpy as np
import pytest

from stages.files.errors import InputError
from stages.measures.gold_links import Gold
from stages.scoring.aligner_scores import quality
from stages.scoring.read_outs import best_head, both_directions, links_of, read_silver

WEIGHTS = np.array([
    [0.7, 0.2, 0.1],
    [0.1, 0.3, 0.6],  # most on the end of sentence
    [0.2, 0.8, 0.0],  # of the target's own end of sentence
])  # fmt: skip


def gold(*links: tuple[int, int]) -> Gold:
    return Gold(frozenset(links), frozenset(links))


def test_links_are_those_of_attention():
    assert links_of([WEIGHTS], "drop") == [frozenset({(0, 0)})]
    assert links_of([WEIGHTS], "renorm") == [frozenset({(0, 0), (1, 1)})]


def test_shifted_a_word_has_the_links_of_the_next_one_and_the_last_those_of_the_end():
    assert links_of([WEIGHTS], "drop", shift=1) == [frozenset({(1, 1)})]
    assert links_of([WEIGHTS], "renorm", shift=1) == [frozenset({(1, 0), (1, 1)})]
    assert links_of([WEIGHTS[2:]], "drop", shift=1) == [frozenset()]


def test_negative_losses_are_no_links():
    assert links_of([np.array([[-1.0, -2.0, -3.0], [0, 0, 0]])], "renorm") == [frozenset()]


def test_both_directions_are_turned_before_they_are_joined():
    forward, backward = [frozenset({(0, 0), (1, 2)})], [frozenset({(0, 0), (1, 1)})]
    found = both_directions(forward, backward)
    assert found["intersection"] == [frozenset({(0, 0)})]
    assert found["grow_diag_final_and"] == [frozenset({(0, 0), (1, 1), (1, 2)})]
    backward = [frozenset({(2, 1)})]  # target word 2 to source word 1
    assert both_directions(forward, backward)["intersection"] == [frozenset({(1, 2)})]


def test_the_best_head_has_the_lowest_error_rate_on_silver_links_and_of_equals_is_the_first():
    silver = [gold((0, 0), (1, 1))]
    heads = {(1, 1): [frozenset({(0, 1)})], (1, 2): [frozenset({(0, 0)})], (2, 1): [frozenset({(1, 1)})]}
    assert best_head(heads, silver) == (1, 2)
    assert best_head({(1, 1): [frozenset()], (1, 2): [frozenset()]}, [gold()]) == (1, 1)


def test_quality_is_of_all_sentences_together():
    found = quality([frozenset({(0, 0)}), frozenset({(0, 1)})], [gold((0, 0), (1, 1)), gold((0, 0))])
    assert found == pytest.approx((100 * (1 - 2 / 5), 50.0, 100 / 3))
    assert quality([frozenset()], [gold()]) == (None, None, None)


def test_silver_links_are_read_in_the_direction_of_the_translation(tmp_path: Path):
    (tmp_path / "dev.gdfa").write_text("0-1 2-0\n\n", encoding="utf-8")
    forward = read_silver(tmp_path / "dev.gdfa", "forward", 2)
    assert forward == [gold((0, 1), (2, 0)), gold()]
    assert read_silver(tmp_path / "dev.gdfa", "reverse", 2) == [gold((1, 0), (0, 2)), gold()]
    with pytest.raises(InputError, match="has 2 lines but dev has 3"):
        read_silver(tmp_path / "dev.gdfa", "forward", 3)
    (tmp_path / "dev.gdfa").write_text("0?1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"dev.gdfa, line 1: '0\?1' is not a link of an aligner.*run the stage again"):
        read_silver(tmp_path / "dev.gdfa", "forward", 1)
