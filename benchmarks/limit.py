"""How long the matrix products of a training step take by themselves, each at its own shape and layout."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import torch
from torch import Tensor

from benchmarks.products.product import Product, total_flops
from benchmarks.timing import repeated

SECONDS, LEAST = 0.03, 3
MOMENT = 0.2  # shorter ones differ by a fifth on an idle machine


class Limit(NamedTuple):
    """The matrix products of a training step: operations, and their time by themselves.

    breakdown: each product with the seconds that it takes once, and its rate; None where nobody asked.
    """

    flops: int
    seconds: float
    breakdown: list[dict[str, Any]] | None


def limit_of(products: Iterable[Product], device: torch.device, seconds: float, breakdown: bool) -> Limit:
    """Measures all products of a training step now, those of one shape once.

    Args:
        seconds: for how long a product is repeated, at least ``LEAST`` times.
        breakdown: whether they are reported one by one too.
    """
    products = list(products)
    once = {product.shape: product for product in products}
    times = {shape: _measured(product, device, seconds) for shape, product in once.items()}
    return Limit(
        total_flops(products),
        sum(times[product.shape] * product.times for product in products),
        [_described(product, times[product.shape]) for product in products] if breakdown else None,
    )


def speed(device: torch.device) -> float:
    """Of the machine at this moment, in FLOP/s: that of a product of a middling size."""
    product = Product("", "nn", 1024, 1024, 1024)
    return product.flops / _measured(product, device, MOMENT)


def _described(product: Product, once: float) -> dict[str, Any]:
    return product._asdict() | {"seconds": once, "gigaflop_per_second": product.flops / product.times / once / 1e9}


def _measured(product: Product, device: torch.device, seconds: float) -> float:
    first = _factor(product.batch, product.rows, product.inner, product.layout[0] == "t", device)
    second = _factor(product.batch, product.inner, product.columns, product.layout[1] == "t", device)
    if product.batch == 1:
        first, second = first[0], second[0]
    multiply = torch.mm if product.batch == 1 else torch.bmm
    out = multiply(first, second)
    return repeated(lambda: multiply(first, second, out=out), device, seconds, LEAST)


def _factor(batch: int, rows: int, columns: int, transposed: bool, device: torch.device) -> Tensor:
    """``(batch, rows, columns)``, lying in memory the other way round if ``transposed``."""
    shape = (batch, columns, rows) if transposed else (batch, rows, columns)
    made = torch.ones(shape, device=device)
    return made.transpose(1, 2) if transposed else made
