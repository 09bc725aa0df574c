"""The time of the decoder alone, forward and backward, logits included: what GPUs are judged by."""

from collections.abc import Callable

import torch
from torch import Tensor

from benchmarks.baseline import UnoptimisedBaseline
from benchmarks.batches import sample
from benchmarks.device import now
from benchmarks.sizes import Size
from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

from fairseq.models import FairseqEncoderDecoderModel

SECONDS_PER_KERNEL = 2e-6  # of dependent small kernels inside a CUDA graph
KERNELS_PER_STEP = 4 + 8  # forward and backward


def latency_limit(size: Size) -> float:
    """Seconds that the decoder's dependent kernels take at least."""
    return size.T * KERNELS_PER_STEP * SECONDS_PER_KERNEL


def seconds(model: UnoptimisedBaseline | FairseqEncoderDecoderModel, size: Size, device: torch.device) -> float:
    """One pass of the decoder over an encoded batch and back, after one that warms up."""
    inputs = sample(size, False, device)["net_input"]
    source, previous = inputs["src_tokens"], inputs["prev_output_tokens"]
    decode: Callable[[], Tensor]
    if isinstance(model, UnoptimisedBaseline):
        with torch.no_grad():
            annotations, _ = model.encoder(model.E_x(source))

        def decode() -> Tensor:
            return model.decode(annotations, previous)[0]
    else:
        with torch.no_grad():
            encoded = model.encoder(source, src_lengths=inputs["src_lengths"])

        def decode() -> Tensor:
            return model.decoder(previous, encoder_out=encoded)[0]

    decode().sum().backward()
    start = now(device)
    decode().sum().backward()
    return now(device) - start
