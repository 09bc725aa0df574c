"""fairseq's training in one of several processes, each of which takes a batch of every update."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch
from torch import distributed

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.training.process_group import ProcessGroup, T

from fairseq.distributed import LegacyDistributedDataParallel
from fairseq.distributed import utils as distributed_utils
from fairseq.models import distributed_fairseq_model

PATIENCE = timedelta(days=7)
"""How long a process waits for another: dev may take long to translate, and who dies takes the others along."""


class Several(ProcessGroup):
    """This process among the others; ``first`` is the one of rank 0."""

    def __init__(self, rank: int) -> None:
        self.rank = rank
        self.arguments = (
            "--distributed-rank", str(rank), "--device-id", str(rank), "--distributed-no-spawn",
            "--distributed-init-method", "env://",  # joined already; fairseq asks for a method all the same
            "--ddp-backend", "legacy_ddp", "--load-checkpoint-on-all-dp-ranks",
        )  # fmt: skip

    def agree(self, make: Callable[[], T]) -> T:
        given: list[Any] = [make() if self.first else None]
        distributed.broadcast_object_list(given, src=0)
        return given[0]


class JointGradients(LegacyDistributedDataParallel):
    """fairseq's own, which adds up gradients behind the backward pass, wherever in it a loss has used a parameter.

    torch's would do so within, and refuses parameters that a system has and a batch does not use, such as copies of
    weights in fairseq's Transformer. fairseq's gives these a gradient of 0; here they have none, as in one process: a
    parameter has a gradient if it has one in any of them.
    """

    def all_reduce_grads(self) -> None:
        parameters = [parameter for parameter in self.module.parameters() if parameter.requires_grad]
        used = torch.tensor([parameter.grad is not None for parameter in parameters], dtype=torch.int32)
        used = used.to(parameters[0].device)
        distributed.all_reduce(used, distributed.ReduceOp.MAX, self.process_group)
        super().all_reduce_grads()
        for parameter, found in zip(parameters, used.tolist(), strict=True):
            if not found:
                parameter.grad = None


@contextmanager
def joined(rank: int, count: int, meeting: Path) -> Iterator[Several]:
    """While it is open, this process is the one of number ``rank`` among ``count``: on GPU ``rank``, or on the CPU.

    For good, fairseq adds up gradients as `JointGradients` does.

    Args:
        meeting: a file that is not there yet and that all can write.
    """
    on_gpus = torch.cuda.is_available()
    if on_gpus:
        torch.cuda.set_device(rank)
    distributed.init_process_group(
        "nccl" if on_gpus else "gloo", f"file://{meeting.resolve()}", PATIENCE, world_size=count, rank=rank
    )
    distributed_utils.get_global_group._global_group = distributed.new_group(timeout=PATIENCE)
    distributed_utils.distributed_init = _already_joined
    distributed_fairseq_model.LegacyDistributedDataParallel = JointGradients
    yield Several(rank)
    distributed.destroy_process_group()


def _already_joined(cfg: Any) -> int:
    """In the place of fairseq's ``distributed_init``, whose operations end after minutes of waiting."""
    return distributed.get_rank()
