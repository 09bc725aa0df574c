"""What Tu et al. 2016, Cohn et al. 2016 and Yang et al. 2016 say of their systems."""

from functools import partial
from itertools import pairwise
from math import log
from typing import NamedTuple

import pytest
import torch
from torch import Tensor, nn

from fairseq_plugins.core.model import RecurrentModel
from fairseq_plugins.core.protocol import Features, Source, Step, Term
from fairseq_plugins.core.tree import tree_map
from fairseq_plugins.criterions import auxiliary_nll  # noqa: F401  makes it known to fairseq
from fairseq_plugins.terms._neighbours import neighbours
from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.support import TINY, Batch, build, forward, padded, random_batch, step_by_step

BATCH = random_batch([5, 1, 4, 3], [4, 5, 1, 3], seed=7)
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
START_AT_ZERO = [name for name in SYSTEMS if "counting down" not in name and name not in POSITION]

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


def base_of(model: RecurrentModel) -> RecurrentModel:
    """RNNsearch* with the weights of a model; columns that a term has added are left out."""
    base, shared = of("rnnsearch_star").model(seed=2), model.state_dict()
    cut = {name: shared[name][..., : weight.shape[-1]] for name, weight in base.state_dict().items()}
    base.load_state_dict(cut)
    return base


def silence(model: RecurrentModel) -> None:
    """Zero what projects the terms' states into the tanh, the recurrence and the readout."""
    decoder = model.decoder
    for term in decoder.attention.terms.values():
        for symbol in {"V_a", "V_d", "W_p", "W_m", "W_f"} & set(dict(term.named_children())):
            getattr(term, symbol).weight.data.zero_()
    for layer in decoder.readout.L_reads.values():
        layer.weight.data.zero_()
    decoder.cell.gru_2.W.data[:, 2 * TINY.hidden_dim :] = 0


def load(rnn: nn.Module, suffix: str, W: Tensor, U: Tensor, b: Tensor) -> None:
    """Put weights into a recurrence of torch's, which has a second bias: zero here."""
    weights = {"weight_ih": W, "weight_hh": U, "bias_ih": b, "bias_hh": torch.zeros_like(b)}
    rnn.load_state_dict({name + suffix: weight.detach() for name, weight in weights.items()})


# What every one of them promises


@cases({name: SYSTEMS[name] for name in START_AT_ZERO})
def test_the_first_step_is_the_base_and_the_second_is_not(system):
    model = system.model()
    several = (BATCH.target_lengths > 1) & (BATCH.lengths > 1)
    for actual, expected in zip(forward(model, BATCH), forward(base_of(model), BATCH), strict=True):
        close(actual[:, 0], expected[:, 0])
        assert (actual - expected)[several, 1].abs().amax(-1).min() > 1e-6


@cases(SYSTEMS)
def test_projections_at_zero_leave_the_base(system):
    model = system.model()
    silence(model)
    for actual, expected in zip(forward(model, BATCH), forward(base_of(model), BATCH), strict=True):
        close(actual, expected)


@cases(SYSTEMS)
def test_states_are_zero_at_padding_and_not_elsewhere(system):
    found = walk(system.model(), random_batch([5, 2, 4, 3], [4, 5, 1, 3], seed=7))
    padding = ~found.source.mask

    def check(state: Tensor) -> Tensor:
        if state.is_floating_point():  # a step counter has no source positions
            assert (state[padding] == 0).all()
            assert (state[~padding] != 0).all()
        return state

    for state in found.states[1:]:
        tree_map(check, state)


@cases(SYSTEMS)
def test_padding_changes_nothing(system):
    model = system.model()
    wide = padded(BATCH, source=4, target=2)
    logits, weights = forward(model, BATCH)
    logits_wide, weights_wide = forward(model, wide)
    close(logits_wide[:, :5][BATCH.real], logits[BATCH.real])
    close(weights_wide[:, :5, :5][BATCH.real], weights[BATCH.real])
    assert (weights_wide[:, :, 5:] == 0).all()


@cases(SYSTEMS)
def test_step_by_step_is_teacher_forcing(system):
    model = system.model()
    for by_step, at_once in zip(step_by_step(model, BATCH), forward(model, BATCH), strict=True):
        close(by_step[BATCH.real], at_once[BATCH.real])


@cases(SYSTEMS)
def test_reordering_commutes_with_decoding(system):
    """Rows that are repeated, dropped and swapped go on as if their prefixes had been decoded anew."""
    model, batch = system.model(), random_batch([5, 2, 4], [4, 4, 4], seed=4)
    source, state = model.encoder(batch.source, batch.lengths), {}
    for i, order in enumerate(map(torch.tensor, ([1, 0, 0, 2], [3, 1, 2, 0], [0, 0, 3]))):
        model.decoder(batch.previous[:, : i + 1], source, state)
        batch = batch.rows(order)
        model.decoder.reorder_incremental_state_scripting(state, order)
        source = model.encoder.reorder_encoder_out(source, order)
    last = support.outputs(model.decoder(batch.previous, source, state))
    for actual, expected in zip(last, forward(model, batch), strict=True):
        close(actual[:, -1], expected[:, -1])


@cases(SYSTEMS)
def test_every_weight_of_a_term_learns(system):
    model = system.model()
    forward(model, BATCH)[0].square().sum().backward()
    for name, weight in model.decoder.attention.terms.named_parameters():
        assert weight.grad is not None, name
        assert weight.grad.abs().amax() > 1e-9, name


# Linguistic coverage.1


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


# Learned coverage.1


@cases(LEARNED)
def test_learned_coverage_is_torchs_recurrence_of_weights_annotations_and_decoder_state(system):
    """torch's cells take [alpha_ij; h_j; s_{i-1}] whole."""
    model = system.model()
    found, term, D = walk(model), the_term(model), TINY.coverage_dim
    W = torch.cat((term.p.unsqueeze(1), term.A, term.B), 1)
    kind = nn.RNNCell if system.arch == "coverage_nn_tanh" else nn.GRUCell
    cell = kind(W.shape[1], D, dtype=torch.float64)
    for to, value in {
        "weight_ih": W,
        "weight_hh": term.U,
        "bias_ih": term.b,
        "bias_hh": torch.zeros_like(term.b),
    }.items():
        getattr(cell, to).data = value.detach()
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


# Cohn's biases.4


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


# Recurrent attention.5; its locality is that of Cohn's biases


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
    for to, value in {
        "weight_ih": term.W,
        "weight_hh": term.U,
        "bias_ih": term.b,
        "bias_hh": torch.zeros_like(term.b),
    }.items():
        getattr(lstm, f"{to}_l0").data = value.detach()
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


# How many parameters


def added(E: int, H: int, A: int, R: int, D: int) -> dict[str, int]:
    """What a term adds to RNNsearch*, by the shapes of the specification; D is 3 for all of them."""
    C = 2 * H
    lstm = {k: A * D + 4 * (D * (2 * k + 1) + D * D + D) for k in (1, 5)}
    gru = A * D + 3 * (D * D + D + C * D + H * D + D)
    tanh = A * D + D * D + D + C * D + H * D + D
    return {
        "linguistic": A, "linguistic, counting down": A,
        "fertility": A + C, "fertility, counting down": A + C, "fertility up to 3": A + C,
        "fertility with a bias": A + C + 1,
        "tanh": tanh, "tanh of q_i": tanh, "gru": gru, "gru of q_i": gru, "gru, reset before": gru,
        "markov": 3 * A, "markov alone": A, "local fertility": 3 * A, "local fertility, wide": 5 * A,
        "position": 3 * A, "all biases": 9 * A,
        "recurrent": lstm[5], "recurrent, narrow": lstm[1],
        "recurrent, in context": lstm[5] + 3 * H * D + R * D,
    }  # fmt: skip


@pytest.mark.parametrize("name", SYSTEMS)
def test_parameters_added_to_the_base(name):
    def size(system: System) -> int:
        return sum(parameter.numel() for parameter in system.model().parameters())

    assert size(SYSTEMS[name]) - size(of("rnnsearch_star")) == added(E=7, H=6, A=5, R=4, D=3)[name]


# What is refused


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        (["linguistic_coverage", "linguistic_coverage_fertility"], "linguistic_coverage cannot stand beside"),
        (["linguistic_coverage_fertility", "linguistic_coverage"], "linguistic_coverage cannot stand beside"),
        (["nn_coverage_gru", "nn_coverage_tanh"], "nn_coverage_tanh cannot stand beside nn_coverage_gru"),
    ],
)
def test_terms_that_exclude_each_other(terms, message):
    with pytest.raises(ValueError, match=message):
        build(VariantModel(arch="attnmt", terms=terms))


@pytest.mark.parametrize(
    ("system", "message"),
    [
        (of("coverage_linguistic_fertility", max_fertility=0.0), "max_fertility must be greater than 0, not 0"),
        (of("cohn_markov", cohn_window=-1), "cohn_window .* cannot be less than 0, as -1 is"),
        (
            of("recurrent_attention", recurrent_attention_window=-1),
            "recurrent_attention_window .* cannot be less than 0, as -1 is",
        ),
    ],
)
def test_refused_options(system, message):
    with pytest.raises(ValueError, match=message):
        system.model()


def test_all_that_can_stand_together_do():
    """Every term at once, in one attention: the states stay apart."""
    terms = ["linguistic_coverage", "nn_coverage_gru", "position_bias", "markov_bias", "local_fertility_bias"]
    model = build(VariantModel(arch="attnmt", terms=[*terms, "recurrent_attention"])).model
    for by_step, at_once in zip(step_by_step(model, BATCH), forward(model, BATCH), strict=True):
        close(by_step[BATCH.real], at_once[BATCH.real])
    silence(model)
    for actual, expected in zip(forward(model, BATCH), forward(base_of(model), BATCH), strict=True):
        close(actual, expected)
