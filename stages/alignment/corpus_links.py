"""The links of a whole corpus, aligned statistically in both directions and symmetrised, and what they teach."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from stages.alignment import eflomal, lexicon, pharaoh
from stages.alignment.symmetrise import grow_diag_final_and
from stages.files.corpus_record import CorpusRecord
from stages.files.links import Link
from stages.files.text import iter_lines, iter_parallel, write_lines
from stages.settings.alignment import AlignmentSettings

METHODS = ("forward", "reverse", "gdfa")
MODELS = ("IBM 1", "HMM", "HMM with fertilities")


def align_corpus(text: Path, corpus: CorpusRecord, settings: AlignmentSettings, folder: Path) -> dict[str, Any]:
    """Align train, dev and gold of the `corpus` in the folder `text` together; -> what the links depend on beside it.

    Writes, in the corpus's own direction, into `folder`, which exists: `<set>.<method>` of every method, links `i-j` a
    line a sentence pair, and the lexicons of `grow-diag-final-and`, `lexicon.source-target.tsv` and
    `lexicon.target-source.tsv`.

    Raises:
        InputError: a file of the corpus is missing or does not fit, or eflomal is missing or fails.
    """
    kept = ("train", "dev", *corpus.gold_set)
    texts = {name: (text / f"{name}.{corpus.source}", text / f"{name}.{corpus.target}") for name in kept}
    sizes = {name: sum(1 for _ in iter_parallel(*paths)) for name, paths in texts.items()}
    print(f"aligning the words of {', '.join(texts)}", flush=True)
    with TemporaryDirectory(dir=folder) as scratch:
        sentences = chain.from_iterable(iter_parallel(*paths) for paths in texts.values())
        done = eflomal.align(sentences, corpus.languages, settings, Path(scratch))
        pairs = zip(*(iter_lines(path, allow_empty=True) for path in (done.forward, done.reverse)), strict=True)
        for name in kept:
            _write_links(islice(pairs, sizes[name]), folder, name)
    counts = lexicon.count_links(_linked(texts["train"], folder / "train.gdfa"))
    write_lines(folder / "lexicon.source-target.tsv", lexicon.lines(lexicon.entries(counts)))
    write_lines(folder / "lexicon.target-source.tsv", lexicon.lines(lexicon.entries(lexicon.inverted(counts))))
    return _recipe(settings, done, kept)


def _write_links(pairs: Iterator[tuple[str, str]], folder: Path, name: str) -> None:
    """`<name>.<method>` of every method, from lines of both directions."""
    with ExitStack() as stack:
        handles = [stack.enter_context(open(folder / f"{name}.{method}", "w")) for method in METHODS]
        for lines in pairs:
            forward, reverse = map(pharaoh.parse, lines)
            for handle, links in zip(handles, (forward, reverse, grow_diag_final_and(forward, reverse)), strict=True):
                handle.write(pharaoh.write(links) + "\n")


def _linked(texts: tuple[Path, Path], links: Path) -> Iterator[tuple[list[str], list[str], list[Link]]]:
    """Words of both sides of every sentence pair, and the links between them."""
    for (source, target), line in zip(iter_parallel(*texts), iter_lines(links, allow_empty=True), strict=True):
        yield source.split(" "), target.split(" "), pharaoh.parse(line)


def _recipe(settings: AlignmentSettings, done: eflomal.Alignment, sets: Sequence[str]) -> dict[str, Any]:
    """What the links depend on beside the text."""
    models = ", ".join(
        f"{number} x {name}" for name, number in zip(MODELS[: settings.model], done.iterations, strict=True)
    )
    return {
        "program": f"{eflomal.NAME} {eflomal.version()}",
        "model": f"{settings.model} (iterations: {models})",
        "samplers": settings.samplers,
        "null_prior": settings.null_prior,
        "seed": settings.seed,
        "text": f"words in lower case; the gold pairs are aligned together with the training data ({', '.join(sets)}: "
        f"one text of {done.pairs:,} pairs)",
        "forward": "each target word takes at most one source word, in the corpus's own direction",
        "reverse": "each source word takes at most one target word",
        "gdfa": "both, by grow-diag-final-and",
    }
