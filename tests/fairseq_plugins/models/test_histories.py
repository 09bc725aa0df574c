"""What Xue et al. 2019 say of their histories: what they leave unchanged, and what a step hands out."""

from functools import partial

import pytest
import torch
from torch import Tensor

from fairseq_plugins.core.model import RecurrentModel
from fairseq_plugins.core.protocol import Source, Step, Widths
from fairseq_plugins.terms.source_history import SourceHistory
from fairseq_plugins.terms.target_history import TargetHistory, TargetHistoryOptions
from tests.fairseq_plugins.models.histories import ON_STAR, WITH_HISTORIES
from tests.helpers import support
from tests.helpers.shared_weights import assert_same, base_of, silence, with_weights_of
from tests.helpers.support import BATCH, SYSTEMS, build, forward, of

close = partial(support.close, tolerance=1e-12)


def shut_gates(model: RecurrentModel) -> None:
    """The update gate only keeps: b_z is large."""
    for term in model.decoder.attention.terms.values():
        D = term.gru.width
        term.gru.b.data[D : 2 * D] = 80


def zero_everything(model: RecurrentModel) -> None:
    """Every weight of the terms."""
    decoder = model.decoder
    for module in (decoder.attention.terms, decoder.readout.L_reads):
        for parameter in module.parameters():
            parameter.data.zero_()


@pytest.mark.parametrize("name", WITH_HISTORIES)
def test_histories_do_not_touch_the_first_step_and_touch_the_second(name):
    model = build(SYSTEMS[name]).model
    longer = BATCH.target_lengths > 1
    for actual, expected in zip(forward(model, BATCH), forward(base_of(model), BATCH), strict=True):
        close(actual[:, 0], expected[:, 0])
        assert (actual[longer, 1] - expected[longer, 1]).abs().amax(-1)[BATCH.lengths[longer] > 1].min() > 1e-6


@pytest.mark.parametrize("name", ON_STAR)
def test_a_term_whose_weights_are_zero_leaves_the_base(name):
    model = build(SYSTEMS[name]).model
    zero_everything(model)
    assert_same(model, base_of(model))


@pytest.mark.parametrize("name", WITH_HISTORIES)
def test_histories_that_nothing_reads_leave_the_base(name):
    model = build(SYSTEMS[name]).model
    silence(model)
    assert_same(model, base_of(model))


@pytest.mark.parametrize("name", WITH_HISTORIES)
def test_histories_that_never_move_leave_the_base(name):
    model = build(SYSTEMS[name]).model
    shut_gates(model)
    assert_same(model, base_of(model))


@pytest.mark.parametrize(("silent", "arch"), [("target_history", "sa_nmt"), ("source_history", "ta_nmt")])
def test_one_silenced_history_leaves_the_other(silent, arch):
    both = build(of("ba_nmt")).model
    silence(both, silent)
    assert_same(both, with_weights_of(both, of(arch)))


SMALL = Widths(vocabulary=9, embedding=7, hidden=6, annotation=12, attention=5)


def one_step(random: torch.Generator) -> tuple[Source, Step, Tensor]:
    """A ragged source, a step's weights over it, and the states s_{i-1}, q_i, s_i ``(3, B, H)``."""
    mask = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0]]).bool()
    h = torch.randn(2, 4, 12, dtype=torch.float64, generator=random) * mask.unsqueeze(-1)
    weights = torch.rand(2, 4, dtype=torch.float64, generator=random) * mask
    weights = weights / weights.sum(1, keepdim=True)
    context = torch.einsum("bs,bsc->bc", weights, h)
    states = torch.randn(3, 2, 6, dtype=torch.float64, generator=random)
    return Source(mask.long(), mask, h, h, h[:, 0, 6:]), Step(context, weights, {}, None, None, (), ()), states


@pytest.mark.parametrize(
    ("kind", "options", "handed_out"),
    [
        (SourceHistory, SourceHistory.Options(history_dim=12), "context"),
        (TargetHistory, TargetHistoryOptions(history_dim=6, target_history_state="prev"), 0),
        (TargetHistory, TargetHistoryOptions(history_dim=6, target_history_state="query"), 1),
        (TargetHistory, TargetHistoryOptions(history_dim=6, target_history_state="cur"), 2),
    ],
)
def test_what_a_step_hands_out_sums_to_what_it_had(kind, options, handed_out):
    """sum_j I^S_ij = c_i and sum_j I^T_ij = s_{i-1}: through a GRU that gives tanh(tiny I_ij) and keeps nothing."""
    tiny, D = 1e-8, options.history_dim
    term = kind(options, SMALL).double()
    for parameter in term.parameters():
        parameter.data.zero_()
    term.gru.b.data[D : 2 * D] = -80
    term.gru.W.data[2 * D :] = tiny * torch.eye(D, dtype=torch.float64)
    source, step, (s_prev, q, s) = one_step(torch.Generator().manual_seed(1))
    memory = term.memory(source)
    state = term.update(step, q, s_prev, s, (), memory, term.start(memory))
    expected = step.context if handed_out == "context" else (s_prev, q, s)[handed_out]
    close(state.sum(1) / tiny, expected, tolerance=1e-6)
    assert (state[~source.mask] == 0).all()


@pytest.mark.parametrize("kind", [SourceHistory, TargetHistory])
def test_histories_stay_zero_at_padding(kind):
    """GRU(0, 0) is not 0 when it has biases, so what stands at padding is zeroed."""
    term = kind(kind.Options(history_dim=3), SMALL).double()
    for parameter in term.parameters():
        torch.nn.init.uniform_(parameter, -1, 1)
    source, step, (s_prev, q, s) = one_step(torch.Generator().manual_seed(2))
    memory = term.memory(source)
    state = term.update(step, q, s_prev, s, (), memory, term.start(memory))
    assert (state[~source.mask] == 0).all()
    assert (state[source.mask] != 0).all()
