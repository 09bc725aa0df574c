"""Stage `score_smt`: the translations and alignments of the phrase-based system -> its measures, and one printed line.

Where the system is left out, so are its scores: the folder holds the reason alone.
"""

from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import RUN, arguments, run
from stages.files.records import write_json
from stages.files.run_directory import LEFT_OUT
from stages.scoring.inputs import read_text
from stages.scoring.sentence_files import write_counts
from stages.scoring.statistical import left_out, score_statistical
from stages.scoring.summary_line import summary_line
from stages.settings.languages import Direction
from stages.settings.params import section
from stages.settings.scoring import ScoreSettings
from stages.settings.study_run import run_of
from stages.settings.training import Decoding


def main() -> None:
    args = arguments(__doc__, *RUN, "variant")
    of = run_of(args)
    run, places = of.folders, of.folders.of_corpus
    score_smt(
        of.corpus,
        args.variant,
        of.direction,
        text=places.text,
        translations=run.translations(args.variant, 0),
        wordalign=places.wordalign,
        tags=places.tags,
        tokens=run.tokens,
        data=run.data,
        out=run.scores(args.variant, 0),
    )


def score_smt(
    corpus: str,
    variant: str,
    direction: Direction,
    text: Path,
    translations: Path,
    wordalign: Path,
    tags: Path,
    tokens: Path,
    data: Path,
    out: Path,
) -> None:
    """Write the folder `out`: scores.json and a CSV file a set. The other paths are folders of stages."""
    with new_folder(out) as folder:
        if why := left_out(translations):
            write_json(folder / LEFT_OUT, {"why": why})
            print(f"{variant} is left out: {why}", flush=True)
            return
        settings = section(f"corpora.{corpus}.score", ScoreSettings)
        decoding = section(f"corpora.{corpus}.decoding", Decoding)
        scores = score_statistical(
            read_text(text, direction), variant, translations, wordalign, tags, tokens, data, settings, decoding
        )
        write_json(folder / "scores.json", scores.values)
        for name, rows in scores.rows.items():
            write_counts(folder / f"{name}.csv", rows, scores.sentences[name])
    print(summary_line(variant, None, scores.values["metrics"]), flush=True)


if __name__ == "__main__":
    run(main)
