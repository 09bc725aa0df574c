"""The tables as files, and the recipe below them."""

import csv
import re
from pathlib import Path

import pytest

from stages.reporting import recipe
from stages.reporting.recipe import DIFFERS
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.all_tables import report_tables, table_list, write_tables
from stages.reporting.tables.markdown import escape
from stages.reporting.tables.table import ReportTable
from tests.helpers.report_study import contents
from tests.helpers.table_study import ALL, TITLES, Shape, made

RECIPE = {"bleu": "tok:none|nrefs:1", "model": {"embed_dim": 8}, "aer_floor": 1.25}


class TestRecipe:
    def test_short_takes_what_is_asked_and_there(self):
        assert recipe.short(RECIPE, ["model", "gone", "bleu"]) == ("model: embed dim 8", "BLEU: tok:none|nrefs:1")

    def test_what_differs_between_runs_stands_by_value_the_most_frequent_one_last(self):
        cpu, gpu = {"processor": "EPYC", "gpu": None}, {"processor": "Xeon", "gpu": "H200"}
        runs = {"ba_nmt-1": cpu, "ba_nmt-2": cpu, "sa_nmt-1": cpu, "sa_nmt-2": gpu, "transformer-1": gpu}
        made = {DIFFERS: {"machine": runs}}
        said = "sa_nmt-2, transformer: processor Xeon, gpu H200; all others: processor EPYC, gpu –"
        assert recipe.short(made, ["machine", "gone"]) == (f"machine: {said}",)
        assert f"  - machine: {escape(said)}\n" in recipe.footnotes(made)

    def test_footnotes_escape(self):
        assert "- BLEU: tok:none\\|nrefs:1\n" in recipe.footnotes(RECIPE)


class TestFiles:
    @pytest.mark.slow
    def test_three_files_a_table_and_a_list(self, study: StudyResults, tmp_path: Path):
        write_tables(study, report_tables(study), tmp_path)
        files, latex = ({path.name for path in (tmp_path / name).iterdir()} for name in ("tables", "latex"))
        assert files == {"README.md", *(f"{name}.{kind}" for name in ALL for kind in ("md", "csv"))}
        assert latex == {f"{name}.tex" for name in ALL}
        folder = tmp_path / "tables"
        listed = (folder / "README.md").read_text(encoding="utf-8")
        linked = set(re.findall(r"\]\(([\w.]+)\)", listed))
        assert linked == files - {"README.md"}
        main = list(csv.DictReader((folder / "main.csv").open(encoding="utf-8")))
        assert [row["variant"] for row in main][: len(TITLES)] == list(TITLES)
        assert float(main[0]["bleu"]) == study.frame["bleu"].iloc[0]
        page = (folder / "main.md").read_text(encoding="utf-8")
        assert page.startswith("# Main results\n") and page.count(r"tok:none\|nrefs:1") == 1
        assert page.index("- bold: the best of its column") < page.index("How these numbers came about:")
        assert r"\label{tab:demo-main-1}" in (tmp_path / "latex/main.tex").read_text(encoding="utf-8")

    @pytest.mark.slow
    def test_writing_again_gives_the_same_bytes(self, tmp_path: Path):
        for name in ("first", "second"):
            study = made(tmp_path / f"study_{name}", Shape())
            write_tables(study, report_tables(study), tmp_path / name)
        first, second = (contents(tmp_path / name) for name in ("first", "second"))
        assert first == second and first

    def test_a_removed_row_disappears_everywhere(self, tmp_path: Path):
        study = made(tmp_path / "study", Shape(), {k: v for k, v in TITLES.items() if k != "sa_nmt"})
        write_tables(study, report_tables(study), tmp_path / "report")
        for name, text in contents(tmp_path / "report").items():
            if "/claims." not in name:  # what the papers claim stays
                assert b"sa_nmt" not in text and b"SA &" not in text, name

    def test_the_list_names_the_counterparts(self, tables: dict[str, ReportTable]):
        line = next(line for line in table_list(list(tables.values())).splitlines() if "](eos.md)" in line)
        assert line.endswith("Counterpart of Kuang et al. (2018), Table 2.")
