"""The scores of a system that is no neural network: what can be measured without attention and probabilities."""

from pathlib import Path
from typing import Any

from stages.alignment import pharaoh
from stages.files.links import Link
from stages.files.records import read_record
from stages.files.run_directory import LEFT_OUT, SMT_LINKS, SMT_RECORD
from stages.files.text import check_counts, read_lines
from stages.scoring.inputs import COST, Text, read_best, read_decoded, read_gold, read_references, read_tags
from stages.scoring.system import Scores, score
from stages.scoring.system_files import SystemFiles
from stages.scoring.vocabulary import known_rows
from stages.settings.scoring import ScoreSettings
from stages.settings.training import Decoding
from stages.tagging.tagger import read_about
from stages.translating.translations import Translation

SHOWN = ("program", "settings", "weights", "dev_bleu", "phrase_pairs")


def left_out(folder: Path) -> str | None:
    """Why there is no such system; None if there is. folder: of the stage smt or of its scores."""
    path = folder / LEFT_OUT
    return read_record(path, ("why",))["why"] if path.exists() else None


def score_statistical(
    text: Text, variant: str, translations: Path, wordalign: Path, tags: Path, tokens: Path, data: Path,
    settings: ScoreSettings, decoding: Decoding,
) -> Scores:  # fmt: skip
    """All measures that need neither attention nor probabilities, and AER of its aligner's links; others are None.

    tokens, data: of the stages bpe and binarize, which say what words the neural systems do not know. Raises InputError
    if a file is missing or damaged, or if the files do not fit together.
    """
    sets = ("dev", *text.tests)
    decoded = {name: _read_decoded(text, name, translations / f"{name}.jsonl") for name in sets}
    made = read_record(translations / SMT_RECORD, (*SHOWN, "wall_seconds"))
    system = SystemFiles(
        text=text,
        variant=variant,
        seed=None,
        cost={key: made["wall_seconds"] if key == "wall_seconds" else None for key in COST},
        references={name: read_references(text, name) for name in sets},
        decoded=decoded,
        without_unk={name: {k: decoded[name][k] for k in known_rows(text, name, tokens, data)} for name in text.tests},
        forced={},
        golds=read_gold(text) if text.gold else [],
        links=_read_links(text, translations / SMT_LINKS) if text.gold else None,
        classes={name: read_tags(text, tags, name) for name in sets},
        tagger=None,
        tagged_by={language: read_about(tags, language) for language in (text.source, text.target)},
        transform=None,
        covered=None,
        best=read_best(wordalign, text.direction),
        vocabulary=None,
    )
    found = score(system, settings, decoding)
    return found._replace(values=found.values | {"recipe": _recipe(made, text)})


def _read_decoded(text: Text, name: str, path: Path) -> list[Translation]:
    """Its words are text: it has no symbol for those that it does not know."""
    return [one._replace(unknown=frozenset()) for one in read_decoded(text, name, path)]


def _read_links(text: Text, path: Path) -> list[frozenset[Link]]:
    links, words = pharaoh.read(path), text.folder / f"gold.{text.source}"
    check_counts((path, len(links)), (words, len(read_lines(words))))
    return [frozenset(one) for one in links]


def _recipe(made: dict[str, Any], text: Text) -> dict[str, Any]:
    """How the system came about; how it is measured is said of the others."""
    shown = {key: made[key] for key in SHOWN}
    links = "of the gold pairs by its own HMM, trained on train alone, both directions by grow-diag-final-and"
    no_unk = "BLEU of the same sentences as of the other systems, translated as ever: it is forbidden no word"
    return shown | {"unknown_words": "copied", "no_unk": no_unk} | ({"alignment": links} if text.gold else {})
