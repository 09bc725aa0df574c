"""How many shapes the batches of a text have, and how much padding fewer shapes cost: of `training.length_multiple`.

    python -m benchmarks.shapes work/hansards-en-fr/forward-bpe/bpe en fr --max-tokens 1000 4000

A CUDA graph serves one shape, which is the sentences of a batch and the padded lengths of its two sides.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.files.text import iter_parallel

from fairseq.data import data_utils

MULTIPLES = (1, 2, 4, 8, 16)
ROWS = 8  # fairseq's own --required-batch-size-multiple
HEADS = (
    "`max_tokens`", "`length_multiple`", "batches", "shapes", "batches of the 64 most frequent", "source positions",
    "target positions", "source × target",
)  # fmt: skip


class Cost(NamedTuple):
    """Of an epoch. served: share of its batches that have one of the 64 most frequent shapes; source, target, pairs:
    positions of either side, and pairs of a source and a target position, over those without a multiple."""

    batches: int
    shapes: int
    served: float
    source: float
    target: float
    pairs: float


def lengths(bpe: Path, source: str, target: str) -> np.ndarray:
    """(2, pairs): pieces of both sides of the training text, the end of the sentence counted."""
    pairs = iter_parallel(bpe / f"train.{source}", bpe / f"train.{target}")
    return np.array([[side.count(" ") + 2 for side in pair] for pair in pairs]).T


def batches(sizes: np.ndarray, max_tokens: int) -> list[np.ndarray]:
    """Pairs of each batch as fairseq puts them together: by source length, then by target length."""
    order = np.lexsort((sizes[1], sizes[0]))
    return data_utils.batch_by_size(
        order, num_tokens_fn=lambda k: int(sizes[:, k].max()), max_tokens=max_tokens, required_batch_size_multiple=ROWS
    )  # fmt: skip


def cost(sizes: np.ndarray, made: list[np.ndarray], multiple: int) -> Cost:
    """Of padding both sides of each batch to a multiple."""
    plain = np.array([[len(rows), *sizes[:, rows].max(axis=1)] for rows in made])
    padded = plain.copy()
    padded[:, 1:] = -(-plain[:, 1:] // multiple) * multiple
    counts = np.sort(np.unique(padded, axis=0, return_counts=True)[1])[::-1]
    before, after = ([(B * S).sum(), (B * T).sum(), (B * S * T).sum()] for B, S, T in (plain.T, padded.T))
    more = [float(new / old) for new, old in zip(after, before, strict=True)]
    return Cost(len(made), len(counts), float(counts[:64].sum() / len(made)), *more)


def table(sizes: np.ndarray, rooms: list[int]) -> Iterator[str]:
    """Markdown."""
    yield "| " + " | ".join(HEADS) + " |"
    yield "|" + "---:|" * len(HEADS)
    for room in rooms:
        made = batches(sizes, room)
        for multiple in MULTIPLES:
            of = cost(sizes, made, multiple)
            more = " | ".join(f"+{one - 1:.1%}" for one in (of.source, of.target, of.pairs))
            yield f"| {room:,} | {multiple} | {of.batches:,} | {of.shapes:,} | {of.served:.0%} | {more} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shapes", description=__doc__.splitlines()[0])
    parser.add_argument("bpe", type=Path, help="folder of the stage bpe")
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--max-tokens", type=int, nargs="+", default=[1000, 4000])
    args = parser.parse_args()
    print("\n".join(table(lengths(args.bpe, args.source, args.target), args.max_tokens)))


if __name__ == "__main__":
    main()
