"""What is carried to a machine with a GPU, and what comes back: within its limits, and in its place."""

import os
import tarfile
from pathlib import Path

import pytest
import yaml

from benchmarks.gpu.queue import __main__ as command
from benchmarks.gpu.queue import left, pack, results
from benchmarks.gpu.queue.items import archive, items, settings
from stages.files.errors import InputError
from stages.files.records import write_json
from stages.releasing.results_file import KEYS, results_path, write_results
from stages.releasing.training import Training
from stages.settings.systems import study_systems

MIB = 2**20


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def prepared(tmp_path) -> Path:
    """The item `words-lvnmt`: its files are small, but for one that two systems have."""
    folder, run = tmp_path / "work/gpu-queue/words-lvnmt", "work/hansards-en-fr-words/forward-words"
    texts = {
        "params.yaml": yaml.safe_dump(settings(items(smoke=False)["words-lvnmt"], smoke=False)),
        "commit": "0123456789abcdef\n",
        "left.json": '[["lvnmt_covemb_gru", 2], ["lvnmt", 1]]',
        "work/manifest/train/lvnmt": "code",
        "work/hansards-en-fr-words/corpus/train.en": "text",
        f"{run}/bin/train.bin": "binary",
        f"{run}/bin-reverse/train.bin": "not read",
        f"{run}/candidates.tsv": "copied below",
        f"{run}/scratch/lvnmt-1/save.pt": "under way",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for system in ("lvnmt", "lvnmt_covemb_gru"):
        (folder / run / "supervision" / system).mkdir(parents=True)
        (folder / run / "supervision" / system / "candidates.tsv").write_bytes(NOISE)
    (folder / "stages").symlink_to(tmp_path)
    return folder


NOISE = os.urandom(MIB)


def test_a_tree_is_code_without_reports_and_what_trainings_read(queue, prepared, tmp_path, capsys):
    queue("pack", "words-lvnmt", "graphs", "--to", str(tmp_path / "tree"))
    assert {path.name for path in (tmp_path / "tree").iterdir()} >= {"benchmarks", "stages", "tests", "work", "commit"}
    assert not (tmp_path / "tree/reports").exists()
    there = size(tmp_path / "tree") / MIB
    assert f"tree: {there:.1f} of 64 MiB (code " in capsys.readouterr().out
    assert 1.0 < size(tmp_path / "tree/work") / MIB < 1.2, "of two files that are the same one is kept"
    with tarfile.open(tmp_path / "tree/work/gpu-queue/words-lvnmt.tar.xz") as tar:
        names = tar.getnames()
    assert len(names) == 8 and not [name for name in names if "reverse" in name or "scratch" in name]
    assert there < 16, "most of it is for wheels and text"


@pytest.mark.parametrize("most", ["0.5", "1.5"])
def test_more_than_may_be_carried_is_refused(queue, prepared, tmp_path, most):
    """Code has some MiB."""
    with pytest.raises(
        InputError, match=rf"would have \d+\.\d MiB \(code .* words-lvnmt 1\.0\), more than {most}; pack less"
    ):
        queue("pack", "words-lvnmt", "--to", str(tmp_path / "tree"), "--mib", most)
    assert not (tmp_path / "tree").exists() and not list(tmp_path.glob(".tree*"))


def test_wheels_travel_too(queue, prepared, tmp_path, monkeypatch):
    monkeypatch.setattr(pack, "ROOT", tmp_path)
    monkeypatch.setattr(pack, "WHEELS", tmp_path / "work/gpu-wheels")
    monkeypatch.setattr(pack, "_code", lambda: [])
    (tmp_path / "work/gpu-wheels").mkdir()
    (tmp_path / "work/gpu-wheels/fairseq-1-none-any.whl").write_bytes(NOISE)
    queue("pack", "graphs", "--to", str(tmp_path / "tree"), "--mib", "1")
    assert (tmp_path / "tree/work/gpu-wheels/fairseq-1-none-any.whl").read_bytes() == NOISE
    with pytest.raises(InputError, match=r"wheels 1\.0, words-lvnmt 1\.0"):
        queue("pack", "words-lvnmt", "--to", str(tmp_path / "tree"), "--mib", "1")


def test_what_is_not_prepared_is_not_packed(queue, tmp_path):
    with pytest.raises(
        InputError, match=r"words-lvnmt is not prepared; run `python -m benchmarks\.gpu\.queue prepare words-lvnmt`"
    ):
        queue("pack", "words-lvnmt", "--to", str(tmp_path / "tree"))


def test_beside_the_gpu_its_list_says_what_is_left_and_what_is_saved_stays(queue, prepared, tmp_path, monkeypatch):
    """Carried a second time it takes the place of nothing."""
    queue("pack", "words-lvnmt", "--to", str(tmp_path / "tree"))
    monkeypatch.setattr(left, "ROOT", tmp_path / "tree")
    for module in (left, pack, command):
        monkeypatch.setattr(module, "FOLDER", tmp_path / "tree/work/gpu-queue")
    pack.unpacked("words-lvnmt")
    folder, item = tmp_path / "tree/work/gpu-queue/words-lvnmt", items(smoke=False)["words-lvnmt"]
    for system in ("lvnmt", "lvnmt_covemb_gru"):
        within = f"work/hansards-en-fr-words/forward-words/supervision/{system}/candidates.tsv"
        assert (folder / within).read_bytes() == NOISE
    assert left.left("words-lvnmt", item, smoke=False) == [("lvnmt_covemb_gru", 2), ("lvnmt", 1)]
    made = folder / archive(study_systems(settings(item, smoke=False)), Training("lvnmt", 1))
    made.parent.mkdir(parents=True)
    made.touch()
    pack.unpacked("words-lvnmt")
    assert left.left("words-lvnmt", item, smoke=False) == [("lvnmt_covemb_gru", 2)]


def test_at_home_the_list_is_made_of_what_is_there(queue, prepared):
    """A seed that was asked for since is left."""
    assert len(left.left("words-lvnmt", items(smoke=False)["words-lvnmt"], smoke=False)) > 2


def test_what_can_run_is_run(queue, prepared, tmp_path, monkeypatch):
    """An item that was not carried is not waited for."""
    done = {part: {"failure": None} for item in items(smoke=False).values() for part in item.parts}
    write_json(tmp_path / "gpu.json", {"parts": done})
    monkeypatch.setattr(left, "PAGES", tmp_path)
    monkeypatch.setattr(command, "missing", lambda: None)
    monkeypatch.setattr(command, "_train", lambda name, wanted, args: [f"{name} fails"])
    with pytest.raises(SystemExit) as end:
        queue("next")
    assert end.value.code is True
    del done["training"]
    write_json(tmp_path / "gpu.json", {"parts": done})
    monkeypatch.setattr(command, "_parts", lambda item, args: 0)
    with pytest.raises(SystemExit) as end:
        queue("next")
    assert end.value.code is False, "the part makes its text"
    monkeypatch.setattr(command, "PACKED", prepared)
    with pytest.raises(SystemExit) as end:
        queue("next")
    assert end.value.code is True
    write_json(tmp_path / "gpu.json", {"parts": done | {"training": {"failure": None}}})
    (prepared / "commit").unlink()
    with pytest.raises(InputError, match="seeds-hansards is not prepared"):
        queue("next")


@pytest.mark.parametrize("arguments", [["next", "words", "aims"], ["unpack"], ["unpack", "a", "b"]])
def test_one_at_a_time(queue, arguments, capsys):
    with pytest.raises(SystemExit):
        queue(*arguments)
    assert f"{arguments[0]} takes one" in capsys.readouterr().err


# Results


def result(seed: int, variant: str = "rnnsearch", of: str | None = None, more: bytes = b"") -> Path:
    path = results_path("hansards-en-fr", "forward", "bpe", of or variant, seed)
    about = dict.fromkeys(KEYS) | {"variant": variant, "seed": seed, "settings": {}}
    write_results(path, about, {"training.json": b"{}", "curve.csv": more, "scores.json": b"{}"})
    return path


@pytest.fixture
def home(monkeypatch, tmp_path) -> Path:
    """The project; the working directory is the folder of an item."""
    (tmp_path / "item").mkdir()
    monkeypatch.chdir(tmp_path / "item")
    for name in ("ROOT", "PAGES"):
        monkeypatch.setattr(results, name, tmp_path / "home")
    return tmp_path / "home"


def test_results_come_back_in_few_files_that_are_not_too_large(home, tmp_path):
    """The newest in the first one; all where a release has them."""
    made = [result(seed, more=os.urandom(60_000)) for seed in range(1, 10)]
    for age, path in enumerate(made):
        os.utime(path, (1e9 - age, 1e9 - age))
    results.hand_back(reversed(made), tmp_path / "out", most=0.2)
    files = sorted(path.relative_to(tmp_path / "out") for path in (tmp_path / "out").rglob("*"))
    assert [str(path) for path in files] == ["part-1.tar", "part-2.tar", "part-3.tar"]
    assert all((tmp_path / "out" / path).stat().st_size <= 0.2 * MIB for path in files)
    with tarfile.open(tmp_path / "out/part-1.tar") as tar:
        assert tar.getnames() == [str(path) for path in made[:3]]
    (tmp_path / "out/gpu.json").write_text("{}")
    (tmp_path / "out/gpu.md").write_text("# On a GPU")
    home.mkdir()
    for _ in range(2):  # again, and nothing changes
        results.take_back(tmp_path / "out")
        assert all((home / path).read_bytes() == path.read_bytes() for path in made)
    assert (home / "gpu.json").read_text() == "{}" and (home / "gpu.md").exists()


def test_a_result_that_no_part_has_room_for_is_named(home, tmp_path):
    path = result(1, more=os.urandom(300_000))
    with pytest.raises(InputError, match=f"{path} has 0.3 MiB, more than a part may have; give --part-mib"):
        results.hand_back([result(2), path], tmp_path / "out", most=0.2)


def part(folder: Path, name: str, data: bytes) -> None:
    folder.mkdir(exist_ok=True)
    source = folder / "source"
    source.write_bytes(data)
    with tarfile.open(folder / "part-1.tar", "w") as tar:
        tar.add(source, name)


GOOD = "reports/released/hansards-en-fr/forward-bpe/rnnsearch-1.tar.xz"
ODD = ("reports/released/../../x.tar.xz", "/etc/x", "reports/released/hansards-en-fr/x-1.tar.xz", "part-2.tar")


@pytest.mark.parametrize("name", ODD)
def test_a_file_in_another_place_is_not_taken(home, tmp_path, name):
    part(tmp_path / "out", name, result(1).read_bytes())
    with pytest.raises(InputError, match="which is no result"):
        results.take_back(tmp_path / "out")


def test_a_result_that_is_damaged_or_of_another_training_is_not_taken(home, tmp_path):
    out, good = tmp_path / "out", result(1).read_bytes()
    part(out, GOOD, good[:-20])
    with pytest.raises(InputError, match=r"rnnsearch-1\.tar\.xz"):
        results.take_back(out)
    part(out, GOOD, result(1, variant="ba_nmt", of="rnnsearch").read_bytes())
    with pytest.raises(InputError, match=r"rnnsearch-1\.tar\.xz is of ba_nmt-1"):
        results.take_back(out)
    (out / "part-1.tar").write_bytes(b"x" * 600)
    with pytest.raises(InputError, match=r"is damaged .*; bring it back again"):
        results.take_back(out)
    (out / "part-1.tar").unlink()
    with pytest.raises(InputError, match=r"has no part-1\.tar, and no gpu\.json"):
        results.take_back(out)
    assert not home.exists()


def test_a_result_that_is_there_already_is_not_replaced(home, tmp_path):
    out, good = tmp_path / "out", result(1).read_bytes()
    part(out, GOOD, good)
    results.take_back(out)
    part(out, GOOD, result(1, more=b"other").read_bytes())
    with pytest.raises(InputError, match=r"holds another .* than is there; delete one of them"):
        results.take_back(out)
    assert (home / GOOD).read_bytes() == good
