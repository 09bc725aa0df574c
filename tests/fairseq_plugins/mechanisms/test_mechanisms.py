"""Interactive attention, GAtt, GAtt-Inv and DHEA: what their papers' equations imply."""

from functools import partial

import pytest
import torch
from torch import Tensor, nn

from fairseq_plugins.core.protocol import Source, Step
from fairseq_plugins.kernels import written
from fairseq_plugins.mechanisms.decoding_history import DecodingHistoryAttention
from fairseq_plugins.mechanisms.gated import GatedAttention, GatedOptions, GAtt, GAttInv
from fairseq_plugins.mechanisms.interactive import InteractiveAttention, InteractiveOptions
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.invariants import BATCH, PROMISES
from tests.helpers.support import Subject, build, forward

close = partial(support.close, tolerance=1e-12)
E, H, A, R, C = 7, 6, 5, 4, 12  # as in support.TINY
SHUT = -80.0  # sig(-80) is 0 for every purpose

SYSTEMS = {
    "interactive": VariantModel(arch="interactive_attention"),
    "interactive, separate write": VariantModel(arch="interactive_attention", ia_separate_write=True),
    "gatt": VariantModel(arch="gatt"),
    "gatt by the query": VariantModel(arch="gatt", gatt_state="query"),
    "gatt, reset before": VariantModel(arch="gatt", gru_reset_before=True),
    "gatt_inv": VariantModel(arch="gatt_inv"),
    "gatt_inv by the query": VariantModel(arch="gatt_inv", gatt_state="query"),
    "gatt_inv, reset before": VariantModel(arch="gatt_inv", gru_reset_before=True),
    "dhea": VariantModel(arch="dhea"),
}


def named(start: str) -> list[str]:
    return [name for name in SYSTEMS if name.split(",")[0].split(" ")[0] == start]


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("name", SYSTEMS)
def test_promises(name, promise):
    PROMISES[promise](build(SYSTEMS[name]).model)


def base_of(subject: Subject) -> Subject:
    """RNNsearch* with the weights of ``subject``, columns that only the mechanism has cut off."""
    base = build(VariantModel(arch="rnnsearch_star"), seed=2)
    weights = subject.model.state_dict() | {
        "decoder.attention.U_a.bias": subject.model.decoder.attention.b_a.data,
    }
    shared = {name: weights[name] for name in base.model.state_dict()}
    for name in ("decoder.cell.gru_2.W", "decoder.readout.L_c.weight"):
        shared[name] = shared[name][:, :C]
    base.model.load_state_dict(shared)
    return base


def assert_baseline(subject: Subject) -> None:
    for actual, expected in zip(forward(subject.model, BATCH), forward(base_of(subject).model, BATCH), strict=True):
        close(actual, expected)


def assert_not_baseline(subject: Subject, first: int) -> None:
    """Step ``first`` differs, counted from 0; none before it does."""
    actual, expected = forward(subject.model, BATCH)[0], forward(base_of(subject).model, BATCH)[0]
    close(actual[:, :first], expected[:, :first])
    assert (actual - expected)[BATCH.target_lengths > first, first].abs().amax(-1).min() > 1e-6


def zero(*weights: nn.Linear | nn.Parameter) -> None:
    for weight in weights:
        (weight.weight if isinstance(weight, nn.Linear) else weight).data.zero_()


def randomised(mechanism: nn.Module, seed: int = 3) -> nn.Module:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        for parameter in mechanism.double().parameters():
            nn.init.uniform_(parameter, -0.7, 0.7)
    return mechanism


def ragged(seed: int = 0, lengths: tuple[int, ...] = (4, 2)) -> tuple[Source, Tensor]:
    """A source, and three states of the decoder for each of five steps ``(5, 3, B, H)``: q, s_prev, s."""
    random = torch.Generator().manual_seed(seed)
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    h = torch.randn(*mask.shape, C, dtype=torch.float64, generator=random) * mask.unsqueeze(-1)
    states = torch.randn(5, 3, len(lengths), H, dtype=torch.float64, generator=random).tanh()
    return Source(mask.long(), mask, h, h, h[:, 0, :H]), states


def run(mechanism: nn.Module, source: Source, states: Tensor) -> tuple[list[Step], list]:
    """The mechanism alone: its steps, and its states, the first one included."""
    memory = mechanism.memory(source)
    steps, kept = [], [mechanism.start(memory)]
    for q, s_prev, s in states:
        steps.append(mechanism.step((), q, s_prev, memory, kept[-1]))
        kept.append(mechanism.update(steps[-1], q, s_prev, s, memory))
    return steps, kept


# Interactive attention


def interactive(separate: bool = False) -> InteractiveAttention:
    return randomised(InteractiveAttention(InteractiveOptions(ia_separate_write=separate), H, C, A))


@pytest.mark.parametrize("name", named("interactive"))
def test_a_decoder_that_writes_nothing_leaves_the_base(name):
    subject = build(SYSTEMS[name])
    assert_not_baseline(subject, first=1)
    attention = subject.model.decoder.attention
    zero(attention.W_F, attention.W_U)
    for bias in (attention.b_F, attention.b_U):
        bias.data.fill_(SHUT)
    assert_baseline(subject)


def test_writing_is_what_the_equation_says():
    random = torch.Generator().manual_seed(1)
    sizes = ((2, 3, 4), (2, 3), (2, 4), (2, 4))
    inputs = [torch.rand(*size, dtype=torch.float64, generator=random).requires_grad_() for size in sizes]
    h, alpha, U, F = inputs
    alpha.data[0, 1] = 0
    memory = written(*inputs)
    for b in range(2):
        for j in range(3):
            close(memory[b, j], h[b, j] * (1 - alpha[b, j] * F[b]) + alpha[b, j] * U[b])
    close(memory[0, 1], h[0, 1], tolerance=0)
    assert torch.autograd.gradcheck(written, inputs)


@pytest.mark.parametrize("separate", [False, True])
def test_the_memory_stays_within_its_bounds_and_zero_at_padding(separate):
    source, states = ragged()
    _, kept = run(interactive(separate), source, states)
    low, high = kept[0].clamp(max=0), kept[0].clamp(min=0)
    for i, memory in enumerate(kept):
        assert (memory >= low).all() and (memory <= high + i).all()
        assert (memory[~source.mask] == 0).all()
    assert (kept[-1] - kept[0])[source.mask].abs().min() > 1e-6


def test_a_single_source_word_has_a_closed_form():
    """alpha = 1, so with gates f and u that do not move h^(i) = (1 - f)^i h^(0) + u (1 - (1 - f)^i) / f."""
    mechanism, (source, states), f, u = interactive(), ragged(lengths=(1, 1)), 0.3, 0.8
    zero(mechanism.W_F, mechanism.W_U)
    mechanism.b_F.data.fill_(torch.logit(torch.tensor(f, dtype=torch.float64)))
    mechanism.b_U.data.fill_(torch.logit(torch.tensor(u, dtype=torch.float64)))
    steps, _ = run(mechanism, source, states)
    for i, step in enumerate(steps):  # reads what i steps have written
        close(step.context, (1 - f) ** i * source.annotations[:, 0] + u * (1 - (1 - f) ** i) / f)


def test_a_separate_write_with_the_same_weights_writes_where_it_reads():
    separate, shared = interactive(True), interactive(False)
    shared.load_state_dict({name: separate.state_dict()[name] for name in shared.state_dict()})
    source, states = ragged()
    assert (run(separate, source, states)[1][-1] - run(shared, source, states)[1][-1]).abs().max() > 1e-3
    for name in ("W_a.weight", "U_a.weight", "b_a", "v"):
        twin = {"v": "v_w"}.get(name, name.replace("_a", "_aw"))
        separate.get_parameter(twin).data = separate.get_parameter(name).data
    states[:, 2] = states[:, 0]  # s_i = q_i
    for actual, expected in zip(run(separate, source, states)[1], run(shared, source, states)[1], strict=True):
        close(actual, expected)


# GAtt and GAtt-Inv


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
    for to, value in {"weight_ih": "W", "weight_hh": "U", "bias_ih": "b"}.items():
        getattr(cell, to).data = getattr(mechanism.gru, value).data
    cell.bias_hh.data.zero_()
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


# DHEA


def test_dhea_is_the_base_at_the_first_step_and_not_at_the_second():
    assert_not_baseline(build(SYSTEMS["dhea"]), first=1)


def test_dhea_with_its_gate_shut_is_the_base():
    subject = build(SYSTEMS["dhea"])
    attention = subject.model.decoder.attention
    zero(attention.W_g, attention.C_s, attention.C_t)
    attention.b_g.data.fill_(SHUT)
    assert_baseline(subject)


@pytest.mark.parametrize("k", [1, 2, 4])
def test_a_decoder_state_is_seen_by_later_steps_only(k):
    mechanism = randomised(DecodingHistoryAttention(H, C, A))
    source, states = ragged()
    before, _ = run(mechanism, source, states)
    states[k - 1, 2] += 1
    after, _ = run(mechanism, source, states)
    for i, (old, new) in enumerate(zip(before, after, strict=True), start=1):
        changed = (new.context - old.context).abs().amax(-1)
        assert (changed > 1e-6).all() if i > k else (changed == 0).all()


def test_decoding_history_is_what_the_equations_say():
    mechanism = randomised(DecodingHistoryAttention(H, C, A))
    source, states = ragged()
    steps, _ = run(mechanism, source, states)
    q, past = states[3, 0], states[:3, 2]  # the fourth step has seen s_1 .. s_3
    for b in range(2):
        c_s = sum(steps[3].weights[b, j] * source.annotations[b, j] for j in range(4))
        energies = torch.stack([mechanism.v_t @ torch.tanh(mechanism.W_t(q[b]) + mechanism.U_t(s)) for s in past[:, b]])
        c_t = energies.softmax(0) @ past[:, b]
        g = torch.sigmoid(mechanism.W_g(q[b]) + mechanism.C_s(c_s) + mechanism.C_t(c_t) + mechanism.b_g)
        close(steps[3].context[b], torch.cat((c_s, g * mechanism.P(c_t))))


# How many parameters


def G(I: int, D: int) -> int:
    """A GRU with one bias a gate."""
    return 3 * (I * D + D * D + D)


DELTAS = {
    "interactive": 2 * (C * H + C),
    "interactive, separate write": 2 * (C * H + C) + A * H + A * C + 2 * A,
    "gatt": G(H, C),
    "gatt_inv": G(C, H) - (C - H) * (A + 3 * H + R),
    "dhea": A * H + A * H + A + (H + C + H) * H + H + H * H + 3 * H * H + R * H,
}


@pytest.mark.parametrize("name", DELTAS)
def test_parameters_added_to_the_base(name):
    def size(variant: VariantModel) -> int:
        return sum(parameter.numel() for parameter in build(variant).model.parameters())

    assert size(SYSTEMS[name]) - size(VariantModel(arch="rnnsearch_star")) == DELTAS[name]
