"""The LSTMs below Luong's systems, and input feeding."""

from functools import partial

import pytest
import torch
from torch import nn

from fairseq_plugins.core.cells.lstm import LSTM, LSTMState, gated_memory
from tests.helpers import support
from tests.helpers.mechanisms.luong import ARCHS, E, H, of
from tests.helpers.shared_weights import assert_same
from tests.helpers.support import BATCH, build, forward, random
from tests.helpers.torch_cells import load

close = partial(support.close, tolerance=1e-12)


def layer(input_width: int, seed: int = 0) -> tuple[LSTM, nn.LSTM]:
    """Ours, and torch's with the same weights and a second bias of zero."""
    ours, theirs = LSTM(input_width, H).double(), nn.LSTM(input_width, H, batch_first=True, dtype=torch.float64)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        for parameter in ours.parameters():
            nn.init.uniform_(parameter, -1, 1)
    load(theirs, ours.W, ours.U, ours.b, suffix="_l0")
    return ours, theirs


def test_the_lstm_is_torchs():
    ours, theirs = layer(E)
    u, h, c = random(3, 4, E), random(3, H, seed=1), random(3, H, seed=2)
    hidden, (h_last, c_last) = theirs(u, (h.unsqueeze(0), c.unsqueeze(0)))
    close(ours.unroll(ours.from_input(u), LSTMState(h, c)), hidden)
    state = LSTMState(h, c)
    for t in range(4):
        state = ours(ours.from_input(u[:, t]), state)
    close(state.h, h_last[0])
    close(state.c, c_last[0])


def test_gradients_of_the_lstm():
    pre, c = random(3, 4 * H).requires_grad_(), random(3, H, seed=1).requires_grad_()
    assert torch.autograd.gradcheck(gated_memory, (pre, c))
    assert torch.autograd.gradcheck(lambda pre, c: gated_memory(pre, c)[0], (pre, c))


def test_the_encoder_is_a_stack_of_lstms_whose_last_states_start_the_decoder():
    model = build(of("luong_global_general")).model
    source = model.encoder(BATCH.source, BATCH.lengths).source
    for row in range(len(BATCH.source)):
        S = int(BATCH.lengths[row])
        below = model.encoder.embed_tokens(BATCH.source[row : row + 1, :S])
        for k in range(2):
            single = nn.LSTM(below.shape[-1], H, batch_first=True, dtype=torch.float64)
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
                getattr(single, f"{name}_l0").data = getattr(model.encoder.rnn, f"{name}_l{k}").data
            below, (h, c) = single(below)
            close(source.summary[k].h[row], h[0, 0])
            close(source.summary[k].c[row], c[0, 0])
        close(source.annotations[row, :S], below[0])
        assert (source.annotations[row, S:] == 0).all()
    state = model.decoder.cell.start(source)
    assert state.layers is source.summary
    assert (state.fed == 0).all()


@pytest.mark.parametrize("arch", ARCHS)
def test_without_feeding_all_steps_at_once_are_the_steps_one_by_one(arch, monkeypatch):
    model = build(of(arch, input_feeding=False)).model
    at_once = forward(model, BATCH)
    monkeypatch.setattr(type(model.decoder.cell), "unroll", lambda self, y, s: None)
    for one_by_one, expected in zip(forward(model, BATCH), at_once, strict=True):
        close(one_by_one, expected)


@pytest.mark.parametrize("arch", ARCHS)
def test_feeding_that_nothing_reads_is_no_feeding(arch):
    fed, unfed = build(of(arch)).model, build(of(arch, input_feeding=False), seed=2).model
    weights = fed.state_dict()
    weights["decoder.readout.attentional.W_c.weight"] = weights["decoder.cell.attentional.W_c.weight"]
    unfed.load_state_dict({name: weights[name] for name in unfed.state_dict()})
    longer = BATCH.target_lengths > 1
    actual, expected = forward(fed, BATCH)[0], forward(unfed, BATCH)[0]
    close(actual[:, 0], expected[:, 0])  # a~_0 = 0
    assert (actual - expected)[longer, 1].abs().amax(-1).min() > 1e-6
    fed.decoder.cell.W_feed.data.zero_()
    assert_same(fed, unfed)


@pytest.mark.parametrize("feeding", [True, False])
def test_the_output_reads_the_attentional_state_and_nothing_else(feeding):
    """o_i = W_o tanh(W_c [c_i ; d_i]) + b_o, context first."""
    model = build(of("luong_global_dot", input_feeding=feeding)).model
    decoder, source = model.decoder, model.encoder(BATCH.source, BATCH.lengths).source
    W_c = (decoder.cell if feeding else decoder.readout).attentional.W_c.weight
    state = decoder.cell.start(source)
    d, _ = decoder.cell.query(decoder.cell.target(decoder.embed_tokens(BATCH.previous[:, :1]))[:, 0], state)
    weights = torch.einsum("bsh,bh->bs", source.annotations, d).masked_fill(~source.mask, -torch.inf).softmax(1)
    context = torch.einsum("bs,bsh->bh", weights, source.annotations)
    attentional = torch.tanh(context @ W_c[:, :H].T + d @ W_c[:, H:].T)
    close(forward(model, BATCH)[0][:, 0], attentional @ decoder.W_o.weight.T + decoder.W_o.bias)
