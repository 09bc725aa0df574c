"""The time of beam search, every hypothesis as long as every other."""

import torch
from torch import nn

from benchmarks.batches import SPECIAL, sentences
from benchmarks.device import now
from benchmarks.sizes import Size
from fairseq_plugins.listing.architectures import dictionary
from stages.settings.training import Decoding
from stages.translating.decoding import System, translate

from fairseq.models import FairseqEncoderDecoderModel

BEAM = 10
NEVER = -1e4  # added to the logit of eos: it is chosen at the limit alone, where nothing else is allowed
OUTPUT_LAYERS = ("W_o", "fc_out", "output_projection")  # ours, fairseq's LSTM, fairseq's Transformer


def sentences_per_second(
    model: FairseqEncoderDecoderModel, size: Size, device: torch.device, precision: str = "fp32"
) -> float:  # fmt: skip
    """Beam search through the study's own path; the model's output bias is changed for good.

    Raises:
        RuntimeError: a translation does not have T pieces, so that systems could not be compared.
    """
    model.eval()
    layer = next(getattr(model.decoder, name) for name in OUTPUT_LAYERS if hasattr(model.decoder, name))
    if layer.bias is None:
        layer.bias = nn.Parameter(torch.zeros(layer.out_features, device=device))
    with torch.no_grad():
        layer.bias[SPECIAL.eos()] = NEVER
    words = dictionary(size.V)
    settings = Decoding(
        beam=BEAM, length_penalty=1.0, max_len_a=0.0, max_len_b=size.T - 1, max_tokens=1000, threads=1,
        precision=precision,
    )  # fmt: skip
    system, text = System(model, words, words), sentences(size)
    start = now(device)
    found = translate(system, text, settings, progress=None)
    seconds = now(device) - start
    if any(len(one.positional) + (not one.finished) != size.T for one in found):
        raise RuntimeError(f"not every translation has {size.T} pieces: {sorted({len(one.target) for one in found})}")
    return size.decoded / seconds
