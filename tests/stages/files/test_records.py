"""JSON files written and read."""

import pytest

from stages.files.errors import InputError
from stages.files.records import read_json, write_json


def test_json_round_trip_and_bad_json(tmp_path):
    write_json(tmp_path / "stats.json", {"pairs": 2, "name": "Köter"})
    assert read_json(tmp_path / "stats.json") == {"pairs": 2, "name": "Köter"}
    (tmp_path / "stats.json").write_text('{"pairs": ')
    with pytest.raises(InputError, match=r"stats\.json: not valid JSON"):
        read_json(tmp_path / "stats.json")


def test_what_is_no_file_is_said_once_with_its_own_remedy(tmp_path):
    with pytest.raises(InputError, match=r"^\S*absent\.json: no such file; `make repro` makes it$"):
        read_json(tmp_path / "absent.json")
    with pytest.raises(InputError, match=r"^\S*: cannot be read, for it is a folder; name a file$"):
        read_json(tmp_path)
