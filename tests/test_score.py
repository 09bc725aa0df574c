"""The score stage: from files of the evaluate stage to numbers, and one clear error for files that do not fit."""

import json
import math
import time

import numpy as np
import pytest
import sacrebleu

from stages import score, scorecard
from stages.detokenise import detokenise, merge_pieces, word_starts
from stages.errors import InputError
from stages.score_inputs import read_best, read_cost, read_gold, read_references, read_text
from stages.settings.score import ScoreSettings
from stages.settings.training import Decoding
from stages.translations import Translation, read_translations

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
    for name in ("dev", "test", "other", "gold.forced", "dev.forced"):
        write_records(translations / f"{name}.jsonl", records)
    (tmp_path / "training.json").write_text(json.dumps({"variant": "toy_nmt", "seed": 1, **COST}))
    return tmp_path


def write_lines(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_records(path, records):
    write_lines(path, [json.dumps(one, ensure_ascii=False) for one in records])


def score_files(files, direction="forward", settings=TOKENS, best=None):
    text = read_text(files / "corpus", direction)
    translations, training = files / "translations", files / "training.json"
    return score.score(text, translations, training, "toy_nmt", 1, settings, DECODING, best or {})


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
    for name in ("dev", "test", "other", "gold.forced", "dev.forced"):
        write_records(files / "translations" / f"{name}.jsonl", records)
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
    for path in (files / "translations").iterdir():
        write_records(path, [{**json.loads(line), "attention": None} for line in path.read_text().splitlines()])
    metrics = score_files(files)["metrics"]
    needs = {"aer", "saer", "align_precision", "align_recall", "aer_renorm", "rot"}
    needs |= {"align_precision_t02", "align_recall_t02", "align_f1_t02"}
    assert {key for key, value in metrics.items() if value is None} == needs
    assert "AER – (floor 0.0)  SAER –  ROT –" in scorecard.row("toy_nmt", 1, metrics)


def test_corpus_without_gold_set(files):
    stats = json.loads((files / "corpus" / "stats.json").read_text())
    (files / "corpus" / "stats.json").write_text(json.dumps({**stats, "gold": False}))
    for path in [*(files / "corpus").glob("gold.*"), files / "translations" / "gold.forced.jsonl"]:
        path.unlink()
    metrics = score_files(files)["metrics"]
    assert metrics["aer"] is metrics["aer_floor"] is metrics["saer"] is None
    assert metrics["rot"] == 0.0


def test_row_reads_well(files):
    row = scorecard.row("toy_nmt", 1, score_files(files)["metrics"])
    assert row.startswith("toy_nmt           seed 1  BLEU ")
    assert row.endswith("1.2M params  9,100 tok/s  74 s")


# Unknown words


LEXICON = {"source-target": ["ab\tAB\t0.9\t9", "ab\tC\t0.1\t1", "d\tD\t1.0\t3"], "target-source": ["AB\tab\t1.0\t9"]}


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
    (files / "wordalign").mkdir()
    for sides, lines in LEXICON.items():
        write_lines(files / "wordalign" / f"lexicon.{sides}.tsv", lines)
    return files


@pytest.mark.parametrize("rule", EXPECTED)
def test_unknown_words_are_replaced_before_anything_is_measured(unknown, monkeypatch, rule):
    found = {}
    for reference, lines in EXPECTED.items():
        for k in (0, 1):
            write_lines(unknown / "corpus" / f"test.ref{k}.en", lines)
        main(unknown, monkeypatch, "scores.json", unk_replace=rule)
        scores = json.loads((unknown / "scores.json").read_text(encoding="utf-8"))
        found[reference] = scores["metrics"]["bleu_cased"]
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
    with pytest.raises(InputError, match="give --wordalign"):
        read_best(None, "forward")
    write_lines(unknown / "wordalign" / "lexicon.source-target.tsv", [*LEXICON["source-target"], "e E"])
    with pytest.raises(InputError, match=r"lexicon\.source-target\.tsv, line 4: not word, translation"):
        main(unknown, monkeypatch, "scores.json", unk_replace="lexical")
    main(unknown, monkeypatch, "scores.json", unk_replace="copy")  # reads none


# Main


def main(files, monkeypatch, out, direction="forward", unk_replace="none"):
    settings = {"detokenise": False, "bleu_tokenize": "none", "aer_eos": "drop", "unk_replace": unk_replace}
    (files / "params.yaml").write_text(
        json.dumps({"corpora": {"toy": {"score": settings, "decoding": DECODING.model_dump()}}})
    )
    monkeypatch.chdir(files)
    options = {
        "corpus": "toy", "variant": "toy_nmt", "seed": 1, "direction": direction, "text": "corpus",
        "translations": "translations", "training": "training.json", "wordalign": "wordalign", "out": out,
    }  # fmt: skip
    score.main([part for key, value in options.items() for part in (f"--{key}", str(value))])


def test_main_writes_the_scores_and_prints_one_row(files, monkeypatch, capsys):
    main(files, monkeypatch, "scores/toy_nmt-1.json")
    scores = json.loads((files / "scores" / "toy_nmt-1.json").read_text(encoding="utf-8"))
    assert scores == json.loads(json.dumps(score_files(files)))
    assert capsys.readouterr().out == scorecard.row("toy_nmt", 1, scores["metrics"]) + "\n"
    assert [path.name for path in (files / "scores").iterdir()] == ["toy_nmt-1.json"]


def test_main_leaves_nothing_behind_after_an_error(files, monkeypatch):
    write_lines(files / "corpus" / "gold.align", ["0-0", "2-0"])
    with pytest.raises(InputError, match="outside"):
        main(files, monkeypatch, "scores/toy_nmt-1.json")
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


def measure(translations, references):
    rows = scorecard.translation_rows(translations, references, "en", TOKENS)
    return scorecard.translation_metrics(rows)


def test_time_is_linear_in_the_sentences():
    rng = np.random.default_rng(0)
    vocabulary = [f"w{k}" for k in range(200)]

    def translations(size):
        for _ in range(size):
            words = [str(word) for word in rng.choice(vocabulary, size=25)]
            yield Translation(words, words, rng.dirichlet(np.ones(26), size=26), [-1.0] * 26)

    few, many = list(translations(100)), list(translations(1000))
    seconds = []
    for sentences in (few, many):
        references = [(" ".join(sentence.target),) for sentence in sentences]
        best = math.inf
        for _ in range(2):
            start = time.perf_counter()
            measure(sentences, references)
            best = min(best, time.perf_counter() - start)
        seconds.append(best)
    assert seconds[1] < 3
    assert seconds[1] < 20 * seconds[0]
