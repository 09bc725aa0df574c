"""Which criterion `python -m fairseq_plugins train` takes where none is named."""

import pytest

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from fairseq_plugins.__main__ import _register


@pytest.mark.parametrize(
    ("command", "options", "further"),
    [
        ("train", ["data", "--arch", "bridging_direct"], ["--criterion", "auxiliary_nll"]),
        ("train", ["data", "-a", "rnnsearch"], ["--criterion", "auxiliary_nll"]),
        ("train", ["data", "--arch", "bridging_direct", "--criterion", "cross_entropy"], []),
        ("train", ["data", "--arch", "lstm"], []),  # fairseq's own
        ("generate", ["data", "--path", "model.pt"], []),
        ("preprocess", ["--only-source"], []),
    ],
)
def test_systems_with_terms_learn_from_their_losses(command, options, further):
    assert _register(command, options) == further
