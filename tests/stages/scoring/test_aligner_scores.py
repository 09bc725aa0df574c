"""The error rate of files of links."""

from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.files.text import write_lines
from stages.scoring import aligner_scores


def test_error_rate_is_that_of_the_specification(tmp_path: Path) -> None:
    write_lines(tmp_path / "links", ["1-1 2-3 3-2"])
    write_lines(tmp_path / "gold", ["1-1 2-2 2?3"])
    found = aligner_scores.score(tmp_path / "links", tmp_path / "gold")
    assert found == pytest.approx({"aer": 40, "align_precision": 200 / 3, "align_recall": 50})


@pytest.mark.parametrize(
    ("links", "gold", "message"),
    [
        ("0-0", ["0-0", "0-0"], "links has 1 lines but .*gold has 2"),
        ("0-0", ["0:0"], "gold, line 1: '0:0' is not a link"),
        ("0?0", ["0-0"], r"links, line 1: '0\?0' is not a link of an aligner.*; run the stage again that wrote it"),
    ],
)
def test_links_that_do_not_fit_are_refused(tmp_path: Path, links: str, gold: list[str], message: str) -> None:
    write_lines(tmp_path / "links", [links])
    write_lines(tmp_path / "gold", gold)
    with pytest.raises(InputError, match=message):
        aligner_scores.score(tmp_path / "links", tmp_path / "gold")
