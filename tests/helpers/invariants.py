"""What holds for every system, as checks on a model in float64: the tests of single systems run them on theirs."""

from collections.abc import Callable

import torch

from tests.helpers.support import close, forward, outputs, random_batch, step_by_step

from fairseq.models import FairseqEncoderDecoderModel

BATCH = random_batch([5, 1, 4, 3], [4, 5, 1, 3], seed=7)


def step_by_step_is_one_pass(model: FairseqEncoderDecoderModel) -> None:
    for by_step, at_once in zip(step_by_step(model, BATCH), forward(model, BATCH), strict=True):
        close(by_step[BATCH.real], at_once[BATCH.real], 1e-12)


def company_changes_nothing(model: FairseqEncoderDecoderModel) -> None:
    logits, weights = forward(model, BATCH)
    for row, (S, T) in enumerate(zip(BATCH.lengths.tolist(), BATCH.target_lengths.tolist(), strict=True)):
        logits_alone, weights_alone = forward(model, BATCH.sentence(row))
        assert torch.isfinite(logits_alone).all()
        close(logits[row : row + 1, :T], logits_alone, 1e-12)
        close(weights[row : row + 1, :T, :S], weights_alone, 1e-12)
        assert (weights[row, :, S:] == 0).all()


def reordering_commutes(model: FairseqEncoderDecoderModel) -> None:
    """As beam search does it: rows repeat, vanish and change their sentence between steps."""
    batch = random_batch([5, 2, 4], [4, 4, 4], seed=4)
    source, state, previous = model.encoder(batch.source, batch.lengths), {}, batch.previous[:, :1]
    for seed, order in enumerate(map(torch.tensor, ([1, 0, 0, 2], [3, 1, 2, 0], [0, 0, 3]))):
        model.decoder(previous, source, state)
        words = random_batch([2] * len(order), [2] * len(order), seed=seed).target[:, :1]
        batch, previous = batch.rows(order), torch.cat((previous[order], words), 1)
        model.decoder.reorder_incremental_state_scripting(state, order)
        source = model.encoder.reorder_encoder_out(source, order)
    logits, weights = outputs(model.decoder(previous, source, state))
    logits_again, weights_again = outputs(model(batch.source, batch.lengths, previous))
    close(logits[:, -1], logits_again[:, -1], 1e-12)
    close(weights[:, -1], weights_again[:, -1], 1e-12)


def every_parameter_learns(model: FairseqEncoderDecoderModel) -> None:
    output = model(BATCH.source, BATCH.lengths, BATCH.previous)
    loss = torch.nn.functional.cross_entropy(output[0][BATCH.real], BATCH.target[BATCH.real])
    (loss + sum(model.auxiliary_losses(output, BATCH.target).values())).backward()
    idle = [name for name, weight in model.named_parameters() if weight.grad is None or not weight.grad.any()]
    assert idle == []


INVARIANTS: dict[str, Callable[[FairseqEncoderDecoderModel], None]] = {
    check.__name__: check
    for check in (step_by_step_is_one_pass, company_changes_nothing, reordering_commutes, every_parameter_learns)
}
