"""Weights that a fine-tuned system takes over from its base, and those that are new."""

import pytest
import torch
from torch import Tensor

from stages.settings.variants import VariantModel
from stages.training.transfer import extended
from tests.helpers import support


def seeded(fresh: dict[str, Tensor], trained: dict[str, Tensor], prefix: str = "", seed: int = 1) -> dict[str, Tensor]:
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return extended(fresh, trained, prefix)


def test_a_weight_of_the_same_shape_is_taken_over():
    fresh = {"W": torch.ones(3, 2), "b": torch.ones(3)}
    trained = {"W": torch.rand(3, 2), "b": torch.rand(3)}
    assert all(torch.equal(value, trained[name]) for name, value in extended(fresh, trained).items())


def test_new_columns_stand_behind_the_trained_ones():
    trained = {"W": torch.rand(3, 2)}
    found = extended({"W": torch.ones(3, 6)}, trained)["W"]
    assert found.shape == (3, 6) and torch.equal(found[:, :2], trained["W"])
    assert (found[:, 2:] != 0).all() and found[:, 2:].abs().max() < 0.1


@pytest.mark.parametrize(("name", "first"), [("wider", 50), ("new", 0)])
def test_what_is_new_is_small_and_random(name, first):
    fresh, trained = {"wider": torch.ones(100, 250), "new": torch.ones(100, 200)}, {"wider": torch.ones(100, 50)}
    drawn = seeded(fresh, trained)[name][:, first:]
    assert drawn.shape == (100, 200)
    assert abs(drawn.mean()) < 0.0005  # seven standard errors
    assert 0.0095 < drawn.std() < 0.0105 and drawn.abs().max() < 0.06
    assert torch.equal(drawn, seeded(fresh, trained)[name][:, first:])
    assert not torch.equal(drawn, seeded(fresh, trained, seed=2)[name][:, first:])


def test_embeddings_of_padding_stay_zero():
    fresh = {"K": torch.ones(4, 3)}
    fresh["K"][1] = 0
    assert extended(fresh, {})["K"].eq(0).all(1).tolist() == [False, True, False, False]


def test_tables_of_integers_are_the_new_systems():
    found = extended({"keys": torch.tensor([7, 8]), "more": torch.tensor([1])}, {"keys": torch.tensor([1, 2, 3])})
    assert {name: value.tolist() for name, value in found.items()} == {"keys": [7, 8], "more": [1]}


def test_the_old_system_may_stand_within_the_new_one():
    fresh = {"W": torch.ones(2, 2), "reverse.W": torch.ones(2, 3), "reverse.b": torch.ones(2)}
    found = extended(fresh, {"W": torch.full((2, 2), 5.0)}, "reverse.")
    assert found.keys() == {"reverse.W", "reverse.b"}
    assert found["reverse.W"][:, :2].eq(5).all() and found["reverse.b"].abs().max() < 0.1


@pytest.mark.parametrize(
    ("trained", "message"),
    [
        ({"W": (3, 2), "V": (1, 1), "U": (2, 2)}, r"^the base has what this one lacks: U, V$"),
        ({"W": (4, 2)}, r"^W is \(4, 2\) in the base and \(3, 4\) here; only columns can be added: "),
        ({"W": (3, 5)}, r"^W is \(3, 5\).*give both the same sizes and vocabularies$"),
        ({"W": (3,)}, r"^W is \(3,\)"),
        ({"b": (2,)}, r"^b is \(2,\)"),
    ],
)
def test_a_weight_that_does_not_fit(trained, message):
    fresh = {"W": torch.ones(3, 4), "b": torch.ones(3)}
    with pytest.raises(ValueError, match=message):
        extended(fresh, {name: torch.ones(shape) for name, shape in trained.items()})


COLUMNS = ("decoder.cell.gru_2.W", "decoder.readout.L_c.weight")


def numbered(rows: int, columns: int) -> Tensor:
    return torch.arange(1.0, columns + 1).expand(rows, columns).clone()


def test_a_wider_context_stays_apart_from_what_terms_add_to_the_input():
    """[c_i ; extra] of 2 + 3 columns into 4 + 3."""
    trained = dict(zip(COLUMNS, (numbered(6, 5), numbered(2, 2)), strict=True))
    fresh = dict(zip(COLUMNS, (torch.ones(6, 7), torch.ones(2, 4)), strict=True))
    found = extended(fresh, trained)[COLUMNS[0]]
    torch.testing.assert_close(found[:, [0, 1, 4, 5, 6]], trained[COLUMNS[0]])
    assert found[:, 2:4].abs().max() < 0.1


def test_whose_columns_of_an_input_are_cannot_be_told():
    trained = dict(zip(COLUMNS, (numbered(6, 5), numbered(2, 2)), strict=True))
    fresh = dict(zip(COLUMNS, (torch.ones(6, 6), torch.ones(2, 2)), strict=True))
    with pytest.raises(ValueError, match=r"add 3 columns .* and here 4"):
        extended(fresh, trained)


@pytest.mark.parametrize(
    ("base", "terms"),
    [
        (["target_bridging"], ["source_bridging", "target_bridging"]),
        ([], ["source_bridging", "target_bridging"]),
        (["source_bridging"], ["target_bridging", "source_bridging"]),
    ],
    ids=" ".join,
)
def test_a_system_begins_as_its_base(monkeypatch, base, terms):
    """With 0 for what is new, logits are those of the base."""
    monkeypatch.setattr("stages.training.transfer.NEW", 0.0)
    old, new = (support.build(VariantModel(arch="attnmt", terms=one)).model for one in (base, terms))
    new.load_state_dict(extended(new.state_dict(), old.state_dict()))
    batch = support.random_batch([5, 3], [4, 2])
    torch.testing.assert_close(support.forward(new, batch)[0], support.forward(old, batch)[0])
