"""Every key of the scores against a value computed by hand, on sets in mixed case that all differ."""

import pytest
import sacrebleu

from stages.files.errors import InputError
from stages.measures.confusion import SOURCES
from stages.scoring.catalogue import GROUPS, MEASURES
from stages.scoring.inputs import read_text
from stages.scoring.system import score
from stages.scoring.system_files import Folders, read_system
from stages.scoring.vocabulary import known_rows, read_vocabulary
from tests.stages.scoring import mixed_case as by_hand
from tests.stages.scoring.toy_system import COST, DECODING, TOKENS, score_files, write_lines

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


def test_rot_outside_and_inside_the_vocabulary_where_words_are_not_cut(files):
    """By hand, from the source words ab c, d e and g to q; ab is the only noun."""
    by_hand.write_mixed_case(files)
    (files / "bin").mkdir()
    write_lines(files / "bin/dict.de.txt", ["ab 9", "e 3", "g 1", "madeupword0000 0"])
    text = read_text(files / "corpus", "forward")
    places = (files / "translations", files / "training.json", files / "wordalign", files / "tags")
    rows = {}
    for data in (None, files / "bin"):
        system = read_system(text, Folders(*places, data), "toy_nmt", 1)
        rows[data] = score(system._replace(best={}), SETTINGS, DECODING).rows["test"]
    counts = dict(zip(GROUPS["rot_vocabulary"], rows[files / "bin"]["rot_vocabulary"].sum(0).tolist(), strict=True))
    assert counts == {
        **{"repeats_inside": 2 + 0 + 1, "words_inside": 3, "repeats_outside": 0 + 1 + 0, "words_outside": 12},
        **{"repeats_NN_inside": 2, "words_NN_inside": 1, "repeats_NN_outside": 0, "words_NN_outside": 0},
    }
    assert rows[None].keys() == rows[files / "bin"].keys() - {"rot_vocabulary"}


def test_rows_without_an_unknown_piece_on_either_side(files):
    (files / "bin").mkdir()
    (files / "bpe").mkdir()
    for language, lines in {"de": ["a@@ b", "a@@ c", "a@@ b", "b"], "en": ["x y", "x", "x z", "y"]}.items():
        write_lines(files / f"bpe/test.{language}", lines)
    write_lines(files / "bin/dict.de.txt", ["a@@ 9", "b 9"])
    write_lines(files / "bin/dict.en.txt", ["x 9", "y 9", "z 0"])
    assert known_rows(read_text(files / "corpus", "forward"), "test", files / "bpe", files / "bin") == [0, 3]


def test_a_damaged_dictionary_is_named(files):
    (files / "bin").mkdir()
    write_lines(files / "bin/dict.de.txt", ["ab 9", "e"])
    with pytest.raises(InputError, match=r"dict\.de\.txt, line 2: not a piece and its frequency"):
        read_vocabulary(files / "bin", "de")
