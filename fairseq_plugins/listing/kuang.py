"""How many parameters Kuang et al. 2018 print for their systems, beside ours at their sizes.

They print E = 620, H = 1000 and 30,000 words, and for A and the readout only "as in Bahdanau et al.": our own readout
is counted too.
"""

import textwrap
from typing import NamedTuple

from fairseq_plugins.listing.architectures import parameters

SIZES = {"embed_dim": 620, "hidden_dim": 1000, "vocabulary": 30_000}
READOUTS = {"tanh, R = 620": {}, "maxout, 2 x 500": {"readout": "maxout", "readout_dim": 500}}
BASE = "rnnsearch_star"
SYSTEMS = {  # what it is in the paper, and its parameters in millions: the baseline's, and those added to them
    BASE: ("RNNSearch*", 74.8),
    "bridging_source": ("+ source side", 3.7),
    "bridging_target": ("+ target side", 1.8),
    "bridging_direct_nosrc": ("+ W alone", 0.4),
    "bridging_direct": ("+ direct", 4.1),
}
REMARK = (
    "The source side adds E (3H + A + H + R'), where R' is the width in front of the non-linearity: 620 with our "
    "default readout, 1000 with maxout over pairs, which rounds to the printed increments; direct adds W to it. The "
    "target side adds 3EH = 1.86 million; the printed 1.8 is that truncated, or 1.77 in units of 2^20. The printed "
    "total is less than its parts need: two embeddings, an output matrix of 500 columns, the encoder and the "
    "conditional GRU are 75.8 million before any attention, initial state or readout."
)


class Line(NamedTuple):
    """One system: what the paper prints, in millions, and our number with each of ``READOUTS``."""

    system: str
    printed: float
    ours: tuple[int, ...]


def lines() -> list[Line]:
    """The baseline's parameters, and what each bridge adds to them."""
    counts = {arch: [parameters(arch, SIZES | readout) for readout in READOUTS.values()] for arch in SYSTEMS}
    base = counts.pop(BASE)
    added = {arch: [count - start for count, start in zip(found, base, strict=True)] for arch, found in counts.items()}
    ours = {BASE: base, **added}
    return [Line(system, printed, tuple(ours[arch])) for arch, (system, printed) in SYSTEMS.items()]


def as_text(width: int) -> str:
    """The comparison in millions, with what differs below it."""
    title = "Kuang et al. 2018: parameters in millions at E = 620, H = A = 1000 and 30,000 words on each side"
    head = f"{'':<15}{'printed':>8}" + "".join(f"{readout:>18}" for readout in READOUTS)
    table = [
        f"{line.system:<15}{line.printed:>8}" + "".join(f"{count / 1e6:>18.3f}" for count in line.ours)
        for line in lines()
    ]
    return "\n".join([*textwrap.wrap(title, width), head, *table, *textwrap.wrap(REMARK, width)])
