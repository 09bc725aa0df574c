"""What Cohn et al. 2016 say of positions, Markov condition and local fertility."""

from math import log

import pytest
import torch

from fairseq_plugins.criterions import auxiliary_nll  # noqa: F401  makes it known to fairseq
from fairseq_plugins.terms._neighbours import neighbours
from tests.helpers.support import forward
from tests.helpers.terms.attention_so_far import BATCH, close, of, the_term, walk


@pytest.mark.parametrize(
    ("a", "k", "expected"),
    [
        ([1.0, 2.0, 3.0], 1, [[0.0, 1.0, 2.0], [1.0, 2.0, 3.0], [2.0, 3.0, 0.0]]),
        ([1.0, 2.0, 3.0], 0, [[1.0], [2.0], [3.0]]),
        ([7.0], 1, [[0.0, 7.0, 0.0]]),
        ([1.0, 2.0], 2, [[0.0, 0.0, 1.0, 2.0, 0.0], [0.0, 1.0, 2.0, 0.0, 0.0]]),
    ],
)
def test_neighbours_are_zero_beyond_the_ends(a, k, expected):
    close(neighbours(torch.tensor([a]), k), torch.tensor([expected]), tolerance=0)


def test_positions_count_from_one_over_real_words():
    """W_p psi_ij, psi_ij = [log(1 + i), log(1 + j), log(1 + S)], in the keys and in the steps together."""
    model = of("cohn_position").model()
    term, found = the_term(model), walk(model)
    memory = term.memory(found.source)
    W_p = term.W_p.weight
    for i, (counter,) in enumerate(found.states, start=1):
        assert counter.dtype == torch.int64
        addend = term.keys(memory) + term.energy((), found.queries[0], found.previous[0], memory, counter)[0]
        for row, S in enumerate(BATCH.lengths.tolist()):
            for j in range(1, S + 1):
                psi = torch.tensor([log(1 + i), log(1 + j), log(1 + S)], dtype=torch.float64)
                close(addend[row, j - 1], W_p @ psi)


def test_markov_knows_the_last_step_and_local_fertility_all_of_them():
    found = walk(of("cohn_all").model())
    before = torch.zeros_like(found.steps[0].weights)
    total = before
    for i, (_, last, so_far) in enumerate(found.states):
        close(last, before, tolerance=0)
        close(so_far, total)
        close(so_far.sum(1), torch.full((4,), float(i), dtype=torch.float64))
        if i < len(found.steps):
            before = found.steps[i].weights
            total = total + before


def test_all_biases_are_each_of_them():
    """Two of the three projections silenced: what is left is the system of the third."""
    for arch, kept in {"cohn_position": "W_p", "cohn_markov": "W_m", "cohn_localfert": "W_f"}.items():
        together, alone = of("cohn_all").model(), of(arch).model(seed=2)
        weights = together.state_dict()
        alone.load_state_dict({name: weights[name] for name in alone.state_dict()})
        for term in together.decoder.attention.terms.values():
            for symbol, projection in term.named_children():
                if symbol != kept:
                    projection.weight.data.zero_()
        for actual, expected in zip(forward(together, BATCH), forward(alone, BATCH), strict=True):
            close(actual, expected)
