"""Names that settings had before 1.0: a params.yaml with them is refused, released results with them are read."""

from collections.abc import Iterator, Mapping
from typing import Any

STUDY = {"rows": "systems", "reverse": "also_reverse", "statistical": "smt"}
TEXT = {"lengths_of": "match_lengths_of", "broken": "mismatched_pairs"}
DECODER = {"w": "phrase_translations", "a": "phrase_length", "u": "skipped_words", "e": "search", "s": "stack"}
TUNING = {"s": "stack"}
MODEL = "model"
"""``variants.<name>.model``, whose content stands one level higher now."""


def old_names(content: Mapping[str, Any]) -> Iterator[str]:
    """What of params.yaml has another name now: a sentence for each old name, where it stands first."""
    places: list[tuple[str, Any, dict[str, str]]] = [("", content, STUDY)]
    places += [(f"studies.{name}.", block, STUDY) for name, block in _mappings(content.get("studies"))]
    for name, corpus in _mappings(content.get("corpora")):
        places += [(f"corpora.{name}.corpus.", corpus.get("corpus"), TEXT)]
        smt = corpus.get("smt")
        places += [(f"corpora.{name}.smt.{key}.", _get(smt, key), of) for key, of in PARTS.items()]
    said = set()
    for where, block, names in places:
        for old in [old for old in names if _get(block, old) is not MISSING]:
            if (old, names[old]) not in said:
                said.add((old, names[old]))
                yield f"{where}{old} is called {names[old]} now"
    for name, variant in _mappings(content.get("variants")):
        if isinstance(_get(variant, MODEL), dict):
            yield f"variants.{name}.{MODEL}: write what stands in it one level higher, as `{name}: {{arch: …}}`"
            return


def current(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of results by dotted key, see `stages.releasing.about.settings_now`, under the names of today."""
    found = {}
    for key, value in settings.items():
        key = key.removesuffix(f".{MODEL}") if key.startswith("variants.") else key
        of_text = key.startswith("corpora.") and key.endswith(".corpus")
        found[key] = {TEXT.get(name, name): each for name, each in value.items()} if of_text else value
    return found


def current_smt(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of the phrase-based system, as results show them, under the names of today."""
    return {
        key: {PARTS[key].get(name, name): each for name, each in value.items()} if key in PARTS else value
        for key, value in settings.items()
    }


MISSING = object()
PARTS = {"decoder": DECODER, "tuning": TUNING}


def _get(block: Any, key: str) -> Any:
    return block.get(key, MISSING) if isinstance(block, dict) else MISSING


def _mappings(blocks: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(blocks, dict):
        yield from ((name, block) for name, block in blocks.items() if isinstance(block, dict))
