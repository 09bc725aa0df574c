"""Translation that may not choose <unk>."""

import math

import pytest

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.translating.decoding import System, force, search, without_unk
from tests.helpers.decoding import DECODING, biased, first_quickly, same, sentences, untrained, with_eos

pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask")  # fairseq's Transformer
RECURRENT = ["rnnsearch_star", "my_combination"]
STRONG = 8.0  # a bias with which <unk> is every sentence's favourite


def competing(system: System, given: list[list[str]], bias: float) -> int:
    """In how many sentences <unk> competes when the system likes it that much."""
    biased(system, system.target_dictionary.unk(), bias)
    return sum(one.unk_competed for one in search(system, given, DECODING, progress=None))


def with_unk_in_some(system: System, given: list[list[str]]) -> System:
    """The system with <unk> so likely that it competes in some of the sentences."""
    weak, strong = -STRONG, STRONG
    assert (competing(system, given, weak), competing(system, given, strong)) == (0, len(given))
    while (count := competing(system, given, (weak + strong) / 2)) in (0, len(given)):
        weak, strong = ((weak + strong) / 2, strong) if count == 0 else (weak, (weak + strong) / 2)
    return system


def with_unk_in_all(system: System, given: list[list[str]]) -> System:
    assert competing(system, given, STRONG) == len(given)
    return system


@pytest.mark.slow
@pytest.mark.parametrize("variant", first_quickly(RECURRENT))
@pytest.mark.parametrize("with_unk", [with_unk_in_some, with_unk_in_all])
def test_without_unk_is_a_search_of_all_sentences_that_may_not_choose_it(variant, with_unk):
    given = sentences()
    system = with_unk(untrained(variant), given)
    several_batches = DECODING.model_copy(update={"max_tokens": 40})
    searched = search(system, given, several_batches, progress=None)
    if with_unk is with_unk_in_all:
        assert all("<unk>" in one.translation.target for one in searched)
    allowed = without_unk(system, searched, several_batches, progress=None)
    fresh = search(system, given, DECODING, progress=None, unk_penalty=math.inf)
    same(allowed, [one.translation for one in fresh])
    assert not any(one.unk_competed for one in fresh)
    assert not any("<unk>" in one.target for one in allowed)
    for one, before in zip(allowed, searched, strict=True):
        assert one is before.translation or before.unk_competed


@pytest.mark.parametrize("variant", first_quickly(RECURRENT))
def test_the_other_words_keep_their_probabilities_when_unk_is_forbidden(variant):
    given = sentences()
    system = with_unk_in_all(untrained(variant), given)
    allowed = without_unk(system, search(system, given, DECODING, progress=None), DECODING, progress=None)
    references = [one.target[: len(one.target) - one.finished] for one in allowed]
    for one, forced in zip(allowed, force(system, given, references, 1000, progress=None), strict=True):
        assert one.positional == pytest.approx(forced.positional[: len(one.positional)], abs=1e-4)


def test_unk_does_not_compete_where_nothing_but_the_end_may_come():
    system = untrained("rnnsearch_star")
    biased(system, system.target_dictionary.unk(), -1e4)
    decoding = DECODING.model_copy(update={"max_len_a": 0.0, "max_len_b": 2})
    searched = search(with_eos(system, -1e4), sentences(), decoding, progress=None)
    assert not any(one.unk_competed for one in searched)


def test_no_sentence_at_all():
    assert without_unk(untrained("rnnsearch_star"), [], DECODING, progress="translating") == []
