"""Every test at once, of systems against a few opponents."""

import numpy as np
import pytest

from stages.statistics.multiple import holm
from stages.statistics.opponents import comparisons
from tests.stages.statistics.pairs import mean, points


def test_comparisons_hold_one_family_for_each_opponent():
    random = np.random.default_rng(9)
    baseline = random.random(80)
    systems = {"baseline": [points(baseline)]}
    systems |= {f"system{k}": [points(baseline + 0.02 * k + 0.2 * random.random(80))] for k in range(4)}
    found = comparisons(systems, ["baseline", "system1", "absent"], mean, 500, 1, 0.05, {}, [])
    assert set(found) == {(name, other) for other in ("baseline", "system1") for name in systems if name != other}
    for opponent in ("baseline", "system1"):
        family = [comparison for (_, other), comparison in found.items() if other == opponent]
        expected = holm(np.array([comparison.p_randomisation for comparison in family]))
        assert [comparison.p_holm for comparison in family] == pytest.approx(expected)
    assert {comparison.seeds for comparison in found.values()} == {"one seed: unknown"}
    assert comparisons(systems, ["absent"], mean, 500, 1, 0.05, {}, []) == {}


def test_runs_of_one_origin_are_paired():
    """Their seeds' luck is the same: a gain that is far smaller than it is beyond it."""
    random = np.random.default_rng(3)
    luck = [random.random(60) + shift for shift in (0.0, 3.0, 6.0)]
    systems = {
        "base": [points(one) for one in luck],
        "tuned": [points(one + 0.05 + 0.001 * k) for k, one in enumerate(luck)],
    }
    alone = comparisons(systems, ["base"], mean, 100, 1, 0.05, {}, [])["tuned", "base"]
    together = comparisons(systems, ["base"], mean, 100, 1, 0.05, {"tuned": "base"}, [])["tuned", "base"]
    assert (alone.seeds, together.seeds) == ("inside seed noise", "beyond seed noise")
    assert together.p_seeds < 0.001 < 0.9 < alone.p_seeds


def test_an_ensemble_is_tested_beside_systems_of_its_own_models_only():
    """The runs (1, 2), (2, 3) and (3, 1) of two models each are no three trainings."""
    random = np.random.default_rng(5)
    one, two, other = ([points(random.random(60) + shift) for shift in random.random(3)] for _ in range(3))
    systems = {"base": one, "ensemble": two, "other": other}
    found = comparisons(systems, ["base", "other"], mean, 100, 1, 0.05, {"ensemble": "base"}, ["ensemble"])
    apart = found["ensemble", "other"]
    assert np.isnan(apart.p_seeds) and apart.seeds == "shared models: unknown"
    assert all(0 <= found[pair].p_seeds <= 1 for pair in (("ensemble", "base"), ("base", "other")))
