"""A phrase-based system from the text of a corpus to its translations, in a folder as the score stage reads it."""

import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tqdm import tqdm

from stages.alignment import pharaoh, thot
from stages.alignment.symmetrise import grow_diag_final_and
from stages.files.corpus_record import CorpusRecord
from stages.files.links import Link
from stages.files.records import write_json
from stages.files.run_directory import SMT_LINKS, SMT_RECORD
from stages.files.text import check_counts, iter_parallel, read_lines, write_lines
from stages.phrase_based.decoder import FEATURES, START, SmtDecoder
from stages.phrase_based.language_model import write_language_model
from stages.phrase_based.phrase_table import count_translations, phrases_of, write_phrase_table
from stages.phrase_based.tuning import References, Tuned, tune
from stages.settings.smt import SmtSettings, Tuning
from stages.text.symbols import END

Words = list[str]


class Corpus(NamedTuple):
    """text: folder of the corpus stage; source, target: languages of the translation; links: eflomal's of train in the
    corpus's own direction, and whether that is not the direction of the translation; references: of dev, see `tune`."""

    text: Path
    record: CorpusRecord
    source: str
    target: str
    links: Path
    reverse: bool
    references: References

    def pairs(self, name: str) -> list[tuple[Words, Words]]:
        paths = (self.text / f"{name}.{self.source}", self.text / f"{name}.{self.target}")
        return [(source.split(" "), target.split(" ")) for source, target in iter_parallel(*paths)]

    def sources(self, name: str) -> list[Words]:
        return [line.split(" ") for line in read_lines(self.text / f"{name}.{self.source}")]


def translate_corpus(corpus: Corpus, settings: SmtSettings, out: Path) -> None:
    """Train, tune, and write `dev.jsonl`, `<test>.jsonl`, `SMT_RECORD`; `SMT_LINKS`, `gold.forced.jsonl` of a gold set.

    Raises:
        InputError: Thot is missing or fails, or a file of the corpus does not fit.
    """
    begun = time.monotonic()
    with TemporaryDirectory(dir=out) as scratch:
        prefix = Path(scratch) / "model"
        pairs = corpus.pairs("train")
        print("aligning the words of train", flush=True)
        models = thot.train(pairs, settings.aligner), thot.train([pair[::-1] for pair in pairs], settings.aligner)
        phrases = _write_model(corpus, pairs, models, settings, prefix)
        decoder = SmtDecoder(prefix, settings.decoder)
        tuned = _tuned(decoder, corpus, settings.tuning)
        decoder.stack = settings.decoder.stack
        decoder.weights = tuned.weights
        for name in ("dev", *corpus.record.tests):
            sources = corpus.sources(name)
            targets = map(decoder.translate, tqdm(sources, desc=f"translating {name}", unit="sentence", disable=None))
            _write(out / f"{name}.jsonl", zip(sources, targets, strict=True))
    if corpus.record.gold:
        gold = corpus.pairs("gold")
        write_lines(out / SMT_LINKS, (pharaoh.write(_links(models, *pair)) for pair in gold))
        _write(out / "gold.forced.jsonl", gold)
    write_json(out / SMT_RECORD, _record(settings, tuned, phrases, time.monotonic() - begun))


def _write_model(
    corpus: Corpus, pairs: list[tuple[Words, Words]], models: tuple[thot.Model, thot.Model], settings: SmtSettings,
    prefix: Path,
) -> int:  # fmt: skip
    """All files that the decoder reads; -> phrase pairs."""
    forward, reverse = models
    written = forward.hmm.print(f"{prefix}_invswm") and reverse.hmm.print(f"{prefix}_swm")
    if not written:
        raise OSError(f"Thot could not write {prefix}")
    share = f"{settings.phrase_share} {settings.phrase_share}"
    options = {"lambda": share, "srcsegmlentable": "Uniform", "trgcutstable": "0.999", "trgsegmlentable": "Geometric"}
    for name, content in options.items():
        write_lines(prefix.with_name(f"{prefix.name}.{name}"), [content])
    escaped = [(thot.escape(source), thot.escape(target)) for source, target in pairs]
    write_language_model((target for _, target in escaped), settings.lm_order, prefix.with_name(f"{prefix.name}.lm"))
    print("extracting phrases", flush=True)
    sets = (words for name in ("dev", *corpus.record.tests) for words in corpus.sources(name))
    wanted = phrases_of(map(thot.escape, sets), settings.phrase_length)
    links = _eflomal(corpus, len(pairs)) if settings.links == "eflomal" else (_links(models, *pair) for pair in pairs)
    linked = ((source, target, found) for (source, target), found in zip(escaped, links, strict=True))
    counts = count_translations(linked, wanted, settings.phrase_length)
    return write_phrase_table(counts, settings.translations, prefix.with_name(f"{prefix.name}.ttable"))


def _links(models: tuple[thot.Model, thot.Model], source: Sequence[str], target: Sequence[str]) -> set[Link]:
    """Both directions of the HMM, by grow-diag-final-and."""
    forward, reverse = models
    backwards = thot.links(reverse.hmm, target, source)
    return grow_diag_final_and(thot.links(forward.hmm, source, target), [(j, i) for i, j in backwards])


def _eflomal(corpus: Corpus, pairs: int) -> list[list[Link]]:
    found = pharaoh.read(corpus.links)
    check_counts((corpus.links, len(found)), (corpus.text / f"train.{corpus.source}", pairs))
    return [[link[::-1] for link in links] for links in found] if corpus.reverse else found


def _tuned(decoder: SmtDecoder, corpus: Corpus, settings: Tuning) -> Tuned:
    dev = corpus.sources("dev")
    chosen = spread(len(dev), settings.sentences)
    decoder.stack = settings.stack

    def translate(weights: Sequence[float]) -> list[list]:
        decoder.weights = weights
        shown = tqdm(chosen, desc="translating dev, n-best", unit="sentence", disable=None)
        return [decoder.best(dev[k], settings.nbest) for k in shown]

    return tune(translate, [corpus.references[k] for k in chosen], START, settings)


def spread(number: int, most: int | None) -> list[int]:
    """At most so many of the positions 0 to `number` - 1, evenly spread; None: all of them."""
    kept = min(number, most or number)
    return [k * number // kept for k in range(kept)]


def _write(path: Path, pairs: Iterable[tuple[Sequence[str], Sequence[str]]]) -> None:
    """As the evaluate stage does, of a system without attention and without a probability of each word."""
    records = (
        {
            "source": [*source, END],
            "target": [*target, END],
            "attention": None,
            "positional": None,
            "finished": True,
        }
        for source, target in pairs
    )
    write_lines(path, (json.dumps(record, ensure_ascii=False) for record in records))


def _record(settings: SmtSettings, tuned: Tuned, phrases: int, seconds: float) -> dict[str, Any]:
    return {
        "program": thot.release(),
        "settings": settings.model_dump(),
        "weights": dict(zip(FEATURES, tuned.weights, strict=True)),
        "dev_bleu": tuned.bleu,
        "phrase_pairs": phrases,
        "wall_seconds": seconds,
    }
