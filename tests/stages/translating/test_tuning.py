"""Penalties that are chosen on dev, and what the evaluation of a system with its own decoding writes."""

import json
from itertools import product

import pytest

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.files.corpus_record import read_corpus_record
from stages.files.errors import InputError
from stages.measures import bleu
from stages.settings.training import DecodingControl
from stages.text.pieces import merge_pieces
from stages.translating.decoding import Control, translate
from stages.translating.evaluation import evaluate
from stages.translating.tuning import tuned
from tests.helpers import tiny
from tests.helpers.decoding import DECODING, untrained

VALUES = [0.0, 0.6]
GIVEN = DecodingControl(gnmt_length_penalty=VALUES, coverage_penalty=[0.0, 5.0])


def dev() -> tuple[list[list[str]], list[list[str]]]:
    return tiny.pieces("dev", tiny.SOURCE)[:12], tiny.pieces("dev", tiny.TARGET)[:12]


def bleu_of(system, control: Control) -> float:
    """By a search of its own."""
    given, references = dev()
    scorer, rows = bleu.scorer("none", lowercase=True), []
    for one, reference in zip(translate(system, given, DECODING, None, control), references, strict=True):
        pieces = [piece for piece in one.target if piece != "</s>"]
        rows.append(bleu.statistics(" ".join(merge_pieces(pieces)), [" ".join(merge_pieces(reference))], scorer))
    return float(bleu.aggregate(rows).score)


def test_dev_chooses_as_a_search_with_each_of_the_values_would():
    system = untrained("rnnsearch_star")
    control, tried = tuned(system, *dev(), DECODING, GIVEN)
    expected = {(a, b): bleu_of(system, Control(a, b)) for a, b in product(VALUES, [0.0, 5.0])}
    assert {(one["alpha"], one["beta"]): one["bleu"] for one in tried} == pytest.approx(expected)
    assert len(set(expected.values())) > 1
    assert (control.alpha, control.beta) == max(expected, key=expected.__getitem__)


def test_one_value_is_no_choice():
    only = DecodingControl(coverage_penalty=[0.4], no_repeat_ngram=2)
    assert tuned(untrained("rnnsearch_star"), *dev(), DECODING, only) == (Control(0.0, 0.4, 2), [])


def test_the_coverage_of_a_system_without_attention_is_refused():
    system = untrained("rnnencdec")
    with pytest.raises(InputError, match="coverage_penalty is for systems that attend"):
        tuned(system, *dev(), DECODING, GIVEN)
    with pytest.raises(InputError, match="coverage_penalty is for systems that attend"):
        translate(system, dev()[0], DECODING, None, Control(beta=0.1))


def test_the_evaluation_translates_with_what_dev_has_chosen(tmp_path):
    system, study = untrained("rnnsearch_star"), tiny.study()
    given = DecodingControl(coverage_penalty=[0.0, 9.0], no_repeat_ngram=2)
    corpus, pieces = read_corpus_record(study / tiny.TEXT), study / tiny.BPE
    evaluate(system, corpus, pieces, (tiny.SOURCE, tiny.TARGET), DECODING, tmp_path, given)
    said = json.loads((tmp_path / "decoding.json").read_text(encoding="utf-8"))
    assert (said["alpha"], said["no_repeat_ngram"], said["models"], len(said["tried"])) == (0.0, 2, 1, 2)
    control = Control(0.0, said["beta"], 2)
    for name in ("dev", "test"):
        found = [json.loads(line) for line in (tmp_path / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
        expected = translate(system, tiny.pieces(name, tiny.SOURCE), DECODING, None, control)
        assert [one["target"] for one in found] == [one.target for one in expected]
