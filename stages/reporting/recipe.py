"""How the numbers of a report came about, in words: the footnotes under a table."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from stages.reporting.shared_recipe import DIFFERS
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
    "own_settings": "settings that single systems have of their own",
    "references": "references of a sentence (those of the signatures are of the first test set)",
}


def footnotes(recipe: Mapping[str, Any]) -> str:
    """The recipe as a Markdown list; a mapping of mappings becomes a list inside it."""
    lines = []
    for key, value in recipe.items():
        if key == DIFFERS:
            lines.append(f"- {escape(key)}:")
            lines += [f"  - {escape(f'{_label(inner)}: {_by_value(of)}')}" for inner, of in value.items()]
        elif _nested(value):
            lines.append(f"- {escape(_label(key))}:")
            inside = [(inner, content) for inner, content in value.items() if content != {}]
            lines += [f"  - {escape(_line(inner, content))}" for inner, content in inside]
        else:
            lines.append(f"- {escape(_line(key, value))}")
    return "\n".join(lines) + "\n"


def short(recipe: Mapping[str, Any], keys: Sequence[str]) -> tuple[str, ...]:
    """The recipe's lines of `keys`, plain text; one that it lacks, as of a corpus without gold set, has none."""
    differing = recipe.get(DIFFERS, {})
    lines = {key: _line(key, recipe[key]) for key in keys if key in recipe}
    lines |= {key: f"{_label(key)}: {_by_value(differing[key])}" for key in keys if key in differing}
    return tuple(lines[key] for key in keys if key in lines)


def _by_value(runs: Mapping[str, Any]) -> str:
    """Each value with the systems that have it, the most frequent one last. runs: `<variant>-<seed>` -> value."""
    having = defaultdict(list)
    for run, value in runs.items():
        having[_text(value)].append(run)
    *rarer, (most, _) = sorted(having.items(), key=lambda each: len(each[1]))
    seeds = Counter(map(_system, runs))
    named = [f"{', '.join(_systems(found, seeds))}: {text}" for text, found in rarer]
    return "; ".join([*named, f"all others: {most}"])


def _systems(runs: Sequence[str], seeds: Mapping[str, int]) -> list[str]:
    """The systems all of whose runs these are, and the runs of others."""
    found = Counter(map(_system, runs))
    names = ((_system(run), run) for run in runs)
    return list(dict.fromkeys(name if found[name] == seeds[name] else run for name, run in names))


def _system(run: str) -> str:
    return run.rpartition("-")[0]


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
