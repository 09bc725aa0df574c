"""Settings under earlier names: released results with them are read."""

from functools import cache

import pytest

from stages.releasing import about
from stages.releasing.results_file import RELEASED, read_about
from stages.settings.params import read
from stages.settings.renamed import current
from tests.helpers.paths import ROOT


def test_the_settings_of_released_results_get_the_names_of_today():
    old = {
        "variants.a.model": {"arch": "a"},
        "variants.a.training": {"lr": 1.0},
        "corpora.text.corpus": {"lengths_of": "gold", "broken": None, "limit": 5},
        "corpora.text.model": {"embed_dim": 4},
    }
    new = {
        "variants.a": {"arch": "a"},
        "variants.a.training": {"lr": 1.0},
        "corpora.text.corpus": {"match_lengths_of": "gold", "mismatched_pairs": None, "limit": 5},
        "corpora.text.model": {"embed_dim": 4},
    }
    assert current(old) == new == current(new)


@pytest.mark.slow
@pytest.mark.parametrize("corpus", sorted(path.name for path in (ROOT / RELEASED).iterdir() if path.is_dir()))
def test_all_released_results_are_of_the_settings_of_params_yaml(corpus, monkeypatch):
    """So no study trains anew for a setting that was moved or renamed."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(about, "read", cache(read))
    paths = [path for path in RELEASED.glob(f"{corpus}/*/*-1.tar.xz") if not path.name.endswith(".model.tar.xz")]
    assert paths
    for path in paths:
        found = read_about(path)
        now = about.settings_now(corpus, found["variant"], found["seed"], found["initialised_from"])
        about.require_same_settings(path, found, now)
