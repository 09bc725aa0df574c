"""What holds for every variant of params.yaml, whichever they are; nothing here knows a variant by its name."""

import re
from functools import cache

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.func import functional_call

from fairseq_plugins.core.tree import tree_map
from tests.helpers.binding import directions, gradients, losses, parameters
from tests.helpers.binding import system as truth_of
from tests.helpers.support import (
    OF_FAIRSEQ,
    RECURRENT,
    SYSTEMS,
    Batch,
    Subject,
    build,
    close,
    forward,
    outputs,
    padded,
    random_batch,
    random_links,
    step_by_step,
)
from tests.naive.gradient import directional
from tests.naive.system import run

from fairseq.sequence_generator import SequenceGenerator

LENGTHS = (1, 2, 7, 31)
ROUNDING = {torch.float64: 1e-12, torch.float32: 2e-5}
EXACT, FLOAT = torch.float64, torch.float32

BELOW_ONE = {  # the Gaussian of local-p (Luong et al. 2015, Eq. 10) takes mass away
    name for name, model in SYSTEMS.items() if model.arch == "luong_local_p" and not model.options().get("local_renorm")
}

recurrent = pytest.mark.parametrize("name", RECURRENT)
systems = pytest.mark.parametrize("name", SYSTEMS)
everything = pytest.mark.parametrize("name", {**RECURRENT, **OF_FAIRSEQ})


@cache
def subject(name: str, dtype: torch.dtype = EXACT) -> Subject:
    """Models are built once; a test that changes weights builds its own."""
    return build({**SYSTEMS, **OF_FAIRSEQ}[name], dtype=dtype)


def working_precision(name: str) -> torch.dtype:
    """fairseq's own attention rounds to fp32 inside, whatever its weights are."""
    return FLOAT if name in OF_FAIRSEQ else EXACT


# 1. The truth


@systems
def test_equals_the_naive_truth(name):
    """Logits and weights, every pair of source and target lengths in one ragged batch."""
    pairs = [(S, T) for S in LENGTHS for T in LENGTHS]
    batch = random_batch([S for S, _ in pairs], [T for _, T in pairs])
    logits, weights = forward(subject(name).model, batch)
    system, params = truth_of(subject(name)), parameters(subject(name))
    for row, (S, T) in enumerate(pairs):
        sentence = batch.sentence(row)
        truth = run(system, params, sentence.source[0].tolist(), sentence.previous[0].tolist())
        np.testing.assert_allclose(logits[row, :T].detach(), truth.logits, rtol=0, atol=1e-10)
        if truth.weights is None:
            assert weights is None
        else:
            np.testing.assert_allclose(weights[row, :T, :S].detach(), truth.weights, rtol=0, atol=1e-10)


def auxiliary(tested: Subject, batch: Batch, links: Tensor) -> tuple[tuple[Tensor, Tensor | None], dict[str, Tensor]]:
    """Logits and weights, and every auxiliary loss."""
    result = tested.model(batch.source, batch.lengths, batch.previous)
    return outputs(result), tested.model.auxiliary_losses(result, batch.target, links)


def truth_of_losses(tested: Subject, params: dict[str, np.ndarray], batch: Batch, links: Tensor) -> dict[str, complex]:
    """The sum of the sentences' losses."""
    total: dict[str, complex] = {}
    for row in range(len(batch.source)):
        sentence = batch.sentence(row)
        T, S = sentence.target.shape[1], sentence.source.shape[1]
        for name, value in losses(tested, params, sentence, links[row, :T, :S].numpy()).items():
            total[name] = total.get(name, 0.0) + value
    return total


@systems
def test_losses_equal_the_naive_truths(name):
    pairs = [(S, T) for S in LENGTHS for T in LENGTHS]
    batch = random_batch([S for S, _ in pairs], [T for _, T in pairs], seed=5)
    links = random_links(batch)
    _, found = auxiliary(subject(name), batch, links)
    expected = truth_of_losses(subject(name), parameters(subject(name)), batch, links)
    assert {one: float(value) for one, value in found.items()} == pytest.approx(expected, rel=1e-10, abs=1e-10)


@systems
def test_gradients_equal_the_naive_truths(name):
    """d f / d parameter along a random direction in every tensor, f a random linear function of logits, weights and
    auxiliary losses; what an arg-max chooses stays chosen."""
    batch = random_batch([4, 2, 3], [2, 4, 3], seed=1)
    links = random_links(batch, seed=2)
    (logits, weights), extra = auxiliary(subject(name), batch, links)
    random, real = np.random.default_rng(2), batch.real.numpy()[:, :, None]
    on_logits = random.normal(size=logits.shape) * real
    on_losses = {loss: 3.0 + random.normal() for loss in extra}
    objective = (logits * torch.from_numpy(on_logits)).sum() + sum(on_losses[loss] * extra[loss] for loss in extra)
    if weights is not None:
        on_weights = random.normal(scale=5, size=weights.shape) * real
        objective = objective + (weights * torch.from_numpy(on_weights)).sum()
    found, system, params = gradients(subject(name), objective), truth_of(subject(name)), parameters(subject(name))

    def truth(p: dict[str, np.ndarray]) -> complex:
        total = 0.0
        for row in range(len(batch.source)):
            sentence = batch.sentence(row)
            S, T = sentence.source.shape[1], sentence.previous.shape[1]
            result = run(system, p, sentence.source[0].tolist(), sentence.previous[0].tolist())
            total = total + (result.logits * on_logits[row, :T]).sum()
            if result.weights is not None:
                total = total + (result.weights * on_weights[row, :T, :S]).sum()
        if on_losses:
            of_losses = truth_of_losses(subject(name), p, batch, links)
            total = total + sum(on_losses[loss] * value for loss, value in of_losses.items())
        return total

    for symbol, direction in directions(params, seed=3).items():
        slope = directional(truth, params, {symbol: direction})
        assert float((found[symbol] * direction).sum()) == pytest.approx(slope, rel=1e-8, abs=1e-10), symbol


# 2. Weights


@everything
def test_weights_are_a_distribution_over_the_real_source_words(name):
    batch = random_batch(LENGTHS, LENGTHS[::-1])
    logits, weights = forward(subject(name, working_precision(name)).model, batch)
    assert logits.isfinite().all()
    if weights is None:
        return
    real = torch.arange(max(LENGTHS)) < batch.lengths.unsqueeze(1)
    assert weights.shape == (*batch.previous.shape, max(LENGTHS))
    assert (weights >= 0).all()
    assert (weights.masked_select(~real.unsqueeze(1).expand_as(weights)) == 0).all()
    if name in BELOW_ONE:
        assert (weights.sum(-1) <= 1 + ROUNDING[weights.dtype]).all()
    else:
        close(weights.sum(-1), torch.ones_like(weights[..., 0]), ROUNDING[weights.dtype])


# 3. Padding


@everything
@pytest.mark.parametrize("dtype", [EXACT, FLOAT], ids=str)
def test_a_sentence_does_not_see_its_batch(name, dtype):
    tested = subject(name, dtype)
    tolerance = ROUNDING[FLOAT if name in OF_FAIRSEQ else dtype]
    batch = random_batch([5, 1, 7, 3], [2, 6, 3, 1])
    for company in (batch, padded(batch, source=3, target=2)):
        logits, weights = forward(tested.model, company)
        for row in range(len(batch.source)):
            alone = batch.sentence(row)
            S, T = alone.source.shape[1], alone.previous.shape[1]
            logits_alone, weights_alone = forward(tested.model, alone)
            close(logits[row, :T], logits_alone[0], tolerance)
            if weights is not None:
                close(weights[row, :T, :S], weights_alone[0], tolerance)


@everything
def test_a_sentence_does_not_see_its_batch_step_by_step(name):
    tested = subject(name, working_precision(name))
    batch = random_batch([5, 1, 7, 3], [4, 4, 4, 4])
    logits, weights = step_by_step(tested.model, batch)
    for row in range(len(batch.source)):
        alone = batch.sentence(row)
        logits_alone, weights_alone = step_by_step(tested.model, alone)
        close(logits[row], logits_alone[0], ROUNDING[logits.dtype])
        if weights is not None:
            close(weights[row, :, : alone.source.shape[1]], weights_alone[0], ROUNDING[logits.dtype])


@recurrent
def test_padding_on_the_left_is_refused(name):
    batch = random_batch([3, 2], [2, 2])
    with pytest.raises(ValueError, match="padded on the right"):
        subject(name).model(batch.source.roll(1, 1), batch.lengths, batch.previous)


# 4. Incremental decoding


@pytest.mark.parametrize("name", {**SYSTEMS, **OF_FAIRSEQ})
def test_step_by_step_equals_one_teacher_forced_pass(name):
    tested = subject(name, working_precision(name))
    batch = random_batch([7, 1, 4], [5, 5, 5])
    logits, weights = forward(tested.model, batch)
    logits_by_step, weights_by_step = step_by_step(tested.model, batch)
    close(logits_by_step, logits, ROUNDING[logits.dtype])
    if weights is not None:
        close(weights_by_step, weights, ROUNDING[logits.dtype])


@recurrent
def test_modules_keep_nothing_between_calls(name):
    """Two searches interleaved do not disturb each other, nor does a teacher-forced pass between their steps."""
    model = subject(name).model
    first, second = random_batch([4, 2], [3, 3], seed=4), random_batch([3, 3], [3, 3], seed=5)
    searches = [(batch, model.encoder(batch.source, batch.lengths), {}) for batch in (first, second)]
    found = []
    for i in range(3):
        for batch, source, state in searches:
            found.append(model.decoder(batch.previous[:, : i + 1], source, state)[0])
        forward(model, second)
    close(torch.cat(found[0::2], 1), forward(model, first)[0], ROUNDING[EXACT])
    close(torch.cat(found[1::2], 1), forward(model, second)[0], ROUNDING[EXACT])


# 5. Beam search


ORDERS = {
    "inside each beam": [[0, 0, 0, 1, 1, 1, 2, 2, 2], [2, 0, 0, 4, 5, 3, 8, 7, 8], [1, 1, 2, 3, 3, 3, 7, 6, 6]],
    "a sentence ends": [[0, 0, 1, 1, 2, 2], [1, 0, 5, 4], [2, 2]],
    "across sentences": [[2, 0, 0, 1], [3, 3, 1, 0, 2, 1], [5, 0, 4]],
    "same sentences, other places": [[1, 0, 2], [2, 1, 0], [0, 0, 0]],
}


IN_A_BEAM = list(ORDERS)[:2]  # fairseq's own decoders forget that sentences may trade places: they are spared the rest


@pytest.mark.parametrize(
    ("name", "orders"),
    [(name, orders) for name in SYSTEMS for orders in ORDERS]
    + [(name, orders) for name in OF_FAIRSEQ for orders in IN_A_BEAM],
)
@pytest.mark.parametrize("first", [0, 1], ids=["before the first step", "after it"])
def test_reordering_commutes_with_a_step(name, orders, first):
    """After every reordering the next step is what re-running the reordered prefixes from scratch gives."""
    tested = subject(name, working_precision(name))
    encoder, decoder = tested.model.encoder, tested.model.decoder
    batch = random_batch([6, 2, 4], [5, 5, 5])
    source, state, previous = encoder(batch.source, src_lengths=batch.lengths), {}, batch.previous[:, :1]
    for k in range(first):
        decoder(previous, encoder_out=source, incremental_state=state)
        previous = batch.previous[:, : k + 2]
    for seed, order in enumerate(map(torch.tensor, ORDERS[orders])):
        batch, previous = batch.rows(order), previous[order]
        decoder.reorder_incremental_state_scripting(state, order)
        source = encoder.reorder_encoder_out(source, order)
        logits, weights = outputs(decoder(previous, encoder_out=source, incremental_state=state))
        rerun, weights_rerun = outputs(tested.model(batch.source, batch.lengths, previous))
        close(logits[:, -1], rerun[:, -1], ROUNDING[logits.dtype])
        if weights is not None:
            close(weights[:, -1], weights_rerun[:, -1], ROUNDING[logits.dtype])
        words = random_batch([2] * len(order), [2] * len(order), seed=10 + seed).target[:, :1]
        previous = torch.cat((previous, words), 1)


# 6. Gradients


def loss_of(tested: Subject, batch: Batch) -> Tensor:
    """The negative log-likelihood with every auxiliary loss of the system, summed over the batch."""
    output = tested.model(batch.source, batch.lengths, batch.previous)
    nll = torch.nn.functional.cross_entropy(output[0][batch.real], batch.target[batch.real], reduction="sum")
    return nll + sum(tested.model.auxiliary_losses(output, batch.target, random_links(batch)).values())


@systems
def test_every_number_of_the_model_is_trained(name):
    """Embeddings, a maxout's losers and positions beyond the sentences apart, where some rows must stay still."""
    tested = build(SYSTEMS[name])
    loss_of(tested, random_batch([5, 3, 4, 6], [4, 6, 3, 5])).backward()
    parameters = dict(tested.model.named_parameters())
    untouched = [name for name, weight in parameters.items() if weight.grad is None or not weight.grad.any()]
    assert untouched == []
    sparse = r"(reverse\.)?(encoder\.embed_tokens|decoder\.embed_tokens|decoder\.readout|.*\.K\.weight|.*\.W_l\.weight)"
    moving = {name: weight for name, weight in parameters.items() if not re.match(sparse, name)}
    still = [name for name, weight in moving.items() if (weight.grad == 0).any()]
    assert still == []


@recurrent
def test_gradcheck_of_the_decoder(name):
    """Two steps as a function of the encoder's output and of every weight of the decoder."""
    model = build(SYSTEMS[name]).model
    batch = random_batch([3, 2], [2, 2])
    encoded = model.encoder(batch.source, batch.lengths)
    weights = dict(model.decoder.named_parameters())
    summary: list[Tensor] = []
    tree_map(summary.append, encoded.source.summary)

    def logits(annotations: Tensor, *values: Tensor) -> Tensor:
        parts = iter(values)
        source = encoded.source._replace(
            annotations=annotations, summary=tree_map(lambda leaf: next(parts), encoded.source.summary)
        )
        named = dict(zip(weights, parts, strict=True))
        return functional_call(model.decoder, named, (batch.previous, encoded._replace(source=source)))[0]

    inputs = (encoded.source.annotations, *summary, *weights.values())
    inputs = tuple(value.detach().clone().requires_grad_() for value in inputs)
    assert torch.autograd.gradcheck(logits, inputs, fast_mode=True)


# 9. fairseq's own search


class Hypothesis:
    """A hypothesis of fairseq's generator, and what forced decoding of it, alone, gives."""

    def __init__(self, tested: Subject, source: Tensor, found: dict):
        self.tokens, self.score = found["tokens"], float(found["score"]) * len(found["tokens"])
        self.attention = found["attention"].T[:, : len(source)] if found["attention"].numel() else None
        previous = self.tokens.roll(1).unsqueeze(0)
        logits, weights = outputs(tested.model(source.unsqueeze(0), torch.tensor([len(source)]), previous))
        log_probabilities = logits[0].log_softmax(-1).gather(1, self.tokens.unsqueeze(1))
        self.forced_score = float(log_probabilities.sum())
        self.forced_attention = None if weights is None else weights[0]


def search(tested: Subject, batch: Batch, beam: int) -> list[list[Hypothesis]]:
    """For each sentence the hypotheses of fairseq's generator, best first, at most nine words long."""
    made_of = {"beam_size": beam, "max_len_a": 0, "max_len_b": 9, "min_len": 0}
    generator = SequenceGenerator([tested.model], tested.model.decoder.dictionary, **made_of)
    with torch.no_grad():
        found = generator.generate(
            [tested.model], {"net_input": {"src_tokens": batch.source, "src_lengths": batch.lengths}}
        )
        return [
            [Hypothesis(tested, batch.sentence(row).source[0], one) for one in hypotheses]
            for row, hypotheses in enumerate(found)
        ]


def greedy(tested: Subject, source: Tensor) -> list[int]:
    """The likeliest word at every step, re-running the whole prefix each time."""
    dictionary, words = tested.model.decoder.dictionary, []
    while (not words or words[-1] != dictionary.eos()) and len(words) < 9:
        previous = torch.tensor([[dictionary.eos(), *words]])
        logits, _ = outputs(tested.model(source.unsqueeze(0), torch.tensor([len(source)]), previous))
        logits[0, -1, dictionary.pad()] = -torch.inf
        words.append(int(logits[0, -1].argmax()))
    return words if words[-1] == dictionary.eos() else [*words, dictionary.eos()]


@everything
def test_a_beam_of_one_is_greedy(name):
    tested = subject(name, FLOAT)
    batch = random_batch([5, 2, 7, 3], [2, 2, 2, 2])
    for row, hypotheses in enumerate(search(tested, batch, beam=1)):
        with torch.no_grad():
            assert hypotheses[0].tokens.tolist() == greedy(tested, batch.sentence(row).source[0])


@everything
@pytest.mark.parametrize("beam", [5, 10])
def test_what_a_search_says_of_a_hypothesis_is_what_forcing_it_says(name, beam):
    """Scores and attention of every hypothesis, although rows were reordered and sentences left the batch."""
    tested = subject(name, FLOAT)
    for hypotheses in search(tested, random_batch([5, 2, 7, 3], [2, 2, 2, 2]), beam):
        assert len(hypotheses) == beam
        for hypothesis in hypotheses:
            assert hypothesis.score == pytest.approx(hypothesis.forced_score, abs=1e-4)
            assert (hypothesis.attention is None) == (hypothesis.forced_attention is None)
            if hypothesis.attention is not None:
                close(hypothesis.attention, hypothesis.forced_attention, 1e-5)


@everything
def test_a_search_does_not_see_its_batch(name):
    tested = subject(name, FLOAT)
    batch = random_batch([5, 2, 7, 3], [2, 2, 2, 2])
    for row, together in enumerate(search(tested, batch, beam=5)):
        [alone] = search(tested, batch.sentence(row), beam=5)
        for one, other in zip(together, alone, strict=True):
            assert one.tokens.tolist() == other.tokens.tolist()
            assert one.score == pytest.approx(other.score, abs=1e-4)
            if one.attention is not None:
                close(one.attention, other.attention, 1e-5)
