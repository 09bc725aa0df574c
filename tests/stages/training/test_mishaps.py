"""What a training does where fairseq alone would lose work, or end in a traceback."""

import fcntl
import os
import signal
import sys
import time

import pytest

from fairseq_plugins import compat
from stages.files.errors import InputError
from stages.files.scratch import scratch_folder
from stages.training import loop
from stages.training.loop import Loop
from stages.training.saves import Saves
from tests.helpers import tiny

from fairseq.tasks.translation import TranslationTask
from fairseq.trainer import Trainer


def test_a_training_under_way_keeps_its_folder(tmp_path):
    """That another one with other settings would replace."""
    running = scratch_folder(tmp_path, "star-1", ["lr 1"], [])
    (running / "work").touch()
    with (running / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(InputError, match="another process is training there"):
            scratch_folder(tmp_path, "star-1", ["lr 2"], [])
    assert (running / "work").exists() and list(tmp_path.iterdir()) == [running]
    assert scratch_folder(tmp_path, "star-1", ["lr 2"], []) != running and not running.exists()


@pytest.mark.training
def test_a_diverging_training_is_one_sentence(tmp_path, monkeypatch):
    def diverge(trainer, samples, raise_oom=False):
        open(os.path.join(trainer.cfg.checkpoint.save_dir, "crash.pt"), "w").close()
        raise FloatingPointError("gradients are Nan/Inf")

    monkeypatch.setattr(Trainer, "train_step", diverge)
    with pytest.raises(InputError, match=r"one_epoch-1: the training diverges: .*lower lr") as error:
        tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out")
    assert "\n" not in str(error.value)
    assert not list((tmp_path / "scratch").rglob("crash.pt"))


@pytest.mark.training
@pytest.mark.parametrize("said", ["CUDA out of memory. Tried to", "DefaultCPUAllocator: can't allocate memory"])
def test_an_update_that_memory_does_not_suffice_for_is_not_left_out(tmp_path, monkeypatch, said):
    """By fairseq it would be, and the training end as if nothing had been."""
    step, updates = TranslationTask.train_step, []

    def every_second(task, *arguments, **options):
        updates.append(1)
        if len(updates) % 2 == 0:
            raise RuntimeError(said)
        return step(task, *arguments, **options)

    monkeypatch.setattr(TranslationTask, "train_step", every_second)
    with pytest.raises(InputError, match=r"^one_epoch-1: memory does not suffice for an update; .* max_tokens"):
        tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out")
    assert len(updates) == 2 and not list((tmp_path / "scratch").rglob("crash.pt"))


@pytest.mark.training
def test_an_epoch_is_timed_from_its_first_update(tmp_path, monkeypatch):
    """Starting up takes seconds, an epoch here less than a minute of the clock that is set."""
    begin, journals = Trainer.begin_epoch, []

    def late(trainer, epoch):
        begin(trainer, epoch)
        monkeypatch.setattr(time, "monotonic", lambda now=time.monotonic: now() + 1000)

    monkeypatch.setattr(Trainer, "begin_epoch", late)
    monkeypatch.setattr(Loop, "_close_epoch", lambda self, *_, **__: (journals.append(self.epoch_seconds), sys.exit()))
    with pytest.raises(SystemExit):
        tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out")
    assert 0 < journals[0] < 900


@pytest.mark.training
def test_gpus_that_do_not_agree_are_no_divergence(tmp_path, monkeypatch):
    def differ(trainer, samples, raise_oom=False):
        raise FloatingPointError(
            "Fatal error: gradients are inconsistent between workers. Try --ddp-backend=legacy\n---"
        )

    monkeypatch.setattr(Trainer, "train_step", differ)
    with pytest.raises(InputError, match=r"^one_epoch-1: .* inconsistent between workers.*; use GPUs of one kind, or"):
        tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out")


@pytest.mark.training
def test_sigterm_while_progress_is_told_is_answered_after_a_save(tmp_path, monkeypatch):
    monkeypatch.setattr(loop, "REPORT_SECONDS", 0.0)
    monkeypatch.setattr(Loop, "_report", lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    with pytest.raises(SystemExit) as ending:
        tiny.train("rnnsearch_star", tmp_path / "scratch", tmp_path / "out")
    assert ending.value.code == 128 + signal.SIGTERM
    (folder,) = (tmp_path / "scratch").iterdir()
    state = compat.load_checkpoint(Saves(folder).file("checkpoint_last.pt"))
    assert state["optimizer_history"][-1]["num_updates"] == 2


@pytest.mark.training
def test_parameters_are_counted_whatever_the_last_update_did(tmp_path, monkeypatch):
    """An overflow of fp16 leaves no gradient behind."""
    close = Loop._close_epoch

    def after_an_overflow(self, trainer, *arguments, **options):
        for weight in trainer.get_model().parameters():
            weight.grad = None
        close(self, trainer, *arguments, **options)

    monkeypatch.setattr(Loop, "_close_epoch", after_an_overflow)
    folder = tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out")
    assert tiny.record(folder)["parameters"] == tiny.record(tiny.trained("one_epoch"))["parameters"] > 0
