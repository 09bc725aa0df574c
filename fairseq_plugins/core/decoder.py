"""The one decoder loop."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from fairseq_plugins.core.encoder import EncoderOut
from fairseq_plugins.core.linear import Linear, gathered_parameters
from fairseq_plugins.core.options import RefusedError
from fairseq_plugins.core.protocol import Attention, Cell, Trace
from fairseq_plugins.core.readout import BaseReadout
from fairseq_plugins.core.tree import Tree, keep_inactive, select_rows, steps_of, tree_map
from fairseq_plugins.kernels import accumulate_grad

from fairseq.models import FairseqIncrementalDecoder

_CACHE = "attention_decoder"


class Carried(NamedTuple):
    """What incremental decoding keeps between two target steps.

    ``sentence (B,)`` says whose memory a row holds, and whose candidates ``(B, V)`` where they restrict the softmax.
    """

    sentence: Tensor
    candidates: Tensor | None
    memory: Tree
    s: Tree
    state: Tree


class Lengths(NamedTuple):
    """Target words of each sentence, eos counted, ``(B,)``, and of the shortest: until then none has ended."""

    each: Tensor
    shortest: int


class RecurrentDecoder(FairseqIncrementalDecoder):
    """Embeds, recurs, attends and reads out; which cell and which attention is none of its business.

    Under teacher forcing every product of target embeddings leaves the loop in front and the readout and output matrix
    behind; incrementally the same loop runs one step with the carried state.

    Attributes:
        candidates: which target words the softmax of a sentence covers, as ``core.candidates.CandidateLists`` says it;
            None: all of them.
    """

    def __init__(
        self, dictionary, embed_dim: int, cell: Cell, attention: Attention, readout: BaseReadout,
        embed_dropout: float, readout_dropout: float, zero_first_embedding: bool, readout_lowrank: int | None,
    ):  # fmt: skip
        super().__init__(dictionary)
        self.embed_tokens = nn.Embedding(len(dictionary), embed_dim, padding_idx=dictionary.pad())
        self.cell = cell
        self.attention = attention
        self.readout = readout
        self.W_l = None if readout_lowrank is None else Linear(readout.width, readout_lowrank, bias=False)
        self.W_o = Linear(readout.width if readout_lowrank is None else readout_lowrank, len(dictionary))
        self.embed_dropout = nn.Dropout(embed_dropout)
        self.readout_dropout = nn.Dropout(readout_dropout)
        self.zero_first_embedding = zero_first_embedding
        self.candidates: nn.Module | None = None

    def forward(
        self, prev_output_tokens: Tensor, encoder_out: EncoderOut, incremental_state=None, features_only: bool = False,
        **unused,
    ) -> tuple[Tensor, dict]:  # fmt: skip
        """Logits ``(B, T, V)`` (features ``(B, T, R)`` if ``features_only``), and under ``attn`` the weights.

        Where candidates restrict the softmax, the logits of all other words are -inf.

        Args:
            prev_output_tokens: y_0 .. y_{T-1} ``(B, T)``, starting with eos as fairseq shifts them.
            encoder_out: the encoded source.
            incremental_state: when given, one step is made from the state cached in it.

        Returns:
            The logits and ``{"attn": [weights (B, T, S)] or None, "trace": Trace or None}``.

        Raises:
            RefusedError: a sentence is padded on the left.
        """
        if incremental_state is None:
            if not bool(prev_output_tokens[:, 0].ne(self.dictionary.pad()).all()):
                raise RefusedError("target sentences must be padded on the right; leave out --left-pad-target")
            self.attention.check(encoder_out.source)
            features, weights, trace = self.teacher_forced(prev_output_tokens, encoder_out)
            candidates = self._candidates(encoder_out, prev_output_tokens)
        else:
            features, weights, candidates = self._one_step(prev_output_tokens, encoder_out, incremental_state)
            trace = None
        output = features if features_only else self.output_layer(features)
        if candidates is not None and not features_only:
            with torch.no_grad():  # in place, for logits are large; a probability of 0 has no gradient anyway
                output.masked_fill_(~candidates.unsqueeze(1), float("-inf"))
        return output, {"attn": None if weights is None else [weights], "trace": trace}

    def teacher_forced(self, tokens: Tensor, encoder_out: EncoderOut) -> tuple[Tensor, Tensor | None, Trace | None]:
        """Features ``(B, T, R)``, weights and trace of all steps; on a GPU ``core.graphs`` can stand in for it."""
        with gathered_parameters(self.cell, self.attention):
            return self._teacher_forced(tokens, encoder_out)

    def extract_features(self, prev_output_tokens: Tensor, encoder_out: EncoderOut, incremental_state=None, **unused):
        """As ``forward``, in front of the output matrix."""
        return self(prev_output_tokens, encoder_out, incremental_state, features_only=True)

    def output_layer(self, features: Tensor) -> Tensor:
        """o_i = W_o t_i + b_o, or W_o W_l t_i + b_o with a low rank."""
        return self.W_o(features if self.W_l is None else self.W_l(features))

    def embed(self, tokens: Tensor, first: bool) -> Tensor:
        """E_y(y_{i-1}) after dropout ``(B, T, E)``; ``first``: column 0 is y_0 (dl4mt feeds zeros there)."""
        embeddings = self.embed_dropout(self.embed_tokens(tokens))
        if first and self.zero_first_embedding:
            embeddings = torch.cat((torch.zeros_like(embeddings[:, :1]), embeddings[:, 1:]), 1)
        return embeddings

    def _teacher_forced(self, tokens: Tensor, encoder_out: EncoderOut) -> tuple[Tensor, Tensor | None, Trace | None]:
        attention, cell = self.attention, self.cell
        source = attention.annotate(encoder_out.source)
        memory = attention.memory(source)
        s, state = cell.start(source), attention.start(memory)
        steps = tokens.shape[1]
        each = tokens.ne(self.dictionary.pad()).sum(1)
        lengths = Lengths(each, int(each.min()) if attention.final_state else steps)
        words = self._with_final_eos(tokens, each) if attention.has_loss else tokens
        embeddings = self.embed(words, first=True)
        hoisted, words_seen = cell.target(embeddings[:, :steps]), attention.target(embeddings)
        unrolled = cell.unroll(hoisted, s)
        if unrolled is not None:
            queries, states = unrolled
            contexts, weights = attention.all_steps(queries, memory)
            trace = Trace(weights, (), (), memory, ()) if attention.has_loss else None
            return self._read_out((states, contexts, weights, ()), embeddings[:, :steps]), weights, trace
        hoisted, observed = steps_of(hoisted, steps), steps_of(words_seen, words.shape[1])
        outputs: list[Tree] = []
        kept: list[Tree] = []
        for i in range(steps):
            y = observed[i]
            if i > 0:
                state = self._observe(y, memory, state, lengths, i, kept)
            state_prev = state
            last = i + 1 == steps and not attention.has_loss
            s, state = tree_map(accumulate_grad, (s, state))
            s, state, output = self._step(hoisted[i], y, memory, s, state, last)
            if attention.final_state and i >= lengths.shortest:
                state = keep_inactive(lengths.each > i, state, state_prev)
            outputs.append(output)
        if attention.has_loss:
            state = self._observe(observed[steps], memory, state, lengths, steps, kept)
        states, contexts, weights, reads = tree_map(lambda *leaves: torch.stack(leaves, 1), *outputs)
        contexts = contexts[:, :1] if attention.fixed_context else contexts  # its product is one for all steps
        features = self._read_out((states, contexts, weights, reads), embeddings[:, :steps])
        trace = Trace(weights, _stack(kept), state, memory, words_seen) if attention.has_loss else None
        return features, weights, trace

    def _one_step(
        self, tokens: Tensor, encoder_out: EncoderOut, incremental_state
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        attention, cell = self.attention, self.cell
        carried = self.get_incremental_state(incremental_state, _CACHE)
        first = carried is None
        embeddings = self.embed(tokens[:, -1:], first)
        y = steps_of(attention.target(embeddings), 1)[0]
        if first:
            if tokens.shape[1] != 1:
                raise ValueError(f"incremental decoding starts with one token, not {tokens.shape[1]}")
            attention.check(encoder_out.source)
            source = attention.annotate(encoder_out.source)
            memory = attention.memory(source)
            candidates = self._candidates(encoder_out, tokens)
            carried = Carried(encoder_out.sentence, candidates, memory, cell.start(source), attention.start(memory))
        else:
            carried = carried._replace(state=attention.observe(y, carried.memory, carried.state))
        hoisted = steps_of(cell.target(embeddings), 1)[0]
        s, state, output = self._step(hoisted, y, carried.memory, carried.s, carried.state)
        self.set_incremental_state(incremental_state, _CACHE, carried._replace(s=s, state=state))
        output = tree_map(lambda leaf: leaf.unsqueeze(1), output)
        weights = tree_map(torch.clone, output[2])  # an ensemble averages in place, and the state may hold alpha_i
        return self._read_out(output, embeddings), weights, carried.candidates

    def _candidates(self, encoder_out: EncoderOut, tokens: Tensor) -> Tensor | None:
        return None if self.candidates is None else self.candidates(encoder_out.source.ids, tokens)

    def _step(
        self, hoisted: Tree, y: Tree, memory: Tree, s: Tree, state: Tree, last: bool = False
    ) -> tuple[Tree, Tree, Tree]:
        """Step i: -> (s_i, the attention's state after it, (readout state, context, weights, reads in order)).

        ``last``: nobody will read the attention's state any more, so it stays what it was.
        """
        cell, attention = self.cell, self.attention
        q, mid = cell.query(hoisted, s)
        step = attention.step(y, q, cell.hidden(s), memory, state)
        s_new = cell.advance(hoisted, mid, step.context, step.extra, step.candidate, s)
        state = state if last else attention.update(step, q, cell.hidden(s), cell.hidden(s_new), memory)
        reads = tuple(step.reads[name] for name in attention.read_widths)
        return s_new, state, (cell.readout_state(s, s_new), step.context, step.weights, reads)

    def _observe(self, y: Tree, memory: Tree, state: Tree, lengths: Lengths, i: int, kept: list[Tree]) -> Tree:
        """The lazy update with y_i, frozen in the sentences that have ended, and what the losses keep of it."""
        observed = self.attention.observe(y, memory, state)
        if self.attention.final_state and i > lengths.shortest:
            observed = keep_inactive(lengths.each >= i, observed, state)
        if self.attention.has_loss:
            kept.append(self.attention.keep(memory, observed))
        return observed

    def _read_out(self, output: Tree, embeddings: Tensor) -> Tensor:
        states, contexts, _, reads = output
        named = dict(zip(self.attention.read_widths, reads, strict=True))
        return self.readout_dropout(self.readout(states, embeddings, contexts, named))

    def _with_final_eos(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """y_0 .. y_T ``(B, T + 1)``: fairseq's shifted input lacks the final eos, which lazy updates observe too."""
        extended = torch.nn.functional.pad(tokens, (0, 1), value=self.dictionary.pad())
        return extended.scatter(1, lengths.unsqueeze(1), self.dictionary.eos())

    def reorder_incremental_state(self, incremental_state, new_order: Tensor) -> None:
        """Beam search keeps rows ``new_order``: every carried tensor follows.

        What belongs to the sentence stays when each row stays with its own.
        """
        carried = self.get_incremental_state(incremental_state, _CACHE)
        if carried is None:
            return
        sentence = carried.sentence.index_select(0, new_order)
        of_sentence = (carried.candidates, carried.memory)
        if not torch.equal(sentence, carried.sentence):
            of_sentence = select_rows(of_sentence, new_order)
        s, state = select_rows((carried.s, carried.state), new_order)
        self.set_incremental_state(incremental_state, _CACHE, Carried(sentence, *of_sentence, s, state))

    def max_positions(self) -> int:
        return 1024


def _stack(trees: list[Tree]) -> Tree:
    return tree_map(lambda *leaves: torch.stack(leaves, 1), *trees) if trees else ()
