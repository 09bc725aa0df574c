"""Speeds of the other toolkits, each in an environment of its own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.decoding import BEAM
from benchmarks.sizes import READOUT_DROPOUT, Size
from benchmarks.spread import spread
from benchmarks.systems import SMOOTHING
from benchmarks.toolkits import eole_commands
from benchmarks.toolkits.environment import FOLDER, ToolkitError, environment, run
from benchmarks.training import SETTINGS


class Toolkit(NamedTuple):
    """One that is measured.

    Attributes:
        requirements: what pip installs, versions pinned.
        measure: (its Python, settings, a folder of its own) -> seconds of `steps` and of `decoding`.
    """

    title: str
    requirements: tuple[str, ...]
    measure: Callable[[Path, dict[str, Any], Path], dict[str, Any]]


def _joeynmt(python: Path, settings: dict[str, Any], folder: Path) -> dict[str, Any]:
    script = Path(__file__).with_name("joeynmt_steps.py")
    printed = run([str(python), "-W", "ignore", str(script), json.dumps(settings)], "joeynmt", seconds=900)
    return json.loads(printed.splitlines()[-1])


TOOLKITS = {
    "joeynmt": Toolkit(
        "JoeyNMT 2.3.0: GRUs, input feeding, additive attention; its model, loss, optimiser and search",
        ("joeynmt==2.3.0", "importlib_metadata<8"),  # which it imports and does not require
        _joeynmt,
    ),
    "eole": Toolkit(
        "eole 0.6.4, the successor of OpenNMT-py: GRUs, additive attention behind the recurrence; its commands",
        ("eole==0.6.4",),
        eole_commands.measure,
    ),
}


def visit(name: str, size: Size, threads: int, steps: int) -> dict[str, Any]:
    """Seconds of training steps and of translating ``size.decoded`` sentences, or under `failed` why there are none."""
    settings = size._asdict() | {
        "threads": threads, "steps": steps, "beam": BEAM, "dropout": READOUT_DROPOUT, "smoothing": SMOOTHING,
        "clip_norm": SETTINGS.clip_norm,
    }  # fmt: skip
    toolkit = TOOLKITS[name]
    try:
        return toolkit.measure(environment(name, toolkit.requirements), settings, FOLDER / f"{name}-run")
    except ToolkitError as error:
        return {"failed": str(error)}


def summary(name: str, size: Size, visits: list[dict[str, Any]]) -> dict[str, Any]:
    """Speeds over the visits that ended well, and why the last of the others did not."""
    ended = [visit for visit in visits if "failed" not in visit]
    reasons = [visit["failed"] for visit in visits if "failed" in visit]
    speeds = [size.B * size.T / seconds for visit in ended for seconds in visit["steps"]]
    decoded = [size.decoded / visit["decoding"] for visit in ended]
    return {
        "title": TOOLKITS[name].title,
        "size": size.name,
        "tokens_per_second": spread(speeds),
        "sentences_per_second": spread(decoded),
        "failed": reasons[-1] if reasons else None,
    }
