"""What is written below a figure, and said in its place."""

from typing import NamedTuple


class Caption(NamedTuple):
    """about: what is seen, which way is better, what marks and bands mean, of nothing that is not drawn; mirrors: the
    papers' figures that it is the counterpart of, "" if it has none. All text is plain."""

    title: str
    about: str
    mirrors: str = ""

    @property
    def text(self) -> str:
        """All of it, as sentences."""
        return f"{self.title}. {self.further}"

    @property
    def further(self) -> str:
        """What stands behind the title."""
        return f"{self.about} Counterpart of {self.mirrors}." if self.mirrors else self.about
