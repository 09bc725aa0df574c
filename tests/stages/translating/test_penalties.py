"""Length and coverage penalty of GNMT, held to a second implementation."""

import math
import random

import pytest
import torch

from stages.translating.penalties import LEAST, Penalties, Scored, ranked, score

ATTENTION = torch.tensor([[0.5, 0.25, 0.25], [0.75, 0.05, 0.2]], dtype=torch.float64)


def by_hand(one: Scored, penalties: Penalties) -> float:
    """Eq. 14 with sums and logarithms of single numbers."""
    if penalties.alpha == 0:
        divisor = math.pow(one.length, penalties.power)
    else:
        divisor = math.pow(5 + one.length, penalties.alpha) / math.pow(5 + 1, penalties.alpha)
    covered = 0.0
    for i in range(one.attention.shape[1] - 1):
        total = sum(row[i] for row in one.attention.tolist())
        covered += math.log(min(max(total, LEAST), 1.0))
    return one.log_probability / divisor + penalties.beta * covered


def drawn(draw: random.Random) -> list[Scored]:
    """A list of hypotheses of one sentence; some leave pieces of it without any attention."""
    source, made = draw.randint(0, 9), []
    for _ in range(draw.randint(1, 12)):
        length = draw.randint(1, 15)
        attention = torch.tensor([[draw.expovariate(1) ** 3 for _ in range(source + 1)] for _ in range(length)])
        attention[:, [i for i in range(source) if draw.random() < 0.1]] = 0
        attention = attention / attention.sum(1, keepdim=True).clamp(min=1e-9)
        made.append(Scored(-draw.expovariate(0.1), length, attention))
    return made


@pytest.mark.slow
@pytest.mark.parametrize(("alpha", "beta"), [(0.0, 0.2), (0.6, 0.0), (0.2, 0.2), (1.0, 2.0)])
@pytest.mark.parametrize("power", [0.0, 1.0])
def test_two_hundred_lists_are_ranked_as_a_second_implementation_ranks_them(alpha, beta, power):
    draw, penalties, moved = random.Random(7), Penalties(alpha, beta, power), 0
    for _ in range(200):
        hypotheses = drawn(draw)
        expected = [by_hand(one, penalties) for one in hypotheses]
        found = ranked(range(len(hypotheses)), hypotheses, penalties)
        assert [value for _, value in found] == pytest.approx(sorted(expected, reverse=True), rel=1e-6)
        assert [expected[k] for k, _ in found] == pytest.approx([value for _, value in found], rel=1e-6)
        moved += found[0][0] != max(range(len(hypotheses)), key=lambda k: hypotheses[k].log_probability)
    assert moved > 10


def test_the_paper_s_example_lengths():
    """lp is 1 at one piece, and 2 at 7 pieces with alpha 1."""
    one, seven = Scored(-6.0, 1, ATTENTION), Scored(-6.0, 7, ATTENTION)
    assert [score(it, Penalties(1.0, 0.0, 1.0)) for it in (one, seven)] == [-6.0, -3.0]


def test_what_has_all_its_attention_is_not_penalised_and_the_end_never_is():
    attention = torch.tensor([[1.0, 0, 0], [0, 1.0, 0]])
    assert score(Scored(-2.0, 2, attention), Penalties(0.0, 9.0, 1.0)) == -1.0
    found = score(Scored(0.0, 2, ATTENTION), Penalties(0.0, 1.0, 1.0))
    assert found == pytest.approx(math.log(1.0) + math.log(0.3))


def test_of_equals_the_first_stays_first():
    same = Scored(-2.0, 2, ATTENTION)
    assert [k for k, _ in ranked("abc", [same] * 3, Penalties(0.3, 0.3, 1.0))] == list("abc")


def test_without_coverage_no_attention_is_needed():
    assert score(Scored(-2.0, 2, None), Penalties(0.0, 0.0, 1.0)) == -1.0
