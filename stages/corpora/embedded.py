"""The embedded demo corpus in the shape that all corpora share."""

from collections.abc import Sequence

from stages.corpora import demo
from stages.corpora.gold_set import GoldSet
from stages.corpora.parallel import ParallelSet, Sentence
from stages.corpora.raw_corpus import Corpus, whole
from stages.files.links import MarkedLink
from stages.settings.corpora import DemoSettings


def load(settings: DemoSettings) -> Corpus:
    """Generate the demo corpus of `settings`."""
    sets = demo.generate(settings.train, settings.dev, settings.test, settings.gold, settings.seed)
    return Corpus(
        train=whole(_sentences(sets["train"])),
        dev=_parallel(sets["dev"]),
        tests={"test": _parallel(sets["test"])},
        gold=GoldSet(
            _sentences(sets["gold"]),
            tuple(frozenset(MarkedLink(*link) for link in pair.links) for pair in sets["gold"]),
        ),
        tokenised=True,
        held_out=0,
    )


def _sentences(pairs: Sequence[demo.Pair]) -> tuple[Sentence, ...]:
    return tuple(
        Sentence(" ".join(pair.source), " ".join(pair.target), " ".join(pair.source_tags), " ".join(pair.target_tags))
        for pair in pairs
    )


def _parallel(pairs: Sequence[demo.Pair]) -> ParallelSet:
    sentences = _sentences(pairs)
    return ParallelSet(
        sentences,
        source_references=(tuple(sentence.source for sentence in sentences),),
        target_references=tuple(zip(*(pair.references for pair in pairs), strict=True)),
    )
