"""Read-outs of a study's systems in metrics.json, the table and the figure; and a study that asks for none."""

import json
from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.files.run_directory import RunDirectory
from stages.reporting.figures.read_outs import MARKERS
from stages.reporting.figures.read_outs import read_outs as figure
from stages.reporting.results import read_read_outs
from stages.reporting.tables.measured import measured
from stages.reporting.tables.read_outs import read_outs as table
from stages.reporting.tables.table import MISSING
from stages.scoring.read_outs import READ_OUTS
from tests.helpers.report_study import make, results, write

SEEDS = (1, 2)


def quality(aer: float) -> dict[str, float]:
    return {"aer": aer, "precision": 100 - aer, "recall": 90 - aer}


def put(study: Path, variant: str = "star", **ways: float) -> None:
    for seed in SEEDS:
        found = {name: quality(aer + seed) for name, aer in ways.items()}
        head = {"layer": 3, "head": seed} if "head" in ways else None
        content = {"variant": variant, "seed": seed, "read_outs": found, "head": head}
        write(study / f"forward-bpe/scores/read_outs/{variant}/{seed}.json", json.dumps(content))


def test_a_study_that_asks_for_none_has_no_table_and_no_figure(study: Path):
    found = results(study)
    assert "read_outs" not in found.document
    assert table(found, measured(found.document)) is None and figure(found) is None


def test_a_row_a_system_and_a_column_a_way(study: Path):
    put(study, "plain", gradient=50.0, erasure=40.0)
    put(study, "star", attention=30.0, shifted=60.0, gradient=35.0, head=25.0)
    found = results(study, read_outs=("star", "plain"))
    document = found.document["read_outs"]
    assert document["star"]["mean"]["attention"] == {"aer": 31.5, "precision": 68.5, "recall": 58.5}
    assert document["star"]["sd"]["attention"]["aer"] == pytest.approx(0.5**0.5)
    assert document["star"]["seeds"]["2"]["shifted"]["aer"] == 62.0
    entry = table(found, measured(found.document))
    assert list(entry.parts) == ["AER", "Precision", "Recall"]
    headings = [heading.rstrip(" ↑↓") for heading in entry.parts["AER"].headings[1:]]
    assert [heading.split()[0] for heading in headings] == ["attention", "attention", "gradient", "erasure", "best"]
    cells = dict(zip(entry.parts["AER"].names, [cells for _, cells in entry.parts["AER"].rows], strict=True))
    assert [cell.text for cell in cells["plain"]] == [MISSING, MISSING, "51.50 ± 0.71", "41.50 ± 0.71", MISSING]
    assert cells["star"][0].text == "31.50 ± 0.71" and cells["star"][2].best
    assert "star: layer 3, head 1 (seed 1), layer 3, head 2 (seed 2)" in entry.notes[0]
    aer = found.document["aligners"]["gdfa"]["aer"]
    assert f"Statistical alignment, both (eflomal, grow-diag-final-and): {aer:.2f}" in entry.notes[1]
    drawn = figure(found)
    assert drawn is not None and len(drawn.axes[0].get_yticklabels()) == 2
    assert len(drawn.axes[0].containers) == 6
    assert set(MARKERS) == set(READ_OUTS)


@pytest.mark.slow
@pytest.mark.usefixtures("empty_figures")
def test_the_report_has_them(study: Path):
    put(study, attention=30.0, gradient=35.0)
    out = make(study, read_outs=("star",))
    assert "gradient × input" in (out / "tables/read_outs.md").read_text(encoding="utf-8")
    assert (out / "figures/read_outs.png").exists() and "read_outs.md" in (out / "tables/README.md").read_text()


def test_a_file_of_another_version_is_refused(study: Path):
    put(study, attention=30.0, guess=1.0)
    with pytest.raises(InputError, match=r"1.json holds other read-outs than this version knows; run `dvc repro`"):
        read_read_outs(RunDirectory(study / "forward-bpe"), ["star"], ["star"], SEEDS)
    with pytest.raises(InputError, match=r"plain/1.json: no such file"):
        read_read_outs(RunDirectory(study / "forward-bpe"), ["plain"], ["plain"], SEEDS)
