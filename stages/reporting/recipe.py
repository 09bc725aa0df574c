"""How the numbers of a report came about, in words: the footnotes under a table."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from stages.reporting.measure_names import NAMES
from stages.reporting.results import SeedResults, SystemResults
from stages.reporting.tables.markdown import escape

DIFFERS = "differs between runs"
"""Key of a recipe: key -> `<variant>-<seed>` -> value, None for a run that has none."""
NONE = {"released": "trained here"}
"""What it means that a run has none; of others nothing is said."""
OWN = "own_settings"

LABELS = {
    "aligners": "statistical alignment",
    "aer_floor": "AER floor, the lowest that one link per target word can reach",
    **{key: NAMES[key] for key in ("rot", "bleu", "bleu_cased", "bleu_v11b", "bleu1", "chrf", "ter")},
    "bleu_input": "BLEU input",
    "no_unk": "No UNK",
    "data": "data, and what was left out of train",
    "differences": "marks",
    OWN: "settings that single systems have of their own",
    "references": "references of a sentence (those of the signatures are of the first test set)",
}


def footnotes(recipe: Mapping[str, Any]) -> str:
    """The recipe as a Markdown list; a mapping of mappings becomes a list inside it."""
    lines = []
    for key, value in recipe.items():
        if key == DIFFERS:
            lines.append(f"- {escape(key)}:")
            lines += [f"  - {escape(_by_value(inner, of))}" for inner, of in value.items()]
        elif key == OWN and value:
            lines.append(f"- {escape(_label(key))}:")
            lines += [f"  - {escape(f'{name}: {text(settings)}')}" for name, settings in value.items()]
        elif isinstance(value, dict) and any(isinstance(inner, dict) for inner in value.values()):
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
    lines |= {key: _by_value(key, differing[key]) for key in keys if key in differing}
    return tuple(lines[key] for key in keys if key in lines)


def _by_value(key: str, runs: Mapping[str, Any]) -> str:
    """A line: each value with the systems that have it, the most frequent one last. runs: as in `DIFFERS`."""
    having = defaultdict(list)
    for run, value in runs.items():
        having[NONE.get(key, "not said") if value is None else text(value)].append(run)
    *rarer, (most, _) = sorted(having.items(), key=lambda each: len(each[1]))
    seeds = Counter(map(_system, runs))
    named = [f"{', '.join(_systems(found, seeds))}: {value}" for value, found in rarer]
    return f"{_label(key)}: {'; '.join([*named, f'all others: {most}'])}"


def _systems(runs: Sequence[str], seeds: Mapping[str, int]) -> list[str]:
    """The systems all of whose runs these are, and the runs of others."""
    found = Counter(map(_system, runs))
    names = ((_system(run), run) for run in runs)
    return list(dict.fromkeys(name if found[name] == seeds[name] else run for name, run in names))


def _system(run: str) -> str:
    return run.rpartition("-")[0]


def _line(key: str, value: Any) -> str:
    return f"{_label(key)}: {text(value)}"


def _label(key: str) -> str:
    return LABELS.get(key, key.replace("_", " "))


def text(value: Any) -> str:
    """A value of the recipe."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            short = value == float(f"{value:.4g}") != round(value, 2)  # a setting; what is measured is longer
            return f"{value:g}" if short or 0 < abs(value) < 0.1 else f"{value:,.2f}"
        case dict():
            return ", ".join(
                f"{_label(key)} ({text(inner)})" if isinstance(inner, dict) else f"{_label(key)} {text(inner)}"
                for key, inner in value.items()
            )
        case list() | tuple():
            return ", ".join(map(text, value))
        case _:
            return str(value)


def shared_recipe(systems: Sequence[SystemResults]) -> dict[str, Any]:
    """What the recipes of all runs agree on; what they do not, under `DIFFERS`.

    The floor of AER is a property of the gold set, so it stands here too.
    """
    recipes = {f"{system.variant}-{run.seed}": _recipe(run) for system in systems for run in system.runs}
    keys = list(dict.fromkeys(key for recipe in recipes.values() for key in recipe))
    common, differing = {}, {}
    for key in keys:
        values = {run: recipe.get(key) for run, recipe in recipes.items()}
        first, *others = values.values()
        if all(value == first for value in others):
            common[key] = first
        else:
            differing[key] = values
    return common | ({DIFFERS: differing} if differing else {})


def _recipe(run: SeedResults) -> dict[str, Any]:
    floor = run.metrics["aer_floor"]
    return run.recipe if floor is None else run.recipe | {"aer_floor": round(floor, 2)}
