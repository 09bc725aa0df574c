"""Systems of whole mechanisms on RNNsearch*, and the base that they come from, for the tests."""

from functools import partial

from stages.settings.variants import VariantModel
from tests.helpers import support
from tests.helpers.shared_weights import assert_same, base_of
from tests.helpers.support import BATCH, Subject, forward

close = partial(support.close, tolerance=1e-12)
SYSTEMS = {
    "interactive": VariantModel(arch="interactive_attention"),
    "interactive, separate write": VariantModel(arch="interactive_attention", ia_separate_write=True),
    "gatt": VariantModel(arch="gatt"),
    "gatt by the query": VariantModel(arch="gatt", gatt_state="query"),
    "gatt, reset before": VariantModel(arch="gatt", gru_reset_before=True),
    "gatt_inv": VariantModel(arch="gatt_inv"),
    "gatt_inv by the query": VariantModel(arch="gatt_inv", gatt_state="query"),
    "gatt_inv, reset before": VariantModel(arch="gatt_inv", gru_reset_before=True),
    "dhea": VariantModel(arch="dhea"),
}


def named(start: str) -> list[str]:
    return [name for name in SYSTEMS if name.split(",")[0].split(" ")[0] == start]


def assert_baseline(subject: Subject) -> None:
    assert_same(subject.model, base_of(subject.model))


def assert_not_baseline(subject: Subject, first: int) -> None:
    """Step ``first`` differs, counted from 0; none before it does."""
    actual, expected = forward(subject.model, BATCH)[0], forward(base_of(subject.model), BATCH)[0]
    close(actual[:, :first], expected[:, :first])
    assert (actual - expected)[BATCH.target_lengths > first, first].abs().amax(-1).min() > 1e-6
