"""The record of a corpus folder."""

import pytest

from stages.files.corpus_record import read_corpus_record, write_corpus_record
from stages.files.errors import InputError

ABOUT = {"source": "de", "target": "en", "tests": ["early", "late"], "gold": True, "sets": {"train": {"pairs": 7}}}


def test_what_was_written_is_read_with_the_names_of_its_sets(tmp_path):
    write_corpus_record(tmp_path, ABOUT)
    corpus = read_corpus_record(tmp_path)
    assert (corpus.languages, corpus.gold_set) == (("de", "en"), ("gold",))
    assert corpus.held_out == ("dev", "early", "late", "gold")
    assert corpus.content == ABOUT


def test_a_corpus_without_gold_set_names_none(tmp_path):
    write_corpus_record(tmp_path, ABOUT | {"gold": False})
    corpus = read_corpus_record(tmp_path)
    assert (corpus.gold_set, corpus.held_out) == ((), ("dev", "early", "late"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, r"stats\.json lacks source, target, tests, gold; delete it"),
        ({key: value for key, value in ABOUT.items() if key != "gold"}, r"stats\.json lacks gold; delete it"),
        (ABOUT | {"tests": []}, r"stats\.json names no test set; run the corpus stage again"),
    ],
)
def test_a_record_that_cannot_be_used_is_refused(tmp_path, content, message):
    write_corpus_record(tmp_path, content)
    with pytest.raises(InputError, match=message):
        read_corpus_record(tmp_path)


def test_a_folder_without_record_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"stats\.json: no such file"):
        read_corpus_record(tmp_path)
