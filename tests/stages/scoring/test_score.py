"""The score stage: from files of the evaluate stage to numbers, and one clear error for files that do not fit."""

import json
import math
import time

import numpy as np
import pandas as pd
import pytest
import sacrebleu

from stages import score
from stages.files.errors import InputError
from stages.measures.gold import Gold
from stages.scoring import printed
from stages.scoring import sentence_files as tables
from stages.scoring.catalogue import COMPARED, GROUPS, MEASURES
from stages.scoring.counts import Reading, alignment_rows, attention_rows, no_unk_rows, probability_rows, text_rows
from stages.scoring.inputs import read_best, read_cost, read_gold, read_references, read_text
from stages.scoring.values import values
from stages.settings.scoring import ScoreSettings
from stages.settings.training import Decoding
from stages.statistics.comparison import comparisons
from stages.text.detokenise import detokenise
from stages.text.pieces import merge_pieces, word_starts
from stages.translating.translations import Translation, read_translations

TOKENS = ScoreSettings(detokenise=False, bleu_tokenize="none", aer_eos="drop", unk_replace="none")
COST = {"parameters": 1_234_567, "train_tokens_per_second": 9100.4, "wall_seconds": 73.6}
DECODING = Decoding(beam=7, length_penalty=1.0, max_len_a=1.5, max_len_b=10, max_tokens=1000, threads=1)


def record(source, target, attention, finished=True):
    """A line of the evaluate stage; pieces without the end of sentence."""
    target = [*target.split(), *(["</s>"] if finished else [])]
    return {
        "source": [*source.split(), "</s>"],
        "target": target,
        "attention": attention,
        "score": -1.0,
        "positional": [-0.5] * len(target),
        "finished": finished,
    }


SETS = ("dev", "test", "other", "gold.forced", "dev.forced")
LEXICON = {"source-target": ["ab\tAB\t0.9\t9", "ab\tC\t0.1\t1", "d\tD\t1.0\t3"], "target-source": ["AB\tab\t1.0\t9"]}

# two sentences, source language de, target language en
SENTENCES = {
    "de": ["ab c", "d e"],
    "en": ["AB C", "D"],
}
PIECES = {"de": ["a@@ b c", "d e"], "en": ["AB C", "D"]}
ATTENTION = [
    # AB looks at both pieces of ab, C at the end of sentence
    [[0.3, 0.3, 0.3, 0.1], [0.1, 0.1, 0.3, 0.5], [0, 0, 0, 1]],
    # D looks at e
    [[0.2, 0.7, 0.1], [0, 0, 1]],
]


@pytest.fixture
def files(tmp_path):
    """A corpus and the output of one system on it, as the stages before leave them."""
    text, translations = tmp_path / "corpus", tmp_path / "translations"
    text.mkdir()
    translations.mkdir()
    stats = {"corpus": "toy", "source": "de", "target": "en", "tests": ["test", "other"], "gold": True}
    (text / "stats.json").write_text(json.dumps(stats))
    for language, lines in SENTENCES.items():
        for name in ("dev", "test", "other", "gold"):
            write_lines(text / f"{name}.{language}", lines)
            write_lines(text / f"{name}.ref0.{language}", lines)
    write_lines(text / "test.ref1.en", ["AB", "D"])
    write_lines(text / "gold.align", ["0-0 1?1", "1-0"])
    records = [record(*sentence) for sentence in zip(PIECES["de"], PIECES["en"], ATTENTION, strict=True)]
    for name in SETS:
        write_records(translations / f"{name}.jsonl", records)
    for name in ("test", "other"):
        write_records(translations / f"{name}.no_unk.jsonl", [{**records[1], "row": 1}])
    (translations / "transform.json").write_text("null")
    write_about(tmp_path / "tags", {})
    for sides, lines in LEXICON.items():
        (tmp_path / "wordalign").mkdir(exist_ok=True)
        write_lines(tmp_path / "wordalign" / f"lexicon.{sides}.tsv", lines)
    (tmp_path / "training.json").write_text(json.dumps({"variant": "toy_nmt", "seed": 1, **COST}))
    return tmp_path


def write_lines(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_records(path, records):
    write_lines(path, [json.dumps(one, ensure_ascii=False) for one in records])


def write_about(folder, words):
    """The tag stage's folder; words: language -> class of each word, for the languages that can be tagged."""
    folder.mkdir(exist_ok=True)
    nothing = {"tagger": None, "why": "no tagger", "tags_of_new_text": None, "words": None, "accuracy": None}
    about = {language: nothing for language in SENTENCES}
    for language, classes in words.items():
        about[language] = {**nothing, "tagger": "gold", "why": None, "words": f"words.{language}.tsv"}
        write_lines(folder / f"words.{language}.tsv", [f"{word}\t{name}" for word, name in classes.items()])
    (folder / "about.json").write_text(json.dumps(about))


def score_all(files, direction="forward", settings=TOKENS, best=None):
    text = read_text(files / "corpus", direction)
    inputs = score.Inputs(
        files / "translations", files / "training.json", files / "tags", settings, DECODING, best or {}
    )
    return score.score(text, inputs, "toy_nmt", 1)


def score_files(files, direction="forward", settings=TOKENS, best=None):
    return score_all(files, direction, settings, best).values


BY_CLASS = {"rot_NN", "rot_NR", "rot_DT", "rot_CD", "rot_rest"}
TRANSFORM = {
    *("transform_p1", "transform_p5", "transform_words", "transform_p1_top10", "transform_p5_top10"),
    *("transform_norm_x", "transform_norm_y", "transform_distance"),
}


# Pieces


@pytest.mark.parametrize(
    ("pieces", "words", "starts"),
    [
        ("a@@ b c", ["ab", "c"], [0, 2]),
        ("x@@ y@@ z", ["xyz"], [0]),
        ("a b", ["a", "b"], [0, 1]),
        ("a b@@", ["a", "b"], [0, 1]),  # cut off inside a word
        ("<unk> a@@ <unk>", ["<unk>", "a<unk>"], [0, 1]),
        ("@@ a", ["a"], [0]),
        ("", [], []),
    ],
)
def test_pieces_to_words(pieces, words, starts):
    assert merge_pieces(pieces.split()) == words
    assert word_starts(pieces.split()) == starts


def test_detokenise_keeps_what_only_looks_like_an_escape():
    sentences = [line.split() for line in ("it 's a dog , isn 't it ?", "", "a &amp; b")]
    assert detokenise(sentences, "en") == ["it's a dog, isn't it?", "", "a &amp; b"]


# Reading translations


def test_translation_is_merged_to_words(files):
    first, second = read_translations(files / "translations" / "test.jsonl")
    assert (first.source, first.target) == (["ab", "c"], ["AB", "C"])
    assert first.attention == pytest.approx(np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0, 0, 1]]))
    assert second.word_attention.shape == (1, 3)
    assert first.log_probabilities == [-0.5] * 3


def test_end_of_sentence_never_joins_a_broken_word(tmp_path):
    path = tmp_path / "x.jsonl"
    write_records(path, [record("a", "b c@@", [[1, 0], [0.5, 0.5], [0, 1]])])
    (translation,) = read_translations(path)
    assert translation.target == ["b", "c"]
    assert translation.attention.tolist() == [[1, 0], [0.5, 0.5], [0, 1]]


def test_unfinished_and_empty_translations(tmp_path):
    path = tmp_path / "x.jsonl"
    write_records(path, [record("a", "b", [[1, 0]], finished=False), record("a", "", [[0, 1]])])
    cut, empty = read_translations(path)
    assert (cut.target, cut.word_attention.tolist()) == (["b"], [[1, 0]])
    assert (empty.target, empty.word_attention.shape, empty.attention.shape) == ([], (0, 2), (1, 2))


GOOD = record("a b", "c", [[0.5, 0.5, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"attention": [[0.5, 0.5, 0]]}, "1 rows of attention for 2 target pieces"),
        ({"attention": [[0.5, 0.5], [0, 1]]}, "attention rows of .2. weights for 3 source pieces"),
        ({"attention": [[0.5, 0.5, 0], [1]]}, "attention rows of .1, 3. weights"),
        ({"attention": [[0.5, -0.5, 0], [0, 0, 1]]}, "must lie in"),
        ({"attention": [[0.5, math.nan, 0], [0, 0, 1]]}, "must lie in"),
        ({"attention": [["x", 0, 0], [0, 0, 1]]}, "convert"),
        ({"positional": [-0.5]}, "1 log probabilities for 2 target pieces"),
        ({"positional": [-0.5, -math.inf]}, "finite"),
        ({"finished": False}, "finished is False"),
        ({"source": ["a", "b"]}, "does not end in </s>"),
        ({"attention": None}, "attention for some sentences only"),
    ],
)
def test_bad_translation_names_file_and_fault(tmp_path, bad, message):
    path = tmp_path / "x.jsonl"
    write_records(path, [GOOD, {**GOOD, **bad}])
    with pytest.raises(InputError, match=message) as error:
        read_translations(path)
    assert str(path) in str(error.value)
    assert "line 2" in str(error.value) or "some sentences" in message


def test_translation_line_that_is_no_record(tmp_path):
    path = tmp_path / "x.jsonl"
    for line, message in (('{"source": [', "line 1 is not JSON"), ("[]", "line 1 lacks source"), ("", "line 1 is not")):
        write_lines(path, [line])
        with pytest.raises(InputError, match=message):
            read_translations(path)
    path.write_bytes(b"\xff\n")
    with pytest.raises(InputError, match=r"line 1 is not JSON.*utf-8"):
        read_translations(path)
    path.write_bytes(b"")
    with pytest.raises(InputError, match="is empty"):
        read_translations(path)
    with pytest.raises(InputError, match=r"missing\.jsonl"):
        read_translations(tmp_path / "missing.jsonl")


# Whole systems


def test_scores_of_a_system(files):
    scores = score_files(files)
    metrics = scores["metrics"]
    # forced links under `drop`: AB-ab (sure), C-eos (none), D-e (sure); A = 2, S = 2, P = 3
    expected = {
        "aer": 0.0,
        "align_precision": 100.0,
        "align_recall": 100.0,
        # under `renorm` C goes to c, a possible link: 1 - (2 + 3) / (3 + 2)
        "aer_renorm": 0.0,
        # |M_A| = .9 + .5 + .9, sure .6 + .7, possible .6 + .3 + .7
        "saer": 100 * (1 - (1.3 + 1.6) / (2.3 + 2)),
        "aer_floor": 0.0,
        "perplexity": math.exp(0.5),
        "rot": 0.0,
        "repeated_phrases": 0,
        "length_ratio": 1.0,
        **COST,
    }
    assert {key: metrics[key] for key in expected} == pytest.approx(expected)
    assert (scores["variant"], scores["seed"], list(scores["tests"])) == ("toy_nmt", 1, ["test", "other"])
    assert scores["tests"]["test"]["bleu"] == metrics["bleu"]
    assert "nrefs:2" in scores["recipe"]["bleu"] and "case:lc" in scores["recipe"]["bleu"]
    assert "case:mixed" in scores["recipe"]["bleu_cased"]
    json.dumps(scores, allow_nan=False)


def test_bleu_is_that_of_the_set_with_all_its_references(files):
    lines = ["THE cat sat on the mat", "D e f g h"]
    references = [["the cat sat on a mat", "D e f g"], ["the cat is on the mat", "d e f g h"]]
    attention = [np.full((len(line.split()) + 1, 3), 1 / 3).tolist() for line in lines]
    records = [record(*sentence) for sentence in zip(["ab c", "d e"], lines, attention, strict=True)]
    write_records(files / "translations" / "test.jsonl", records)
    for k, column in enumerate(references):
        write_lines(files / "corpus" / f"test.ref{k}.en", column)
    metrics = score_files(files)["metrics"]
    for key, lowercase in (("bleu", True), ("bleu_cased", False)):
        expected = sacrebleu.corpus_bleu(lines, references, tokenize="none", lowercase=lowercase, force=True).score
        assert metrics[key] == pytest.approx(expected)
    assert metrics["bleu"] > metrics["bleu_cased"] > 0


def test_detokenised_bleu(files):
    write_lines(files / "corpus" / "other.ref0.en", ["It's late, isn't it?", "I'm here."])
    records = [
        record("ab c", "It 's late , isn@@ 't it ?", None),
        record("d e", "I 'm here .", None),
    ]
    write_records(files / "translations" / "other.jsonl", records)
    settings = ScoreSettings(detokenise=True, bleu_tokenize="13a", aer_eos="drop", unk_replace="none")
    scores = score_files(files, settings=settings)
    assert scores["tests"]["other"]["bleu_cased"] == pytest.approx(100)
    assert "tok:13a" in scores["recipe"]["bleu"]


def test_renorm_as_headline_policy(files):
    write_lines(files / "corpus" / "gold.align", ["0-0 1-1", "1-0"])
    drop = score_files(files)["metrics"]
    renorm = score_files(files, settings=TOKENS.model_copy(update={"aer_eos": "renorm"}))["metrics"]
    assert (drop["aer"], drop["aer_renorm"]) == pytest.approx((100 * (1 - 4 / 5), 0))
    assert (renorm["aer"], renorm["align_recall"]) == pytest.approx((0, 100))


def test_reverse_swaps_languages_and_links(files):
    records = [record(*sentence) for sentence in zip(PIECES["en"], PIECES["de"], REVERSE_ATTENTION, strict=True)]
    for name in SETS:
        write_records(files / "translations" / f"{name}.jsonl", records)
    for name in ("test", "other"):
        write_records(files / "translations" / f"{name}.no_unk.jsonl", [])
    scores = score_files(files, "reverse")
    # ab -> AB sure, c -> C possible, d -> D nothing, e -> D sure: A = 4, S = 2, |A and S| = 2, |A and P| = 3
    assert scores["metrics"]["aer"] == pytest.approx(100 * (1 - 5 / 6))
    assert scores["metrics"]["aer_floor"] == pytest.approx(0)
    assert scores["recipe"]["direction"] == "en-de"


REVERSE_ATTENTION = [
    [[0.9, 0.1, 0], [0.9, 0.1, 0], [0.1, 0.8, 0.1], [0, 0, 1]],
    [[0.9, 0.1], [0.8, 0.2], [0, 1]],
]


def test_system_without_attention_has_null_where_attention_is_needed(files):
    for path in (files / "translations").glob("*.jsonl"):
        write_records(path, [{**json.loads(line), "attention": None} for line in path.read_text().splitlines()])
    metrics = score_files(files)["metrics"]
    of_gold = {key for key, measure in MEASURES.items() if measure.sets == "gold"}
    of_attention = {"rot", *BY_CLASS, "attention_entropy", "eos_aligned", "cut_off"}
    assert {key for key, value in metrics.items() if value is None} == of_gold | of_attention | TRANSFORM
    assert set(metrics["coverage_histogram"].values()) == {None}
    assert {value for row in metrics["pos_confusion"].values() for value in row.values()} == {None}
    assert "AER – (floor 0.0)  SAER –  ROT –" in printed.row("toy_nmt", 1, metrics)


def test_corpus_without_gold_set(files):
    stats = json.loads((files / "corpus" / "stats.json").read_text())
    (files / "corpus" / "stats.json").write_text(json.dumps({**stats, "gold": False}))
    for path in [*(files / "corpus").glob("gold.*"), files / "translations" / "gold.forced.jsonl"]:
        path.unlink()
    metrics = score_files(files)["metrics"]
    assert metrics["aer"] is metrics["aer_floor"] is metrics["saer"] is None
    assert metrics["rot"] == 0.0


def test_row_reads_well(files):
    row = printed.row("toy_nmt", 1, score_files(files)["metrics"])
    assert row.startswith("toy_nmt           seed 1  BLEU ")
    assert row.endswith("1.2M params  9,100 tok/s  74 s")


# Parts of speech, transform, sentences without unknown words


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
    assert {key: metrics[key] for key in ("rot", *sorted(BY_CLASS))} == {
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
    "none": ["p q r s AB <unk>", "p q r x<unk>"],
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
        main(unknown, monkeypatch, "scores", unk_replace=rule)
        scores = json.loads((unknown / "scores" / "scores.json").read_text(encoding="utf-8"))
        found[reference] = scores["metrics"]["bleu_cased"]
        kept = scores["metrics"]["bleu_unk_kept"]
        assert (kept == pytest.approx(100)) == (reference == "none")
    assert {reference for reference, bleu in found.items() if bleu == pytest.approx(100)} == {rule}
    assert scores["recipe"]["unknown_words"] == score.UNKNOWN_WORDS[rule]


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
        main(unknown, monkeypatch, "scores", unk_replace="lexical")
    (unknown / "wordalign" / "lexicon.source-target.tsv").unlink()
    with pytest.raises(InputError, match=r"lexicon\.source-target\.tsv: no such file"):
        main(unknown, monkeypatch, "scores", unk_replace="copy")


# Main


def main(files, monkeypatch, out, direction="forward", unk_replace="none"):
    settings = {"detokenise": False, "bleu_tokenize": "none", "aer_eos": "drop", "unk_replace": unk_replace}
    (files / "params.yaml").write_text(
        json.dumps({"corpora": {"toy": {"score": settings, "decoding": DECODING.model_dump()}}})
    )
    monkeypatch.chdir(files)
    options = {
        "corpus": "toy", "variant": "toy_nmt", "seed": 1, "direction": direction, "text": "corpus",
        "translations": "translations", "training": "training.json", "wordalign": "wordalign", "tags": "tags",
        "out": out,
    }  # fmt: skip
    score.main([part for key, value in options.items() for part in (f"--{key}", str(value))])


def test_main_writes_scores_and_counts_and_prints_one_row(files, monkeypatch, capsys):
    main(files, monkeypatch, "scores/toy_nmt-1")
    folder = files / "scores" / "toy_nmt-1"
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert scores == json.loads(json.dumps(score_files(files, best=read_best(files / "wordalign", "forward"))))
    assert capsys.readouterr().out == printed.row("toy_nmt", 1, scores["metrics"]) + "\n"
    names = {"scores.json", "dev.csv", "test.csv", "other.csv", "gold.csv"}
    assert {path.name for path in folder.iterdir()} == names


def test_counts_on_disk_add_up_to_the_scores(files, monkeypatch):
    main(files, monkeypatch, "scores")
    scores = json.loads((files / "scores" / "scores.json").read_text(encoding="utf-8"))
    places = {"tests": ("test", scores["tests"]["test"]), "dev": ("dev", scores["dev"]), "gold": ("gold", None)}
    for kind, (name, expected) in places.items():
        frame = pd.read_csv(files / "scores" / f"{name}.csv")
        assert frame["sentence"].tolist() == [1, 2]
        rows = {
            group: frame[[f"{group}.{field}" for field in fields]].to_numpy()
            for group, fields in GROUPS.items()
            if f"{group}.{fields[0]}" in frame
        }
        expected = expected or scores["metrics"]
        assert json.loads(json.dumps(values(rows, kind))) == {key: expected[key] for key in values(rows, kind)}


def test_a_set_without_counts_has_its_sentences(tmp_path):
    tables.write(tmp_path / "gold.csv", {}, 3)
    assert (tmp_path / "gold.csv").read_text() == "sentence\n1\n2\n3\n"


def test_main_leaves_nothing_behind_after_an_error(files, monkeypatch):
    write_lines(files / "corpus" / "gold.align", ["0-0", "2-0"])
    with pytest.raises(InputError, match="outside"):
        main(files, monkeypatch, "scores/toy_nmt-1")
    assert not (files / "scores").exists()


# Files that do not fit together


@pytest.mark.parametrize(
    ("name", "lines", "message"),
    [
        ("gold.align", ["0-0"], r"gold\.align has 1 lines but .*gold\.de has 2"),
        ("gold.align", ["0-0", "0:1"], r"gold\.align, line 2: '0:1' is not a link"),
        ("gold.align", ["0-0 2-0", "0-0"], r"gold\.align, line 1: link 2-0 lies outside its sentence"),
        ("gold.align", ["0-0", "0?1"], r"gold\.align, line 2: link 0-1 lies outside its sentence"),
        ("gold.en", ["AB C", "D E"], r"gold\.forced\.jsonl, line 2: 1 words, but .*gold\.en has 2"),
        ("dev.de", ["ab c", "d e", "f"], r"dev\.jsonl has 2 lines but .*dev\.de has 3"),
        ("test.de", ["ab c", "d"], r"test\.jsonl, line 2: 2 words, but .*test\.de has 1"),
        ("test.ref1.en", ["AB C"], r"test\.ref1\.en has 1 lines but .*test\.en has 2"),
    ],
)
def test_lengths_that_differ(files, name, lines, message):
    write_lines(files / "corpus" / name, lines)
    with pytest.raises(InputError, match=message):
        score_files(files)


@pytest.mark.parametrize("name", ["test.ref0.en", "gold.align", "dev.de", "stats.json"])
def test_missing_text(files, name):
    (files / "corpus" / name).unlink()
    with pytest.raises(InputError, match=name):
        score_files(files)


def test_training_record_of_another_system(files):
    with pytest.raises(InputError, match="toy_nmt with seed 1, not of toy_nmt with seed 2"):
        read_cost(files / "training.json", "toy_nmt", 2)
    (files / "training.json").write_text('{"variant": "toy_nmt", "seed": 1}')
    with pytest.raises(InputError, match="lacks parameters"):
        read_cost(files / "training.json", "toy_nmt", 1)


def test_gold_is_turned_into_the_direction_after_its_links_are_checked(files):
    assert read_gold(read_text(files / "corpus", "reverse"))[1].sure == {(0, 1)}
    write_lines(files / "corpus" / "gold.align", ["0-0", "2-0"])
    with pytest.raises(InputError, match="line 2: link 2-0 lies outside its sentence of 2 source and 1 target words"):
        read_gold(read_text(files / "corpus", "reverse"))


def test_references_are_grouped_by_sentence(files):
    assert read_references(read_text(files / "corpus", "forward"), "test") == [("AB C", "AB"), ("D", "D")]


# Speed


WORDS, WRONG = 20, 0.2
"""Of a sentence, and the share of them that the system gets wrong."""


def some_translations(size):
    """Translations, their references, gold links and parts of speech, of sentences with a few wrong words each."""
    rng = np.random.default_rng(0)
    vocabulary = np.array([f"w{k}" for k in range(2000)])
    translations, references, golds = [], [], []
    for _ in range(size):
        reference = rng.choice(vocabulary, size=WORDS)
        words = np.where(rng.random(WORDS) < WRONG, rng.choice(vocabulary, size=WORDS), reference).tolist()
        attention = rng.dirichlet(np.ones(WORDS + 1), size=WORDS + 1)
        translations.append(Translation(words, words, attention, [-1.0] * (WORDS + 1)))
        references.append((" ".join(reference),))
        links = frozenset(enumerate(rng.integers(WORDS, size=WORDS).tolist()))
        golds.append(Gold(links, links))
    return translations, references, golds, [["NN"] * WORDS] * size


def measure(translations, references, golds, tags):
    """All measures of a set, alignment and perplexity included, and its counts."""
    reading = Reading(TOKENS, "en", {})
    rows = text_rows(translations, references, reading) | attention_rows(translations, tags, tags)
    rows |= no_unk_rows(dict(enumerate(translations)), references, reading) | probability_rows(translations)
    rows |= alignment_rows(translations, golds, TOKENS)
    assert all(values(rows, kind) for kind in ("tests", "dev", "gold"))
    return rows


def compare(rows):
    """With a system that has the same sentences in another order: every test, ten thousand resamples."""
    other = {group: counts[::-1] for group, counts in rows.items()}
    for measure in COMPARED.values():
        systems = {name: [[of[group] for group in measure.groups]] for name, of in (("one", rows), ("other", other))}
        assert comparisons(systems, ["other"], measure.value, 10_000, 1, 0.05)


def test_all_measures_of_a_thousand_sentences_take_seconds_and_ten_times_the_sentences_ten_times_as_long():
    seconds = []
    for size in (100, 1000):
        data = some_translations(size)
        best = math.inf
        for _ in range(2):
            start = time.process_time()
            rows = measure(*data)
            best = min(best, time.process_time() - start)
        seconds.append(best)
    assert seconds[1] < 12 * seconds[0]
    start = time.process_time()
    compare(rows)
    assert seconds[1] + time.process_time() - start < 3
