"""What a trained system does with the sets of a corpus, written as the scoring stage reads it."""

import json
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from stages.files.corpus_record import CorpusRecord
from stages.files.records import write_json
from stages.files.text import check_counts, iter_lines, read_lines, write_lines
from stages.settings.training import Decoding, DecodingControl
from stages.text.words import count_words
from stages.translating.coverage_embeddings import coverage_embeddings
from stages.translating.decoding import NO_CONTROL, Decoded, System, force, search, translate, without_unk
from stages.translating.nearest_words import nearest_words
from stages.translating.precision import decoding_products
from stages.translating.tuning import tuned

from fairseq.data import Dictionary

Pieces = list[list[str]]
"""The pieces of every sentence of a set."""


def evaluate(
    system: System, corpus: CorpusRecord, pieces: Path, pair: Sequence[str], decoding: Decoding, out: Path,
    given: DecodingControl | None = None,
) -> None:  # fmt: skip
    """Beam search of dev and every test set; forced decoding of dev and, where there is one, the gold set.

    The sentences of a test set that have no unknown piece on either side are also translated with <unk> forbidden. A
    system with an embedding transform says which words it maps to each other, one with coverage embeddings how long
    these are on dev.

    Args:
        pieces: folder of the bpe stage.
        pair: source and target language.
        out: folder that is there; gets `<set>.jsonl`, `<set>.no_unk.jsonl`, `<set>.forced.jsonl`, transform.json and
            dev.coverage.jsonl, which is empty for a system without coverage embeddings.
        given: what the search does beside that of the corpus; decoding.json says which values dev has chosen.
    """
    control = NO_CONTROL
    if given is not None:
        control, tried = tuned(system, *_parallel(pieces, "dev", pair), decoding, given)
        write_json(out / "decoding.json", {**control._asdict(), "models": len(system.models), "tried": tried})
    sentences = _read(pieces / f"dev.{pair[0]}")
    dev = translate(system, sentences, decoding, progress="translating dev", control=control)
    _write(out / "dev.jsonl", map(record, dev))
    for name in corpus.tests:
        sentences, references = _parallel(pieces, name, pair)
        found = search(system, sentences, decoding, progress=f"translating {name}", control=control)
        _write(out / f"{name}.jsonl", (record(one.translation) for one in found))
        rows = _without_unknown_pieces(system, sentences, references)
        title = f"translating {name} without <unk>"
        allowed = without_unk(system, [found[row] for row in rows], decoding, title, control)
        records = ({**record(one), "row": row} for one, row in zip(allowed, rows, strict=True))
        _write(out / f"{name}.no_unk.jsonl", records)
    force_sets(system, ("dev", *corpus.gold_set), pieces, pair, decoding, out)
    train = [partial(count_words, iter_lines(pieces / f"train.{language}")) for language in pair]
    write_json(out / "transform.json", None if system.others else nearest_words(system, train))
    with decoding_products(decoding):
        covered = coverage_embeddings(system, *_parallel(pieces, "dev", pair), 4 * decoding.max_tokens)
    _write(out / "dev.coverage.jsonl", covered or [])


def force_sets(
    system: System, sets: Iterable[str], pieces: Path, pair: Sequence[str], decoding: Decoding, out: Path
) -> None:
    """Forced decoding of the ``sets``, each as ``<set>.forced.jsonl``; arguments as of ``evaluate``."""
    for name in sets:
        sentences, references = _parallel(pieces, name, pair)
        with decoding_products(decoding):
            found = force(system, sentences, references, 4 * decoding.max_tokens, progress=f"aligning {name}")
        _write(out / f"{name}.forced.jsonl", map(record, found))


def _parallel(folder: Path, name: str, pair: Sequence[str]) -> tuple[Pieces, Pieces]:
    """The pieces of a set's sentences in both languages."""
    paths = [folder / f"{name}.{language}" for language in pair]
    sentences, references = map(_read, paths)
    check_counts((paths[0], len(sentences)), (paths[1], len(references)))
    return sentences, references


def _read(path: Path) -> Pieces:
    return [line.split(" ") for line in read_lines(path)]


def _without_unknown_pieces(system: System, sentences: Pieces, references: Pieces) -> list[int]:
    """The rows whose pieces the system's dictionaries hold, those of the source and of the set's own translation."""

    def known(dictionary: Dictionary, pieces: list[str]) -> bool:
        return dictionary.unk() not in map(dictionary.index, pieces)

    sides = zip(sentences, references, strict=True)
    return [
        row for row, (source, target) in enumerate(sides)
        if known(system.source_dictionary, source) and known(system.target_dictionary, target)
    ]  # fmt: skip


def record(one: Decoded) -> dict[str, Any]:
    """``one`` as JSON takes it; weights are rounded to five decimals."""
    weights = None if one.attention is None else one.attention.double().round(decimals=5).tolist()
    return {**one._asdict(), "attention": weights}


def _write(path: Path, records: Iterable[dict[str, Any]]) -> None:
    write_lines(path, (json.dumps(one, ensure_ascii=False) for one in records))
