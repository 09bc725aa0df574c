"""How long the matrix products of a training step take by themselves, each at its own shape and layout."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import torch
from torch import Tensor

from benchmarks.products.product import Layout, Product, total_flops
from benchmarks.timing import repeated

SECONDS, LEAST = 0.1, 7


class Limit(NamedTuple):
    """The matrix products of a training step: operations, and their time by themselves.

    breakdown: each product with the seconds that it takes once, and its rate; None where nobody asked.
    """

    flops: int
    seconds: float
    breakdown: list[dict[str, Any]] | None


class ProductTimes:
    """Measures each distinct product once, warm: seconds by its shape."""

    def __init__(self, device: torch.device, seconds: float = SECONDS):
        """``seconds``: for how long a product is repeated, at least ``LEAST`` times."""
        self.device, self.lasting = device, seconds
        self.seconds: dict[tuple[Layout, int, int, int, int], float] = {}

    def of(self, products: Iterable[Product], breakdown: bool) -> Limit:
        """All products of a training step; ``breakdown``: one by one too."""
        products = list(products)
        seconds = sum(self._one(product) * product.times for product in products)
        return Limit(total_flops(products), seconds, [*map(self._described, products)] if breakdown else None)

    def _described(self, product: Product) -> dict[str, Any]:
        once = self._one(product)
        return product._asdict() | {"seconds": once, "gigaflop_per_second": product.flops / product.times / once / 1e9}

    def _one(self, product: Product) -> float:
        if product.shape not in self.seconds:
            self.seconds[product.shape] = self._measured(product)
        return self.seconds[product.shape]

    def _measured(self, product: Product) -> float:
        first = self._factor(product.batch, product.rows, product.inner, product.layout[0] == "t")
        second = self._factor(product.batch, product.inner, product.columns, product.layout[1] == "t")
        if product.batch == 1:
            first, second = first[0], second[0]
        multiply = torch.mm if product.batch == 1 else torch.bmm
        out = multiply(first, second)
        return repeated(lambda: multiply(first, second, out=out), self.device, self.lasting, LEAST)

    def _factor(self, batch: int, rows: int, columns: int, transposed: bool) -> Tensor:
        """``(batch, rows, columns)``, lying in memory the other way round if ``transposed``."""
        shape = (batch, columns, rows) if transposed else (batch, rows, columns)
        made = torch.randn(shape, device=self.device)
        return made.transpose(1, 2) if transposed else made
