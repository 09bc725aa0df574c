"""The edit distance of tercom (Snover et al. 2006) to one reference, fast enough to try thousands of shifts."""

import math
from collections.abc import Sequence

BEAM_WIDTH = 25
"""Cells on either side of the diagonal that are looked at, as in tercom."""

KEPT_CELLS = 4_000_000
"""Of rows that are kept for sentences to come, eight bytes each or more: the shifts of a sentence of 1,300
words would otherwise take 8 GB."""

_UNREACHED = 10**9


class EditDistance:
    """What sacrebleu's `BeamEditDistance` computes, in a fraction of its time: cells hold costs only, and the
    operations are read off them at the end.

    Rows of the matrix are kept per beginning of a sentence, for shifted sentences begin alike. A row depends on the
    length of its sentence too, so one object serves sentences of one length.
    """

    def __init__(self, reference: Sequence[str]):
        self.reference = reference
        self._beginnings: dict = {}  # word -> its row, and the same for the words after it
        self._cells = 0  # in them

    def __call__(self, words: Sequence[str]) -> tuple[int, str]:
        """Insertions, deletions and substitutions that turn `words` into the reference: how many, and which.

        One letter a step: ' ' match, 's' substitution, 'd' deletion, 'i' insertion, from the first words to the last.
        Of equally cheap ones the last step is a match or substitution rather than a deletion, and that rather than an
        insertion, and so on towards the first.
        """
        rows = self._rows(words)
        return rows[-1][-1], self._trace(words, rows)

    def _rows(self, words: Sequence[str]) -> list[list[int]]:
        """Costs (len(words) + 1, len(reference) + 1)."""
        if self._cells > KEPT_CELLS:
            self._beginnings, self._cells = {}, 0
        row = list(range(len(self.reference) + 1))
        rows, beginnings = [row], self._beginnings
        slope = len(self.reference) / len(words) if words else 1.0
        width = BEAM_WIDTH if slope / 2 <= BEAM_WIDTH else math.ceil(slope / 2 + BEAM_WIDTH)
        for i, word in enumerate(words, start=1):
            if word not in beginnings:
                diagonal = math.floor(i * slope)
                columns = range(max(0, diagonal - width), min(len(row), diagonal + width))
                beginnings[word] = (self._row(word, row, columns), {})
                self._cells += len(row)
            row, beginnings = beginnings[word]
            rows.append(row)
        return rows

    def _row(self, word: str, above: Sequence[int], columns: range) -> list[int]:
        """Costs below `above` for one more word."""
        reference = self.reference
        row = [_UNREACHED] * len(above)
        start = columns.start
        if start == 0:
            row[0] = above[0] + 1
            start = 1
        left, corner = row[start - 1], above[start - 1]
        for j in range(start, columns.stop):
            up = above[j]
            cost = corner if word == reference[j - 1] else corner + 1
            if up < cost:
                cost = up + 1
            if left < cost:
                cost = left + 1
            row[j] = left = cost
            corner = up
        return row

    def _trace(self, words: Sequence[str], rows: Sequence[Sequence[int]]) -> str:
        reference = self.reference
        operations = []
        i, j = len(words), len(reference)
        while i or j:
            cost = rows[i][j]
            differs = not (i and j) or words[i - 1] != reference[j - 1]
            if i and j and cost == rows[i - 1][j - 1] + differs:
                operations.append("s" if differs else " ")
                i, j = i - 1, j - 1
            elif i and cost == rows[i - 1][j] + 1:
                operations.append("d")
                i -= 1
            else:
                operations.append("i")
                j -= 1
        return "".join(reversed(operations))
