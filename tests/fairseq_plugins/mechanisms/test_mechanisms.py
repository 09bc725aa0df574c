"""Interactive attention, GAtt, GAtt-Inv and DHEA: their parameters."""

import pytest

from tests.helpers.counting import G, added
from tests.helpers.mechanisms.alone import A, C, H, R
from tests.helpers.mechanisms.beside_the_base import SYSTEMS

DELTAS = {
    "interactive": 2 * (C * H + C),
    "interactive, separate write": 2 * (C * H + C) + A * H + A * C + 2 * A,
    "gatt": G(H, C),
    "gatt_inv": G(C, H) - (C - H) * (A + 3 * H + R),
    "dhea": A * H + A * H + A + (H + C + H) * H + H + H * H + 3 * H * H + R * H,
}


@pytest.mark.parametrize("name", DELTAS)
def test_parameters_added_to_the_base(name):
    assert added(SYSTEMS[name]) == DELTAS[name]
