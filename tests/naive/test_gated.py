"""GRU-gated attention, its reference implementations: by hand, and what their equations imply."""

import math

import numpy as np
import pytest

from tests.helpers.naive.one_mechanism import PREVIOUS, SOURCE
from tests.naive.gated import GAtt, GAttInv
from tests.naive.interface import System
from tests.naive.shapes import H, random_params
from tests.naive.system import run


def gated(kind: type[GAtt], **options: str | bool) -> GAtt:
    """One unit; s_0 = 0.5, r = z = 1/2, n = tanh(u + h), and an energy of 0 for every position."""
    params = {"W_init": np.zeros((1, 1)), "b_init": np.array([math.atanh(0.5)]), "v": np.zeros(1), "b_a": np.zeros(1)}
    params |= {"W_a": np.zeros((1, 1)), "U_a": np.zeros((1, 1)), "gru.b": np.zeros(3)}
    params |= {"gru.W": np.array([[0.0], [0.0], [1.0]]), "gru.U": np.array([[0.0], [0.0], [2.0]])}
    cell = kind(params, **options)
    cell.start([np.array([0.25]), np.array([0.75])])
    return cell


@pytest.mark.parametrize("state", ["prev", "query"])
@pytest.mark.parametrize(("kind", "keeps"), [(GAtt, "annotation"), (GAttInv, "state")])
def test_gated_attention_by_hand(kind, keeps, state):
    cell = gated(kind, gatt_state=state)
    h, q, unused = [np.array([0.25]), np.array([0.75])], np.array([0.1]), np.full(1, np.nan)
    for s_prev in (0.5, -0.3):
        u = {"prev": s_prev, "query": 0.1}[state]
        refined = [0.5 * {"annotation": h_j[0], "state": u}[keeps] + 0.5 * math.tanh(u + h_j[0]) for h_j in h]
        alpha, c = cell.attend(q, h, ())
        np.testing.assert_allclose(alpha, [0.5, 0.5], atol=1e-15)
        np.testing.assert_allclose(c, [sum(refined) / 2], atol=1e-15)
        cell.update(alpha, c, unused, unused, np.array([-0.3]))


def test_gated_attention_attends_the_refined_annotations():
    """U_a reads h^g, not h: energies from the values by hand above, with v = U_a = 1."""
    cell = gated(GAtt)
    cell.p |= {"U_a": np.ones((1, 1)), "v": np.ones(1)}
    h = [np.array([0.25]), np.array([0.75])]
    refined = [0.5 * h_j[0] + 0.5 * math.tanh(0.5 + h_j[0]) for h_j in h]
    odds = math.exp(math.tanh(refined[0]) - math.tanh(refined[1]))
    alpha, c = cell.attend(np.zeros(1), h, ())
    np.testing.assert_allclose(alpha, [odds / (1 + odds), 1 / (1 + odds)], atol=1e-15)
    np.testing.assert_allclose(c, [alpha @ np.array(refined)], atol=1e-15)


@pytest.mark.parametrize("name", ["gatt", "gatt_inv"])
def test_gated_annotations_are_not_carried_over(name):
    """While the decoder stands still, every step refines the encoder's annotations to the same ones."""
    params = random_params(System(name), 16)
    for cell in ("gru_1", "gru_2"):
        params[f"{cell}.b"][H : 2 * H] = math.inf
    contexts = run(System(name), params, SOURCE, PREVIOUS).contexts
    np.testing.assert_array_equal(contexts, np.tile(contexts[0], (len(PREVIOUS), 1)))
