"""Whether the text of a training fits its batches, before fairseq stops at the first pair that does not."""

from collections.abc import Iterable
from pathlib import Path

from stages.files.errors import InputError
from stages.files.text import iter_lines, iter_parallel
from stages.settings.training import Training
from stages.training.length_limit import left_out

POSITIONS = 1024  # what every model has, eos counted; fairseq refuses longer sentences


def check_batch_limits(settings: Training, bpe: Path, pair: tuple[str, str]) -> None:
    """Hold the pairs of train that ``max_length`` lets through, and all of dev, against the room of a batch.

    fairseq would leave out longer pairs of train without a word, and stop at those of dev.

    Raises:
        InputError: a side is longer than ``max_tokens``, or than the models have positions; names file and line.
    """
    room = min(settings.max_tokens or POSITIONS, POSITIONS)
    for name in ("train", "dev"):
        files = [bpe / f"{name}.{language}" for language in pair]
        for number, sides in enumerate(iter_parallel(*files), 1):
            lengths = [side.count(" ") + 2 for side in sides]  # eos counts
            length = max(lengths)
            if length <= room or (name == "train" and left_out(lengths[0], lengths[1], settings.max_length)):
                continue
            too_small = "positions of the models" if room == POSITIONS else "max_tokens"
            remedies = ["leave such pairs out with max_length" if name == "train" else "take the pair out of dev"]
            remedies += [] if room == POSITIONS else ["raise max_tokens"]
            raise InputError(
                f"{files[lengths.index(length)]}, line {number}: {length} pieces, eos counted, are more than the "
                f"{room} {too_small}; {' or '.join(remedies)}"
            )


def check_sources(limit: int, max_length: int | None, sources: Iterable[Path]) -> None:
    """Hold every source that a system will read against the longest that it can, before hours of training.

    limit: in pieces, eos counted. max_length: longer sentences of train are left out. sources: files, a set each.

    Raises:
        InputError: names file and line.
    """
    for path in sources:
        for number, line in enumerate(iter_lines(path), 1):
            length = line.count(" ") + 2
            left_out = path.stem == "train" and max_length is not None and length > max_length + 1
            if length > limit and not left_out:
                raise InputError(
                    f"{path}, line {number}: {length} pieces, eos counted, are more than the {limit} that the system "
                    "can read; take the line out, or give the variant a higher location_positions"
                )
