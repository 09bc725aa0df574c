"""Records, journals and logs: read as they were written; whatever else a file holds is one sentence."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.files.corpus_record import FILE, read_corpus_record
from stages.files.errors import InputError
from stages.files.records import read_json, read_record, write_json
from stages.training.journal import Epoch, Journal
from stages.translating.translations import read_no_unk, read_transform, read_translations
from tests.attack import strategies
from tests.attack.refusals import refusal

numbers = st.floats(allow_nan=False, allow_infinity=False)
leaves = st.none() | st.booleans() | st.integers() | numbers | st.text(strategies.characters)
values = st.recursive(leaves, lambda some: st.lists(some) | st.dictionaries(st.text(max_size=5), some), max_leaves=12)
hostile = st.sampled_from(
    [b"[" * 10_000, b'{"a":' * 10_000, b"9" * 5000, b"NaN", b"-Infinity", b"1e999", b'"\\ud800"', b'{"a": 1, "a": 2}']
)
rows = st.builds(
    Epoch, st.integers(1, 9), st.integers(0), numbers, numbers, numbers, numbers, st.none() | numbers, numbers
)
FIELDS = ("source", "target", "attention", "positional", "finished", "row", "words", "targets", "mean_norm_x")
sides = st.lists(st.sampled_from(["a", "b@@", "</s>"]), max_size=4) | st.lists(leaves, max_size=2)
translations = st.fixed_dictionaries(
    {"source": sides | values, "target": sides | values, "attention": values, "positional": values,
     "finished": st.booleans() | values},
    optional={"row": values},
)  # fmt: skip


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("records") / FILE


@given(content=values)
def test_a_record_is_read_as_it_was_written(path, content):
    write_json(path, content)
    assert read_json(path) == content


@given(content=hostile | strategies.files | values.map(lambda value: json.dumps(value).encode()))
def test_any_file_is_a_record_or_refused(path, content):
    path.write_bytes(content)
    for read in (
        read_json,
        lambda one: read_record(one, ["a"]),
        lambda one: read_corpus_record(one.parent),
        read_transform,
        read_translations,
        read_no_unk,
    ):
        try:
            read(path)
        except InputError as error:
            refusal(error, path)


@given(content=st.lists(translations, max_size=3))
def test_any_translations_are_read_or_refused(path, content):
    path.write_text("".join(json.dumps(one) + "\n" for one in content), encoding="utf-8")
    for read in (read_translations, read_no_unk):
        try:
            read(path)
        except InputError as error:
            refusal(error, path)


@given(st.lists(rows, min_size=1, max_size=12))
def test_a_journal_is_read_as_it_was_written_and_the_last_row_of_an_epoch_counts(found):
    journal = Journal()
    for row in found:
        journal.append(row)
    again = Journal(journal.lines())
    assert again.epochs() == journal.epochs() == sorted({row.epoch: row for row in found}.values())
    best = again.best()
    assert all(row.dev_bleu < best.dev_bleu for row in again.epochs() if row.epoch < best.epoch)
    assert all(row.dev_bleu <= best.dev_bleu for row in again.epochs()) and math.isfinite(best.dev_bleu)
