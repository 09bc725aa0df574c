"""Luong's scores: by their definitions, and which word they leave out."""

from functools import partial

import pytest
import torch

from fairseq_plugins.mechanisms.luong import Concat, Dot, General, Location
from fairseq_plugins.mechanisms.luong_local import LocalMonotonic, LocalPredictive
from tests.helpers import support
from tests.helpers.mechanisms.luong import H, mechanism, of
from tests.helpers.shared_weights import assert_same, with_weights_of
from tests.helpers.support import build

close = partial(support.close, tolerance=1e-12)
SCORES = {
    Dot: lambda m, d, h, j: d @ h,
    General: lambda m, d, h, j: d @ m.W_a.weight @ h,
    Concat: lambda m, d, h, j: m.v @ torch.tanh(m.W_a @ torch.cat((d, h))),
    Location: lambda m, d, h, j: m.W_l.weight[j] @ d,
}


@pytest.mark.parametrize(("kind", "C"), [(kind, C) for kind in SCORES for C in (H, 2 * H) if (kind, C) != (Dot, 2 * H)])
def test_scores(kind, C):
    attention, source, queries = mechanism(kind, C)
    contexts, weights = attention.all_steps(queries, attention.memory(source))
    for b, S in enumerate(source.mask.sum(1).tolist()):
        for i in range(queries.shape[1]):
            d, h = queries[b, i], source.annotations[b]
            expected = torch.stack([SCORES[kind](attention, d, h[j], j) for j in range(S)]).softmax(0)
            close(weights[b, i, :S], expected)
            close(contexts[b, i], expected @ h[:S])
            assert (weights[b, i, S:] == 0).all()


def test_dot_is_general_with_the_identity():
    dot = build(of("luong_global_dot")).model
    general = with_weights_of(dot, of("luong_global_general"), **{"W_a.weight": torch.eye(H, dtype=torch.float64)})
    assert_same(general, dot)


def test_location_does_not_look_at_the_source():
    attention, source, queries = mechanism(Location)
    weights = attention.all_steps(queries, attention.memory(source))[1]
    other = source._replace(annotations=source.annotations.flip(1))
    close(attention.all_steps(queries, attention.memory(other))[1], weights, tolerance=0)


def test_eos_can_be_left_out():
    """Of a sentence that has words: one that is nothing but eos keeps it."""
    for kind in (*SCORES, LocalMonotonic, LocalPredictive):
        attention, source, queries = mechanism(kind, attend_eos=False)
        weights = attention.all_steps(queries, attention.memory(source))[1]
        assert (weights[0, :, 8] == 0).all() and (weights[1, :, 3:] == 0).all()
        assert (weights[0, 8:, :8].sum(-1) > 0).all() and (weights[2, :, 0] > 0).all()
