"""Luong's local attention: its windows, its predicted position and its sums."""

import math
from functools import partial

import pytest
import torch
from torch import Tensor

from fairseq_plugins.mechanisms.luong import LuongAttention
from fairseq_plugins.mechanisms.luong_local import LocalMonotonic, LocalPredictive
from tests.helpers import support
from tests.helpers.mechanisms.luong import H, mechanism, of
from tests.helpers.shared_weights import assert_same, with_weights_of
from tests.helpers.support import BATCH, build, forward

close = partial(support.close, tolerance=1e-12)


def local_weights(attention: LuongAttention, h: Tensor, i: int, d: Tensor, renorm: bool) -> Tensor:
    """alpha_i of one sentence ``h (S, C)``, one position after the other, as section 3.2 of the paper has it."""
    S, D = len(h), attention.D
    if isinstance(attention, LocalMonotonic):
        p = min(i, S - 1)
    else:
        p = 1 + torch.sigmoid(attention.v_p @ torch.tanh(attention.W_p.weight @ d)).item() * max(S - 2, 0)
    inside = [j for j in range(1, S + 1) if math.floor(p) - D <= j <= math.floor(p) + D]
    exponentials = {j: (d @ attention.W_a.weight @ h[j - 1]).exp().item() for j in inside}
    weights = torch.zeros(S, dtype=torch.float64)
    for j in inside:
        weights[j - 1] = exponentials[j] / sum(exponentials.values())
        if isinstance(attention, LocalPredictive):
            weights[j - 1] *= math.exp(-((j - p) ** 2) / (2 * (D / 2) ** 2))
    return weights / weights.sum() if renorm else weights


@pytest.mark.parametrize("D", [1, 2, 5])
@pytest.mark.parametrize(
    ("kind", "options"),
    [(LocalMonotonic, {}), (LocalPredictive, {"local_renorm": False}), (LocalPredictive, {"local_renorm": True})],
)
def test_windows(kind, options, D):
    """Exactly 0 outside the window, all steps at once and one by one."""
    attention, source, queries = mechanism(kind, local_window=D, **options)
    memory = attention.memory(source)
    weights = attention.all_steps(queries, memory)[1].detach()
    state = attention.start(memory)
    for i, q in enumerate(queries.unbind(1), start=1):
        step = attention.step((), q, q, memory, state)
        state = attention.update(step, q, q, q, memory)
        close(step.weights.detach(), weights[:, i - 1])
        for b, S in enumerate(source.mask.sum(1).tolist()):
            expected = local_weights(attention, source.annotations[b, :S], i, q[b], options.get("local_renorm", False))
            close(weights[b, i - 1, :S], expected)
            assert (weights[b, i - 1, :S][expected == 0] == 0).all()


@pytest.mark.parametrize(("arch", "D"), [("luong_local_m", 40), ("luong_local_p", 10**8)])
@pytest.mark.parametrize("options", [{}, {"input_feeding": False}, {"luong_base": "rnnsearch_star"}])
def test_a_window_as_wide_as_the_sentence_is_global_attention(arch, D, options):
    local = build(of(arch, local_window=D, **options)).model
    assert_same(local, with_weights_of(local, of("luong_global_general", **options)))


def test_local_p_sums_to_one_at_most():
    for renorm in (False, True):
        weights = forward(build(of("luong_local_p", local_window=3, local_renorm=renorm)).model, BATCH)[1].sum(-1)
        if renorm:
            close(weights, torch.ones_like(weights))
        else:
            assert (weights[BATCH.lengths > 1] < 1).all() and (weights > 0).all()


def test_local_p_with_all_weight_at_its_position_sums_to_one():
    """Two words, so that p_i = 1 whatever is predicted, and a score that sees the first one only."""
    attention, source, queries = mechanism(LocalPredictive, lengths=(2,), local_window=1)
    attention.W_a.weight.data.copy_(torch.eye(H))
    source = source._replace(annotations=torch.stack((queries[0, 0], -queries[0, 0])).unsqueeze(0) * 1e3)
    weights = attention.all_steps(queries[:, :1], attention.memory(source))[1]
    close(weights[0, 0], torch.tensor([1, 0], dtype=torch.float64))


def test_the_predicted_position_learns():
    attention, source, queries = mechanism(LocalPredictive, local_window=2)
    attention.all_steps(queries, attention.memory(source))[1][..., 0].sum().backward()
    assert attention.v_p.grad.abs().min() > 0 and attention.W_p.weight.grad.abs().min() > 0
