"""What holds for every variant of params.yaml, whichever they are; nothing here knows a variant by its name."""

import re

import pytest
import torch
from torch import Tensor

from tests.fairseq_plugins.models.under_test import (
    EXACT,
    FLOAT,
    LENGTHS,
    MIXED,
    ROUNDING,
    WHOLE,
    cases,
    everything,
    subject,
    working_precision,
)  # fmt: skip
from tests.helpers.binding import sums_to_one
from tests.helpers.invariants import ACROSS_SENTENCES, reordering_commutes, step_by_step_is_one_pass
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
)  # fmt: skip

# Weights


@pytest.mark.parametrize("name", cases([*SYSTEMS, *OF_FAIRSEQ]))
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
    if name in SYSTEMS and not sums_to_one(subject(name)):
        assert (weights.sum(-1) <= 1 + ROUNDING[weights.dtype]).all()
    else:
        close(weights.sum(-1), torch.ones_like(weights[..., 0]), ROUNDING[weights.dtype])


# Padding


@pytest.mark.parametrize(
    ("name", "dtype"), cases({**SYSTEMS, **OF_FAIRSEQ}, EXACT) + cases([*WHOLE, *OF_FAIRSEQ], FLOAT), ids=str
)
@torch.no_grad()
def test_a_sentence_does_not_see_its_batch(name, dtype):
    tested = subject(name, dtype)
    tolerance = ROUNDING[FLOAT if name in OF_FAIRSEQ else dtype]
    batch = random_batch([5, 1, 7, 3], [2, 6, 3, 1])
    together = [forward(tested.model, company) for company in (batch, padded(batch, source=3, target=2))]
    for row in range(len(batch.source)):
        alone = batch.sentence(row)
        S, T = alone.source.shape[1], alone.previous.shape[1]
        logits_alone, weights_alone = forward(tested.model, alone)
        for logits, weights in together:
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


@pytest.mark.parametrize("name", ["rnnencdec", "rnnsearch", "luong_global_dot", "cohn_agreement"])  # one per encoder
def test_padding_on_the_left_is_refused(name):
    batch = random_batch([3, 2], [2, 2])
    with pytest.raises(ValueError, match="padded on the right"):
        subject(name).model(batch.source.roll(1, 1), batch.lengths, batch.previous)
    batch = random_batch([2, 2], [3, 2])
    with pytest.raises(ValueError, match="target sentences must be padded on the right"):
        subject(name).model(batch.source, batch.lengths, batch.previous.roll(1, 1))


# Incremental decoding


@pytest.mark.parametrize("name", cases({**SYSTEMS, **OF_FAIRSEQ}))
def test_step_by_step_equals_one_teacher_forced_pass(name):
    precision = working_precision(name)
    model, batch = subject(name, precision).model, random_batch([7, 1, 4], [5, 5, 5])
    step_by_step_is_one_pass(model, batch, ROUNDING[precision])


@pytest.mark.parametrize("name", cases(RECURRENT))
@torch.no_grad()
def test_what_a_step_hands_out_is_no_state(name):
    """Whoever changes the weights of a step, as fairseq's ensembles do, changes no later step."""
    model, batch = subject(name).model, random_batch([7, 1, 4], [5, 5, 5])
    source, state = model.encoder(batch.source, src_lengths=batch.lengths), {}
    for i, expected in enumerate(forward(model, batch)[0].unbind(1)):
        found = outputs(model.decoder(batch.previous[:, : i + 1], encoder_out=source, incremental_state=state))
        close(found[0].squeeze(1), expected, ROUNDING[EXACT])
        if found[1] is not None:
            found[1].zero_()


@pytest.mark.parametrize("name", cases([*RECURRENT, MIXED[0]]))
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


# Beam search


ORDERS = {
    "inside each beam": [[0, 0, 0, 1, 1, 1, 2, 2, 2], [2, 0, 0, 4, 5, 3, 8, 7, 8], [1, 1, 2, 3, 3, 3, 7, 6, 6]],
    "a sentence ends": [[0, 0, 1, 1, 2, 2], [1, 0, 5, 4], [2, 2]],
    "across sentences": ACROSS_SENTENCES,
    "same sentences, other places": [[1, 0, 2], [2, 1, 0], [0, 0, 0]],
}

OTHERS = [name for name in ORDERS if name != "across sentences"]
IN_A_BEAM = list(ORDERS)[:2]  # fairseq's own decoders forget that sentences may trade places: they are spared the rest


@pytest.mark.parametrize(
    ("name", "orders"),
    cases(SYSTEMS, "across sentences")  # of these orders the most general
    + [case for orders in OTHERS for case in cases(dict.fromkeys((*WHOLE, *MIXED)), orders)]
    + [case for orders in IN_A_BEAM for case in cases(OF_FAIRSEQ, orders)],
)
def test_reordering_commutes_with_a_step(name, orders):
    precision = working_precision(name)
    reordering_commutes(subject(name, precision).model, ORDERS[orders], ROUNDING[precision])


# Gradients


def loss_of(tested: Subject, batch: Batch) -> Tensor:
    """The negative log-likelihood with every auxiliary loss of the system, summed over the batch."""
    output = tested.model(batch.source, batch.lengths, batch.previous)
    nll = torch.nn.functional.cross_entropy(output[0][batch.real], batch.target[batch.real], reduction="sum")
    return nll + sum(tested.model.auxiliary_losses(output, batch.target, random_links(batch)).values())


@pytest.mark.parametrize("name", cases(SYSTEMS))
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
