"""Random batches of equal lengths."""

from typing import Any

import torch

from benchmarks.sizes import Size
from fairseq_plugins import compat  # noqa: F401  makes fairseq importable

from fairseq.data import Dictionary

SPECIAL = Dictionary()
SEED = 1
Sample = dict[str, Any]


def sample(size: Size, links: bool, device: torch.device) -> Sample:
    """A batch as fairseq hands it to a criterion; ``links``: with a word alignment, the diagonal."""
    B, S, T = size.B, size.S, size.T
    random = torch.Generator().manual_seed(SEED)

    def side(length: int) -> torch.Tensor:
        words = torch.randint(SPECIAL.nspecial, size.V, (B, length), generator=random)
        words[:, -1] = SPECIAL.eos()
        return words

    source, target = side(S), side(T)
    previous = torch.cat((target[:, -1:], target[:, :-1]), 1)
    found: Sample = {
        "net_input": {
            "src_tokens": source.to(device),
            "src_lengths": torch.full((B,), S, device=device),
            "prev_output_tokens": previous.to(device),
        },
        "target": target.to(device),
        "ntokens": B * T,
    }
    if links:
        steps = torch.arange(min(S, T) - 1)  # eos is linked by the criterion
        flat = (torch.arange(B).unsqueeze(1) * T + steps).flatten()
        found["alignments"] = torch.stack((steps.repeat(B), flat), 1).to(device)
    return found


def sentences(size: Size) -> list[list[str]]:
    """Random source sentences in pieces, without eos, to translate."""
    random = torch.Generator().manual_seed(SEED)
    words = torch.randint(size.V - SPECIAL.nspecial, (size.decoded, size.S - 1), generator=random)
    return [[f"w{k}" for k in row] for row in words.tolist()]
