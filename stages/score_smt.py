"""Stage `score_smt`: the translations and alignments of the phrase-based system -> its measures, and one printed line.

Where the system is left out, so are its scores: the folder holds the reason alone.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import run
from stages.files.records import write_json
from stages.files.run_directory import LEFT_OUT, STATISTICAL
from stages.scoring.inputs import read_text
from stages.scoring.sentence_files import write_counts
from stages.scoring.statistical import left_out, score_statistical
from stages.scoring.summary_line import summary_line
from stages.settings.params import section
from stages.settings.scoring import ScoreSettings
from stages.settings.training import Decoding


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, help="section `corpora.<corpus>.score` of params.yaml")
    parser.add_argument("--variant", choices=STATISTICAL, required=True)
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--text", type=Path, required=True, help="folder of the corpus stage")
    parser.add_argument("--translations", type=Path, required=True, help="folder of the smt stage")
    parser.add_argument("--wordalign", type=Path, required=True, help="folder of the wordalign stage")
    parser.add_argument("--tags", type=Path, required=True, help="folder of the tag stage")
    parser.add_argument("--out", type=Path, required=True, help="folder; gets scores.json and a CSV file a set")
    args = parser.parse_args(arguments)
    with new_folder(args.out) as out:
        if why := left_out(args.translations):
            write_json(out / LEFT_OUT, {"why": why})
            print(f"{args.variant} is left out: {why}", flush=True)
            return
        settings = section(f"corpora.{args.corpus}.score", ScoreSettings)
        decoding = section(f"corpora.{args.corpus}.decoding", Decoding)
        text, folders = read_text(args.text, args.direction), (args.translations, args.wordalign, args.tags)
        scores = score_statistical(text, args.variant, *folders, settings, decoding)
        write_json(out / "scores.json", scores.values)
        for name, rows in scores.rows.items():
            # An aligner's links compete with no attention: without counts of sentences, no test compares them.
            write_counts(out / f"{name}.csv", {} if name == "gold" else rows, scores.sentences[name])
    print(summary_line(args.variant, None, scores.values["metrics"]), flush=True)


if __name__ == "__main__":
    run(main)
