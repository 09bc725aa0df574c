"""One matrix product, and those that a layer needs forward and backward."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

Layout = Literal["nn", "nt", "tn"]


class Product(NamedTuple):
    """``(rows, inner) x (inner, columns)``, ``batch`` of them at once, ``times`` in a training step.

    Attributes:
        name: what it is for.
        layout: n as it lies in memory, t transposed, of the first and the second factor.
    """

    name: str
    layout: Layout
    rows: int
    inner: int
    columns: int
    batch: int = 1
    times: int = 1

    @property
    def flops(self) -> int:
        """Of all ``times``."""
        return 2 * self.batch * self.rows * self.inner * self.columns * self.times

    @property
    def shape(self) -> tuple[Layout, int, int, int, int]:
        """What its time depends on."""
        return self.layout, self.rows, self.inner, self.columns, self.batch


Products = list[Product]


def linear(name: str, rows: int, inputs: int, outputs: int, times: int = 1) -> Products:
    """y = x W^T for ``x (rows, inputs)``, ``times`` in a loop; its gradient of x, and of W as one product after it."""
    return [
        Product(name, "nt", rows, inputs, outputs, times=times),
        Product(f"{name}, gradient of the input", "nn", rows, outputs, inputs, times=times),
        Product(f"{name}, gradient of the weights", "tn", outputs, rows * times, inputs),
    ]


def linears(*rows: tuple[str, int, int, int] | tuple[str, int, int, int, int]) -> Products:
    """``linear`` of each row."""
    return [product for row in rows for product in linear(*row)]


def weighted_sum(name: str, B: int, S: int, width: int, times: int, constant: bool) -> Products:
    """sum_j alpha_j v_j of values ``(B, S, width)`` at each of ``times`` steps.

    The gradient of values that are the same at every step is one product after the loop; that of others is an outer
    product a step, which elementwise work takes along.
    """
    found = [
        Product(name, "nn", 1, S, width, B, times),
        Product(f"{name}, gradient of the weights", "nt", 1, width, S, B, times),
    ]
    return found + [Product(f"{name}, gradient of the values", "tn", S, times, width, B)] * constant


def scores(name: str, B: int, S: int, width: int, times: int) -> Products:
    """q^T k_j of keys ``(B, S, width)`` that are the same at each of ``times`` steps."""
    return [
        Product(name, "nt", 1, width, S, B, times),
        Product(f"{name}, gradient of the query", "nn", 1, S, width, B, times),
        Product(f"{name}, gradient of the keys", "tn", S, times, width, B),
    ]


def between(name: str, batch: int, rows: int, inner: int, columns: int, layout: Layout) -> Products:
    """A product of two activations, and the gradients of both."""
    turned: Layout = "nn" if layout == "nt" else "nt"
    return [
        Product(name, layout, rows, inner, columns, batch),
        Product(f"{name}, gradient of the first", turned, rows, columns, inner, batch),
        Product(f"{name}, gradient of the second", "tn", inner, rows, columns, batch),
    ]


def repeated(products: Iterable[Product], times: int) -> Products:
    return [product._replace(times=times * product.times) for product in products]


def total_flops(products: Iterable[Product]) -> int:
    return sum(product.flops for product in products)
