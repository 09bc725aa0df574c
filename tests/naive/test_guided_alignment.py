"""Guided alignment (Garg et al. 2019), its reference implementation: attention and loss by hand."""

import math

import numpy as np
import pytest

from tests.naive.guided_alignment import attention_of_head, guided_alignment

ALPHA = np.array([[0.5, 0.25, 0.25], [0.2, 0.2, 0.6], [0.125, 0.125, 0.75]])  # the last row is that of eos


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], math.log(2) + math.log(5)),
        ([[1, 1, 0], [0, 0, 0], [0, 0, 1]], (math.log(2) + math.log(4)) / 2),
        ([[0, 0, 0], [0, 0, 0], [0, 0, 1]], 0.0),
    ],
)
def test_the_loss_by_hand(links, expected):
    assert guided_alignment(ALPHA, np.array(links)) == pytest.approx(0.05 * expected)
    assert guided_alignment(ALPHA, np.array(links), coefficient=2.0) == pytest.approx(2 * expected)


def test_it_is_least_where_attention_is_the_alignment():
    links, draw = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 1]]), np.random.default_rng(1)
    shares = links / links.sum(1, keepdims=True)
    least = guided_alignment(np.maximum(shares, 1e-300), links)
    assert least == pytest.approx(0.05 * math.log(2))
    assert all(guided_alignment(draw.dirichlet(np.ones(3), 3), links) > least for _ in range(20))


def test_a_head_has_its_own_rows():
    """Two heads of width 1: the second asks with 2 x_2 + 1 for h_1, so e = (3 h_1) in front of the softmax."""
    x, h = np.array([[5.0, 1.0]]), np.array([[0.0, 9.0], [1.0, 9.0]])
    p = {"W_q": np.array([[7.0, 7.0], [0.0, 2.0]]), "b_q": np.array([7.0, 1.0])}
    p |= {"W_k": np.array([[7.0, 7.0], [1.0, 0.0]]), "b_k": np.array([7.0, 0.0])}
    expected = [[1 / (1 + math.exp(3)), math.exp(3) / (1 + math.exp(3))]]
    np.testing.assert_allclose(attention_of_head(x, h, p, heads=2, head=1), expected)


def test_one_head_is_divided_by_the_root_of_its_width():
    p = {"W_q": np.eye(4), "b_q": np.zeros(4), "W_k": np.eye(4), "b_k": np.zeros(4)}
    x, h = np.ones((1, 4)), np.array([np.zeros(4), np.ones(4)])
    expected = [[1 / (1 + math.exp(2)), math.exp(2) / (1 + math.exp(2))]]
    np.testing.assert_allclose(attention_of_head(x, h, p, heads=1, head=0), expected)
