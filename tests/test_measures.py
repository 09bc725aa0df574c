"""Measures against the worked examples of their definitions, second implementations and degenerate input."""

import itertools
import math

import numpy as np
import pytest
import sacrebleu
from nltk.translate import Alignment
from nltk.translate.metrics import alignment_error_rate

from stages.measures import aer, bleu, floor, gold, merge, perplexity, repeated, rot, saer, threshold
from stages.measures.gold import Gold
from stages.measures.links import NO_LINK, link_set, strongest


def links(text):
    """'1-1 2-3', counted from 1 as the papers do -> a set of links."""
    return frozenset((int(s) - 1, int(t) - 1) for s, t in (pair.split("-") for pair in text.split()))


def gold_of(sure, possible_only=""):
    return Gold(links(sure), links(sure) | links(possible_only))


def random_gold(rng, source_length, target_length):
    kinds = rng.choice(3, size=(source_length, target_length), p=(0.6, 0.2, 0.2))
    sure = frozenset(map(tuple, np.argwhere(kinds == 1).tolist()))
    return Gold(sure, sure | frozenset(map(tuple, np.argwhere(kinds == 2).tolist())))


def random_attention(rng, target_length, source_length):
    """Word level, with the end of sentence as last column."""
    return rng.dirichlet(np.full(source_length + 1, 0.5), size=target_length)


# Gold links


def test_gold_reads_sure_and_possible_links():
    assert gold.parse("0-0 2-1 2?3 2-3") == Gold(
        frozenset({(0, 0), (2, 1), (2, 3)}), frozenset({(0, 0), (2, 1), (2, 3)})
    )
    assert gold.parse("0?4 1-2").possible == {(0, 4), (1, 2)}
    assert gold.parse("") == Gold(frozenset(), frozenset())


@pytest.mark.parametrize("text", ["1:2", "1-", "-1-2", "1-2/1", "a-b", "1-2,3-4", "1--2"])
def test_gold_names_a_malformed_link(text):
    with pytest.raises(ValueError, match=text):
        gold.parse(f"0-0 {text}")


def test_gold_reversed_is_the_gold_of_the_other_direction():
    assert gold.reverse(gold.parse("0-1 2?3")) == gold.parse("1-0 3?2")


@pytest.mark.parametrize("text", ["3-0", "0-2", "0?2"])
def test_gold_link_outside_its_sentence(text):
    gold.check_bounds(gold.parse("2-1"), 3, 2)
    with pytest.raises(ValueError, match="outside"):
        gold.check_bounds(gold.parse(text), 3, 2)


# Sub-words to words


def test_merge_example():
    pieces = np.array([[0.6, 0.3, 0.1], [0.4, 0.4, 0.2], [0.1, 0.2, 0.7]])
    assert merge.merge(pieces, [0, 1], [0, 2]) == pytest.approx(np.array([[0.5, 0.5], [0.1, 0.9]]))


def test_merge_equals_its_definition_and_keeps_row_sums():
    rng = np.random.default_rng(0)
    source, target = [0, 1, 4], [0, 3, 4, 6]
    pieces = random_attention(rng, 7, 5)
    source_words = [range(0, 1), range(1, 4), range(4, 6)]
    target_words = [range(0, 3), range(3, 4), range(4, 6), range(6, 7)]
    expected = [[sum(pieces[i, j] for i in t for j in s) / len(t) for s in source_words] for t in target_words]
    words = merge.merge(pieces, source, target)
    assert words == pytest.approx(np.array(expected))
    assert words.sum(axis=1) == pytest.approx(np.ones(4))


def test_merge_of_whole_words_changes_nothing():
    attention = random_attention(np.random.default_rng(1), 3, 3)
    assert np.array_equal(merge.merge(attention, range(4), range(3)), attention)


@pytest.mark.parametrize(
    ("source", "target"), [([0, 3], [0]), ([1], [0]), ([], [0]), ([0], []), ([0, 2, 2], [0]), ([0], [0, 2])]
)
def test_merge_refuses_words_that_do_not_cover_the_pieces(source, target):
    with pytest.raises(ValueError):
        merge.merge(np.ones((2, 3)), source, target)


def test_merge_of_an_empty_target():
    assert merge.merge(np.zeros((0, 3)), [0, 2], []).shape == (0, 2)


# Links from attention


@pytest.mark.parametrize(
    ("row", "drop", "renorm"),
    [
        ((0.2, 0.5, 0.3), 1, 1),
        ((0.2, 0.3, 0.5), NO_LINK, 1),
        ((0.4, 0.4, 0.2), 0, 0),
        ((0.4, 0.2, 0.4), 0, 0),
        ((0.0, 0.0, 1.0), NO_LINK, NO_LINK),
        ((0.0, 0.0, 0.0), NO_LINK, NO_LINK),
    ],
)
def test_strongest_link_and_end_of_sentence(row, drop, renorm):
    attention = np.array([row])
    assert strongest(attention, "drop").tolist() == [drop]
    assert strongest(attention, "renorm").tolist() == [renorm]


def test_link_set_leaves_unaligned_words_out():
    assert link_set(np.array([2, NO_LINK, 0])) == {(2, 0), (0, 2)}


# AER, SAER, threshold


def test_aer_example():
    score = aer.aggregate(np.array([aer.statistics(links("1-1 2-3 3-2"), gold_of("1-1 2-2", "2-3"))]))
    assert score == pytest.approx((40.0, 100 * 2 / 3, 50.0))


def test_aer_of_the_gold_itself_is_zero():
    sure = links("1-1 2-2 3-1")
    assert aer.aggregate(np.array([aer.statistics(sure, Gold(sure, sure))])) == pytest.approx((0, 100, 100))


def test_aer_equals_nltk_on_one_sentence_and_on_a_corpus():
    rng = np.random.default_rng(2)
    rows, found, sure, possible = [], set(), set(), set()
    for k in range(30):
        links_gold = random_gold(rng, 5, 6)
        best = link_set(strongest(random_attention(rng, 6, 5), "drop"))
        rows.append(aer.statistics(best, links_gold))
        # nltk knows single sentences: shifting each sentence's words makes a corpus of them
        for corpus, sentence in ((found, best), (sure, links_gold.sure), (possible, links_gold.possible)):
            corpus |= {(s + 100 * k, t + 100 * k) for s, t in sentence}
        if best or links_gold.sure:
            expected = alignment_error_rate(
                Alignment(links_gold.sure), Alignment(best), possible=Alignment(links_gold.possible)
            )
            assert aer.of_totals(np.array(rows[-1])).aer == pytest.approx(100 * expected)
    expected = alignment_error_rate(Alignment(sure), Alignment(found), possible=Alignment(possible))
    assert aer.aggregate(np.array(rows)).aer == pytest.approx(100 * expected)


def test_saer_example():
    attention = np.array([[0.7, 0.2, 0.1], [0.1, 0.5, 0.4], [0.2, 0.6, 0.2]])
    # The possible link is row 2, column 3 of the matrix: target word 2, source word 3.
    masses = saer.statistics(attention, gold_of("1-1 2-2", "3-2"))
    assert masses == pytest.approx((3.0, 2, 1.2, 1.6))
    assert saer.aggregate(np.array([masses])) == pytest.approx(44.0)


def test_saer_of_one_hot_attention_is_aer():
    rng = np.random.default_rng(3)
    soft, hard = [], []
    for _ in range(20):
        links_gold = random_gold(rng, 4, 7)
        attention = np.eye(5)[rng.integers(5, size=7)]
        soft.append(saer.statistics(attention[:, :-1], links_gold))
        hard.append(aer.statistics(link_set(strongest(attention, "drop")), links_gold))
    assert saer.aggregate(np.array(soft)) == pytest.approx(aer.aggregate(np.array(hard)).aer)


def test_threshold_example():
    attention = np.array([[0.7, 0.2, 0.1, 0], [0.1, 0.5, 0.4, 0], [0.19, 0.19, 0.19, 0.43]])
    counts = threshold.statistics(attention, gold_of("1-1", "2-3"), 0.2)
    assert counts == (2, 2, 1)
    assert threshold.aggregate(np.array([counts])) == pytest.approx((50, 50, 50))


@pytest.mark.parametrize(("weight", "found"), [(0.2, 0), (0.2001, 1)])
def test_threshold_is_strict(weight, found):
    assert threshold.statistics(np.array([[weight, 1 - weight]]), gold_of("1-1"), 0.2).links == found


# Floor


def brute_force_floor(golds, lengths):
    """Lowest AER over every choice of one source word, or none, for every target word of every sentence."""
    options = [
        [
            aer.statistics(link_set(np.array(choice, int)), sentence)
            for choice in itertools.product(range(NO_LINK, source_length), repeat=target_length)
        ]
        for sentence, (source_length, target_length) in zip(golds, lengths, strict=True)
    ]
    return min(aer.aggregate(np.array(rows)).aer for rows in itertools.product(*map(set, options)))


@pytest.mark.parametrize("seed", range(12))
def test_floor_equals_brute_force(seed):
    rng = np.random.default_rng(seed)
    lengths = [(int(rng.integers(1, 4)), int(rng.integers(1, 4))) for _ in range(2)]
    golds = [random_gold(rng, *length) for length in lengths]
    if not any(sentence.sure for sentence in golds):
        golds[0] = gold_of("1-1")
    expected = brute_force_floor(golds, lengths)
    assert aer.aggregate(np.array([floor.statistics(sentence) for sentence in golds])).aer == pytest.approx(expected)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (gold_of("1-1 2-2"), 0.0),
        (gold_of("1-1 2-1"), 100 * (1 - 2 / 3)),  # one target word cannot have both links
        (gold_of("1-1 1-2"), 0.0),  # but one source word can
        (gold_of("1-1 2-1", "3-2"), 100 * (1 - 3 / 4)),  # a possible link pays when sure ones are out of reach
    ],
)
def test_floor_cases(sentence, expected):
    assert aer.aggregate(np.array([floor.statistics(sentence)])).aer == pytest.approx(expected)


# Over-translation and repetition


@pytest.mark.parametrize(
    ("target", "best", "expected"),
    [
        ("hong kong hong kong", [0, 0, 0, 0], [2]),
        ("a a b c", [0, 0, 0, 1], [1, 0]),
        ("a a", [0, 1], [0, 0]),  # the same word for two source words is no repetition
        ("a a a", [0, NO_LINK, NO_LINK], [0, 0]),  # the end of sentence translates nothing
        ("", [], [0, 0, 0]),
    ],
)
def test_rot_repeats_per_source_word(target, best, expected):
    assert rot.repeats_per_word(target.split(), np.array(best, int), len(expected)).tolist() == expected


def test_rot_example():
    repeats = rot.repeats_per_word(list("aabc"), np.array([0, 0, 0, 1]), 2)
    assert rot.aggregate(np.array([rot.statistics(repeats)])) == 50.0


def test_rot_refuses_links_that_do_not_fit_the_words():
    with pytest.raises(ValueError):
        rot.repeats_per_word(["a"], np.array([0, 0]), 1)


@pytest.mark.parametrize(
    ("sentence", "phrases", "ngrams"),
    [
        ("the united nations security council the united nations security council said", 1, 2),
        ("a b c d a b c d a b c d", 2, 5),
        ("a b c a b c", 0, 0),
        ("a a a a a a a", 0, 3),  # the first span of 4 ends at word 4, and 3 words are left
        ("a a a a a a a a", 1, 4),
        ("a b c d x a b c d e a b c d e", 2, 3),
        ("a b c d e a b c d x a b c d e", 2, 3),  # the longest earlier span, not the last one
        ("a b c", 0, 0),
        ("", 0, 0),
    ],
)
def test_repeated_phrases(sentence, phrases, ngrams):
    assert repeated.statistics(sentence.split()) == (phrases, ngrams)


def test_repeated_phrases_equal_their_definition():
    def naive(words):
        count = position = 0
        while position < len(words):
            spans = [
                n
                for n in range(4, len(words) - position + 1)
                if any(words[start : start + n] == words[position : position + n] for start in range(position - n + 1))
            ]
            count += bool(spans)
            position += max(spans, default=1)
        return count

    rng = np.random.default_rng(4)
    sentences = [rng.integers(1, alphabet + 1, size=40).tolist() for alphabet in (1, 2, 2, 2, 3, 3) for _ in range(5)]
    assert [repeated.statistics(words).phrases for words in sentences] == [naive(words) for words in sentences]


# BLEU


HYPOTHESES = ["The cat sat on the mat .", "a dog barked", "", "nothing in common", "The The the cat"]
REFERENCES = [
    ("the cat sat on a mat .", "The cat was on the mat ."),
    ("A dog barked loudly", "a dog was barking"),
    ("silence", "quiet please"),
    ("wholly different words here", "others"),
    ("The cat sat", "the cat"),
]


@pytest.mark.parametrize("tokenize", ["none", "13a", "char"])
@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("references", [1, 2])
def test_bleu_rows_add_up_to_sacrebleu(tokenize, lowercase, references):
    columns = list(zip(*REFERENCES, strict=True))[:references]
    metric = sacrebleu.BLEU(tokenize=tokenize, lowercase=lowercase)
    expected = metric.corpus_score(HYPOTHESES, columns)
    scorer = bleu.scorer(tokenize, lowercase)
    rows = [bleu.statistics(h, r[:references], scorer) for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    score = bleu.aggregate(np.array(rows))
    assert score.score == pytest.approx(expected.score)
    assert score.score > 0
    assert score.precisions == pytest.approx(expected.precisions)
    assert (score.brevity_penalty, score.length_ratio) == pytest.approx((expected.bp, expected.ratio))
    assert bleu.signature(tokenize, lowercase, references) == str(metric.get_signature())


def test_bleu_case_matters_only_when_asked():
    rows = {
        low: bleu.statistics("THE cat sat down", ["the cat sat down"], bleu.scorer("none", low))
        for low in (True, False)
    }
    assert bleu.of_totals(np.array(rows[True])).score == pytest.approx(100)
    assert bleu.of_totals(np.array(rows[False])).score < 100


def test_bleu_clips_unigrams():
    score = bleu.of_totals(np.array(bleu.statistics("the the cat", ["the cat sat"], bleu.scorer("none", True))))
    assert (score.precisions[0], score.brevity_penalty) == pytest.approx((100 * 2 / 3, 1))


def test_bleu_brevity_penalty():
    words = list("abcdefghij")
    row = bleu.statistics(" ".join(words[:9]), [" ".join(words)], bleu.scorer("none", True))
    score = bleu.of_totals(np.array(row))
    assert score.brevity_penalty == pytest.approx(0.8948, abs=5e-5)
    assert (score.score, score.length_ratio) == pytest.approx((100 * math.exp(-1 / 9), 0.9))


# Perplexity


def test_perplexity_counts_every_token_of_the_corpus_alike():
    # exp(-sum log p / sum T): 4 tokens at 1/2 and 2 at 1/16, not the mean of the sentences' perplexities 2 and 16
    rows = [perplexity.statistics([math.log(0.5)] * 4), perplexity.statistics([math.log(1 / 16)] * 2)]
    assert perplexity.aggregate(np.array(rows)) == pytest.approx(4.0)


# Degenerate input

NO_GOLD = Gold(frozenset(), frozenset())
ONE_WORD = np.array([[0.9, 0.1]])
NOTHING = np.zeros((0, 3))
ZEROS = np.zeros((2, 3))


@pytest.mark.parametrize(
    ("case", "attention", "links_gold", "expected_aer", "expected_saer"),
    [
        ("empty gold", ONE_WORD, NO_GOLD, 100.0, 100.0),
        ("empty hypothesis and gold", NOTHING, NO_GOLD, math.nan, math.nan),
        ("all attention on the end of sentence", np.array([[0, 0, 1.0]]), gold_of("1-1 2-1"), 100.0, 100.0),
        ("one word", ONE_WORD, gold_of("1-1"), 0.0, 100 * (1 - 1.8 / 1.9)),
        ("all possible and no sure links", ONE_WORD, gold_of("", "1-1"), 0.0, 0.0),
        ("attention rows of zeros", ZEROS, gold_of("1-1"), 100.0, 100.0),
        ("attention rows of zeros, empty gold", ZEROS, NO_GOLD, math.nan, math.nan),
    ],
)
def test_degenerate_alignments(case, attention, links_gold, expected_aer, expected_saer):
    counts = aer.statistics(link_set(strongest(attention, "drop")), links_gold)
    masses = saer.statistics(attention[:, :-1], links_gold)
    assert aer.aggregate(np.array([counts])).aer == pytest.approx(expected_aer, nan_ok=True)
    assert saer.aggregate(np.array([masses])) == pytest.approx(expected_saer, nan_ok=True)


def test_degenerate_sentence_without_any_link_found():
    score = aer.aggregate(np.array([aer.statistics(frozenset(), gold_of("1-1", "2-1"))]))
    assert score == pytest.approx((100.0, math.nan, 0.0), nan_ok=True)


def test_degenerate_sentences_do_not_disturb_a_corpus():
    normal = aer.statistics(links("1-1 2-3 3-2"), gold_of("1-1 2-2", "2-3"))
    nothing = aer.statistics(frozenset(), NO_GOLD)
    assert aer.aggregate(np.array([normal, nothing])) == pytest.approx(aer.aggregate(np.array([normal])))


@pytest.mark.parametrize(
    ("links_gold", "expected"), [(NO_GOLD, math.nan), (gold_of("", "1-1"), 0.0), (gold_of("1-1"), 0.0)]
)
def test_degenerate_floor(links_gold, expected):
    assert aer.aggregate(np.array([floor.statistics(links_gold)])).aer == pytest.approx(expected, nan_ok=True)


def test_degenerate_precision_and_recall_are_undefined_not_zero():
    score = aer.aggregate(np.array([aer.statistics(frozenset(), NO_GOLD)]))
    assert all(math.isnan(value) for value in score)
    assert all(
        math.isnan(value) for value in threshold.aggregate(np.array([threshold.statistics(NOTHING, NO_GOLD, 0.2)]))
    )


def test_degenerate_translations():
    scorer = bleu.scorer("none", True)
    assert bleu.aggregate(np.array([bleu.statistics("", ["a b"], scorer)])) == (0.0, (0.0,) * 4, 0.0, 0.0)
    assert math.isnan(bleu.aggregate(np.array([bleu.statistics("", [""], scorer)])).length_ratio)
    assert math.isnan(rot.aggregate(np.array([rot.statistics(np.zeros(0, int))])))
    assert math.isnan(perplexity.aggregate(np.array([perplexity.statistics([])])))
    assert repeated.aggregate(np.array([repeated.statistics([])])) == (0, 0)


# Resampling


def test_totals_of_resampled_rows_equal_measuring_the_resampled_corpus():
    rng = np.random.default_rng(5)
    pairs = [(random_attention(rng, 4, 4), random_gold(rng, 4, 4)) for _ in range(6)]
    hard = np.array([aer.statistics(link_set(strongest(attention, "drop")), g) for attention, g in pairs])
    soft = np.array([saer.statistics(attention[:, :-1], g) for attention, g in pairs])
    samples = rng.integers(6, size=(10, 6))
    weights = np.stack([np.bincount(sample, minlength=6) for sample in samples])
    assert aer.of_totals(weights @ hard).aer == pytest.approx(np.array([aer.aggregate(hard[s]).aer for s in samples]))
    assert saer.of_totals(weights @ soft) == pytest.approx(np.array([saer.aggregate(soft[s]) for s in samples]))
