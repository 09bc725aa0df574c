"""The unoptimised baselines compute what the systems compute."""

import numpy as np
import pytest
import torch

from benchmarks.baseline import BASELINES, UnoptimisedBaseline
from benchmarks.batches import sample
from benchmarks.sizes import Size
from benchmarks.systems import BASE
from tests.benchmarks.reference import parameters, system_of
from tests.naive.system import run

CPU = torch.device("cpu")


@pytest.mark.parametrize("name", BASELINES)
def test_an_unoptimised_baseline_equals_the_reference_implementation(name):
    tiny = tiny_baseline(name)
    batch = sample(Size("", 3, 5, 4, 6, 11), False, CPU)["net_input"]
    logits, weights = tiny(batch["src_tokens"], batch["prev_output_tokens"])
    for row, (source, previous) in enumerate(zip(batch["src_tokens"], batch["prev_output_tokens"], strict=True)):
        found = run(system_of(tiny), parameters(tiny), source.tolist(), previous.tolist())
        np.testing.assert_allclose(logits[row].detach(), found.logits, rtol=0, atol=1e-12)
        np.testing.assert_allclose(weights[row].detach(), found.weights, rtol=0, atol=1e-12)


def tiny_baseline(name: str) -> UnoptimisedBaseline:
    """In float64; the second biases of torch's cells, which the papers lack, are zero."""
    torch.manual_seed(3)
    tiny = UnoptimisedBaseline(11, 6, BASELINES[name] != BASE, dropout=0.0, label_smoothing=0.0).double()
    for parameter in tiny.parameters():
        torch.nn.init.uniform_(parameter, -0.7, 0.7)
    for cell in [module for module in tiny.modules() if isinstance(module, torch.nn.GRUCell)]:
        torch.nn.init.zeros_(cell.bias_hh)
    return tiny


def test_the_loss_of_an_unoptimised_baseline_is_the_likelihood():
    tiny, batch = tiny_baseline("baseline_ba_nmt"), sample(Size("", 3, 5, 4, 6, 11), False, CPU)
    logits, _ = tiny(batch["net_input"]["src_tokens"], batch["net_input"]["prev_output_tokens"])
    expected = -logits.log_softmax(-1).gather(-1, batch["target"].unsqueeze(-1)).sum()
    assert float(tiny.loss(batch).detach()) == pytest.approx(float(expected.detach()), rel=1e-12)
