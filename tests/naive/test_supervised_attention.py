"""Supervised attention (Mi et al. 2016a; Liu et al. 2016), its reference implementation: losses by hand."""

import math

import numpy as np
import pytest

from tests.helpers.naive.one_term import LINKS, run_all
from tests.naive.interface import System, Target
from tests.naive.shapes import E, random_params
from tests.naive.supervised_attention import SupervisedAttention


def supervision(alpha: np.ndarray, links: np.ndarray, **options: object) -> complex | float:
    target = Target(np.zeros((len(alpha), E)), np.array(alpha, float), np.array(links))
    return SupervisedAttention({}, **options).loss(target)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        # alpha_1 = (1/2, 1/4, 1/4) with links on the first two, alpha_2 = (1/8, 1/8, 3/4) with the eos alone
        ("ce", 0.5 * math.log(2) + 0.5 * math.log(4) - math.log(0.75)),
        ("mse", 0.5 * (0 + 1 / 16 + 1 / 16) + 0.5 * (1 / 64 + 1 / 64 + 1 / 16)),
        ("mul", -math.log(3 / 8) - math.log(0.75)),
    ],
)
def test_alignment_losses_by_hand(kind, expected):
    alpha, links = [[0.5, 0.25, 0.25], [0.125, 0.125, 0.75]], [[1, 1, 0], [0, 0, 1]]
    assert supervision(alpha, links, alignment_loss=kind) == pytest.approx(expected, abs=1e-6)
    assert supervision(alpha, links, alignment_loss=kind, alignment_lambda=2.0) == pytest.approx(2 * expected, abs=1e-6)


def test_weights_that_are_the_alignment_cost_its_entropy():
    links = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 0, 1]])
    wanted = links / links.sum(1, keepdims=True)
    assert supervision(wanted, links) == pytest.approx(math.log(2) + math.log(3), abs=1e-6)
    assert supervision(wanted, links, alignment_loss="mse") == 0
    assert supervision(wanted[::-1], links) > 5
    assert supervision(wanted[::-1], links, alignment_loss="mse") > 0.5


def test_nothing_attended_of_what_is_linked_costs_the_epsilon():
    assert supervision([[0.0, 1.0]], [[1, 0]]) == pytest.approx(-math.log(1e-8))
    assert supervision([[0.0, 1.0]], [[1, 0]], alignment_loss="mul") == pytest.approx(-math.log(1e-8))


def test_smoothed_alignments_by_hand():
    """sigma = 1, links on the first and the third of four words: each word has the sum of both bells."""
    near, far, farther = math.exp(-1 / 2), math.exp(-4 / 2), math.exp(-9 / 2)
    bells = np.array([1 + far, near + near, far + 1, farther + near])
    wanted, uneven, links = bells / bells.sum(), np.array([0.1, 0.2, 0.3, 0.4]), [[1, 0, 1, 0]]
    assert supervision([wanted], links, alignment_loss="mse", alignment_sigma=1.0) == pytest.approx(0, abs=1e-30)
    cross_entropy = -(wanted * np.log(uneven)).sum()
    assert supervision([uneven], links, alignment_sigma=1.0) == pytest.approx(cross_entropy, abs=1e-6)


@pytest.mark.parametrize(
    ("unaligned", "expected"),
    [("exclude", [math.log(2), math.log(10)]), ("inherit", [math.log(2), math.log(5), math.log(4), math.log(10)])],
)
def test_unaligned_words_are_left_out_or_inherit(unaligned, expected):
    """The first word has nothing to inherit; two in a row inherit the same."""
    alpha = [[0.9, 0.1], [0.5, 0.5], [0.2, 0.8], [0.25, 0.75], [0.9, 0.1]]
    links = [[0, 0], [1, 0], [0, 0], [0, 0], [0, 1]]
    assert supervision(alpha, links, alignment_unaligned=unaligned) == pytest.approx(sum(expected), abs=1e-6)


def test_supervision_in_the_loop_is_that_of_the_weights():
    system = System("d2", ("supervised_attention",))
    result = run_all(system, random_params(system, 62))
    assert result.losses["supervised_attention"] == pytest.approx(supervision(result.weights, LINKS), rel=1e-14)
