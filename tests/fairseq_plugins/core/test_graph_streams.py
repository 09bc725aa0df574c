"""The stream on which a training with CUDA graphs runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import ClassVar

import pytest
import torch

from fairseq_plugins.core.graphs import on_one_stream
from stages.training import loop
from tests.helpers.tapes import fail


class Stream:
    """Of a GPU that there is not: logs what waits for what, and the stream on which something is done."""

    log: ClassVar[list[str]] = []
    current: ClassVar[list["Stream"]] = []

    def __init__(self, name: str = "own"):
        self.name = name

    def wait_stream(self, other: "Stream") -> None:
        self.log.append(f"{self.name} waits for {other.name}")


@contextmanager
def entered(stream: Stream) -> Iterator[None]:
    Stream.current.append(stream)
    yield
    Stream.current.pop()


@pytest.mark.parametrize("graphs", [True, False])
def test_a_training_with_graphs_runs_on_a_stream_of_its_own_from_its_first_update(monkeypatch, tmp_path, graphs):
    monkeypatch.setattr(Stream, "log", [])
    monkeypatch.setattr(Stream, "current", [Stream("default")])
    here = {"is_available": lambda: True, "Stream": Stream, "stream": entered}
    for name, stand_in in (here | {"current_stream": lambda: Stream.current[-1]}).items():
        monkeypatch.setattr(torch.cuda, name, stand_in)
    trains = lambda: Stream.log.append(f"trains on {Stream.current[-1].name}")  # noqa: E731
    monkeypatch.setattr(loop.fairseq_cli.train, "cli_main", trains)
    settings = SimpleNamespace(cuda_graphs=graphs, max_length=None)
    loop.Loop("any", tmp_path, settings, None, None).run([])
    on_own = ["own waits for default", "trains on own", "default waits for own"]
    assert Stream.log == (on_own if graphs else ["trains on default"])
    assert [one.name for one in Stream.current] == ["default"]


def test_without_a_gpu_there_is_no_stream(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "Stream", fail)
    with on_one_stream():
        pass
