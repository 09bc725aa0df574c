"""CUDA graphs that are wrong on purpose are noticed, and training goes on without them."""

import gc
import re
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from fairseq_plugins.core import graphs
from fairseq_plugins.core.graphs import Recording, replay
from stages.training import loop
from tests.helpers import tiny
from tests.helpers.tapes import (
    BATCHES,
    DROPOUT,
    ORDER,
    OnCpu,
    Tape,
    counts,
    fail,
    held_to,
    loss,
    losses_and_gradients,
    on_tapes,
    trained,
    waiting,
)


class Spoilt:
    """A recording of which one method does something wrong: ``spoil`` is applied to what it returns."""

    def __init__(self, recording: Recording, method: str, spoil: Callable):
        self.recording, self.method, self.spoil = recording, method, spoil

    def __getattr__(self, name: str):
        found = getattr(self.recording, name)
        return found if name != self.method else lambda *given: self.spoil(found(*given))


def one_replaced(found: tuple, by: Callable) -> tuple:
    """The last gradient that there is."""
    k = max(k for k, x in enumerate(found) if x is not None)
    return *found[:k], by(found[k]), *found[k + 1 :]


WRONG = {
    "values": (
        "forward",
        lambda found: (found[0] * 1.001, *found[1:]),
        r"differs from what PyTorch's operations give, by \d\.\de",
    ),
    "no numbers": ("forward", lambda found: (found[0] * float("nan"), *found[1:]), "is no number"),
    "gradients": ("backward", lambda found: tuple(x if x is None else x * 1.001 for x in found), "differs"),
    "one gradient": ("backward", lambda found: one_replaced(found, torch.zeros_like), "differs"),
    "a gradient that is none": ("backward", lambda found: one_replaced(found, lambda x: None), "another shape"),
    "replaying": ("forward", fail, r"fails \(RuntimeError: operation not permitted when stream is capturing\)"),
    "recording": ("record", fail, r"fails \(RuntimeError: operation not permitted"),
}


def spoilt(method: str, spoil: Callable, good: int) -> type[OnCpu]:
    """A recorder whose recordings after the first ``good`` are wrong."""

    class Wrong(OnCpu):
        def record(self, *given):
            nonlocal good
            good -= 1
            recording = super().record(*given)
            if good >= 0:
                return recording
            return Spoilt(spoil(recording) if method == "record" else recording, method, spoil)

    return Wrong


@pytest.mark.slow
@on_tapes
@pytest.mark.parametrize("good", [0, 1])
@pytest.mark.parametrize(("method", "spoil", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_graph_is_noticed_and_training_goes_on_without(method, spoil, said, good):
    """Whether it is the first one or a later one."""
    expected = losses_and_gradients(trained("ba_nmt", DROPOUT))
    model = trained("ba_nmt", DROPOUT)
    passes = replay(model, spoilt(method, spoil, good))
    with pytest.warns(UserWarning) as warned:
        held_to(losses_and_gradients(model), expected, tolerance=0)
    (sentence,) = [str(one.message) for one in warned]
    assert re.search(said, sentence) and "\n" not in sentence
    assert sentence.startswith("CUDA graphs are switched off: ") and sentence.endswith("goes on without them")
    assert counts(passes) == [(good, good, len(ORDER) - good)]


@on_tapes
def test_a_pass_that_cannot_be_recorded_is_named_by_what_failed_first(monkeypatch):
    """The end of its capture fails after it, and says no more than that."""
    expected = losses_and_gradients(trained("rnnsearch_star", DROPOUT))
    model = trained("rnnsearch_star", DROPOUT)
    monkeypatch.setattr(model.decoder, "teacher_forced", waiting(model.decoder))
    passes = replay(model, OnCpu)
    with pytest.warns(UserWarning) as warned:
        held_to(losses_and_gradients(model), expected, tolerance=0)
    (sentence,) = [str(one.message) for one in warned]
    assert re.search(r"recording one fails \(RuntimeError: aten._local_scalar_dense.default is not permitted", sentence)
    assert passes[0].trust.reason in sentence
    assert counts(passes) == [(0, 0, len(ORDER))]


@on_tapes
def test_when_one_decoder_s_graph_is_wrong_the_other_has_none_either():
    expected = losses_and_gradients(trained("cohn_agreement"))
    model = trained("cohn_agreement")
    passes = replay(model, spoilt("record", fail, 1))
    with pytest.warns(UserWarning) as warned:
        held_to(losses_and_gradients(model), expected, tolerance=0)
    assert len(warned) == 1
    assert sum(one.replayed for one in passes) <= 1


@pytest.mark.training
@on_tapes
def test_a_training_keeps_why_its_graphs_were_switched_off(monkeypatch, capfd):
    monkeypatch.setattr(loop, "replay", lambda model: replay(model, spoilt("record", fail, 1)))
    found = tiny.train("graphs", Path("scratch-wrong"), Path("models-wrong"))
    why = tiny.record(found)["cuda_graphs_switched_off"]
    assert why.startswith("recording one fails (RuntimeError: operation not permitted")
    assert re.search(
        rf"graphs-1: 1 passes replayed from 1 CUDA graphs, \d+ not: \d+%; {re.escape(why)}", capfd.readouterr().out
    )


class Generator:
    """What counts of one before torch 2.13: a capture that fails leaves its state capturing."""

    device = torch.device("cpu")

    def __init__(self):
        self.state = SimpleNamespace(capturing=False)

    def clone_state(self) -> "Generator":
        return Generator()

    def graphsafe_set_state(self, other: "Generator") -> None:
        self.state = other.state


def holding(generator: Generator) -> type[Tape]:
    """Graphs that hold the state that ``generator`` had when they were captured, and advance it when replayed."""

    class Holding(Tape):
        def __enter__(self):
            self.state = generator.state
            self.state.capturing = True
            return super().__enter__()

        def __exit__(self, kind, *error):
            super().__exit__(kind, *error)
            self.state.capturing = kind is not None

        def replay(self) -> None:
            if self.state.capturing:
                raise RuntimeError("Offset increment outside graph capture encountered unexpectedly.")
            super().replay()

    return Holding


def with_generator(generator: Generator) -> type[OnCpu]:
    class Drawing(OnCpu):
        def generator(self, inputs):
            return generator

    return Drawing


@on_tapes
def test_a_second_decoder_that_cannot_be_recorded_leaves_the_first_ones_graphs_whole(monkeypatch):
    """One has gone forward by then, and goes back by a graph that holds the generator's state."""
    generator = Generator()
    state = generator.state
    expected = losses_and_gradients(trained("cohn_agreement", DROPOUT))
    model = trained("cohn_agreement", DROPOUT)
    monkeypatch.setattr(model.reverse.decoder, "teacher_forced", waiting(model.reverse.decoder))
    monkeypatch.setattr(torch.cuda, "CUDAGraph", holding(generator))
    passes = replay(model, with_generator(generator))
    with pytest.warns(UserWarning, match="recording one fails .*not permitted"):
        held_to(losses_and_gradients(model), expected, tolerance=0)
    assert counts(passes) == [(1, 1, len(ORDER) - 1), (0, 0, len(ORDER))]
    assert generator.state is state and not state.capturing


@on_tapes
def test_where_nothing_can_be_captured_any_more_the_generator_gets_its_state_from_before(monkeypatch):
    generator = Generator()

    @contextmanager
    def broken(tape, pool, capture_error_mode):
        generator.state.capturing = True
        yield
        fail()

    monkeypatch.setattr(torch.cuda, "graph", broken)
    model = trained("rnnsearch_star")
    replay(model, with_generator(generator))
    with pytest.warns(UserWarning, match="switched off"):
        loss(model, BATCHES[0]).backward()
    assert not generator.state.capturing


def test_a_capture_that_fails_at_its_end_leaves_the_stream_and_gives_the_pool_back(monkeypatch):
    """torch's own does neither: everything after it would run on the stream of the capture."""
    chosen, given_back = ["training's"], []

    @contextmanager
    def broken(graph, pool, capture_error_mode):
        assert capture_error_mode == "thread_local"
        chosen.append("capture's")
        yield
        raise RuntimeError("operation failed due to a previous error during capture")

    stream = SimpleNamespace(device_index=0, name="training's")
    monkeypatch.setattr(torch.cuda, "current_stream", lambda: stream)
    monkeypatch.setattr(torch.cuda, "set_stream", lambda one: chosen.append(one.name))
    monkeypatch.setattr(torch.cuda, "graph", broken)
    end = "_cuda_endAllocateToPool"
    monkeypatch.setattr(torch._C, end, lambda *of: given_back.append(of), raising=False)
    with pytest.raises(RuntimeError, match="previous error"), graphs.captured(None, (0, 7)):
        pass
    assert chosen[-1] == "training's" and given_back == [(0, (0, 7))]


@on_tapes
@pytest.mark.parametrize("collects", [True, False])
@pytest.mark.parametrize("fails", [True, False])
def test_no_garbage_is_collected_within_a_capture(collects, fails):
    """Old graphs may be part of it, which would be destroyed there."""
    found = []
    if not collects:
        gc.disable()
    try:
        with suppress(RuntimeError), graphs.captured(Tape(), (0, 7)):
            found.append(gc.isenabled())
            if fails:
                fail()
        assert [*found, gc.isenabled()] == [False, collects]
    finally:
        gc.enable()
