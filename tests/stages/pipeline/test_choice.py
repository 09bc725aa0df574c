"""The lines of params.yaml that choose the study: what they are changed to, and that no other byte is."""

import pytest
from dvc.utils.hydra import apply_overrides

from stages.files.errors import InputError
from stages.files.strict_yaml import read_yaml
from stages.pipeline.choice import (
    choosing,
    content_of,
    keys_by_hand,
    overridden,
    released_of,
    warning,
    with_released,
    without_released,
)
from tests.helpers.paths import ROOT

STUDIES = """studies:
  demo: &demo {study: demo, seeds: [1], systems: [a, b]}
  big: &big {<<: *demo, study: big}
"""
TEXT = """# <<: *not this line
studies:
  small: &small {study: small, systems: [a]}  # 小
  large: &the-large
    {study: large, systems: [a, b]}
  nameless: {study: nameless, systems: []}

# the next line
<<: *small  # mine
corpora:
  large: &of_corpus {x: 1}
"""
COMMITTED = (ROOT / "params.yaml").read_bytes().decode()
RELEASED = {f"system_{k}": None for k in range(30)} | {"tuned": "system_1"}


def test_one_name_changes_and_no_other_byte():
    assert choosing(TEXT, "large") == TEXT.replace("<<: *small  # mine", "<<: *the-large  # mine")
    assert choosing(choosing(TEXT, "large"), "small") == TEXT
    assert choosing(TEXT, "small") == TEXT
    crlf = TEXT.replace("\n", "\r\n")
    assert choosing(crlf, "large") == crlf.replace("<<: *small  # mine", "<<: *the-large  # mine")


@pytest.mark.slow
def test_every_committed_study_can_be_chosen():
    assert all(content_of(choosing(COMMITTED, name))["study"] == name for name in content_of(COMMITTED)["studies"])


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (
            TEXT,
            "larg",
            r"there is no study 'larg' \(there are: small, large, nameless\); `make studies` .*; did you mean large\?$",
        ),
        (TEXT, "nameless", r"studies\.nameless has no name to choose it by; write `nameless: &nameless`"),
        (TEXT.replace("<<: *small", "study: small"), "large", r"has no line `<<: \*…`.*git checkout HEAD params\.yaml"),
        (f"{TEXT}study: small\n", "large", r"`study` stands at the top level and wins.*drops edits"),
        (TEXT.replace("study: large", "study: larg"), "large", r"studies\.large\.study is 'larg'; write large$"),
        (TEXT.replace("study: large, ", ""), "large", r"studies\.large\.study is null; write large$"),
        ("systems: []\n", "large", r"there is no study 'large' \(there are: none\)"),
        ("- 1\n", "large", "must be a mapping"),
    ],
)
def test_what_cannot_be_chosen_is_said(text, name, message):
    with pytest.raises(InputError, match=f"^params.yaml.*{message}"):
        choosing(text, name)


@pytest.mark.slow
def test_of_a_file_that_dvc_has_rewritten_this_is_said(tmp_path):
    path = tmp_path / "params.yaml"
    path.write_text(choosing(COMMITTED, "demo"))
    apply_overrides(path, ["seeds=[2]"])
    with pytest.raises(InputError, match=r"was written anew, as `dvc exp run -S` does.*`&first`.*drops edits"):
        choosing(path.read_text(), "first")


@pytest.mark.parametrize("text", [TEXT, COMMITTED, TEXT.replace("\ncorpora:\n  large: &of_corpus {x: 1}\n", "")])
def test_lines_for_released_systems_come_and_go(text):
    written = with_released(text, RELEASED, [])
    content = content_of(written)
    assert (content["systems"], content["fine_tuned"], content["also_reverse"]) == ([], {}, [])
    assert content["released"] == RELEASED and released_of(written) == list(RELEASED)
    assert max(map(len, set(written.splitlines()) - set(text.splitlines()))) <= 120
    assert without_released(written) == (text if text.endswith("\n") else f"{text}\n")
    assert released_of(text) == []


def test_text_is_read_as_the_stages_read_it(tmp_path):
    text = "a: {lr: 1e-3, eps: 1e-8, no: no, s: '1:30'}\n"
    (tmp_path / "params.yaml").write_text(text)
    assert (
        content_of(text)
        == read_yaml(tmp_path / "params.yaml")
        == {"a": {"lr": 1e-3, "eps": 1e-8, "no": "no", "s": "1:30"}}
    )


def test_what_a_user_trains_beside_released_systems_stays():
    text = TEXT.replace("# mine\n", "# mine\nsystems: [my_system]\n")
    written = with_released(text, RELEASED, [])
    assert content_of(written)["systems"] == ["my_system"]
    assert keys_by_hand(text) == {
        "studies",
        "<<",
        "systems",
        "corpora",
    }
    assert without_released(written) == text


@pytest.mark.parametrize("by_hand", ["smt: [smt]", "smt: []", "released_smt: []", "released_smt: [smt]"])
def test_smt_stays_as_a_user_has_it(by_hand):
    written = with_released(TEXT.replace("# mine\n", f"# mine\n{by_hand}\n"), RELEASED, ["smt"])
    assert keys_by_hand(written) & {"smt", "released_smt"} == {by_hand.partition(":")[0]}
    assert released_of(written) == list(RELEASED)


def test_released_systems_by_hand_are_refused_in_words():
    text = TEXT.replace("# mine\n", "# mine\nreleased: {a: null}\n")
    with pytest.raises(InputError, match=r"^params\.yaml: released stands at the top level, .*; delete it there$"):
        with_released(text, RELEASED, [])


def test_without_the_line_that_chooses_nothing_is_written_below_it():
    text = TEXT.replace("<<: *small", "study: small\nsystems: [a]")
    with pytest.raises(InputError, match=r"has no line `<<: \*…`.* write `<<: \*small` in the place of"):
        with_released(text, RELEASED, [])


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


def test_the_sentence_names_them_and_the_way_back():
    assert warning(f"{STUDIES}<<: *demo\n") == ""
    one, two = (warning(f"{STUDIES}<<: *demo\n{keys}") for keys in ("seeds: [2]\n", "seeds: [2]\nsystems: [a]\n"))
    assert one.startswith("params.yaml: seeds stands at the top level and wins over the study")
    assert "seeds, systems stand at the top level and win over" in two and "git checkout HEAD" in two
