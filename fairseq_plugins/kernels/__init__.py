"""The few numerical kernels shared by all cells and attention mechanisms.

Each exists twice: ``eager`` in PyTorch's own operations, for any device and type, and ``native`` in C++, for float and
double on CPUs, where the loop over target words would otherwise spend its time in passes over memory and in Python.
``tests/fairseq_plugins/kernels`` holds one to the other and both to ``gradcheck``. Those of the loop that are chains of
small operations exist in Triton too, for NVIDIA GPUs; ``tests/fairseq_plugins/kernels/test_triton.py`` holds them to
``eager``, and so does ``self_check`` on the machine that they are to serve.
"""

import functools
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn import functional as F

from fairseq_plugins.kernels import eager, native, self_check, triton_choice
from fairseq_plugins.kernels.rounding import constant_weights as constant_weights
from fairseq_plugins.kernels.rounding import products as products
from fairseq_plugins.kernels.rounding import rounds_quickly as rounds_quickly
from fairseq_plugins.kernels.rounding import rounds_to_bf16 as rounds_to_bf16
from fairseq_plugins.kernels.rounding import use_products as use_products

NATIVE_TYPES = (torch.float32, torch.float64)


def is_native(x: Tensor) -> bool:
    """Whether the kernels in C++ serve this tensor."""
    return (
        x.is_cpu
        and x.dtype in NATIVE_TYPES
        and native.operations() is not None
        and not torch.is_autocast_enabled("cpu")
    )


def is_triton(kernel: str, x: Tensor) -> bool:
    """Whether a kernel in Triton serves this tensor: where it exists and has proved itself."""
    return x.is_cuda and not torch.is_autocast_enabled("cuda") and kernel in self_check.proven(x.device, x.dtype)


def _triton() -> triton_choice.Operations:
    operations = triton_choice.operations()
    assert operations is not None  # `is_triton` has said so
    return operations


def accumulate_grad(x: Tensor) -> Tensor:
    """``x``, for use at every step of the loop: the kernels add its gradients up in one place.

    Autograd alone makes a tensor of its size at every use, and adds that to the others.
    """
    return native.operations().gathered(x) if is_native(x) else x


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """W x + b for ``x (..., I)``, ``W (O, I)`` and ``b (O)``; with weights by `accumulate_grad` for use in the loop."""
    if is_native(x):
        return native.operations().linear(x, weight, bias, rounds_to_bf16(x))
    return eager.RoundedLinear.apply(x, weight, bias) if rounds_to_bf16(x) else F.linear(x, weight, bias)


def linear_once(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """As ``linear``, outside of the loop, where PyTorch's own node does as well unless it has to round."""
    return linear(x, weight, bias) if rounds_to_bf16(x) else F.linear(x, weight, bias)


def linear_onto(addend: Tensor, x: Tensor, weight: Tensor) -> Tensor:
    """addend + W x ``(N, O)`` for ``x (N, I)`` and ``W (O, I)``."""
    return addend + linear(x, weight) if rounds_to_bf16(x) else torch.addmm(addend, x, weight.t())


def gated_recurrence(
    from_input: Tensor, from_state: Tensor, state: Tensor, *,
    also: Tensor | None = None, scaled: Tensor | None = None, scale: Tensor | None = None, mask: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """One step of the reset-after GRU (dl4mt) from its matrix products.

    r, z = sig(Wu + Uh);  n = tanh(Wu_n + r * Uh_n);  result = mask (z * h + (1 - z) * n), where
    Wu = from_input + also + scale * scaled.

    Args:
        from_input: W u + b, gates in the order r, z, n: ``(B, 3D)``, ``(B, S, 3D)``, ``(B, 1, 3D)`` or ``(3D)``.
        from_state: U h, ``(B, 3D)``, ``(B, S, 3D)`` or ``(B, 1, 3D)``.
        state: h, ``(B, D)``, ``(B, S, D)`` or ``(B, 1, D)``; its dimensions say whether there is a row a sentence or a
            row a source word.
        also: another addend, of any of the shapes of ``from_input``.
        scaled: W x ``(B, S, 3D)``, ``(B, 1, 3D)`` or ``(3D)``, which enters times ``scale (B, S)``.
        mask: ``(B, S, 1)``, 1 at real source words and 0 at padding.

    Returns:
        The new state, ``(B, D)`` or ``(B, S, D)``.
    """
    if is_native(state):
        return native.operations().gated_recurrence(from_state, state, from_input, also, scaled, scale, mask)
    if is_triton("gated_recurrence", state):
        return _triton().gated_recurrence(from_input, from_state, state, also, scaled, scale, mask)
    return eager.gated_recurrence(from_input, from_state, state, also, scaled, scale, mask)


def attention_weights(
    keys: Tensor, query: Tensor, v: Tensor, mask: Tensor, *addends: Tensor,
    features: Tensor | None = None, of_features: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """alpha_j = softmax_j(v^T tanh(query + keys_j + sum of addend_j + W x_j)) over real words (Bahdanau et al. 2015).

    Args:
        keys: everything inside the tanh that depends on the source position alone, ``(B, S, A)``.
        query: W_a q, ``(B, A)``.
        v: ``(A,)``.
        mask: True at the words that can be attended to, ``(B, S)``.
        addends: what else stands inside the tanh, each ``(B, S, A)``.
        features: x, a few numbers of each word, ``(B, S, F)``; without them W x is 0.
        of_features: W ``(A, F)``.

    Returns:
        Weights ``(B, S)``, exactly 0 where ``mask`` is False; the softmax is taken in at least fp32.
    """
    if is_native(keys):
        return native.operations().attention_weights(keys, query, v, mask, *_in_two(addends), features, of_features)
    if features is not None:
        assert of_features is not None
        addends = (*addends, F.linear(features, of_features))
    if is_triton("attention_weights", keys):
        return _triton().attention_weights(keys, query, v, mask, next(iter(_added(addends)), None))
    (keys,) = _added((keys, *addends))
    return eager.attention_weights(keys, query, v, mask, None)


def energies(
    keys: Tensor, query: Tensor, v: Tensor, mask: Tensor, *addends: Tensor,
    features: Tensor | None = None, of_features: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """What ``attention_weights`` takes the softmax of, ``(B, S)``, in at least fp32; -inf where ``mask`` is False."""
    if is_native(keys):
        found = native.operations().energies(keys, query, v, mask, *_in_two(addends), features, of_features)
    else:
        if features is not None:
            assert of_features is not None
            addends = (*addends, F.linear(features, of_features))
        (keys,) = _added((keys, *addends))
        found = eager.AdditiveEnergy.apply(keys, query, v)
    return eager.masked(found, mask)


def _in_two(tensors: Sequence[Tensor]) -> tuple[Tensor | None, Tensor | None]:
    """The first of them, and the sum of the others; None for what there is not."""
    return next(iter(tensors), None), next(iter(_added(tensors[1:])), None)


def _added(tensors: Sequence[Tensor]) -> list[Tensor]:
    """Their sum alone, or nothing if there are none."""
    return [functools.reduce(torch.add, tensors)] if tensors else []


def masked_softmax(energies: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the last dimension in at least fp32; exactly 0 where ``mask`` (same shape, bool) is False."""
    return eager.masked_softmax(energies, mask)


def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:
    """sum_j alpha_j x_j ``(B, C)`` of weights ``(B, S)`` and values ``(B, S, C)``."""
    if is_native(values):
        return native.operations().weighted_sum(weights, values)
    if is_triton("weighted_sum", values):
        return _triton().weighted_sum(weights, values)
    return eager.weighted_sum(weights, values)


def write_memory(memory: Tensor, weights: Tensor, update: Tensor, forget: Tensor | None = None) -> Tensor:
    """What a write leaves in a memory: h_j (1 - alpha_j F) + alpha_j U, ``(B, S, C)`` (Meng et al. 2016).

    Args:
        memory: h ``(B, S, C)``.
        weights: alpha ``(B, S)``.
        update: U ``(B, C)``.
        forget: F ``(B, C)``; without it nothing is forgotten.
    """
    if is_native(memory):
        return native.operations().written(memory, weights, update, forget)
    if forget is None:
        return torch.baddbmm(memory, weights.unsqueeze(2), update.unsqueeze(1))
    return eager.Written.apply(memory, weights, update, forget)


def gated_memory(pre: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    """One step of an LSTM from its pre-activations: c' = f c + i g;  h' = o tanh(c').

    Args:
        pre: W u + U h + b ``(B, 4H)``, gates in the order i, f, g, o (g: tanh, the others: sig).
        c: the memory ``(B, H)``.

    Returns:
        h' and c', ``(B, H)`` each.
    """
    return native.operations().gated_memory(pre, c) if is_native(pre) else eager.GatedMemory.apply(pre, c)


def padded_gru(from_input: Tensor, U: Tensor, b_U: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """A reset-after GRU with two biases over padded sentences, from zeros, as one node of the graph.

    The gradient of U is one product after the loop.

    Args:
        from_input: W u + b ``(B, S, 3H)``, in the order in which the words are read.
        U: ``(3H, H)``; b_U ``(3H)``.
        mask: 1 at real words, ``(B, S)``; at padding, on either side, a state stays what it was.

    Returns:
        States of all words ``(B, S, H)``, 0 at padding, and the last one ``(B, H)``.
    """
    if is_native(from_input):
        return native.operations().padded_gru(from_input, U, b_U, mask, rounds_to_bf16(from_input))
    return eager.padded_gru(from_input, U, b_U, mask, rounds_to_bf16(from_input))


def smoothed_nll(
    logits: Tensor, target: Tensor, epsilon: float, padding: int, consume: bool = False
) -> tuple[Tensor, Tensor]:
    """(1 - epsilon) NLL + epsilon times the mean of -log p over the other words, and NLL, both summed.

    A batch's logits are by far its largest tensor: one node goes over them a few times, the usual chain some ten.
    Words of probability 0 (candidate lists: all that are no candidates) take no part in smoothing. Without such words
    it is fairseq's label-smoothed loss. Only the first of the two has a gradient.

    Args:
        logits: ``(N, V)``, of any scale; computed in at least fp32.
        target: ids, ``(N,)``; rows of ``padding`` do not count.
        consume: backward writes the gradient over the logits, for callers who have no other use for them: it saves a
            tensor of their size. A second backward through them is refused.
    """
    precise = logits if logits.dtype.itemsize >= 4 else logits.float()
    if is_native(precise):
        return native.operations().smoothed_nll(precise, target, epsilon, padding, consume)
    return eager.SmoothedNLL.apply(precise, target, epsilon, padding, consume)
