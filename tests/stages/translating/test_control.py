"""What a search can be given beside a trained model: penalties, no repeated n-grams, further models."""

import itertools

import pytest
import torch

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.settings.training import DecodingControl
from stages.translating.beam import NoRepeats
from stages.translating.decoding import (
    NO_CONTROL,
    Control,
    Decoded,
    System,
    force,
    search,
    translate,
    without_unk,
)  # fmt: skip
from stages.translating.penalties import Penalties
from stages.translating.tuning import tuned
from tests.helpers import tiny
from tests.helpers.decoding import ATTENTIVE, DECODING, biased, first_quickly, same, sentences, untrained, with_eos
from tests.stages.translating.test_penalties import Scored, by_hand

from fairseq.sequence_generator import SequenceGenerator

pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask")  # fairseq's Transformer

RECURRENT = ["rnnsearch_star", "my_combination"]


def other(seed: int = 5) -> System:
    """RNNsearch* with other weights than those of ``untrained``."""
    system = untrained("rnnsearch_star")
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weights in system.model.parameters():
            weights.copy_(weights.flatten()[torch.randperm(weights.numel(), generator=random)].view_as(weights))
    return system


def exactly(found: list[Decoded], expected: list[Decoded]) -> None:
    for one, two in zip(found, expected, strict=True):
        assert one._replace(attention=None) == two._replace(attention=None)
        assert torch.equal(one.attention, two.attention)


def repeated(pieces: list[str], order: int) -> bool:
    grams = [tuple(pieces[k : k + order]) for k in range(len(pieces) - order + 1)]
    return len(set(grams)) < len(grams)


# Penalties


@pytest.mark.parametrize("variant", first_quickly(ATTENTIVE))
def test_without_penalties_a_search_is_fairseqs_to_the_bit(variant):
    """Pieces, scores and attention of all hypotheses; of those that are cut off without the end that fairseq adds."""
    system, given = untrained(variant), sentences()
    if variant == "rnnsearch_star":
        system = with_eos(system, 2.0)  # some end early, some not at all
    nothing = DecodingControl(gnmt_length_penalty=[0.0], coverage_penalty=[0.0], no_repeat_ngram=0)
    control, _ = tuned(system, given, given, DECODING, nothing)
    alike = [given[0][k:] + given[0][:k] for k in range(4)]  # as long as each other, which is fairseq's one limit
    lengths = set()
    for group in (alike, *([sentence] for sentence in given)):
        found = search(system, group, DECODING, progress=None, best=DECODING.beam, control=control)
        for one, hypotheses in zip(found, by_fairseq(system, group), strict=True):
            for ours, theirs in zip((one.translation, *one.others), hypotheses, strict=True):
                T = len(theirs["tokens"]) - (not ours.finished)
                words = [system.target_dictionary[token] for token in theirs["tokens"][:T]]
                assert ours.target == words and ours.score == float(theirs["score"])
                assert ours.positional == theirs["positional_scores"][:T].tolist()
                assert ours.attention.equal(theirs["attention"].T[:T])
                lengths.add((T, ours.finished))
    assert len(lengths) > 5


@pytest.mark.parametrize("variant", first_quickly(RECURRENT))
def test_penalties_of_nearly_nothing_leave_the_search_as_it_was(variant):
    """Ranked again, fairseq's best is the best, with fairseq's score."""
    system, given = untrained(variant), sentences()
    plain = translate(system, given, DECODING, progress=None)
    same(translate(system, given, DECODING, progress=None, control=Control(beta=1e-12)), plain)


@pytest.mark.parametrize("control", [Control(beta=0.5), Control(alpha=0.6), Control(alpha=1.0, beta=5.0)])
def test_the_best_of_what_a_search_finishes_is_the_best_by_eq_14(control):
    """Of sentences without a hypothesis that was cut off, whose end fairseq counts and ours do not show."""
    system, given = untrained("rnnsearch_star"), sentences()
    lists = search(system, given, DECODING, progress=None, best=DECODING.beam)
    penalties, moved = Penalties(control.alpha, control.beta, DECODING.length_penalty), 0
    found = search(system, given, DECODING, progress=None, best=2, control=control)
    for one, finished in zip(found, lists, strict=True):
        hypotheses = [finished.translation, *finished.others]
        if not all(it.finished for it in hypotheses):
            continue
        scores = [by_hand(Scored(sum(it.positional), len(it.positional), it.attention), penalties) for it in hypotheses]
        order = sorted(range(len(scores)), key=lambda k: -scores[k])
        assert one.translation.target == hypotheses[order[0]].target
        assert [it.target for it in one.others] == [hypotheses[k].target for k in order[1:2]]
        assert one.translation.score == pytest.approx(scores[order[0]], rel=1e-5)
        moved += order[0] != 0
    assert moved


def test_a_penalty_prefers_what_covers_more():
    system, given = with_eos(untrained("rnnsearch_star"), 2.0), sentences()

    def covered(beta: float) -> float:
        found = translate(system, given, DECODING, progress=None, control=Control(beta=beta))
        return sum(float(one.attention[:, :-1].sum(0).clamp(1e-5, 1).log().sum()) for one in found)

    assert covered(20.0) > covered(0.0)


# Repeats


@pytest.mark.parametrize("order", first_quickly([2, 3]))
@pytest.mark.parametrize("variant", first_quickly(["rnnsearch_star", "transformer"]))
def test_no_n_gram_comes_twice(variant, order):
    system, given = untrained(variant), sentences()
    if variant == "rnnsearch_star":
        system = with_eos(system, -2.0)
    plain = translate(system, given, DECODING, progress=None)
    assert any(repeated(one.target, order) for one in plain)
    found = search(system, given, DECODING, progress=None, best=3, control=Control(no_repeat_ngram=order))
    assert not any(repeated(one.target, order) for them in found for one in (them.translation, *them.others))
    alone = [translate(system, [it], DECODING, None, Control(no_repeat_ngram=order))[0] for it in given]
    assert [them.translation.target for them in found] == [one.target for one in alone]


def test_where_no_hypothesis_repeats_anything_the_search_is_as_it_was():
    system, given = untrained("rnnsearch_star"), sentences()
    decoding = DECODING.model_copy(update={"max_len_a": 0.0, "max_len_b": 6})
    exactly(
        translate(system, given, decoding, progress=None, control=Control(no_repeat_ngram=7)),
        translate(system, given, decoding, progress=None),
    )


@pytest.mark.parametrize("order", [2, 3, 4])
def test_what_is_forbidden_are_the_pieces_that_have_followed_the_last_ones_before(order):
    """Whatever stands in the room for what is still to come."""
    random = torch.Generator().manual_seed(order)
    tokens = torch.randint(0, 3, (40, 15), generator=random)
    for step in range(13):
        found = NoRepeats(order)(tokens, torch.zeros(40, 3), bsz=10, beam_size=4, step=step)
        for row, allowed in zip(tokens[:, : step + 1].tolist(), found.eq(0).tolist(), strict=True):
            end = row[len(row) - order + 1 :]
            grams = [row[k : k + order] for k in range(len(row) - order + 1)]
            assert allowed == [[*end, piece] not in grams for piece in range(3)]


def test_without_unk_the_control_stays():
    system, given = untrained("rnnsearch_star"), sentences()
    system = biased(with_eos(system, -2.0), system.target_dictionary.unk(), 8.0)
    control = Control(no_repeat_ngram=2)
    searched = search(system, given, DECODING, progress=None, control=control)
    assert all(one.unk_competed for one in searched)
    allowed = without_unk(system, searched, DECODING, None, control)
    assert not any(repeated(one.target, 2) or "<unk>" in one.target for one in allowed)
    assert any(repeated(one.target, 2) for one in without_unk(system, searched, DECODING, None, NO_CONTROL))


# Ensembles


@pytest.mark.parametrize("variant", first_quickly(RECURRENT))
def test_a_model_beside_itself_decodes_as_it_does_alone(variant):
    system, given = untrained(variant), sentences()
    references = [*tiny.pieces("test", tiny.TARGET)[:9], ["a"]]
    alone = translate(system, given, DECODING, progress=None), force(system, given[:9], references[:9], 1000, None)
    twice = system._replace(others=(system.model,))
    same(translate(twice, given, DECODING, progress=None), alone[0])
    same(force(twice, given[:9], references[:9], 1000, None), alone[1])


def test_an_ensemble_of_one_is_that_one():
    """To the bit: what fairseq makes of a list of one model, by the same path."""
    system, given = untrained("rnnsearch_star"), sentences()
    assert system.models == (system.model,)
    for sentence, found in zip(given, translate(system, given, DECODING, progress=None), strict=True):
        assert found.target == best_of_fairseq(system, sentence)


def by_fairseq(system: System, sentences: list[list[str]]) -> list[list[dict]]:
    """What fairseq's own search finds with all models of a system, of sentences as long as each other."""
    source, target = system.source_dictionary, system.target_dictionary
    generator = SequenceGenerator(
        list(system.models), target, beam_size=DECODING.beam, max_len_a=DECODING.max_len_a,
        max_len_b=DECODING.max_len_b, len_penalty=DECODING.length_penalty,
    )  # fmt: skip
    tokens = torch.tensor([[*map(source.index, sentence), source.eos()] for sentence in sentences])
    lengths = torch.full((len(tokens),), tokens.shape[1])
    with torch.inference_mode():
        return generator.generate(list(system.models), {"net_input": {"src_tokens": tokens, "src_lengths": lengths}})


def best_of_fairseq(system: System, sentence: list[str]) -> list[str]:
    """Its best translation, cut off where ours would be."""
    limit = int(DECODING.max_len_a * (len(sentence) + 1) + DECODING.max_len_b)
    return [system.target_dictionary[token] for token in by_fairseq(system, [sentence])[0][0]["tokens"][:limit]]


def test_an_ensemble_is_fairseqs():
    first, second, given = untrained("rnnsearch_star"), other(), sentences()
    both = first._replace(others=(second.model,))
    found = translate(both, given, DECODING, progress=None)
    assert [one.target for one in found] == [best_of_fairseq(both, sentence) for sentence in given]
    for alone in (first, second):
        assert [one.target for one in translate(alone, given, DECODING, progress=None)] != [one.target for one in found]


def test_an_ensemble_averages_probabilities_and_attention_of_given_translations():
    first, second = untrained("rnnsearch_star"), other()
    given, references = tiny.pieces("test", tiny.SOURCE)[:5], tiny.pieces("test", tiny.TARGET)[:5]
    alone = [force(system, given, references, 1000, None) for system in (first, second)]
    both = force(first._replace(others=(second.model,)), given, references, 1000, None)
    for one, two, mean in zip(*alone, both, strict=True):
        expected = torch.tensor([one.positional, two.positional]).double().exp().mean(0).log()
        assert mean.positional == pytest.approx(expected.tolist(), abs=1e-4)
        torch.testing.assert_close(mean.attention, (one.attention + two.attention) / 2, rtol=0, atol=1e-5)
    assert all(one.positional != two.positional for one, two in itertools.pairwise(both))
