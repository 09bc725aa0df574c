"""Every key of the scores against a value computed by hand, on sets in mixed case that all differ."""

import pytest
import sacrebleu

from stages.measures.confusion import SOURCES
from stages.scoring.catalogue import MEASURES
from tests.stages.scoring import mixed_case as by_hand
from tests.stages.scoring.toy_system import COST, TOKENS, score_files

SETTINGS = TOKENS.model_copy(update={"unk_replace": "copy"})


@pytest.fixture
def scores(files):
    by_hand.write_mixed_case(files)
    return score_files(files, settings=SETTINGS)


def test_the_test_set(scores):
    found = scores["tests"]["test"]
    expected = by_hand.OF_TEST | {"chrf": sacrebleu.corpus_chrf(by_hand.WORDS, by_hand.REFERENCES).score}
    assert expected.keys() == {name for name, measure in MEASURES.items() if measure.sets == "tests"}
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    measured = {"bleu_by_length", "coverage_histogram", "pos_confusion"}
    assert found.keys() == expected.keys() | measured


def test_the_tables_of_the_test_set(scores):
    found = scores["tests"]["test"]
    by_length = {name: (of["bleu"], of["sentences"]) for name, of in found["bleu_by_length"].items() if of["sentences"]}
    assert by_length == {name: (pytest.approx(bleu), n) for name, (bleu, n) in by_hand.BY_LENGTH.items()}
    coverage = {name: share for name, share in found["coverage_histogram"].items() if share}
    assert coverage == pytest.approx({name: 100 * words / 15 for name, words in by_hand.COVERAGE.items()})
    everything = {p: dict.fromkeys(SOURCES, 0.0) | shares for p, shares in by_hand.CONFUSION.items()}
    assert {p: pytest.approx(shares) for p, shares in found["pos_confusion"].items()} == everything


def test_dev(scores):
    found = scores["dev"]
    assert {name: found[name] for name in by_hand.OF_DEV} == pytest.approx(by_hand.OF_DEV)
    assert found.keys() == scores["tests"]["test"].keys() | {"perplexity", "coverage_left", "coverage_fertility"}


def test_the_flat_keys_are_of_the_first_test_set_of_dev_and_of_gold(scores):
    metrics = scores["metrics"]
    of_dev = {
        name: by_hand.OF_DEV[name] for name in ("perplexity", "coverage_left", "coverage_fertility", "eos_aligned")
    }
    expected = by_hand.OF_TEST | of_dev | by_hand.OF_GOLD | COST | {"perplexity_de-en": by_hand.OF_DEV["perplexity"]}
    assert {name: metrics[name] for name in expected} == pytest.approx(expected)
    for name in ("chrf", "bleu_by_length", "coverage_histogram", "pos_confusion"):
        assert metrics[name] == scores["tests"]["test"][name]
    undefined = {name for name, value in metrics.items() if value is None}
    assert metrics.keys() == {*expected, "chrf", "bleu_by_length", "coverage_histogram", "pos_confusion"} | undefined
    assert all(name.startswith("transform_") for name in undefined)


def test_the_sets_differ_wherever_they_could_be_mistaken(scores):
    test, other, dev = scores["tests"]["test"], scores["tests"]["other"], scores["dev"]
    for name in ("bleu", "bleu_cased", "rot", "attention_entropy", "cut_off"):
        assert len({test[name], other[name], dev[name]}) > 1, name
    assert test["bleu"] > test["bleu_cased"] > 0
