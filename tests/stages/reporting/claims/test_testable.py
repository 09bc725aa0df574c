"""Claims that a study cannot test though it has all that they are about, each with its reason."""

from decimal import Decimal

import numpy as np
import pytest

from stages.reporting.claims.claims import Claim, Compared, PaperClaim
from stages.reporting.claims.counts import AbsentError
from stages.reporting.claims.testable import objection
from stages.statistics.crossed import Trainings
from tests.helpers.paper_claims import CLAIMS


class Values:
    """Of systems by measure, in the place of counts."""

    def __init__(self, **of_systems: float):
        self.of_systems = of_systems

    def trainings(self, variant: str, measure: str, words: object) -> Trainings:
        if variant not in self.of_systems:
            raise AbsentError(variant)
        return Trainings(np.array([self.of_systems[variant]] * 3), np.zeros((3, 1)))


def claim(measure: str, printed: str | None = None, claimed: str = "higher", **ours: object) -> PaperClaim:
    compared = Compared(**({"system": "new", "against": "old"} | ours))
    found = Claim(name="x", says="X", place="Table 2", claimed=claimed, measure=measure, ours=compared)
    return PaperClaim("kuang-2018", "Kuang", found, measure, None if printed is None else Decimal(printed))


@pytest.mark.parametrize(
    ("measure", "printed", "old", "why"),
    [
        (
            "dev.eos_aligned",
            "31.48",
            99.4,
            "old has 99.4 % already, which leaves no room for the paper's 31.48",
        ),
        (
            "dev.eos_aligned",
            "31.48",
            94.9,
            "old has 94.9 % already, which leaves no room for the paper's 31.48",
        ),
        ("dev.eos_aligned", "31.48", 55.1, None),
        ("dev.eos_aligned", None, 99.4, "old has 99.4 % already, which leaves no room for a gain of 1"),
        ("dev.eos_aligned", None, 98.9, None),
        (
            "pos_confusion.N.N",
            "0.47",
            99.6,
            "old has 99.6 % already, which leaves no room for the paper's 0.47",
        ),
        ("pos_confusion.N.N", "0.47", 70.0, None),
        ("tests.average.bleu", "31.48", 80.0, None),  # no share: nobody has all of it
    ],
)
def test_at_its_ceiling_nothing_can_be_gained(measure, printed, old, why):
    assert objection(claim(measure, printed), Values(new=1.0, old=old), ["new", "old"], False) == why


def test_what_is_compared_with_no_single_control_has_no_ceiling():
    gains = claim("dev.eos_aligned", "31.48", gains_over={"new": "a", "old": "b"})
    assert objection(gains, Values(old=99.0), ["new", "old"], False) is None


def test_case_is_counted_where_there_is_some():
    cased = claim("tests.average.bleu_cased", "0.35")
    assert objection(cased, Values(), [], True) == "the text is lower-cased: there is no case to count"
    assert objection(cased, Values(), [], False) is None
    assert objection(claim("tests.average.bleu", "0.35"), Values(), [], True) is None


def test_a_claim_of_text_without_unknown_words_is_for_sub_words():
    known = CLAIMS["bahdanau-2015/smt-known"]
    assert objection(known, Values(), [], False, whole_words=False) is None
    assert objection(known, Values(), [], False, whole_words=True).startswith("words are not cut")
    assert objection(CLAIMS["bahdanau-2015/smt"], Values(), [], False, whole_words=True) is None


def test_gold_alignments_far_from_the_text_test_no_alignment():
    aer = claim("aer", "-1.87", "lower")
    far = Values(new=67.3, old=68.4, transformer=83.3, smt=28.0)
    why = "the gold alignments are far from the training text: AER of attention is 67 to 83"
    assert objection(aer, far, ["new", "old", "transformer", "smt", "rnnencdec"], False) == why
    near = Values(new=28.3, old=68.4)
    assert objection(aer, near, ["new", "old"], False) is None
    assert objection(claim("tests.average.bleu"), far, ["new", "old"], False) is None
    aligner = claim("aer", None, "lower", system="smt")
    assert objection(aligner, far, ["new", "old", "smt"], False) is None, "what attention lacks is what it says"
