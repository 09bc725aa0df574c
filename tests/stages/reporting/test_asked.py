"""Which systems of a study have values that do not compete, from the params.yaml that is committed."""

import pytest

from stages.reporting.asked import _apart
from stages.reporting.competing import CANDIDATES, LONGER
from stages.settings.params import read
from stages.settings.systems import study_systems


@pytest.fixture(scope="module")
def apart() -> dict[str, str]:
    """Of a study of all systems whose corpus has three epochs."""
    content = read()
    return _apart(study_systems(content | content["studies"]["demo"]), 3)


def test_fine_tuned_and_longer_trainings(apart: dict[str, str]):
    longer = {name for name, why in apart.items() if why == LONGER}
    assert longer == {*read()["fine_tuned_sets"]["all"], "rnnsearch_50_long"}


def test_candidates(apart: dict[str, str]):
    assert [name for name, why in apart.items() if why == CANDIDATES] == ["lvnmt"]


def test_more_epochs_for_all_are_no_longer_training():
    content = read()
    assert "rnnsearch_50_long" not in _apart(study_systems(content | content["studies"]["demo"]), 6)
