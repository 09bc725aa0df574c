"""The hand-made links of the corpus stage, held against their sentences."""

from pathlib import Path

from stages.files.errors import InputError
from stages.files.text import check_counts, read_lines
from stages.measures.gold_links import Gold, check_bounds, parse

FILE = "gold.align"


def read_gold_links(text: Path, languages: tuple[str, str]) -> list[Gold]:
    """Of each gold pair in the folder `text`. languages: of the corpus, in its own direction.

    Raises:
        InputError: a file is missing, the numbers of lines differ, or a link is malformed or outside its sentence.
    """
    path, source, target = text / FILE, *(text / f"gold.{language}" for language in languages)
    links, sources, targets = read_lines(path, allow_empty=True), read_lines(source), read_lines(target)
    check_counts((path, len(links)), (source, len(sources)), (target, len(targets)))
    golds = []
    for number, (line, source_line, target_line) in enumerate(zip(links, sources, targets, strict=True), start=1):
        try:
            gold = parse(line)
            check_bounds(gold, len(source_line.split(" ")), len(target_line.split(" ")))
        except ValueError as error:
            raise InputError(f"{path}, line {number}: {error}; run the corpus stage again") from None
        golds.append(gold)
    return golds
