"""Coverage-guided fuzzing of readers of binary data, dictionaries and links: refused by the reader's error, or read.

    python -m tests.attack.fuzz [--seconds 60] [--seed N] [TARGET ...]

atheris (libFuzzer) mutates sound files and keeps what reaches new code of the reader; each target gets the seconds, in
a process of its own. A failure prints the input, which is kept in work/attack. Without atheris, which has wheels for
few machines, the same targets get random mutations, without guidance.
"""

import argparse
import contextlib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.helpers.paths import ROOT

KEPT = ROOT / "work" / "attack"


def main() -> None:
    from tests.attack.fuzz_targets import TARGETS

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], help=f"of {', '.join(TARGETS)}; all unless given")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 10**6), help="to repeat a run")
    parser.add_argument("--alone", action="store_true", help="fuzz in this process")
    args = parser.parse_args()
    names = args.targets or list(TARGETS)
    if args.alone:
        return _fuzz(names[0], args.seconds, args.seed)
    print(f"fuzzing {', '.join(names)} for {args.seconds} s each with seed {args.seed}", flush=True)
    failed = [name for name in names if _run(name, args.seconds, args.seed)]
    if failed:
        sys.exit(f"attack: {', '.join(failed)} failed, see above")


def _run(name: str, seconds: int, seed: int) -> int:
    command = [sys.executable, "-m", "tests.attack.fuzz", name, "--alone"]
    command += ["--seconds", str(seconds), "--seed", str(seed)]
    with tempfile.TemporaryDirectory() as folder:  # libFuzzer leaves without clearing up
        return subprocess.run(command, cwd=ROOT, env=os.environ | {"TMPDIR": folder}).returncode


def _fuzz(name: str, seconds: int, seed: int) -> None:
    from tests.attack.fuzz_targets import TARGETS

    KEPT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        target = TARGETS[name](Path(folder))
        try:
            import atheris
        except ImportError:
            tried = mutate(target.one, target.sound, seconds, seed)
            print(f"{name}: {tried:,} random mutations held; atheris, which would follow the code, is not installed")
            return
        corpus = Path(folder) / "sound"
        corpus.mkdir()
        for number, content in enumerate(target.sound):
            (corpus / str(number)).write_bytes(content)
        for function in target.code:
            atheris.instrument_func(function)
        options = [
            f"-max_total_time={seconds}",
            f"-seed={seed}",
            "-max_len=512",
            "-verbosity=0",
            "-print_final_stats=1",
        ]
        options += ["-print_final_stats=1", f"-artifact_prefix={KEPT}/{name}-"]
        atheris.Setup([sys.argv[0], *options, str(corpus)], target.one)
        atheris.Fuzz()  # does not return


def mutate(one: Callable[[bytes], None], sound: list[bytes], seconds: float, seed: int) -> int:
    """Random changes of sound input; how many were tried. What a reader may not raise is raised, the input is kept."""
    draw, tried, end = random.Random(seed), 0, time.monotonic() + seconds
    while time.monotonic() < end:
        content = bytearray(draw.choice(sound))
        for _ in range(draw.randint(1, 4)):
            place = draw.randrange(len(content) + 1)
            change = draw.randrange(4)
            if change == 0:
                content[place : place + draw.randint(1, 8)] = draw.randbytes(draw.randint(0, 8))
            elif change == 1 and place < len(content):
                content[place] ^= 1 << draw.randrange(8)
            elif change == 2:
                del content[place:]
            else:
                content[place:place] = draw.choice(sound)[:16]
        try:
            one(bytes(content))
        except Exception:
            with contextlib.suppress(OSError):
                (KEPT / f"mutation-{seed}-{tried}").write_bytes(content)
            print(f"input: {bytes(content)!r}", file=sys.stderr)
            raise
        tried += 1
    return tried


if __name__ == "__main__":
    main()
