"""Settings files mean one thing or are refused: in one sentence, without a crash, and as DVC reads them."""

import re
import subprocess
import sys
from math import inf, isnan

import pytest
from dvc.utils.serialize import YAMLFileCorruptedError, modify_yaml, parse_yaml

from stages.files.errors import InputError
from stages.files.strict_yaml import DEPTH, VALUES, read_yaml
from tests.helpers.paths import ROOT

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 9)
)


def refused(path) -> str:
    with pytest.raises(InputError) as error:
        read_yaml(path)
    message = str(error.value)
    assert "\n" not in message and len(message) < 500
    return message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3", r"line 3: the key a stands on line 1 already; keep one"),
        ("x: {a: 1, b: {c: 1, c: 2}}", r"line 1: the key c stands on line 1 already"),
        ("x: &x {a: 1}\ny:\n  <<: *x\n  <<: *x", r"line 4: the key << stands on line 3 already"),
        ("1: a", r"line 1: 1 is a key but not text; write it in quotes"),
        ("true: a", r"line 1: true is a key but not text"),
        ("? [1]\n: a", r"what begins here is a key but not text"),
        ("a: 2020-01-01", r"2020-01-01 is of the kind timestamp; write text in quotes"),
        ("a: !!python/object/apply:os.system [touch x]", r"of the kind python/object/apply:os\.system"),
        ("a: !!binary aGk=", r"of the kind binary"),
        ("a: !mine b", r"of the kind !mine"),
        ("a: " + "9" * 5000, r"not valid YAML: .*4300 digits"),
        ("a: 1\n---\nb: 2", r"not valid YAML: expected a single document"),
        ('a: "\\ud800"', r"not valid YAML"),
        ("a: \x07", r"not valid YAML: .*control characters"),
        ("a: [1", r"not valid YAML: .*line 1"),
        ("a: " + "[" * 100_000, rf"line 1: nested more than {DEPTH} levels deep"),
        ("- " * 100_000, rf"nested more than {DEPTH} levels deep"),
        ("a: &a [*a]", rf"stands for more than {VALUES:,} values by its aliases"),
        (BOMB, rf"stands for more than {VALUES:,} values by its aliases"),
    ],
)
def test_what_is_refused(tmp_path, text, message):
    path = tmp_path / "params.yaml"
    path.write_text(text, encoding="utf-8")
    assert re.search(message, refused(path)) and refused(path).startswith(str(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("título: é\n".encode("latin-1"), r"byte 2 of the file \(0xed\) is not UTF-8; save the file as UTF-8"),
        ("a: 1\n".encode("utf-16"), r"byte 1 of the file \(0xff\) is not UTF-8"),
        ("a: 1\n".encode("utf-16-le"), r"not valid YAML: .*control characters"),
    ],
)
def test_another_encoding(tmp_path, content, message):
    path = tmp_path / "params.yaml"
    path.write_bytes(content)
    assert re.search(message, refused(path))


def test_what_is_no_file(tmp_path):
    assert "is missing; run from the folder that holds it" in refused(tmp_path / "params.yaml")
    assert "is no file" in refused(tmp_path)


@pytest.mark.process
def test_a_nested_file_ends_no_process(tmp_path):
    """The composer in C recurses: it ended the process with a segmentation fault."""
    (tmp_path / "deep.yaml").write_text("[" * 1_000_000)
    code = "import sys, pathlib; from stages.files.strict_yaml import read_yaml; read_yaml(pathlib.Path(sys.argv[1]))"
    command = [sys.executable, "-c", code, str(tmp_path / "deep.yaml")]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 1 and "InputError" in answer.stderr


ACCEPTED = """
int: 12
negative: -0
float: 1.5
exponent: 1e-8
zeros: 010
hexadecimal: 0x10
thousands: 1_000
no:
- yes
- off
- 12:30
point: 1.0e-8
infinite: -.inf
text: yes it is
quoted: "no"
truth: true
nothing: null
list: [1, "1", {a: b}]
base: &base {a: 1, b: 2}
merged: {<<: *base, b: 3}
"""


def test_what_is_read_is_what_dvc_reads(tmp_path):
    path = tmp_path / "params.yaml"
    path.write_text(ACCEPTED, encoding="utf-8")
    found = read_yaml(path)
    assert found == dict(parse_yaml(ACCEPTED, "params.yaml"))
    assert (found["exponent"], found["infinite"], found["merged"]) == (1e-8, -inf, {"a": 1, "b": 3})
    assert (found["zeros"], found["no"]) == (10, ["yes", "off", "12:30"])
    path.write_text("a: .nan", encoding="utf-8")
    assert isnan(read_yaml(path)["a"])


def test_dvc_refuses_a_key_that_stands_twice():
    with pytest.raises(YAMLFileCorruptedError):
        parse_yaml("a: 1\na: 2\n", "params.yaml")


@pytest.mark.parametrize(
    "text", ["no", "Yes", "off", "12:30", "1:2:3", "-1:30.5", "1e-3", "0x1F", "1_000", "2020-01-01"]
)
def test_text_that_dvc_writes_back_is_still_that_text(tmp_path, text):
    path = tmp_path / "params.yaml"
    path.write_text(f"a: {text!r}\n{text!r}: b\nseeds: [1]\n", encoding="utf-8")
    with modify_yaml(path) as content:  # as `dvc exp run -S seeds=[1,2]` does
        content["seeds"] = [1, 2]
    assert read_yaml(path) == {"a": text, text: "b", "seeds": [1, 2]}
