"""The text of code by which it is recognised is one and the same, whatever Python reads it."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stages.pipeline import code_text as module
from stages.pipeline.code_text import code_text
from tests.helpers.paths import ROOT

TEXTS = {
    "x = 1  # a comment": ["0 x = 1"],
    "if x:\n\n    y = (1 +\n         2)\nz": ["0 if x :", "1 y = ( 1 + 2 )", "0 z"],
    "x = 1 + \\\n    2": ["0 x = 1 + 2"],
    "f'{x!r:>{width}}' 'b'": ["0 f'{x!r:>{width}}' 'b'"],
    "f\"{', '.join(f'{a!r}' for a in b)}\" + 'c'": ["0 f\"{', '.join(f'{a!r}' for a in b)}\" + 'c'"],
    'f"""{x}\n  {{y}}\n{z}""" % 1': ['0 f"""{x}\n  {{y}}\n{z}""" % 1'],
    "f'é\u2028{x}' + rf'\\{y}'": ["0 f'é\u2028{x}' + rf'\\{y}'"],
    "def f():\n    'documentation'\n    return 'text'": ["0 def f ( ) :", "1 return 'text'"],
    "x = 1\n'documentation' \"of x\"\ny = 2": ["0 x = 1", "0 y = 2"],
    "b'bytes'\nf'{x}'\n'text'.y": ["0 b'bytes'", "0 f'{x}'", "0 'text' . y"],
    "": [],
}


@pytest.mark.parametrize(("source", "lines"), TEXTS.items(), ids=range(len(TEXTS)))
def test_the_text_does_not_depend_on_the_python(source, lines):
    assert code_text(source).replace("\0", " ") == "\n".join(lines)


@pytest.mark.parametrize(
    ("one", "other"),
    [("x = 'a b'", "x = 'a' 'b'"), ("if x:\n    y\nz", "if x:\n    y\n    z"), ("x.y", "xy"), ("f'{x}'", "f'{y}'")],
)
def test_codes_that_differ_have_texts_that_differ(one, other):
    assert code_text(one) != code_text(other)


@pytest.mark.process
def test_every_python_of_this_machine_agrees():
    """On all of the project's own code."""
    script = (
        "import hashlib, runpy, sys; code_text = runpy.run_path(sys.argv[1])['code_text']\n"
        "for path in sys.argv[2:]:\n"
        "    print(hashlib.sha256(code_text(open(path, encoding='utf-8').read()).encode()).hexdigest())"
    )
    files = [str(path) for folder in ("stages", "fairseq_plugins") for path in sorted((ROOT / folder).rglob("*.py"))]
    here = [hashlib.sha256(code_text(Path(path).read_text("utf-8")).encode()).hexdigest() for path in files]
    others = [f"python3.{minor}" for minor in range(11, 20) if minor != sys.version_info.minor]
    compared = []
    for python in filter(shutil.which, others):
        done = subprocess.run([python, "-c", script, module.__file__, *files], capture_output=True, text=True)
        if done.returncode == 0 or "Traceback" in done.stderr:  # else a shim with no version behind it
            assert (done.stdout.split(), done.stderr) == (here, ""), python
            compared.append(python)
    if not compared:
        pytest.skip("there is no other Python here")
