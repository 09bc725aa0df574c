"""Keys that win over the study that `<<:` chooses."""

import pytest

from stages.pipeline.overrides import overridden, warning

STUDIES = """studies:
  demo: &demo {study: demo, seeds: [1], systems: [a, b]}
  big: &big {<<: *demo, study: big}
"""


@pytest.mark.parametrize(
    ("chosen", "keys"),
    [
        ("<<: *demo\nvariants: {}\n", []),
        ("<<: *demo\nother: 1\nstudy: demo\nseeds:\n- 1\n- 2\n", ["study", "seeds"]),
        ("seeds: [2]\n<<: *big\n", ["seeds"]),
        ("<<: [*big, {extra: 1}]\nextra: 2\nsystems: []\n", ["extra", "systems"]),
        ("seeds: [1]\n", []),
        ("<<: 3\nseeds: [1]\n", []),
        ("<<: *absent\nseeds: [1]\n", []),
    ],
    ids=["none", "after dvc exp run -S", "inherited", "a list", "no study chosen", "no mapping", "no anchor"],
)
def test_keys_at_the_top_level_that_the_chosen_study_has_too(chosen, keys):
    assert overridden(STUDIES + chosen) == keys


@pytest.mark.parametrize("text", ["", "- a\n", "a: ["])
def test_a_text_that_is_no_mapping_has_none(text):
    assert overridden(text) == []


def test_the_sentence_names_them_and_the_way_back(tmp_path):
    path = tmp_path / "params.yaml"
    path.write_text(f"{STUDIES}<<: *demo\n")
    assert warning(path) == ""
    path.write_text(f"{STUDIES}<<: *demo\nseeds: [2]\n")
    assert warning(path).startswith(f"{path}: seeds stands at the top level and wins over the study")
    path.write_text(f"{STUDIES}<<: *demo\nseeds: [2]\nsystems: [a]\n")
    assert "seeds, systems stand at the top level and win over" in warning(path) and "git checkout HEAD" in warning(
        path
    )
