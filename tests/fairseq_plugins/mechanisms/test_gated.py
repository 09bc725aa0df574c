"""GAtt and GAtt-Inv: torch's GRU, what the paper prints, and the base where the gate keeps."""

from functools import partial

import pytest
import torch
from torch import nn

from fairseq_plugins.mechanisms.gated import GatedAttention, GatedOptions, GAtt, GAttInv
from tests.helpers import support
from tests.helpers.mechanisms.alone import SHUT, A, C, H, ragged, randomised, run, zero
from tests.helpers.mechanisms.beside_the_base import SYSTEMS, assert_baseline, assert_not_baseline, named
from tests.helpers.support import BATCH, build, forward
from tests.helpers.torch_cells import load

close = partial(support.close, tolerance=1e-12)


def keep_old(mechanism: GatedAttention) -> None:
    """b_z is large: the GRU keeps its old state."""
    width = mechanism.gru.width
    mechanism.gru.b.data[width : 2 * width] = -SHUT


@pytest.mark.parametrize("name", named("gatt"))
def test_gatt_that_keeps_the_annotations_is_the_base(name):
    subject = build(SYSTEMS[name])
    assert_not_baseline(subject, first=0)
    keep_old(subject.model.decoder.attention)
    assert_baseline(subject)


@pytest.mark.parametrize("name", named("gatt_inv"))
def test_gatt_inv_that_keeps_the_decoder_state_sees_no_source(name):
    subject = build(SYSTEMS[name])
    real = (torch.arange(5) < BATCH.lengths.unsqueeze(1)).double()
    uniform = (real / real.sum(1, keepdim=True)).unsqueeze(1).expand(-1, BATCH.target.shape[1], -1)
    longer = BATCH.lengths > 1
    assert (forward(subject.model, BATCH)[1] - uniform)[longer].abs().amax(-1).min() > 1e-6
    keep_old(subject.model.decoder.attention)
    close(forward(subject.model, BATCH)[1].detach(), uniform)


@pytest.mark.parametrize("state", ["prev", "query"])
@pytest.mark.parametrize("kind", [GAtt, GAttInv])
def test_gated_annotations_are_those_of_a_gru(kind, state):
    """torch's GRU resets after, too; its second bias is zero here."""
    mechanism = randomised(kind(GatedOptions(gatt_state=state), H, C, A))
    source, states = ragged()
    q, s_prev, _ = states[0]
    given = (s_prev if state == "prev" else q).unsqueeze(1).expand(-1, 4, -1)
    u, h = (given, source.annotations) if kind is GAtt else (source.annotations, given)
    cell = nn.GRUCell(u.shape[-1], h.shape[-1], dtype=torch.float64)
    load(cell, mechanism.gru.W, mechanism.gru.U, mechanism.gru.b)
    gated = cell(u.reshape(8, -1), h.reshape(8, -1)).reshape(2, 4, -1)
    step = mechanism.step((), q, s_prev, mechanism.memory(source), ())
    close(step.context, torch.einsum("bs,bsc->bc", step.weights, gated))
    for b, j in source.mask.nonzero().tolist():
        inside = mechanism.W_a(q[b]) + mechanism.U_a(gated[b, j]) + mechanism.b_a
        first = mechanism.W_a(q[b]) + mechanism.U_a(gated[b, 0]) + mechanism.b_a
        ratio = (mechanism.v @ inside.tanh() - mechanism.v @ first.tanh()).exp()
        close(step.weights[b, j] / step.weights[b, 0], ratio)


@pytest.mark.parametrize("kind", [GAtt, GAttInv])
def test_reset_before_is_what_the_paper_prints(kind):
    mechanism = randomised(kind(GatedOptions(gru_reset_before=True), H, C, A))
    source, states = ragged()
    _, s_prev, _ = states[0]
    gated = mechanism.gated(s_prev.unsqueeze(1), mechanism.memory(source))
    W, U, b = (list(weight.chunk(3)) for weight in (mechanism.gru.W, mechanism.gru.U, mechanism.gru.b))
    for row in range(2):
        for j in range(4):
            u, h = s_prev[row], source.annotations[row, j]
            if kind is GAttInv:
                u, h = h, u
            r, z = (torch.sigmoid(W[k] @ u + U[k] @ h + b[k]) for k in (0, 1))
            n = torch.tanh(W[2] @ u + U[2] @ (r * h) + b[2])
            close(gated[row, j], z * h + (1 - z) * n)


@pytest.mark.parametrize("kind", [GAtt, GAttInv])
def test_gated_contexts_change_with_the_state_although_the_weights_do_not(kind):
    mechanism = randomised(kind(GatedOptions(), H, C, A))
    zero(mechanism.v)
    steps, _ = run(mechanism, *ragged())
    close(steps[0].weights, steps[1].weights)
    assert (steps[0].context - steps[1].context).abs().amax(-1).min() > 1e-3
