"""docs/recipes.md has every value of every recipe in params.yaml, and says where it comes from."""

import re
from typing import Any

import pytest
import yaml

from stages.settings.params import read
from tests.helpers.paths import ROOT

TABLE = re.compile(r"<!-- recipe: (\w+) -->\n\n\|.*\n\|[-|]*\n((?:\|.*\n)+)")
ROW = re.compile(r"\| `([\w.]+)` \| `([^`]+)` \| (.+) \|")
TABLES = dict(TABLE.findall((ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")))
OF_THE_MACHINE = {
    "training.length_multiple", "training.precision", "training.cuda_graphs", "training.gpus",
    "training.threads", "training.save_seconds", "decoding.max_tokens", "decoding.precision", "decoding.threads",
}  # fmt: skip
RECIPES = read(ROOT / "params.yaml")["recipes"]


def values(recipe: dict[str, Any]) -> dict[str, Any]:
    return {f"{section}.{key}": value for section, keys in recipe.items() for key, value in keys.items()}


def test_every_recipe_has_a_table():
    assert list(TABLES) == list(RECIPES)


@pytest.mark.parametrize("name", RECIPES)
def test_a_table_is_the_recipe(name):
    rows = [ROW.fullmatch(line).groups() for line in TABLES[name].splitlines()]
    assert len({key for key, _, _ in rows}) == len(rows)
    expected = {key: value for key, value in values(RECIPES[name]).items() if key not in OF_THE_MACHINE}
    assert {key: yaml.safe_load(value) for key, value, _ in rows} == expected
    assert all(len(source) > 3 for _, _, source in rows)
