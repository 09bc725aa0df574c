"""Stage `wordalign`: the words of a corpus -> their statistical alignment, lexical tables and its error rate.

Output, in the corpus's own direction whatever the direction of the study: for train, dev and gold `<set>.forward`,
`<set>.reverse` and `<set>.gdfa` (links `i-j`, a line a sentence pair), `lexicon.source-target.tsv`,
`lexicon.target-source.tsv` and `scores.json`.
"""

from pathlib import Path

from stages.alignment.corpus_links import METHODS, align_corpus
from stages.files.atomic import new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.main import arguments, run
from stages.files.records import write_json
from stages.scoring import aligner_scores
from stages.settings.alignment import AlignmentSettings
from stages.settings.params import section
from stages.settings.study_run import corpus_directory


def main() -> None:
    name = arguments(__doc__, "corpus").corpus
    places = corpus_directory(name)
    wordalign(places.text, section(f"corpora.{name}.wordalign", AlignmentSettings), places.wordalign)


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
            measured = {name: aligner_scores.score(folder / f"gold.{name}", text, corpus.languages) for name in METHODS}
        write_json(folder / "scores.json", {"aligners": measured, "recipe": recipe})
    for method, values in measured.items():
        print(f"{method:<8} {aligner_scores.line(values)}", flush=True)


if __name__ == "__main__":
    run(main)
