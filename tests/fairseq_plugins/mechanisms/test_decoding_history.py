"""DHEA: its equations, and what its decoder states reach."""

from functools import partial

import pytest
import torch

from fairseq_plugins.mechanisms.decoding_history import DecodingHistoryAttention
from tests.helpers import support
from tests.helpers.mechanisms.alone import SHUT, A, C, H, ragged, randomised, run, zero
from tests.helpers.mechanisms.beside_the_base import SYSTEMS, assert_baseline, assert_not_baseline
from tests.helpers.support import build

close = partial(support.close, tolerance=1e-12)


def test_dhea_is_the_base_at_the_first_step_and_not_at_the_second():
    assert_not_baseline(build(SYSTEMS["dhea"]), first=1)


def test_dhea_with_its_gate_shut_is_the_base():
    subject = build(SYSTEMS["dhea"])
    attention = subject.model.decoder.attention
    zero(attention.W_g, attention.C_s, attention.C_t)
    attention.b_g.data.fill_(SHUT)
    assert_baseline(subject)


def test_dhea_that_projects_nothing_is_the_base():
    subject = build(SYSTEMS["dhea"])
    zero(subject.model.decoder.attention.P)
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
