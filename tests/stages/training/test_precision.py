"""``training.precision``: what TF32 asks of fairseq and of the GPU, who may round, and that systems compute in bf16."""

from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from pydantic import ValidationError
from torch import Tensor, nn

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from fairseq_plugins.kernels import (
    attention_weights,
    masked_softmax,
    native,
    products,
    rounds_to_bf16,
    weighted_sum,
)
from fairseq_plugins.optim.fused_adamw import FusedAdamW
from stages.settings.params import section
from stages.settings.training import Decoding, Training
from stages.training import run
from stages.training.arguments import training_arguments
from stages.translating.precision import decoding_products
from tests.helpers import support

from fairseq.optim import FP16Optimizer
from fairseq.optim.adam import FairseqAdamConfig

TRAINING = section("corpora.demo.training", Training, support.PARAMS)
BF16 = torch.finfo(torch.bfloat16).eps
SYSTEMS = ("rnnsearch_star", "ba_nmt", "coverage_nn_gru", "covemb_gru", "gatt", "luong_local_p")


def with_precision(precision: str) -> Training:
    return Training(**TRAINING.model_dump() | {"precision": precision})


@pytest.mark.parametrize("precision", ["tf32", "bf16_products"])
def test_precisions_of_products_ask_fairseq_for_what_fp32_does(precision):
    of_products, of_fp32 = (
        training_arguments(with_precision(each), 1, Path("data"), Path("out"), ("zh", "en"))
        for each in (precision, "fp32")
    )
    assert of_products == of_fp32


def test_no_other_precision_is_known():
    with pytest.raises(ValidationError, match="'fp32', 'tf32', 'bf16_products', 'bf16' or 'fp16'"):
        with_precision("tf16")


@pytest.mark.parametrize("gpu", [True, False])
@pytest.mark.parametrize(
    ("precision", "products"), [("fp32", "highest"), ("tf32", "high"), ("bf16", "highest"), ("fp16", "highest")]
)
def test_products_in_tf32_are_for_gpus_alone(monkeypatch, capfd, precision, products, gpu):
    """On a CPU nothing is set, and a training in tf32 says that it is none."""
    asked = []
    monkeypatch.setattr(torch.cuda, "is_available", lambda: gpu)
    monkeypatch.setattr(torch, "set_float32_matmul_precision", asked.append)
    before = not gpu or precision != "tf32"  # what it is not to be afterwards, on a GPU
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", before)
    run.set_products(precision)
    assert asked == ([products] if gpu else [])
    assert torch.backends.cudnn.allow_tf32 == (not before if gpu else before), "cuDNN's GRU has a switch of its own"
    assert capfd.readouterr() == ("tf32 is fp32 without a GPU\n" if precision == "tf32" and not gpu else "", "")


def test_training_and_decoding_round_when_they_are_told_to():
    x, decoding = torch.ones(1), section("corpora.demo.decoding", Decoding, support.PARAMS)
    with products("fp32"):
        for precision, expected in (("bf16_products", True), ("fp32", False), ("bf16_products", True)):
            run.set_products(precision)
            assert rounds_to_bf16(x) == expected
            for own in ("bf16_products", "fp32"):
                with decoding_products(decoding.model_copy(update={"precision": own})):
                    assert rounds_to_bf16(x) == (own == "bf16_products")
            assert rounds_to_bf16(x) == expected


def test_nothing_is_decoded_in_tf32():
    """Whatever it was trained in; cuDNN's switch is on unless somebody turns it off."""
    matrices, recurrences = torch.backends.cuda.matmul, torch.backends.cudnn
    before = matrices.allow_tf32, recurrences.allow_tf32
    decoding = section("corpora.demo.decoding", Decoding, support.PARAMS)
    try:
        matrices.allow_tf32 = recurrences.allow_tf32 = True
        with decoding_products(decoding):
            assert (matrices.allow_tf32, recurrences.allow_tf32) == (False, False)
        assert (matrices.allow_tf32, recurrences.allow_tf32) == (True, True)
    finally:
        matrices.allow_tf32, recurrences.allow_tf32 = before


@pytest.mark.parametrize(
    ("gpu", "quick", "said"), [(False, True, ""), (False, False, "processor"), (True, True, "GPU")]
)
def test_where_rounding_gains_nothing_a_training_says_so(monkeypatch, capsys, gpu, quick, said):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: gpu)
    monkeypatch.setattr(native, "operations", lambda: SimpleNamespace(rounds_quickly=lambda: quick))
    with products("fp32"):
        run.set_products("bf16_products")
    assert capsys.readouterr().out == (f"bf16_products is no quicker than fp32 on this {said}\n" if said else "")


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_products_are_rounded_on_cpus_and_gpus(device):
    x = SimpleNamespace(device=torch.device(device), dtype=torch.float32)
    with products("bf16"):
        assert rounds_to_bf16(x)
    assert not rounds_to_bf16(x)


# A sum of ones in bf16 stays at 256, where 1 is less than a rounding.


def test_a_softmax_in_bf16_adds_up_in_fp32():
    energies = torch.zeros(1, 1000, dtype=torch.bfloat16)
    weights = masked_softmax(energies, torch.ones(1, 1000, dtype=torch.bool))
    support.close(weights, torch.full_like(energies, 0.001), tolerance=0)


def test_energies_in_bf16_add_up_in_fp32():
    """v^T tanh of the first word is 1000 / 128, of the second 0."""
    keys = torch.zeros(1, 2, 1000, dtype=torch.bfloat16)
    keys[:, 0] = 50
    v = torch.full((1000,), 1 / 128, dtype=torch.bfloat16)
    weights = attention_weights(keys, torch.zeros_like(keys[:, 0]), v, torch.ones(1, 2, dtype=torch.bool))
    expected = torch.tensor([[1000 / 128, 0]]).softmax(-1)
    support.close(weights.float(), expected, tolerance=BF16 / 2)
    assert weights[0, 1] == expected[0, 1].to(torch.bfloat16)


def test_a_weighted_sum_in_bf16_adds_up_in_fp32():
    weights, values = torch.ones(1, 1000, dtype=torch.bfloat16), torch.ones(1, 1000, 3, dtype=torch.bfloat16)
    support.close(weighted_sum(weights, values), torch.full((1, 3), 1000, dtype=torch.bfloat16), tolerance=0)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_system_in_bf16_computes_and_learns_what_it_does_in_fp32(name):
    """From the same weights, rounded to bf16: a tensor is off by a few roundings of its largest number."""
    batch = support.random_batch((5, 3), (4, 2))

    def outputs_and_gradients(dtype: torch.dtype) -> list[Tensor]:
        model = support.build(support.RECURRENT[name]).model.to(torch.bfloat16).to(dtype)
        logits, weights = support.forward(model, batch)
        assert logits.dtype == weights.dtype == dtype
        logits.float().logsumexp(-1).mean().backward()
        return [logits, weights, *(p.grad for p in model.parameters() if p.grad is not None)]

    found, expected = outputs_and_gradients(torch.bfloat16), outputs_and_gradients(torch.float32)
    for one, other in zip(found, expected, strict=True):
        off = (one.float() - other).norm() / other.norm().clamp(min=1e-3)
        assert off < 16 * BF16


# The optimiser, behind fairseq's copies of the parameters in fp32

LR, BETAS = 1e-4, (0.9, 0.98)


@pytest.mark.parametrize("flat", [False, True], ids=["a copy of each", "all end to end"])
@pytest.mark.parametrize("betas", [str(BETAS), list(BETAS)], ids=["text", "list"])
def test_parameters_in_bf16_follow_copies_in_fp32(monkeypatch, betas, flat):
    """Steps far below a rounding of bf16 add up, to what torch's Adam makes of the same gradients in fp32."""
    monkeypatch.setattr(torch.cuda, "current_device", lambda: None)  # how fairseq would have it named on a CPU
    generator = torch.Generator().manual_seed(1)
    start = [torch.randn(shape, generator=generator) for shape in ((4, 3), (5,))]
    parameters = [nn.Parameter(x.bfloat16()) for x in start]
    expected = [nn.Parameter(p.data.float()) for p in parameters]
    config = FairseqAdamConfig(adam_betas=betas, adam_eps=1e-8, weight_decay=0.0, lr=[LR])
    copies = FP16Optimizer.build_fp32_params(config, parameters, flatten=flat)
    settings = Namespace(optimizer=config, common=Namespace(bf16=True, fp16_scale_window=1))
    inner = FusedAdamW(config, list(copies.values()) if flat else copies)
    assert inner.supports_flat_params
    ours = FP16Optimizer(settings, parameters, inner, copies)
    adam = torch.optim.AdamW(expected, lr=LR, betas=BETAS, eps=1e-8, weight_decay=0.0)
    for _ in range(30):
        ours.zero_grad()
        gradients = [torch.randn(p.shape, generator=generator).abs().bfloat16() for p in parameters]
        ours.backward(sum((p * gradient).sum() for p, gradient in zip(parameters, gradients, strict=True)))
        for p, gradient in zip(expected, gradients, strict=True):
            p.grad = gradient.float() / 8
        ours.multiply_grads(1 / 8)
        ours.clip_grad_norm(0.5)
        ours.step()
        nn.utils.clip_grad_norm_(expected, 0.5)
        adam.step()
    found = torch.cat([copy.detach().flatten() for copy in (copies.values() if flat else copies)])
    support.close(found, torch.cat([p.detach().flatten() for p in expected]), tolerance=1e-6)
    assert all(torch.equal(p, copy.bfloat16()) for p, copy in zip(parameters, expected, strict=True))
    assert not torch.equal(parameters[0], start[0].bfloat16())
