"""One training of an item, in the item's folder: trained, evaluated, scored and packed, from where it was stopped.

python -m benchmarks.gpu.queue.training rnnsearch_star 4
"""

import os
import shutil
import sys
from pathlib import Path

from benchmarks.gpu.prepared import call, words_of
from benchmarks.gpu.queue.items import archive
from stages import evaluate, score, train
from stages.files.lifetime import end_with
from stages.files.main import run
from stages.files.run_directory import RunDirectory
from stages.initialise import initialise
from stages.releasing.training import Training, release
from stages.settings.study_run import study_run
from stages.settings.systems import StudySystems, study_systems

COMMIT = Path("commit")


def main() -> None:
    variant, seed, parent, signal = sys.argv[1:]
    end_with(int(parent), int(signal))
    make(study_systems(), Training(variant, int(seed)))


def make(study: StudySystems, training: Training) -> None:
    """Write its archive, and leave its model for what is fine-tuned from it here."""
    folders = RunDirectory(Path(study.run))
    if not (folders.model(*training) / "model.pt").exists():
        _train(study, training)
    path = archive(study, training)
    if path.exists():
        return
    names = words_of(dict(study)) | {"variant": training.variant, "seed": training.seed}
    call(evaluate.main, **names)
    call(score.main, **names)
    release(study, training, COMMIT.read_text(encoding="utf-8").strip())
    shutil.rmtree(folders.translations(*training))  # the largest of all, and packed


def _train(study: StudySystems, training: Training) -> None:
    folders, base = RunDirectory(Path(study.run)), study.fine_tuned.get(training.variant)
    job = train.job(study_run(study.study), *training, reverse=False, fine_tuned=base is not None)
    if base is not None:
        make(study, Training(base, training.seed))
        of_all = folders.path / f"initial-{training.seed}" / training.variant
        initialise(folders.model(base, training.seed).parent, [training.seed], of_all)
        job = job._replace(initial=of_all / str(training.seed))
    train.train(job)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    run(main)
