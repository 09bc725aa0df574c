"""Stage `smt`: train a phrase-based system on a corpus, tune it on dev, and translate dev and every test set with it.

Where Thot is missing the folder holds nothing but the reason, and the report leaves the system out.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from stages.alignment import thot
from stages.files.atomic import new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.main import run
from stages.files.records import write_json
from stages.files.references import read_references
from stages.files.run_directory import LEFT_OUT
from stages.files.text import read_lines
from stages.phrase_based.system import Corpus, translate_corpus
from stages.settings.languages import languages
from stages.settings.params import section
from stages.settings.smt import SmtSettings


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, help="section `corpora.<corpus>.smt` of params.yaml")
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--text", type=Path, required=True, help="folder of the corpus stage")
    parser.add_argument("--wordalign", type=Path, required=True, help="folder of the wordalign stage")
    parser.add_argument("--out", type=Path, required=True, help="folder; replaced as a whole")
    args = parser.parse_args(arguments)
    settings = section(f"corpora.{args.corpus}.smt", SmtSettings)
    running_text = section(f"corpora.{args.corpus}.score.detokenise", bool)
    source, target = languages(args.corpus, args.direction)
    # Tuned on words: references that are running text are compared with after the tuning only.
    words = [(line,) for line in read_lines(args.text / f"dev.{target}")]
    corpus = Corpus(
        text=args.text,
        record=read_corpus_record(args.text),
        source=source,
        target=target,
        links=args.wordalign / "train.gdfa",
        reverse=args.direction == "reverse",
        references=words if running_text else read_references(args.text, "dev", target),
    )
    with new_folder(args.out) as out:
        if why := thot.missing():
            write_json(out / LEFT_OUT, {"why": why})
            print(f"smt is left out: {why}", flush=True)
        else:
            translate_corpus(corpus, settings, out)


if __name__ == "__main__":
    run(main)
