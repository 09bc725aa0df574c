"""How the numbers of a report came about: `recipe` of metrics.json."""

from collections.abc import Sequence
from typing import Any

from stages.reporting.recipe import DIFFERS
from stages.reporting.results import SeedResults, SystemResults


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
