"""Stage `released_smt`: the results of a phrase-based system made elsewhere, where its own stages leave them."""

import json
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import RUN, arguments, run
from stages.files.run_directory import RunDirectory
from stages.files.text import write_lines
from stages.releasing.results_file import RECORD
from stages.releasing.smt import read_smt
from stages.settings.study_run import run_of
from stages.settings.systems import StudySystems, study_systems


def main() -> None:
    args = arguments(__doc__, *RUN, "variant")
    run_of(args)
    released_smt(study_systems(), args.variant)


def released_smt(study: StudySystems, variant: str) -> None:
    """Unpack its results. Raises InputError: they are missing, damaged, or of other settings or text."""
    folders, seed = RunDirectory(Path(study.run)), study.seeds[0]
    record, scores, translations = read_smt(study, variant)
    with new_folder(folders.translations(variant, seed)) as out:
        for name, lines in translations.items():
            write_lines(out / name, lines)
        (out / RECORD).write_text(json.dumps(record))
    with new_folder(folders.scores(variant, seed)) as out:
        for name, data in scores.items():
            (out / name).write_bytes(data)


if __name__ == "__main__":
    run(main)
