"""Stage `score`: the translations and alignments of one trained system -> its measures, and one printed line."""

from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import RUN, arguments, run
from stages.files.records import write_json
from stages.scoring.inputs import read_text
from stages.scoring.sentence_files import write_counts
from stages.scoring.summary_line import summary_line
from stages.scoring.system import score
from stages.scoring.system_files import Folders, read_system
from stages.settings.languages import Direction
from stages.settings.params import section
from stages.settings.scoring import ScoreSettings
from stages.settings.study_run import run_of
from stages.settings.training import Decoding


def main() -> None:
    args = arguments(__doc__, *RUN, "variant", "seed")
    of, system = run_of(args), (args.variant, args.seed)
    places, run = of.folders.of_corpus, of.folders
    training = run.model(*system) / "training.json"
    data = run.data if of.segmentation == "words" else None
    folders = Folders(run.translations(*system), training, places.wordalign, places.tags, data)
    write_scores(of.corpus, of.direction, *system, places.text, folders, run.scores(*system))


def write_scores(
    corpus: str, direction: Direction, variant: str, seed: int, text: Path, folders: Folders, out: Path
) -> None:
    """Write the folder `out`, and print the line. text: folder of the corpus stage."""
    read = read_system(read_text(text, direction), folders, variant, seed)
    settings = section(f"corpora.{corpus}.score", ScoreSettings)
    scores = score(read, settings, section(f"corpora.{corpus}.decoding", Decoding))
    with new_folder(out) as folder:
        write_json(folder / "scores.json", scores.values)
        for name, rows in scores.rows.items():
            write_counts(folder / f"{name}.csv", rows, scores.sentences[name])
    print(summary_line(variant, seed, scores.values["metrics"]), flush=True)


if __name__ == "__main__":
    run(main)
