"""The folder of a corpus: text, references, tags and links of every set, and the record of what they hold."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from stages.corpora.filters import Case, Filters
from stages.corpora.parallel import Sentence, length
from stages.corpora.raw_corpus import Corpus
from stages.corpora.round_trip import round_trips, warnings
from stages.corpora.selection import select_train
from stages.files.atomic import new_folder
from stages.files.corpus_record import STRAIGHT, write_corpus_record
from stages.files.errors import InputError
from stages.files.text import NORMAL_FORM, write_lines
from stages.text.pieces import has_marks
from stages.text.symbols import CONTINUES, SPECIAL


def write_corpus(corpus: Corpus, name: str, filters: Filters, out: Path) -> None:
    """Filter `corpus` and write its folder `out`, whole or not at all.

    Files: `<set>.<lang>`, `<set>.ref<k>.<lang>` (dev and tests), `<set>.pos.<lang>` (where the corpus has tags),
    `gold.align`, `stats.json`. References keep their case.

    Raises:
        InputError: a held-out set with a word that ends in the mark of a cut word, nothing left to train on, or a
            folder that cannot be written.
    """
    train, dropped, of_parts = select_train(corpus, filters)
    held_out = {"dev": corpus.dev, **corpus.tests}
    sets = {"train": train} | {part: held_out[part].sentences for part in held_out}
    if corpus.gold is not None:
        sets["gold"] = corpus.gold.sentences
    for part, sentences in sets.items():
        _check_words(part, sentences, filters.cases)
    languages = filters.languages
    with new_folder(out) as folder:
        statistics = {}
        for part, sentences in sets.items():
            texts = [[pair.source for pair in sentences], [pair.target for pair in sentences]]
            tags = [[pair.source_tags for pair in sentences], [pair.target_tags for pair in sentences]]
            for language, case, lines, line_tags in zip(languages, filters.cases, texts, tags, strict=True):
                write_lines(folder / f"{part}.{language}", map(case, lines))
                tagged = [one for one in line_tags if one is not None]
                if len(tagged) == len(line_tags):
                    write_lines(folder / f"{part}.pos.{language}", tagged)
            statistics[part] = _statistics(languages, texts)
        for part, held in held_out.items():
            sides = (held.source_references, held.target_references)
            for language, references in zip(languages, sides, strict=True):
                for k, reference in enumerate(references):
                    write_lines(folder / f"{part}.ref{k}.{language}", reference)
        if corpus.gold is not None:
            write_lines(folder / "gold.align", corpus.gold.alignment_lines())
        about: dict[str, Any] = {
            "corpus": name,
            "source": languages[0],
            "target": languages[1],
            "tests": list(corpus.tests),
            "gold": corpus.gold is not None,
            "tokenised": corpus.tokenised,
            "lowercase": filters.lowercase,
            "unicode": NORMAL_FORM,
        }
        if corpus.straight:  # not said of others, so that their record is as it was
            about[STRAIGHT] = True
        if not corpus.tokenised:
            about["round_trip"] = round_trips(held_out, languages)
            print(*warnings(about["round_trip"]), sep="\n", end="", flush=True)
        parts = {"train_parts": of_parts} if len(of_parts) > 1 else {}
        write_corpus_record(folder, {**about, "train_pairs": dropped, **parts, "sets": statistics})


def _statistics(languages: tuple[str, str], texts: list[list[str]]) -> dict[str, object]:
    lengths = [[length(line) for line in lines] for lines in texts]
    return {
        "pairs": len(texts[0]),
        "tokens": {language: sum(of) for language, of in zip(languages, lengths, strict=True)},
        "mean_length": {language: round(sum(of) / len(of), 2) for language, of in zip(languages, lengths, strict=True)},
        "max_length": {language: max(of) for language, of in zip(languages, lengths, strict=True)},
    }


def _check_words(part: str, sentences: Iterable[Sentence], cases: Iterable[Case]) -> None:
    for number, pair in enumerate(sentences, 1):
        for case, line in zip(cases, pair[:2], strict=True):
            if has_marks(case(line)):
                raise InputError(
                    f"{part}, line {number}: a word ends in {CONTINUES!r}, which marks a cut word after segmentation, "
                    f"or is a mark of fairseq ({', '.join(sorted(SPECIAL))}); remove the pair or rewrite the word: "
                    f"{line}"
                )
