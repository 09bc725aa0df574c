"""Luong et al. 2015: which lengths are refused, and the parameters of every system."""

import pytest
import torch

from tests.helpers import support
from tests.helpers.counting import added, size
from tests.helpers.mechanisms.luong import ARCHS, S_MAX, A, E, H, V_x, V_y, of
from tests.helpers.support import build, forward


def test_padding_is_no_longer_source():
    """To lengths of a GPU's graphs, say."""
    model = build(of("luong_global_location")).model
    batch = support.random_batch([S_MAX, 2], [3, 2])
    wider = support.padded(batch, source=4, target=0)
    torch.testing.assert_close(forward(model, wider)[0], forward(model, batch)[0])


@pytest.mark.parametrize(("length", "refused"), [(S_MAX, False), (S_MAX + 1, True)])
def test_location_refuses_longer_sources(length, refused):
    model = build(of("luong_global_location")).model
    assert model.max_positions()[0] == S_MAX
    batch = support.random_batch([length, 2], [3, 2])
    for way in (forward, support.step_by_step):
        if refused:
            with pytest.raises(ValueError, match=r"a source of 6 pieces is longer than the 5 positions"):
                way(model, batch)
        else:
            assert torch.isfinite(way(model, batch)[0]).all()


def L(I: int, D: int, biases: int = 1) -> int:
    """An LSTM."""
    return 4 * (I * D + D * D + biases * D)


SCORE = {
    "luong_global_dot": 0,
    "luong_global_general": H * H,
    "luong_global_concat": 2 * H * H + H,
    "luong_global_location": S_MAX * H,
    "luong_local_m": H * H,
    "luong_local_p": H * H + H * H + H,
}


@pytest.mark.parametrize(("layers", "feeding"), [(1, True), (2, False), (4, True)])
@pytest.mark.parametrize("arch", ARCHS)
def test_parameters(arch, layers, feeding):
    encoder = V_x * E + L(E, H, biases=2) + (layers - 1) * L(H, H, biases=2)
    decoder = V_y * E + L(E + H if feeding else E, H) + (layers - 1) * L(H, H)
    output = 2 * H * H + V_y * H + V_y
    found = size(of(arch, luong_layers=layers, input_feeding=feeding))
    assert found == encoder + decoder + output + SCORE[arch]


@pytest.mark.parametrize("arch", [arch for arch in ARCHS if arch != "luong_global_dot"])
def test_parameters_on_rnnsearch_star(arch):
    C = 2 * H
    additive = A * H + A * C + 2 * A
    score = {**SCORE, "luong_global_general": H * C, "luong_global_concat": H * (H + C) + H}
    score |= {"luong_local_m": H * C, "luong_local_p": H * C + H * H + H}
    assert added(of(arch, luong_base="rnnsearch_star")) == score[arch] - additive
