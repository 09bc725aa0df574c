"""dvc.lock of the chosen study alone: what goes where, and that nothing is lost."""

import pytest
import yaml

from stages.files.errors import InputError
from stages.pipeline import lock_text
from stages.pipeline.study_lock import LOCK, PROVENANCE, owned_by, settle
from tests.helpers.paths import ROOT

RUN = {"direction": "forward", "segmentation": "bpe"}
STUDIES = {name: {"study": name, "corpus": corpus, **RUN} for name, corpus in
           {"demo": "demo", "demo-small": "demo-small", "others": "demo"}.items()}  # fmt: skip
OF_DEMO = ["check@demo", "corpus@demo", "train@demo-forward-bpe-a-1", "initialise@x"]
OF_SMALL = ["check@demo-small", "corpus@demo-small", "train@demo-small-forward-bpe-a-1"]


def lock(*names, mark="old"):
    folders = {name: "demo-small" if "small" in name else "demo" for name in names}
    texts = {name: f"  {name}:\n    cmd: work/{folders[name]}/forward-bpe/ {mark}\n" for name in names}
    return lock_text.whole(texts)


def names(path):
    return list(lock_text.entries(path.read_text()))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dvc.yaml").write_text((ROOT / "dvc.yaml").read_text())


def chosen(name):
    return {"studies": STUDIES} | STUDIES[name]


def test_the_entries_of_other_studies_lie_beside_their_reports():
    LOCK.write_text(lock(*OF_DEMO, *OF_SMALL))
    settle(chosen("demo"))
    assert names(LOCK) == OF_DEMO and names(PROVENANCE / "demo-small" / "dvc.lock") == OF_SMALL
    before = LOCK.read_text()
    settle(chosen("demo-small"))
    assert names(LOCK) == OF_SMALL and (PROVENANCE / "demo" / "dvc.lock").read_text() == before
    assert not (PROVENANCE / "demo-small" / "dvc.lock").exists()
    settle(chosen("demo"))
    assert LOCK.read_text() == before


@pytest.mark.parametrize("word", ["../..", 5, None, ["demo"], {}])
@pytest.mark.parametrize("key", ["study", "corpus", "direction", "studies"])
def test_what_is_no_name_becomes_no_path(key, word):
    LOCK.write_text(lock(*OF_DEMO, *OF_SMALL))
    before = LOCK.read_text()
    settle(chosen("demo") | {key: word})
    assert LOCK.read_text() == before and (key == "studies" or not PROVENANCE.exists())


def test_a_study_that_has_none_begins_with_those_of_its_corpus_and_of_its_folder():
    LOCK.write_text(lock(*OF_DEMO))
    settle(chosen("demo-small"))
    assert LOCK.read_text() == lock_text.EMPTY and names(PROVENANCE / "demo" / "dvc.lock") == OF_DEMO
    settle(chosen("demo"))
    settle(chosen("others"))
    assert names(LOCK) == OF_DEMO[1:] and names(PROVENANCE / "demo" / "dvc.lock") == OF_DEMO


def test_what_was_made_last_wins_over_what_lies_beside_the_report():
    (PROVENANCE / "demo").mkdir(parents=True)
    (PROVENANCE / "demo" / "dvc.lock").write_text(lock(*OF_DEMO, "train@demo-forward-bpe-b-1"))
    LOCK.write_text(lock(*OF_DEMO, mark="new"))
    settle(chosen("demo"))
    assert names(LOCK) == [*OF_DEMO, "train@demo-forward-bpe-b-1"] and LOCK.read_text().count("new") == len(OF_DEMO)


def test_what_was_made_last_of_a_shared_folder_serves_both():
    shared = "train@demo-forward-bpe-a-1"
    LOCK.write_text(lock(*OF_DEMO))
    settle(chosen("others"))
    LOCK.write_text(LOCK.read_text().replace("old", "new") + lock("check@others").split("stages:\n")[1])
    settle(chosen("demo"))
    assert lock_text.entries(LOCK.read_text())[shared].endswith("new\n")
    assert shared in names(PROVENANCE / "others" / "dvc.lock")


def test_entries_of_names_that_stages_had_before_are_gone():
    """`train@demo-a-1` named the study, not the folder; a stage that is no longer there says nothing of others."""
    (PROVENANCE / "demo").mkdir(parents=True)
    (PROVENANCE / "demo" / "dvc.lock").write_text(lock(*OF_DEMO, "train@demo-a-1", "bpe@demo", "gone@demo"))
    settle(chosen("demo"))
    assert names(LOCK) == [*OF_DEMO, "gone@demo"]


def test_with_nothing_to_move_no_file_is_touched():
    settle(chosen("demo"))
    assert not LOCK.exists() and not PROVENANCE.exists()


@pytest.mark.parametrize("where", ["here", "beside the report", "beside that of the other"])
@pytest.mark.parametrize("text", ["<<<<<<< ours\n", "stages: {}\n", "schema: '2.0'\nstages:\n  a: b\n", "[]\n", "\n"])
def test_a_lock_file_that_cannot_be_read_is_refused_and_nothing_is_written(where, text):
    paths = {"here": LOCK, "beside the report": PROVENANCE / "demo-small" / "dvc.lock"}
    path = paths.get(where, PROVENANCE / "demo" / "dvc.lock")
    texts = {one: lock(*OF_DEMO) for one in (LOCK, PROVENANCE / "demo-small" / "dvc.lock")} | {path: text}
    for one, content in texts.items():
        one.parent.mkdir(parents=True, exist_ok=True)
        one.write_text(content)
    with pytest.raises(InputError, match=f"^{path} is no lock file of DVC's .*`git checkout HEAD {path}` brings back"):
        settle(chosen("demo-small"))
    assert {one: one.read_text() for one in texts} == texts


def test_entries_beside_a_comment_are_kept_too():
    LOCK.write_text(f"# a note\n{lock(*OF_DEMO)}")
    settle(chosen("demo-small"))
    assert names(PROVENANCE / "demo" / "dvc.lock") == OF_DEMO
    settle(chosen("demo"))
    assert LOCK.read_text() == lock(*OF_DEMO)


def test_anchors_that_plain_dvc_wrote_are_spelt_out():
    """Those of two files may have one name."""
    anchored = "    params: {}\n    one: &id001\n      lr: 0.5\n    two: *id001\n"
    LOCK.write_text(f"{lock('check@demo')}{anchored}")
    (PROVENANCE / "demo").mkdir(parents=True)
    (PROVENANCE / "demo" / "dvc.lock").write_text(f"{lock('train@demo-forward-bpe-a-1')}{anchored}")
    settle(chosen("demo"))
    found = yaml.safe_load(LOCK.read_text())["stages"]
    assert [found[name]["two"] for name in ("train@demo-forward-bpe-a-1", "check@demo")] == [{"lr": 0.5}] * 2
    assert "id001" not in LOCK.read_text()


def test_each_committed_lock_is_that_of_its_study():
    content = yaml.safe_load((ROOT / "params.yaml").read_text())
    definitions = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]
    locks = {content["study"]: ROOT / LOCK} | {
        path.parent.name: path for path in (ROOT / PROVENANCE).glob("*/dvc.lock")
    }
    for study, path in locks.items():
        for name, text in lock_text.entries(path.read_text()).items():
            assert study in owned_by(name, text, definitions, content["studies"]), f"{path}: {name}"
