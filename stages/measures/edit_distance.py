"""The edit distance of tercom (Snover et al. 2006) to one reference, fast enough to try thousands of shifts."""

import math
from collections.abc import Sequence
from typing import NamedTuple

BEAM_WIDTH = 25
"""Cells on either side of the diagonal that are looked at, as in tercom."""

KEPT_ROWS = 50_000
"""Rows that are kept for sentences to come, about 1 kB each: thousands of shifts of a long sentence would otherwise take
gigabytes."""

_UNREACHED = 10**9


class _Row(NamedTuple):
    """Costs of the columns from `start` on; those of all others are out of reach."""

    start: int
    costs: list[int]

    def at(self, column: int) -> int:
        k = column - self.start
        return self.costs[k] if 0 <= k < len(self.costs) else _UNREACHED


class EditDistance:
    """What sacrebleu's `BeamEditDistance` computes, in a fraction of its time: cells hold costs only, and the
    operations are read off them at the end.

    Rows of the matrix are kept per beginning of a sentence, for shifted sentences begin alike. A row depends on the
    length of its sentence too, so one object serves sentences of one length.
    """

    def __init__(self, reference: Sequence[str]):
        self.reference = reference
        self._beginnings: dict = {}  # word -> its row, and the same for the words after it
        self._kept = 0  # rows in them

    def __call__(self, words: Sequence[str]) -> tuple[int, str]:
        """Insertions, deletions and substitutions that turn `words` into the reference: how many, and which.

        One letter a step: ' ' match, 's' substitution, 'd' deletion, 'i' insertion, from the first words to the last.
        Of equally cheap ones the last step is a match or substitution rather than a deletion, and that rather than an
        insertion, and so on towards the first.
        """
        rows = self._rows(words)
        return rows[-1].at(len(self.reference)), self._trace(words, rows)

    def _rows(self, words: Sequence[str]) -> list[_Row]:
        """len(words) + 1 of them."""
        if self._kept > KEPT_ROWS:
            self._beginnings, self._kept = {}, 0
        columns = len(self.reference) + 1
        row = _Row(0, list(range(columns)))
        rows, beginnings = [row], self._beginnings
        slope = len(self.reference) / len(words) if words else 1.0
        width = BEAM_WIDTH if slope / 2 <= BEAM_WIDTH else math.ceil(slope / 2 + BEAM_WIDTH)
        for i, word in enumerate(words, start=1):
            if word not in beginnings:
                diagonal = math.floor(i * slope)
                below = self._row(word, row, max(0, diagonal - width), min(columns, diagonal + width))
                beginnings[word] = (below, {})
                self._kept += 1
            row, beginnings = beginnings[word]
            rows.append(row)
        return rows

    def _row(self, word: str, above: _Row, start: int, stop: int) -> _Row:
        """Costs below `above` for one more word, in the columns from `start` to `stop`."""
        left = _UNREACHED
        costs = []
        if start == 0:
            left = above.at(0) + 1
            costs.append(left)
        first = max(start, 1)
        corner = above.at(first - 1)
        ups = above.costs[first - above.start : stop - above.start]  # no row begins before the one above
        ups += [_UNREACHED] * (stop - first - len(ups))
        for other, up in zip(self.reference[first - 1 : stop - 1], ups, strict=True):
            cost = corner if word == other else corner + 1
            if up < cost:
                cost = up + 1
            if left < cost:
                cost = left + 1
            costs.append(cost)
            left = cost
            corner = up
        return _Row(start, costs)

    def _trace(self, words: Sequence[str], rows: Sequence[_Row]) -> str:
        reference = self.reference
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
