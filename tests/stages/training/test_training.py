"""The train stage, on a miniature corpus: what it leaves, and that a kill changes none of it."""

import errno
import fcntl
import json
import math
import re
import shutil
import signal
from pathlib import Path

import pandas as pd
import pytest
import torch

from fairseq_plugins import compat
from stages.files.errors import InputError
from stages.files.scratch import alone, discard_ended, end, scratch_folder
from stages.training import device
from stages.training.loop import Loop
from stages.training.saves import Saves
from stages.translating.load import load_system
from stages.translating.translations import read_translations
from tests.attack.outputs import TIMES
from tests.helpers import tiny
from tests.helpers.started import started

COLUMNS = ["epoch", "updates", "train_loss", "train_ppl", "dev_ppl", "dev_bleu", "tokens_per_second", "wall_seconds"]


def curve(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "curve.csv")


def logged(folder: Path) -> list[dict[str, str]]:
    """log.jsonl, but for what depends on the clock."""
    rows = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    return [{key: value for key, value in row.items() if not TIMES.fullmatch(key)} for row in rows]


# What a run leaves


@pytest.mark.training
def test_a_run_leaves_a_model_a_log_a_curve_and_a_record():
    folder = tiny.trained("rnnsearch_star")
    assert {path.name for path in folder.iterdir()} == {"model.pt", "log.jsonl", "curve.csv", "training.json"}
    epochs, record = curve(folder), tiny.record(folder)
    assert list(epochs.columns) == COLUMNS
    assert list(epochs["epoch"]) == list(range(1, tiny.EPOCHS + 1))
    assert (epochs[COLUMNS] >= 0).all(axis=None)
    assert epochs["updates"].is_monotonic_increasing and epochs["wall_seconds"].is_monotonic_increasing
    assert (record["variant"], record["seed"]) == ("rnnsearch_star", tiny.SEED)
    assert (record["epochs"], record["updates"]) == (tiny.EPOCHS, epochs["updates"].iloc[-1])
    assert record["best_dev_bleu"] == epochs["dev_bleu"].max()
    assert record["best_epoch"] == epochs["epoch"][epochs["dev_bleu"].idxmax()]
    assert record["wall_seconds"] == epochs["wall_seconds"].iloc[-1]
    assert record["train_tokens_per_second"] == epochs["tokens_per_second"].median()
    assert {"python", "torch", "fairseq"} <= record["versions"].keys()
    assert record["machine"]["threads"] == 1
    kinds = [row["log"] for row in logged(folder)]
    assert kinds.count("valid") == kinds.count("train") == tiny.EPOCHS


@pytest.mark.training
@pytest.mark.parametrize("variant", ["rnnsearch_star", "my_combination", "rnnencdec", "transformer", "sgd"])
def test_parameters_are_counted_once(variant):
    folder = tiny.trained(variant)
    model = load_system(folder / "model.pt", tiny.study() / tiny.DATA).model
    copies = "in_proj|out_proj|fc1|fc2"  # what fairseq's encoder layers hold for a faster inference, e.g. fc1_weight
    counted = [p for name, p in model.named_parameters() if not re.search(rf"\.({copies})_(weight|bias)$", name)]
    assert tiny.record(folder)["parameters"] == sum(parameter.numel() for parameter in counted)


@pytest.mark.training
def test_the_model_is_that_of_the_best_epoch():
    folder = tiny.trained("rnnsearch_star")
    saved = tiny.checkpoint(folder)["extra_state"]["train_iterator"]["epoch"]
    assert saved == tiny.record(folder)["best_epoch"] > 1  # else the tests below compare barely trained models


@pytest.mark.training
def test_training_learns():
    epochs = curve(tiny.trained("rnnsearch_star"))
    assert epochs["dev_ppl"].iloc[-1] < epochs["dev_ppl"].iloc[0]


@pytest.mark.training
def test_what_dvc_did_not_record_is_not_trained_again(tmp_path, monkeypatch):
    """DVC deletes a result that it has not recorded, as of a runner that was killed between its end and the record."""
    first = tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out")
    kept = shutil.move(first, tmp_path / "lost")
    monkeypatch.setattr(Loop, "run", lambda *_: pytest.fail("trained again"))
    tiny.assert_same(tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out"), kept)


def test_what_dvc_has_recorded_leaves_no_scratch_folder(tmp_path):
    for name, seed in (("star", 1), ("star", 11), ("star_long", 1)):
        end(scratch_folder(tmp_path, f"{name}-{seed}", [], []))
    under_way = scratch_folder(tmp_path, "star-2", [], [])
    for seed in (1, 2):
        discard_ended(tmp_path, f"star-{seed}")
    names = sorted(path.name.rpartition("-")[0] for path in tmp_path.iterdir())
    assert names == ["star-11", "star-2", "star_long-1"] and under_way.exists()


@pytest.mark.training
@pytest.mark.parametrize("variant", ["my_combination", "rnnencdec", "transformer", "transformer_aligned"])
def test_every_kind_of_system_trains(variant):
    record = tiny.record(tiny.trained(variant))
    assert record["epochs"] == 1 and record["parameters"] > 0


@pytest.mark.training
def test_a_combination_needs_no_python():
    names = tiny.checkpoint(tiny.trained("my_combination"))["model"]
    assert {name.split(".")[3] for name in names if ".terms." in name} == {"source_history", "target_history"}


@pytest.mark.training
def test_a_training_with_rounded_products_keeps_weights_and_moments_in_fp32():
    rounded, exact = (tiny.trained(variant) for variant in ("rounded", "rnnsearch_star"))
    assert {weight.dtype for weight in tiny.checkpoint(rounded)["model"].values()} == {torch.float32}
    assert not tiny.same_weights(rounded, exact)
    assert curve(rounded)["dev_ppl"].iloc[-1] == pytest.approx(curve(exact)["dev_ppl"].iloc[-1], rel=0.02)


# Kills


@pytest.mark.training
@pytest.mark.parametrize(
    ("variant", "moment", "call", "undisturbed"),
    [
        ("often_saved", "Loop._save", 4, "rnnsearch_star"),  # in the midst of the first epoch
        ("often_saved", "Loop._best", 2, "rnnsearch_star"),  # before the best checkpoint is saved
        ("often_saved", "saves.write_state", 20, "rnnsearch_star"),  # between the last checkpoint and the best one
        ("often_saved", "saves.write_json", 20, "rnnsearch_star"),  # before the save of the first epoch has its name
        ("often_saved", "Loop._close_epoch", 1, "rnnsearch_star"),  # once the first epoch is saved
        ("often_saved", "saves.sync", 21, "rnnsearch_star"),  # between the new save and the end of an old one
        ("one_epoch", "Journal.append", 1, "one_epoch"),  # before the end of training is saved
        ("one_epoch", "Saves.add", 20, "one_epoch"),  # as soon as the history says that training is over
        ("adadelta", "Loop._save", 12, "adadelta"),  # in the midst of the second epoch
        ("sgd", "Loop._save", 12, "sgd"),  # the same, with a rate that has been halved
        ("rounded_often_saved", "Loop._save", 4, "rounded"),
        ("half_often_saved", "Loop._save", 4, "half"),
        ("transformer_often_saved", "Loop._save", 4, "transformer"),
    ],
)
def test_a_killed_run_ends_as_an_undisturbed_one(tmp_path, variant, moment, call, undisturbed):
    scratch, expected = tmp_path / "scratch", tiny.trained(undisturbed)
    tiny.train_until_killed(variant, scratch, moment, call)
    assert list(scratch.glob("*/saves/*/checkpoint_last.pt"))
    resumed = tiny.train(variant, scratch, tmp_path / "out")
    tiny.assert_same(resumed, expected)
    assert logged(resumed) == logged(expected)
    if variant == "often_saved":  # an epoch that was begun was not repeated from its start
        assert curve(resumed)["tokens_per_second"].isna().sum() == (moment != "Loop._close_epoch")


@pytest.mark.training
def test_sigterm_saves_and_nothing_is_done_twice(tmp_path):
    """In the midst of an epoch, long before a save is due."""
    variant, scratch, expected = "rnnsearch_star", tmp_path / "scratch", tiny.trained("rnnsearch_star")
    updates = curve(expected)["updates"].iloc[0]
    said = tiny.train_until_killed(variant, scratch, "Loop._time_update", updates + 2, signal.SIGTERM)
    assert said.strip().splitlines()[-1].endswith("stopped by SIGTERM and saved; run again to go on from there")
    (folder,) = (path.parent for path in scratch.glob("*/saves"))
    state = compat.load_checkpoint(Saves(folder).file("checkpoint_last.pt"))
    assert state["extra_state"]["train_iterator"]["iterations_in_epoch"] == 2
    assert state["optimizer_history"][-1]["num_updates"] == updates + 2
    tiny.assert_same(tiny.train(variant, scratch, tmp_path / "out"), expected)


@pytest.mark.training
def test_patience_counts_the_epochs_before_a_kill(tmp_path, monkeypatch):
    class Kill(BaseException):
        pass

    def die(loop, trainer, epoch_itr, best=None):
        save(loop, trainer, epoch_itr, best)
        if epoch_itr.epoch == 2 and not epoch_itr.end_of_epoch():
            raise Kill

    save = Loop._save
    monkeypatch.setattr(Loop, "_save", die)
    with pytest.raises(Kill):
        tiny.train("never_better", tmp_path, tmp_path / "out")
    monkeypatch.undo()
    record = tiny.record(tiny.train("never_better", tmp_path, tmp_path / "out"))
    assert (record["epochs"], record["best_epoch"]) == (3, 1)


READ = {"bpe": tiny.BPE, "data": tiny.DATA, "supervision": tiny.SUPERVISION / "one_epoch"}


@pytest.mark.training
def test_a_training_with_another_setting_or_input_begins_afresh(tmp_path, monkeypatch):
    """And what it had so far is deleted, but not that of another seed."""
    scratch = tmp_path / "scratch"
    (scratch / "one_epoch-11-of another seed").mkdir(parents=True)
    found = [started("one_epoch", scratch).folder]
    for name, folder in READ.items():
        other = shutil.copytree(tiny.study() / folder, tmp_path / name)
        found.append(started("one_epoch", scratch, **{name: other}).folder)
        (other / "more.log").write_text("what it said", encoding="utf-8")
        assert started("one_epoch", scratch, **{name: other}).folder == found[-1]
        for text in ("one", "two"):
            (other / "another file").write_text(text, encoding="utf-8")
            found.append(started("one_epoch", scratch, **{name: other}).folder)
    (tmp_path / "code").write_text("other code", encoding="utf-8")
    found.append(started("one_epoch", scratch, code=tmp_path / "code").folder)
    monkeypatch.setattr("stages.training.device.training_here", longer(device.training_here))
    found.append(started("one_epoch", scratch).folder)
    # a copy is the same as what it was copied from, but for the data, whose path is a setting
    assert len(set(found)) == len(found) - 2
    assert sorted(scratch.iterdir()) == sorted([found[-1], scratch / "one_epoch-11-of another seed"])


def longer(training_here):
    """The same with an epoch more."""

    def changed(*args):
        settings, chosen, said = training_here(*args)
        return settings.model_copy(update={"max_epoch": settings.max_epoch + 1}), chosen, said

    return changed


@pytest.mark.training
def test_two_processes_do_not_train_in_one_folder(tmp_path, monkeypatch):
    """A training that outlived its `make repro` keeps its scratch folder to itself."""

    def meanwhile(scratch, *_):
        with (scratch / "lock").open("w") as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        raise KeyboardInterrupt

    monkeypatch.setattr("stages.training.run.train_in", meanwhile)
    with pytest.raises(KeyboardInterrupt):
        tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out")
    monkeypatch.undo()
    (scratch,) = (tmp_path / "scratch").iterdir()
    with (scratch / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(InputError, match="another process is training there"):
            tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out")


def test_a_file_system_without_locks_is_named(tmp_path, monkeypatch):
    def none(*_):
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr("fcntl.flock", none)
    with pytest.raises(InputError, match=f"^{tmp_path}/lock: files cannot be locked"), alone(tmp_path):
        pass


@pytest.mark.training
@pytest.mark.parametrize("variant", ["rnnsearch_star", "short_and_annealed"])
def test_dev_perplexity_of_the_checkpoint_is_that_of_forced_decoding(variant):
    """Of all of dev, whatever is left out of training: so curves, directions and systems compare."""
    folder, best = tiny.evaluated(variant), tiny.record(tiny.trained(variant))["best_epoch"]
    logs = [p for one in read_translations(folder / "dev.forced.jsonl") for p in one.log_probabilities]
    row = curve(tiny.trained(variant)).set_index("epoch").loc[best]
    assert row.dev_ppl == pytest.approx(math.exp(-math.fsum(logs) / len(logs)), abs=0.006)  # fairseq rounds
    assert abs(row.dev_ppl - row.train_ppl) > 0.1


@pytest.mark.training
def test_perplexity_is_that_of_the_loss():
    epochs = curve(tiny.trained("rnnsearch_star"))  # without label smoothing, which the loss alone has
    for row in epochs.itertuples():
        assert math.isclose(2**row.train_loss, row.train_ppl, rel_tol=0.01)  # fairseq rounds
