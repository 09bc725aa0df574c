"""How long a translation may be: what its own sentence allows, whatever stands beside it in the batch."""

import pytest
import torch

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.settings.training import Decoding
from stages.translating.beam import most_pieces
from stages.translating.decoding import System, translate
from tests.helpers import tiny
from tests.helpers.decoding import DECODING, first_quickly, same, sentences, untrained, with_eos

from fairseq.sequence_generator import SequenceGenerator

pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask")  # fairseq's Transformer
NEVER, SELDOM, LIKED = -1e4, 4.0, 6.0
SHORT = DECODING.model_copy(update={"max_len_a": 0.5, "max_len_b": 1})


def by_fairseq(system: System, sentence: list[str], decoding: Decoding) -> tuple[list[str], float]:
    """Pieces and score of the best translation that fairseq's own search finds of one sentence without padding."""
    source, target = system.source_dictionary, system.target_dictionary
    generator = SequenceGenerator(
        [system.model], target, beam_size=decoding.beam, max_len_a=decoding.max_len_a, max_len_b=decoding.max_len_b,
        len_penalty=decoding.length_penalty,
    )  # fmt: skip
    tokens = torch.tensor([[*map(source.index, sentence), source.eos()]])
    with torch.inference_mode():
        ((best, *_),) = generator.generate(
            [system.model], {"net_input": {"src_tokens": tokens, "src_lengths": torch.tensor([tokens.shape[1]])}}
        )
    return [target[token] for token in best["tokens"].tolist()], float(best["score"])


@pytest.mark.parametrize(
    ("variant", "eos"),
    first_quickly(
        [("rnnsearch_star", SELDOM), ("rnnsearch_star", NEVER), ("rnnsearch_star", LIKED), ("my_combination", SELDOM)]
    ),
)
@pytest.mark.parametrize("decoding", [DECODING, SHORT])
def test_a_batch_of_mixed_lengths_holds_what_fairseq_finds_of_each_sentence_alone(variant, decoding, eos):
    system, given = with_eos(untrained(variant), eos), sentences()
    together = translate(system, given, decoding, progress=None)
    for sentence, found in zip(given, together, strict=True):
        pieces, score = by_fairseq(system, sentence, decoding)
        cut_off = len(pieces) > int(decoding.max_len_a * (len(sentence) + 1) + decoding.max_len_b)
        assert (found.target, found.finished) == (pieces[:-1] if cut_off else pieces, not cut_off)
        assert found.score == pytest.approx(score, abs=1e-4)
    ended = {one.finished for one in together}
    assert ended == {False} if eos == NEVER else True in ended


@pytest.mark.parametrize("beam", [1, 3])
def test_a_sentence_cut_off_has_as_many_pieces_as_its_own_length_allows(beam):
    system, given = with_eos(untrained("rnnsearch_star"), NEVER), sentences()
    decoding = DECODING.model_copy(update={"beam": beam, "max_tokens": 10_000})  # one batch
    together = translate(system, given, decoding, progress=None)
    assert len({len(sentence) for sentence in given}) > 5
    assert [len(one.target) for one in together] == [int(1.5 * (len(one) + 1) + 10) for one in given]
    same(translate(system, given[:3], decoding, progress=None), together[:3])


@pytest.mark.slow
def test_a_sentence_with_fewer_translations_than_beams_ends_at_its_limit():
    """One piece is possible and the end: two pieces allow two translations, three beams, and longer neighbours."""
    system, given = untrained("rnnsearch_star"), sentences()
    eos = system.target_dictionary.eos()
    with torch.no_grad():
        bias = torch.full_like(system.model.decoder.W_o.bias, float("-inf"))
        bias[[eos, system.target_dictionary.nspecial]] = 0
        system.model.decoder.W_o.bias.copy_(bias)
    decoding = DECODING.model_copy(update={"max_len_a": 0.5, "max_len_b": 0})
    for sentence, found in zip(given, translate(system, given, decoding, progress=None), strict=True):
        pieces, score = by_fairseq(system, sentence, decoding)
        assert found.target == pieces[: len(found.target)] and found.score == pytest.approx(score, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("a", "b", "pieces", "most"),
    [(1.5, 10, 3, 16), (1.5, 10, 4, 17), (0.0, 4, 9, 4), (0.1, 0, 2, 1), (2.0, 0, 900, 1023)],
)
def test_limits_by_hand(a, b, pieces, most):
    """The end of sentence counts in S; one piece is always allowed, and never more than the model counts."""
    decoding = DECODING.model_copy(update={"max_len_a": a, "max_len_b": b})
    assert most_pieces(decoding, pieces, untrained("rnnsearch_star").model) == most


def test_fairseqs_transformer_may_write_more_than_the_longest_training_pair():
    """The bound of a training pair, 40 pieces here, is none of a translation."""
    assert tiny.params()["corpora"][tiny.CORPUS]["training"]["max_length"] == 40
    assert untrained("transformer").model.max_positions() == (1024, 1024)


def test_the_penalty_on_length_chooses_between_short_and_long():
    """fairseq divides by length ** penalty: what a penalty prefers is what its own search prefers."""
    system, given = untrained("rnnsearch_star"), sentences()
    found = {}
    for penalty in (0.0, 1.0, 3.0):
        decoding = DECODING.model_copy(update={"length_penalty": penalty})
        found[penalty] = translate(system, given, decoding, progress=None)
        for sentence, one in zip(given, found[penalty], strict=True):
            pieces, score = by_fairseq(system, sentence, decoding)
            assert one.target == pieces[: len(one.target)] and one.score == pytest.approx(score, abs=1e-4)
            if one.finished:
                assert one.score == pytest.approx(sum(one.positional) / len(one.target) ** penalty, abs=1e-4)
    lengths = [sum(len(one.target) for one in found[penalty]) for penalty in (0.0, 1.0, 3.0)]
    assert lengths[0] < lengths[2]
