"""`make release`: what the trainings of the chosen study came to as files for git, see `stages.releasing`.

Only results that are up to date with settings and code are released, and only from committed code. Other results that
are there already are left, unless REPLACE=1 is given.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from stages.files.errors import InputError
from stages.files.git import CODE, git
from stages.files.main import run
from stages.files.options import Options
from stages.files.run_directory import RunDirectory
from stages.pipeline.graph import Pipeline
from stages.pipeline.lock import RUNS, only_run
from stages.pipeline.release_model import release_model, seed_of
from stages.pipeline.study import add_study, choose
from stages.pipeline.up_to_date import READ_OUTS, REVERSE, stale_results
from stages.releasing.smt import SCORES, smt_path, take_smt
from stages.releasing.training import OtherResultsError, Training, add_reverse, release, write
from stages.scoring.statistical import left_out
from stages.settings.systems import StudySystems, study_systems


def main() -> None:
    parser = Options(description=__doc__)
    add_study(parser)
    parser.add_argument("--model", help="write the model of this system instead, for `make translate MODEL=…`")
    parser.add_argument("--seed", help="of that model; the first of the study unless given")
    parser.add_argument("--replace", choices=["1"], help="1: replace other results of the same trainings")
    args = parser.parse_args()
    if args.seed is not None and args.model is None:
        raise InputError(f"SEED is for MODEL=…, which SEED={args.seed} lacks; results are released of all seeds")
    if args.replace and args.model is not None:
        raise InputError("REPLACE is for results; leave it out with MODEL=…, whose file is always written anew")
    with only_run(RUNS, print):
        choose(args.study, None, print)
        _release(args.model, args.seed, bool(args.replace))


def _release(model: str | None, seed: str | None, replace: bool) -> None:
    study, commit = study_systems(), _commit()
    pipeline = Pipeline()
    if model is not None:
        training = Training(model, seed_of(study, model, seed))
        if stale := stale_results(pipeline, training):
            raise InputError(stale)
        release_model(study, *training, commit)
        return
    refused = []
    for made in _made(pipeline, study, commit, replace):
        try:
            path, new = made()
        except OtherResultsError as error:
            refused.append(str(error))
        else:
            print(f"{path}: {path.stat().st_size / 1024:,.0f} KB" if new else f"{path}: as it was")
    if refused:
        raise InputError("\n".join(refused))


def _made(
    pipeline: Pipeline, study: StudySystems, commit: str, replace: bool
) -> Iterator[Callable[[], tuple[Path, bool]]]:
    """What writes the results of each training and of SMT; what cannot be released is said instead."""
    for training in _trainings(study):
        asked = [stage for stage, names in _asked(study).items() if training.variant in names]
        if stale := stale_results(pipeline, training, asked):
            print(stale)
            continue
        put = add_reverse if training.variant in study.released else release
        yield partial(put, study, training, commit, replace)
    for variant in study.smt:
        if stale := stale_results(pipeline, (variant,)) or _left_out(study, variant):
            print(stale)
            continue
        yield partial(write, smt_path(study, variant), *take_smt(study, variant, commit), (SCORES,), replace)


def _trainings(study: StudySystems) -> Iterator[Training]:
    for variant in dict.fromkeys((*study.translating, *study.also_reverse)):
        for seed in study.seeds:
            yield Training(variant, seed)


def _asked(study: StudySystems) -> dict[str, Sequence[str]]:
    """What a study makes of some systems only: part of the names of its stages -> these systems."""
    return {REVERSE: study.also_reverse, READ_OUTS: study.read_outs}


def _left_out(study: StudySystems, variant: str) -> str:
    """Why this machine has none; empty if it has."""
    why = left_out(RunDirectory(Path(study.run)).scores(variant, study.seeds[0]))
    return f"{variant} is left out: {why}" if why else ""


def _commit() -> str:
    """Of HEAD, which must have the code as it stands."""
    if git("status", "--porcelain", "--", *CODE):
        raise InputError("code that is not committed: commit it first, for results name the commit that made them")
    return git("rev-parse", "HEAD")


if __name__ == "__main__":
    run(main)
