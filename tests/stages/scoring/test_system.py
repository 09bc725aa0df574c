"""The scores of one system: every measure of its translations, alignments and embedding transform."""

import json
import math

import numpy as np
import pytest
import sacrebleu

from stages.scoring.catalogue import MEASURES
from stages.scoring.summary_line import summary_line
from stages.settings.scoring import ScoreSettings
from tests.stages.scoring.toy_system import (
    COST,
    PIECES,
    SETS,
    TOKENS,
    record,
    score_files,
    write_lines,
    write_records,
)

BY_CLASS = {"rot_NN", "rot_NR", "rot_DT", "rot_CD", "rot_rest"}
TRANSFORM = {
    *("transform_p1", "transform_p5", "transform_words", "transform_p1_top10", "transform_p5_top10"),
    *("transform_norm_x", "transform_norm_y", "transform_distance"),
}


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
    others = {*TRANSFORM, "coverage_left", "coverage_fertility"}
    assert {key for key, value in metrics.items() if value is None} == of_gold | of_attention | others
    assert set(metrics["coverage_histogram"].values()) == {None}
    assert {value for row in metrics["pos_confusion"].values() for value in row.values()} == {None}
    assert "AER – (floor 0.0)  SAER –  ROT –" in summary_line("toy_nmt", 1, metrics)


def test_corpus_without_gold_set(files):
    stats = json.loads((files / "corpus" / "stats.json").read_text())
    (files / "corpus" / "stats.json").write_text(json.dumps({**stats, "gold": False}))
    for path in [*(files / "corpus").glob("gold.*"), files / "translations" / "gold.forced.jsonl"]:
        path.unlink()
    metrics = score_files(files)["metrics"]
    assert metrics["aer"] is metrics["aer_floor"] is metrics["saer"] is None
    assert metrics["rot"] == 0.0
