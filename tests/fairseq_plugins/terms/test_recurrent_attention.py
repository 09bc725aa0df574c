"""What Yang et al. 2016 say of recurrent attention; its locality is that of Cohn's biases."""

import pytest
import torch
from torch import Tensor, nn

from fairseq_plugins.core.protocol import Features
from fairseq_plugins.criterions import auxiliary_nll  # noqa: F401  makes it known to fairseq
from tests.helpers.support import TINY, random_batch
from tests.helpers.terms.attention_so_far import RECURRENT, cases, close, of, the_term, walk
from tests.helpers.torch_cells import load


@pytest.mark.parametrize(
    ("system", "k"),
    [
        (of("recurrent_attention", recurrent_attention_window=0), 0),
        (of("recurrent_attention", recurrent_attention_window=2), 2),
        (of("cohn_markov"), 1),
        (of("cohn_localfert", cohn_window=2), 2),
    ],
)
def test_attention_to_a_word_reaches_its_neighbours_and_nobody_else(system, k):
    """With q_2 held fixed, another alpha_{1,j} changes what stands in the tanh of step 2 for |j - j'| <= k only."""
    model = system.model()
    found = walk(model, random_batch([8], [2], seed=9))
    term, q, s, step = the_term(model), found.queries[1], found.previous[1], found.steps[0]
    memory = term.memory(found.source)

    def addend(weights: Tensor) -> Tensor:
        state = term.update(step._replace(weights=weights), q, s, s, (), memory, term.start(memory))
        made, _ = term.energy((), q, s, memory, state)
        return made.x @ made.weight.T if isinstance(made, Features) else made

    for j in range(8):
        moved = step.weights.clone()
        moved[:, j] += 0.5
        difference = (addend(moved) - addend(step.weights)).abs().amax(-1)[0]
        for other in range(8):
            assert (difference[other] > 1e-6) == (abs(j - other) <= k)
            assert difference[other] > 1e-6 or difference[other] == 0


@cases(RECURRENT)
def test_recurrent_attention_is_torchs_lstm_over_the_weights_around_each_word(system):
    model = system.model()
    found, term, D = walk(model), the_term(model), TINY.recurrent_attention_dim
    k = system.options.get("recurrent_attention_window", 5)
    lstm = nn.LSTM(2 * k + 1, D, batch_first=True, dtype=torch.float64)
    load(lstm, term.W, term.U, term.b, suffix="_l0")
    for row, j in found.source.mask.nonzero().tolist():
        around = torch.zeros(len(found.steps), 2 * k + 1, dtype=torch.float64)
        for i, step in enumerate(found.steps):
            for o in range(-k, k + 1):
                if 0 <= j + o < len(step.weights[row]):
                    around[i, o + k] = step.weights[row, j + o]
        expected, (_, cell) = lstm(around.unsqueeze(0))
        close(torch.stack([state[0].d[row, j] for state in found.states[1:]]), expected[0].detach())
        close(found.states[-1][0].m[row, j], cell[0, 0].detach())


def test_memory_in_context_feeds_the_recurrence_and_the_readout_alike():
    model = RECURRENT["recurrent, in context"].model()
    found = walk(model)
    for step, (state,) in zip(found.steps, found.states[:-1], strict=True):
        expected = torch.einsum("bs,bsd->bd", step.weights, state.d)
        close(step.extra, expected)
        close(step.reads["recurrent_attention"], expected)
