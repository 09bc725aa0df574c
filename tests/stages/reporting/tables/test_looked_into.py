"""`tables/looked_into.md`: a section for each system of the study that was looked into; it is listed as tables are."""

from pathlib import Path

from stages.reporting.study_results import StudyResults
from stages.reporting.tables.all_tables import LOOKED_INTO, write_tables
from stages.reporting.tables.markdown import escape


def test_systems_of_the_study_in_its_order_and_text_as_it_is(study: StudyResults, tmp_path: Path):
    first, second, *_ = study.spec.titles
    write_tables(study._replace(looked={second: "with f_j it is_not", "gone": "x", first: "Better."}), [], tmp_path)
    _, *sections = (tmp_path / "tables" / LOOKED_INTO).read_text(encoding="utf-8").split("\n## ")
    titles = [escape(study.spec.titles[name]) for name in (first, second)]
    assert sections == [f"{titles[0]}\n\nBetter.\n", f"{titles[1]}\n\nwith f\\_j it is\\_not\n"]
    assert f"]({LOOKED_INTO})" in (tmp_path / "tables" / "README.md").read_text(encoding="utf-8")


def test_without_any_there_is_no_file(study: StudyResults, tmp_path: Path):
    write_tables(study._replace(looked={"gone": "x"}), [], tmp_path)
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["README.md"]
    assert LOOKED_INTO not in (tmp_path / "tables" / "README.md").read_text(encoding="utf-8")
