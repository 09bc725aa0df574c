"""Penalties that are chosen on dev, and what the evaluation of a system with its own decoding writes."""

import json
from collections.abc import Sequence
from itertools import product

import pytest

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.files.corpus_record import read_corpus_record
from stages.files.errors import InputError
from stages.settings.training import DecodingControl
from stages.text.pieces import merge_pieces
from stages.translating import tuning
from stages.translating.decoding import Control, Decoded, translate
from stages.translating.evaluation import evaluate
from stages.translating.tuning import tuned
from tests.helpers import tiny
from tests.helpers.decoding import DECODING, sentences, untrained, with_eos
from tests.stages.translating.test_control import repeated

VALUES = [0.0, 0.6]
GIVEN = DecodingControl(gnmt_length_penalty=VALUES, coverage_penalty=[0.0, 0.5])


def dev() -> tuple[list[list[str]], list[list[str]]]:
    return tiny.pieces("dev", tiny.SOURCE)[:12], tiny.pieces("dev", tiny.TARGET)[:12]


def words(pieces: Sequence[str]) -> str:
    return " ".join(merge_pieces(pieces))


def equal(found: Sequence[Decoded], references: Sequence[str]) -> float:
    """How many are the reference, in the place of BLEU: of an untrained system's single pieces that is 0."""
    return float(sum(words(one.target) == reference for one, reference in zip(found, references, strict=True)))


@pytest.mark.slow
def test_dev_chooses_as_a_search_with_each_of_the_values_would(monkeypatch):
    monkeypatch.setattr(tuning, "words_bleu", equal)
    system, values = untrained("rnnsearch_star"), [Control(a, b) for a, b in product(VALUES, [0.0, 0.5])]
    references = [one.target for one in translate(system, sentences(), DECODING, None, Control(beta=0.5))]
    control, tried = tuned(system, sentences(), references, DECODING, GIVEN)
    lines = [words(reference) for reference in references]
    expected = [equal(translate(system, sentences(), DECODING, None, one), lines) for one in values]
    assert tried == [
        {"alpha": one.alpha, "beta": one.beta, "bleu": bleu} for one, bleu in zip(values, expected, strict=True)
    ]
    assert expected[0] < expected[1] == len(references) and control == values[1]


def test_of_equals_the_first_is_chosen(monkeypatch):
    monkeypatch.setattr(tuning, "words_bleu", lambda found, references: 7.0)
    given = DecodingControl(gnmt_length_penalty=[0.6, 0.0], coverage_penalty=[0.5, 0.0])
    control, tried = tuned(untrained("rnnsearch_star"), *dev(), DECODING, given)
    assert control == Control(0.6, 0.5) and [one["bleu"] for one in tried] == [7.0] * 4


def test_dev_has_no_repeats_either_where_they_are_forbidden(monkeypatch):
    system, found = with_eos(untrained("rnnsearch_star"), -2.0), []
    monkeypatch.setattr(tuning, "words_bleu", lambda best, references: found.extend(best) or 0.0)
    tuned(system, *dev(), DECODING, DecodingControl(coverage_penalty=[0.0, 0.5]))
    assert any(repeated(one.target, 2) for one in found)
    found.clear()
    tuned(system, *dev(), DECODING, DecodingControl(coverage_penalty=[0.0, 0.5], no_repeat_ngram=2))
    assert found and not any(repeated(one.target, 2) for one in found)


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
