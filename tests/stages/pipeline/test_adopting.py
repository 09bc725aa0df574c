"""Jobs of an earlier run are found again, also while Slurm does not answer; without a Slurm."""

from types import SimpleNamespace

import pytest

from stages.pipeline import queue
from stages.pipeline.slurm import Slurm

OTHER, OURS = queue.State("RUNNING", "None", "other"), queue.State("RUNNING", "None", "ours")


@pytest.mark.parametrize(
    ("answers", "number"),
    [
        ([{"6": OTHER, "7": OURS}], "7"),
        ([None, None, {"6": OTHER, "7": OURS}], "7"),
        ([None, {"6": OTHER}], None),
    ],
)
def test_a_job_of_unknown_number_is_found_by_its_token_once_slurm_answers(monkeypatch, answers, number):
    said, left = [], iter(answers)
    monkeypatch.setattr(queue, "states", lambda: next(left))
    slurm = Slurm.__new__(Slurm)
    slurm._say, slurm._silent, slurm._cluster = said.append, False, SimpleNamespace(poll=0.01)
    assert slurm._number("ours") == number
    assert said == ["Slurm does not answer; waiting until it does"] * (None in answers)
