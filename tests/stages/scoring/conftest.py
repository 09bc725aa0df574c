import pytest

from tests.stages.scoring.toy_system import write_system


@pytest.fixture
def files(tmp_path):
    """A corpus and the output of one system on it, as the stages before leave them."""
    write_system(tmp_path)
    return tmp_path
