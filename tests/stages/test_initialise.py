"""The initialise stage: a base's models for the systems that are fine-tuned from it."""

import contextlib
from pathlib import Path

import pytest

from stages import initialise
from stages.files.errors import InputError


@pytest.fixture
def models(tmp_path) -> Path:
    folder = tmp_path / "models" / "base"
    for name in ("1", "2", "3", "2-reverse"):
        (folder / name).mkdir(parents=True)
        (folder / name / "model.pt").write_text(f"weights of {name}")
    return folder


def run(models: Path) -> dict[str, str]:
    root = models.parents[1]
    with contextlib.chdir(root):
        initialise.initialise(Path("models/base"), [1, 2], Path("out"))
    files = [path for path in (root / "out").rglob("*") if path.is_file()]
    return {path.relative_to(root / "out").as_posix(): path.read_text() for path in files}


def test_the_models_of_the_seeds_of_the_study_and_those_of_the_reverse_direction(models):
    assert run(models) == {
        "1/model.pt": "weights of 1",
        "2/model.pt": "weights of 2",
        "2/reverse.pt": "weights of 2-reverse",
    }


def test_a_missing_model_is_named_and_nothing_is_written(models):
    (models / "2" / "model.pt").unlink()
    with pytest.raises(InputError, match=r"models/base/2/model\.pt is missing"):
        run(models)
    assert not (models.parents[1] / "out").exists()
