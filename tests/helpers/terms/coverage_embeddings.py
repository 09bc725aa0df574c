"""Systems with coverage embeddings, their losses and their states as the paper has them, for the tests."""

from functools import partial

import torch
from torch import Tensor

from fairseq_plugins.core.protocol import Trace
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.support import TINY, Batch, Subject, build, forward, random_batch

close = partial(support.close, tolerance=1e-12)
BATCH = random_batch([5, 2, 4, 1, 4], [3, 6, 1, 4, 6], seed=3)
LINKS = [  # (target, source) of each sentence, without eos-eos
    [(0, 3), (1, 0), (1, 3)],
    [(2, 0), (0, 0), (4, 0)],
    [],
    [],
    [(4, 0), (0, 1)],
]
SINGLE = ["covemb_gru", "covemb_sub"]
PUBLISHED = [*SINGLE, "covemb_gru_sub", "covemb_gru_sub_obj", "covemb_gru_sub_supobj"]


def of(arch: str, **options) -> VariantModel:
    return VariantModel(arch=arch, **options)


def with_objective(arch: str, objective: str = "final", norm: int = 2, coefficient: float = 0.3) -> Subject:
    coefficients = {f"covemb_{kind}_lambda": coefficient for kind in ("gru", "sub") if kind in arch}
    return build(of(arch, covemb_objective=objective, covemb_norm=norm, **coefficients))


def links(batch: Batch = BATCH) -> Tensor:
    """``LINKS`` and eos-eos, ``(B, T, S)``."""
    dense = torch.zeros(*batch.target.shape, batch.source.shape[1])
    for row, pairs in enumerate(LINKS):
        for i, j in [*pairs, (int(batch.target_lengths[row]) - 1, int(batch.lengths[row]) - 1)]:
            dense[row, i, j] = 1
    return dense


def term_of(subject: Subject):
    [term] = subject.model.decoder.attention.terms.values()
    return term


def trace_of(subject: Subject, batch: Batch = BATCH) -> Trace:
    return subject.model(batch.source, batch.lengths, batch.previous)[1]["trace"]


def loss_of(subject: Subject, batch: Batch = BATCH, linked: Tensor | None = None) -> Tensor:
    output = subject.model(batch.source, batch.lengths, batch.previous)
    return sum(subject.model.auxiliary_losses(output, batch.target, links() if linked is None else linked).values())


def states(subject: Subject, row: int, batch: Batch = BATCH) -> Tensor:
    """c_0 .. c_T of one sentence ``(T + 1, S, D)``, position by position as the paper has it."""
    term, D = term_of(subject), TINY.covemb_dim
    S, T = int(batch.lengths[row]), int(batch.target_lengths[row])
    weights = forward(subject.model, batch)[1][row]
    words = subject.model.decoder.embed_tokens(batch.target[row])
    c = [torch.stack([term.K.weight[batch.source[row, j]] for j in range(S)])]
    for t in range(T):
        if "sub" in term.name:
            moved = [c[t][j] - weights[t, j] * (term.W_yc.weight @ words[t]) for j in range(S)]
        else:
            moved = []
            for j in range(S):
                u = term.W @ words[t] + term.w_a * weights[t, j] + term.b
                h = term.U @ c[t][j]
                r, z = torch.sigmoid(u[:D] + h[:D]), torch.sigmoid(u[D : 2 * D] + h[D : 2 * D])
                n = torch.tanh(u[2 * D :] + r * h[2 * D :])
                moved.append(z * c[t][j] + (1 - z) * n)
        c.append(torch.stack(moved))
    return torch.stack(c)
