"""Stage `thotalign`: the gold pairs aligned by IBM model 1 and the HMM of Thot -> links and their error rates.

Output, in the corpus's own direction: `gold.<model>_<method>` (links `i-j`, a line a sentence pair) and `scores.json`.
Nothing but the tables reads them: what systems learn from are the links of `wordalign`. Without a gold set or where
Thot is missing there are no aligners, and the recipe says why.
"""

from pathlib import Path

from stages.alignment import thot
from stages.alignment.thot_links import METHODS, align_gold
from stages.files.atomic import new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.main import arguments, run
from stages.files.records import write_json
from stages.scoring import aligner_scores
from stages.settings.params import section
from stages.settings.smt import Aligner
from stages.settings.study_run import corpus_directory


def main() -> None:
    name = arguments(__doc__, "corpus").corpus
    places = corpus_directory(name)
    thotalign(places.text, section(f"corpora.{name}.smt.aligner", Aligner), places.thotalign)


def thotalign(text: Path, settings: Aligner, out: Path) -> None:
    """Align the gold pairs of the corpus in `text`, measure the links and write the folder `out`."""
    corpus = read_corpus_record(text)
    why = thot.missing() if corpus.gold else "there is no gold set"
    with new_folder(out) as folder:
        recipe = {"left out": why} if why else align_gold(text, corpus, settings, folder)
        methods = () if why else METHODS
        measured = {name: aligner_scores.score(folder / f"gold.{name}", text, corpus.languages) for name in methods}
        write_json(folder / "scores.json", {"aligners": measured, "recipe": recipe})
    for method, values in measured.items():
        print(f"{method:<17} {aligner_scores.line(values)}", flush=True)
    if why:
        print(f"Thot's aligners are left out: {why}", flush=True)


if __name__ == "__main__":
    run(main)
