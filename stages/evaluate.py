"""Stage `evaluate`: what a trained system translates, and how it attends on given translations."""

import argparse
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stages.files.atomic import new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.main import run
from stages.files.records import write_json
from stages.files.text import check_counts, read_lines, write_lines
from stages.settings.languages import languages
from stages.settings.params import section
from stages.settings.training import Decoding

if TYPE_CHECKING:  # torch is imported once its number of threads is known
    from stages.translating.decoding import Decoded, System

    from fairseq.data import Dictionary


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--direction", choices=("forward", "reverse"), required=True)
    parser.add_argument("--text", type=Path, required=True, help="folder of the corpus stage: which sets there are")
    parser.add_argument("--bpe", type=Path, required=True, help="folder of the bpe stage")
    parser.add_argument("--data", type=Path, required=True, help="folder of the binarize stage: the dictionaries")
    parser.add_argument("--model", type=Path, required=True, help="checkpoint of the train stage")
    parser.add_argument("--out", type=Path, required=True)
    evaluate(parser.parse_args())


def evaluate(args: argparse.Namespace) -> None:
    """Beam search of dev and every test set; forced decoding of dev and, where there is one, the gold set.

    The sentences of a test set that have no unknown piece on either side are also translated with <unk> forbidden, and
    a system with an embedding transform says which words it maps to each other.
    """
    decoding = section(f"corpora.{args.corpus}.decoding", Decoding)
    os.environ["OMP_NUM_THREADS"] = str(decoding.threads)  # read once, when torch is imported
    from stages.translating.decoding import force, search, translate, without_unk
    from stages.translating.load import load_system
    from stages.translating.nearest_words import nearest_words

    pair = languages(args.corpus, args.direction)
    corpus = read_corpus_record(args.text)
    system = load_system(args.model, args.data)
    with new_folder(args.out) as out:
        sentences = _pieces(args.bpe / f"dev.{pair[0]}")
        _write(out / "dev.jsonl", map(_record, translate(system, sentences, decoding, progress="translating dev")))
        for name in corpus.tests:
            sentences, references = _parallel(args.bpe, name, pair)
            found = search(system, sentences, decoding, progress=f"translating {name}")
            _write(out / f"{name}.jsonl", (_record(one.translation) for one in found))
            rows = _without_unknown_pieces(system, sentences, references)
            title = f"translating {name} without <unk>"
            allowed = without_unk(system, [found[row] for row in rows], decoding, progress=title)
            records = ({**_record(one), "row": row} for one, row in zip(allowed, rows, strict=True))
            _write(out / f"{name}.no_unk.jsonl", records)
        for name in ("dev", *corpus.gold_set):
            sentences, references = _parallel(args.bpe, name, pair)
            found = force(system, sentences, references, 4 * decoding.max_tokens, progress=f"aligning {name}")
            _write(out / f"{name}.forced.jsonl", map(_record, found))
        write_json(out / "transform.json", nearest_words(system))


def _parallel(folder: Path, name: str, pair: Sequence[str]) -> tuple[list[list[str]], list[list[str]]]:
    """The pieces of a set's sentences in both languages."""
    paths = [folder / f"{name}.{language}" for language in pair]
    sentences, references = map(_pieces, paths)
    check_counts((paths[0], len(sentences)), (paths[1], len(references)))
    return sentences, references


def _pieces(path: Path) -> list[list[str]]:
    return [line.split(" ") for line in read_lines(path)]


def _without_unknown_pieces(system: "System", sentences: list[list[str]], references: list[list[str]]) -> list[int]:
    """The rows whose pieces the system's dictionaries hold, those of the source and of the set's own translation."""

    def known(dictionary: "Dictionary", pieces: list[str]) -> bool:
        return dictionary.unk() not in map(dictionary.index, pieces)

    sides = zip(sentences, references, strict=True)
    return [
        row for row, (source, target) in enumerate(sides)
        if known(system.source_dictionary, source) and known(system.target_dictionary, target)
    ]  # fmt: skip


def _record(one: "Decoded") -> dict[str, Any]:
    """``one`` as JSON takes it; weights are rounded to five decimals."""
    weights = None if one.attention is None else one.attention.double().round(decimals=5).tolist()
    return one._replace(attention=weights)._asdict()


def _write(path: Path, records: Iterable[dict[str, Any]]) -> None:
    write_lines(path, (json.dumps(record, ensure_ascii=False) for record in records))


if __name__ == "__main__":
    run(main)
