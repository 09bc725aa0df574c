"""Sums of attention over a sentence are kept in fp32 where weights and activations are in half precision."""

from functools import partial

import pytest
import torch
from torch import Tensor

from fairseq_plugins.core.protocol import Source, Step, Term
from fairseq_plugins.terms.constrained_sparsemax import ConstrainedSparsemax, ConstrainedSparsemaxOptions
from fairseq_plugins.terms.coverage_embedding_sub import (
    CoverageEmbeddingSub,
    CoverageEmbeddingSubOptions,
    Left,
    Share,
)
from fairseq_plugins.terms.linguistic_coverage import LinguisticCoverage
from fairseq_plugins.terms.local_fertility_bias import LocalFertilityBias
from fairseq_plugins.terms.location_aware import LocationAware, LocationAwareOptions
from tests.helpers.support import build, forward, of, random_batch
from tests.helpers.terms.losses import WIDTHS

STEPS, S = 60, 3
TERMS = {
    "linguistic_coverage": partial(LinguisticCoverage, LinguisticCoverage.Options()),
    "local_fertility_bias": partial(LocalFertilityBias, LocalFertilityBias.Options()),
    "location_aware": partial(LocationAware, LocationAwareOptions(location_accumulated=True)),
    "constrained_sparsemax": partial(ConstrainedSparsemax, ConstrainedSparsemaxOptions()),
    "coverage_embedding_sub": partial(CoverageEmbeddingSub, CoverageEmbeddingSubOptions(covemb_dim=4)),
}
HALF = (torch.bfloat16, torch.float16)


def source(dtype: torch.dtype) -> Source:
    ids = torch.tensor([[5, 6, 2]])
    embeddings, annotations = (torch.zeros(1, S, width, dtype=dtype) for width in (WIDTHS.embedding, WIDTHS.annotation))
    return Source(ids, torch.ones(1, S, dtype=torch.bool), embeddings, annotations, ())


def attention(dtype: torch.dtype) -> Tensor:
    """(1 + e) / 2 and (1 - e) / 2: they are numbers of this type, and from the second step on their sums are not."""
    e = torch.finfo(dtype).eps
    return torch.tensor([[(1 + e) / 2, (1 - e) / 2, 0]], dtype=torch.float64).to(dtype)


def summed(term: Term, dtype: torch.dtype) -> tuple[Tensor, Tensor | None]:
    """What is left of STEPS weights, and the energies after them."""
    s = torch.zeros(1, WIDTHS.hidden, dtype=dtype)
    memory = term.memory(source(dtype))
    state, step = term.start(memory), Step(s, attention(dtype), {}, None, None, (), ())
    share = Share(s.new_zeros(1, 4), -s.new_ones(1, WIDTHS.attention))
    for _ in range(STEPS):
        state = term.update(step, s, s, s, (), memory, state)
        if isinstance(state, Left):
            state = term.observe(share, memory, state)
    energy = None if term.normalises else term.energy(share, s, s, memory, state)[0]
    if isinstance(state, Left):
        return -state.keys[..., 0], energy
    return state.total if isinstance(term, LocationAware) else state, energy


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("name", TERMS)
def test_sixty_steps_of_attention_are_sixty(name, dtype):
    term = TERMS[name](WIDTHS)
    for parameter in term.parameters():
        torch.nn.init.zeros_(parameter)
    total, energy = summed(term.to(dtype), dtype)
    assert total.dtype == torch.float32
    total = total.detach()
    assert float(total.sum()) == pytest.approx(STEPS, abs=1e-3)
    assert total.flatten().tolist() == pytest.approx((STEPS * attention(dtype).double()).flatten().tolist(), abs=1e-3)
    read = energy if isinstance(energy, Tensor | None) else energy[0]
    assert read is None or read.dtype == dtype


SYSTEMS = {
    "coverage_linguistic": {}, "coverage_linguistic_fertility": {}, "cohn_localfert": {}, "constrained_sparsemax": {},
    "location_aware": {"location_accumulated": True}, "covemb_sub": {}, "covemb_gru_sub_obj": {},
}  # fmt: skip


@pytest.mark.parametrize("dtype", HALF)
@pytest.mark.parametrize("arch", SYSTEMS)
def test_the_systems_learn_in_half_precision(arch, dtype):
    model = build(of(arch, **SYSTEMS[arch])).model.to(dtype).train()
    batch = random_batch([5, 1, 7, 4], [4, 6, 2, 5], seed=3)
    logits, _ = forward(model, batch)
    logits.float().logsumexp(-1)[batch.real].sum().backward()
    assert logits.dtype == dtype and logits.isfinite().all()
    assert all(one.grad is None or one.grad.isfinite().all() for one in model.parameters())


@pytest.mark.parametrize("dtype", HALF)
def test_agreement_is_summed_in_fp32(dtype):
    """Of a batch it is in the hundreds, where bf16 knows whole numbers only."""
    model, batch = build(of("cohn_agreement")).model.to(dtype), random_batch([5, 1, 7, 4], [4, 6, 2, 5], seed=3)
    output = model(batch.source, batch.lengths, batch.previous)
    assert model.auxiliary_losses(output, batch.target)["agreement"].dtype == torch.float32
