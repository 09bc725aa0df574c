"""Products of auxiliary losses: direct bridging (spec 3.3) and global fertility (4.4)."""

from benchmarks.products.product import Products, linear
from benchmarks.sizes import Size


def direct_bridging(z: Size, annotation: int) -> Products:
    return linear("bridge", z.B * z.T, z.H, z.H)


def global_fertility(z: Size, annotation: int) -> Products:
    return linear("W_h", z.B * z.S, annotation, z.H)
