"""Systems that share their weights, RNNsearch* below them, and terms that nothing reads."""

from torch import Tensor

from stages.settings.variants import VariantModel
from tests.helpers.support import BATCH, Batch, build, close, forward, of

from fairseq.models import FairseqEncoderDecoderModel

INTO_THE_TANH = {"V", "V_a", "V_c", "V_d", "V_g", "W_p", "W_m", "W_f"}
"""What terms call the projection of their state."""


def with_weights_of(
    model: FairseqEncoderDecoderModel, variant: VariantModel, **changed: Tensor
) -> FairseqEncoderDecoderModel:
    """Another system with the weights of a model, cut to its columns, and a few of its attention's own."""
    other = build(variant, seed=2).model
    shared = model.state_dict() | {f"decoder.attention.{name}": value for name, value in changed.items()}
    other.load_state_dict({name: shared[name][..., : own.shape[-1]] for name, own in other.state_dict().items()})
    return other


def base_of(model: FairseqEncoderDecoderModel) -> FairseqEncoderDecoderModel:
    """RNNsearch* with the readout and the weights of a model that is made of it."""
    decoder = model.decoder
    whole = "decoder.attention.b_a" in model.state_dict()  # a mechanism, which has no bias in U_a
    bias = {"U_a.bias": decoder.attention.b_a.data} if whole else {}
    return with_weights_of(model, of("rnnsearch_star", readout=decoder.readout.kind), **bias)


def silence(model: FairseqEncoderDecoderModel, *names: str) -> None:
    """Zero what projects the states of the named terms into the tanh, the candidate state and the readout.

    Without names those of all terms, and what these hand to the recurrence.
    """
    decoder = model.decoder
    terms, readers = decoder.attention.terms, decoder.readout.L_reads
    for name in names or terms:
        projections = [part for symbol, part in terms[name].named_children() if symbol in INTO_THE_TANH]
        for projection in [*projections, *([readers[name]] if name in readers else [])]:
            projection.weight.data.zero_()
    if not names:
        decoder.cell.gru_2.W.data[:, model.encoder.annotation_width :] = 0


def assert_same(one: FairseqEncoderDecoderModel, other: FairseqEncoderDecoderModel, batch: Batch = BATCH) -> None:
    """In logits and weights of real target words."""
    for actual, expected in zip(forward(one, batch), forward(other, batch), strict=True):
        close(actual[batch.real], expected[batch.real], 1e-12)
