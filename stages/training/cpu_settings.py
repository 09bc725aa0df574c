"""Settings of the process that make updates on a CPU quicker and change no number."""

import ctypes
import mmap
import platform

HUGE = 1 << 21  # bytes of a huge page on most machines
HEAP = 4 << 30  # bytes, more than an update of the study's models takes


def save_time() -> None:
    """Call it once, before there are models."""
    if platform.libc_ver()[0] == "glibc":
        libc = ctypes.CDLL(None)
        _keep_memory(libc)
        _reserve_memory(libc)


def _keep_memory(libc: ctypes.CDLL) -> None:
    """Let the allocator keep and reuse large blocks: else every update maps and clears its logits anew."""
    trim_threshold, mmap_threshold = -1, -3  # malloc.h
    never, most = -1, (1 << 31) - 1
    libc.mallopt(trim_threshold, never)
    libc.mallopt(mmap_threshold, most)


def _reserve_memory(libc: ctypes.CDLL) -> None:
    """Have ``HEAP`` that nothing has touched yet, in huge pages where the system has them.

    The first touch of a page costs microseconds, ten in a virtual machine, and an update touches ten thousands.
    """
    libc.malloc.argtypes, libc.malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
    libc.free.argtypes = [ctypes.c_void_p]
    libc.madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    block = 1 << 30  # less than what would be mapped by itself
    taken = [libc.malloc(block) for _ in range(HEAP // block)]
    for start in filter(None, taken):  # None: the machine has less
        first = -(-start // HUGE) * HUGE
        libc.madvise(first, block - HUGE, mmap.MADV_HUGEPAGE)
    for start in taken:
        libc.free(start)
