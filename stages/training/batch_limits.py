"""Whether the text of a training fits batches and model, before fairseq stops at the first pair that does not."""

from collections.abc import Iterable
from pathlib import Path

from stages.files.errors import InputError
from stages.files.text import iter_parallel
from stages.settings.training import Training
from stages.training.length_limit import left_out


def check_lengths(
    settings: Training, bpe: Path, pair: tuple[str, str], positions: tuple[int, int], held_out: Iterable[str]
) -> None:
    """Hold the pairs of train that ``max_length`` lets through, all of dev, and the sources of the tests.

    fairseq would leave out longer pairs of train without a word, and stop at those of dev.

    Args:
        positions: the longest source and target of the model, in pieces with eos.
        held_out: names of dev and of the tests.

    Raises:
        InputError: a side is longer than the model has positions, or than ``max_tokens``; names file and line.
    """
    for name in ("train", *held_out):
        files = [bpe / f"{name}.{language}" for language in pair]
        batched = name in ("train", "dev")
        room = (settings.max_tokens if batched else None) or max(positions)
        for number, sides in enumerate(iter_parallel(*files), 1):
            lengths = [side.count(" ") + 2 for side in sides]  # eos counts
            held = zip(files, lengths, positions if batched else positions[:1], strict=False)
            over = [(path, length, most) for path, length, most in held if length > min(most, room)]
            if not over or (name == "train" and left_out(lengths[0], lengths[1], settings.max_length)):
                continue
            path, length, most = over[0]
            limit, remedy = f"{room} max_tokens", "raise max_tokens"
            if most <= room:
                limit = f"{most} positions of the model"
                remedy = "raise its option for them, if it has one (as location_positions)"
            without = "leave such pairs out with max_length" if name == "train" else f"take the pair out of {name}"
            raise InputError(
                f"{path}, line {number}: {length} pieces, eos counted, are more than the {limit}; {without} or {remedy}"
            )
