"""DVC's bookkeeping of stages that run: what to do before their commands and after, all of it in the runner's process.

`dvc repro` does it around each command, in a process that reads the whole pipeline first: with a thousand systems that
took seconds a stage. Here the pipeline is read once, and one process alone writes dvc.lock, DVC's cache and its
databases, however many jobs end at once and on whatever machines.
"""

import os
import sys
from collections.abc import Iterator, Sequence, Set
from contextlib import ExitStack, contextmanager
from pathlib import Path

from dvc import rwlock
from dvc.dependency import Dependency, ParamsDependency
from dvc.env import DVC_ROOT, DVC_STAGE
from dvc.stage import Stage
from dvc.stage.cache import RunCacheNotFoundError
from dvc.stage.run import _enforce_cmd_list, _make_cmd, get_executable
from dvc.utils import dict_sha256

from stages.files.errors import InputError
from stages.pipeline.dvc import each_path_once
from stages.pipeline.graph import Pipeline, Tell
from stages.pipeline.steps import Step

_note = rwlock.rwlock  # `without_entries` replaces it


class Bookkeeping:
    """Stages of a pipeline that are begun and ended. Waits while another DVC command is at work, and says so."""

    def __init__(self, pipeline: Pipeline, say: Tell) -> None:
        self._pipeline, self._say = pipeline, say
        self._entries: dict[str, ExitStack] = {}

    def inputs(self, stages: Sequence[str], job: Sequence[str]) -> dict[str, str]:
        """Stage -> a sum of its command and of all that it reads, but for what stages of its own job make.

        Raises:
            InputError: DVC cannot read it.
        """
        own = {out.fs_path for name in job for out in self._pipeline.stage(name).outs}
        with self._pipeline.looking(self._say), each_path_once():
            return {name: _sum(self._pipeline.stage(name), own) for name in stages}

    def note(self, name: str) -> None:
        """Have other DVC commands keep away from what the stage reads and writes, until it ends or is dropped."""
        stage = self._pipeline.stage(name)
        with self._pipeline.looking(self._say), ExitStack() as entries:
            entries.enter_context(_noted(stage))
            self._entries[name] = entries.pop_all()

    def begin(self, name: str) -> Step | None:
        """What to run for a stage that has something to do; None if DVC's cache of runs had its outputs.

        Raises:
            InputError: DVC cannot tell, or another command reads or writes the same files.
        """
        stage = self._pipeline.stage(name)
        with self._pipeline.looking(self._say), ExitStack() as entries:
            entries.enter_context(_noted(stage))
            stage.remove_outs()
            try:
                stage.repo.stage_cache.restore(stage)
            except RunCacheNotFoundError:
                stage.save_deps()
                self._entries[name] = entries.pop_all()
                return self.step(name)
            self._record(stage)
        return None

    def outs(self, stages: Sequence[str]) -> list[Path]:
        """What these stages make."""
        return [Path(out.fs_path) for name in stages for out in self._pipeline.stage(name).outs]

    def step(self, name: str) -> Step:
        """The commands of a stage, and what to delete before them."""
        stage = self._pipeline.stage(name)
        shell = get_executable()
        commands = [_make_cmd(shell, command) for command in _enforce_cmd_list(stage.cmd)]
        outs = [os.path.relpath(out.fs_path) for out in stage.outs if not out.persist]
        return Step(name, commands, outs, {DVC_ROOT: stage.repo.root_dir, DVC_STAGE: stage.addressing})

    def end(self, name: str) -> None:
        """Record the outputs of a stage whose commands ended well.

        Raises:
            InputError: an output is missing, or DVC cannot record it.
        """
        stage = self._pipeline.stage(name)
        try:
            with self._pipeline.looking(self._say):
                stage.save_deps()
                self._record(stage)
        finally:
            self.drop(name)

    def drop(self, name: str) -> None:
        """Forget a stage that was begun, if it was."""
        if name in self._entries:
            self._entries.pop(name).close()

    def drop_all(self) -> None:
        while self._entries:
            self._entries.popitem()[1].close()

    def _record(self, stage: Stage) -> None:
        stage.save_outs()
        stage.md5 = stage.compute_md5()
        if all(out.use_cache or out.is_metric or out.is_plot for out in stage.outs):
            stage.repo.stage_cache.save(stage)
        stage.commit()
        if any(out.use_cache and out.changed_cache() for out in stage.outs):  # DVC logs it, and goes on
            raise InputError(
                f"DVC cannot copy what it made to its cache, {stage.repo.cache.local.path}; free some space there, or "
                "see who may write to it, and run again"
            )
        stage.dump(update_pipeline=False)
        stage.cmd_changed = False


def _sum(stage: Stage, own: Set[str]) -> str:
    read = [_read(dep) for dep in stage.deps if not _is_within(dep.fs_path, own)]
    return dict_sha256({"cmd": stage.cmd, "deps": sorted(read)})


def _read(dep: Dependency) -> tuple[str, str]:
    if isinstance(dep, ParamsDependency):
        return f"{dep}: {', '.join(dep.params)}", dict_sha256(dep.read_params())
    dep.update_legacy_hash_name(force=True)  # DVC does when it saves: one that the entry lacks has version 2's
    return str(dep), str(dep.get_hash())


def _is_within(path: str, folders: Set[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


@contextmanager
def _noted(stage: Stage) -> Iterator[None]:
    """Have other DVC commands keep away from what the stage reads and writes."""
    read, write = [dep.fs_path for dep in stage.deps], [out.fs_path for out in stage.outs]
    hardlink = stage.repo.config["core"].get("hardlink_lock", False)
    with _note(stage.repo.tmp_dir, stage.repo.fs, " ".join(sys.argv), read, write, hardlink):
        yield
