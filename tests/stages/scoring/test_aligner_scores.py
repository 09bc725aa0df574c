"""The error rate of files of links."""

from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.files.text import write_lines
from stages.scoring import aligner_scores


def score(folder: Path, links: str, gold: list[str]) -> aligner_scores.Scores:
    for language in ("de", "en"):
        write_lines(folder / f"gold.{language}", ["a b c d"] * len(gold))
    write_lines(folder / "links", [links])
    write_lines(folder / "gold.align", gold)
    return aligner_scores.score(folder / "links", folder, ("de", "en"))


def test_error_rate_is_that_of_the_specification(tmp_path: Path) -> None:
    found = score(tmp_path, "1-1 2-3 3-2", ["1-1 2-2 2?3"])
    assert found == pytest.approx({"aer": 40, "align_precision": 200 / 3, "align_recall": 50})


@pytest.mark.parametrize(
    ("links", "gold", "message"),
    [
        ("0-0", ["0-0", "0-0"], r"links has 1 lines but .*gold\.align has 2"),
        ("0-0", ["0:0"], r"gold\.align, line 1: '0:0' is not a link.*; run the corpus stage again"),
        ("0-0", ["0-4"], r"gold\.align, line 1: link 0-4 lies outside its sentence .*; run the corpus stage again"),
        ("0?0", ["0-0"], r"links, line 1: '0\?0' is not a link of an aligner.*; run the stage again that wrote it"),
    ],
)
def test_links_that_do_not_fit_are_refused(tmp_path: Path, links: str, gold: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        score(tmp_path, links, gold)
