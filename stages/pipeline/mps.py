"""NVIDIA's Multi-Process Service, by which processes that share a GPU compute on it at once and not in turn.

Its daemon is this run's own, in a folder of its own: a shell starts it, and ends it when the pipe to this process
closes. That happens however this process ends, by SIGKILL too.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from stages.files.errors import InputError
from stages.pipeline.stopping import held

CONTROL = "nvidia-cuda-mps-control"
SEEN = "CUDA_VISIBLE_DEVICES"
"""Of the daemon; it numbers those that it sees from 0, and its clients must name them so (NVIDIA's documentation)."""
PIPES, LOGS = "CUDA_MPS_PIPE_DIRECTORY", "CUDA_MPS_LOG_DIRECTORY"
"""Environment variables by which the daemon and its clients find each other."""
ENDING = 5
"""Seconds that trainings have to leave it, which have been told to end already."""
SCRIPT = f"""
{CONTROL} -d </dev/null >"$1/said" 2>&1
echo $?
exec >&-
cat >/dev/null
echo quit -t {ENDING} | timeout -k 5 {ENDING + 10} {CONTROL} >/dev/null 2>&1
rm -rf "$1"
"""


@contextmanager
def shared_gpu(wanted: bool) -> Iterator[None]:
    """Within it what this process starts shares the GPU, if that is wanted; a daemon that the user has is left alone.

    Raises:
        InputError: this machine has no such service, or it does not start; in its own words.
    """
    if not wanted or PIPES in os.environ:
        yield
        return
    if shutil.which(CONTROL) is None:
        raise InputError(f"MPS=1 needs {CONTROL}, which comes with NVIDIA's driver; leave MPS out without it")
    folder = tempfile.mkdtemp(prefix="mps-")
    own = {PIPES: folder, LOGS: folder}
    seen = os.environ.get(SEEN)
    clients = own | ({SEEN: ",".join(map(str, range(len(seen.split(",")))))} if seen else {})
    with held():
        daemon = subprocess.Popen(
            ["/bin/sh", "-c", SCRIPT, "sh", folder], env=os.environ | own, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        assert daemon.stdin is not None and daemon.stdout is not None  # they are pipes
    try:
        if (status := daemon.stdout.read().strip()) != b"0":
            with open(os.path.join(folder, "said"), encoding="utf-8", errors="replace") as said:
                why = " ".join(said.read().split()) or f"exit status {status.decode()}"
            raise InputError(f"{CONTROL} does not start: {why}; leave MPS out, or see NVIDIA's documentation of MPS")
        os.environ |= clients
        try:
            yield
        finally:
            for name in own:
                del os.environ[name]
            if seen:
                os.environ[SEEN] = seen
    finally:
        daemon.stdin.close()
        daemon.wait()


@contextmanager
def shared_if_possible(wanted: bool) -> Iterator[bool]:
    """`shared_gpu`, but where it is wanted and cannot be, that is said; yields whether what starts within shares it."""
    with ExitStack() as stack:
        try:
            stack.enter_context(shared_gpu(wanted))
        except InputError as error:
            print(f"without MPS: {error}", flush=True)
        yield PIPES in os.environ
