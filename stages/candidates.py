"""Stage `candidates`: aligned training text -> for each source phrase the target words that translate it best."""

from pathlib import Path

from tqdm import tqdm

from stages.alignment.phrase_table import phrase_table
from stages.alignment.piece_links import read_piece_links
from stages.files.main import RUN, arguments, run
from stages.files.text import iter_lines, write_lines
from stages.settings.languages import Direction, languages
from stages.settings.study_run import run_of


def main() -> None:
    of = run_of(arguments(__doc__, *RUN))
    folders = of.folders
    candidates(of.corpus, of.direction, folders.tokens, folders.of_corpus.wordalign, folders.candidates)


def candidates(corpus: str, direction: Direction, bpe: Path, wordalign: Path, out: Path) -> None:
    """Write the table `out`. bpe, wordalign: folders of these stages."""
    source, target = (bpe / f"train.{language}" for language in languages(corpus, direction))
    links = read_piece_links(wordalign / "train.gdfa", source, target, reverse=direction == "reverse")
    sentences = zip(iter_lines(source), iter_lines(target), links, strict=True)
    write_lines(out, phrase_table(tqdm(sentences, desc="extracting phrases", unit="sentence", disable=None)))


if __name__ == "__main__":
    run(main)
