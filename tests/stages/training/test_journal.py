"""The history of a training: its best epoch, and when it is over."""

import pytest

from stages.training.journal import Epoch, Journal


def epoch(number: int, bleu: float) -> Epoch:
    return Epoch(number, 10 * number, 3.0, 8.0, 9.0, bleu, None, 1.0)


@pytest.mark.parametrize(
    ("bleus", "max_epoch", "patience", "best", "over"),
    [
        ([5], 1, 0, 1, True),
        ([5, 4, 3, 2], 9, 0, 1, False),
        ([5, 4], 9, 2, 1, False),
        ([5, 4, 3], 9, 2, 1, True),
        ([5, 5, 5], 9, 2, 1, True),
        ([5, 4, 6], 9, 2, 3, False),
        ([0, 0], 2, 5, 1, True),
    ],
)
def test_best_and_end_by_the_history(bleus, max_epoch, patience, best, over):
    journal = Journal()
    assert not journal.exhausted(max_epoch, patience)
    for k, bleu in enumerate(bleus, start=1):
        journal.append(epoch(k, bleu))
    again = Journal(journal.lines())
    assert again.best().epoch == best
    assert again.exhausted(max_epoch, patience) == over


@pytest.mark.parametrize(
    ("number", "bleu", "improves"), [(1, 0, True), (3, 9.5, True), (3, 9, False), (3, 5, False), (2, 6, True)]
)
def test_an_epoch_improves_on_all_before_it(number, bleu, improves):
    """A repeated one on those before it alone; an equal one on none, for the first of equals is kept."""
    journal = Journal()
    for row in (epoch(1, 5), epoch(2, 9)):
        journal.append(row)
    assert journal.improves(epoch(number, bleu)) == improves


def test_a_repeated_epoch_replaces_the_earlier_row():
    journal = Journal()
    for row in (epoch(1, 5), epoch(2, 9), epoch(2, 3)):
        journal.append(row)
    assert journal.epochs() == [epoch(1, 5), epoch(2, 3)]
    assert journal.best().epoch == 1
