"""Fine-tuned systems: the weights they begin with, models they cannot begin with, and training on."""

import re

import pandas as pd
import pytest
import torch
from torch import Tensor

from stages.files.errors import InputError
from tests.helpers import tiny
from tests.helpers.started import (
    BATCH,
    base_model,
    begin_with,
    initial_of,
    model_of,
    predictions,
    refusal,
    started,
    system,
)
from tests.helpers.support import close, forward

pytestmark = pytest.mark.training

SETTINGS = tiny.params()["corpora"][tiny.CORPUS]
BRIDGED = ["bridging_direct", "ba_bridging"]


def without_new_columns(weights: dict[str, Tensor], trained: dict[str, Tensor]) -> dict[str, Tensor]:
    kept = {name: value.clone() for name, value in weights.items()}
    for name in trained:
        if trained[name].dim() == 2:
            kept[name][:, trained[name].shape[1] :] = 0
    return kept


@pytest.mark.parametrize("variant", tiny.FINE_TUNED)
def test_a_system_begins_with_the_weights_of_its_base(variant):
    weights = initial_of(variant).weights()
    for name, value in base_model(variant).float().state_dict().items():
        assert torch.equal(weights[name][..., : value.shape[-1]], value), name


@pytest.mark.parametrize("variant", BRIDGED)
def test_new_columns_and_weights_of_a_system_are_small_and_random(variant):
    trained = base_model(variant).state_dict()
    new = [
        value[..., trained[name].shape[-1] if name in trained else 0 :].flatten()
        for name, value in initial_of(variant).weights().items()
    ]
    drawn = torch.cat(new)
    assert len(drawn) > 1000 and abs(drawn.mean()) < 0.002 and 0.008 < drawn.std() < 0.012


@pytest.mark.parametrize("variant", tiny.FINE_TUNED)
def test_with_new_columns_at_zero_a_system_begins_as_its_base_predicts(variant):
    """Spec 3.3; a system that adds but a loss begins so without further ado."""
    start, base = initial_of(variant), base_model(variant)
    weights = start.weights()
    model = model_of(start, without_new_columns(weights, base.state_dict()))
    for found, expected in zip(predictions(model), predictions(base), strict=True):
        close(found, expected, 1e-12)
    as_it_is = (predictions(model_of(start, weights))[0] - predictions(base)[0]).abs().max()
    assert as_it_is > 1e-6 if variant in BRIDGED else as_it_is < 1e-12


@pytest.mark.parametrize("variant", BRIDGED)
def test_without_coefficient_the_likelihood_is_all_of_the_loss(variant):
    start, losses = initial_of(variant), []
    for coefficient in ("0", "1"):
        model = model_of(start, start.weights(), "--bridge-lambda", coefficient)
        with torch.no_grad():
            losses.append(float(model.auxiliary_losses(model(*BATCH[:3]), BATCH.target)["direct_bridging"]))
    assert losses[0] == 0 < losses[1]


def test_global_fertility_adds_weights_and_changes_none():
    weights, trained = initial_of("cohn_globalfert").weights(), tiny.checkpoint(tiny.trained("cohn_all"))["model"]
    assert all(torch.equal(weights[name], value) for name, value in trained.items())
    assert {name.split(".")[3] for name in weights.keys() - trained.keys()} == {"global_fertility"}


def test_agreement_begins_with_the_models_of_both_directions():
    start = initial_of("cohn_agreement")
    weights, other_way = start.weights(), tiny.trained("cohn_all", reverse=True)
    trained = tiny.checkpoint(other_way)["model"]
    reverse = {name.removeprefix("reverse."): value for name, value in weights.items() if name.startswith("reverse.")}
    assert reverse.keys() == trained.keys() and all(torch.equal(reverse[name], trained[name]) for name in trained)
    model, other = model_of(start, weights), system(other_way, reverse=True)
    for found, expected in zip(forward(model.reverse, BATCH), forward(other, BATCH), strict=True):
        close(found, expected, 0)
    assert model.encoder.embed_tokens.weight.shape == other.decoder.embed_tokens.weight.shape


def test_the_same_start_twice_is_the_same(tmp_path):
    """New weights too: a run that was killed begins as it did."""
    again = started("bridging_direct", tmp_path).weights()
    assert all(torch.equal(value, again[name]) for name, value in initial_of("bridging_direct").weights().items())


def test_another_base_begins_afresh(tmp_path):
    scratch = tmp_path / "scratch"
    folder = started("bridging_direct", scratch).folder
    assert started("bridging_direct", scratch).folder == folder
    other = begin_with(tmp_path / "other", tiny.trained("often_saved"))
    begun = started("bridging_direct", scratch, initial=other).folder
    assert list(scratch.iterdir()) == [begun] != [folder]


def test_another_model_of_the_reverse_direction_begins_afresh(tmp_path):
    """Also one that turns out not to fit."""
    scratch = tmp_path / "scratch"
    folder = started("cohn_agreement", scratch).folder
    both = begin_with(tmp_path / "both", tiny.trained("cohn_all"), reverse=tiny.trained("cohn_all"))
    with pytest.raises(InputError, match="same sizes and vocabularies"):
        tiny.train("cohn_agreement", scratch, tmp_path / "out", initial=both)
    assert folder not in scratch.iterdir()


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("model.pt", "missing"),
        ("model.pt", "truncated"),
        ("reverse.pt", "text"),
        ("reverse.pt", "not a checkpoint"),
    ],
)
def test_a_damaged_model(tmp_path, capsys, name, damage):
    initial = begin_with(tmp_path / "initial", tiny.trained("cohn_all"), tiny.trained("cohn_all", reverse=True))
    path = initial / name
    content = path.read_bytes()
    if damage == "not a checkpoint":
        torch.save([1, 2], path)
    elif damage == "missing":
        path.unlink()
    else:
        path.write_bytes({"text": b"weights\n", "truncated": content[: len(content) // 2]}[damage])
    assert f"initial/{name}" in refusal(capsys, "cohn_agreement", tmp_path / "scratch", initial=initial)


@pytest.mark.parametrize(
    ("variant", "bases", "message"),
    [
        ("cohn_globalfert", [("cohn_all", True)], r"embed_tokens.weight is .* the same sizes and vocabularies"),
        ("cohn_agreement", [("cohn_all", False)] * 2, r"embed_tokens.weight is .* the same sizes and vocabularies"),
        ("bridging_direct", [("ba_nmt", False)], r"has what this one lacks: decoder\.attention\.terms\.source_h"),
        ("cohn_agreement", [("cohn_all", False)], r"reverse\.pt is missing: cohn_.*; add its base to `also_reverse`"),
    ],
)
def test_a_model_that_does_not_fit(tmp_path, capsys, variant, bases, message):
    models = [tiny.trained(base, reverse=reverse) for base, reverse in bases]
    initial = begin_with(tmp_path / "initial", *models)
    assert re.search(message, refusal(capsys, variant, tmp_path / "scratch", initial=initial))


def test_a_fine_tuned_system_starts_where_its_base_ended():
    base, folder = tiny.trained("rnnsearch_star"), tiny.trained("unmoved")
    (first,), expected = tiny.log(folder, "valid"), tiny.log(base, "valid")[tiny.record(base)["best_epoch"] - 1]
    assert first["ppl"] == expected["ppl"] and first["nll_loss"] == expected["nll_loss"]
    start, moved = initial_of("unmoved").weights(), tiny.checkpoint(folder)["model"]
    differences = torch.cat([(moved[name] - start[name]).abs().flatten() for name in start])
    assert 0 < differences.max() < 1e-6  # a rate of 1e-9


def test_a_fine_tuned_system_counts_from_one():
    """Epochs, updates and the annealing that follows them are its own."""
    curve = tiny.curve(tiny.trained("bridging_direct"))
    one = tiny.curve(tiny.trained("rnnsearch_star"))["updates"].iloc[0]
    assert list(curve["epoch"]) == [1, 2] and list(curve["updates"]) == [one, 2 * one]
    rates = [float(row["lr"]) for row in tiny.log(tiny.trained("bridging_direct"), "train")]
    assert rates == pytest.approx([tiny.RATE, tiny.RATE * SETTINGS["training"]["lr_shrink"]])


def test_a_killed_fine_tuned_system_ends_as_an_undisturbed_one(tmp_path):
    expected = tiny.trained("bridging_direct")
    updates = tiny.curve(expected)["updates"].iloc[0]
    tiny.train_until_killed("bridging_direct", tmp_path / "scratch", "Loop._save", updates + 4)  # of the second epoch
    assert list((tmp_path / "scratch").glob("*/saves/*/checkpoint_last.pt"))
    resumed = tiny.train("bridging_direct", tmp_path / "scratch", tmp_path / "out")
    tiny.assert_same(resumed, expected)
    speeds = pd.read_csv(resumed / "curve.csv")["tokens_per_second"]
    assert list(speeds.isna()) == [False, True]  # the first was not repeated, the second not begun anew


ALONE = [name for name, system in tiny.FINE_TUNED.items() if system["training"].get("gpus", 1) == 1]


@pytest.mark.parametrize("variant", ALONE)
def test_every_kind_of_system_is_fine_tuned(variant):
    folder = tiny.trained(variant)
    assert tiny.record(folder)["epochs"] == tiny.FINE_TUNED[variant]["training"]["max_epoch"]
    losses = {name for name in tiny.log(folder, "train")[-1] if name.startswith("aux_")}
    assert (
        losses
        == {
            "unmoved": set(),
            "bridging_direct": {"aux_direct_bridging"},
            "ba_bridging": {"aux_direct_bridging"},
            "cohn_globalfert": {"aux_global_fertility"},
            "cohn_agreement": {"aux_reverse", "aux_agreement"},
        }[variant]
    )
