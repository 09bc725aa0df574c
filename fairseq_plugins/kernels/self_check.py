"""Whether the kernels in Triton compute on this device what PyTorch's own operations do: they serve where they do.

Before a device is first used with numbers of a type, each kernel is compared with ``eager`` in double precision: values
and gradients, on small ragged inputs. One that differs or fails is left out, in a sentence of warning, and PyTorch's
operations do its work. The verdicts are kept (``verdict_file``), so this is done once.
"""

import warnings
from collections.abc import Callable, Iterable
from functools import cache

import torch
from torch import Tensor

from fairseq_plugins.kernels import eager, triton_choice
from fairseq_plugins.kernels.comparison import TOLERANCE, difference, sentence
from fairseq_plugins.kernels.verdict_file import Verdict, device_name, keep, kept

INSTEAD = "training goes on with PyTorch's own operations, which are slower"
Inputs = list[Tensor | None]


@cache
def proven(device: torch.device, dtype: torch.dtype) -> frozenset[str]:
    """Names of the kernels in Triton that may serve tensors of ``dtype`` on ``device``; warns of each that may not.

    Raises:
        RuntimeError: a kernel has broken the device for this process.
    """
    try:
        there = triton_choice.operations()
    except Exception as error:  # whatever a broken installation raises
        warnings.warn(f"Triton cannot be imported ({sentence(error)}); {INSTEAD}", stacklevel=2)
        return frozenset()
    if there is None or dtype not in TOLERANCE:
        return frozenset()
    found = verdicts(device, dtype)
    objections = {name: verdict.objection(TOLERANCE[dtype]) for name, verdict in found.items()}
    for name, objection in objections.items():
        if objection:
            where = f"{device_name(device)} for {str(dtype).removeprefix('torch.')}"
            warnings.warn(f"the Triton kernel {name} is left out on {where}: {objection}; {INSTEAD}", stacklevel=2)
    return frozenset(name for name, objection in objections.items() if not objection)


def verdicts(device: torch.device, dtype: torch.dtype) -> dict[str, Verdict]:
    """On every kernel: those that are kept, otherwise found now.

    Raises:
        RuntimeError: a kernel has broken the device for this process; the next one leaves it out.
    """
    found = kept(device, dtype)
    missing = [name for name in triton_choice.Operations._fields if name not in found]
    for name in missing:
        found[name] = checked(name, device, dtype)
        if found[name].error is not None and not _works(device):
            keep(device, dtype, found)
            raise RuntimeError(
                f"the Triton kernel {name} has broken {device_name(device)} for this process ({found[name].error}); "
                "start again: it is left out from now on"
            )
    if missing:
        keep(device, dtype, found)
    return found


def checked(name: str, device: torch.device, dtype: torch.dtype) -> Verdict:
    """The verdict on a kernel, found now."""
    worst = 0.0
    try:
        with torch.inference_mode(False), torch.enable_grad():
            for inputs in INPUTS[name]():
                rounded = [x if x is None else _rounded(x, dtype).to(device) for x in inputs]
                expected = _value_and_gradients(getattr(eager, name), rounded, dtype, torch.float64)
                found = _value_and_gradients(getattr(triton_choice.operations(), name), rounded, dtype, dtype)
                worst = max(worst, difference(found, expected))
    except Exception as error:  # a compiler, a driver or a kernel may raise anything
        return Verdict(None, sentence(error))
    return Verdict(worst, None)


def _value_and_gradients(
    kernel: Callable[..., Tensor], rounded: Inputs, rounding: torch.dtype, dtype: torch.dtype
) -> list[Tensor]:
    """Computed in ``dtype``. Gradients of all real inputs that ask for one, from another number for every result."""
    given = [x if x is None or x.dtype == torch.bool else _leaf(x, dtype) for x in rounded]
    value = kernel(*given)
    direction = torch.linspace(-1, 2, value.numel(), dtype=torch.float64, device=value.device).view_as(value)
    wanted = [x for x in given if x is not None and x.requires_grad]
    return [value, *torch.autograd.grad(value, wanted, _rounded(direction, rounding).to(dtype))]


def _leaf(x: Tensor, dtype: torch.dtype) -> Tensor:
    return x.detach().to(dtype, copy=True).requires_grad_(x.requires_grad)


def _rounded(x: Tensor, dtype: torch.dtype) -> Tensor:
    return x if x.dtype == torch.bool else x.to(dtype).double()


def _works(device: torch.device) -> bool:
    """Whether the device still computes: after an illegal access of memory it does not, for this process."""
    try:
        return torch.ones(2, device=device).sum().item() == 2
    except Exception:
        return False


# The inputs. Sizes are those of one row and of several, of one block and of more, multiples of 16, which Triton
# compiles in another way, and others.


def _recurrence() -> Iterable[Inputs]:
    for S, D in ((19, 272), (5, 21)):
        real = _real(S).unsqueeze(-1).double()
        yield [
            _random(3, 1, 3 * D), _random(3, S, 3 * D), _random(3, S, D), _random(3 * D), _random(3, S, 3 * D),
            _random(3, S), real,
        ]  # fmt: skip
    yield [_random(3, 3 * 272), _random(3, 3 * 272), _random(3, 272), None, None, None, None]


def _weights() -> Iterable[Inputs]:
    for S, A, added in ((19, 176, True), (19, 176, False), (5, 21, True)):
        keys, query, v = _random(3, S, A), _random(3, A), _random(A, scale=A**-0.5)  # energies of about 1
        yield [keys, query, v, _real(S), _random(3, S, A) if added else None]


def _sum() -> Iterable[Inputs]:
    for S, C in ((19, 176), (5, 21)):
        yield [_random(3, S), _random(3, S, C)]


INPUTS = {"gated_recurrence": _recurrence, "attention_weights": _weights, "weighted_sum": _sum}


def _random(*shape: int, scale: float = 1.0) -> Tensor:
    made = torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(sum(shape)))
    return made.mul_(scale).requires_grad_()


def _real(words: int) -> Tensor:
    """Which words of three sentences are there: all, one, and about half."""
    return torch.arange(words) < torch.tensor([[words], [1], [words // 2 + 1]])
