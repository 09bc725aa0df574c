"""What a training has saved: damaged in every way, it is found out, said in one sentence, and made good."""

import errno
import json
import re
import shutil
from pathlib import Path

import pytest
import torch

from fairseq_plugins import compat
from stages.files.errors import InputError, OutputError
from stages.training import saves as saving
from stages.training.saves import BEST, EPOCHS, LAST, LOG, SUMS, Saves, publish
from tests.helpers.damage import DAMAGES, empty, flip

FILES = (LAST, BEST, EPOCHS, LOG, SUMS)
NAME = "some_system-1-0123456789abcdef"


def state(number: float) -> dict:
    return {"model": {"w": torch.full((50,), float(number))}}


def log_line(number: int) -> str:
    return json.dumps({"log": "train_inner", "update": number}) + "\n"


def made(root: Path, name: str = NAME, first: int = 1, better: tuple[int, ...] = (1, 2, 3)) -> Saves:
    """A training that has saved three times, with a new best model at those of ``better``; the third was logged on."""
    saves = Saves(root / name)
    saves.scratch.mkdir(parents=True)
    for number in (1, 2, 3):
        with (saves.scratch / LOG).open("a") as log:
            log.write(log_line(first * number))
        best = state(-first * number) if number in better else None
        saves.add(state(first * number), [f'{{"epoch": {first * k}}}' for k in range(number)], best)
    with (saves.scratch / LOG).open("a") as log:
        log.write(log_line(first * 4))
    return saves


def restored(saves: Saves, capsys) -> tuple[int | None, str]:
    """The save that training goes on from, as fairseq finds it, and what was printed."""
    saves.restore()
    newest, error = saves.newest(), capsys.readouterr().err
    if newest is None:
        assert not (saves.scratch / LAST).exists()
        return None, error
    assert set(path.name for path in newest.iterdir()) >= {LAST, EPOCHS, LOG, SUMS}
    assert torch.equal(torch.load(saves.scratch / LAST)["model"]["w"], torch.load(newest / LAST)["model"]["w"])
    return int(newest.name), error


def test_the_two_newest_saves_are_kept_and_the_newest_is_gone_on_from(tmp_path, capsys):
    saves = made(tmp_path)
    assert sorted(path.name for path in saves.folder.iterdir()) == ["00000002", "00000003"]
    assert restored(saves, capsys) == (3, "")
    assert saves.file(EPOCHS).read_text().count("\n") == 3
    assert torch.load(saves.file(BEST))["model"]["w"][0] == -3
    assert (saves.scratch / LOG).read_text() == "".join(map(log_line, (1, 2, 3)))


def test_a_best_model_stays_until_there_is_a_better_one(tmp_path, capsys):
    saves = made(tmp_path, better=(1,))
    assert torch.load(saves.file(BEST))["model"]["w"][0] == -1
    assert restored(saves, capsys) == (3, "")


def test_without_links_it_is_copied(tmp_path, capsys, monkeypatch):
    def no_links(*_):
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("os.link", no_links)
    assert restored(made(tmp_path, better=(1,)), capsys) == (3, "")


def test_before_the_first_best_model_there_is_none(tmp_path, capsys):
    saves = made(tmp_path, better=())
    assert restored(saves, capsys) == (3, "")
    with pytest.raises(KeyError):
        saves.sum(BEST)


def test_what_is_written_is_what_fairseq_would_write(tmp_path):
    from fairseq import checkpoint_utils

    saving.write_state(tmp_path / "ours", state(1))
    checkpoint_utils.torch_persistent_save(state(1), str(tmp_path / "theirs"))
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()


# Damage


@pytest.mark.parametrize("kind", DAMAGES)
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_save_is_discarded_with_a_sentence_and_the_one_before_it_gone_on_from(tmp_path, capsys, name, kind):
    saves = made(tmp_path)
    DAMAGES[kind](saves.file(name))
    number, error = restored(saves, capsys)
    assert number == 2
    sentence = rf"warning: {saves.scratch}: discarded save 3 \(.*\); training goes on from save 2\n"
    assert re.fullmatch(sentence, error) and (name in error or name == SUMS)  # a sum may be what was flipped
    assert torch.load(saves.file(BEST))["model"]["w"][0] == -2
    assert restored(saves, capsys) == (2, "")  # it heals


def test_no_flipped_bit_of_the_sums_goes_unnoticed(tmp_path):
    saves = made(tmp_path)
    path, before = saves.file(SUMS), json.loads(saves.file(SUMS).read_text())
    sound = path.read_bytes()
    for place in range(len(sound)):
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 1 << place % 8]) + sound[place + 1 :])
        assert saves._damage(saves.newest()) or json.loads(path.read_text()) == before


@pytest.mark.parametrize("whose", ["an older save", "another training"])
@pytest.mark.parametrize("name", [*FILES, "everything"])
def test_files_of_another_save_are_found_out(tmp_path, capsys, name, whose):
    saves = made(tmp_path)
    other = made(tmp_path / "other", "another_system-1-0123456789abcdef", first=7)
    source = saves.folder / "00000002" if whose == "an older save" else other.file(LAST).parent
    for file in FILES if name == "everything" else [name]:
        saves.file(file).unlink()
        shutil.copy(source / file, saves.newest() / file)
    number, error = restored(saves, capsys)
    assert number == 2 and error.count("\n") == 1 and "discarded save 3 (" in error
    if name == "everything":
        assert f"it is save {2 if whose == 'an older save' else 3} of {source.parents[1].name}" in error


@pytest.mark.parametrize("text", ["[]", "{}", '{"training": 1, "number": 3, "files": []}', '{"a": 1}', "null", "\x00"])
def test_sums_that_are_none(tmp_path, capsys, text):
    saves = made(tmp_path)
    saves.file(SUMS).write_text(text)
    assert restored(saves, capsys)[0] == 2


def test_with_no_sound_save_training_begins_anew(tmp_path, capsys):
    saves = made(tmp_path, better=(1,))
    flip(saves.file(BEST))  # of both saves: it is one file
    number, error = restored(saves, capsys)
    assert number is None and not (saves.scratch / LOG).exists()
    both = rf"discarded save 3 \({BEST} is not what was saved\) and save 2 \({BEST} is not what was saved\)"
    assert re.fullmatch(rf"warning: {saves.scratch}: {both}; training goes on from the beginning\n", error)
    assert restored(saves, capsys) == (None, "")


@pytest.mark.parametrize("kind", DAMAGES)
def test_the_log_is_that_of_the_save_whatever_was_written_since(tmp_path, capsys, kind):
    saves = made(tmp_path)
    DAMAGES[kind](saves.scratch / LOG)
    assert restored(saves, capsys) == (3, "")
    assert (saves.scratch / LOG).read_text() == "".join(map(log_line, (1, 2, 3)))


def test_what_a_killed_save_left_is_no_save(tmp_path, capsys):
    saves = made(tmp_path)
    shutil.copytree(saves.newest(), saves.folder / ".00000004.partial")
    (saves.folder / ".00000004.partial" / SUMS).unlink()
    assert restored(saves, capsys) == (3, "")
    saves.add(state(4), [], None)
    assert sorted(path.name for path in saves.folder.iterdir()) == ["00000003", "00000004"]


def test_a_save_is_on_the_disk_before_the_one_before_it_is_deleted(tmp_path, monkeypatch):
    """So that a power cut finds one."""
    done = []
    monkeypatch.setattr(saving, "sync", lambda folder: done.append(("sync", folder.name)))
    remove = saving.remove
    monkeypatch.setattr(saving, "remove", lambda path: (done.append(("remove", path.name)), remove(path)))
    made(tmp_path)
    assert done == [("sync", "00000001"), ("sync", "00000002"), ("remove", "00000001")]


# Publishing


def test_a_model_that_is_not_what_was_saved_is_not_published(tmp_path):
    saves = made(tmp_path)
    expected = saves.sum(BEST)
    publish(saves.file(BEST), expected, tmp_path / "model.pt")
    assert saving.checksum(tmp_path / "model.pt") == expected
    flip(saves.file(BEST))
    with pytest.raises(InputError, match=rf"{BEST}: not what was saved; run again"):
        publish(saves.file(BEST), expected, tmp_path / "model.pt")


def test_a_copy_that_is_not_what_was_copied_is_not_published(tmp_path, monkeypatch):
    saves = made(tmp_path)
    copy = shutil.copyfile
    monkeypatch.setattr(shutil, "copyfile", lambda source, target: (copy(source, target), flip(target)))
    with pytest.raises(InputError, match=r"model\.pt: not what was written"):
        publish(saves.file(BEST), saves.sum(BEST), tmp_path / "model.pt")


# Disks


def test_a_full_disk_says_how_much_it_takes():
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    large = {"model": {"w": torch.zeros(3 << 20, dtype=torch.uint8)}, "more": [torch.zeros(2 << 18)]}
    with pytest.raises(OutputError, match=r"^/dev/full: no space left .*; free at least 5 MB there and run again$"):
        saving.write_state(full, large)


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "no space left on the disk"), (errno.EIO, "the disk fails"), (errno.EROFS, "cannot be written")],
)
@pytest.mark.parametrize("name", [LAST, BEST, LOG, SUMS])
def test_a_save_that_fails_leaves_those_before_it(tmp_path, capsys, monkeypatch, number, words, name):
    saves = made(tmp_path)

    def fails(path: Path, *_):
        if path.name == name:
            raise OSError(number, "says the disk")
        return original(path, *_)

    if name == LOG:
        original = Path.write_bytes
        monkeypatch.setattr(Path, "write_bytes", fails)
    elif name == SUMS:
        original = saving.write_json
        monkeypatch.setattr(saving, "write_json", fails)
    else:
        original = Path.open
        monkeypatch.setattr(Path, "open", fails)
    with pytest.raises(OutputError, match=rf"{saves.folder}/.*00000004.*{words} \(says the disk\)"):
        saves.add(state(4), [], state(-4))
    monkeypatch.undo()
    assert sorted(path.name for path in saves.folder.iterdir()) == ["00000002", "00000003"]
    assert restored(saves, capsys) == (3, "")


def test_an_error_that_is_not_the_disks_stays_what_it_is(tmp_path):
    class Unsaveable:
        def __reduce__(self):
            raise TypeError("says the object")

    with pytest.raises(TypeError, match="says the object"):
        saving.write_state(tmp_path / "file", {"model": Unsaveable()})


def test_saves_hold_nothing_that_could_run_code(tmp_path):
    """The checks of checkpoints hold for those of saves as well: they are read by way of fairseq."""
    saves = made(tmp_path)
    (saves.scratch / LAST).write_bytes(b"cos\nsystem\n(S'true'\ntR.")
    with pytest.raises(compat.CheckpointError, match="could run code"):
        compat.load_checkpoint(saves.scratch / LAST)


def test_an_emptied_save_folder_is_discarded(tmp_path, capsys):
    saves = made(tmp_path)
    for path in saves.newest().iterdir():
        empty(path)
    assert restored(saves, capsys)[0] == 2
