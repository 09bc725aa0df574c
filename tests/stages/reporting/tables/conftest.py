"""A study with every table, made once."""

import pytest

from stages.reporting.study_results import StudyResults
from stages.reporting.tables.table import ReportTable
from tests.helpers.table_study import Shape, found_in, made


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    """Two test sets, three seeds."""
    return made(tmp_path_factory.mktemp("study"), Shape(("test", "late"), (1, 2, 3)))


@pytest.fixture(scope="session")
def tables(study: StudyResults) -> dict[str, ReportTable]:
    return found_in(study)
