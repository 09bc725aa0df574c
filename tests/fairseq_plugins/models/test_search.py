"""fairseq's own search: what it says of a hypothesis is what forced decoding of it says."""

import pytest
import torch
from torch import Tensor

from tests.fairseq_plugins.models.under_test import FLOAT, subject, whole_and_fairseqs
from tests.helpers.support import Batch, Subject, close, outputs, random_batch

from fairseq.sequence_generator import SequenceGenerator


class Hypothesis:
    """A hypothesis of fairseq's generator."""

    def __init__(self, source: Tensor, found: dict):
        self.source, self.tokens = source, found["tokens"]
        self.score = float(found["score"]) * len(self.tokens)
        self.attention = found["attention"].T[:, : len(source)] if found["attention"].numel() else None

    def forced(self, tested: Subject) -> tuple[float, Tensor | None]:
        """Score and attention that forced decoding of it, alone, gives."""
        previous, length = self.tokens.roll(1).unsqueeze(0), torch.tensor([len(self.source)])
        logits, weights = outputs(tested.model(self.source.unsqueeze(0), length, previous))
        log_probabilities = logits[0].log_softmax(-1).gather(1, self.tokens.unsqueeze(1))
        return float(log_probabilities.sum()), None if weights is None else weights[0]


def search(tested: Subject, batch: Batch, beam: int) -> list[list[Hypothesis]]:
    """For each sentence the hypotheses of fairseq's generator, best first, at most nine words long."""
    made_of = {"beam_size": beam, "max_len_a": 0, "max_len_b": 9, "min_len": 0}
    generator = SequenceGenerator([tested.model], tested.model.decoder.dictionary, **made_of)
    with torch.no_grad():
        found = generator.generate(
            [tested.model], {"net_input": {"src_tokens": batch.source, "src_lengths": batch.lengths}}
        )
        return [
            [Hypothesis(batch.sentence(row).source[0], one) for one in hypotheses]
            for row, hypotheses in enumerate(found)
        ]


def greedy(tested: Subject, source: Tensor) -> list[int]:
    """The likeliest word at every step, re-running the whole prefix each time."""
    dictionary, words = tested.model.decoder.dictionary, []
    while (not words or words[-1] != dictionary.eos()) and len(words) < 9:
        previous = torch.tensor([[dictionary.eos(), *words]])
        logits, _ = outputs(tested.model(source.unsqueeze(0), torch.tensor([len(source)]), previous))
        logits[0, -1, dictionary.pad()] = -torch.inf
        words.append(int(logits[0, -1].argmax()))
    return words if words[-1] == dictionary.eos() else [*words, dictionary.eos()]


@pytest.mark.slow
@whole_and_fairseqs
def test_a_beam_of_one_is_greedy(name):
    tested = subject(name, FLOAT)
    batch = random_batch([5, 2, 7, 3], [2, 2, 2, 2])
    for row, hypotheses in enumerate(search(tested, batch, beam=1)):
        with torch.no_grad():
            assert hypotheses[0].tokens.tolist() == greedy(tested, batch.sentence(row).source[0])


@pytest.mark.slow
@whole_and_fairseqs
@torch.no_grad()
def test_what_a_search_says_of_a_hypothesis_is_what_forcing_it_says(name):
    """Scores and attention of every hypothesis, although rows were reordered and sentences left the batch."""
    tested = subject(name, FLOAT)
    for hypotheses in search(tested, random_batch([5, 2, 7, 3], [2, 2, 2, 2]), beam=5):
        assert len(hypotheses) == 5
        for hypothesis in hypotheses:
            score, attention = hypothesis.forced(tested)
            assert hypothesis.score == pytest.approx(score, abs=1e-4)
            assert (hypothesis.attention is None) == (attention is None)
            if attention is not None:
                close(hypothesis.attention, attention, 1e-5)


@pytest.mark.slow
@whole_and_fairseqs
def test_a_search_does_not_see_its_batch(name):
    tested = subject(name, FLOAT)
    batch = random_batch([5, 2, 7, 3], [2, 2, 2, 2])
    for row, together in enumerate(search(tested, batch, beam=5)):
        [alone] = search(tested, batch.sentence(row), beam=5)
        for one, other in zip(together, alone, strict=True):
            assert one.tokens.tolist() == other.tokens.tolist()
            assert one.score == pytest.approx(other.score, abs=1e-4)
            if one.attention is not None:
                close(one.attention, other.attention, 1e-5)
