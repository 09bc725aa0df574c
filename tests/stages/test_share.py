"""Trained models for a system that differs in decoding only."""

import json

import pytest

from stages.files.errors import InputError
from stages.share import share

SEEDS = [3, 1, 2]


@pytest.fixture
def models(tmp_path):
    """Of a base with three seeds, each file with its own content."""
    for seed in SEEDS:
        folder = tmp_path / "base" / str(seed)
        folder.mkdir(parents=True)
        (folder / "model.pt").write_bytes(b"model of %d" % seed)
        (folder / "curve.csv").write_text(f"curve of {seed}", encoding="utf-8")
        record = {
            "variant": "base",
            "seed": seed,
            "parameters": 10,
            "wall_seconds": 5.0,
            "train_tokens_per_second": 9.0,
        }
        (folder / "training.json").write_text(json.dumps(record), encoding="utf-8")
    return tmp_path / "base"


def test_every_seed_gets_its_model_and_a_record_in_its_own_name(models, tmp_path):
    share("mine", models, SEEDS, 1, tmp_path / "mine")
    for seed in SEEDS:
        folder = tmp_path / "mine" / str(seed)
        assert {path.name for path in folder.iterdir()} == {"model.pt", "curve.csv", "training.json"}
        assert (folder / "model.pt").read_bytes() == b"model of %d" % seed
        assert json.loads((folder / "training.json").read_text(encoding="utf-8")) == {
            "variant": "mine", "seed": seed, "parameters": 10, "wall_seconds": None,
            "train_tokens_per_second": None,
        }  # fmt: skip


@pytest.mark.parametrize(
    ("ensemble", "beside"), [(2, {3: [1], 1: [2], 2: [3]}), (3, {3: [1, 2], 1: [2, 3], 2: [3, 1]})]
)
def test_an_ensemble_takes_the_seeds_that_follow(models, tmp_path, ensemble, beside):
    share("mine", models, SEEDS, ensemble, tmp_path / "mine")
    for seed, others in beside.items():
        folder = tmp_path / "mine" / str(seed)
        assert (folder / "model.pt").read_bytes() == b"model of %d" % seed
        found = [path.read_bytes() for path in sorted(folder.glob("model-*.pt"))]
        assert found == [b"model of %d" % other for other in others]
        assert json.loads((folder / "training.json").read_text(encoding="utf-8"))["parameters"] == 10 * ensemble


def test_what_is_missing_is_named_and_nothing_is_left(models, tmp_path):
    (models / "2" / "model.pt").unlink()
    with pytest.raises(InputError, match=r"2/model\.pt is missing; train that system first"):
        share("mine", models, SEEDS, 1, tmp_path / "mine")
    assert not (tmp_path / "mine").exists()
