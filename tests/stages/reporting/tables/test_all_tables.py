"""Which tables a study of each shape has."""

from pathlib import Path
from typing import Any

import pytest

from stages.reporting.marks import marks_record
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.latex import latex
from stages.reporting.tables.markdown import page
from stages.reporting.tables.measured import SHARED_MARKS, measured, notes, shown
from stages.reporting.tables.table import Cell, Column, ReportTable, Table
from tests.helpers.table_study import ALL, TABLE, TITLES, Shape, found_in, grid, made


class TestContents:
    def test_every_table_of_a_whole_study(self, tables: dict[str, ReportTable]):
        assert tuple(tables) == ALL

    def test_without_models_there_are_no_formulas(self, study: StudyResults):
        assert "formulas" not in found_in(study._replace(spec=study.spec._replace(models={})))

    @pytest.mark.parametrize(
        ("shape", "without"),
        [
            (Shape(), set()),
            *(
                pytest.param(shape, without, marks=pytest.mark.slow)
                for shape, without in (
                    (Shape(gold=False), {"alignment"}),
                    (Shape(tags=False), {"pos_confusion"}),
                    (Shape(attention=False), {"alignment", "eos", "pos_confusion"}),
                )
            ),
        ],
        ids=["one test set, one seed", "no gold set", "no tags", "no attention"],
    )
    def test_what_a_study_lacks_has_no_table(self, tmp_path: Path, shape: Shape, without: set[str]):
        found = found_in(made(tmp_path, shape))
        assert set(found) == set(ALL) - without
        for each in found.values():
            assert "nan" not in page(each) and "nan" not in latex(each, "x")

    def test_one_row_is_a_report_too(self, tmp_path: Path):
        found = found_in(made(tmp_path, Shape(), {"rnnsearch_star": "RNNsearch*"}))
        assert set(found) == set(ALL) - {"ablation", "transform"}

    def test_rows_follow_params(self, tables: dict[str, ReportTable]):
        for name in ("quality", "over_translation", "cost", "perplexity", "formulas"):
            for table in tables[name].parts.values():
                left = [variant for variant in TITLES if variant in table.names]
                assert list(table.names) == left, name

    def test_one_seed_has_no_deviation(self, tmp_path: Path):
        for each in found_in(made(tmp_path, Shape())).values():
            assert not any("±" in cell.text for table in each.parts.values() for cell in table.cells)
            assert not any("mean ±" in note for note in each.notes)

    def test_several_seeds_have_mean_and_deviation(self, study: StudyResults, tables: dict[str, ReportTable]):
        system = study.document["systems"]["ba_nmt"]
        cell = grid(tables["quality"].parts["late"])["BA_NMT"]["BLEU ↑"]
        mean, sd = (system[part]["tests"]["late"]["bleu"] for part in ("mean", "sd"))
        assert (cell.number, cell.sd) == (mean, sd) and sd > 0
        assert cell.text == f"{mean:.2f} ± {sd:.2f}"
        assert "mean ± standard deviation over the seeds 1, 2, 3" in tables["quality"].notes

    def test_columns_without_a_value_are_left_out(self, tmp_path: Path):
        found = found_in(made(tmp_path, Shape(tags=False)))
        assert not any("NN" in heading for heading in found["over_translation"].parts[""].headings)
        assert "RNNencdec" not in grid(found["eos"].parts[""])

    def test_marks_and_best(self, study: StudyResults):
        numbers = measured(study.document)
        column = Column("tests.test.bleu", "BLEU", "high", "{:.2f}".format, spread=False)
        marks = {("sa_nmt", "tests.test.bleu"): "‡"}
        cells = {title: cell for title, (cell,) in shown(numbers._replace(marks=marks), [column]).rows}
        assert {title for title, cell in cells.items() if cell.marks} == {"SA & <NMT>"}
        assert max(cell.number for cell in cells.values()) == next(c.number for c in cells.values() if c.best)

    def test_an_average_has_the_marks_of_every_test_set(self):
        def sets(**marks: str) -> dict[str, Any]:
            of = {name: {"bleu": {"sa_nmt": {"marks": mark}, "rnnencdec": None}} for name, mark in marks.items()}
            return {"settings": {"baseline": "rnnsearch_star"}, "left_out": [], "sets": of}

        document = {"systems": {"sa_nmt": {"title": "SA", "mean": {"aer": 1.0}, "sd": {"aer": None}}}}
        marks = measured(document | {"marks": marks_record(sets(test="‡⋆", late="‡"))}).marks
        assert [marks["sa_nmt", f"tests.{name}.bleu"] for name in ("test", "late", "average")] == ["‡⋆", "‡", "‡"]
        assert not any(variant == "rnnencdec" for variant, _ in marks)

    def test_the_footnote_explains_marks_where_there_are_some(self, study: StudyResults):
        marked = Table(("System", "x"), (("A", (Cell("1", marks="‡"),)),))
        assert any(
            note.startswith("marks: ‡ better than rnnsearch_star") for note in notes(study.document, [marked], ())
        )
        assert SHARED_MARKS in notes(study.document, [marked], ())
        assert not any("marks:" in note for note in notes(study.document, [TABLE._replace(rows=())], ()))
