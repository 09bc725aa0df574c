"""How long the matrix products of a training step take by themselves, each at its own shape and layout."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import torch
from torch import Tensor

from benchmarks.device import now
from benchmarks.products.product import Product, total_flops
from fairseq_plugins.kernels.rounding import rounded_product

MOMENT, MOST = 0.01, 300
"""Seconds for which a shorter product is repeated, and how often at most: those of tiny sizes take microseconds."""


class Limit(NamedTuple):
    """The matrix products of a training step: operations, and their time by themselves."""

    flops: int
    seconds: float


class ProductTimer:
    """Times all products of a training step, those of one shape once, warm, as often as it is asked.

    rounded: with factors in bf16, rounded beforehand; products of many small matrices at once stay in fp32, as they do
    in training.
    """

    def __init__(
        self, products: Iterable[Product], device: torch.device, moment: float = MOMENT, rounded: bool = False
    ):
        self.products, self.device, self.moment = list(products), device, moment
        distinct = {product.shape: product for product in self.products}
        self.work = {
            shape: _rounded(product) if rounded and product.batch == 1 else _multiplication(product, device)
            for shape, product in distinct.items()
        }
        for multiply in self.work.values():
            multiply()

    def limit(self) -> Limit:
        """Measured now."""
        once = {shape: self._seconds(multiply) for shape, multiply in self.work.items()}
        return Limit(total_flops(self.products), sum(once[product.shape] * product.times for product in self.products))

    def _seconds(self, multiply: Callable[[], object]) -> float:
        """Of one; on a GPU, where each look at the clock waits for it, the last of batches that double."""
        start, times, batch = now(self.device), 0, 1
        while True:
            for _ in range(batch):
                multiply()
            times, end = times + batch, now(self.device)
            if end - start >= self.moment or times >= MOST:
                return (end - start) / times
            if self.device.type == "cuda":
                start, times, batch = end, 0, 2 * batch


def _multiplication(product: Product, device: torch.device) -> Callable[[], object]:
    first = _factor(product.batch, product.rows, product.inner, product.layout[0] == "t", device)
    second = _factor(product.batch, product.inner, product.columns, product.layout[1] == "t", device)
    if product.batch == 1:
        first, second = first[0], second[0]
    multiply = torch.mm if product.batch == 1 else torch.bmm
    out = multiply(first, second)
    return lambda: multiply(first, second, out=out)


def _rounded(product: Product) -> Callable[[], object]:
    """Whatever the layout was: rounding lays factors out anew."""
    multiply = rounded_product(torch.ones(product.rows, product.inner), torch.ones(product.inner, product.columns))
    out = torch.empty(product.rows, product.columns)
    return lambda: multiply(out)


def _factor(batch: int, rows: int, columns: int, transposed: bool, device: torch.device) -> Tensor:
    """``(batch, rows, columns)``, lying in memory the other way round if ``transposed``."""
    shape = (batch, columns, rows) if transposed else (batch, rows, columns)
    made = torch.ones(shape, device=device)
    return made.transpose(1, 2) if transposed else made
