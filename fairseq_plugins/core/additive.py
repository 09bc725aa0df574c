"""Additive attention (Bahdanau et al. 2015) with any set of terms inside its tanh."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from fairseq_plugins.core.features import Features
from fairseq_plugins.core.linear import Linear
from fairseq_plugins.core.protocol import Attention, Source, Step, Target, Term, Trace, Widths
from fairseq_plugins.core.tree import Tree
from fairseq_plugins.kernels import accumulate_grad, attention_weights, energies, weighted_sum


class Memory(NamedTuple):
    """annotations h ``(B, S, C)``; keys U_a h + b_a and what terms add for good ``(B, S, A)``; mask ``(B, S)``; the
    terms' own memories."""

    annotations: Tensor
    keys: Tensor
    mask: Tensor
    terms: tuple


class AdditiveAttention(Attention):
    """e_ij = v^T tanh(W_a q_i + U_a h_j [+ b_a] + sum of the terms);  c_i = sum_j alpha_ij h_j.

    Bahdanau et al. 2015 (D1: no b_a); dl4mt (D2: with b_a; its scalar c_a vanishes under softmax and is left out).
    alpha_i is the softmax of e_i unless one of the terms ``normalises``.
    """

    terms: Mapping[str, Term]

    def __init__(self, widths: Widths, bias: bool, terms: dict[str, Term]):
        super().__init__()
        self.annotation_width = self.context_width = widths.annotation
        self.extra_width = sum(term.extra_width for term in terms.values())
        self.gives_candidate = any(term.gives_candidate for term in terms.values())
        self.read_widths = {name: term.read_width for name, term in terms.items() if term.read_width}
        self.has_loss = any(term.has_loss for term in terms.values())
        self.final_state = any(term.final_state for term in terms.values())
        self.W_a = Linear(widths.hidden, widths.attention, bias=False)
        self.U_a = Linear(widths.annotation, widths.attention, bias=bias)
        self.v = nn.Parameter(torch.empty(widths.attention))
        self.terms = nn.ModuleDict(terms)  # type: ignore[assignment]  # torch's has no type for what it holds
        self.normaliser = next((k for k, term in enumerate(terms.values()) if term.normalises), None)

    def annotate(self, source: Source) -> Source:
        for term in self.terms.values():
            source = term.annotate(source)
        return source

    def memory(self, source: Source) -> Memory:
        own = tuple(term.memory(source) for term in self.terms.values())
        keys = self.U_a(source.annotations)
        for addend in (term.keys(memory) for term, memory in self._with(own)):
            keys = keys if addend is None else keys + addend
        return Memory(accumulate_grad(source.annotations), accumulate_grad(keys), source.mask, own)

    def target(self, embeddings: Tensor) -> tuple:
        return tuple(term.target(embeddings) for term in self.terms.values())

    def start(self, memory: Memory) -> tuple:
        return tuple(term.start(own) for term, own in self._with(memory.terms))

    def observe(self, y: tuple, memory: Memory, state: tuple) -> tuple:
        return tuple(term.observe(*own) for term, *own in self._with(y, memory.terms, state))

    def step(self, y: tuple, q: Tensor, s_prev: Tensor, memory: Memory, state: tuple) -> Step:
        query, addends, features, scratch = self.W_a(q), [], [], []
        for term, word, *own in self._with(y, memory.terms, state):
            one, work = term.energy(word, q, s_prev, *own)
            scratch.append(work)
            if isinstance(one, Features):
                features.append(one)
            elif one is not None and one.shape[1] == 1:  # one row for all words: it meets the query, which is as small
                query = query + one.squeeze(1)
            elif one is not None:
                addends.append(one)
        x, of_x = (torch.cat(parts, -1) for parts in zip(*features, strict=True)) if features else (None, None)
        inside = (memory.keys, query, self.v, memory.mask, *addends)
        if self.normaliser is None:
            weights = attention_weights(*inside, features=x, of_features=of_x)
        else:
            term, *own = list(self._with(scratch, memory.terms, state))[self.normaliser]
            weights = term.normalise(energies(*inside, features=x, of_features=of_x), *own).to(query.dtype)
        context = weighted_sum(weights, memory.annotations)
        reads: dict[str, Tensor] = {}
        extras, candidates, states = [], [], []
        for term, word, work, *own in self._with(y, scratch, memory.terms, state):
            read = term.read(weights, work, *own)
            reads |= {} if read is None else {term.name: read}
            extra, candidate, moved = term.cell(word, q, context, weights, *own)
            extras += [] if extra is None else [extra]
            candidates += [] if candidate is None else [candidate]
            states.append(moved)
        extra = torch.cat(extras, -1) if extras else None
        candidate = torch.stack(candidates).sum(0) if candidates else None
        return Step(context, weights, reads, extra, candidate, tuple(states), tuple(scratch))

    def update(self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, memory: Memory) -> tuple:
        return tuple(
            term.update(step, q, s_prev, s, *own) for term, *own in self._with(step.scratch, memory.terms, step.state)
        )

    def keep(self, memory: Memory, state: tuple) -> tuple:
        return tuple(term.keep(*own) for term, *own in self._with(memory.terms, state))

    def loss(self, trace: Trace, target: Target) -> dict[str, Tensor]:
        losses = {
            term.name: term.loss(*own, trace, target)
            for term, *own in self._with(trace.y, trace.kept, trace.memory.terms, trace.state)
        }
        return {name: loss for name, loss in losses.items() if loss is not None}

    def _with(self, *trees: Iterable[Tree]) -> Iterable[tuple[Any, ...]]:
        """Each term with its own part of ``trees``."""
        return zip(self.terms.values(), *trees, strict=True)
