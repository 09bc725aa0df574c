"""Settings under earlier names: a file with them is refused with the new ones, released results with them are read."""

from functools import cache

import pytest
import yaml

from stages.files.errors import InputError
from stages.releasing import about
from stages.releasing.results_file import RELEASED, read_about
from stages.settings.params import read
from stages.settings.renamed import current
from tests.helpers.paths import ROOT

NAMES = ("rows is called systems", "reverse is called also_reverse", "statistical is called smt")
OF_TEXT = ("lengths_of is called match_lengths_of", "broken is called mismatched_pairs")
OF_SMT = ("w is called phrase_translations", "s is called stack")


@pytest.mark.parametrize("study", ["hansards-en-fr", "zh-en"])
def test_the_settings_of_an_old_run_are_refused_in_one_sentence_that_has_every_new_name(study):
    path = ROOT / "reports" / "provenance" / study / "params.yaml"
    if "rows:" not in path.read_text(encoding="utf-8"):
        pytest.skip("it was run anew, under the names of today")
    with pytest.raises(InputError) as error:
        read(path)
    message = str(error.value)
    assert all(f"{one} now" in message for one in (*NAMES, *OF_TEXT, *OF_SMT)) and "\n" not in message
    assert "variants.rnnencdec.model: write what stands in it one level higher" in message
    assert len(message) < 1000


def test_settings_of_today_are_not_taken_for_old_ones(tmp_path):
    """An option may have the name of a section that is gone, and a corpus that of a study's key."""
    content = {"corpora": {"rows": {"corpus": {"limit": 1}}}, "variants": {"a": {"arch": "b"}, "w": None}, "smt": []}
    path = tmp_path / "params.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    assert read(path) == content


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
