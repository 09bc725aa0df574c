"""Sparsemax, 1.5-entmax and constrained sparsemax: projections held to slow ones, and what fertilities forbid."""

from functools import partial

import pytest
import torch
from entmax import sparsemax
from torch import Tensor

from fairseq_plugins.core.options import NoOptions
from fairseq_plugins.core.protocol import Term, Widths
from fairseq_plugins.models.attnmt import term_named, term_names
from fairseq_plugins.terms._csparsemax import csparsemax
from fairseq_plugins.terms.constrained_sparsemax import ConstrainedSparsemaxOptions
from fairseq_plugins.terms.entmax15 import Entmax15
from fairseq_plugins.terms.sparsemax import Sparsemax
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.shared_weights import assert_same, with_weights_of
from tests.helpers.support import build, forward, of, random_batch
from tests.helpers.terms.attention_so_far import the_term, walk

close = partial(support.close, tolerance=1e-12)
WIDTHS = Widths(vocabulary=9, embedding=7, hidden=6, annotation=12, attention=5)
BATCH = random_batch([5, 1, 4, 2], [9, 3, 8, 9], seed=3)
REAL = torch.tensor([[1, 1, 1, 1, 1, 1], [1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 0, 0]]).bool()
SCALES = (1e-3, 0.5, 3.0, 40.0)
CONSTRAINED = {
    "constant": of("constrained_sparsemax"),
    "one word each": of("constrained_sparsemax", csparsemax_limit=1.0, csparsemax_credit=0.0),
    "less than one": of("constrained_sparsemax", csparsemax_limit=0.3),
    "predicted": of("constrained_sparsemax", csparsemax_fertility="predicted", csparsemax_limit=1.5),
}
constrained = pytest.mark.parametrize("variant", CONSTRAINED.values(), ids=CONSTRAINED.keys())


def random(*shape: int, seed: int = 0, scale: float = 1.0) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)) * scale


def bounds(seed: int, *shape: int) -> Tensor:
    """Random ones, some 0 and some beyond 1, the first of a row always 1."""
    drawn = random(*shape, seed=seed).clamp(min=0) * 0.6
    drawn[..., 0] = 1
    return drawn


def slowly(weights_at, z: Tensor) -> Tensor:
    """The weights of each row at the tau where they sum to 1, by bisection."""
    rows = []
    for k, row in enumerate(z):
        low, high = row.min() - 2, row.max() + 1
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if weights_at(row - middle, k).sum() > 1 else (low, middle)
        rows.append(weights_at(row - low, k))
    return torch.stack(rows)


def normalised(kind: type[Term], energies: Tensor) -> Tensor:
    return kind(NoOptions(), WIDTHS).normalise(energies, (), (), ())


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    ("kind", "weights_at"),
    [(Sparsemax, lambda above, _: above.clamp(min=0)), (Entmax15, lambda above, _: above.clamp(min=0).square())],
)
def test_weights_are_the_slow_projections(kind, weights_at, scale):
    energies = random(30, 6, scale=scale)
    halved = energies / (2 if kind is Entmax15 else 1)
    close(normalised(kind, energies), slowly(weights_at, halved))


@pytest.mark.parametrize("kind", [Sparsemax, Entmax15])
def test_padding_has_no_weight_and_leaves_those_of_words_alone(kind):
    energies = random(4, 6, scale=2).masked_fill(~REAL, -torch.inf)
    found = normalised(kind, energies)
    assert (found[~REAL] == 0).all()
    close(found.sum(-1), torch.ones(4, dtype=torch.float64))
    for row, real in enumerate(REAL):
        close(found[row, real], normalised(kind, energies[row : row + 1, real])[0])


@pytest.mark.parametrize("kind", [Sparsemax, Entmax15])
def test_gradcheck_beside_padding(kind):
    energies = random(4, 6, seed=5).requires_grad_()
    assert torch.autograd.gradcheck(lambda e: normalised(kind, e.masked_fill(~REAL, -torch.inf)), energies)


@pytest.mark.parametrize("scale", SCALES)
def test_sparsemax_is_that_of_entmax_to_the_bit(scale):
    """Beside padding, values and gradients."""
    found = []
    for function in (partial(normalised, Sparsemax), sparsemax):
        energies = random(4, 6, scale=scale).requires_grad_()
        weights = function(energies.masked_fill(~REAL, -torch.inf))
        found.append([weights, *torch.autograd.grad(weights, energies, random(4, 6, seed=2))])
    assert all(torch.equal(one, other) for one, other in zip(*found, strict=True))


@pytest.mark.parametrize("scale", SCALES)
def test_constrained_sparsemax_is_the_slow_projection(scale):
    z, u = random(60, 6, scale=scale), bounds(1, 60, 6)
    found = csparsemax(z, u)
    close(found, slowly(lambda above, k: above.clamp(min=0).minimum(u[k]), z))
    assert (found >= 0).all() and (found <= u).all()
    close(found.sum(-1), torch.ones(60, dtype=torch.float64))


def test_bounds_of_one_bound_nothing():
    z = random(60, 6, scale=2)
    close(csparsemax(z, torch.ones_like(z)), normalised(Sparsemax, z))


def test_where_the_bounds_sum_to_one_they_are_the_weights():
    """No word is active then, whatever the scores say, and nothing is divided by their number."""
    z, u = random(9, 4, scale=5).requires_grad_(), torch.tensor([[0.5, 0.25, 0.25, 0]] * 9).double().requires_grad_()
    found = csparsemax(z, u)
    close(found, u)
    found.backward(random(9, 4, seed=2))
    assert not z.grad.any() and u.grad.isfinite().all()


def test_gradcheck_of_constrained_sparsemax():
    """Of scores and bounds, with words at 0, at their bound and in between."""
    z, u = random(40, 5, seed=7), bounds(8, 40, 5)
    u = torch.where(u == 0, 0.01, u) * 1.1  # at 0 a bound has a gradient to one side alone; so has one at 1 = alpha
    found = csparsemax(z, u)
    kinds = [(found == 0).any(), ((found == u) & (u < 1)).any(), ((found > 0) & (found < u)).any()]
    assert all(kinds)
    assert torch.autograd.gradcheck(csparsemax, (z.requires_grad_(), u.requires_grad_()))


def test_scores_in_single_precision_lose_little():
    z, u = random(200, 40, scale=8), bounds(3, 200, 40)
    found = csparsemax(z.float(), u.float())
    support.close(found.double(), csparsemax(z, u), 1e-5)


# Fertilities


@constrained
def test_no_word_gets_more_than_its_fertility(variant):
    """In targets longer than the words can cover: the sink takes the rest."""
    model = build(variant).model
    taken = walk(model, BATCH)
    memory = the_term(model).memory(taken.source)
    words = torch.arange(5) < BATCH.lengths.unsqueeze(1) - 1
    assert (memory.f[words] > 0).all() and (memory.f[~words] == 0).all()
    assert (memory.sink.argmax(1) == BATCH.lengths - 1).all() and (memory.sink.sum(1) == 1).all()
    total = sum(step.weights for step in taken.steps)
    assert (total[words] <= memory.f[words] + 1e-12).all()
    close(taken.states[-1][0], total)
    close(sum(step.weights.sum(-1) for step in taken.steps), torch.full((4,), 9.0, dtype=torch.float64))


def test_small_fertilities_are_used_up_and_then_the_sink_is_all_there_is():
    model = build(CONSTRAINED["less than one"]).model
    weights = forward(model, BATCH)[1]
    total = weights[0].sum(0)
    close(total[:4], torch.full((4,), 0.3, dtype=torch.float64))
    close(weights[0, -1, 4], torch.tensor(1.0, dtype=torch.float64))


def test_without_bounds_it_is_sparsemax():
    free = build(of("constrained_sparsemax", csparsemax_limit=1e6, csparsemax_credit=0.0)).model
    assert_same(free, with_weights_of(free, of("sparsemax_attention")), BATCH)


def test_what_is_left_of_a_fertility_raises_a_words_score():
    model = build(of("constrained_sparsemax", csparsemax_limit=3.0, csparsemax_credit=0.5)).model
    taken = walk(model, BATCH)
    term = the_term(model)
    memory, energies = term.memory(taken.source), random(4, 5).masked_fill(taken.source.mask.logical_not(), -torch.inf)
    used = taken.states[3][0]
    left = (memory.f - used).clamp(min=0)
    expected = csparsemax(energies + 0.5 * left, left.clamp(max=1) + memory.sink)
    close(term.normalise(energies, (), memory, used), expected)
    assert (left[:, 0] != left[:, 1]).any()


@constrained
def test_a_sentence_of_nothing_but_its_end_is_the_sink(variant):
    weights = forward(build(variant).model, BATCH)[1]
    assert (weights[1, :, 0] == 1).all() and not weights[1, :, 1:].any()


def test_no_fertility_is_refused():
    with pytest.raises(ValueError, match="csparsemax_limit must be greater than 0"):
        ConstrainedSparsemaxOptions(csparsemax_limit=0.0)


# The hook


SPARSE = ("constrained_sparsemax", "entmax15", "sparsemax")
NORMALISERS = [name for name in term_names() if term_named(name).normalises]


def test_two_terms_cannot_both_take_the_place_of_the_softmax():
    assert set(NORMALISERS) >= set(SPARSE)
    with pytest.raises(ValueError, match="sparsemax cannot stand beside entmax15: both take the place of the softmax"):
        build(of("attnmt", ["sparsemax", "source_history", "entmax15"]))


@pytest.mark.parametrize("name", NORMALISERS)
def test_beside_other_terms_it_gets_their_energies(name):
    """Terms whose way into the tanh is 0 change nothing; as they are they do."""
    model = build(VariantModel(arch="attnmt", terms=["linguistic_coverage", name, "markov_bias"])).model
    alone = build(VariantModel(arch="attnmt", terms=[name]), seed=2).model
    alone.load_state_dict({key: value for key, value in model.state_dict().items() if key in alone.state_dict()})
    expected = forward(alone, BATCH)[1]
    assert (forward(model, BATCH)[1] - expected).abs().max() > 1e-3
    terms = model.decoder.attention.terms
    terms["linguistic_coverage"].V_a.weight.data.zero_()
    terms["markov_bias"].W_m.weight.data.zero_()
    close(forward(model, BATCH)[1][BATCH.real], expected[BATCH.real])


@pytest.mark.parametrize("name", SPARSE)
def test_weights_are_sparse(name):
    model = build(of("attnmt", [name])).model
    model.decoder.attention.v.data *= 5
    weights = forward(model, BATCH)[1]
    assert (weights[0] == 0).any()
    close(weights.sum(-1), torch.ones_like(weights[..., 0]))
