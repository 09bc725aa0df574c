"""Luong et al. 2015: scores, windows, input feeding, and the LSTMs below them."""

import math
from functools import partial

import pytest
import torch
from torch import Tensor, nn

from fairseq_plugins.core.cells.lstm import LSTM, LSTMState, gated_memory
from fairseq_plugins.core.protocol import Source
from fairseq_plugins.mechanisms.luong import Concat, Dot, General, Location, LuongAttention, LuongOptions
from fairseq_plugins.mechanisms.luong_local import LocalMonotonic, LocalPredictive
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.invariants import BATCH, PROMISES
from tests.helpers.support import build, forward

from fairseq.models import FairseqEncoderDecoderModel

close = partial(support.close, tolerance=1e-12)
E, H, A, V_x, V_y = 7, 6, 5, 15, 17  # as in support.TINY
S_MAX = 5  # the longest source of promises.BATCH: every row of W_l is used

GLOBAL = [f"luong_global_{score}" for score in ("dot", "general", "concat", "location")]
LOCAL = ["luong_local_m", "luong_local_p"]
ARCHS = [*GLOBAL, *LOCAL]


def of(arch: str, **options: int | str | bool) -> VariantModel:
    """Location with S_MAX positions."""
    return VariantModel(arch=arch, location_positions=S_MAX, **options)


SYSTEMS = (
    {arch: of(arch) for arch in ARCHS}
    | {f"{arch} without feeding": of(arch, input_feeding=False) for arch in ARCHS}
    | {f"{arch} on D2": of(arch, luong_base="rnnsearch_star") for arch in (GLOBAL[1], *LOCAL)}
    | {f"{arch} in a narrow window": of(arch, local_window=1) for arch in LOCAL}
    | {
        f"{arch} without eos": of(arch, attend_eos=False, local_window=2, input_feeding=False)
        for arch in (GLOBAL[0], *LOCAL)
    }
    | {
        "three layers": of("luong_global_general", luong_layers=3),
        "one layer": of("luong_global_general", luong_layers=1),
        "renormalised": of("luong_local_p", local_renorm=True, local_window=2),
    }
)


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("name", SYSTEMS)
def test_promises(name, promise):
    PROMISES[promise](build(SYSTEMS[name]).model)


def with_weights_of(model: FairseqEncoderDecoderModel, variant: VariantModel, **changed: Tensor):
    """Another system with the same weights, and a few of its own."""
    other = build(variant, seed=2).model
    own = {f"decoder.attention.{name}": value for name, value in changed.items()}
    shared = model.state_dict() | own
    other.load_state_dict({name: shared[name] for name in other.state_dict()})
    return other


def assert_same(one: FairseqEncoderDecoderModel, other: FairseqEncoderDecoderModel) -> None:
    for actual, expected in zip(forward(one, BATCH), forward(other, BATCH), strict=True):
        close(actual, expected)


# LSTM


def layer(input_width: int, seed: int = 0) -> tuple[LSTM, nn.LSTM]:
    """Ours, and torch's with the same weights and a second bias of zero."""
    ours, theirs = LSTM(input_width, H).double(), nn.LSTM(input_width, H, batch_first=True, dtype=torch.float64)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        for parameter in ours.parameters():
            nn.init.uniform_(parameter, -1, 1)
    for to, value in {"weight_ih_l0": ours.W, "weight_hh_l0": ours.U, "bias_ih_l0": ours.b}.items():
        getattr(theirs, to).data = value.data
    theirs.bias_hh_l0.data.zero_()
    return ours, theirs


def random(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


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


# Input feeding


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


# Scores


def mechanism(
    kind: type[LuongAttention], C: int = H, lengths: tuple[int, ...] = (9, 4, 1), **options: int | bool
) -> tuple[LuongAttention, Source, Tensor]:
    """A mechanism alone, a ragged source and queries ``(B, T, Q)`` for it."""
    made = kind(LuongOptions(location_positions=max(lengths), **options), H, C).double()
    with torch.random.fork_rng():
        torch.manual_seed(3)
        for parameter in made.parameters():
            nn.init.uniform_(parameter, -1, 1)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    h = random(*mask.shape, C) * mask.unsqueeze(-1)
    return made, Source(mask.long(), mask, h, h, ()), random(len(lengths), 12, H, seed=1)


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


# Windows


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
    ("kind", "renorm"), [(LocalMonotonic, False), (LocalPredictive, False), (LocalPredictive, True)]
)
def test_windows(kind, renorm, D):
    """Exactly 0 outside the window, all steps at once and one by one."""
    attention, source, queries = mechanism(kind, local_window=D, local_renorm=renorm)
    memory = attention.memory(source)
    weights = attention.all_steps(queries, memory)[1].detach()
    state = attention.start(memory)
    for i, q in enumerate(queries.unbind(1), start=1):
        step = attention.step((), q, q, memory, state)
        state = attention.update(step, q, q, q, memory)
        close(step.weights.detach(), weights[:, i - 1])
        for b, S in enumerate(source.mask.sum(1).tolist()):
            expected = local_weights(attention, source.annotations[b, :S], i, q[b], renorm)
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


# What is refused


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        (
            of("luong_global_dot", luong_base="rnnsearch_star"),
            "`dot` needs annotations as wide.* 12 and 6",
        ),
        (of("luong_local_m", local_window=0), "local_window is 0"),
        (of("luong_global_general", readout="maxout"), "readout is maxout"),
    ],
)
def test_refused_systems(variant, message):
    with pytest.raises(ValueError, match=message):
        build(variant)


@pytest.mark.parametrize(("length", "refused"), [(S_MAX, False), (S_MAX + 1, True)])
def test_location_refuses_longer_sources(length, refused):
    model = build(of("luong_global_location")).model
    batch = support.random_batch([length, 2], [3, 2])
    if refused:
        with pytest.raises(ValueError, match=r"a source of 6 pieces is longer than the 5 positions"):
            forward(model, batch)
    else:
        assert torch.isfinite(forward(model, batch)[0]).all()


# How many parameters


def L(I: int, D: int, biases: int = 1) -> int:
    """An LSTM."""
    return 4 * (I * D + D * D + biases * D)


SCORE = {
    "luong_global_dot": 0,
    "luong_global_general": H * H,
    "luong_global_concat": 2 * H * H + H,
    "luong_global_location": S_MAX * H,
    "luong_local_m": H * H,
    "luong_local_p": H * H + H * H + H,
}


def size(variant: VariantModel) -> int:
    return sum(parameter.numel() for parameter in build(variant).model.parameters())


@pytest.mark.parametrize(("layers", "feeding"), [(1, True), (2, False), (4, True)])
@pytest.mark.parametrize("arch", ARCHS)
def test_parameters(arch, layers, feeding):
    encoder = V_x * E + L(E, H, biases=2) + (layers - 1) * L(H, H, biases=2)
    decoder = V_y * E + L(E + H if feeding else E, H) + (layers - 1) * L(H, H)
    output = 2 * H * H + V_y * H + V_y
    found = size(of(arch, luong_layers=layers, input_feeding=feeding))
    assert found == encoder + decoder + output + SCORE[arch]


@pytest.mark.parametrize("arch", [arch for arch in ARCHS if arch != "luong_global_dot"])
def test_parameters_on_rnnsearch_star(arch):
    C = 2 * H
    additive = A * H + A * C + 2 * A
    score = {**SCORE, "luong_global_general": H * C, "luong_global_concat": H * (H + C) + H}
    score |= {"luong_local_m": H * C, "luong_local_p": H * C + H * H + H}
    assert (
        size(of(arch, luong_base="rnnsearch_star")) - size(VariantModel(arch="rnnsearch_star"))
        == score[arch] - additive
    )
