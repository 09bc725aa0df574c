"""Stage `released`: the results of a system that was trained elsewhere, where its own stages would have left them.

For a report beside systems that are trained here: it finds scores, record and learning curve of the training, what its
training in the reverse direction came to if there is one and, of one seed, translations, and no model.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import run
from stages.files.text import write_lines
from stages.releasing import reverse
from stages.releasing.about import code_sums, require_same_settings, require_same_text, settings_now, text_now
from stages.releasing.results_file import OF_TRAINING, RECORD, read_results, results_path
from stages.releasing.translations import restore
from stages.settings.systems import study_systems


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--text", type=Path, required=True, help="folder of the corpus stage")
    parser.add_argument("--bpe", type=Path, required=True, help="folder of the bpe stage")
    parser.add_argument("--manifest", type=Path, required=True, help="folder of the manifest stage")
    parser.add_argument("--model", type=Path, required=True, help="folder; gets the record and the learning curve")
    parser.add_argument("--translations", type=Path, required=True, help="folder; gets those that were released")
    parser.add_argument("--scores", type=Path, required=True, help="folder; gets scores.json and a CSV file a set")
    args = parser.parse_args(arguments)
    study = study_systems()
    path = results_path(study.corpus, study.direction, study.segmentation, args.variant, args.seed)
    about, files = read_results(path)
    code = code_sums(args.manifest, args.variant)
    now = settings_now(study.corpus, args.variant, args.seed, study.released[args.variant])
    require_same_settings(path, about, now)
    require_same_text(path, about, text_now(args.bpe, args.text))
    with new_folder(args.translations) as out:
        for name, lines in restore(path, files, args.bpe, args.text, study.direction).items():
            write_lines(out / name, lines)
    of_model = {name: files[name] for name in (*OF_TRAINING, reverse.FILE) if name in files}
    _write(args.scores, {name: data for name, data in files.items() if name not in of_model and "/" not in name})
    record = {"commit": about["commit"], "same_code": about["code"] == code}
    _write(args.model, of_model | {RECORD: json.dumps(record).encode()})


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    with new_folder(folder) as out:
        for name, data in files.items():
            (out / name).write_bytes(data)


if __name__ == "__main__":
    run(main)
