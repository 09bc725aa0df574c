"""Results of a study that are released, and taken where nothing has been trained."""

import json
import shutil
from pathlib import Path

from stages import released
from stages.pipeline import release
from stages.releasing.results_file import results_path
from stages.settings.systems import study_systems
from tests.helpers.report_study import write
from tests.stages.releasing.conftest import RUN, settings

RELEASED = {"plain": None, "star": "plain"}
KINDS = ("models", "scores", "translations")


def path_of(variant: str, seed: int) -> Path:
    return results_path("demo", "forward", "bpe", variant, seed)


def elsewhere() -> None:
    """The same project where nothing has been trained."""
    for kind in KINDS:
        shutil.rmtree(RUN / kind)
    settings(systems=["other"], fine_tuned={}, released=RELEASED)
    content = json.loads(Path("params.yaml").read_text())
    content["variants"]["other"] = {"arch": "rnnsearch"}
    write(Path("params.yaml"), json.dumps(content))


def take(variant: str, seed: int) -> None:
    """The stage."""
    released.released(study_systems(), variant, seed)


def take_all() -> None:
    for variant in RELEASED:
        for seed in (1, 2):
            take(variant, seed)


def edit(key: str, value) -> None:
    *above, last = key.split("/")
    content = json.loads(Path("params.yaml").read_text())
    node = content
    for name in above:
        node = node[name]
    node[last] = value
    write(Path("params.yaml"), json.dumps(content))


def both_directions() -> None:
    """The study trains star in the reverse direction too."""
    settings(systems=["plain", "star"], fine_tuned={}, also_reverse=["star"])
    pipeline = release.Pipeline()
    for job in [job for job in pipeline.jobs if "star" in job.labels]:
        del pipeline.jobs[job]
        pipeline.jobs[job._replace(stages=(*job.stages, "evaluate_reverse@small-star"))] = set()
