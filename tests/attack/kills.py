"""Kill whole runs of a tiny study at random moments until so many kills in a row have ended well.

    python -m tests.attack.kills --kills 200 [--seed N]

Every kill is a line of the log (work/attack/kills-SEED.jsonl): its moment, its signal, whom it hit, what was at work.
After a kill the same command is given again, as a user would, until the run ends; then outputs, metrics and tables must
be, but for times, those of an undisturbed run, nothing may be left running, and one more run must find nothing to do.
"""

import argparse
import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

import psutil

from tests.attack import outputs, study
from tests.helpers.paths import ROOT

LOGS = ROOT / "work" / "attack"
SIGNALS = {signal.SIGKILL: 2, signal.SIGTERM: 1, signal.SIGINT: 1}
"""Signal -> how often, relative to the others."""
WHOM = {"runner": 3, "group": 2, "session": 2, "job": 2, "process": 3}
"""Whom a signal goes to: the runner alone; its process group, as Ctrl-C on a terminal; all that it started, as when a
container stops; one job; one process below a job, which is a stage or what it runs. The last two end in a run that
says what failed."""
STOPS_THE_RUN = ("runner", "group", "session")
GAPS = (0.02, 0.1)
"""Means of the seconds to the next kill, in those of an undisturbed run: the beginning of a run is hit as often as the
rest, and a stage that takes a while comes to its end."""
OVER = re.compile(r"(what is done stays done|is complete; \d+ s|is as it was; \d+ s)\s*$")
"""The last words of a run."""
NOTHING = "Everything is up to date."
"""What a run says that finds nothing to do."""
OURS = re.compile(r'File "[^"]*/(stages/[^"]+)", line \d+, in (\S+)')
"""A place of this project in a traceback: file, function."""
FIRST = {
    (f"stages/{name}.py", "<module>")
    for name in ("pipeline/__init__", "pipeline/__main__", "pipeline/stopping", "files/__init__", "files/leaving")
}
"""What a run imports before it hears signals."""
PATIENCE = 120.0
"""Seconds for a stopped run to be gone: a run says that it takes some ten on a machine of its own."""


class Kill(NamedTuple):
    """One kill: ``seconds`` after the run began; ``hit``: the end of the command line of each process."""

    number: int
    study: int
    run: int
    seconds: float
    signal: str
    whom: str
    hit: list[str]
    at_work: list[str]


class AttackError(AssertionError):
    """A run that did not end as it should; says which study is kept to look at."""


class Subject(Protocol):
    """A study in a folder of its own, and runs of it; see `tests.attack.study.Checkout`."""

    folder: Path

    def begin_anew(self) -> None: ...

    def start(self, output: BinaryIO) -> subprocess.Popen: ...

    def run(self) -> subprocess.CompletedProcess: ...

    def contents(self) -> dict[str, bytes]: ...


class Attack:
    """Kills and what came of them.

    kills: how many must end well in a row. log: gets a line a kill. say: prints.
    """

    def __init__(self, subject: Subject, kills: int, seed: int, log: Path, say: Callable[[str], None] = print) -> None:
        self.subject, self.kills, self.log, self.say = subject, kills, log, say
        self.random = random.Random(seed)
        self.done = self.studies = self.runs = 0
        self.expected: dict[str, bytes] = {}
        self.seconds = 0.0

    def undisturbed(self) -> None:
        """What every killed run must end in."""
        began = time.monotonic()
        answer = self.subject.run()
        if answer.returncode:
            raise AttackError(f"an undisturbed run failed:\n{answer.stdout[-3000:]}{answer.stderr[-3000:]}")
        self.seconds = time.monotonic() - began
        self.expected = self.subject.contents()
        self.say(f"an undisturbed run took {self.seconds:.0f} s and left {len(self.expected)} files")

    def run(self) -> None:
        while self.done < self.kills:
            self.studies += 1
            self.subject.begin_anew()
            before = self.done
            while not self._one_run():
                pass
            self.check()
            self.say(
                f"study {self.studies} ended bit-equal after {self.done - before} kills; {self.done} of {self.kills}"
            )

    def _one_run(self) -> bool:
        """A run that is killed until it ends; whether it ended well by itself."""
        self.runs += 1
        printed = self.log.with_suffix(".txt")
        stops, others = [], 0
        with printed.open("wb") as handle:
            process = self.subject.start(handle)
        began = time.monotonic()
        while process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(self.random.expovariate(1 / (self.random.choice(GAPS) * self.seconds)))
            if process.poll() is None and self.done < self.kills and not stops:
                kill = self._kill(process.pid, time.monotonic() - began)
                if kill.whom in STOPS_THE_RUN:
                    stops.append(kill)
                    self._wait(process, kill)
                elif kill.hit:
                    others += 1
        self._judge(process.returncode, printed.read_text(encoding="utf-8", errors="replace"), stops, others)
        return process.returncode == 0

    def _kill(self, runner: int, seconds: float) -> Kill:
        number = self._draw(SIGNALS)
        whom = self._draw(WHOM)
        there = {process.pid: _command(process) for process in session(runner)}
        jobs = [pid for pid, command in there.items() if "stages.pipeline.stage_process" in command]
        below = [pid for pid in there if pid not in jobs and pid != runner]
        one_of = {"job": jobs, "process": below}.get(whom)
        if one_of is not None and not one_of:
            whom, one_of = "runner", None
        targets = list(there) if whom == "session" else [self.random.choice(one_of or [runner])]
        hit = []
        for pid in targets:
            with contextlib.suppress(ProcessLookupError):
                (os.killpg if whom == "group" else os.kill)(pid, number)
                hit.append(there.get(pid, ""))
        self.done += bool(hit)
        at_work = sorted(command for pid, command in there.items() if pid in jobs)
        kill = Kill(self.done, self.studies, self.runs, round(seconds, 2), number.name, whom, hit, at_work)
        with self.log.open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(kill._asdict()) + "\n")
        return kill

    def _draw(self, weights: dict) -> signal.Signals | str:
        return self.random.choices(list(weights), list(weights.values()))[0]

    def _wait(self, process: subprocess.Popen, kill: Kill) -> None:
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._fail(f"{kill.signal} did not end the run within {PATIENCE:.0f} s", "")

    def _judge(self, status: int, printed: str, stops: list[Kill], others: int) -> None:
        """Whether a run ended as it should: with the status of what hit it, and no traceback, unless one of the
        processes below it was hit itself, and says where."""
        fair = {0} | ({1} if others else set())
        for kill in stops:
            number = signal.Signals[kill.signal]
            fair |= {-signal.SIGKILL} if number == signal.SIGKILL else {128 + number}
            fair |= {1} if kill.whom == "session" else set()  # jobs may be gone before the runner hears of it
        if OVER.search(printed):  # Python is leaving, and hears signals no more
            fair |= {-signal.Signals[kill.signal] for kill in stops}
        young = any(kill.signal != "SIGKILL" for kill in stops) and _is_beginning(printed)
        if status not in fair and not young:
            self._fail(f"a run ended with status {status} instead of {sorted(fair)}", printed)
        alone = others or any(kill.whom == "session" for kill in stops)
        if "Traceback" in printed and not young and not alone:
            self._fail("a run printed a traceback", printed)

    def check(self) -> None:
        """That what a run left is as expected, that nothing is left to do, and that nobody is at work."""
        if found := outputs.differences(self.subject.contents(), self.expected):
            self._fail("outputs are not those of an undisturbed run", "\n".join(found))
        answer = self.subject.run()
        if answer.returncode or NOTHING not in answer.stdout:
            self._fail("another run found something to do", answer.stdout + answer.stderr)
        deadline = time.monotonic() + PATIENCE
        while left := [_command(process) for process in of_checkout(self.subject.folder)]:
            if time.monotonic() > deadline:
                self._fail("processes are left", "\n".join(left))
            time.sleep(0.1)

    def _fail(self, why: str, text: str) -> None:
        raise AttackError(
            f"kill {self.done}, run {self.runs}: {why}\n{text[-6000:]}\nkept to look at: {self.subject.folder}"
        )


def _is_beginning(printed: str) -> bool:
    """Whether Python was not yet so far as to hear signals as we have them heard: it was importing what does that."""
    return not printed or ("KeyboardInterrupt" in printed and set(OURS.findall(printed)) <= FIRST)


def session(leader: int) -> Iterator[psutil.Process]:
    """The processes of a run, which leads a session of its own."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if os.getsid(process.pid) == leader and process.status() != psutil.STATUS_ZOMBIE:
                yield process


def of_checkout(folder: Path) -> Iterator[psutil.Process]:
    """The processes at work in a checkout."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if Path(process.cwd()) == folder and process.status() != psutil.STATUS_ZOMBIE:
                yield process


def _command(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return " ".join(process.cmdline()[1:])[:200]
    return "?"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="to repeat an attack")
    args = parser.parse_args()
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"kills-{args.seed}.jsonl"
    log.unlink(missing_ok=True)
    print(f"{args.kills} kills with seed {args.seed}; log: {log.relative_to(ROOT)}", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="attack-")).resolve()
    subject = study.Checkout(folder / "checkout")
    attack = Attack(subject, args.kills, args.seed, log, lambda text: print(text, flush=True))
    began = time.monotonic()
    try:
        subject.make(study.params())
        attack.undisturbed()
        attack.run()
    except AttackError as error:
        sys.exit(f"attack: {error}\nto repeat: python -m tests.attack.kills --kills {args.kills} --seed {args.seed}")
    shutil.rmtree(folder)
    print(
        f"{attack.done} kills of {attack.runs} runs of {attack.studies} studies ended bit-equal to an undisturbed run, "
        f"without help; {(time.monotonic() - began) / 60:.0f} min"
    )


if __name__ == "__main__":
    main()
