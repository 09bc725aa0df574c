"""The fused Adam against its formulas, with gradients scaled and clipped on the way."""

import subprocess
import sys

import pytest
import torch
from torch import Tensor, nn

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from fairseq_plugins.optim.fused_adamw import FusedAdamW

from fairseq.optim.adam import FairseqAdamConfig

LR, BETAS, EPSILON, DECAY, WORDS = 0.01, (0.9, 0.98), 1e-6, 0.1, 50


def optimizer(parameters: list[nn.Parameter]) -> FusedAdamW:
    config = FairseqAdamConfig(adam_betas=str(BETAS), adam_eps=EPSILON, weight_decay=DECAY, lr=[LR])
    return FusedAdamW(config, parameters)


@pytest.mark.parametrize("switch", ["fp16_adam_stats", "use_old_adam"])
def test_it_has_no_switches_of_fairseqs_adam(switch):
    with pytest.raises(ValueError, match="fused_adamw has neither"):
        FusedAdamW(FairseqAdamConfig(adam_betas=str(BETAS), lr=[LR], **{switch: True}), parameters())


def parameters() -> list[nn.Parameter]:
    generator = torch.Generator().manual_seed(1)
    return [nn.Parameter(torch.randn(shape, generator=generator)) for shape in ((7, 3), (5,), ())]


def gradients(seed: int) -> list[Tensor]:
    """Of the sum over words."""
    generator = torch.Generator().manual_seed(seed)
    return [WORDS * torch.randn(shape, generator=generator) for shape in ((7, 3), (5,), ())]


def updated(ours: FusedAdamW, steps: range, max_norm: float) -> list[float]:
    """Update by the gradients of some steps as fairseq's trainer does; returns their norms."""
    norms = []
    for step in steps:
        ours.zero_grad()
        for parameter, gradient in zip(ours.params, gradients(step), strict=True):
            parameter.grad = gradient
        ours.multiply_grads(1 / WORDS)
        norms.append(float(ours.clip_grad_norm(max_norm)))
        ours.step()
    return norms


def expected(steps: range, max_norm: float) -> tuple[list[Tensor], list[float]]:
    """Algorithm 1 of Kingma & Ba (2015), with Loshchilov & Hutter's (2019) decoupled decay and a clipped norm."""
    theta = [parameter.detach().double() for parameter in parameters()]
    m, v, norms = [torch.zeros_like(x) for x in theta], [torch.zeros_like(x) for x in theta], []
    for t in steps:
        mean = [gradient.double() / WORDS for gradient in gradients(t)]
        norm = float(sum(g.square().sum() for g in mean)) ** 0.5
        norms.append(norm)
        for k, g in enumerate(mean):
            if 0 < max_norm < norm:
                g = g * max_norm / norm
            m[k] = BETAS[0] * m[k] + (1 - BETAS[0]) * g
            v[k] = BETAS[1] * v[k] + (1 - BETAS[1]) * g * g
            m_hat, v_hat = m[k] / (1 - BETAS[0] ** t), v[k] / (1 - BETAS[1] ** t)
            theta[k] = theta[k] - LR * DECAY * theta[k] - LR * m_hat / (v_hat.sqrt() + EPSILON)
    return theta, norms


STEPS = range(1, 6)


@pytest.mark.parametrize("max_norm", [0, 1.5, 5.5, 1e3], ids=["unclipped", "clipped", "sometimes", "never"])
def test_steps_are_those_of_the_paper(max_norm):
    ours = parameters()
    norms = updated(optimizer(ours), STEPS, max_norm)
    theta, true_norms = expected(STEPS, max_norm)
    assert max_norm != 5.5 or min(true_norms) < max_norm < max(true_norms)
    assert norms == pytest.approx(true_norms, rel=1e-5)
    for one, other in zip(ours, theta, strict=True):
        torch.testing.assert_close(one.detach().double(), other, rtol=1e-5, atol=1e-6)


def test_a_scale_divides_the_gradients():
    ours, theirs = parameters(), parameters()
    for some, factor, scale in ((ours, 1.0, 8.0), (theirs, 0.125, 1.0)):
        adam = optimizer(some)
        for parameter, gradient in zip(some, gradients(1), strict=True):
            parameter.grad = gradient * factor
        adam.step(scale=scale)
    for one, other in zip(ours, theirs, strict=True):
        assert torch.equal(one, other)


def test_it_goes_on_where_it_was():
    straight, again = parameters(), parameters()
    updated(optimizer(straight), STEPS, 1.5)
    before = optimizer(again)
    updated(before, STEPS[:2], 1.5)
    after = optimizer(again)
    after.load_state_dict(before.state_dict(), after.optimizer_config)
    updated(after, STEPS[2:], 1.5)
    for one, other in zip(straight, again, strict=True):
        assert torch.equal(one, other)


def test_a_norm_that_is_no_number_shows():
    ours = parameters()
    adam = optimizer(ours)
    for parameter, gradient in zip(ours, gradients(1), strict=True):
        parameter.grad = gradient * float("nan")
    adam.multiply_grads(1 / WORDS)
    assert adam.clip_grad_norm(1.0).isnan()


@pytest.mark.process
def test_updates_do_without_torchs_compiler():
    """Its import costs each training a second and more."""
    program = """
import sys
from tests.fairseq_plugins.optim import test_optimizer as tests
adam = tests.optimizer(tests.parameters())
tests.updated(adam, tests.STEPS, 1.0)
adam.load_state_dict(adam.state_dict())
print("torch._dynamo" in sys.modules)
"""
    paths = [path for path in sys.path if path]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {paths!r}\n{program}"], capture_output=True, text=True
    )
    assert done.stdout.split() == ["False"], done.stderr
