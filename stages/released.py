"""Stage `released`: the results of a system that was trained elsewhere, where its own stages would have left them.

For a report beside systems that are trained here: it finds scores, record and learning curve of the training, what its
training in the reverse direction came to and how its links were read out if they are there, and translations, of one
seed with their attention. It finds no model.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import RUN, arguments, run
from stages.files.run_directory import MANIFEST, RunDirectory
from stages.files.text import write_lines
from stages.releasing.about import code_sums, require_same_settings, require_same_text, settings_now, text_now
from stages.releasing.results_file import OF_MODEL, OF_TRAINING, RECORD, read_results, results_path
from stages.releasing.translations import restore
from stages.settings.study_run import run_of
from stages.settings.systems import StudySystems, study_systems


def main() -> None:
    args = arguments(__doc__, *RUN, "variant", "seed")
    run_of(args)
    released(study_systems(), args.variant, args.seed)


def released(study: StudySystems, variant: str, seed: int) -> None:
    """Unpack the results of a system. Raises InputError: they are missing, damaged, or of other settings or text."""
    run, system = RunDirectory(Path(study.run)), (variant, seed)
    bpe, text = run.tokens, run.of_corpus.text
    path = results_path(study.corpus, study.direction, study.segmentation, *system)
    about, files = read_results(path)
    code = code_sums(MANIFEST, variant)
    require_same_settings(path, about, settings_now(study.corpus, *system, study.released[variant]))
    require_same_text(path, about, text_now(bpe, text))
    with new_folder(run.translations(*system)) as out:
        for name, lines in restore(path, files, bpe, text, study.direction).items():
            write_lines(out / name, lines)
    of_model = {name: files[name] for name in (*OF_TRAINING, *OF_MODEL) if name in files}
    of_scores = {name: data for name, data in files.items() if name not in of_model and "/" not in name}
    _write(run.scores(*system), of_scores)
    record = {"commit": about["commit"], "same_code": about["code"] == code}
    _write(run.model(*system), of_model | {RECORD: json.dumps(record).encode()})


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    with new_folder(folder) as out:
        for name, data in files.items():
            (out / name).write_bytes(data)


if __name__ == "__main__":
    run(main)
