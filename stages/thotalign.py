"""Stage `thotalign`: the gold pairs aligned by IBM model 1 and the HMM of Thot -> links and their error rates.

Output, in the corpus's own direction: `gold.<model>_<method>` (links `i-j`, a line a sentence pair) and `scores.json`.
Nothing but the tables reads them: what systems learn from are the links of `wordalign`. Without a gold set or where
Thot is missing there are no aligners, and the recipe says why.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from stages.alignment import thot
from stages.alignment.thot_links import METHODS, align_gold
from stages.files.atomic import new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.main import run
from stages.files.records import write_json
from stages.scoring import aligner_scores
from stages.settings.params import section
from stages.settings.smt import Aligner


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, help="section `corpora.<corpus>.smt.aligner` of params.yaml")
    parser.add_argument("--text", type=Path, required=True, help="folder of the corpus stage")
    parser.add_argument("--out", type=Path, required=True, help="folder; replaced as a whole")
    args = parser.parse_args(arguments)
    settings, corpus = section(f"corpora.{args.corpus}.smt.aligner", Aligner), read_corpus_record(args.text)
    why = thot.missing() if corpus.gold else "there is no gold set"
    with new_folder(args.out) as folder:
        recipe = {"left out": why} if why else align_gold(args.text, corpus, settings, folder)
        methods = () if why else METHODS
        measured = {name: aligner_scores.score(folder / f"gold.{name}", args.text / "gold.align") for name in methods}
        write_json(folder / "scores.json", {"aligners": measured, "recipe": recipe})
    for method, values in measured.items():
        print(f"{method:<17} {aligner_scores.line(values)}", flush=True)
    if why:
        print(f"Thot's aligners are left out: {why}", flush=True)


if __name__ == "__main__":
    run(main)
