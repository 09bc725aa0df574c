"""What the decoder loop gives a term that asks for everything: lazy updates, extra input, wider annotations, a loss.

No system of today uses all of it. The terms here are not of any paper; their states have closed forms.
"""

from argparse import Namespace
from functools import partial
from typing import NamedTuple

import pytest
import torch
from torch import Tensor, nn

from fairseq_plugins.core.cells.conditional import ConditionalGRU
from fairseq_plugins.core.model import RecurrentModel
from fairseq_plugins.core.protocol import NoOptions, Source, Step, Target, Term, Trace, Widths
from tests.helpers import invariants, support
from tests.helpers.support import TINY, Batch, build_class, forward, random_batch

close = partial(support.close, tolerance=1e-12)
SIZES = Namespace(**TINY.model_dump())
BATCH = random_batch([5, 2, 4, 3], [3, 6, 1, 4], seed=3)


class Memory(NamedTuple):
    embeddings: Tensor  # (B, S, E)
    keys: Tensor  # (B, S, A)


class Said(NamedTuple):
    """words: the sum of alpha_ij (E_y(y_i) + 1) over the words observed (B, S, E), which padding would change;
    pending: the last alpha (B, S), whose word is not observed yet."""

    words: Tensor
    pending: Tensor


class Everything(Term):
    """e_ij gains V said_j + K E_x(x_j); annotations gain E_x(x_j); s_i gains sum_j alpha_ij E_x(x_j), and P q_i in its
    candidate state; loss: the squares of said at the end."""

    name = "everything"
    Options = NoOptions
    gives_candidate = has_loss = final_state = True

    def __init__(self, options: NoOptions, widths: Widths):
        super().__init__()
        self.extra_width = widths.embedding
        self.V = nn.Linear(widths.embedding, widths.attention, bias=False)
        self.K = nn.Linear(widths.embedding, widths.attention, bias=False)
        self.P = nn.Linear(widths.hidden, widths.hidden, bias=False)

    @classmethod
    def widening(cls, widths: Widths) -> int:
        return widths.embedding

    def annotate(self, source: Source) -> Source:
        return source._replace(annotations=torch.cat((source.annotations, source.embeddings), -1))

    def memory(self, source: Source) -> Memory:
        return Memory(source.embeddings, self.K(source.embeddings))

    def keys(self, memory: Memory) -> Tensor:
        return memory.keys

    def target(self, embeddings: Tensor) -> Tensor:
        return embeddings + 1

    def start(self, memory: Memory) -> Said:
        return Said(torch.zeros_like(memory.embeddings), torch.full_like(memory.embeddings[..., 0], torch.nan))

    def observe(self, y: Tensor, memory: Memory, state: Said) -> Said:
        return state._replace(words=state.words + state.pending.unsqueeze(-1) * y.unsqueeze(1))

    def energy(self, y: Tensor, q: Tensor, s_prev: Tensor, memory: Memory, state: Said) -> tuple[Tensor, tuple]:
        return self.V(state.words), ()

    def cell(self, y: Tensor, q: Tensor, context: Tensor, weights: Tensor, memory: Memory, state: Said):
        return torch.einsum("bs,bse->be", weights, memory.embeddings), self.P(q), state

    def update(self, step: Step, q: Tensor, s_prev: Tensor, s: Tensor, scratch: tuple, memory: Memory, state: Said):
        return state._replace(pending=step.weights)

    def keep(self, memory: Memory, state: Said) -> Tensor:
        return state.words

    def loss(self, y: Tensor, kept: Tensor, memory: Memory, state: Said, trace: Trace, target: Target) -> Tensor:
        return state.words.square().sum()


class CandidateState(Term):
    """P q_i in the candidate state, and nothing else."""

    gives_candidate = True

    def __init__(self, options: NoOptions, widths: Widths):
        super().__init__()
        self.P = nn.Linear(widths.hidden, widths.hidden, bias=False)

    def cell(self, y: tuple, q: Tensor, context: Tensor, weights: Tensor, memory: tuple, state: tuple):
        return None, self.P(q), state


class One(CandidateState):
    name = "one"


class Other(CandidateState):
    name = "other"


def system(*named: type[Term], cell: type[ConditionalGRU] = ConditionalGRU) -> RecurrentModel:
    """RNNsearch* with terms, in float64."""

    class Made(RecurrentModel):
        terms = named

        @classmethod
        def build_cell(cls, args, options, encoder, attention):
            widths = (attention.annotation_width, attention.context_width, attention.extra_width)
            return cell(options.embed_dim, options.hidden_dim, *widths)

    return build_class(Made, SIZES).double()


def trace_of(model: RecurrentModel, batch: Batch) -> tuple[Tensor, Trace]:
    output = model(batch.source, batch.lengths, batch.previous)
    return output[1]["attn"][0], output[1]["trace"]


def losses(model: RecurrentModel, batch: Batch) -> Tensor:
    """The one loss, asserted to be the only one."""
    output = model(batch.source, batch.lengths, batch.previous)
    [(name, loss)] = model.auxiliary_losses(output, batch.target).items()
    assert name == "everything"
    return loss


def test_every_word_is_observed_once_the_final_eos_too_and_nothing_after_it():
    model = system(Everything)
    weights, trace = trace_of(model, BATCH)
    words = (model.decoder.embed_tokens(BATCH.target) + 1) * BATCH.real.unsqueeze(-1)
    said = torch.einsum("bts,bte->btse", weights, words).cumsum(1)
    close(trace.state[0].words, said[:, -1])
    real = BATCH.real
    close(trace.kept[0][real], said[real])
    assert trace.kept[0].shape == said.shape
    close(trace.y[0][:, 1:][real], words[real])


def test_states_stay_at_each_sentences_own_end():
    model = system(Everything)
    weights, trace = trace_of(model, BATCH)
    for row, length in enumerate(BATCH.target_lengths.tolist()):
        close(trace.state[0].pending[row], weights[row, length - 1])


def test_a_loss_is_the_sum_of_its_sentences():
    model = system(Everything)
    alone = sum(losses(model, BATCH.sentence(row)) for row in range(len(BATCH.source)))
    close(losses(model, BATCH), alone)
    close(losses(model, support.padded(BATCH, source=2, target=3)), alone)


def test_a_loss_reaches_every_part_of_it():
    model = system(Everything)
    losses(model, BATCH).backward()
    touched = {name for name, weight in model.named_parameters() if weight.grad is not None and weight.grad.any()}
    own = {f"decoder.attention.terms.everything.{name}.weight" for name in "VKP"}
    assert own | {"decoder.embed_tokens.weight", "encoder.embed_tokens.weight", "decoder.cell.gru_2.W"} <= touched


def test_lazy_updates_step_by_step():
    invariants.step_by_step_is_one_pass(system(Everything))


def test_lazy_updates_see_the_word_of_their_own_row_after_a_reordering():
    invariants.reordering_commutes(system(Everything))


def test_what_is_wider_is_rnnsearch_star_when_the_new_columns_are_zero():
    """The new columns stand behind those of h_j and of c_i: that is how a trained base is widened."""
    wide, base = system(Everything), system()
    E, C = TINY.embed_dim, 2 * TINY.hidden_dim
    for weight in wide.decoder.attention.terms.parameters():
        weight.data.zero_()
    cut = {
        "decoder.cell.W_init.weight": C, "decoder.attention.U_a.weight": C, "decoder.readout.L_c.weight": C,
        "decoder.cell.gru_2.W": C,
    }  # fmt: skip
    weights = wide.state_dict()
    for name, width in cut.items():
        extra = E if name != "decoder.cell.gru_2.W" else 2 * E  # the annotation's E columns, and those of `extra`
        assert weights[name].shape[1] == width + extra
        weights[name][:, width:] = 0
        weights[name] = weights[name][:, :width]
    base.load_state_dict({name: weights[name] for name in base.state_dict()})
    for actual, expected in zip(forward(wide, BATCH), forward(base, BATCH), strict=True):
        close(actual[BATCH.real], expected[BATCH.real])


@pytest.mark.parametrize("part", ["V", "K", "P", "context", "extra"])
def test_everything_that_is_asked_for_arrives(part):
    """Changing any one thing that the term feeds changes the second step."""
    model = system(Everything)
    before = forward(model, BATCH)[0]
    columns = {"context": slice(12, 19), "extra": slice(19, 26)}
    if part in columns:
        model.decoder.cell.gru_2.W.data[:, columns[part]] *= 2
    else:
        getattr(model.decoder.attention.terms["everything"], part).weight.data *= 2
    several = BATCH.target_lengths > 1
    assert (forward(model, BATCH)[0] - before)[several, 1].abs().amax(-1).min() > 1e-5


def test_the_extra_input_stands_behind_the_context():
    """With source embeddings at zero the extra input is zero, so its columns of GRU_2, the last ones, do not matter."""
    model = system(Everything)
    model.encoder.embed_tokens.weight.data.zero_()
    before = forward(model, BATCH)[0]
    model.decoder.cell.gru_2.W.data[:, -TINY.embed_dim :] += 1
    close(forward(model, BATCH)[0], before)


def test_candidate_states_of_several_terms_add():
    both, one = system(One, Other), system(One)
    weights = both.state_dict()
    total = weights["decoder.attention.terms.one.P.weight"] + weights["decoder.attention.terms.other.P.weight"]
    shared = {name: weights[name] for name in one.state_dict()} | {"decoder.attention.terms.one.P.weight": total}
    one.load_state_dict(shared)
    close(forward(both, BATCH)[0], forward(one, BATCH)[0])


def test_a_recurrence_without_room_refuses_what_terms_feed_it():
    class Narrow(ConditionalGRU):
        takes_extras = False

    with pytest.raises(ValueError, match="no place"):
        system(One, cell=Narrow)


def test_incremental_decoding_starts_at_the_first_word():
    model = system()
    with pytest.raises(ValueError, match="starts with one token"):
        model.decoder(BATCH.previous[:, :2], model.encoder(BATCH.source, BATCH.lengths), {})
