"""How the numbers of a report came about, in words: the footnotes under a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from stages.reporting.tables.markdown import escape

LABELS = {
    "aligners": "statistical alignment",
    "aer_floor": "AER floor, the lowest that one link per target word can reach",
    "rot": "ROT",
    "bleu": "BLEU",
    "bleu_cased": "BLEU cased",
    "bleu_input": "BLEU input",
    "bleu_v11b": "BLEU v11b",
    "bleu1": "1-gram BLEU",
    "chrf": "chrF",
    "no_unk": "No UNK",
    "ter": "TER",
    "data": "data, and what was left out of train",
    "differences": "marks",
}


def footnotes(recipe: Mapping[str, Any]) -> str:
    """The recipe as a Markdown list; a mapping of mappings becomes a list inside it."""
    lines = []
    for key, value in recipe.items():
        if _nested(value):
            lines.append(f"- {escape(_label(key))}:")
            inside = [(inner, content) for inner, content in value.items() if content != {}]
            lines += [f"  - {escape(_line(inner, content))}" for inner, content in inside]
        else:
            lines.append(f"- {escape(_line(key, value))}")
    return "\n".join(lines) + "\n"


def short(recipe: Mapping[str, Any], keys: Sequence[str]) -> tuple[str, ...]:
    """The recipe's lines of `keys`, plain text; one that it lacks, as of a corpus without gold set, has none."""
    return tuple(_line(key, recipe[key]) for key in keys if key in recipe)


def _line(key: str, value: Any) -> str:
    return f"{_label(key)}: {_text(value)}"


def _nested(value: Any) -> bool:
    return isinstance(value, dict) and any(isinstance(inner, dict) for inner in value.values())


def _label(key: str) -> str:
    return LABELS[key] if key in LABELS else key.replace("_", " ")


def _text(value: Any) -> str:
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:,.2f}" if value == 0 or abs(value) >= 0.1 else f"{value:g}"
        case dict():
            return ", ".join(
                f"{_label(key)} ({_text(inner)})" if isinstance(inner, dict) else f"{_label(key)} {_text(inner)}"
                for key, inner in value.items()
            )
        case list() | tuple():
            return ", ".join(map(_text, value))
        case _:
            return str(value)
