"""Forced decoding with systems of the miniature study."""

import math

import pytest
import torch

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.translating import decoding
from stages.translating.decoding import WIDEST, force, forced_batches, translate
from tests.helpers import tiny
from tests.helpers.decoding import ATTENTIVE, DECODING, first_quickly, same, sentences, untrained

pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask")  # fairseq's Transformer


@pytest.mark.parametrize("variant", first_quickly(ATTENTIVE))
def test_forced_decoding_of_a_translation_repeats_its_search(variant):
    system, given = untrained(variant), sentences()
    found = translate(system, given, DECODING, progress=None)
    references = [one.target[: len(one.target) - one.finished] for one in found]
    forced = force(system, given, references, 60, progress=None)
    for searched, again, reference in zip(found, forced, references, strict=True):
        assert again.target == [*reference, "</s>"] and again.finished
        T = len(searched.target)
        assert searched.positional == pytest.approx(again.positional[:T], abs=1e-4)
        torch.testing.assert_close(searched.attention, again.attention[:T], rtol=0, atol=1e-5)
        assert again.score == pytest.approx(math.fsum(again.positional), abs=1e-4)
        if searched.finished:
            assert searched.score == pytest.approx(again.score / T, abs=1e-4)


@pytest.mark.parametrize("variant", first_quickly(ATTENTIVE))
def test_weights_of_every_step_sum_to_one(variant):
    system = untrained(variant)
    given, references = tiny.pieces("dev", tiny.SOURCE), tiny.pieces("dev", tiny.TARGET)
    forced = force(system, given, references, 60, progress=None)
    for one in (*forced, *translate(system, given, DECODING, progress=None)):
        assert one.attention.shape == (len(one.target), len(one.source))
        assert (one.attention >= 0).all()
        torch.testing.assert_close(one.attention.sum(1), torch.ones(len(one.target)), rtol=0, atol=1e-5)
        assert len(one.positional) == len(one.target) and max(one.positional) <= 0


def test_a_long_reference_widens_few_rows(monkeypatch):
    """Of 60 short sources one has a reference of 400 pieces: no batch has more than the limit."""
    system = untrained("rnnsearch_star")
    given = [["mao"] * 3] * 60
    references = [["the"] * 3] * 59 + [["the"] * 400]
    batches = list(forced_batches(system, given, references, 100, None))
    assert sorted(row for one in batches for row in one.rows) == list(range(60))
    assert max(one.previous.numel() for one in batches) <= WIDEST * 100
    monkeypatch.setattr(decoding, "WIDEST", 1000)
    whole = list(forced_batches(system, given, references, 100, None))
    assert len(whole) < len(batches)
    same(force(system, given, references, 100, None)[-1:], force(system, given[-1:], references[-1:], 100, None))


def test_forced_decoding_does_not_depend_on_companions():
    system = untrained("rnnsearch_star")
    given, references = tiny.pieces("dev", tiny.SOURCE), tiny.pieces("dev", tiny.TARGET)
    together = force(system, given, references, 1000, progress=None)
    same([force(system, [s], [r], 1000, None)[0] for s, r in zip(given, references, strict=True)], together)
