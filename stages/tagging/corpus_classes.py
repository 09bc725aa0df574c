"""The classes of every word of a corpus, by its own tags or by the language's tagger."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from stages.files.corpus_record import read_corpus_record
from stages.files.errors import InputError
from stages.files.text import iter_parallel, read_lines, write_lines
from stages.tagging import word_classes
from stages.tagging.classes import classes
from stages.tagging.tagger import About, about, tagger
from stages.tagging.word_classes import TaggedSentence

TAGSETS = {"zh": "CTB", "en": "PTB"}
"""Language -> tagset of the tags that come with a corpus."""


def tag_corpus(text: Path, folder: Path) -> dict[str, About]:
    """Write the classes of the corpus in `text` to `folder`, which exists; by language what tagged it.

    Raises:
        InputError: a file of the corpus is missing or does not fit, or a tag is unknown.
    """
    corpus = read_corpus_record(text)
    found = {}
    for language in corpus.languages:
        make = _keep_tags if _has_tags(text, language, ["train", *corpus.held_out]) else _tag
        found[language] = make(text, language, corpus.held_out, folder)
    return found


def _has_tags(text: Path, language: str, sets: Sequence[str]) -> bool:
    """Whether the corpus has tags for `language`, and then for all sets."""
    tagged = [name for name in sets if (text / f"{name}.pos.{language}").exists()]
    if tagged and tagged != sets:
        lacking = ", ".join(f"{name}.pos.{language}" for name in sets if name not in tagged)
        raise InputError(f"{text} has tags for {', '.join(tagged)} but no {lacking}; tag all sets or none")
    if tagged and language not in TAGSETS:
        raise InputError(
            f"{text} has tags for {language}, of an unknown tagset (known: those of {', '.join(TAGSETS)}); remove them"
        )
    return bool(tagged)


def _keep_tags(text: Path, language: str, sets: Sequence[str], folder: Path) -> About:
    """Write the corpus's own tags as classes, and what they teach about words."""
    learned = word_classes.learn(_tagged(text, "train", language))
    file = f"words.{language}.tsv"
    word_classes.write(folder / file, learned)
    for name in sets:
        write_lines(folder / f"{name}.{language}", (" ".join(names) for _, names in _tagged(text, name, language)))
    return About(
        tagger=f"the corpus's own tags ({TAGSETS[language]})",
        why=None,
        tags_of_new_text=word_classes.RULE,
        words=file,
        accuracy=learned.accuracy(_tagged(text, "dev", language))._asdict(),
    )


def _tag(text: Path, language: str, sets: Sequence[str], folder: Path) -> About:
    """Write the classes that the language's tagger finds, if it has one."""
    tag_text = tagger(language)
    if tag_text is not None:
        for name in sets:
            sentences = [line.split(" ") for line in read_lines(text / f"{name}.{language}")]
            write_lines(folder / f"{name}.{language}", map(" ".join, tag_text(sentences)))
    return about(language)


def _tagged(text: Path, name: str, language: str) -> Iterator[TaggedSentence]:
    """Words and classes of every sentence of a set, by the corpus's own tags."""
    path = text / f"{name}.pos.{language}"
    for number, lines in enumerate(iter_parallel(text / f"{name}.{language}", path), 1):
        sentence, tags = (line.split(" ") for line in lines)
        if len(sentence) != len(tags):
            raise InputError(
                f"{path}, line {number}: {len(tags)} tags for {len(sentence)} words; delete the folder, run `dvc repro`"
            )
        yield sentence, classes(tags, TAGSETS[language], f"{path}, line {number}")
