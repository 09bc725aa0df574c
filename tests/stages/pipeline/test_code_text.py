"""The text of code by which it is recognised is one and the same, whatever Python reads it."""

import ast
import sys

import pytest

from stages.pipeline.code_text import code_text
from tests.helpers.paths import ROOT

AS_PYTHON_3_11_WRITES_IT = {
    "x = 1  # not a comment": "x = 1",
    "f'a'": "f'a'",
    "f'{x}'": "f'{x}'",
    "f\"{x['a']}\"": "f\"{x['a']}\"",
    "f'{x[\"a\"]} it'": "f\"{x['a']} it\"",
    "f'''{x[\"a\"]} \"it's\"'''": "f'''{x['a']} \"it's\"'''",
    "f\"{', '.join(f'{a!r}' for a in b)}\"": "f\"{', '.join((f'{a!r}' for a in b))}\"",
    "f'{x}\\n{y}\\t'": "f'{x}\\n{y}\\t'",
    "f'{{{x}}}'": "f'{{{x}}}'",
    "f'{ {1: 2}[1] }'": "f'{ {1: 2}[1]}'",
    "f'{x:>{width}.{y!s}}'": "f'{x:>{width}.{y!s}}'",
    "f'{(lambda: 1)()}{(a if b else c)}'": "f'{(lambda: 1)()}{(a if b else c)}'",
    "f'{x!r:10}' 'and more' f'{y}'": "f'{x!r:10}and more{y}'",
    'f"""{x["a"]}\n\'{y}\'"""': "f\"{x['a']}\\n'{y}'\"",
    "print(f'{len(\"a\")}', 'a\\nb')": "print(f\"{len('a')}\", 'a\\nb')",
    "f'{a}\\'\"{b}'": "f'''{a}'\"{b}'''",
    'f"\\\'\\\'\\\' \\"\\"\\" \' {x}"': "f'\\'\\'\\' \"\"\" \\' {x}'",
    "f'{x:\"^9}'": "f'{x:\"^9}'",
}


@pytest.mark.parametrize(("source", "text"), AS_PYTHON_3_11_WRITES_IT.items(), ids=AS_PYTHON_3_11_WRITES_IT)
def test_the_text_does_not_depend_on_the_python(source, text):
    tree = ast.parse(source)
    assert code_text(tree) == text
    assert ast.dump(ast.parse(text)) == ast.dump(tree)


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="later Pythons write f-strings otherwise")
@pytest.mark.parametrize("folder", ["stages", "fairseq_plugins", "tests"])
def test_it_is_what_python_3_11_writes(folder):
    for path in (ROOT / folder).rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert code_text(tree) == ast.unparse(tree), path
