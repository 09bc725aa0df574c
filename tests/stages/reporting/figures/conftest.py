"""Studies of many and of few systems, and their figures."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure

from stages.reporting.figures import all_figures as drawing
from stages.reporting.figures.all_figures import OF_STUDY, write_figures
from stages.reporting.study_results import StudyResults
from tests.helpers.figure_study import FEW, TITLES, drawn, study_of


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> StudyResults:
    """All rows of params.yaml, and one that no family knows."""
    return study_of(tmp_path_factory.mktemp("large"), TITLES | {"my_own": "My own system"})


@pytest.fixture
def small(tmp_path: Path) -> StudyResults:
    return study_of(tmp_path, FEW)


@pytest.fixture(scope="session")
def of_large(large: StudyResults) -> dict[str, Figure]:
    """The figures of all systems, drawn once for the tests that only look at them."""
    return {name: figure for name in OF_STUDY if (figure := drawn(large, name)) is not None}


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the figures for print of a small study, beside it that of the front page."""
    folder = tmp_path_factory.mktemp("small")
    write_figures(study_of(folder, FEW), folder / "report", None)
    return folder / "report/vector"


@pytest.fixture
def unrendered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are drawn, but their files are empty: rendering is what takes time."""

    def save_png(_: Figure, stem: Path, dpi: int = 0) -> None:
        stem.parent.mkdir(parents=True, exist_ok=True)
        stem.with_name(f"{stem.name}.png").touch()

    def save(figure: Figure, stem: Path) -> None:
        save_png(figure, stem)
        stem.with_name(f"{stem.name}.svg").touch()

    monkeypatch.setattr(drawing, "save_png", save_png)
    monkeypatch.setattr(drawing, "save_small", save_png)
    monkeypatch.setattr(drawing, "save", save)
