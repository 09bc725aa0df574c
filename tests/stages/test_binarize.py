"""The binarize stage: what it writes depends on its input alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.helpers.paths import ROOT

PARAMS = {
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
    command = "from pathlib import Path; from stages.binarize import binarize"
    for pair, out in ((("de", "en"), "bin"), (("en", "de"), "back")):
        command += f"; binarize('toy', 'bpe', Path('bpe'), {pair}, Path('{out}'))"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", command], cwd=folder, check=True, capture_output=True, env=environment)
    files = (path for out in ("bin", "back") for path in (folder / out).iterdir())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.process
def test_binarised_twice_is_the_same(tmp_path: Path) -> None:
    """fairseq's log of it, with times and paths, is not kept: everything that trains depends on these folders."""
    first, second = binarised(tmp_path / "one"), binarised(tmp_path / "another folder")
    assert first == second
    assert {"bin/dict.de.txt", "bin/train.de-en.de.bin", "back/dict.en.txt", "back/train.en-de.en.bin"} <= set(first)
