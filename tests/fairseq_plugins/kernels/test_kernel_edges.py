"""What the kernels do where nothing is real, all is open or a number is none; what they keep, and what they refuse."""

import pytest
import torch
from torch import Tensor

from fairseq_plugins.kernels import (
    accumulate_grad,
    attention_weights,
    gated_recurrence,
    linear,
    native,
    smoothed_nll,
)

pytestmark = pytest.mark.skipif(native.operations() is None, reason="the kernels in C++ are not in use")


def test_a_sentence_without_words_is_alone_in_having_no_weights(implementation):
    keys, query, v = torch.randn(2, 3, 4, requires_grad=True), torch.randn(2, 4), torch.randn(4)
    weights = attention_weights(keys, query, v, torch.tensor([[True, True, False], [False] * 3]))
    assert weights[1].isnan().all() and weights[0].isfinite().all()
    (gradient,) = torch.autograd.grad(weights[0, 0], keys)
    assert gradient[0].isfinite().all() and (gradient[0, 2] == 0).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_padding_has_no_say_in_the_weights(implementation, dtype):
    """However large its energy, in front of which all others would vanish."""
    keys = torch.tensor([[[0.0], [1.0], [9.0]]], dtype=dtype)
    weights = attention_weights(
        keys, keys.new_zeros(1, 1), keys.new_full((1,), 9e3), torch.tensor([[True, False, False]])
    )
    assert weights.tolist() == [[1, 0, 0]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_gate_that_is_all_open_hands_the_gradient_on(implementation, dtype):
    """z is 1 to the last place: the state stays, and nothing can be said of the candidate state."""
    state = torch.linspace(-1, 1, 9, dtype=dtype).unsqueeze(1).requires_grad_()
    from_input = torch.tensor([[0.1, 60, 0.5]], dtype=dtype).repeat(9, 1).requires_grad_()
    new = gated_recurrence(from_input, torch.ones(9, 3, dtype=dtype), state)
    torch.testing.assert_close(new, state)
    moved, handed_on = torch.autograd.grad(new.sum(), (from_input, state))
    torch.testing.assert_close(moved, torch.zeros_like(moved))
    assert handed_on.eq(1).all()


def test_a_step_keeps_two_gates_and_the_states_for_its_gradient():
    """Not U h, three times as wide as a state: it would be most of what a history keeps."""
    B, S, D = 2, 3, 4
    from_state, state = torch.randn(B, S, 3 * D, requires_grad=True), torch.randn(B, S, D, requires_grad=True)
    kept: list[Tensor] = []
    with torch.autograd.graph.saved_tensors_hooks(lambda x: kept.append(x) or x, lambda x: x):
        new = gated_recurrence(torch.zeros(3 * D), from_state, state)
    assert new.requires_grad
    elsewhere = {state.untyped_storage().data_ptr(), new.untyped_storage().data_ptr()}
    sizes = {one.untyped_storage().data_ptr(): one.untyped_storage().nbytes() // 4 for one in kept}
    assert from_state.untyped_storage().data_ptr() not in sizes
    assert sum(size for where, size in sizes.items() if where not in elsewhere) <= 2 * B * S * D + 3 * D + 1


def test_a_gathered_weight_that_changes_is_refused():
    weight = torch.randn(7, 5, requires_grad=True)
    used = accumulate_grad(weight)
    linear(torch.randn(3, 5), used)
    with torch.no_grad():
        weight.mul_(2)
    with pytest.raises(RuntimeError, match="modified inplace"):
        linear(torch.randn(3, 5), used)


def test_a_logit_that_is_no_number_shows(implementation):
    logits = torch.randn(2, 5)
    logits[0, 3] = float("nan")
    assert all(one.isnan() for one in smoothed_nll(logits, torch.tensor([1, 2]), 0.1, 0))


def test_consumed_logits_serve_once(implementation):
    logits = torch.randn(2, 5).requires_grad_() * 1
    loss = smoothed_nll(logits, torch.tensor([1, 2]), 0.1, 0, consume=True)[0]
    (gradient,) = torch.autograd.grad(loss, logits, retain_graph=True)
    assert gradient.data_ptr() == logits.data_ptr()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


@pytest.mark.parametrize("target", [-1, 5])
def test_a_target_that_is_no_word_is_refused(target):
    with pytest.raises(IndexError, match=f"target {target} is none of the 5 words"):
        smoothed_nll(torch.zeros(2, 5), torch.tensor([1, target]), 0.1, 0)
