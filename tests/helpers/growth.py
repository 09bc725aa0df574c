"""Whether time grows with the amount of work and no faster."""

import gc
import math
import time
from collections.abc import Callable


def assert_linear(run: Callable[[int], object]) -> None:
    """``run(10)`` takes at most twenty times as long as ``run(1)``: what is quadratic takes a hundred times as long.

    The least processor times of several rounds, taken by turns, for other programs run and change the machine's speed.
    Beside other programs 12.6 has been seen of what takes 10.8 alone.
    """
    once = tenfold = math.inf
    for _ in range(20):
        once, tenfold = min(once, _seconds(run, 1)), min(tenfold, _seconds(run, 10))
        if tenfold <= 20 * once:
            return
    raise AssertionError(f"{tenfold / once:.1f} times as long")


def _seconds(run: Callable[[int], object], times: int) -> float:
    gc.disable()
    start = time.process_time()
    run(times)
    passed = time.process_time() - start
    gc.enable()
    return passed
