"""The catalogue of deliberate mistakes: that it is up to date and complete. ``make mutants`` runs all of it."""

import ast
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path
from pkgutil import iter_modules
from types import SimpleNamespace

import pytest
from _pytest.mark.expression import Expression

from fairseq_plugins import declarations
from fairseq_plugins.kernels import native
from tests.mutants import catalogue
from tests.mutants.ask import _Recorder
from tests.mutants.catalogue import KERNELS, MUTANTS, STAGES
from tests.mutants.mutant import ROOT, Mutant, StaleError
from tests.mutants.report import exercised, noticed_by, variants_of, write
from tests.mutants.run import there_are

HERE = "tests/mutants/test_mutants.py"
A_QUICK_ONE = "terms/_history.py: the mask is forgotten"
ALL = (*MUTANTS, *STAGES, *KERNELS)


def meaning(path: str, text: str) -> str:
    """Without comments and layout."""
    return ast.dump(ast.parse(text)) if path.endswith(".py") else " ".join(re.sub(r"//.*", "", text).split())


@pytest.mark.parametrize("path", sorted({mutant.path for mutant in ALL}))
def test_every_mistake_can_be_made(path):
    """A text that does not stand in the file exactly once is refused; a comment or docstring is no mistake."""
    whole = meaning(path, (ROOT / path).read_text(encoding="utf-8"))
    made = [meaning(path, mutant.source()) for mutant in ALL if mutant.path == path]
    assert [count for change, count in Counter(made).items() if count > 1 or change == whole] == []


def test_every_mistake_has_its_own_name():
    assert [name for name, count in Counter(mutant.name for mutant in ALL).items() if count > 1] == []


def test_every_variant_is_broken_at_least_twice_if_at_all():
    """A new one need not be: mutants cost more than its four files."""
    parts = exercised()
    counts = Counter(variant for mutant in MUTANTS for variant in variants_of(mutant, parts))
    assert [variant for variant in parts if counts[variant] == 1] == []
    assert [mutant.name for mutant in MUTANTS if not variants_of(mutant, parts)] == []


@pytest.mark.parametrize("folder", ["core/cells", "mechanisms", "terms"])
def test_every_file_of_equations_is_broken(folder):
    """But for that of a term, mechanism or recurrence of which nobody made any mutants."""
    files = {str(path.relative_to(ROOT)) for path in (ROOT / "fairseq_plugins" / folder).glob("*.py")}
    whole = {path for path in files if not path.endswith("__init__.py")} - {mutant.path for mutant in MUTANTS}
    broken = {name for mutant in MUTANTS for name in mutant.of}
    users = {found.name: {found.name} for found in declarations.terms()}
    for found in declarations.systems():
        for module in found.mechanisms:
            users.setdefault(module.rpartition(".")[2], set()).add(found.name)
    for model in (ROOT / "fairseq_plugins" / "models").glob("*.py"):
        for cell in re.findall(r"core\.cells\.(\w+) import", model.read_text(encoding="utf-8")):
            users.setdefault(cell, set()).add(model.stem)
    assert {path for path in whole if users.get(Path(path).stem, broken) & broken} == set()


@pytest.mark.parametrize("folder", ["measures", "statistics", "scoring"])
def test_every_file_that_measures_is_broken(folder):
    """But for those in which there is nothing to mistake that another file would not show."""
    files = {str(path.relative_to(ROOT)) for path in (ROOT / "stages" / folder).glob("[!_]*.py")}
    assert {Path(path).name for path in files - {mutant.path for mutant in STAGES}} == PASSIVE[folder]


def test_every_file_of_the_kernels_is_broken():
    """But for those of declarations."""
    files = {path.name for path in native.SOURCES.iterdir()}
    assert files - {Path(mutant.path).name for mutant in KERNELS} == {"gather.h", "rounded.h"}


PASSIVE = {
    "measures": {"gold_links.py", "ratio.py"},
    "statistics": set(),
    "scoring": {
        "aligner_scores.py", "coverage_inputs.py", "gold_links.py", "score_recipe.py", "sentence_files.py",
        "summary_line.py", "system_files.py",
    },
}  # fmt: skip


def asked(mutant: Mutant) -> tuple[list[str], str]:
    """The files of its tests, and the choice among them; "" for all."""
    words = shlex.split(mutant.tests)
    return [word for word in words if word.endswith(".py")], words[words.index("-k") + 1] if "-k" in words else ""


@pytest.mark.parametrize("module", sorted(name for _, name, _ in iter_modules(catalogue.__path__)))
def test_every_named_test_file_exists(module):
    files = {file for mutant in getattr(catalogue, module).MUTANTS for file in asked(mutant)[0]}
    assert files
    assert [file for file in sorted(files) if not (ROOT / file).is_file()] == []


def collected_in(files: list[str], session: pytest.Session) -> list[str]:
    """The tests in these files: this session's, or those of a process that collects them if it left any out."""
    found = [item.nodeid for item in session.items]
    chosen = session.config.option.keyword or session.config.option.markexpr
    if not chosen and {test.partition("::")[0] for test in found}.issuperset(files):
        return found
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *files]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.process
def test_every_choice_among_the_tests_finds_some(request):
    """Each -k chooses a test, and each of its words stands in the name of one or of its file."""
    choices = {mutant.tests: asked(mutant) for mutant in ALL}
    everywhere = sorted({file for files, _ in choices.values() for file in files})
    tests = collected_in(everywhere, request.session)
    in_vain = []
    for arguments, (files, choice) in choices.items():
        names = [test.rsplit("/", 1)[1].lower() for test in tests if test.split("::")[0] in files]
        matchers = [lambda word, name=name: word.lower() in name for name in names]
        if choice and not any(map(Expression.compile(choice).evaluate, matchers)):
            in_vain.append(arguments)
        words = set(re.findall(r"\w+", choice)) - {"and", "or", "not"}
        in_vain += [f"{word} in {arguments}" for word in words if not any(matches(word) for matches in matchers)]
    assert in_vain == []


@pytest.mark.parametrize(("old", "count"), [("no such text", "0"), ("import", r"\d+")])
def test_a_stale_catalogue(old, count):
    stale = Mutant((), "fairseq_plugins/terms/_history.py", "a mistake", old, "", "")
    with pytest.raises(StaleError, match=rf"_history\.py: a mistake: the text to replace stands there {count} times"):
        stale.source()


def test_the_table(tmp_path):
    mutant, late = Mutant(("ba_nmt",), "a.py", "x | y", "", "", ""), Mutant(("kernels",), "b.cpp", "z", "", "", "")
    killers = {mutant: "tests/test_a.py::test_b[c]", late: "tests/test_a.py::test_c"}
    write(killers, {"tests/test_a.py::test_c"}, tmp_path / "mutants.md")
    assert noticed_by(tmp_path / "mutants.md") == {one.name: killer for one, killer in killers.items()}
    text = (tmp_path / "mutants.md").read_text(encoding="utf-8")
    assert "`make test` alone notices 1 of them (50.0 %)" in text and "\n- `b.cpp`: z\n" in text
    assert text.endswith("\n| all | `b.cpp` | z | `tests/test_a.py::test_c` |\n")
    write({mutant: killers[mutant]}, set(), tmp_path / "mutants.md")
    assert noticed_by(tmp_path / "mutants.md") == {mutant.name: "tests/test_a.py::test_b[c]"}
    lines = (tmp_path / "mutants.md").read_text(encoding="utf-8").splitlines()
    assert lines[-1] == r"| ba_nmt | `a.py` | x \| y | `tests/test_a.py::test_b[c]` |"


def test_the_likely_one_comes_before_the_others_in_their_order():
    items = [SimpleNamespace(nodeid=name) for name in "abcd"]
    _Recorder("c").pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == ["c", "a", "b", "d"]


@pytest.mark.process
def test_tests_that_are_gone_or_wait_are_told_from_the_others():
    quick, late = f"{HERE}::test_the_table", f"{HERE}::test_tests_that_are_gone_or_wait_are_told_from_the_others"
    assert there_are([quick, late, f"{HERE}::test_gone", "tests/test_gone.py::test_a"]) == {quick, late}
    assert there_are([quick, late], "--quick") == {quick}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.mutants", "--jobs", "1", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.process
def test_a_mistake_is_noticed_and_the_report_keeps_what_it_says_of_others(tmp_path):
    out = tmp_path / "mutants.md"
    done = run("--only", A_QUICK_ONE, "--out", str(out))
    assert done.returncode == 0, done.stderr
    quick = {mutant.name for mutant in MUTANTS if A_QUICK_ONE in mutant.name}
    catalogue = {mutant.name for mutant in ALL}
    assert noticed_by(out).keys() == (noticed_by().keys() | quick) & catalogue
    assert (
        "tests/fairseq_plugins/models/test_histories.py::test_histories_stay_zero_at_padding[SourceHistory]"
        in done.stdout
    )
    assert "1 of 1 noticed" in done.stdout, "reports/mutants.md names tests that are gone: run `make mutants`"
