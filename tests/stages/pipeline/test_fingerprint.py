"""Which edit of the code retrains which systems."""

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.pipeline.fingerprint import Code
from stages.pipeline.imports import Modules, code_hash
from stages.settings.variants import VariantModel
from tests.helpers.paths import ROOT

SYSTEMS = {arch: VariantModel(arch=arch) for arch in (
    "rnnencdec", "rnnsearch", "rnnsearch_star", "sa_nmt", "ta_nmt", "ba_nmt", "transformer"
)} | {
    "of nothing": VariantModel(arch="attnmt", terms=[]),
    "of source": VariantModel(arch="attnmt", terms=["source_history"]),
    "of both": VariantModel(arch="attnmt", terms=["target_history", "source_history"]),
}  # fmt: skip
ALL = set(SYSTEMS)
COMBINED = {"of nothing", "of source", "of both"}
RECURRENT = ALL - {"transformer"}
SOURCE, TARGET = {"sa_nmt", "ba_nmt", "of source", "of both"}, {"ta_nmt", "ba_nmt", "of both"}
TRAIN, EVALUATE = "stages.train", "stages.evaluate"
STATEMENT = "\nADDED = 1\n"


@pytest.fixture
def tree(tmp_path):
    """A copy of the code."""
    for package in ("stages", "fairseq_plugins"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def of_all(entry: str, root: Path) -> dict[str, list[str]]:
    code = Code(root)
    return {name: code.fingerprint(entry, model) for name, model in SYSTEMS.items()}


@cache
def committed(entry: str) -> dict[str, list[str]]:
    return of_all(entry, ROOT)


def files(lines: list[str]) -> list[str]:
    return [line.split(" ")[0] for line in lines]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "train", "evaluate"),
    [
        ("fairseq_plugins/terms/source_history.py", SOURCE, SOURCE),
        ("fairseq_plugins/terms/target_history.py", TARGET, TARGET),
        ("fairseq_plugins/terms/_history.py", SOURCE | TARGET, SOURCE | TARGET),
        ("fairseq_plugins/models/ba_nmt.py", {"ba_nmt"}, {"ba_nmt"}),
        ("fairseq_plugins/models/attnmt.py", COMBINED, COMBINED),
        ("fairseq_plugins/core/fixed_context.py", {"rnnencdec"}, {"rnnencdec"}),
        ("fairseq_plugins/core/decoder.py", RECURRENT, RECURRENT),
        ("fairseq_plugins/compat.py", ALL, ALL),
        ("stages/translating/decoding.py", ALL, ALL),
        ("stages/training/loop.py", ALL, set()),
        ("stages/translating/load.py", set(), ALL),
        ("stages/report.py", set(), set()),
        ("stages/measures/aer.py", set(), set()),
    ],
)  # fmt: skip
def test_a_file_is_listed_for_the_systems_that_run_it_and_no_other(file, train, evaluate):
    assert {name for name in SYSTEMS if file in files(committed(TRAIN)[name])} == train
    assert {name for name in SYSTEMS if file in files(committed(EVALUATE)[name])} == evaluate


def test_an_edit_reaches_the_systems_for_which_a_file_is_listed(tree):
    with (tree / "fairseq_plugins/terms/source_history.py").open("a", encoding="utf-8") as handle:
        handle.write(STATEMENT)
    after = of_all(TRAIN, tree)
    assert {name for name in SYSTEMS if after[name] != committed(TRAIN)[name]} == SOURCE


def test_a_new_term_reaches_nothing(tree):
    (tree / "fairseq_plugins" / "terms" / "another.py").write_text(STATEMENT)
    assert of_all(TRAIN, tree) == committed(TRAIN)


@pytest.mark.slow
def test_comments_docstrings_and_layout_change_nothing(tree):
    for file in tree.rglob("*.py"):
        code = file.read_text(encoding="utf-8")
        code = re.sub(r'^( *""")(?=\w)', r"\1Indeed: ", code, flags=re.MULTILINE)
        file.write_text(f"# a remark\n{code}\n\n\n# another", encoding="utf-8")
    assert of_all(TRAIN, tree) == committed(TRAIN)
    assert of_all(EVALUATE, tree) == committed(EVALUATE)


@pytest.mark.parametrize(
    "left", [".dvc.py.swp", "training/loop.py~", "training/loop.py.orig", ".DS_Store", "old/__pycache__/gone.pyc"]
)
def test_what_an_editor_or_a_merge_leaves_beside_the_code_changes_nothing(tmp_path, left):
    (tmp_path / "stages/training").mkdir(parents=True)
    (tmp_path / "stages/train.py").write_text("import stages.training.loop\n")
    (tmp_path / "stages/training/loop.py").write_text("")
    (tmp_path / "stages/training/table").mkdir()
    (tmp_path / "stages/training/table/of.tsv").write_text("1\n")
    before = Code(tmp_path).fingerprint("stages.train")
    assert files(before) == ["stages/train.py", "stages/training/loop.py", "stages/training/table/of.tsv"]
    path = tmp_path / "stages" / left
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    assert Code(tmp_path).fingerprint("stages.train") == before


def test_what_belongs_to_a_system():
    assert "fairseq_plugins/models/sa_nmt.py" in files(committed(TRAIN)["sa_nmt"])
    assert "fairseq_plugins/models/attnmt.py" in files(committed(TRAIN)["of source"])
    assert "fairseq_plugins/terms/source_history.py" in files(committed(TRAIN)["of source"])
    assert "fairseq_plugins/terms/target_history.py" not in files(committed(TRAIN)["of source"])
    of_all = {f"fairseq_plugins/core/{name}.py" for name in ("__init__", "graphs", "tree")}  # what any training imports
    listed = files(committed(TRAIN)["transformer"])
    own = {file for file in listed if re.match("fairseq_plugins/(models|terms|core)/", file)}
    assert own == of_all
    for lines in (*committed(TRAIN).values(), *committed(EVALUATE).values()):
        assert files(lines) == sorted(set(files(lines)), key=Path)


def test_terms_in_another_order_are_the_same_code():
    model = VariantModel(arch="attnmt", terms=["source_history", "target_history"])
    assert Code(ROOT).fingerprint("stages.train", model) == committed(TRAIN)["of both"]


@pytest.mark.process
@pytest.mark.parametrize("entry", [TRAIN, EVALUATE])
def test_nothing_is_loaded_that_is_not_listed(entry):
    loads = {
        TRAIN: "import stages.training.run",
        EVALUATE: "import stages.translating.decoding, stages.translating.load",
    }
    script = f"""
import sys, {entry}
{loads[entry]}
from fairseq_plugins import registry
registry.register("sa_nmt")
print(*(module.__file__ for name, module in sys.modules.items()
        if name.startswith(("stages.", "fairseq_plugins")) and module.__file__), sep="\\n")
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    child = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    loaded = {Path(file).relative_to(ROOT).as_posix() for file in child.stdout.split()}
    listed = files(committed(entry)["sa_nmt"])
    assert "fairseq_plugins/models/sa_nmt.py" in loaded
    assert loaded <= set(listed)


# Closure


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("import stages.b", ["b"]),
        ("import os, stages.b as other", ["b"]),
        ("from stages.b import name", ["b"]),
        ("from stages import b, c", ["b", "c"]),
        ("def f():\n    from stages.c import name", ["c"]),
        ("from stages.deep import d", ["deep/__init__", "deep/d", "b"]),
        ("import stages.deep.d", ["deep/__init__", "deep/d", "b"]),
        ("from . import b", ["b"]),
        ("from .deep.d import name", ["deep/__init__", "deep/d", "b"]),
        ("import numpy, fairseq", []),
        ("TEXT = 'import stages.b'", []),
    ],
)
def test_modules_that_a_statement_imports(tmp_path, statement, expected):
    modules = {"a": statement, "b": "", "c": "import stages.a"}
    modules |= {"deep/__init__": "from stages import b", "deep/d": "from . import d"}
    for name, code in modules.items():
        file = tmp_path / "stages" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(code)
    found = Modules(tmp_path).closure(["stages.a"])
    assert found == sorted(Path("stages", f"{name}.py") for name in ["a", *expected])


def test_a_module_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"no module stages\.nothing"):
        Modules(tmp_path).closure(["stages.nothing"])


@pytest.mark.parametrize(
    ("code", "other", "equal"),
    [
        ("x = 1", "x   =  1  # one", True),
        ('def f():\n    """A."""\n    return 1', "def f():\n    return 1", True),
        ('class C:\n    """A."""', 'class C:\n    """Another."""', True),
        ('EOS = 1\n"""What ends."""', "EOS = 1", True),
        ("", '"""An empty package."""', True),
        ("x = 1", "x = 2", False),
        ("x = 'a'", "x = 'b'", False),
        ("f('a')", "f('b')", False),
        ("def f(): return 1", "def g(): return 1", False),
    ],
)
def test_hash_of_code(tmp_path, code, other, equal):
    for name, text in (("a.py", code), ("b.py", other)):
        (tmp_path / name).write_text(text)
    assert (code_hash(tmp_path / "a.py") == code_hash(tmp_path / "b.py")) == equal


def test_the_kernels_in_cpp_count_with_their_package():
    code = Code(ROOT)
    listed = files(code.fingerprint("stages.train", VariantModel(arch="rnnsearch_star")))
    assert "fairseq_plugins/kernels/cpp/gated.cpp" in listed and "fairseq_plugins/kernels/eager.py" in listed
    assert not any("/cpp/" in line for line in code.fingerprint("stages.score"))
