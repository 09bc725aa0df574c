"""What random kills of whole runs found: a model file that said how often its training had been killed."""

import pytest

from tests.helpers import tiny


@pytest.mark.training
def test_a_killed_training_leaves_no_trace_in_the_model(tmp_path):
    tiny.train_until_killed("one_epoch", tmp_path / "scratch", "Saves.add", 3)
    found = tiny.checkpoint(tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out"))
    expected = tiny.checkpoint(tiny.trained("one_epoch"))
    assert len(expected["optimizer_history"]) == 1
    assert found["optimizer_history"] == expected["optimizer_history"]
    assert found.keys() == expected.keys() and found["extra_state"] == expected["extra_state"]
