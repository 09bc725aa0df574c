"""docs/recipes.md has every value of every recipe in params.yaml once, and says where it comes from."""

import re
from typing import Any

import pytest
import yaml

from fairseq_plugins.listing.architectures import parameters
from stages.settings.params import read
from stages.settings.schema import check
from stages.settings.variants import training_settings, variant
from stages.training.check import check_models
from tests.helpers import committed
from tests.helpers.paths import ROOT

TABLE = re.compile(r"<!-- recipe: (\w+) -->\n\n\|.*\n\|[-|]*\n((?:\|.*\n)+)")
ROW = re.compile(r"\| (.+?) \| (.+) \|")
TABLES = dict(TABLE.findall((ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")))
SHARED, OF_WORDS = "all", {"merges": 16000, "joint": False, "vocabulary_threshold": 0}
OF_THE_MACHINE = {
    "training": {"length_multiple", "precision", "cuda_graphs", "gpus", "threads", "save_seconds"},
    "decoding": {"max_tokens", "precision", "threads"},
}
PARAMS = read(ROOT / "params.yaml")
RECIPES = PARAMS["recipes"]


def values(recipe: dict[str, Any]) -> dict[str, Any]:
    """By key: no two sections of a recipe share one, those of the machine aside."""
    found = [
        (key, value)
        for section, keys in recipe.items()
        for key, value in keys.items()
        if key not in OF_THE_MACHINE.get(section, ())
    ]
    assert len(dict(found)) == len(found)
    return dict(found)


def rows(table: str) -> list[tuple[str, Any]]:
    """Keys and values of the first column; the second one says where they come from."""
    found = [ROW.fullmatch(line).groups() for line in table.splitlines()]
    assert all(len(source) > 3 for _, source in found)
    written = [code for settings, _ in found for code in re.findall(r"`([^`]+)`", settings)]
    return [pair for code in written for pair in yaml.safe_load(code).items()]


def test_every_recipe_has_a_table():
    assert list(TABLES) == [SHARED, *RECIPES]


@pytest.mark.parametrize("name", RECIPES)
def test_a_table_is_the_recipe(name):
    found = rows(TABLES[SHARED]) + rows(TABLES[name])
    if name != "xue2019":  # the others are for words, for which these have no effect
        found += OF_WORDS.items()
    assert len(dict(found)) == len(found)
    assert dict(found) == values(RECIPES[name])


def options(study: str) -> dict[str, dict[str, Any]]:
    """Of each system of a study, those that it has there."""
    block = PARAMS["studies"][study]
    return {
        name: variant(name, PARAMS).on(block["corpus"]).options() for name in (*block["systems"], *block["fine_tuned"])
    }


def test_luongs_systems_are_the_papers_own():
    found = options("wmt14-en-de-luong")
    assert len(found) == 7
    assert all(of["luong_layers"] == 4 and of["reverse_source"] is True for of in found.values())


def test_kuangs_systems_have_the_readout_that_their_parameters_tell():
    """3.7 and 4.1 million more of the source side and of direct bridging: with 2 x 500, not with a tanh of 500."""
    sizes = {key: size for key, size in RECIPES["kuang2018"]["model"].items() if key.endswith("_dim")}
    found = {
        name: parameters(PARAMS["variants"][name]["arch"], sizes | own | {"vocabulary": 30_000})
        for name, own in options("nist-zh-en-kuang").items()
    }
    base = found["rnnsearch_star"]
    more = {name: (count - base) / 1e6 for name, count in found.items()}
    assert more == {
        "rnnsearch_star": 0, "rnnsearch_star_continued": 0, "bridging_source": 3.72, "bridging_target": 1.86,
        "bridging_direct": pytest.approx(4.1044),
    }  # fmt: skip


SYSTEMS_OF_MI = [name for name in PARAMS["variants"] if name.startswith("lvnmt")]


def test_what_mis_systems_also_need_can_be_written(tmp_path):
    """A corpus with the recipe, and the line of the page in `lvnmt`: every system is built with it."""
    page = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"`(by_corpus: \{mine: .*?\}\})` in `lvnmt`", page)
    text = committed.choosing("<<: *mine").replace("{arch: lvnmt,", f"{{arch: lvnmt, {line},")
    study = "{<<: *study, study: mine, corpus: mine, run: work/mine/forward-words, segmentation: words, "
    study += f"systems: [{', '.join(SYSTEMS_OF_MI)}]}}"
    text = text.replace("\nstudies:\n", f"\nstudies:\n  mine: &mine\n    {study}\n")
    text += "  mine:\n    <<: [*mi2016, *papers_corpus]\n    corpus: *nist\n"
    text += "    compare: {<<: *compare, baseline: lvnmt, rivals: []}\n"
    (tmp_path / "params.yaml").write_text(text, encoding="utf-8")
    content = check(read(tmp_path / "params.yaml"))
    check_models(content)
    for name in SYSTEMS_OF_MI:
        found = content.variants[name].on("mine").options()
        assert (found["candidate_frequent"], found["readout"]) == (2000, "maxout")
    assert len(SYSTEMS_OF_MI) == 6


def test_bahdanaus_systems_have_the_epochs_of_the_published_table():
    epochs = {
        name: training_settings("wmt14-en-fr", name, PARAMS).max_epoch
        for name in PARAMS["studies"]["wmt14-en-fr"]["systems"]
    }
    assert epochs == {
        "rnnencdec_30": 6, "rnnencdec_50": 5, "rnnsearch_30": 4, "rnnsearch_50": 2, "rnnsearch_50_long": 5,
    }  # fmt: skip
