"""The lines of params.yaml that choose the study: what they are changed to, and that no other byte is."""

import pytest

from stages.files.errors import InputError
from stages.pipeline.choice import choosing, content_of, keys_by_hand, released_of, with_released, without_released
from tests.helpers.paths import ROOT

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


def test_every_committed_study_can_be_chosen():
    assert all(content_of(choosing(COMMITTED, name))["study"] == name for name in content_of(COMMITTED)["studies"])


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (TEXT, "larg", r"there is no study 'larg' \(there are: small, large, nameless\); `make studies`"),
        (TEXT, "nameless", r"studies\.nameless has no name to choose it by; write `nameless: &nameless`"),
        (TEXT.replace("<<: *small", "study: small"), "large", r"has no line `<<: \*…`.*git checkout HEAD params\.yaml"),
        (f"{TEXT}study: small\n", "large", r"`study` stands at the top level and wins"),
        ("systems: []\n", "large", r"there is no study 'large' \(there are: none\)"),
        ("- 1\n", "large", "must be a mapping"),
    ],
)
def test_what_cannot_be_chosen_is_said(text, name, message):
    with pytest.raises(InputError, match=f"^params.yaml.*{message}"):
        choosing(text, name)


@pytest.mark.parametrize("text", [TEXT, COMMITTED, TEXT.replace("\ncorpora:\n  large: &of_corpus {x: 1}\n", "")])
def test_lines_for_released_systems_come_and_go(text):
    written = with_released(text, RELEASED)
    content = content_of(written)
    assert (content["systems"], content["fine_tuned"], content["also_reverse"]) == ([], {}, [])
    assert content["released"] == RELEASED and released_of(written) == list(RELEASED)
    assert max(map(len, set(written.splitlines()) - set(text.splitlines()))) <= 120
    assert without_released(written) == (text if text.endswith("\n") else f"{text}\n")
    assert released_of(text) == []


def test_what_a_user_trains_beside_released_systems_stays():
    text = TEXT.replace("# mine\n", "# mine\nsystems: [my_system]\n")
    written = with_released(text, RELEASED)
    assert content_of(written)["systems"] == ["my_system"]
    assert keys_by_hand(text) == {
        "studies",
        "<<",
        "systems",
        "corpora",
    }
    assert without_released(written) == text
