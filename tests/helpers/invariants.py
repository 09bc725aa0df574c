"""What holds for every system that decodes step by step, as checks on a model."""

from collections.abc import Sequence

import torch

from tests.helpers.support import BATCH, Batch, close, forward, outputs, random_batch, step_by_step

from fairseq.models import FairseqEncoderDecoderModel

ACROSS_SENTENCES = [[2, 0, 0, 1], [3, 3, 1, 0, 2, 1], [5, 0, 4]]


def step_by_step_is_one_pass(model: FairseqEncoderDecoderModel, batch: Batch = BATCH, tolerance: float = 1e-12) -> None:
    for by_step, at_once in zip(step_by_step(model, batch), forward(model, batch), strict=True):
        if at_once is not None:
            close(by_step[batch.real], at_once[batch.real], tolerance)


@torch.no_grad()
def reordering_commutes(
    model: FairseqEncoderDecoderModel, orders: Sequence[list[int]] = ACROSS_SENTENCES, tolerance: float = 1e-12
) -> None:
    """As beam search does it: rows repeat, vanish and change their sentence between steps, the first time before any.

    After each reordering a step is what re-running the reordered prefixes from scratch gives.
    """
    batch = random_batch([6, 2, 4], [5, 5, 5])
    source, state, previous = model.encoder(batch.source, src_lengths=batch.lengths), {}, batch.previous[:, :1]
    for seed, order in enumerate(map(torch.tensor, orders)):
        batch, previous = batch.rows(order), previous[order]
        model.decoder.reorder_incremental_state_scripting(state, order)
        source = model.encoder.reorder_encoder_out(source, order)
        logits, weights = outputs(model.decoder(previous, encoder_out=source, incremental_state=state))
        rerun, weights_rerun = outputs(model(batch.source, batch.lengths, previous))
        close(logits[:, -1], rerun[:, -1], tolerance)
        if weights is not None:
            close(weights[:, -1], weights_rerun[:, -1], tolerance)
        words = random_batch([2] * len(order), [2] * len(order), seed=10 + seed).target[:, :1]
        previous = torch.cat((previous, words), 1)
