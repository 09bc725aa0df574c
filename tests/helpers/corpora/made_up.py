"""Corpora made up for the tests: local files and their settings, sentence pairs, and one published file."""

import hashlib
from pathlib import Path

from stages.corpora.download import Publication, Sources
from stages.corpora.gold_set import GoldSet
from stages.corpora.parallel import Sentence, own_references
from stages.corpora.published import cleaned, file_of
from stages.corpora.raw_corpus import Corpus, whole
from stages.corpus import make
from stages.settings.corpora import DemoSettings, LocalSettings

COMMON = {
    **{"limit": None, "match_lengths_of": None, "max_length": 50},
    **{"distinct": False, "mismatched_pairs": None, "lowercase": False},
}


def corpus_of(train: list[tuple[str, str]], dev: list[tuple[str, str]], gold: GoldSet | None = None) -> Corpus:
    held = own_references(Sentence(*pair) for pair in dev)
    return Corpus(whole([Sentence(*pair) for pair in train]), held, {"test": held}, gold, tokenised=True, held_out=0)


LOCAL = {
    "train.de": ["der Hund bellt .", "die Katze .", "Ein Baum !", "zu lang " * 30],
    "train.en": ["the dog barks .", "the cat .", "a tree !", "too long"],
    "dev.de": ["ein  Haus ,", "das Meer"],
    "dev.en": ["A house ,", "the sea"],
    "dev.second.en": ["one house ,", "the ocean"],
    "test.de": ["EIN BAUM!"],
    "test.en": ["one tree"],
    "gold.de": ["der Hund"],
    "gold.en": ["The dog"],
    "gold.align": ["0-0 1?1"],
}


def local(folder: Path, **changes: object) -> LocalSettings:
    content = {
        **{"kind": "local", "source": "de", "target": "en", "tokenised": True, **COMMON},
        "train": (folder / "train.de", folder / "train.en"),
        "dev": {"source": folder / "dev.de", "target": [folder / "dev.en", folder / "dev.second.en"]},
        "tests": {"test": {"source": folder / "test.de", "target": folder / "test.en"}},
        "gold": {part: folder / f"gold.{suffix}" for part, suffix in zip(GOLD, ("de", "en", "align"), strict=True)},
    }
    return LocalSettings(**(content | changes))


GOLD = ("source", "target", "align")
NOWHERE = Sources(None, Path("unused"))


def published(url: str, lines: list[str]) -> Publication:
    text = "".join(f"{line}\n" for line in lines)
    sha256 = {"dev.de": hashlib.sha256(text.encode()).hexdigest()}
    return Publication("folder", sha256, (file_of(url, 1 << 20, {"dev.de": cleaned}),))


def make_demo(out: Path, seed: int = 17, **sizes: int) -> Path:
    """The demo's corpus folder with so many pairs of train, dev, test and gold."""
    settings = DemoSettings(kind="demo", source="zh", target="en", seed=seed, **COMMON, **sizes)
    make("demo", settings, NOWHERE, out)
    return out
