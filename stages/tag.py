"""Stage `tag`: the words of a corpus -> their classes (parts of speech), a class a word, line for line.

Output: `<set>.<language>` for dev, every test set and gold; `words.<language>.tsv` where the corpus has tags of its
own; and `about.json`: by language what tagged it (see `stages.tagging.tagger.About`). A language that cannot be tagged
has no other file, and about.json says why.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.corpus_record import read_corpus_record
from stages.files.errors import InputError
from stages.files.main import run
from stages.files.records import write_json
from stages.files.text import iter_parallel, read_lines, write_lines
from stages.tagging import words
from stages.tagging.classes import classes
from stages.tagging.tagger import About, about, tagger

TAGSETS = {"zh": "CTB", "en": "PTB"}  # of tags that come with a corpus


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", required=True, help="its name under `corpora` in params.yaml")
    parser.add_argument("--text", type=Path, required=True, help="folder of the corpus stage")
    parser.add_argument("--out", type=Path, required=True, help="folder; replaced as a whole")
    args = parser.parse_args(arguments)
    print(f"corpus {args.corpus}: tagging", flush=True)
    tag(args.text, args.out)


def tag(text: Path, out: Path) -> None:
    """Write the folder `out` for the corpus in `text`, whole or not at all.

    Raises:
        InputError: a file of the corpus is missing or does not fit, or a tag is unknown.
    """
    corpus = read_corpus_record(text)
    sets = corpus.held_out
    found = {}
    with new_folder(out) as folder:
        for language in corpus.languages:
            if _has_tags(text, language, ["train", *sets]):
                found[language] = _keep_tags(text, language, sets, folder)
            else:
                found[language] = _tag(text, language, sets, folder)
        write_json(folder / "about.json", {language: entry._asdict() for language, entry in found.items()})
    for language, entry in found.items():
        print(f"{language}: {entry.tagger or entry.why}", flush=True)


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
    learned = words.learn(_tagged(text, "train", language))
    file = f"words.{language}.tsv"
    words.write(folder / file, learned)
    for name in sets:
        write_lines(folder / f"{name}.{language}", (" ".join(names) for _, names in _tagged(text, name, language)))
    return About(
        tagger=f"the corpus's own tags ({TAGSETS[language]})",
        why=None,
        tags_of_new_text=words.RULE,
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


def _tagged(text: Path, name: str, language: str) -> Iterator[words.TaggedSentence]:
    """Words and classes of every sentence of a set, by the corpus's own tags."""
    path = text / f"{name}.pos.{language}"
    for number, lines in enumerate(iter_parallel(text / f"{name}.{language}", path), 1):
        sentence, tags = (line.split(" ") for line in lines)
        if len(sentence) != len(tags):
            raise InputError(
                f"{path}, line {number}: {len(tags)} tags for {len(sentence)} words; delete the folder, run `dvc repro`"
            )
        yield sentence, classes(tags, TAGSETS[language], f"{path}, line {number}")


if __name__ == "__main__":
    run(main)
