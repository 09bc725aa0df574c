"""Translations of a released system without what the corpus says: sources and, of forced decoding, targets.

Corpora are not ours to hand on, and whoever reads the results has the text. Weights have three decimals and log
probabilities four: they are drawn and looked at here, every measure was taken from those of the training's machine.
Reports draw those of the first seed; of the others there are the words alone, in a tenth of the space, and which source
word each unknown one attends to.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.files.corpus_record import CorpusRecord, read_corpus_record
from stages.files.errors import InputError
from stages.files.text import check_counts, read_lines
from stages.text.symbols import END
from stages.translating.translations import translation_of

WEIGHTS, PROBABILITIES = 3, 4
"""Decimals."""
FOLDER = "translations/"
FORCED = ".forced.jsonl"
CONTROL = "decoding.json"
"""What the search of a system of `decoded` did, with the values that dev has chosen; others have no such file."""


def take(folder: Path, text: Path, shown: bool = True) -> dict[str, bytes]:
    """What is handed on of the evaluate stage's `folder`, `CONTROL` too, by its name in a file of results.

    text: folder of the corpus stage. shown: what a report shows, the translations of the test sets and, under forced
    decoding, of the gold set; else the words of the former.
    """
    record = read_corpus_record(text)
    files = [folder / name for name in (_shown(record) if shown else _of_tests(record))]
    lines: dict[str, Iterable[str]] = {
        path.name: _without_text(read_lines(path), path.name.endswith(FORCED), shown) for path in files
    }
    if (folder / CONTROL).exists():
        lines[CONTROL] = read_lines(folder / CONTROL)
    return {FOLDER + name: "".join(f"{line}\n" for line in each).encode() for name, each in lines.items()}


def restore(
    path: Path, files: Mapping[str, bytes], pieces: Path, text: Path, direction: str
) -> dict[str, Iterator[str]]:
    """Name of a file of the evaluate stage -> its lines, for all translations among `files`, those of the results at
    `path`, and `CONTROL`; none of a seed that was released before 2026-11-28, when only the first had any.

    pieces, text: folders of the bpe and corpus stages. Raises InputError: they are not of this text.
    """
    record = read_corpus_record(text)
    found: dict[str, Iterator[str]] = {}
    source, target = record.languages if direction == "forward" else record.languages[::-1]
    for name in _shown(record):
        if FOLDER + name in files:
            stem, forced = name.partition(".")[0], name.endswith(FORCED)
            targets = pieces / f"{stem}.{target}" if forced else None
            where = path / FOLDER / name
            found[name] = _with_text(where, files[FOLDER + name], pieces / f"{stem}.{source}", targets)
    if FOLDER + CONTROL in files:
        found[CONTROL] = iter(files[FOLDER + CONTROL].decode(errors="replace").splitlines())
    return found


def _shown(record: CorpusRecord) -> list[str]:
    return _of_tests(record) + [f"{name}{FORCED}" for name in record.gold_set]


def _of_tests(record: CorpusRecord) -> list[str]:
    return [f"{name}.jsonl" for name in record.tests]


def _without_text(lines: Iterable[str], forced: bool, shown: bool) -> Iterator[str]:
    for line in lines:
        record = json.loads(line)
        if not shown and (attended := translation_of(record).attended):
            record["attended"] = [*attended.values()]
        for key in ("source", "target") if forced else ("source",):
            del record[key]
        if not shown:
            record |= {"attention": None, "positional": None}
        if record["attention"] is not None:
            record["attention"] = [[round(weight, WEIGHTS) for weight in row] for row in record["attention"]]
        if record["positional"] is not None:
            record["positional"] = [round(one, PROBABILITIES) for one in record["positional"]]
        yield json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _with_text(path: Path, content: bytes, sources: Path, targets: Path | None) -> Iterator[str]:
    """path: whose content it is, for messages; sources, targets: the set in pieces."""
    lines, source = content.decode(errors="replace").removesuffix("\n").split("\n"), read_lines(sources)
    target: Sequence[str] = read_lines(targets) if targets else ()
    check_counts((path, len(lines)), (sources, len(source)))
    for number, line in enumerate(lines, start=1):
        try:
            record: dict[str, Any] = json.loads(line)
            given = {"source": [*source[number - 1].split(" "), END]}
            if target:
                given["target"] = [*target[number - 1].split(" "), END]
            restored = given | record
        except (ValueError, TypeError, RecursionError) as error:
            raise InputError(f"{path}, line {number}: no translation ({error}); restore the file with git") from None
        yield json.dumps(restored, ensure_ascii=False)
