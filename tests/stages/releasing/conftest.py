"""A project in which two systems have been trained with two seeds, as far as results and reports see it."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from stages.pipeline import release
from stages.pipeline.jobs import Job
from tests.helpers import committed
from tests.helpers.report_study import SOURCE, write
from tests.stages.reporting.conftest import study  # noqa: F401

RUN = Path("work/demo/forward-bpe")
CHOSEN = {
    "study": "small", "corpus": "demo", "run": str(RUN), "direction": "forward", "segmentation": "bpe", "seeds": [1, 2],
    "systems": ["plain"], "fine_tuned": {"star": "plain"}, "decoded": {}, "also_reverse": [], "read_outs": [],
    "smt": [], "training_sizes": [], "released": {}, "released_smt": [],
}  # fmt: skip
VARIANTS = {
    "plain": {"arch": "rnnencdec"},
    "star": {"arch": "rnnsearch_star"},
}


def settings(**chosen) -> None:
    """Write params.yaml of the working directory."""
    demo = committed.params()["corpora"]["demo"]
    content = CHOSEN | chosen | {"variants": VARIANTS, "titles": {}, "corpora": {"demo": demo}}
    write(Path("params.yaml"), json.dumps(content))  # YAML too, and at once


@pytest.fixture
def project(study: Path, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: F811
    """The folder, which is the working directory; every stage counts as up to date, and code as committed."""
    monkeypatch.chdir(study)
    Path(".dvc").mkdir()
    for name in ("corpus", "wordalign", "thotalign", "tags", "forward-bpe"):
        target = Path("work/demo") / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(name, target)
    for name in ("dev", "test", "test2", "gold"):  # as the translations cut them
        pieces = [f"{line.rpartition(' ')[0]} {line.rpartition(' ')[2]}@@ x" for line in SOURCE]
        write(RUN / f"bpe/{name}.zh", "\n".join(pieces) + "\n")
    for stage in ("train", "evaluate"):
        for variant in VARIANTS:
            write(Path("work/manifest") / stage / variant, f"{stage} {variant}\n")
    write(Path("work/manifest/score"), "score\n")
    settings()
    jobs = {
        Job((f"score@small-{variant}-{seed}",), frozenset({"small", variant, str(seed)})): set()
        for variant in VARIANTS
        for seed in (1, 2)
    }
    pipeline = SimpleNamespace(jobs=jobs, changed=lambda stages, say: [])
    monkeypatch.setattr(release, "Pipeline", lambda: pipeline)
    monkeypatch.setattr(release, "_commit", lambda: "0123456789abcdef")
    monkeypatch.setattr("sys.argv", ["release"])
    return study
