"""The binarize stage: what it writes depends on its input alone."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.helpers.paths import ROOT

PARAMS = {
    "segmentation": "bpe",
    "corpora": {
        "toy": {
            "corpus": {"source": "de", "target": "en"},
            "segmentation": {
                "merges": 10,
                "joint": False,
                "vocabulary_threshold": 0,
                "word_vocabulary": {"source": None, "target": None},
            },
        }
    },
}
TEXT = {"de": "das haus ist gro@@ ß\nder hund\n", "en": "the house is big\nthe dog\n"}


def binarised(folder: Path) -> dict[str, bytes]:
    """Every file of both directions, made in `folder`."""
    (folder / "bpe").mkdir(parents=True)
    (folder / "params.yaml").write_text(yaml.safe_dump(PARAMS))
    for part in ("train", "dev"):
        for language, text in TEXT.items():
            (folder / "bpe" / f"{part}.{language}").write_text(text)
    command = "import sys; sys.path.insert(0, sys.argv.pop(1)); from stages.binarize import main; main()"
    options = ["--corpus", "toy", "--direction", "forward", "--bpe", "bpe", "--out", "bin", "--out-reverse", "back"]
    subprocess.run([sys.executable, "-c", command, str(ROOT), *options], cwd=folder, check=True, capture_output=True)
    files = (path for out in ("bin", "back") for path in (folder / out).iterdir())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.process
def test_binarised_twice_is_the_same(tmp_path: Path) -> None:
    """fairseq's log of it, with times and paths, is not kept: everything that trains depends on these folders."""
    first, second = binarised(tmp_path / "one"), binarised(tmp_path / "another folder")
    assert first == second
    assert {"bin/dict.de.txt", "bin/train.de-en.de.bin", "back/dict.en.txt", "back/train.en-de.en.bin"} <= set(first)
