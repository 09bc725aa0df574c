"""Interactive attention: what it writes, its bounds and closed forms."""

from functools import partial

import pytest
import torch

from fairseq_plugins.kernels import write_memory
from fairseq_plugins.mechanisms.interactive import InteractiveAttention, InteractiveOptions
from tests.helpers import support
from tests.helpers.mechanisms.alone import SHUT, A, C, H, ragged, randomised, run, zero
from tests.helpers.mechanisms.beside_the_base import SYSTEMS, assert_baseline, assert_not_baseline, named
from tests.helpers.support import build

close = partial(support.close, tolerance=1e-12)


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
    memory = write_memory(*inputs)
    for b in range(2):
        for j in range(3):
            close(memory[b, j], h[b, j] * (1 - alpha[b, j] * F[b]) + alpha[b, j] * U[b])
    close(memory[0, 1], h[0, 1], tolerance=0)
    assert torch.autograd.gradcheck(write_memory, inputs)


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
