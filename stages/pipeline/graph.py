"""DVC's graph as jobs, and which of its stages have something to do. DVC is asked in this process: that is quickest."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from logging import CRITICAL
from pathlib import Path
from typing import Any

import dvc.rwlock
import psutil
from dvc.exceptions import DvcException
from dvc.lock import LockError
from dvc.logger import set_loggers_level
from dvc.parsing import DataResolver, MatrixDefinition, split_group_name
from dvc.repo import Repo
from dvc.repo.reproduce import get_active_graph
from dvc.stage import PipelineStage, Stage

from stages.corpora import given
from stages.files.errors import InputError
from stages.pipeline import packages
from stages.pipeline.dvc import each_path_once, patch
from stages.pipeline.dvc_processes import Tell
from stages.pipeline.jobs import Before, cut

CHANGED = "DVC cannot find out what has changed: "


class Pipeline:
    """The pipeline of the working directory.

    jobs: job -> the jobs that it waits for.

    Raises:
        InputError: DVC cannot read it; with DVC's own words.
    """

    def __init__(self) -> None:
        patch()
        packages.note()
        given.note()
        remedy = "; mend that file (`git checkout` brings back the committed one) and run again"
        with in_dvcs_words("DVC cannot read its files: ", remedy):
            self._repo = Repo()
            graph = get_active_graph(self._repo.index.graph)
            self._stages: dict[str, Stage] = {stage.addressing: stage for stage in self._repo.index.stages}
            before = {name: {one.addressing for one in graph.successors(stage)} for name, stage in self._stages.items()}
            self.jobs: Before = cut(before, dict(_labels(self._stages)))

    @property
    def stages(self) -> list[Stage]:
        return list(self._stages.values())

    @property
    def cached_runs(self) -> Path:
        """The folder of DVC's cache of runs, which may be one for many clones."""
        return Path(self._repo.stage_cache.cache_dir)

    def stage(self, name: str) -> Stage:
        return self._stages[name]

    def recorded(self, name: str) -> bool:
        """Whether dvc.lock has this stage: it has run in this folder, or in that of whoever wrote the file."""
        return any(out.hash_info for out in self._stages[name].outs)

    def changed(self, stages: Iterable[str], say: Tell) -> list[str]:
        """Those of these stages that have something to do. Waits while another DVC command is at work, and says so.

        What they depend on must be there, or stages that are about to make it must count as changed themselves.
        """
        with self.looking(say, CHANGED), each_path_once():
            return [name for name in stages if self._stages[name].changed()]

    def status(self, say: Tell) -> dict[str, Any]:
        """Stage -> what of it has changed, as `dvc status` says it, for those that have something to do."""
        with self.looking(say, CHANGED), each_path_once():
            found = [stage.status(check_updates=True) for stage in self._stages.values()]
        return {name: why for one in found for name, why in one.items()}

    def cached(self, stages: Iterable[str], say: Tell) -> list[str]:
        """Those of these stages, which have something to do, whose outputs DVC's cache has for inputs as they are now.

        The last to be asked: of the others, this forgets what dvc.lock says.
        """
        with self.looking(say, "DVC cannot use its cache: "), each_path_once():
            return [name for name in stages if _is_cached(self._stages[name])]

    @contextmanager
    def looking(self, say: Tell, before: str = "") -> Iterator[None]:
        """For DVC to look at stages, or to record them, while no other DVC command does; its errors in its own words.
        before: them."""
        with self._alone(say), in_dvcs_words(before), without_entries():
            yield

    @contextmanager
    def _alone(self, say: Tell) -> Iterator[None]:
        """With DVC's lock of the repository."""
        lock, said = self._repo.lock, False
        while not lock.is_locked:
            try:
                lock.lock()
            except LockError:
                if not said and (pid := self._other()):
                    say(f"waiting until another dvc command (pid {pid}) has ended")
                    said = True
        try:
            yield
        finally:
            lock.unlock()

    def _other(self) -> int | None:
        """The pid that holds DVC's lock, unless it is a job of this process."""
        try:
            pid = int(Path(self._repo.lock.lockfile).read_text())
            return None if psutil.Process(pid).ppid() == os.getpid() else pid
        except (OSError, ValueError, psutil.Error):  # it has just ended
            return None


def _is_cached(stage: Stage) -> bool:
    try:
        changed = [dep for dep in stage.deps if dep.changed()]
        for dep in changed:
            dep.save()
        stage.cmd_changed |= bool(changed)  # else DVC takes the outputs that dvc.lock has for other inputs
        stage.repo.stage_cache.restore(stage, dry=True)
    except (DvcException, FileNotFoundError):  # it is not, or an input is not there
        return False
    return True


def _labels(stages: Mapping[str, Stage]) -> Iterator[tuple[str, set[str]]]:
    """The system and the seed that a stage was made for; a `foreach` runs over systems."""
    files: dict[str, DataResolver] = {}
    for name, stage in stages.items():
        group, item = split_group_name(stage.name) if isinstance(stage, PipelineStage) else (name, None)
        if item is not None:
            if stage.path not in files:
                files[stage.path] = stage.dvcfile.resolver
            definition = files[stage.path].definitions[group]
            matrix = isinstance(definition, MatrixDefinition)
            values = definition.normalized_iterable[item] if matrix else {"variant": item}
            yield name, {str(values[key]) for key in ("variant", "seed") if key in values}


@contextmanager
def without_entries() -> Iterator[None]:
    """DVC notes every file that it looks at in a file, twice a stage. Under the repository's lock nobody can begin to
    write what we look at, and who had begun before was asked for at the start of the run."""
    entries = dvc.rwlock.rwlock
    dvc.rwlock.rwlock = lambda *_: nullcontext()
    try:
        yield
    finally:
        dvc.rwlock.rwlock = entries


@contextmanager
def in_dvcs_words(before: str = "", after: str = "") -> Iterator[None]:
    """An InputError of any error of DVC's: a full disk and a damaged database come as many kinds."""
    try:
        with set_loggers_level(CRITICAL):
            yield
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{before}{_words(error)}{after}") from error


def _words(error: BaseException | None) -> str:
    words = []
    while error is not None:
        words.append(str(error) or type(error).__name__)
        error = error.__cause__
    return ": ".join(" ".join(word.split()) for word in dict.fromkeys(words))
