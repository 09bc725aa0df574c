"""CUDA graphs without a GPU: tapes stand in for them, which repeat recorded operations on the same tensors."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map_only

from fairseq_plugins.core import graphs
from fairseq_plugins.core.graphs import Recorder, Replayed
from fairseq_plugins.kernels import native, smoothed_nll
from stages.settings.training import ModelSizes
from tests.helpers import support
from tests.helpers.support import Batch, build, random_batch, random_links

from fairseq.models import FairseqEncoderDecoderModel

PADDING = 1
BATCHES = [
    random_batch([5, 2, 4], [3, 6, 1], seed=1),
    random_batch([4, 4], [2, 5], seed=2),
    random_batch([1, 5, 3], [6, 2, 4], seed=3),  # of the first one's shape
]
ORDER = [0, 1, 2, 1, 0]
DROPOUT = support.TINY.model_copy(update={"embed_dropout": 0.2, "annotation_dropout": 0.2, "readout_dropout": 0.2})


class Tape(TorchDispatchMode):
    """A CUDA graph on a CPU: records operations, and repeats them on the same tensors into the same tensors.

    Raises:
        RuntimeError: an operation waits for the device or brings numbers from the host, which no graph can record.
    """

    refused = ("_local_scalar_dense", "equal", "nonzero", "masked_select", "lift_fresh", "unique", "repeat_interleave")

    def __init__(self):
        super().__init__()
        self.calls: list[tuple] = []

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        if operation.overloadpacket.__name__.startswith(self.refused):
            raise RuntimeError(f"{operation} is not permitted when a stream is capturing")
        given = aliases((args, kwargs or {}))
        found = operation(*args, **(kwargs or {}))
        self.calls.append((operation, given, aliases(found)))
        return found

    @torch.no_grad()
    def replay(self) -> None:
        for operation, given, before in self.calls:
            args, kwargs = aliases(given)
            again = operation(*args, **kwargs)
            for kept, x in zip(tree_leaves(before), tree_leaves(again), strict=True):
                if isinstance(x, Tensor) and x.data_ptr() != kept.data_ptr():
                    kept.copy_(x)


def aliases(tree):
    """Other tensors of the same memory: autograd changes the shape of some in place."""
    return tree_map_only(Tensor, torch.ops.aten.alias.default, tree)


@contextmanager
def taping(tape: Tape, pool: object, capture_error_mode: str) -> Iterator[None]:
    """In the place of ``torch.cuda.graph``; recording moves no generator. After an error its end fails too, and says
    as little as CUDA's."""
    try:
        with torch.random.fork_rng(devices=[]), tape:
            yield
    except Exception:
        raise RuntimeError("operation failed due to a previous error during capture")  # noqa: B904  as torch's


class OnCpu(Recorder):
    def serves(self, tokens: Tensor) -> bool:
        return True


@pytest.fixture
def tapes(monkeypatch) -> None:
    """Tapes are what CUDA has for graphs; and kernels are made of operations that they can see."""
    nothing = nullcontext(SimpleNamespace(wait_stream=lambda other: None, device_index=0))
    for name, stand_in in {
        "CUDAGraph": Tape, "graph": taping, "graph_pool_handle": lambda: (0, 0), "stream": lambda stream: nothing,
        "Stream": lambda: nothing.enter_result, "current_stream": lambda: nothing.enter_result,
        "set_stream": lambda stream: None,
        "get_rng_state": lambda device: None, "set_rng_state": lambda state, device: None,
    }.items():  # fmt: skip
        monkeypatch.setattr(torch.cuda, name, stand_in)
    monkeypatch.setattr(torch._C, "_cuda_endAllocateToPool", lambda device, pool: None, raising=False)
    monkeypatch.setattr(graphs, "_warming", lambda: nothing.enter_result)
    monkeypatch.setattr(native, "operations", lambda: None)


on_tapes = pytest.mark.usefixtures("tapes")


def loss(model: FairseqEncoderDecoderModel, batch: Batch, device: str = "cpu") -> Tensor:
    """With all auxiliary losses."""
    links = random_links(batch).to(device)
    batch = Batch(*(tensor.to(device) for tensor in batch))
    output = model(batch.source, batch.lengths, batch.previous)
    auxiliary = model.auxiliary_losses(output, batch.target, links)
    return smoothed_nll(output[0].flatten(0, 1), batch.target.flatten(), 0.1, PADDING)[0] + sum(auxiliary.values())


def trained(name: str, sizes: ModelSizes = support.TINY) -> FairseqEncoderDecoderModel:
    return build(support.SYSTEMS[name], sizes).model.train()


def losses_and_gradients(model: FairseqEncoderDecoderModel, device: str = "cpu") -> list[Tensor | None]:
    """Of BATCHES in ORDER; the gradients of the first two add up, as over the batches of one update."""
    found: list[Tensor | None] = []
    for update, k in enumerate(ORDER):
        if update != 1:
            model.zero_grad()
        torch.manual_seed(update)
        one = loss(model, BATCHES[k], device)
        one.backward()
        found += [one.detach(), *(None if p.grad is None else p.grad.clone() for p in model.parameters())]
    return found


def held_to(found: list[Tensor | None], expected: list[Tensor | None], tolerance: float) -> None:
    assert [x is None for x in found] == [x is None for x in expected]
    for one, other in zip(found, expected, strict=True):
        if one is not None:
            torch.testing.assert_close(one, other, rtol=tolerance, atol=tolerance)


def counts(passes: list[Replayed]) -> list[tuple[int, int, int]]:
    """Of each decoder: shapes recorded, passes replayed, other passes."""
    return [(one.recorded, one.replayed, one.others) for one in passes]


def waiting(decoder: Any) -> Callable:
    """Its ``teacher_forced``, which waits for the device: a stream that is being recorded does not allow that."""
    computed = decoder.teacher_forced

    def compute(tokens: Tensor, encoder_out: tuple) -> tuple:
        int(tokens.sum())
        return computed(tokens, encoder_out)

    return compute


def fail(*given):
    raise RuntimeError("operation not permitted when stream is capturing\nmore")
