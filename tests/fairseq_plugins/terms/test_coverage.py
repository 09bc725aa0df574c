"""What Tu et al. 2016 say of coverage, linguistic and learned."""

from itertools import pairwise

import torch
from torch import Tensor, nn

from fairseq_plugins.core.model import RecurrentModel
from fairseq_plugins.core.protocol import Source
from fairseq_plugins.criterions import auxiliary_nll  # noqa: F401  makes it known to fairseq
from tests.helpers.support import TINY
from tests.helpers.terms.attention_so_far import (
    FERTILITY,
    LEARNED,
    LINGUISTIC,
    cases,
    close,
    of,
    the_term,
    walk,
)
from tests.helpers.torch_cells import load


def phi(model: RecurrentModel, source: Source, N: float) -> Tensor:
    """N sig(U_f h_j [+ b_f]), ``(B, S)``."""
    weights = dict(the_term(model).named_parameters())
    asked = torch.einsum("oc,bsc->bs", weights["U_f.weight"], source.annotations) + weights.get("b_f", torch.zeros(1))
    return N / (1 + torch.exp(-asked))


@cases({**LINGUISTIC, **FERTILITY})
def test_linguistic_coverage_is_the_attention_so_far_over_the_fertility(system):
    model = system.model()
    found, N = walk(model), system.options.get("max_fertility", 2.0)
    real = found.source.mask.double()
    fertility = phi(model, found.source, N).detach() if system in FERTILITY.values() else torch.ones_like(real)
    had = torch.stack([step.weights for step in found.steps]).cumsum(0)
    for i, (attended, (coverage,)) in enumerate(zip(had, found.states[1:], strict=True), start=1):
        down = system.options.get("linguistic_coverage_mode") == "subtract"
        covered = real - coverage if down else coverage
        close(covered, attended / fertility)
        close((covered * fertility).sum(1), torch.full((4,), float(i), dtype=torch.float64))


def test_linguistic_coverage_without_fertility_sums_to_the_step_and_no_word_exceeds_it():
    found = walk(of("coverage_linguistic").model())
    for i, (coverage,) in enumerate(found.states):
        close(coverage.sum(1), torch.full((4,), float(i), dtype=torch.float64))
        assert (coverage >= 0).all()
        assert (coverage <= i + 1e-12).all()


@cases({name: FERTILITY[name] for name in ("fertility", "fertility up to 3", "fertility with a bias")})
def test_fertility_is_bounded(system):
    """0 < Phi < N, hence C_{i,j} > sum_k alpha_kj / N."""
    model, N = system.model(), system.options.get("max_fertility", 2.0)
    found = walk(model)
    real, asked = found.source.mask, 1 / model.decoder.attention.memory(found.source).terms[0].gain
    assert (asked > 0).all()
    assert (asked < N).all()
    assert asked[real].max() - asked[real].min() > 0.1
    had = torch.stack([step.weights for step in found.steps]).sum(0)
    assert (found.states[-1][0][real] > had[real] / N).all()


@cases(LEARNED)
def test_learned_coverage_is_torchs_recurrence_of_weights_annotations_and_decoder_state(system):
    """torch's cells take [alpha_ij; h_j; s_{i-1}] whole."""
    model = system.model()
    found, term, D = walk(model), the_term(model), TINY.coverage_dim
    W = torch.cat((term.p.unsqueeze(1), term.A, term.B), 1)
    kind = nn.RNNCell if system.arch == "coverage_nn_tanh" else nn.GRUCell
    cell = kind(W.shape[1], D, dtype=torch.float64)
    load(cell, W, term.U, term.b)
    decoder = found.queries if system.options.get("nn_coverage_state") == "query" else found.previous
    for step, s, ((before,), (after,)) in zip(found.steps, decoder, pairwise(found.states), strict=True):
        for row, j in found.source.mask.nonzero().tolist():
            u, state = torch.cat((step.weights[row, j, None], found.source.annotations[row, j], s[row])), before[row, j]
            expected = cell(u, state)
            if "gru_reset_before" in system.options:
                r, z = torch.sigmoid(W @ u + term.b + term.U @ state).split(D)[:2]
                n = torch.tanh(W[2 * D :] @ u + term.b[2 * D :] + term.U[2 * D :] @ (r * state))
                expected = z * state + (1 - z) * n
            close(after[row, j], expected.detach())
