"""Source-side and target-side history (spec 3.1; hoisting 6.2, 1 to 3)."""

from benchmarks.products.product import Products, linear, weighted_sum
from benchmarks.sizes import Size


def history(z: Size) -> Products:
    """U and V with the state of every source word, and the read.

    The first state is 0 and costs nothing, and nobody reads what the last step would make.
    """
    return [
        *linear("history, U", z.B * z.S, z.H, 3 * z.H, times=z.T - 2),
        *linear("history, V", z.B * z.S, z.H, z.H, times=z.T - 1),
        *weighted_sum("history, read", z.B, z.S, z.H, z.T - 1, constant=False),
    ]


def source_history(z: Size, annotation: int) -> Products:
    """W h_j once a sentence."""
    return [*linear("source history, W", z.B * z.S, annotation, 3 * z.H), *history(z)]


def target_history(z: Size, annotation: int) -> Products:
    """W s_{i-1}, one row a sentence."""
    return [*linear("target history, W", z.B, z.H, 3 * z.H, times=z.T - 1), *history(z)]
