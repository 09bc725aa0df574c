"""Whether anything would stop the report after all systems have been trained."""

from collections.abc import Collection, Iterable
from pathlib import Path

from stages.corpora.counts import sentences_shown
from stages.files.errors import InputError
from stages.files.run_directory import REPORTS, RunDirectory
from stages.releasing.about import ADVICE, require_same_settings, settings_now
from stages.releasing.results_file import read_about, results_path
from stages.releasing.smt import check_smt
from stages.reporting.comparable import read_study_metrics
from stages.settings.params import PARAMS
from stages.settings.schema import Params


def check_report(params: Params) -> None:
    """Raise InputError if the sentence to show is not there, released results are not, or a smaller study that is to
    be compared has no report.

    Whatever else a report refuses is either a setting, and `load` has refused it, or what stages write.
    """
    corpus = params.corpora[params.corpus]
    shown, there = corpus.report.sentence, sentences_shown(corpus.corpus)
    if shown is not None and there is not None and shown > there:
        raise InputError(
            f"{PARAMS}: corpora.{params.corpus}.report.sentence is {shown}, but the set it is taken from has {there} "
            "sentences"
        )
    for name in params.training_sizes:
        read_study_metrics(REPORTS, name)
    _check_released(params)
    check_smt(params)


def _check_released(params: Params) -> None:
    first = params.seeds[0]
    for variant in params.released:
        for seed in params.seeds:
            path = results_path(params.corpus, params.direction, params.segmentation, variant, seed)
            if not path.exists():
                raise InputError(f"{PARAMS}: released: there is no {path}; {ADVICE}")
            about = read_about(path)
            require_same_settings(path, about, settings_now(params.corpus, variant, seed, params.released[variant]))
            if seed == first and not about["translations"]:
                raise InputError(
                    f"{path} has no attention, and reports show that of the first seed; write another one first in "
                    "`seeds`"
                )


def check_seeds(run_directory: Path, systems: Iterable[str], seeds: Collection[int]) -> None:
    """Raise InputError, with the command that makes them, if systems have not been trained and scored with all seeds.

    run_directory: work/<corpus>/<direction>-<segmentation>.
    """
    run = RunDirectory(run_directory)
    missing = {name: [seed for seed in seeds if not run.scores(name, seed).is_dir()] for name in systems}
    if lacking := [name for name, without in missing.items() if without]:
        without = sorted({seed for seeds in missing.values() for seed in seeds})
        raise InputError(
            f"{run.path / 'scores'}: seed {', '.join(map(str, without))} of {', '.join(lacking)} is not "
            f'there yet; `make repro` makes it and then the report, `make repro SYSTEMS="{" ".join(lacking)}"` it alone'
        )
