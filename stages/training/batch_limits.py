"""Whether the text of a training fits its batches, before fairseq stops at the first pair that does not."""

from pathlib import Path

from stages.files.errors import InputError
from stages.files.text import iter_parallel
from stages.settings.training import Training

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
            left_out = name == "train" and settings.max_length is not None and length > settings.max_length + 1
            if length <= room or left_out:
                continue
            too_small = "positions of the models" if room == POSITIONS else "max_tokens"
            remedies = ["leave such pairs out with max_length" if name == "train" else "take the pair out of dev"]
            remedies += [] if room == POSITIONS else ["raise max_tokens"]
            raise InputError(
                f"{files[lengths.index(length)]}, line {number}: {length} pieces, eos counted, are more than the "
                f"{room} {too_small}; {' or '.join(remedies)}"
            )
