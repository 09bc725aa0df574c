"""The edit distance of tercom (Snover et al. 2006), and that after a shift, fast enough to try thousands of shifts."""

import math
from collections.abc import Sequence
from operator import add
from typing import NamedTuple

BEAM_WIDTH = 25
"""Cells on either side of the diagonal that are looked at, as in tercom."""

_UNREACHED = 10**9


class _Row(NamedTuple):
    """Costs of the columns from `start` on; those of all others are out of reach."""

    start: int
    costs: list[int]

    def at(self, column: int) -> int:
        k = column - self.start
        return self.costs[k] if 0 <= k < len(self.costs) else _UNREACHED


class EditDistance:
    """What sacrebleu's `BeamEditDistance` computes of words and a reference, in a fraction of its time and memory.

    Costs are kept from the beginning to every cell, and from there to the end. Of shifted words only the rows between
    are computed anew.
    """

    def __init__(self, words: Sequence[str], reference: Sequence[str]):
        self._words, self._reference = words, reference
        self._slope = len(reference) / len(words) if words else 1.0
        self._width = BEAM_WIDTH if self._slope / 2 <= BEAM_WIDTH else math.ceil(self._slope / 2 + BEAM_WIDTH)
        self._before = [_Row(0, list(range(len(reference) + 1)))]
        for i, word in enumerate(words, start=1):
            self._before.append(self._row(word, self._before[-1], i))
        self._after: list[_Row] = []
        self.cost = self._before[-1].at(len(reference))
        """Insertions, deletions and substitutions that turn the words into the reference."""

    def of_reordered(self, words: Sequence[str], first: int, last: int) -> int:
        """`cost` of as many words that differ from these from place `first` up to, and without, `last` > `first`."""
        if not self._after:
            self._after = self._rows_to_the_end()
        row = self._before[first]
        for i in range(first + 1, last + 1):
            row = self._row(words[i - 1], row, i)
        return min(map(add, row.costs, self._after[last].costs))

    def trace(self) -> str:
        """A letter a step: ' ' match, 's' substitution, 'd' deletion, 'i' insertion, from the first words to the last.

        Of equally cheap ones the last step is a match or substitution rather than a deletion, and that rather than an
        insertion, and so on towards the first.
        """
        words, reference, rows = self._words, self._reference, self._before
        operations = []
        i, j = len(words), len(reference)
        while i or j:
            cost = rows[i].at(j)
            differs = not (i and j) or words[i - 1] != reference[j - 1]
            if i and j and cost == rows[i - 1].at(j - 1) + differs:
                operations.append("s" if differs else " ")
                i, j = i - 1, j - 1
            elif i and cost == rows[i - 1].at(j) + 1:
                operations.append("d")
                i -= 1
            else:
                operations.append("i")
                j -= 1
        return "".join(reversed(operations))

    def _columns(self, i: int) -> tuple[int, int]:
        """First and last but one of row i > 0."""
        diagonal = math.floor(i * self._slope)
        return max(0, diagonal - self._width), min(len(self._reference) + 1, diagonal + self._width)

    def _row(self, word: str, above: _Row, i: int) -> _Row:
        """Costs of row i, below `above`, which `word` leads to."""
        start, stop = self._columns(i)
        left = _UNREACHED
        costs = []
        if start == 0:
            left = above.at(0) + 1
            costs.append(left)
        first = max(start, 1)
        corner = above.at(first - 1)
        ups = above.costs[first - above.start : stop - above.start]  # no row begins before the one above
        ups += [_UNREACHED] * (stop - first - len(ups))
        for other, up in zip(self._reference[first - 1 : stop - 1], ups, strict=True):
            cost = corner if word == other else corner + 1
            if up < cost:
                cost = up + 1
            if left < cost:
                cost = left + 1
            costs.append(cost)
            left = cost
            corner = up
        return _Row(start, costs)

    def _rows_to_the_end(self) -> list[_Row]:
        """Of every row but 0, which no shift ends at, the costs from its cells to the end."""
        words, reference = self._words, self._reference
        below = _Row(len(reference) + 1, [])
        rows = []
        for i in range(len(words), 0, -1):
            start, stop = self._columns(i)
            right = _UNREACHED
            costs = []
            for j in range(stop - 1, start - 1, -1):
                if i == len(words):
                    cost = len(reference) - j
                else:
                    cost = below.at(j) + 1
                    if j < len(reference):
                        cost = min(cost, below.at(j + 1) + (words[i] != reference[j]))
                cost = right = min(cost, right + 1)
                costs.append(cost)
            below = _Row(start, costs[::-1])
            rows.append(below)
        return [_Row(0, []), *reversed(rows)]
