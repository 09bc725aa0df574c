"""Systems whose terms remember what has been attended, for their tests: Tu, Cohn and Yang et al. 2016."""

from functools import partial
from typing import NamedTuple

import pytest
import torch
from torch import Tensor

from fairseq_plugins.core.model import RecurrentModel
from fairseq_plugins.core.protocol import Source, Step, Term
from fairseq_plugins.criterions import auxiliary_nll  # noqa: F401  makes it known to fairseq
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.support import BATCH, Batch, build

Value = str | int | float | bool


class System(NamedTuple):
    """A published system and its options."""

    arch: str
    options: dict[str, Value]

    def model(self, seed: int = 1) -> RecurrentModel:
        return build(VariantModel(arch=self.arch, **self.options), seed=seed).model


def of(arch: str, **options: Value) -> System:
    return System(arch, options)


LINGUISTIC = {
    "linguistic": of("coverage_linguistic"),
    "linguistic, counting down": of("coverage_linguistic", linguistic_coverage_mode="subtract"),
}
FERTILITY = {
    "fertility": of("coverage_linguistic_fertility"),
    "fertility, counting down": of("coverage_linguistic_fertility", linguistic_coverage_mode="subtract"),
    "fertility up to 3": of("coverage_linguistic_fertility", max_fertility=3.0),
    "fertility with a bias": of("coverage_linguistic_fertility", fertility_bias=True),
}
LEARNED = {
    "tanh": of("coverage_nn_tanh"),
    "tanh of q_i": of("coverage_nn_tanh", nn_coverage_state="query"),
    "gru": of("coverage_nn_gru"),
    "gru of q_i": of("coverage_nn_gru", nn_coverage_state="query"),
    "gru, reset before": of("coverage_nn_gru", gru_reset_before=True),
}
NEIGHBOURS = {
    "markov": of("cohn_markov"),
    "markov alone": of("cohn_markov", cohn_window=0),
    "local fertility": of("cohn_localfert"),
    "local fertility, wide": of("cohn_localfert", cohn_window=2),
}
RECURRENT = {
    "recurrent": of("recurrent_attention"),
    "recurrent, narrow": of("recurrent_attention", recurrent_attention_window=1),
    "recurrent, in context": of("recurrent_attention", memory_in_context=True),
}
POSITION = {"position": of("cohn_position"), "all biases": of("cohn_all")}
SYSTEMS = {**LINGUISTIC, **FERTILITY, **LEARNED, **NEIGHBOURS, **RECURRENT, **POSITION}
close = partial(support.close, tolerance=1e-12)


def cases(table: dict[str, System]):
    return pytest.mark.parametrize("system", table.values(), ids=table.keys())


def the_term(model: RecurrentModel) -> Term:
    """The only term of a model."""
    [term] = model.decoder.attention.terms.values()
    return term


class Walk(NamedTuple):
    """A sentence's way through the decoder, by the protocol's own steps: states of the terms at i = 0 .. T, and the
    steps 1 .. T with the decoder states s_{i-1} and q_i that entered them."""

    source: Source
    states: list[tuple]
    steps: list[Step]
    previous: list[Tensor]
    queries: list[Tensor]


@torch.no_grad()
def walk(model: RecurrentModel, batch: Batch = BATCH) -> Walk:
    attention, cell = model.decoder.attention, model.decoder.cell
    source = attention.annotate(model.encoder(batch.source, batch.lengths).source)
    memory, s = attention.memory(source), cell.start(source)
    embeddings = model.decoder.embed_tokens(batch.previous)
    words, seen = cell.target(embeddings), attention.target(embeddings)
    taken = Walk(source, [attention.start(memory)], [], [], [])
    for y in words.unbind(1):
        q, mid = cell.query(y, s)
        step = attention.step(seen, q, s, memory, taken.states[-1])
        s_next = cell.advance(y, mid, step.context, step.extra, step.candidate, s)
        taken.states.append(attention.update(step, q, s, s_next, memory))
        taken.steps.append(step)
        taken.previous.append(s)
        taken.queries.append(q)
        s = s_next
    return taken
