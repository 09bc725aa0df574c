"""What needs more than translations and references: parts of speech, an embedding transform, unknown words."""

import json

import numpy as np
import pytest

from stages.files.errors import InputError
from stages.scoring.attention_counts import attention_rows
from stages.scoring.inputs import read_best
from stages.scoring.score_recipe import UNKNOWN_WORDS, WITHOUT_ATTENTION
from stages.scoring.text_counts import LEFT, Reading, no_unk_rows, text_rows, written
from stages.translating.translations import Translation
from tests.stages.scoring.toy_system import (
    LEXICON,
    PIECES,
    TOKENS,
    record,
    run_stage,
    score_files,
    write_about,
    write_lines,
    write_records,
)


def test_parts_of_speech_give_over_translation_by_class_and_the_confusion(files):
    german, english = {"ab": "NN", "c": "V", "d": "DT", "e": "CD"}, {"AB": "NR", "C": "V", "D": "CD", "<unk>": "V"}
    write_about(files / "tags", {"de": german, "en": english})
    for name in ("dev", "test", "other"):
        write_lines(files / "tags" / f"{name}.de", ["NN V", "DT CD"])
    # AB AB AB C, all but the last looking at ab: t(ab) = 2; D looks at e
    records = [
        record("a@@ b c", "AB AB AB C", [[0.4, 0.4, 0.1, 0.1]] * 3 + [[0.1, 0.1, 0.8, 0], [0, 0, 0, 1]]),
        record("d e", "D", [[0.2, 0.7, 0.1], [0.3, 0.4, 0.3]]),
    ]
    for name in ("dev", "test", "other"):
        write_records(files / "translations" / f"{name}.jsonl", records)
    metrics = score_files(files)["metrics"]
    assert {key: metrics[key] for key in ("rot", *("rot_CD", "rot_DT", "rot_NN", "rot_NR", "rot_rest"))} == {
        "rot": 50.0, "rot_CD": 0.0, "rot_DT": 0.0, "rot_NN": 200.0, "rot_NR": None, "rot_rest": 0.0,
    }  # fmt: skip
    assert metrics["pos_confusion"]["N"]["N"] == metrics["pos_confusion"]["V"]["V"] == 100.0
    assert metrics["pos_confusion"]["CD"]["CD"] == 100.0
    assert metrics["pos_confusion"]["JJ"]["N"] is None
    assert metrics["eos_aligned"] == 50.0


def test_tags_of_other_sentences_are_an_error(files):
    write_about(files / "tags", {"de": {"ab": "NN"}})
    for name in ("dev", "test", "other"):
        write_lines(files / "tags" / f"{name}.de", ["NN V", "DT"])
    with pytest.raises(InputError, match=r"dev\.de, line 2: 1 words, but .* has 2 there; run the tag stage again"):
        score_files(files)


def test_sentences_without_unknown_words_are_measured_by_themselves(files):
    metrics = score_files(files)["metrics"]
    assert metrics["no_unk_sentences"] == 1
    write_lines(files / "corpus" / "test.ref0.en", ["AB C", "p q r s"])
    write_records(
        files / "translations" / "test.no_unk.jsonl", [{**record("d e", "p q r s", [[0.5, 0.5, 0]] * 5), "row": 1}]
    )
    assert score_files(files)["metrics"]["bleu_no_unk"] == pytest.approx(100)
    write_records(files / "translations" / "test.no_unk.jsonl", [])
    none = score_files(files)["metrics"]
    assert (none["no_unk_sentences"], none["bleu_no_unk"]) == (0, None)


@pytest.mark.parametrize("row", [0, 2])
def test_a_sentence_that_is_not_of_the_set(files, row):
    write_records(files / "translations" / "test.no_unk.jsonl", [{**record("a", "p", [[0.5, 0.5]] * 2), "row": row}])
    with pytest.raises(InputError, match=r"test\.no_unk\.jsonl, line 1: it is not the translation of line"):
        score_files(files)


def test_an_embedding_transform_is_held_against_the_lexicon(files):
    words = [("ab", ["AB", "C"]), ("c", ["C", "D"]), ("d", ["AB", "D"]), ("e", ["X", "Y"])]
    transform = {
        "words": [{"word": word, "count": 9, "nearest": [[one, 0.5] for one in near]} for word, near in words],
        "targets": ["AB", "C", "D"], "mean_norm_x": 2.0, "mean_norm_y": 0.5, "mean_distance": 0.25,
    }  # fmt: skip
    (files / "translations" / "transform.json").write_text(json.dumps(transform))
    scores = score_files(files, best={"ab": "AB", "d": "D", "e": "E"})
    expected = dict.fromkeys(("transform_p1", "transform_p1_top10"), 50.0)
    expected |= dict.fromkeys(("transform_p5", "transform_p5_top10"), 100.0)
    expected |= {"transform_words": 2.0, "transform_norm_x": 2.0, "transform_norm_y": 0.5, "transform_distance": 0.25}
    assert {key: scores["metrics"][key] for key in expected} == expected
    assert scores["transform"] == [
        {"word": "ab", "count": 9, "nearest": ["AB", "C"], "lexicon": "AB"},
        {"word": "d", "count": 9, "nearest": ["AB", "D"], "lexicon": "D"},
    ]


# Unknown words


EXPECTED = {
    "none": [f"p q r s AB {LEFT}", f"p q r {LEFT}"],
    "copy": ["p q r s AB c", "p q r d"],
    "lexical": ["p q r s AB c", "p q r D"],
}


@pytest.fixture
def unknown(files):
    """Translations that end in an unknown word; it looks at c, at d in the second, or else at the end of sentence."""
    first = [*[[0.25] * 4] * 5, [0.1, 0.1, 0.3, 0.5], [0, 0, 0, 1]]
    second = [*[[0.5, 0.25, 0.25]] * 3, [0.3, 0.2, 0.5], [0.3, 0.2, 0.5], [0, 0, 1]]
    targets = ["p q r s AB <unk>", "p q r x@@ <unk>"]
    records = [record(*one) for one in zip(PIECES["de"], targets, [first, second], strict=True)]
    for name in ("dev", "test", "other"):
        write_records(files / "translations" / f"{name}.jsonl", records)
    return files


@pytest.mark.parametrize("rule", EXPECTED)
def test_unknown_words_are_replaced_before_anything_is_measured(unknown, monkeypatch, rule):
    found = {}
    for reference, lines in EXPECTED.items():
        for k in (0, 1):
            write_lines(unknown / "corpus" / f"test.ref{k}.en", lines)
        run_stage(unknown, monkeypatch, "scores", unk_replace=rule)
        scores = json.loads((unknown / "scores" / "scores.json").read_text(encoding="utf-8"))
        found[reference] = scores["metrics"]["bleu_cased"]
        kept = scores["metrics"]["bleu_unk_kept"]
        assert (kept == pytest.approx(100)) == (reference == "none")
    assert {reference for reference, bleu in found.items() if bleu == pytest.approx(100)} == {rule}
    assert scores["recipe"]["unknown_words"] == UNKNOWN_WORDS[rule]


TEXTS = {
    ("zh", "zh"): "我 爱 ABC 你 。",
    ("zh", "char"): "我 爱 ABC 你 。",
    ("th", "char"): "กา ขา ABC นา",
    ("fr", "13a"): "l' ami , a dit .",
    ("fr", "intl"): "l' ami , a dit .",
    ("fr", "char"): "l' ami , a dit .",
    ("en", "none"): "his friend has said it",
}


@pytest.mark.parametrize("rule", ["none", "copy"])
@pytest.mark.parametrize(("language", "tokeniser"), TEXTS)
def test_an_unknown_word_that_is_kept_counts_as_one_wrong_word(language, tokeniser, rule):
    words = TEXTS[language, tokeniser].split()
    target, unknown = [*words[:2], "<unk>", "<unk>", *words[2:], "<unk>"], frozenset({2, 3, len(words) + 2})
    settings = TOKENS.model_copy(update={"detokenise": True, "bleu_tokenize": tokeniser, "unk_replace": rule})
    reading = Reading(settings, language, {})
    attention = np.ones((len(target) + 1, 2)) / 2
    attended = dict.fromkeys(unknown, 0)
    made = [Translation(["x"], words, None, None), Translation(["x"], target, attention, None, unknown, attended)]
    rows = text_rows(made, [written([words], reading)] * 2, reading)
    (system, _, *correct), (longer, _, *still) = rows["bleu_unk_kept"].tolist()
    assert longer == system + 3 and still[0] == correct[0] == system
    if rule == "none":
        assert rows["bleu"].tolist() == rows["bleu_unk_kept"].tolist()
        assert rows["ter"][:, 0].tolist() == [0, 3]


def test_the_recipe_says_that_nothing_replaces_the_unknown_words_of_a_system_without_attention(unknown):
    settings = TOKENS.model_copy(update={"unk_replace": "copy"})
    said = []
    for targets in (PIECES["en"], ["AB <unk>", "D"]):
        records = [record(*one, None) for one in zip(PIECES["de"], targets, strict=True)]
        for name in ("dev", "test", "other"):
            write_records(unknown / "translations" / f"{name}.jsonl", records)
        said.append(score_files(unknown, settings=settings)["recipe"]["unknown_words"])
    assert said == [UNKNOWN_WORDS["copy"], WITHOUT_ATTENTION]


def test_unknown_words_kept_or_left_out_are_case_folded_as_in_turkish():
    reading = Reading(TOKENS.model_copy(update={"unk_replace": "copy"}), "tr", {})
    made = Translation(["x"], ["IŞIK", "<unk>"], np.ones((3, 2)) / 2, None, frozenset({1}), {1: 0})
    references = [["ışık var"]]
    (kept,) = text_rows([made], references, reading)["bleu_unk_kept"].tolist()
    (known,) = no_unk_rows({0: made}, references, reading)["bleu_no_unk"].tolist()
    assert kept == known[1:] and kept[:3] == [2, 2, 1]


def test_words_are_repeated_whatever_their_case_as_in_turkish():
    made = [Translation(["x"], ["IŞIK"] * 4 + ["ışık"] * 4, np.ones((9, 2)) / 2, None)]
    for language, phrases, words in (("tr", 1, 7), ("en", 0, 6)):
        rows = text_rows(made, [["var"]], Reading(TOKENS, language, {}))
        assert rows["repeated"][0, 0] == phrases
        assert attention_rows(made, language, None, None, None)["rot"][0, 0] == words


def test_forced_decoding_keeps_its_words(unknown):
    plain = score_files(unknown)["metrics"]
    replaced = score_files(unknown, settings=TOKENS.model_copy(update={"unk_replace": "copy"}))["metrics"]
    for key in ("aer", "saer", "perplexity"):
        assert plain[key] == replaced[key]


def test_the_lexicon_follows_the_direction(unknown):
    assert read_best(unknown / "wordalign", "forward") == {"ab": "AB", "d": "D"}
    assert read_best(unknown / "wordalign", "reverse") == {"AB": "ab"}


def test_a_lexicon_that_is_missing_or_damaged(unknown, monkeypatch):
    write_lines(unknown / "wordalign" / "lexicon.source-target.tsv", [*LEXICON["source-target"], "e E"])
    with pytest.raises(InputError, match=r"lexicon\.source-target\.tsv, line 4: not word, translation"):
        run_stage(unknown, monkeypatch, "scores", unk_replace="lexical")
    (unknown / "wordalign" / "lexicon.source-target.tsv").unlink()
    with pytest.raises(InputError, match=r"lexicon\.source-target\.tsv: no such file"):
        run_stage(unknown, monkeypatch, "scores", unk_replace="copy")
