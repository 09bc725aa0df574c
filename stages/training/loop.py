"""fairseq's training, with the checkpoint chosen by dev BLEU and with exact resumption after a kill."""

import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partialmethod
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch import Tensor

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from fairseq_plugins.core.graphs import Replayed, on_one_stream, replay
from stages.files.errors import InputError
from stages.settings.training import Training
from stages.training.hints import hints
from stages.training.journal import Epoch, Journal, log_epoch
from stages.training.length_limit import left_out, training_pairs_within
from stages.training.master_weights import master_weights, master_weights_restored
from stages.training.process_group import ALONE, ProcessGroup
from stages.training.saves import Saves
from stages.translating.decoding import all_words

import fairseq_cli.train
from fairseq import metrics, utils
from fairseq.models import FairseqEncoderDecoderModel
from fairseq.trainer import Trainer

DevBleu = Callable[[FairseqEncoderDecoderModel], float]

REPORT_SECONDS = 15.0
OUT_OF_MEMORY = ("out of memory", "can't allocate memory")
"""What torch says on a GPU and on a CPU."""
WITHOUT_GRAPHS = "without_graphs"
"""In the scratch folder: why CUDA graphs were switched off, if they were."""
UNUSED = re.compile(r"encoder\.layers\.\d+\.(in_proj|out_proj|fc1|fc2)_(weight|bias)$|\._float_tensor$")


class Loop:
    """Stands in for fairseq's ``validate_and_save``, which is called after every update.

    fairseq's own keeps its early-stopping counter in a function attribute (lost when killed), saves by copying, and
    validates whenever it saves. Here the history is the journal, and it is saved together with the last checkpoint and
    the best one: at the end of every epoch, and every ``save_seconds``. A kill at any moment repeats some work and
    changes nothing, for fairseq seeds every update by its number and stores where in the epoch it stands. Where several
    processes train together, all keep the history, which the first one writes.

    SIGTERM, which a cluster sends before it takes a machine away, is answered after the update under way: by a save,
    and by the end of the process with the shell's status for it.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        settings: Training,
        journal: Journal,
        dev_bleu: DevBleu,
        group: ProcessGroup = ALONE,
    ):
        self.name, self.settings, self.journal, self.dev_bleu = name, settings, journal, dev_bleu
        self.group = group
        self.saves = Saves(folder)
        self.saved = self.reported = self.returned = time.monotonic()
        self.epoch_seconds: float | None = None
        self.passes: list[Replayed] | None = None
        self.asked_to_stop = False
        self.trained: set[str] = set()

    def run(self, arguments: list[str]) -> None:
        """``fairseq-train`` with ``arguments``, to its end or from where the last run was killed."""
        replaced, command = fairseq_cli.train.validate_and_save, sys.argv
        handler = signal.signal(signal.SIGTERM, self._ask_to_stop) if self.group.first else None
        fairseq_cli.train.validate_and_save = self.validate_and_save
        sys.argv = ["fairseq-train", *arguments, *self.group.arguments]
        try:
            with (
                training_pairs_within(self.settings.max_length, self.name if self.group.first else None),
                master_weights_restored(),
                on_one_stream() if self.settings.cuda_graphs else nullcontext(),
                self._every_update(),
            ):
                fairseq_cli.train.cli_main()
        except FloatingPointError as error:
            said = str(error).strip().partition("\n")[0]
            if "inconsistent between workers" in said:
                raise InputError(f"{self.name}: {said}; use GPUs of one kind, or gpus: 1") from None
            raise InputError(
                f"{self.name}: the training diverges: its gradients or its loss are no numbers any more; set a lower "
                "lr, or clip_norm"
            ) from None
        except RuntimeError as error:
            if not any(words in str(error) for words in OUT_OF_MEMORY):
                raise
            raise InputError(
                f"{self.name}: memory does not suffice for an update; set a lower max_tokens, or free memory and run "
                "again, which goes on from the last save"
            ) from None
        finally:
            fairseq_cli.train.validate_and_save, sys.argv = replaced, command
            if self.group.first:
                (self.saves.scratch / "crash.pt").unlink(missing_ok=True)  # fairseq's, of all weights
                signal.signal(signal.SIGTERM, handler)
        self._report_graphs()

    @contextmanager
    def _every_update(self) -> Iterator[None]:
        """While it is open, the clock of an epoch starts with its updates, and one that memory does not suffice for is
        an error. fairseq leaves such an update out in one process, so that the model would depend on the machine."""
        begin, update = Trainer.begin_epoch, Trainer.train_step

        def begun(trainer: Trainer, epoch: int) -> None:
            begin(trainer, epoch)
            self.returned = time.monotonic()

        Trainer.begin_epoch, Trainer.train_step = begun, partialmethod(update, raise_oom=True)
        try:
            yield
        finally:
            Trainer.begin_epoch, Trainer.train_step = begin, update

    def validate_and_save(self, cfg, trainer: Trainer, task, epoch_itr, valid_subsets: list[str], end_of_epoch: bool):
        """-> (dev losses, whether to stop), as fairseq expects."""
        self._time_update(epoch_itr)
        if not self.trained or end_of_epoch:
            weights = trainer.get_model().named_parameters()
            self.trained |= {name for name, weight in weights if weight.grad is not None}
        if self.settings.cuda_graphs and self.passes is None:  # once the first update has placed and cast the model
            self.passes = replay(trainer.get_model())
        losses, stop = [None], False
        stopping = self.asked_to_stop  # a signal from here on is answered after the next update
        if end_of_epoch:
            tokens = _tokens_within(task.dataset("train"), self.settings.max_length)
            with all_words(trainer.get_model()):
                losses = fairseq_cli.train.validate(cfg, trainer, task, epoch_itr, valid_subsets)
            self._close_epoch(trainer, epoch_itr, dev_ppl=losses[0], tokens=tokens)
            stop = self.journal.exhausted(self.settings.max_epoch, self.settings.patience)
        elif stopping or (self.group.first and time.monotonic() - self.saved >= self.settings.save_seconds):
            self._save(trainer, epoch_itr)
        elif self.group.first and time.monotonic() - self.reported >= REPORT_SECONDS:
            self._report(trainer, epoch_itr)
        if stopping:
            print(f"{self.name}: stopped by SIGTERM and saved; run again to go on from there", flush=True)
            sys.exit(128 + signal.SIGTERM)
        self.returned = time.monotonic()
        return losses, stop

    def _ask_to_stop(self, number: int, frame: FrameType | None) -> None:
        self.asked_to_stop = True

    def _time_update(self, epoch_itr) -> None:
        """Adds the update's time to the epoch's; an epoch that was not seen from its first update has none."""
        took = time.monotonic() - self.returned
        if epoch_itr.iterations_in_epoch == 1:
            self.epoch_seconds = took
        elif self.epoch_seconds is not None:
            self.epoch_seconds += took

    def _close_epoch(self, trainer: Trainer, epoch_itr, dev_ppl: float, tokens: int) -> None:
        row = self.group.agree(lambda: self._row(trainer, epoch_itr, dev_ppl, tokens))
        best = self._best(trainer, row.epoch) if self.group.first and self.journal.improves(row) else None
        self.journal.append(row)
        if self.group.first:
            log_epoch(row.epoch)
            self._save(trainer, epoch_itr, best)
            speed = f", {row.tokens_per_second:,.0f} tok/s" if row.tokens_per_second else ""
            print(
                f"{self.name}: epoch {row.epoch}/{self.settings.max_epoch}, dev BLEU {row.dev_bleu:.2f}, "
                f"dev ppl {row.dev_ppl:.2f}, train ppl {row.train_ppl:.2f}{speed}, {row.wall_seconds:.0f} s",
                flush=True,
            )
            if row.epoch == 1:
                for hint in hints(self.settings, row.updates):
                    print(f"{self.name}: {hint}", flush=True)
        self.epoch_seconds = None

    def _row(self, trainer: Trainer, epoch_itr, dev_ppl: float, tokens: int) -> Epoch:
        train = metrics.get_smoothed_values("train")
        return Epoch(
            epoch=epoch_itr.epoch,
            updates=trainer.get_num_updates(),
            train_loss=float(train["loss"]),
            train_ppl=float(train["ppl"]),
            dev_ppl=float(dev_ppl),
            dev_bleu=self.dev_bleu(trainer.get_model()),
            tokens_per_second=tokens / self.epoch_seconds if self.epoch_seconds else None,
            wall_seconds=float(trainer.cumulative_training_time()),
        )

    def _best(self, trainer: Trainer, epoch: int) -> dict[str, Any]:
        """The model and its configuration alone, loadable by fairseq's own commands."""
        state = _state(trainer)
        state["model"] = {name: _unused(name, weight) for name, weight in state["model"].items()}
        # What an update had a gradient of is trained; fairseq's Transformer keeps copies that never have one.
        weights = trainer.get_model().named_parameters()
        trained = sum(weight.numel() for name, weight in weights if name in self.trained)
        position = {"epoch": epoch, "iterations_in_epoch": 0}
        state |= {"extra_state": {"train_iterator": position, "parameters": trained}}
        return state | {"last_optimizer_state": None}

    def _save(self, trainer: Trainer, epoch_itr, best: dict[str, Any] | None = None) -> None:
        state = utils.move_to_cpu(_state(trainer))
        further = {"train_iterator": epoch_itr.state_dict(), "val_loss": None}
        state["extra_state"] |= further | utils.move_to_cpu(master_weights(trainer))
        if why := self._without_graphs():
            (self.saves.scratch / WITHOUT_GRAPHS).write_text(why, encoding="utf-8")
        self.saves.add(state, self.journal.lines(), best)
        self.saved = time.monotonic()

    def _report(self, trainer: Trainer, epoch_itr) -> None:
        done = epoch_itr.iterations_in_epoch / max(1, len(epoch_itr))
        loss = metrics.get_smoothed_value("train", "loss")
        print(f"{self.name}: epoch {epoch_itr.epoch}, {done:.0%}, train loss {loss:.3f}", flush=True)
        self.reported = time.monotonic()

    def _report_graphs(self) -> None:
        passes = self.passes or []
        replayed, others = sum(one.replayed for one in passes), sum(one.others for one in passes)
        if replayed + others:
            shapes, why = sum(one.recorded for one in passes), self._without_graphs()
            share = f"{replayed / (replayed + others):.0%}"
            said = f"{self.name}: {replayed:,} passes replayed from {shapes} CUDA graphs, {others:,} not: {share}"
            print(f"{said}; {why}" if why else said, flush=True)

    def _without_graphs(self) -> str:
        """Why a training that was to have CUDA graphs goes on without; empty if it does not."""
        return next((one.trust.reason for one in self.passes or []), "")


def _state(trainer: Trainer) -> dict[str, Any]:
    """What fairseq saves, without the optimisers before the last one: each resumption would add one to the model."""
    trainer.consolidate_optimizer()  # fairseq's state_dict relies on it
    state = trainer.state_dict()
    return state | {"optimizer_history": state["optimizer_history"][-1:]}


def _unused(name: str, weight: Tensor) -> Tensor:
    """0 for what fairseq's Transformer keeps beside its weights: copies that it makes when it loads them, and memory
    that nothing writes to. Else a training that has gone on from a save would end in other bytes."""
    return torch.zeros_like(weight) if UNUSED.search(name) else weight


def _tokens_within(dataset, max_length: int | None) -> int:
    """Target pieces of the training pairs that no side of which is longer than the limit, eos included."""
    return int(dataset.tgt_sizes[~left_out(dataset.src_sizes, dataset.tgt_sizes, max_length)].sum())
