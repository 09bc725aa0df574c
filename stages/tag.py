"""Stage `tag`: the words of a corpus -> their classes (parts of speech), a class a word, line for line.

Output: `<set>.<language>` for dev, every test set and gold; `words.<language>.tsv` where the corpus has tags of its
own; and `about.json`: by language what tagged it (see `stages.tagging.tagger.About`). A language that cannot be tagged
has no other file, and about.json says why.
"""

from pathlib import Path

from stages.files.atomic import new_folder
from stages.files.main import arguments, run
from stages.files.records import write_json
from stages.settings.study_run import corpus_directory
from stages.tagging.corpus_classes import tag_corpus


def main() -> None:
    name = arguments(__doc__, "corpus").corpus
    print(f"corpus {name}: tagging", flush=True)
    places = corpus_directory(name)
    tag(places.text, places.tags)


def tag(text: Path, out: Path) -> None:
    """Write the folder `out` for the corpus in `text`, whole or not at all.

    Raises:
        InputError: a file of the corpus is missing or does not fit, or a tag is unknown.
    """
    with new_folder(out) as folder:
        found = tag_corpus(text, folder)
        write_json(folder / "about.json", {language: entry._asdict() for language, entry in found.items()})
    for language, entry in found.items():
        print(f"{language}: {entry.tagger or entry.why}", flush=True)


if __name__ == "__main__":
    run(main)
