"""The kernels in Triton against PyTorch's own operations: on a GPU, or without one in Triton's interpreter."""

import os
import subprocess
import sys

import pytest
import torch
from torch import Tensor

from fairseq_plugins import kernels
from fairseq_plugins.kernels import native, self_check, triton_choice
from fairseq_plugins.kernels.comparison import TOLERANCE
from tests.helpers import support

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
if DEVICE == "cpu":
    os.environ["TRITON_INTERPRET"] = "1"  # Triton reads it when it is imported
pytest.importorskip("triton", reason="Triton is missing: these kernels are for GPUs, and torch for CPUs is without it")

from fairseq_plugins.kernels import triton_sum  # noqa: E402  imports triton

pytestmark = [pytest.mark.gpu, pytest.mark.slow]  # the interpreter takes long
REAL = torch.tensor([[1, 1, 0, 1], [1, 0, 0, 0], [1, 1, 1, 1]], dtype=torch.bool, device=DEVICE)


def random(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed + sum(shape)))


def gru_of_words(b, u, h, x, alpha, *also):
    addend = also[0] if also else None
    return kernels.gated_recurrence(b, u, h, also=addend, scaled=x, scale=alpha, mask=REAL.unsqueeze(-1).to(h.dtype))


def weights_of(keys, query, v, *addend):
    return kernels.attention_weights(keys, query, v, REAL, *addend)


WORDS = random(3, 4, 15, seed=1), random(3, 4, 5), random(3, 4, 15, seed=2), random(3, 4, seed=3)
UH, H, OF_WORDS, ALPHA = WORDS
OF_SENTENCES, OF_ALL = random(3, 1, 15, seed=4), random(15, seed=5)
KEYS, QUERY, V = random(3, 4, 5), random(3, 5), random(5)

KERNELS = {
    "recurrence of a sentence": (kernels.gated_recurrence, (random(3, 15), random(3, 15, seed=1), random(3, 5))),
    "recurrence of one sentence": (kernels.gated_recurrence, (random(1, 15), random(1, 15, seed=1), random(1, 5))),
    "recurrence of a sentence with a bias": (kernels.gated_recurrence, (OF_ALL, random(3, 15), random(3, 5))),
    "recurrence of every word": (kernels.gated_recurrence, (OF_WORDS, UH, H)),
    "recurrence of every word with a bias": (kernels.gated_recurrence, (OF_ALL, UH, H)),
    "sentences meet words": (kernels.gated_recurrence, (OF_SENTENCES, UH, H)),
    "words meet sentences": (kernels.gated_recurrence, (OF_WORDS, random(3, 1, 15), random(3, 1, 5))),
    "words of all, with another addend": (
        lambda x, u, h, also: kernels.gated_recurrence(x, u, h, also=also), (OF_ALL, UH, H, OF_WORDS),
    ),
    "source history": (gru_of_words, (OF_ALL, UH, H, OF_WORDS, ALPHA)),
    "target history": (gru_of_words, (OF_ALL, UH, H, OF_SENTENCES, ALPHA)),
    "NN coverage": (gru_of_words, (OF_WORDS, UH, H, OF_ALL, ALPHA, OF_SENTENCES)),
    "coverage embedding": (gru_of_words, (OF_SENTENCES, UH, H, OF_ALL, ALPHA)),
    "another addend of all": (gru_of_words, (OF_WORDS, UH, H, OF_WORDS.flip(0), ALPHA, OF_ALL)),
    "slices of a larger product": (
        lambda x, both, h: kernels.gated_recurrence(x, both[..., 2:17], h), (OF_WORDS, random(3, 4, 20), H),
    ),
    "columns that lie apart": (
        lambda x, u, h: kernels.gated_recurrence(x.mT, u.mT, h), (random(3, 15, 4), random(3, 15, 4, seed=1), H),
    ),
    "weights": (weights_of, (KEYS, QUERY, V)),
    "weights with an addend of every word": (weights_of, (KEYS, QUERY, V, random(3, 4, 5, seed=4))),
    "weights over shared keys": (
        lambda keys, query, v: weights_of(keys.expand(3, 4, 5), query, v), (random(1, 4, 5), QUERY, V),
    ),
    "weights of one word": (
        lambda keys, query, v: kernels.attention_weights(keys, query, v, REAL[:, :1]), (KEYS[:, :1], QUERY, V),
    ),
    "weights of several blocks": (
        lambda keys, query, v: kernels.attention_weights(keys, query, v, torch.ones_like(keys[..., 0]).bool()),
        (random(2, 130, 70), random(2, 70), random(70)),
    ),
    "weighted sum": (kernels.weighted_sum, (ALPHA, random(3, 4, 6))),
    "weighted sum of shared rows": (lambda w, x: kernels.weighted_sum(w, x.expand(3, 4, 6)), (ALPHA, random(1, 4, 6))),
    "weighted sum of several blocks": (kernels.weighted_sum, (random(2, 130), random(2, 130, 70))),
}  # fmt: skip


def value_and_gradients(kernel, inputs: tuple[Tensor, ...], dtype: torch.dtype) -> list[Tensor]:
    given = [tensor.to(DEVICE, dtype).requires_grad_() for tensor in inputs]
    found = kernel(*given)
    direction = torch.linspace(-1, 2, found.numel(), dtype=dtype, device=DEVICE).view(found.shape)
    return [found, *torch.autograd.grad(found, given, direction)]


@pytest.fixture
def choose(monkeypatch):
    """A function that has all tensors served by Triton, or by PyTorch's own operations."""

    def chosen(name: str) -> None:
        monkeypatch.setattr(native, "operations", lambda: None)
        monkeypatch.setattr(kernels, "is_triton", lambda kernel, x: name == "triton")

    return chosen


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-12), (torch.float32, 2e-5)])
@pytest.mark.parametrize(("kernel", "inputs"), KERNELS.values(), ids=KERNELS.keys())
def test_values_and_gradients(choose, kernel, inputs, dtype, tolerance):
    choose("eager")
    expected = value_and_gradients(kernel, inputs, dtype)
    choose("triton")
    for one, other in zip(value_and_gradients(kernel, inputs, dtype), expected, strict=True):
        support.close(one, other, tolerance=tolerance)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize(("kernel", "inputs"), KERNELS.values(), ids=KERNELS.keys())
def test_low_precision_computes_and_adds_up_in_fp32(choose, kernel, inputs, dtype):
    """Against double precision from the same rounded inputs: the result, and the gradients by their size, are off by
    no more than they are when rounded."""
    rounded = tuple(tensor.to(dtype).double() for tensor in inputs)
    choose("eager")
    expected = value_and_gradients(kernel, rounded, torch.float64)
    choose("triton")
    for one, other in zip(value_and_gradients(kernel, inputs, dtype), expected, strict=True):
        assert one.dtype == dtype
        allowed = 2 * torch.finfo(dtype).eps * other.abs().max().clamp(min=1)
        support.close(one.double(), other, tolerance=allowed.item())


@pytest.mark.parametrize(("kernel", "inputs"), KERNELS.values(), ids=KERNELS.keys())
def test_gradients_are_the_same_in_every_run(choose, kernel, inputs):
    choose("triton")
    first = value_and_gradients(kernel, inputs, torch.float32)
    for one, other in zip(value_and_gradients(kernel, inputs, torch.float32), first, strict=True):
        support.close(one, other, tolerance=0)


def test_weights_are_exactly_0_at_padding_whatever_stands_there(choose):
    choose("triton")
    keys = KEYS.to(DEVICE).masked_fill(~REAL.unsqueeze(-1), 1e4)
    weights = weights_of(keys, QUERY.to(DEVICE), V.to(DEVICE))
    assert (weights[~REAL] == 0).all()
    support.close(weights.sum(-1), torch.ones(3, dtype=torch.float64, device=DEVICE), tolerance=1e-12)
    support.close(weights[1], torch.eye(4, dtype=torch.float64, device=DEVICE)[0], tolerance=0)


@pytest.mark.parametrize("wanted", ["keys", "query", "addend"])
def test_only_the_gradients_that_are_asked_for(choose, wanted):
    """What is not needed is not made, and the rest stays right."""
    names, tensors = ("keys", "query", "v", "addend"), (KEYS, QUERY, V, random(3, 4, 5, seed=4))

    def gradient() -> Tensor:
        given = [x.to(DEVICE).requires_grad_(name == wanted) for name, x in zip(names, tensors, strict=True)]
        total = (weights_of(*given) * ALPHA.to(DEVICE)).sum()
        return torch.autograd.grad(total, given[names.index(wanted)])[0]

    choose("eager")
    expected = gradient()
    choose("triton")
    support.close(gradient(), expected, tolerance=1e-12)


@pytest.mark.parametrize("name", ["rnnsearch_star", "sa_nmt", "ta_nmt", "coverage_nn_gru", "covemb_gru", "gatt"])
def test_a_system_computes_and_learns_the_same(choose, name):
    batch = support.random_batch((4, 2), (3, 2))

    def outputs_and_gradients() -> list[Tensor]:
        model = support.build(support.RECURRENT[name]).model.to(DEVICE).train()  # else cuDNN has no gradients
        logits, weights = support.forward(model, support.Batch(*(part.to(DEVICE) for part in batch)))
        logits.logsumexp(-1).sum().backward()
        return [logits, weights, *(p.grad for p in model.parameters() if p.grad is not None)]

    choose("eager")
    expected = outputs_and_gradients()
    choose("triton")
    for one, other in zip(outputs_and_gradients(), expected, strict=True):
        support.close(one, other, tolerance=1e-10)


@pytest.mark.parametrize("name", ["rnnsearch_star", "ba_nmt"])
def test_steps_of_a_beam_are_the_same(choose, name):
    """Without gradients, from carried states that are reordered between the steps."""
    batch = support.Batch(*(part.to(DEVICE) for part in support.random_batch((4, 2), (3, 2))))
    order = torch.tensor([1, 1, 0], device=DEVICE)

    @torch.no_grad()
    def logits() -> Tensor:
        model = support.build(support.RECURRENT[name]).model.to(DEVICE)
        encoded = model.encoder(batch.source, batch.lengths)
        state, words = {}, batch.previous
        first, _ = model.decoder(words[:, :1], encoded, state)
        model.decoder.reorder_incremental_state(state, order)
        encoded, words = model.encoder.reorder_encoder_out(encoded, order), words[order]
        return torch.cat((first, model.decoder(words[:, :2], encoded, state)[0]))

    choose("eager")
    expected = logits()
    choose("triton")
    support.close(logits(), expected, tolerance=1e-12)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", triton_choice.Operations._fields)
def test_every_kernel_proves_itself(name, dtype):
    """By a good margin, and checked as decoding may first ask for it."""
    with torch.inference_mode():
        verdict = self_check.checked(name, torch.device(DEVICE), dtype)
    assert verdict.error is None and verdict.difference < TOLERANCE[dtype] / 4


def test_a_kernel_that_is_wrong_here_does_not(monkeypatch):
    """It forgets the words after the sixteenth."""
    monkeypatch.setattr(triton_sum, "tile", lambda words, width: (16, 16))
    found = {name: self_check.checked(name, torch.device(DEVICE), torch.float32) for name in self_check.INPUTS}
    wrong = {name: verdict.objection(TOLERANCE[torch.float32]) for name, verdict in found.items()}
    assert wrong.pop("weighted_sum") and not any(wrong.values())


@pytest.mark.parametrize("wanted", ["eager", "native", None])
def test_the_environment_can_ask_for_eager(monkeypatch, wanted):
    if wanted is None:
        monkeypatch.delenv(native.CHOICE, raising=False)
    else:
        monkeypatch.setenv(native.CHOICE, wanted)
    assert (triton_choice.operations.__wrapped__() is None) == (wanted == "eager")


def test_without_the_package_there_are_none(monkeypatch):
    monkeypatch.delenv(native.CHOICE, raising=False)
    monkeypatch.setattr(triton_choice, "find_spec", lambda name: None)
    assert triton_choice.operations.__wrapped__() is None


def test_tensors_on_a_cpu_are_not_for_triton():
    assert not any(kernels.is_triton(name, torch.zeros(1)) for name in triton_choice.Operations._fields)


COMPILE = """
import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.runtime.jit import JITFunction

from fairseq_plugins.kernels import triton_choice

TYPES = {torch.bfloat16: "*bf16", torch.float32: "*fp32", torch.uint8: "*u8"}


def compile_alone(kernel, *given, grid, warmup, num_warps=4, **constants):
    kinds = [TYPES[one.dtype] if isinstance(one, torch.Tensor) else "i32" for one in given]
    signature = dict(zip(kernel.arg_names, kinds)) | dict.fromkeys(constants, "constexpr")
    source = triton.compiler.ASTSource(kernel, signature, constants)
    made = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": num_warps})
    print(kernel.fn.__name__, ".target sm_90" in made.asm["ptx"])


def bf16(*shape):
    return torch.zeros(shape, dtype=torch.bfloat16, requires_grad=True)


JITFunction.run = compile_alone
ours, B, S, D = triton_choice.operations(), 2, 30, 1000
state, words, of_words = bf16(B, S, D), bf16(B, S, 3 * D), bf16(B, S, 3 * D)
also, scale, mask = bf16(B, 1, 3 * D), bf16(B, S), bf16(B, S, 1)
ours.gated_recurrence(bf16(3 * D), words, state, also, of_words, scale, mask).sum().backward()
ours.attention_weights(state, bf16(B, D), bf16(D), torch.ones(B, S).bool(), bf16(B, S, D)).sum().backward()
ours.weighted_sum(bf16(B, S), state).sum().backward()
"""


def test_every_kernel_compiles_for_an_h100_without_one():
    """With all its options and in bf16, of which Triton's interpreter proves nothing."""
    environment = {name: value for name, value in os.environ.items() if name not in ("TRITON_INTERPRET", native.CHOICE)}
    done = subprocess.run([sys.executable, "-c", COMPILE], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["_forward True", "_backward True"] * 3
