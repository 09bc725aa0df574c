"""Lines are answered in order, so many at a time, and never many more are read than are answered."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from stages.translator.sentence import Sentence
from stages.translator.source import Source
from stages.translator.work import answers


class Given(NamedTuple):
    """What a stand-in for a translator was given at a time."""

    windows: list[list[str]]

    def __call__(self, sentences: list[Sentence], progress: str | None) -> list[str]:
        self.windows.append([one.line for one in sentences])
        return [one.line.upper() for one in sentences]


class Lines:
    """a0, a1, ...; read: how many were taken."""

    def __init__(self, count: int) -> None:
        self.read, self._count = 0, count

    def __iter__(self) -> Iterator[str]:
        for k in range(self._count):
            self.read += 1
            yield f"a{k}"


def prepared(line: str) -> Sentence:
    return Sentence(line, [line])


@pytest.mark.parametrize("window", [1, 3, 4, 10, 99])
def test_order_and_memory(window):
    lines, given = Lines(10), Given([])
    source = Source(iter(lines), None, typed=False)
    for answered, (number, answer) in enumerate(answers(source, prepared, given, window, print), start=1):
        assert (number, answer) == (answered, f"A{answered - 1}")
        assert lines.read - answered < window
    assert answered == 10
    assert [len(one) for one in given.windows[:-1]] == [window] * (len(given.windows) - 1)


def test_the_bar_says_which_lines_of_how_many(monkeypatch):
    titles = []
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)

    def translator(sentences: list[Sentence], progress: str | None) -> list[str]:
        titles.append(progress)
        return [one.line for one in sentences]

    list(answers(Source(iter(Lines(5)), 5, typed=False), prepared, translator, 3, print))
    list(answers(Source(iter(Lines(4)), None, typed=False), prepared, translator, 3, print))
    list(answers(Source(iter(Lines(1)), None, typed=True), prepared, translator, 1, print))
    assert titles == ["lines 1 to 3 of 5", "lines 4 to 5 of 5", "lines 1 to 3", "lines 4 to 4", None]
