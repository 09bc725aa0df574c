"""The manifest stage: each stage's code, of training and evaluation system by system."""

import contextlib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

from stages import manifest
from stages.files.text import read_lines
from stages.pipeline import packages
from stages.pipeline.fingerprint import Code
from stages.settings.variants import VariantModel
from tests.helpers import tiny
from tests.helpers.paths import ROOT

SYSTEMS = {
    "plain": {"arch": "ba_nmt"},
    "combination": {"arch": "attnmt", "terms": ["markov_bias"]},
    "of_fairseq": {"arch": "transformer"},
}
CODE = Code(ROOT)


@pytest.fixture(scope="module")
def out(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    content = tiny.params() | {"variants": SYSTEMS}
    (folder / "params.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    for package in ("stages", "fairseq_plugins"):
        (folder / package).symlink_to(ROOT / package)
    with contextlib.chdir(folder):
        manifest.manifest(Path("out"))
    return folder / "out"


def test_every_stage_script_has_its_list(out):
    scripts = {path.stem for path in (ROOT / "stages").glob("[!_]*.py")}
    assert {path.name for path in out.iterdir()} == scripts
    for stage in scripts - set(manifest.SYSTEM_BY_SYSTEM):
        listed = read_lines(out / stage)
        assert list(listed) == [*CODE.fingerprint(f"stages.{stage}"), *CODE.packages(f"stages.{stage}")]
        assert any(line.startswith(f"stages/{stage}.py ") for line in listed)


@pytest.mark.parametrize("stage", manifest.SYSTEM_BY_SYSTEM)
@pytest.mark.parametrize("name", SYSTEMS)
def test_training_and_evaluation_have_one_for_each_system(out, stage, name):
    listed = list(read_lines(out / stage / name))
    model = VariantModel(**SYSTEMS[name])
    packages = [] if stage == "train" else CODE.packages(f"stages.{stage}")
    assert listed == [*CODE.fingerprint(f"stages.{stage}", model), *packages]
    named = f"fairseq_plugins/models/{model.arch}.py "
    assert any(line.startswith(named) for line in listed) == (name != "of_fairseq")
    assert {path.name for path in (out / stage).iterdir()} == set(SYSTEMS)


def test_scores_do_not_depend_on_models(out):
    assert not any("fairseq_plugins/models" in line for line in read_lines(out / "score"))


def test_tables_and_parts_of_the_page_count_for_the_report(out):
    listed = {line.split()[0] for line in read_lines(out / "report")}
    assert {"stages/reporting/papers/xue-2019.yaml", "stages/reporting/page/web/page.html"} <= listed


def test_the_packages_that_compute_are_listed_and_another_version_of_one_concerns_who_computes_with_it(monkeypatch):
    """Also those that no import statement names; and a machine without Thot takes no result from one that has it."""
    scripts = [path.stem for path in (ROOT / "stages").glob("[!_]*.py")]
    before = {stage: CODE.packages(f"stages.{stage}") for stage in scripts}
    assert [line.split("==")[0] for line in before["corpus"]] == ["jieba", "sacrebleu", "sacremoses"]
    for package, stages in {
        "eflomal": {"wordalign"},
        "sil-thot": {"thotalign", "smt"},
        "subword-nmt": {"bpe"},
        "sacremoses": {"corpus", "score", "score_smt", "report", "training_sizes"},
    }.items():
        other = {package: "none" if package == "sil-thot" else "9.9"}
        monkeypatch.setattr(packages, "_version", lambda name, other=other: other.get(name) or version(name))
        after = {stage: CODE.packages(f"stages.{stage}") for stage in scripts}
        assert {stage for stage in scripts if after[stage] != before[stage]} == stages
        assert all(f"{package}=={other[package]}" in after[stage] for stage in stages)


def test_every_package_that_may_be_listed_is_locked():
    locked = {line.partition("==")[0] for line in read_lines(ROOT / "requirements.lock")}
    assert {*packages.IMPORTED.values(), *packages.CALLED.values()} <= locked
    assert all((ROOT / file).is_file() for file in packages.CALLED)
