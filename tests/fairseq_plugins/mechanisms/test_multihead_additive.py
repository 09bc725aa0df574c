"""Several heads of additive attention: each by itself, and what one head is."""

import pytest
import torch

from fairseq_plugins.mechanisms.multihead_additive import MultiheadAdditive, MultiheadOptions
from tests.helpers.mechanisms.alone import A, C, H, ragged, randomised, run
from tests.helpers.mechanisms.beside_the_base import close
from tests.helpers.support import BATCH, build, forward, of


def mechanism(**options: int) -> MultiheadAdditive:
    return randomised(MultiheadAdditive(MultiheadOptions(**options), H, C, A))


def test_one_head_that_reads_the_annotations_is_rnnsearch_star():
    one = build(of("multihead_additive", attention_heads=1), seed=1).model
    base = build(of("rnnsearch_star"), seed=2).model
    weights, attention = one.state_dict(), one.decoder.attention
    weights["decoder.attention.U_a.bias"] = attention.b_a.data
    shared = {name: weights[name] for name in base.state_dict() if ".attention." not in name}
    wide = base.decoder.attention
    for name, own in (("W_a", wide.W_a.weight), ("U_a", wide.U_a.weight), ("b_a", wide.U_a.bias), ("v", wide.v)):
        source = getattr(attention, name)
        source = source.weight if isinstance(source, torch.nn.Linear) else source
        own.data.zero_()
        own.data[: len(source)] = source.data  # TINY's heads are narrower: what is beyond has no say, v being 0 there
    base.load_state_dict(shared, strict=False)
    attention.W_V.weight.data = torch.eye(C, dtype=torch.float64)
    for actual, expected in zip(forward(one, BATCH), forward(base, BATCH), strict=True):
        close(actual, expected)


def test_heads_attend_and_read_by_themselves():
    made = mechanism(attention_heads=3, head_dim=2)
    source, states = ragged()
    for step, (q, *_) in zip(run(made, source, states)[0], states, strict=True):
        weights, contexts = [], []
        for k in range(3):
            own, read = slice(2 * k, 2 * k + 2), slice(4 * k, 4 * k + 4)
            inside = q @ made.W_a.weight[own].T + made.b_a[own]
            keys = source.annotations @ made.U_a.weight[own].T
            energies = torch.tanh(inside.unsqueeze(1) + keys) @ made.v[own]
            weights.append(energies.masked_fill(~source.mask, -torch.inf).softmax(-1))
            contexts.append(torch.einsum("bs,bsc->bc", weights[-1], source.annotations @ made.W_V.weight[read].T))
        close(step.weights, sum(weights) / 3)
        close(step.context, torch.cat(contexts, -1))


def test_a_head_by_default_takes_its_share_of_the_width():
    made = MultiheadAdditive(MultiheadOptions(attention_heads=4), H, C, attention_width=8)
    assert made.W_a.weight.shape == (8, H) and made.v.shape == (8,) and made.W_V.weight.shape == (C, C)
    made = MultiheadAdditive(MultiheadOptions(attention_heads=4, head_dim=5), H, C, attention_width=8)
    assert made.W_a.weight.shape == (20, H)


@pytest.mark.parametrize(
    ("heads", "message"),
    [(0, "greater than 0, not 0"), (2, "2 attention_heads cannot divide attention width of 5"),
     (5, "5 attention_heads cannot divide annotations of 12")],
)  # fmt: skip
def test_heads_that_cannot_be(heads, message):
    with pytest.raises(ValueError, match=message):
        mechanism(attention_heads=heads)
