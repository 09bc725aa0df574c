"""What is said of a study that params.yaml lacks; no stage reads this."""

from collections.abc import Iterable
from difflib import get_close_matches

from stages.settings.names import PARAMS


def no_study(name: str, studies: Iterable[str]) -> str:
    """The sentence for a study that is none of `studies`."""
    there = list(studies)
    meant = "".join(f"; did you mean {one}?" for one in get_close_matches(name, there, n=1))
    listed = ", ".join(there) or "none"
    return f"{PARAMS}: there is no study {name!r} (there are: {listed}); `make studies` says more of each{meant}"
