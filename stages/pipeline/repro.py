"""`make repro`: the same stages and the same cache as `dvc repro`, with the systems trained side by side."""

import argparse
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from stages.files.atomic import new_file
from stages.files.errors import InputError
from stages.files.options import Options, at_least
from stages.pipeline.choice import warning
from stages.pipeline.cores import systems_at_once
from stages.pipeline.durations import last_seconds
from stages.pipeline.ending import ending
from stages.pipeline.engines import LOCAL, SLURM, engine_of, require_no_others, slots
from stages.pipeline.lock import RUNS, only_run
from stages.pipeline.mps import shared_gpu
from stages.pipeline.runner import Engine, RunRequest, reproduce
from stages.pipeline.study import add_arguments, choose
from stages.pipeline.text_source import require_text
from stages.reporting.preconditions import REPORTS, check_report
from stages.settings.params import PARAMS
from stages.settings.schema import check

say = partial(print, flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = Options(description=__doc__)
    parser.add_argument("--jobs", type=at_least(1), help="systems side by side; what the cores carry unless given")
    parser.add_argument("--systems", default="", help="names, with spaces between; all of the study unless given")
    parser.add_argument("--engine", default=LOCAL, help=f"{LOCAL}: this machine; {SLURM}: the nodes of a cluster")
    parser.add_argument("--mps", default="", help="1: systems that share a GPU compute at once, by NVIDIA's MPS")
    add_arguments(parser)
    args = parser.parse_args(arguments)
    engine = engine_of(args.engine)
    if args.mps not in ("", "1") or (args.mps and engine):
        raise InputError(f"MPS is 1 or is left out (is {args.mps!r}), and left out with ENGINE={SLURM}")
    require_no_others(args.engine)
    with only_run(RUNS, say) as lock:
        _repro(args, engine, lock)


def _repro(args: argparse.Namespace, engine: Engine | None, lock: int) -> None:
    began = time.monotonic()
    text, content = choose(args.study, args.released, say)
    params = check(content)
    if sentence := warning(text):
        say(sentence)
    report = REPORTS / params.study
    released = [*params.released, *params.released_smt]

    def before_jobs(cached_runs: Path) -> None:
        check_report(params)
        require_text(params, cached_runs)

    request = RunRequest(
        slots=args.jobs or slots(args.engine, systems_at_once(params.corpora[params.corpus].training.threads)),
        systems=[*released, *params.translating, *params.smt],
        only=args.systems.split(),
        # Released results have none, so that they come first: if they do not fit, that is said before hours of work.
        seconds={k: took for k, took in last_seconds(report / "metrics.json").items() if k not in released},
        before_jobs=before_jobs,
        engine=engine,
        released=released,
    )
    with shared_gpu(bool(args.mps)):
        result = reproduce(request, lock)
    if not result.worked:
        print("Everything is up to date.")
    if result.left_out:
        print(
            f"no report was made, for SYSTEMS named some systems only: reports/{params.study}/ is as it was, and "
            f"`make repro` makes it; {time.monotonic() - began:.0f} s"
        )
        return
    kept = REPORTS / "provenance" / params.study / PARAMS.name
    # Of the report, which this run made, or `dvc repro`, or a run that was killed before it came here.
    if not kept.exists() or kept.read_text(encoding="utf-8") != text:
        with new_file(kept) as handle:
            handle.write(text)  # as it was at the start; dvc.lock keeps what the last run of every study made of what
    print(f"reports/{params.study}/ is complete; {time.monotonic() - began:.0f} s\n")
    print("\n".join(ending(params, REPORTS)))
