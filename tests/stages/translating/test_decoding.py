"""Translation with systems of the miniature study: companions, the length limit, the beam."""

import pytest

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.translating.decoding import force, translate
from tests.helpers import tiny
from tests.helpers.decoding import ATTENTIVE, DECODING, first_quickly, same, sentences, untrained, with_eos

pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask")  # fairseq's Transformer


@pytest.mark.parametrize("variant", first_quickly(ATTENTIVE))
def test_a_translation_does_not_depend_on_its_companions_or_their_order(variant):
    system, given = untrained(variant), sentences()
    assert len({len(sentence) // 8 for sentence in given}) > 2  # several widths
    together = translate(system, given, DECODING, progress=None)
    assert [one.source for one in together] == [[*sentence, "</s>"] for sentence in given]
    same([translate(system, [sentence], DECODING, progress=None)[0] for sentence in given], together)
    same(translate(system, given[::-1], DECODING, progress=None)[::-1], together)
    small = DECODING.model_copy(update={"max_tokens": 40})
    same(translate(system, given + given[:3], small, progress=None), together + together[:3])


def test_the_length_limit_does_not_depend_on_companions_either():
    system, given = with_eos(untrained("rnnsearch_star"), -1e4), sentences()
    together = translate(system, given, DECODING, progress=None)
    same([translate(system, [sentence], DECODING, progress=None)[0] for sentence in given], together)


@pytest.mark.parametrize("limit", [1, 4])
def test_what_the_length_limit_cuts_off_is_unfinished_and_has_no_eos(limit):
    system = with_eos(untrained("rnnsearch_star"), -1e4)
    decoding = DECODING.model_copy(update={"max_len_a": 0.0, "max_len_b": limit})
    for one in translate(system, sentences(), decoding, progress=None):
        assert not one.finished
        assert len(one.target) == len(one.positional) == limit and "</s>" not in one.target
        assert one.attention.shape == (limit, len(one.source))


def test_a_translation_within_the_limit_is_finished_by_eos():
    system = with_eos(untrained("rnnsearch_star"), 1e4)
    decoding = DECODING.model_copy(update={"max_len_a": 0.0, "max_len_b": 2})
    for one in translate(system, sentences(), decoding, progress=None):
        assert one.finished and len(one.target) == 2 and one.target[-1] == "</s>"  # fairseq wants one piece at least
        assert one.attention.shape == (2, len(one.source))


@pytest.mark.slow
def test_a_wider_beam_finds_no_worse_translation():
    system = untrained("rnnsearch_star")
    greedy, wide = (
        translate(system, sentences(), DECODING.model_copy(update={"beam": beam}), progress=None) for beam in (1, 8)
    )
    assert sum(one.score for one in wide) >= sum(one.score for one in greedy)


def test_a_system_without_attention_has_none():
    system = untrained("rnnencdec")
    found = translate(system, sentences(), DECODING, progress=None)
    forced = force(system, tiny.pieces("gold", tiny.SOURCE), tiny.pieces("gold", tiny.TARGET), 1000, progress=None)
    assert {one.attention for one in (*found, *forced)} == {None}
