"""CUDA graphs: which passes are recorded and replayed, and that losses and gradients stay what they are.

Without a GPU, tapes stand in for the graphs: they repeat recorded operations on the same tensors, as graphs do.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map_only

from fairseq_plugins.core.graphs import Recorder, Recording, Replayed, on_one_stream, replay
from fairseq_plugins.core.tree import leaves, with_leaves
from fairseq_plugins.kernels import native, smoothed_nll
from stages.settings.training import ModelSizes
from stages.training import loop
from tests.helpers import support, tiny
from tests.helpers.support import Batch, build, random_batch, random_links

from fairseq.models import FairseqEncoderDecoderModel

PADDING = 1
BATCHES = [
    random_batch([5, 2, 4], [3, 6, 1], seed=1),
    random_batch([4, 4], [2, 5], seed=2),
    random_batch([1, 5, 3], [6, 2, 4], seed=3),  # of the first one's shape
]
ORDER = [0, 1, 2, 1, 0]
FROZEN = ("covemb_gru_sub_obj", "fertility by eta")  # which ask the host for the shortest sentence
SYSTEMS = (
    "rnnencdec", "rnnsearch_star", "ba_nmt", "covemb_gru_sub_supobj", "bridging_direct", "bridging_target",
    "interactive_attention", "cohn_agreement", "gatt", "dhea", "luong_local_p", "supervised_attention", "lvnmt",
    *FROZEN,
)  # fmt: skip
DROPOUT = support.TINY.model_copy(update={"embed_dropout": 0.2, "annotation_dropout": 0.2, "readout_dropout": 0.2})


class Tape(TorchDispatchMode):
    """A CUDA graph on a CPU: records operations, and repeats them on the same tensors into the same tensors.

    Raises:
        RuntimeError: an operation waits for the device or brings numbers from the host, which no graph can record.
    """

    refused = ("_local_scalar_dense", "equal", "nonzero", "masked_select", "lift_fresh", "unique", "repeat_interleave")

    def __init__(self):
        super().__init__()
        self.calls: list[tuple] = []

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        if operation.overloadpacket.__name__.startswith(self.refused):
            raise RuntimeError(f"{operation} is not permitted when a stream is capturing")
        given = aliases((args, kwargs or {}))
        found = operation(*args, **(kwargs or {}))
        self.calls.append((operation, given, aliases(found)))
        return found

    @torch.no_grad()
    def replay(self) -> None:
        for operation, given, before in self.calls:
            args, kwargs = aliases(given)
            again = operation(*args, **kwargs)
            for kept, x in zip(tree_leaves(before), tree_leaves(again), strict=True):
                if isinstance(x, Tensor) and x.data_ptr() != kept.data_ptr():
                    kept.copy_(x)


def aliases(tree):
    """Other tensors of the same memory: autograd changes the shape of some in place."""
    return tree_map_only(Tensor, torch.ops.aten.alias.default, tree)


@contextmanager
def taping(tape: Tape, pool: object) -> Iterator[None]:
    """In the place of ``torch.cuda.graph``; recording moves no generator."""
    with torch.random.fork_rng(devices=[]), tape:
        yield


class OnCpu(Recorder):
    def serves(self, tokens: Tensor) -> bool:
        return True


@pytest.fixture
def tapes(monkeypatch) -> None:
    """Tapes are what CUDA has for graphs; and kernels are made of operations that they can see."""
    nothing = nullcontext(SimpleNamespace(wait_stream=lambda other: None))
    for name, stand_in in {
        "CUDAGraph": Tape, "graph": taping, "graph_pool_handle": lambda: (0, 0), "stream": lambda stream: nothing,
        "Stream": lambda: nothing.enter_result, "current_stream": lambda: nothing.enter_result,
        "get_rng_state": lambda device: None, "set_rng_state": lambda state, device: None,
    }.items():  # fmt: skip
        monkeypatch.setattr(torch.cuda, name, stand_in)
    monkeypatch.setattr(native, "operations", lambda: None)


on_tapes = pytest.mark.usefixtures("tapes")


def loss(model: FairseqEncoderDecoderModel, batch: Batch, device: str = "cpu") -> Tensor:
    """With all auxiliary losses."""
    links = random_links(batch).to(device)
    batch = Batch(*(tensor.to(device) for tensor in batch))
    output = model(batch.source, batch.lengths, batch.previous)
    auxiliary = model.auxiliary_losses(output, batch.target, links)
    return smoothed_nll(output[0].flatten(0, 1), batch.target.flatten(), 0.1, PADDING)[0] + sum(auxiliary.values())


def trained(name: str, sizes: ModelSizes = support.TINY) -> FairseqEncoderDecoderModel:
    return build(support.SYSTEMS[name], sizes).model.train()


def losses_and_gradients(model: FairseqEncoderDecoderModel, device: str = "cpu") -> list[Tensor | None]:
    """Of BATCHES in ORDER; the gradients of the first two add up, as over the batches of one update."""
    found: list[Tensor | None] = []
    for update, k in enumerate(ORDER):
        if update != 1:
            model.zero_grad()
        torch.manual_seed(update)
        one = loss(model, BATCHES[k], device)
        one.backward()
        found += [one.detach(), *(None if p.grad is None else p.grad.clone() for p in model.parameters())]
    return found


def held_to(found: list[Tensor | None], expected: list[Tensor | None], tolerance: float) -> None:
    assert [x is None for x in found] == [x is None for x in expected]
    for one, other in zip(found, expected, strict=True):
        if one is not None:
            torch.testing.assert_close(one, other, rtol=tolerance, atol=tolerance)


def counts(passes: list[Replayed]) -> list[tuple[int, int, int]]:
    """Of each decoder: shapes recorded, passes replayed, other passes."""
    return [(len(one.passes), one.replayed, one.others) for one in passes]


@pytest.mark.slow
@on_tapes
@pytest.mark.parametrize("name", SYSTEMS)
def test_losses_and_gradients_stay_what_they_are(name):
    """To the last bit, with the same random numbers of dropout."""
    expected = losses_and_gradients(trained(name, DROPOUT))
    model = trained(name, DROPOUT)
    passes = replay(model, OnCpu)
    held_to(losses_and_gradients(model), expected, tolerance=0)
    decoders = 2 if name == "cohn_agreement" else 1
    assert model.decoder.attention.final_state == (name in FROZEN)
    assert counts(passes) == [(0, 0, len(ORDER)) if name in FROZEN else (2, len(ORDER), 0)] * decoders


@on_tapes
def test_an_output_that_a_loss_reads_no_more_has_no_gradient():
    """Once attention is part of the objective, then it is not."""
    gradients = []
    for model in (trained("rnnsearch_star"), trained("rnnsearch_star")):
        if gradients:
            replay(model, OnCpu)
        for attended in (1, 0):
            model.zero_grad()
            logits, weights = support.forward(model, BATCHES[0])
            (logits.square().sum() + (weights.square().sum() if attended else 0)).backward()
        gradients.append([parameter.grad for parameter in model.parameters()])
    held_to(*gradients, tolerance=0)


@on_tapes
def test_a_shape_is_recorded_once_and_only_the_first_ones():
    model = trained("ba_nmt")
    expected = losses_and_gradients(trained("ba_nmt"))
    passes = replay(model, OnCpu, most=1)
    held_to(losses_and_gradients(model), expected, tolerance=0)
    assert counts(passes) == [(1, 3, 2)]


@on_tapes
def test_a_batch_with_and_one_without_gradients_of_the_encoder_are_two():
    model = trained("rnnsearch_star")
    passes = replay(model, OnCpu)
    loss(model, BATCHES[0]).backward()
    model.encoder.requires_grad_(False)
    loss(model, BATCHES[0]).backward()
    assert counts(passes) == [(2, 2, 0)]


@on_tapes
def test_what_is_not_training_is_not_recorded():
    model, plain, batch = trained("ba_nmt"), trained("ba_nmt"), BATCHES[0]
    passes = replay(model, OnCpu)
    with torch.no_grad():
        support.close(loss(model, batch), loss(plain, batch), tolerance=0)
    model.eval()
    loss(model, batch).backward()
    for one, other in zip(support.step_by_step(model, batch), support.step_by_step(plain, batch), strict=True):
        support.close(one, other, tolerance=0)
    assert counts(passes) == [(0, 0, 0)]


def test_on_a_cpu_nothing_is_recorded_and_nothing_refused():
    expected = losses_and_gradients(trained("ba_nmt"))
    model = trained("ba_nmt")
    passes = replay(model)
    held_to(losses_and_gradients(model), expected, tolerance=0)
    assert isinstance(passes[0].recorder, Recorder)
    assert counts(passes) == [(0, 0, 0)]


def test_fairseqs_own_systems_stay_as_they_are():
    name = next(iter(support.OF_FAIRSEQ))
    assert replay(build(support.OF_FAIRSEQ[name]).model, OnCpu) == []


@on_tapes
def test_two_batches_forward_before_one_backward_are_refused():
    """The first one's states are gone; its gradients would be those of a mixture."""
    model = trained("rnnsearch_star")
    replay(model, OnCpu)
    first, second = loss(model, BATCHES[0]), loss(model, BATCHES[1])
    with pytest.raises(RuntimeError, match="backward before the next one goes forward"):
        first.backward()
    second.backward()


@on_tapes
def test_checkpoints_do_not_know():
    model = trained("ba_nmt")
    names = list(model.state_dict())
    replay(model, OnCpu)
    loss(model, BATCHES[0]).backward()
    assert list(model.state_dict()) == names


class Spoilt:
    """A recording of which one method does something wrong: ``spoil`` is applied to what it returns."""

    def __init__(self, recording: Recording, method: str, spoil: Callable):
        self.recording, self.method, self.spoil = recording, method, spoil

    def __getattr__(self, name: str):
        found = getattr(self.recording, name)
        return found if name != self.method else lambda *given: self.spoil(found(*given))


def fail(*given):
    raise RuntimeError("operation not permitted when stream is capturing\nmore")


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
def test_when_one_decoder_s_graph_is_wrong_the_other_has_none_either():
    expected = losses_and_gradients(trained("cohn_agreement"))
    model = trained("cohn_agreement")
    passes = replay(model, spoilt("record", fail, 1))
    with pytest.warns(UserWarning) as warned:
        held_to(losses_and_gradients(model), expected, tolerance=0)
    assert len(warned) == 1
    assert sum(one.replayed for one in passes) <= 1


def gathered(outputs: list[Tensor]) -> list[Tensor]:
    """The leaves whose gradients are gathered in a backward pass from ``outputs``."""
    nodes, seen = [x.grad_fn for x in outputs if x.grad_fn is not None], set()
    found = []
    while nodes:
        node = nodes.pop()
        if node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            found.append(node.variable)
        nodes += [following for following, _ in node.next_functions if following is not None]
    return found


@on_tapes
@pytest.mark.parametrize(
    "name",
    [
        name if name in ("rnnencdec", "rnnsearch_star") else pytest.param(name, marks=pytest.mark.slow)
        for name in SYSTEMS
        if name not in FROZEN
    ],
)
def test_no_node_that_gathers_a_gradient_outside_takes_part_in_a_recording(name):
    """Those of the model's parameters belong to the default stream after an update, and CUDA refuses to record them."""
    model, found = trained(name), []

    class Seen(OnCpu):
        def record(self, function, inputs, module):
            def seen(given: list[Tensor]) -> list[Tensor]:
                outputs = function(given)
                found.append({id(x) for x in gathered(outputs)})
                return outputs

            seen.outputs = function.outputs
            return super().record(seen, inputs, module)

    replay(model, Seen)
    loss(model, BATCHES[0]).backward()
    ours = {id(parameter) for parameter in model.parameters()}
    assert found and all(leaves and leaves.isdisjoint(ours) for leaves in found)
    assert {id(parameter) for parameter in model.parameters()} == ours


class Generator:
    """What counts of a generator: a recording that fails leaves its state capturing."""

    def __init__(self, capturing: bool = False):
        self.capturing = capturing

    def clone_state(self) -> "Generator":
        return Generator()

    def graphsafe_set_state(self, other: "Generator") -> None:
        self.capturing = other.capturing


@on_tapes
@pytest.mark.parametrize("fails", [True, False])
def test_a_recording_that_fails_leaves_the_generator_able_to_draw(fails):
    generator, restored = Generator(), []
    generator.graphsafe_set_state = lambda other: restored.append(not other.capturing)

    class Capturing(OnCpu):
        def generator(self, inputs):
            return generator

        def record(self, *given):
            generator.capturing = True
            return fail() if fails else super().record(*given)

    model = trained("ba_nmt")
    replay(model, Capturing)
    if fails:
        with pytest.warns(UserWarning, match="switched off"):
            loss(model, BATCHES[0]).backward()
    else:
        loss(model, BATCHES[0]).backward()
    assert restored == [True] * fails


@on_tapes
def test_all_graphs_of_a_decoder_share_one_pool_and_those_of_another_have_theirs(monkeypatch):
    """A forward and a backward pass each; two decoders are under way at once, so that one would overwrite the other."""
    handles, recorded = iter(range(9)), []

    def recording(tape: Tape, pool: int):
        recorded.append(pool)
        return taping(tape, pool)

    monkeypatch.setattr(torch.cuda, "graph_pool_handle", lambda: next(handles))
    monkeypatch.setattr(torch.cuda, "graph", recording)
    model = trained("cohn_agreement")
    replay(model, OnCpu)
    for batch in BATCHES[:2]:
        loss(model, batch).backward()
    assert sorted(recorded) == [0] * 4 + [1] * 4


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


def test_leaves_of_a_tree():
    a, b, c = torch.zeros(3).unbind()
    tree = (a, (), None, Batch(b, (c,), None, ()))
    assert [x is y for x, y in zip(leaves(tree), [a, b, c], strict=True)] == [True] * 3
    other = with_leaves(tree, [c, a, b])
    assert isinstance(other[3], Batch)
    assert (other[0], other[1:3], other[3].source, other[3].lengths[0]) == (c, ((), None), a, b)


@pytest.mark.training
@on_tapes
def test_training_replays_and_says_how_often(monkeypatch, capfd):
    """All but the first update, which places and casts the model; without a GPU nothing, and nothing is said."""
    plain = tiny.train("graphs", Path("scratch-plain"), Path("models-plain"))
    assert "CUDA graphs" not in capfd.readouterr().out
    monkeypatch.setattr(loop, "replay", lambda model: replay(model, OnCpu))
    found = tiny.train("graphs", Path("scratch-graphs"), Path("models-graphs"))
    said = re.search(r"graphs-1: (\d+) passes replayed from (\d+) CUDA graphs, 0 not", capfd.readouterr().out)
    assert int(said[1]) == tiny.record(found)["updates"] - 1 > int(said[2]) > 0
    for one, other in zip(*(tiny.checkpoint(folder)["model"].values() for folder in (found, plain)), strict=True):
        support.close(one, other, tolerance=1e-6)


# The real thing


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need a GPU")
@pytest.mark.parametrize("name", support.SYSTEMS)
def test_cuda_graphs_do_what_their_kernels_did(name):
    expected = losses_and_gradients(trained(name, DROPOUT).cuda(), "cuda")
    model = trained(name, DROPOUT).cuda()
    passes = replay(model)
    held_to(losses_and_gradients(model, "cuda"), expected, tolerance=1e-10)
    frozen = model.decoder.attention.final_state
    assert set(counts(passes)) == {(0, 0, len(ORDER)) if frozen else (2, len(ORDER), 0)}


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need a GPU")
def test_training_goes_on_where_a_pass_cannot_be_recorded(monkeypatch):
    """It waits for the device, which a stream that is being recorded does not allow; dropout draws as ever."""
    expected = losses_and_gradients(trained("ba_nmt", DROPOUT).cuda(), "cuda")
    model = trained("ba_nmt", DROPOUT).cuda()
    computed = model.decoder.teacher_forced

    def waiting(tokens: Tensor, encoder_out: tuple) -> tuple:
        int(tokens.sum())
        return computed(tokens, encoder_out)

    monkeypatch.setattr(model.decoder, "teacher_forced", waiting)
    passes = replay(model)
    with pytest.warns(UserWarning, match="CUDA graphs are switched off: recording one fails"):
        held_to(losses_and_gradients(model, "cuda"), expected, tolerance=1e-10)
    assert counts(passes) == [(0, 0, len(ORDER))]


@pytest.mark.gpu
@pytest.mark.training
@pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need a GPU")
def test_three_epochs_with_graphs_are_three_without_but_for_rounding(monkeypatch, capfd):
    """Through the loop: on its own stream, dev translated in between, shapes that recur."""
    found = tiny.train("graphs", Path("scratch-recorded"), Path("models-recorded"))
    assert re.search(r"[1-9]\d* passes replayed from [1-9]\d* CUDA graphs, 0 not", capfd.readouterr().out)
    monkeypatch.setattr(loop, "replay", lambda model: [])
    plain = tiny.train("graphs", Path("scratch-launched"), Path("models-launched"))
    assert tiny.record(found)["epochs"] == tiny.record(plain)["epochs"] == 3
    for one, other in zip(*(tiny.checkpoint(folder)["model"].values() for folder in (found, plain)), strict=True):
        support.close(one, other, tolerance=1e-3)
