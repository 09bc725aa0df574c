"""Stage `evaluate`: what a trained system translates, and how it attends on given translations."""

import argparse
import json
import os
from collections.abc import Iterable
from pathlib import Path

from stages.languages import languages
from stages.main import run
from stages.params import section
from stages.settings.training import Decoding
from stages.textio import check_counts, new_folder, read_json, read_lines, write_lines


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
    """Beam search of dev and every test set; forced decoding of dev and, where there is one, the gold set."""
    decoding = section(f"corpora.{args.corpus}.decoding", Decoding)
    os.environ["OMP_NUM_THREADS"] = str(decoding.threads)  # read once, when torch is imported
    from stages.decoding import force, translate
    from stages.systems import load_system

    source, target = languages(args.corpus, args.direction)
    stats = read_json(args.text / "stats.json")
    system = load_system(args.model, args.data)
    with new_folder(args.out) as out:
        for name in ("dev", *stats["tests"]):
            found = translate(system, _pieces(args.bpe / f"{name}.{source}"), decoding, progress=f"translating {name}")
            write_lines(out / f"{name}.jsonl", _lines(found))
        for name in ("dev", *(["gold"] if stats["gold"] else [])):
            paths = [args.bpe / f"{name}.{language}" for language in (source, target)]
            sentences, references = map(_pieces, paths)
            check_counts((paths[0], len(sentences)), (paths[1], len(references)))
            found = force(system, sentences, references, 4 * decoding.max_tokens, progress=f"aligning {name}")
            write_lines(out / f"{name}.forced.jsonl", _lines(found))


def _pieces(path: Path) -> list[list[str]]:
    return [line.split(" ") for line in read_lines(path)]


def _lines(sentences: Iterable) -> Iterable[str]:
    """One JSON object a sentence; weights are rounded to five decimals."""
    for one in sentences:
        attention = None if one.attention is None else [[round(w, 5) for w in row] for row in one.attention.tolist()]
        yield json.dumps(one._replace(attention=attention)._asdict(), ensure_ascii=False)


if __name__ == "__main__":
    run(main)
