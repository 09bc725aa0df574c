"""Stage `score`: the translations and alignments of one trained system -> its measures, and one printed line."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import run
from stages.files.records import write_json
from stages.scoring.inputs import read_text
from stages.scoring.sentence_files import write_counts
from stages.scoring.summary_line import summary_line
from stages.scoring.system import score
from stages.scoring.system_files import Folders, read_system
from stages.settings.params import section
from stages.settings.scoring import ScoreSettings
from stages.settings.training import Decoding


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, help="section `corpora.<corpus>.score` of params.yaml")
    parser.add_argument("--variant", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--text", type=Path, required=True, help="folder of the corpus stage")
    parser.add_argument("--translations", type=Path, required=True, help="folder of the evaluate stage")
    parser.add_argument("--training", type=Path, required=True, help="training.json of the system's training")
    parser.add_argument("--wordalign", type=Path, required=True, help="folder of the wordalign stage")
    parser.add_argument("--tags", type=Path, required=True, help="folder of the tag stage")
    parser.add_argument("--out", type=Path, required=True, help="folder; gets scores.json and a CSV file a set")
    args = parser.parse_args(arguments)
    folders = Folders(args.translations, args.training, args.wordalign, args.tags)
    system = read_system(read_text(args.text, args.direction), folders, args.variant, args.seed)
    settings = section(f"corpora.{args.corpus}.score", ScoreSettings)
    scores = score(system, settings, section(f"corpora.{args.corpus}.decoding", Decoding))
    with new_folder(args.out) as out:
        write_json(out / "scores.json", scores.values)
        for name, rows in scores.rows.items():
            write_counts(out / f"{name}.csv", rows, scores.sentences[name])
    print(summary_line(args.variant, args.seed, scores.values["metrics"]), flush=True)


if __name__ == "__main__":
    run(main)
