"""Stage `supervision`: what each system learns from beside the text, or that it learns from the text alone.

Training depends on the folder of its system: so another aligner retrains the systems that learn from word alignments,
and no other.
"""

import shutil
from collections.abc import Iterable
from pathlib import Path

from stages.alignment.piece_links import read_piece_links
from stages.files.atomic import new_folder
from stages.files.main import RUN, arguments, run
from stages.files.text import write_lines
from stages.settings.languages import Direction, languages
from stages.settings.params import read
from stages.settings.study_run import run_of
from stages.settings.systems import study_systems
from stages.settings.variants import training_settings

SETS = {"train": "train", "dev": "valid"}  # ours: fairseq's


def main() -> None:
    of = run_of(arguments(__doc__, *RUN))
    folders = of.folders
    supervision(
        of.corpus, of.direction, folders.tokens, folders.of_corpus.wordalign, folders.candidates, folders.supervision
    )


def supervision(corpus: str, direction: Direction, bpe: Path, wordalign: Path, candidates: Path, out: Path) -> None:
    """Write the folder `out`, with one for each system. bpe, wordalign: folders of stages; candidates: a table."""
    content = read()
    study = study_systems(content)
    with new_folder(out) as folder:
        for name in study.built:
            settings = training_settings(corpus, name, content, name in study.fine_tuned)
            write_lines(folder / name / "kind", [settings.supervision or "the text alone"])
            if "links" in settings.sources:
                _write_links(corpus, direction, bpe, wordalign, folder / name)
            if "candidates" in settings.sources:
                shutil.copy(candidates, folder / name / "candidates.tsv")


def _write_links(corpus: str, direction: Direction, bpe: Path, wordalign: Path, folder: Path) -> None:
    """`<set>.align` with the links of train and dev between pieces, in the direction of the translation."""
    pair = languages(corpus, direction)
    for name, theirs in SETS.items():
        source, target = (bpe / f"{name}.{language}" for language in pair)
        found = read_piece_links(wordalign / f"{name}.gdfa", source, target, reverse=direction == "reverse")
        write_lines(folder / f"{theirs}.align", map(_line, found))


def _line(links: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{j}-{i}" for j, i in links)


if __name__ == "__main__":
    run(main)
