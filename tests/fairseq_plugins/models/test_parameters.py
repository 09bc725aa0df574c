"""How many parameters the systems have, by the shapes of their equations."""

import pytest
import torch

from stages.settings.training import ModelSizes
from tests.fairseq_plugins.models.histories import ON_STAR
from tests.helpers.binding import system as reference_of
from tests.helpers.counting import G
from tests.helpers.support import SYSTEMS, Subject, build, of


def counts(V_x: int, V_y: int, E: int, H: int, A: int, R: int) -> dict[str, int]:
    """All parameters of the bases, by the shapes of their equations; the encoder's GRUs have two biases a gate."""
    C = 2 * H
    encoder = V_x * E + 2 * (G(E, H) + 3 * H)
    output = V_y * E + V_y * R + V_y
    gated = H * H + H + 3 * (H * E + H * H + H)  # W_s, b_s; W, U, b of r, z, n
    return {
        "rnnsearch_star": encoder + (H * C + H) + G(E, H) + (A * H + A * C + 2 * A) + G(C, H)
        + R * (H + E + C + 1) + output,
        "rnnsearch": encoder + gated + 3 * H * C + (A * H + A * C + A) + 2 * R * (H + E + C + 1) + output,
        "rnnencdec": V_x * E + G(E, H) + 3 * H + (H * H + H) + gated + 3 * H * H + 2 * R * (H + E + H + 1) + output,
    }  # fmt: skip


def deltas(E: int, H: int, A: int, R: int, D: int) -> dict[str, int]:
    """What a term adds: the addend inside the tanh, its GRU, its column of the readout."""
    C = 2 * H
    return {"source_history": A * D + G(C, D) + R * D, "target_history": A * D + G(H, D) + R * D}


def size(subject: Subject) -> int:
    return sum(parameter.numel() for parameter in subject.model.parameters())


@pytest.mark.parametrize("arch", ["rnnsearch_star", "rnnsearch", "rnnencdec"])
def test_parameters_of_the_bases(arch):
    expected = counts(V_x=15, V_y=17, E=7, H=6, A=5, R=4)
    assert size(build(of(arch))) == expected[arch]


@pytest.mark.parametrize("name", ON_STAR)
def test_parameters_added_to_the_base(name):
    subject = build(SYSTEMS[name])
    reference = reference_of(subject)
    wide = 2 if reference.readout == "maxout" else 1
    added = deltas(E=7, H=6, A=5, R=4 * wide, D=3)
    base = build(of("rnnsearch_star", readout=reference.readout))
    assert size(subject) - size(base) == sum(added[term] for term in reference.terms)


@pytest.mark.parametrize(("arch", "printed"), [("sa_nmt", 2_885_120), ("ta_nmt", 2_098_688), ("ba_nmt", 4_983_808)])
def test_parameters_added_at_the_papers_sizes(arch, printed):
    sizes = ModelSizes(
        embed_dim=512, hidden_dim=512, attention_dim=None, readout_dim=None, embed_dropout=0,
        annotation_dropout=0, readout_dropout=0, init_range=0.1,
    )  # fmt: skip
    with torch.device("meta"):
        assert size(build(of(arch), sizes)) - size(build(of("rnnsearch_star"), sizes)) == printed
