"""Stage `wordalign`: the words of a corpus -> their statistical alignment, lexical tables and its error rate.

Output, in the corpus's own direction whatever the direction of the study: for train, dev and gold `<set>.forward`,
`<set>.reverse` and `<set>.gdfa` (links `i-j`, a line a sentence pair), `lexicon.source-target.tsv`,
`lexicon.target-source.tsv` and `scores.json`.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from stages.alignment.corpus_links import METHODS, align_corpus
from stages.files.atomic import new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.main import run
from stages.files.records import write_json
from stages.scoring import aligner_scores
from stages.settings.alignment import AlignmentSettings
from stages.settings.params import section


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, help="section `corpora.<corpus>.wordalign` of params.yaml")
    parser.add_argument("--text", type=Path, required=True, help="folder of the corpus stage")
    parser.add_argument("--out", type=Path, required=True, help="folder; replaced as a whole")
    args = parser.parse_args(arguments)
    wordalign(args.text, section(f"corpora.{args.corpus}.wordalign", AlignmentSettings), args.out)


def wordalign(text: Path, settings: AlignmentSettings, out: Path) -> None:
    """Align the corpus in `text`, measure the alignment and write the folder `out`, whole or not at all.

    Raises:
        InputError: a file of the corpus is missing or does not fit, or eflomal is missing or fails.
    """
    corpus = read_corpus_record(text)
    with new_folder(out) as folder:
        recipe = align_corpus(text, corpus, settings, folder)
        measured = dict.fromkeys(METHODS, aligner_scores.UNDEFINED)
        if corpus.gold:
            measured = {name: aligner_scores.score(folder / f"gold.{name}", text / "gold.align") for name in METHODS}
        write_json(folder / "scores.json", {"aligners": measured, "recipe": recipe})
    for method, values in measured.items():
        print(f"{method:<8} {aligner_scores.line(values)}", flush=True)


if __name__ == "__main__":
    run(main)
