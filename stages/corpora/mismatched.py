"""Pairs of sentences that cannot translate each other, whatever they say."""

from dataclasses import dataclass

from stages.corpora.parallel import Sentence, length
from stages.settings.corpora import MismatchedPairs
from stages.text.scripts import is_written_in

REPLACEMENT = "\ufffd"
"""What a program writes for bytes that it could not decode."""


@dataclass(frozen=True)
class Mismatched:
    """Tells mismatched pairs of two languages, by what `settings` name."""

    languages: tuple[str, str]
    settings: MismatchedPairs

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons that may be found, as `stats.json` counts them."""
        asked = {
            "undecoded": self.settings.undecoded,
            "other_script": self.settings.script,
            "unequal_length": self.settings.ratio is not None,
        }
        return tuple(reason for reason, looked_for in asked.items() if looked_for)

    def reason(self, pair: Sentence) -> str | None:
        """Why a pair without empty side is mismatched: one of `reasons`, or None if it is not."""
        sides = pair[:2]
        if self.settings.undecoded and any(REPLACEMENT in side for side in sides):
            return "undecoded"
        if self.settings.script and not all(map(is_written_in, self.languages, sides)):
            return "other_script"
        shorter, longer = sorted(map(length, sides))
        if self.settings.ratio is not None and longer > self.settings.ratio * shorter:
            return "unequal_length"
        return None
