"""Names that settings had before 1.0, under which the oldest results in git hold them."""

from collections.abc import Mapping
from typing import Any

TEXT = {"lengths_of": "match_lengths_of", "broken": "mismatched_pairs"}
SMT = {
    "decoder": {"w": "phrase_translations", "a": "phrase_length", "u": "skipped_words", "e": "search", "s": "stack"},
    "tuning": {"s": "stack"},
}
MODEL = "model"
"""``variants.<name>.model``, whose content stands one level higher now."""


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
        key: {SMT[key].get(name, name): each for name, each in value.items()} if key in SMT else value
        for key, value in settings.items()
    }
