"""The source that the encoder reads backwards: attention stays where the words are."""

import numpy as np
import pytest
import torch
from torch import Tensor

from fairseq_plugins.core.stacked_encoder import words_turned
from stages.measures.hard_links import link_set, strongest
from stages.translating.decoding import System, force
from tests.helpers.mechanisms.luong import ARCHS, GLOBAL, of
from tests.helpers.shared_weights import with_weights_of
from tests.helpers.support import BATCH, Batch, build, close, forward

PLACELESS = [arch for arch in GLOBAL if arch != "luong_global_location"]


def turned(ids: Tensor) -> Tensor:
    """Each sentence's words from the last to the first, eos and padding where they were; with Python's lists."""
    rows = []
    for row, length in zip(ids.tolist(), BATCH.lengths.tolist(), strict=True):
        rows.append([*reversed(row[: length - 1]), *row[length - 1 :]])
    return torch.tensor(rows)


def test_the_words_are_turned_and_eos_and_padding_stay():
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0], [1, 0, 0, 0, 0]], dtype=torch.bool)
    assert words_turned(mask).tolist() == [[3, 2, 1, 0, 4], [1, 0, 2, 3, 4], [0, 1, 2, 3, 4]]


@pytest.mark.parametrize("arch", ARCHS)
def test_states_are_those_of_the_turned_sentence_put_back_in_place(arch):
    plain = build(of(arch)).model
    reverse = with_weights_of(plain, of(arch, reverse_source=True))
    found = reverse.encoder(BATCH.source, BATCH.lengths).source
    expected = plain.encoder(turned(BATCH.source), BATCH.lengths).source
    for row, S in enumerate(BATCH.lengths.tolist()):
        back = [*reversed(range(S - 1)), S - 1]
        close(found.annotations[row, :S], expected.annotations[row, back], 1e-12)
    for layer, wanted in zip(found.summary, expected.summary, strict=True):
        close(layer.h, wanted.h, 1e-12)
        close(layer.c, wanted.c, 1e-12)
    assert torch.equal(found.ids, BATCH.source)


@pytest.mark.parametrize("arch", PLACELESS)
def test_a_translation_is_that_of_the_turned_sentence_and_its_attention_is_not_turned(arch):
    plain = build(of(arch)).model
    reverse = with_weights_of(plain, of(arch, reverse_source=True))
    logits, weights = forward(reverse, BATCH)
    by_hand, weights_by_hand = forward(plain, Batch(turned(BATCH.source), *BATCH[1:]))
    close(logits, by_hand, 1e-12)
    for row, S in enumerate(BATCH.lengths.tolist()):
        close(weights[row, :, :S], weights_by_hand[row][:, [*reversed(range(S - 1)), S - 1]], 1e-12)
    assert (logits - forward(plain, BATCH)[0]).abs().max() > 1e-3


def test_a_local_window_stays_where_the_words_are():
    """local-m attends to min(i, S - 1) and its neighbours in the true order."""
    _, weights = forward(build(of("luong_local_m", reverse_source=True, local_window=1)).model, BATCH)
    for row, S in enumerate(BATCH.lengths.tolist()):
        for i in range(weights.shape[1]):
            centre = min(i, max(S - 2, 0))  # counted from 0
            assert set(weights[row, i].nonzero().flatten().tolist()) == {
                j for j in range(S) if abs(j - centre) <= 1
            }  # fmt: skip


def test_word_links_of_forced_decoding_name_the_words_themselves():
    """What AER is counted on: the links equal those of the turned sentence with the places turned back."""
    plain = build(of("luong_global_general")).model
    reverse = with_weights_of(plain, of("luong_global_general", reverse_source=True))
    words, reference = ["w3", "w1", "w7", "w2"], ["w5", "w0", "w9", "w4", "w1"]

    def links(model, source: list[str]) -> set[tuple[int, int]]:
        system = System(model, model.encoder.dictionary, model.decoder.dictionary)
        (found,) = force(system, [source], [reference], 100, progress=None)
        return set(link_set(strongest(np.asarray(found.attention)[:-1], "renorm")))

    found, by_hand = links(reverse, words), links(plain, words[::-1])
    assert found == {(len(words) - 1 - j, i) for j, i in by_hand} != by_hand
    assert len(found) == len(reference)


@pytest.mark.parametrize("option", [{"reverse_source": True}, {"luong_layers": 3}, {"input_feeding": False}])
def test_on_rnnsearch_star_nothing_is_said_of_lstms(option):
    with pytest.raises(ValueError, match=f"no stacked LSTMs; leave {next(iter(option))} out"):
        build(of("luong_local_p", luong_base="rnnsearch_star", **option))
