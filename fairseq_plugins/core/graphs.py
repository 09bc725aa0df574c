"""CUDA graphs of teacher forcing: its kernels, dozens for every target word, are launched once a batch.

Recorded is the decoder between the encoder's states and the output matrix, forward and backward, for one shape of a
batch at a time. The encoder (whose lengths must be on the host), candidate lists, the output matrix and the losses stay
outside: they are few, large kernels, and a recording would have to keep logits for every shape. Each recording is
compared with the pass itself before it serves. Where one differs or fails, all goes on without graphs, with a warning.
"""

import gc
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from fairseq_plugins.core.tree import leaves, tree_map, with_leaves
from fairseq_plugins.kernels.comparison import allowed, difference, in_words, sentence

MOST_SHAPES = 64
WARM_UP = 3  # as often as torch.cuda.make_graphed_callables: kernels are compiled and libraries make their workspaces

Pass = Callable[[Sequence[Tensor]], list[Tensor]]


class Replayed:
    """Stands in for a decoder's ``teacher_forced``: in training every shape is recorded when it first comes up.

    Evaluation, passes without gradients, and shapes beyond the first ``most`` are computed as ever; so are systems
    whose states are frozen at each sentence's end (``final_state``), which ask the host for the shortest; and all once
    a recording, of this decoder or of another with the same ``trust``, has been wrong. recorded: shapes; replayed,
    others: training passes on a GPU that were replayed, and that were not.
    """

    def __init__(self, decoder: Any, recorder: "Recorder", most: int, trust: "Trust"):
        self.decoder, self.recorder, self.most, self.trust = decoder, recorder, most, trust
        self.compute = decoder.teacher_forced
        self.parameters = [parameter for parameter in decoder.parameters() if parameter.requires_grad]
        self.passes: dict[tuple, tuple[_Flat, Recording]] = {}
        self.turn = self.recorded = self.replayed = self.others = 0

    def __call__(self, tokens: Tensor, encoder_out: tuple) -> tuple:
        """What ``teacher_forced`` returns."""
        if not (self.decoder.training and torch.is_grad_enabled() and self.recorder.serves(tokens)):
            return self.compute(tokens, encoder_out)
        inputs = leaves((tokens, encoder_out))
        shape = tuple((x.shape, x.dtype, x.requires_grad) for x in inputs)
        if self.trust.lost or (shape not in self.passes and not self._record(shape, (tokens, encoder_out), inputs)):
            self.others += 1
            if self.trust.lost:
                self.passes.clear()  # nothing replays them any more, and there may be no memory
            return self.compute(tokens, encoder_out)
        self.replayed += 1
        flat, recording = self.passes[shape]
        return with_leaves(flat.outputs, _Replay.apply(self, recording, len(inputs), *inputs, *self.parameters))

    def _record(self, shape: tuple, arguments: tuple, inputs: Sequence[Tensor]) -> bool:
        """Whether a shape that is new has a recording now."""
        if self.decoder.attention.final_state or len(self.passes) >= self.most:
            return False
        generator = self.recorder.generator(inputs)
        before = None if generator is None else generator.clone_state()
        try:
            flat = _Flat(self.compute, arguments)
            recording = self.recorder.record(flat, inputs, self.decoder)
            apart, most = difference_of(recording, flat, inputs, self.parameters)
        except Exception as error:  # the driver may raise anything
            if generator is not None and before is not None:
                draw_again(generator, before)
            self.trust.lose(f"recording one fails ({sentence(_first(error))})")
            return False
        if not apart <= most:
            self.trust.lose(f"what one replays {in_words(apart)}")
            return False
        self.passes[shape] = flat, recording
        self.recorded += 1
        return True


class Trust:
    """In the CUDA graphs of a model: there until one is wrong. reason: what was; empty until then."""

    def __init__(self):
        self.reason = ""

    @property
    def lost(self) -> bool:
        return bool(self.reason)

    def lose(self, reason: str) -> None:
        """Say so, once."""
        self.reason = reason
        warnings.warn(f"CUDA graphs are switched off: {reason}; training goes on without them", stacklevel=2)


def _first(error: BaseException) -> BaseException:
    """What failed before it: the end of a capture says no more than that something did."""
    while error.__context__ is not None and not error.__suppress_context__:
        error = error.__context__
    return error


class _Flat:
    """A function of trees as one of their tensors; ``inputs`` and ``outputs`` keep what the trees look like."""

    def __init__(self, function: Callable[..., tuple], inputs: tuple):
        self.function, self.inputs = function, _form(inputs)
        self.outputs: tuple = ()

    def __call__(self, inputs: Sequence[Tensor]) -> list[Tensor]:
        found = self.function(*with_leaves(self.inputs, inputs))
        self.outputs = _form(found)
        return leaves(found)


def _form(tree):
    """The tree with empty tensors."""
    return tree_map(lambda leaf: leaf.new_empty(0), tree)


class _Replay(torch.autograd.Function):
    @staticmethod
    def forward(ctx, replayed: Replayed, recording: "Recording", count: int, *tensors: Tensor) -> tuple[Tensor, ...]:
        """``tensors``: ``count`` inputs, then parameters, which only their gradients are for."""
        replayed.turn += 1
        ctx.replayed, ctx.recording, ctx.turn = replayed, recording, replayed.turn
        ctx.set_materialize_grads(False)
        outputs = recording.forward(tensors[:count])
        fixed = [x for x, differentiable in zip(outputs, recording.differentiable, strict=True) if not differentiable]
        ctx.mark_non_differentiable(*fixed)
        return outputs

    @staticmethod
    @once_differentiable
    def backward(ctx, *gradients: Tensor | None) -> tuple[Tensor | None, ...]:
        """Raises RuntimeError where another batch has gone forward since: it has overwritten what is needed here."""
        if ctx.turn != ctx.replayed.turn:
            raise RuntimeError("with CUDA graphs a batch must go backward before the next one goes forward")
        return None, None, None, *ctx.recording.backward(gradients)


@contextmanager
def on_one_stream() -> Iterator[None]:
    """Everything within on a stream of its own: enter it before the first update of a training with graphs. What that
    makes for good, such as the nodes that gather gradients, belongs to the stream on which it was made; none may be
    recorded that belongs to the default one. Without a GPU nothing happens."""
    if not torch.cuda.is_available():
        yield
        return
    stream, before = torch.cuda.Stream(), torch.cuda.current_stream()
    stream.wait_stream(before)
    with torch.cuda.stream(stream):
        yield
    before.wait_stream(stream)


class Recorder:
    """Records the passes of one decoder, in one pool of memory, since one pass of it at a time is under way.

    Of a model with two decoders each has its own, for one goes forward before the other goes back. The graphs of
    several shapes take little more memory than those of the largest: what a pass saves for its backward is free for the
    next recording, and all share the parameters' gradients.
    """

    def __init__(self):
        self.pool: Any = None  # torch's handle
        self.gradients: list[Tensor] = []

    def serves(self, tokens: Tensor) -> bool:
        """Whether a pass over ``tokens`` can be recorded."""
        return tokens.is_cuda and not torch.is_autocast_enabled("cuda")

    def generator(self, inputs: Sequence[Tensor]) -> torch.Generator | None:
        """What draws the random numbers of a pass over ``inputs``; None where recording cannot hold it up."""
        device = inputs[0].device
        return torch.cuda.default_generators[device.index] if device.type == "cuda" else None

    def record(self, function: Pass, inputs: Sequence[Tensor], module: nn.Module) -> "Recording":
        """``function``, a method of ``module``, for inputs like these, with the gradients of its parameters."""
        with stood_in(module) as parameters:
            if self.pool is None:
                self.pool = torch.cuda.graph_pool_handle()
                self.gradients = [torch.empty_like(parameter) for parameter in parameters]
            return Recording(function, inputs, parameters, self.gradients, self.pool)


@contextmanager
def stood_in(module: nn.Module) -> Iterator[list[Tensor]]:
    """The trained parameters of ``module``, replaced meanwhile by others of the same memory.

    The node that gathers a parameter's gradient belongs to the stream on which it was first used and lives as long as
    anything computed from it, so after the first update it is one of the default stream, and CUDA refuses to record a
    backward pass that it takes part in. These have nodes of their own, made on the stream that records.
    """
    others: dict[nn.Parameter, nn.Parameter] = {}
    places = []
    for part in module.modules():
        for name, parameter in part._parameters.items():
            if parameter is not None and parameter.requires_grad:
                others.setdefault(parameter, nn.Parameter(parameter.detach()))
                places.append((part, name, parameter))
    try:
        for part, name, parameter in places:
            part._parameters[name] = others[parameter]
        yield list(others.values())
    finally:
        for part, name, parameter in places:
            part._parameters[name] = parameter


@cache
def _warming() -> torch.cuda.Stream:
    """One for all shapes: libraries keep a workspace for every stream that they have served."""
    return torch.cuda.Stream()


@contextmanager
def captured(graph: Any, pool: Any) -> Iterator[None]:
    """``torch.cuda.graph``, after which all is as before where it fails too.

    ``thread_local``: fairseq pins the next batches in a thread of its own, which would end a capture that minds other
    threads. Where the capture's end raises, torch leaves its stream chosen and its pool taking all memory. Garbage is
    not collected meanwhile: a model of before may be part of it, whose graphs would be destroyed within the capture.

    A pool that a capture has failed in keeps its memory until the process ends (pytorch#190348). It is not given back
    here by torch's internals: tensors and graphs that were made before may be in it.
    """
    stream, collects = torch.cuda.current_stream(), gc.isenabled()
    gc.disable()
    try:
        with torch.cuda.graph(graph, pool=pool, capture_error_mode="thread_local"):
            yield
    except BaseException:
        with suppress(RuntimeError):  # it had let go of the pool
            torch._C._cuda_endAllocateToPool(stream.device_index, pool)
        raise
    finally:
        torch.cuda.set_stream(stream)
        if collects:
            gc.enable()


def draw_again(generator: torch.Generator, before: torch.Generator) -> None:
    """Have ``generator`` draw after a capture that failed, which before torch 2.13 leaves its state capturing.

    One that succeeds ends that, and the graphs that hold this state can be replayed: those of another decoder may have
    gone forward. Where none succeeds, ``generator`` alone goes on, with its state from ``before``.
    """
    try:
        with captured(torch.cuda.CUDAGraph(), torch.cuda.graph_pool_handle()):
            torch.zeros(1, device=generator.device)
    except Exception:
        generator.graphsafe_set_state(before)


class Recording:
    """A pass for inputs of certain shapes, as two CUDA graphs. differentiable: whether each output has a gradient.

    ``torch.cuda.make_graphed_callables`` does the same, but keeps gradients of all parameters for every shape, and its
    parameters' gradients are what the next replay overwrites: where several batches make an update they would be lost.
    Dropout draws what it would without a graph: replaying advances the generator, recording does not.
    """

    def __init__(
        self, function: Pass, inputs: Sequence[Tensor], parameters: Sequence[Tensor], gradients: Sequence[Tensor],
        pool: Any,
    ):  # fmt: skip
        self.inputs = [x.detach().clone().requires_grad_(x.requires_grad) for x in inputs]
        sources = [*self.inputs, *parameters]
        with torch.random.fork_rng([self.inputs[0].device]):
            warming = _warming()
            warming.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(warming):
                for _ in range(WARM_UP):
                    outputs = function(self.inputs)
                    gradients_of(outputs, sources, zeros_like(outputs))
                    del outputs  # before the next pass, and before recording
            torch.cuda.current_stream().wait_stream(warming)
        self.forward_graph, self.backward_graph = torch.cuda.CUDAGraph(), torch.cuda.CUDAGraph()
        with captured(self.forward_graph, pool):
            outputs = function(self.inputs)
        self.differentiable = [x.requires_grad for x in outputs]
        self.given = zeros_like(outputs)
        with captured(self.backward_graph, pool):
            found = gradients_of(outputs, sources, self.given)
            of_inputs, of_parameters = found[: len(inputs)], found[len(inputs) :]
            for kept, gradient in zip(gradients, of_parameters, strict=True):
                if gradient is not None:
                    kept.copy_(gradient)
        self.outputs = tuple(x.detach() for x in outputs)  # without their graph, whose memory the pool takes back
        self.of_inputs = of_inputs
        self.of_parameters = [
            None if gradient is None else kept for kept, gradient in zip(gradients, of_parameters, strict=True)
        ]

    def forward(self, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """The outputs, which the next replay overwrites."""
        for kept, x in zip(self.inputs, inputs, strict=True):
            kept.copy_(x)
        self.forward_graph.replay()
        return tuple(x.detach() for x in self.outputs)

    def backward(self, gradients: Sequence[Tensor | None]) -> tuple[Tensor | None, ...]:
        """Of the last ``forward``: gradients of inputs, then parameters, from those of the outputs (None: 0)."""
        for kept, gradient in zip(self.given, gradients, strict=True):
            if kept is not None and gradient is not None:
                kept.copy_(gradient)
            elif kept is not None:
                kept.zero_()
        self.backward_graph.replay()
        return *self.of_inputs, *(None if kept is None else kept.clone() for kept in self.of_parameters)


def difference_of(
    recording: Recording, function: Pass, inputs: Sequence[Tensor], parameters: Sequence[nn.Parameter]
) -> tuple[float, float]:
    """How far what ``recording`` replays, values and gradients, is from what ``function`` computes; and how far it may
    be. Both draw the same random numbers, and leave the generators as they were."""
    devices = [inputs[0].device]
    given = [x.detach().clone().requires_grad_(x.requires_grad) for x in inputs]
    with torch.random.fork_rng(devices):
        outputs = function(given)
        ramps = [_ramp(x) if x.requires_grad else None for x in outputs]
        expected = [*outputs, *gradients_of(outputs, [*given, *parameters], ramps)]
    with torch.random.fork_rng(devices), torch.no_grad():
        found = [*recording.forward(inputs), *recording.backward(ramps)]
    return difference(found, expected), allowed(expected)


def _ramp(x: Tensor) -> Tensor:
    """A gradient that is another number for every result."""
    return torch.linspace(-1, 2, x.numel(), dtype=torch.float32, device=x.device).to(x.dtype).view_as(x)


def zeros_like(outputs: Sequence[Tensor]) -> list[Tensor | None]:
    """Gradients for the outputs that have one."""
    return [torch.zeros_like(x) if x.requires_grad else None for x in outputs]


def gradients_of(
    outputs: Sequence[Tensor], sources: Sequence[Tensor], gradients: Sequence[Tensor | None]
) -> list[Tensor | None]:
    """Of every source, None where it has none; ``gradients``: those of the outputs."""
    given = [gradient for gradient in gradients if gradient is not None]
    reached, wanted = ([x for x in tensors if x.requires_grad] for tensors in (outputs, sources))
    found = iter(torch.autograd.grad(reached, wanted, given, allow_unused=True))
    return [next(found) if x.requires_grad else None for x in sources]


def replay(model: nn.Module, recorder: Callable[[], Recorder] = Recorder, most: int = MOST_SHAPES) -> list[Replayed]:
    """Have every decoder in ``model`` that has a ``teacher_forced`` replay it from now on; ``recorder`` makes one each.
    ``most``: shapes that are recorded of a decoder. Parameters must stay where they are in memory."""
    decoders: list[Any] = [module for module in model.modules() if hasattr(module, "teacher_forced")]
    trust = Trust()
    found = [Replayed(decoder, recorder(), most, trust) for decoder in decoders]
    for decoder, replayed in zip(decoders, found, strict=True):
        decoder.teacher_forced = replayed
    return found
