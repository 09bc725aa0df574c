"""Linear maps inside the loop."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

from torch import Tensor, nn

from fairseq_plugins import kernels


class Linear(nn.Linear):
    """``nn.Linear`` by the kernel that adds up a gathered weight's gradients."""

    def forward(self, x: Tensor) -> Tensor:
        return kernels.linear(x, self.weight, self.bias)


class LinearOnce(nn.Linear):
    """``nn.Linear`` outside of the loop, whose factors may be rounded (``kernels.use_products``)."""

    def forward(self, x: Tensor) -> Tensor:
        return kernels.linear_once(x, self.weight, self.bias)


_GATHERED = RLock()


@contextmanager
def gathered_parameters(*modules: nn.Module) -> Iterator[None]:
    """Within it the modules find each of their parameters by ``kernels.accumulate_grad``, for every step.

    Of several threads one at a time: those of one model would find each other's.
    """
    parts = [part for module in modules for part in module.modules()]
    with _GATHERED:
        try:
            for part in parts:
                for name, weight in part.named_parameters(recurse=False):
                    part.__dict__[name] = kernels.accumulate_grad(weight)  # found in front of the parameter
            yield
        finally:
            for part in parts:
                for name, _ in part.named_parameters(recurse=False):
                    part.__dict__.pop(name, None)
