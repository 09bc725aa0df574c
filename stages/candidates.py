"""Stage `candidates`: aligned training text -> for each source phrase the target words that translate it best."""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from stages.alignment.phrases import Link, best_words, count_phrases
from stages.alignment.pieces import read_piece_links
from stages.files.main import run
from stages.files.text import iter_lines, write_lines
from stages.settings.languages import languages

LONGEST_SOURCE = 4
"""Mi et al. 2016."""
LONGEST_TARGET = 7
"""A link gone astray would make whole clauses a translation: Koehn et al. 2003 limit phrases to seven words."""
MOST = 20
"""Words of a source phrase that are kept: Jean et al. 2015 take 10 or 20, Mi et al. 2016 take 10."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--bpe", type=Path, required=True, help="folder of the bpe stage: the tokens of the run")
    parser.add_argument("--wordalign", type=Path, required=True, help="folder of the wordalign stage")
    parser.add_argument("--out", type=Path, required=True, help="table to write")
    args = parser.parse_args(arguments)
    sides = [args.bpe / f"train.{language}" for language in languages(args.corpus, args.direction)]
    links = read_piece_links(args.wordalign / "train.gdfa", *sides, reverse=args.direction == "reverse")
    sentences = zip(*map(iter_lines, sides), links, strict=True)
    write_lines(args.out, table(tqdm(sentences, desc="extracting phrases", unit="sentence", disable=None)))


def table(sentences: Iterable[tuple[str, str, Iterable[Link]]]) -> Iterator[str]:
    """Lines `source phrase<TAB>words, best first`, sorted; sentences: source line, target line, links of tokens."""
    split = ((source.split(" "), target.split(" "), links) for source, target, links in sentences)
    counts = count_phrases(split, LONGEST_SOURCE, LONGEST_TARGET)
    for phrase in sorted(counts):
        yield f"{' '.join(phrase)}\t{' '.join(best_words(counts[phrase], MOST))}"


if __name__ == "__main__":
    run(main)
