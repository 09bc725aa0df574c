"""The contracts between the decoder loop and what varies: cells (the recurrence), mechanisms and terms (attention).

One target step, in the order of the papers::

    state   = attention.observe(y, memory, state)                lazy updates that needed the word just chosen
    q, mid  = cell.query(y, s_prev)                              the attention query
    step    = attention.step(y, q, s_prev, memory, state)        reads the state of step i-1
    s       = cell.advance(y, mid, step.context, step.extra, step.candidate, s_prev)
    state   = attention.update(step, q, s_prev, s, memory)       the state of step i
    readout reads cell.readout_state(s_prev, s), the embedding of y_{i-1}, step.context, step.reads; for all i at once

Conventions: batch first; B sentences (times beam), S source positions, T target steps, A attention width, C annotation
width, E embedding width, H state width. Every state, memory and hoisted product is a *tree* (``core.tree``): a tensor
or a nested (Named)tuple of tensors whose first dimension is B; ``()`` holds nothing. No module keeps a tensor between
calls; a step counter is an int64 tensor in the state. ``y`` is what ``target`` made of E_y(y_{i-1}): hoisted for all
steps under teacher forcing and handed out step by step by the loop.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Generic, NamedTuple, TypeVar

import torch
from torch import Tensor, nn

from fairseq_plugins.core.features import Features
from fairseq_plugins.core.options import NoOptions
from fairseq_plugins.core.tree import Tree

Weights = TypeVar("Weights", Tensor, None)
"""None in a system that does not attend."""


class Source(NamedTuple):
    """What the encoder says about the source sentences.

    Attributes:
        ids: token ids, ``(B, S)``, right-padded, eos included.
        mask: True at real tokens (eos is real), ``(B, S)``.
        embeddings: E_x(x_j) after dropout, ``(B, S, E)``.
        annotations: h_j, ``(B, S, C)``, 0 at padding; terms may widen them.
        summary: a tree that starts the decoder: the backward state at the first word ``(B, H)`` for a bidirectional
            encoder, c = tanh(V h_S) ``(B, H)`` for that of ``rnnencdec``.
    """

    ids: Tensor
    mask: Tensor
    embeddings: Tensor
    annotations: Tensor
    summary: Tree

    def mean(self) -> Tensor:
        """Of the annotations of real tokens, ``(B, C)``."""
        real = self.mask.to(self.annotations.dtype)
        return torch.bmm((real / real.sum(1, keepdim=True)).unsqueeze(1), self.annotations).squeeze(1)


class Step(NamedTuple, Generic[Weights]):
    """What attention hands to the decoder at one target step.

    Attributes:
        context: c_i, ``(B, C)``.
        weights: alpha_i, ``(B, S)``; None when the system does not attend.
        reads: extra inputs of the readout by name, each ``(B, width)``.
        extra: extra input of the decoder's recurrence, ``(B, width)`` or None.
        candidate: added to the candidate state's pre-activation in the recurrence, ``(B, H)`` or None.
        state: the attention's state; as it came in unless computing ``extra`` or ``candidate`` moved it.
        scratch: what ``update`` can reuse of this step's work.
    """

    context: Tensor
    weights: Weights
    reads: dict[str, Tensor]
    extra: Tensor | None
    candidate: Tensor | None
    state: Tree
    scratch: Tree


class Trace(NamedTuple, Generic[Weights]):
    """What the losses of a batch may read. Rows after a sentence's end are undefined: mask with ``Target.mask``.

    Attributes:
        weights: ``(B, T, S)`` or None.
        kept: the trees returned by ``keep`` after each observed word y_1 .. y_T, stacked along dimension 1.
        state: the attention's last state; that of each sentence's own end, its eos observed, if ``final_state`` is set.
        memory: the attention's memory.
        y: what ``target`` made of the embeddings of y_0 .. y_T, a tree of ``(B, T + 1, ...)``.
    """

    weights: Weights
    kept: Tree
    state: Tree
    memory: Tree
    y: Tree


class Target(NamedTuple):
    """The reference side of a batch, for losses.

    Attributes:
        ids: y_i incl. eos, ``(B, T)``; mask: True at real tokens, ``(B, T)``.
        embeddings: E_y(y_i), rows of the input embedding table without dropout, ``(B, T, E)``.
        links: word alignment as 0/1 between pieces, eos linked to eos, ``(B, T, S)``; None when there is none.
    """

    ids: Tensor
    mask: Tensor
    embeddings: Tensor
    links: Tensor | None


@dataclass(frozen=True)
class Widths:
    """The sizes of a system that its terms shape their weights by; symbols of the papers. ``annotation`` is C, the
    widening of every term of the system included."""

    vocabulary: int
    embedding: int
    hidden: int
    annotation: int
    attention: int


class Cell(nn.Module):
    """The decoder's recurrence. takes_extras: whether ``advance`` can use ``extra`` and ``candidate`` (a system that
    would drop them is refused)."""

    takes_extras: bool = True

    def start(self, source: Source) -> Tree:
        """s_0 as a tree."""
        raise NotImplementedError

    def target(self, embeddings: Tensor) -> Tree:
        """Products of E_y(y_{i-1}) ``(B, T, E)`` that the recurrence needs, a tree of ``(B, T, ...)``."""
        raise NotImplementedError

    def query(self, y: Tree, s: Tree) -> tuple[Tensor, Tree]:
        """The query q_i ``(B, H)``, and what ``advance`` needs of the work done for it."""
        raise NotImplementedError

    def advance(
        self, y: Tree, mid: Tree, context: Tensor, extra: Tensor | None, candidate: Tensor | None, s: Tree
    ) -> Tree:
        """s_i from s_{i-1}."""
        raise NotImplementedError

    def hidden(self, s: Tree) -> Tensor:
        """The top hidden state ``(B, H)`` of a state tree."""
        raise NotImplementedError

    def readout_state(self, s_prev: Tree, s: Tree) -> Tensor:
        """The state that the readout of step i reads, ``(B, H)``."""
        raise NotImplementedError

    def unroll(self, y: Tree, s: Tree) -> tuple[Tensor, Tensor] | None:
        """Queries and readout states ``(B, T, .)`` of all steps, for a recurrence that attention does not enter; None
        when it does: the decoder goes step by step then. The mechanism's ``all_steps`` must accept the queries."""
        return None


class Remembering(nn.Module):
    """What mechanisms and terms have in common: a state that goes from step to step, a tree of ``(B, ...)``."""

    def annotate(self, source: Source) -> Source:
        """The source with the annotations that are attended to."""
        return source

    def target(self, embeddings: Tensor) -> Tree:
        """Products of target embeddings ``(B, T, E)`` that every step needs as ``y``, a tree of ``(B, T, ...)``."""
        return ()

    def start(self, memory: Tree) -> Tree:
        """The state before the first step."""
        return ()

    def observe(self, y: Tree, memory: Tree, state: Tree) -> Tree:
        """The state once y_{i-1} is known, called from the second step on (lazy update rule)."""
        return state

    def keep(self, memory: Tree, state: Tree) -> Tree:
        """What ``loss`` must see of the state after each observed word."""
        return ()


class Attention(Remembering):
    """A whole attention mechanism.

    Attributes:
        annotation_width: C, width of the annotations after ``annotate``.
        context_width: width of c_i (C unless the mechanism widens it).
        fixed_context: whether c_i is the same for all i.
        extra_width: width of ``Step.extra`` (0: none).
        gives_candidate: whether ``Step.candidate`` is ever given.
        read_widths: widths of ``Step.reads`` by name.
        has_loss: whether ``loss`` has something to say; only then is a trace kept.
        final_state: whether ``loss`` reads the state at each sentence's own end; states are then frozen there.
    """

    annotation_width: int
    context_width: int
    fixed_context: bool = False
    extra_width: int = 0
    gives_candidate: bool = False
    read_widths: Mapping[str, int] = MappingProxyType({})
    has_loss: bool = False
    final_state: bool = False

    def check(self, source: Source) -> None:
        """Called before ``memory``, and outside of CUDA graphs: it may wait for the device.

        Raises:
            ValueError: the mechanism cannot attend to one of the sentences.
        """

    def memory(self, source: Source) -> Tree:
        """Everything that is computed once a sentence, as a tree."""
        raise NotImplementedError

    def step(self, y: Tree, q: Tensor, s_prev: Tensor, memory: Tree, state: Tree) -> Step:
        """Attend. ``q`` and ``s_prev (B, H)``."""
        raise NotImplementedError

    def all_steps(self, queries: Tensor, memory: Tree) -> tuple[Tensor, Tensor]:
        """Contexts ``(B, T, C)`` and weights ``(B, T, S)`` of all steps, for a mechanism without state or reads."""
        raise NotImplementedError

    def update(self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, memory: Tree) -> Tree:
        """The state of step i from ``step.state``; s_i ``(B, H)`` is known."""
        return step.state

    def loss(self, trace: Trace, target: Target) -> dict[str, Tensor]:
        """Auxiliary losses by name, each summed over the batch, already multiplied with its coefficient."""
        return {}


class Term(Remembering):
    """One addend inside the tanh of additive attention, or what takes the place of the softmax (``normalises``); with
    the state it remembers and what else it feeds.

    The methods mean the same as those of ``Attention``, about this term's own memory, state and ``y``. A term that
    needs something of the sentence later puts it into its memory.

    Attributes:
        name: the term's name in params.yaml, in ``--terms`` and in a checkpoint; its file's stem.
        Options: the frozen dataclass of its options (``core.options``); instances are built from it and ``Widths``.
        excludes: terms that it cannot stand beside, each with the reason.
        read_width, extra_width: widths of what it feeds the readout and the recurrence (0: nothing).
        gives_candidate, has_loss, final_state: as of ``Attention``.
        normalises: whether ``normalise`` makes the weights, in the place of the softmax; one term of a system at most.
    """

    name: ClassVar[str]
    Options: ClassVar[type] = NoOptions
    excludes: ClassVar[dict[str, str]] = {}
    normalises: ClassVar[bool] = False
    read_width: int = 0
    extra_width: int = 0
    gives_candidate: bool = False
    has_loss: bool = False
    final_state: bool = False

    @classmethod
    def widening(cls, widths: Widths) -> int:
        """By how much ``annotate`` widens the annotations; ``widths`` are those before any term did."""
        return 0

    @classmethod
    def reads_links(cls, options) -> bool:
        """Whether ``loss`` reads ``Target.links``, the word alignments of the training text."""
        return False

    def memory(self, source: Source) -> Tree:
        return ()

    def keys(self, memory: Tree) -> Tensor | None:
        """An addend inside the tanh that is the same at every step, ``(B, S, A)``, computed once a sentence."""
        return None

    def energy(
        self, y: Tree, q: Tensor, s_prev: Tensor, memory: Tree, state: Tree
    ) -> tuple[Tensor | Features | None, Tree]:
        """-> (the addend inside the tanh ``(B, S, A)`` or ``(B, 1, A)``, or ``Features`` that make it, or None; scratch
        for ``normalise``, ``read`` and ``update``)."""
        return None, ()

    def normalise(self, energies: Tensor, scratch: Tree, memory: Tree, state: Tree) -> Tensor:
        """Weights ``(B, S)`` that sum to 1 from energies ``(B, S)``; 0 where these are -inf, which is at padding."""
        raise NotImplementedError

    def read(self, weights: Tensor, scratch: Tree, memory: Tree, state: Tree) -> Tensor | None:
        """What the readout gains, ``(B, read_width)``."""
        return None

    def cell(
        self, y: Tree, q: Tensor, context: Tensor, weights: Tensor, memory: Tree, state: Tree
    ) -> tuple[Tensor | None, Tensor | None, Tree]:
        """-> (extra input ``(B, extra_width)`` or None, candidate addend ``(B, H)`` or None, state)."""
        return None, None, state

    def update(
        self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: Tree, memory: Tree, state: Tree
    ) -> Tree:
        return state

    def loss(self, y: Tree, kept: Tree, memory: Tree, state: Tree, trace: Trace, target: Target) -> Tensor | None:
        """The term's loss, summed over the batch, times its coefficient."""
        return None
