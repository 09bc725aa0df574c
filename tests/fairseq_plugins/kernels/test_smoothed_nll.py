"""The smoothed likelihood of restricted vocabularies, in half precision, and by its definition."""

from functools import partial

import pytest
import torch

from fairseq_plugins.kernels import smoothed_nll
from tests.helpers import support

close = partial(support.close, tolerance=1e-12)


def test_smoothing_leaves_out_words_of_probability_0():
    """As if the vocabulary of each row were its candidates, and with gradients everywhere."""
    random = torch.Generator().manual_seed(3)
    logits = torch.randn(3, 7, dtype=torch.float64, generator=random)
    candidates = [[0, 2, 5], [1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6]]
    target, padding, expected = torch.tensor([2, 6, 1]), 1, torch.zeros(2, dtype=torch.float64)
    masked = torch.full_like(logits, -torch.inf)
    for row, allowed in enumerate(candidates):
        masked[row, allowed] = logits[row, allowed]
        if target[row] != padding:
            lprobs = logits[row, allowed].log_softmax(-1)
            right = allowed.index(int(target[row]))
            others = [-lprobs[k] for k in range(len(allowed)) if k != right]
            expected += torch.stack((-0.8 * lprobs[right] + 0.2 * sum(others) / len(others), -lprobs[right]))
    masked.requires_grad_()
    found = smoothed_nll(masked, target, 0.2, padding)
    close(torch.stack(found), expected)
    found[0].backward()
    assert masked.grad.isfinite().all()
    assert (masked.grad[masked.isinf()] == 0).all()


def test_a_word_without_alternatives_is_not_smoothed():
    logits = torch.tensor([[3.0, -torch.inf, -torch.inf]], requires_grad=True)
    loss, nll = smoothed_nll(logits, torch.tensor([0]), 0.1, 1)
    assert (loss.item(), nll.item()) == (0, 0)
    loss.backward()
    assert logits.grad.abs().max() < 1e-7


def by_definition(logits, target, epsilon, padding):
    """Label smoothing, summed over rows that are no padding, written with torch's own log-softmax."""
    total = 0
    for row, right in zip(logits, target.tolist(), strict=True):
        lprobs = row[row.isfinite()].log_softmax(-1)
        if right != padding:
            right = int(row.isfinite()[:right].sum())
            rest = lprobs.sum() - lprobs[right]
            total = total - (1 - epsilon) * lprobs[right] - epsilon * rest / max(1, len(lprobs) - 1)
    return total


@pytest.mark.parametrize("epsilon", [0, 0.1, 0.5])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("scale", [1.0, 300.0])
def test_loss_and_gradient_are_those_of_the_definition(epsilon, masked, scale):
    random = torch.Generator().manual_seed(11)
    logits = scale * torch.randn(5, 9, dtype=torch.float64, generator=random)
    target = torch.tensor([3, 0, 8, 1, 5])
    if masked:
        gone = torch.rand(5, 9, generator=random) < 0.4
        gone[4] = True  # but for one word
        logits.masked_fill_(gone.scatter(1, target.unsqueeze(1), False), -torch.inf)
    found, expected = (logits.clone().requires_grad_() for _ in range(2))
    loss = smoothed_nll(found, target, epsilon, 1)[0]
    close(loss, by_definition(expected, target, epsilon, 1))
    (3 * loss).backward()
    (3 * by_definition(expected, target, epsilon, 1)).backward()
    close(found.grad, expected.grad)


def test_half_precision_is_summed_in_single():
    logits = (8 * torch.randn(4, 500, generator=torch.Generator().manual_seed(2))).to(torch.bfloat16)
    target = torch.tensor([7, 9, 20, 400])
    loss, nll = smoothed_nll(logits, target, 0.1, 1)
    assert loss.dtype == nll.dtype == torch.float32
    assert float(loss) == pytest.approx(float(by_definition(logits.double(), target, 0.1, 1)), rel=1e-5)
