"""Stage `smt`: train a phrase-based system on a corpus, tune it on dev, and translate dev and every test set with it.

Where Thot is missing the folder holds nothing but the reason, and the report leaves the system out.
"""

from pathlib import Path

from stages.alignment import thot
from stages.files.atomic import new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.main import RUN, arguments, run
from stages.files.records import write_json
from stages.files.references import read_references
from stages.files.run_directory import LEFT_OUT
from stages.files.text import read_lines
from stages.phrase_based.system import Corpus, translate_corpus
from stages.settings.languages import Direction, languages
from stages.settings.params import section
from stages.settings.smt import SmtSettings
from stages.settings.study_run import run_of


def main() -> None:
    args = arguments(__doc__, *RUN, "variant")
    of = run_of(args)
    places = of.folders.of_corpus
    smt(of.corpus, of.direction, places.text, places.wordalign, of.folders.translations(args.variant, 0))


def smt(corpus: str, direction: Direction, text: Path, wordalign: Path, out: Path) -> None:
    """Write the folder `out`. text, wordalign: folders of the stages corpus and wordalign."""
    settings = section(f"corpora.{corpus}.smt", SmtSettings)
    running_text = section(f"corpora.{corpus}.score.detokenise", bool)
    source, target = languages(corpus, direction)
    # Tuned on words: references that are running text are compared with after the tuning only.
    words = [(line,) for line in read_lines(text / f"dev.{target}")]
    given = Corpus(
        text=text,
        record=read_corpus_record(text),
        source=source,
        target=target,
        links=wordalign / "train.gdfa",
        reverse=direction == "reverse",
        references=words if running_text else read_references(text, "dev", target),
    )
    with new_folder(out) as folder:
        if why := thot.missing():
            write_json(folder / LEFT_OUT, {"why": why})
            print(f"smt is left out: {why}", flush=True)
        else:
            translate_corpus(given, settings, folder)


if __name__ == "__main__":
    run(main)
