"""Files that do not fit together: one clear error each."""

import pytest

from stages.files.errors import InputError
from stages.scoring.coverage_inputs import read_covered
from stages.scoring.inputs import read_cost, read_gold, read_references, read_text
from tests.stages.scoring.toy_system import score_files, write_lines


@pytest.mark.parametrize(
    ("name", "lines", "message"),
    [
        ("gold.align", ["0-0"], r"gold\.align has 1 lines but .*gold\.de has 2"),
        ("gold.align", ["0-0", "0:1"], r"gold\.align, line 2: '0:1' is not a link.*; run the corpus stage again"),
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


LENGTHS = ['{"first": [2, 1], "last": [0, 1]}', '{"first": [1, 4], "last": [1, 0]}']


@pytest.mark.parametrize(
    ("lengths", "links", "message"),
    [
        (LENGTHS[:1], ["0-0", "0-0"], r"dev\.coverage\.jsonl has 1 lines but .*dev\.gdfa has 2"),
        (LENGTHS, ["0-0"], r"dev\.coverage\.jsonl has 2 lines but .*dev\.gdfa has 1"),
        (LENGTHS, ["0-0", "0-1"], r"dev\.gdfa, line 2: link 0-1 lies outside .*run the wordalign stage again"),
        (LENGTHS, ["0?0", "0-0"], r"dev\.gdfa, line 1: .* is not a link of an aligner"),
        ([LENGTHS[0], "[]"], ["0-0", "0-0"], r"dev\.coverage\.jsonl, line 2: no lengths of coverage embeddings"),
        ([LENGTHS[0], '{"first": [1]}'], ["0-0", "0-0"], r"dev\.coverage\.jsonl, line 2: no lengths .*'last'"),
        (
            [LENGTHS[0], '{"first": [1], "last": [1, 1]}'],
            ["", ""],
            r"line 2: 1 and 2 lengths for 2 words; run the eval",
        ),
        ([LENGTHS[0], '{"first": [1, NaN], "last": [1, 1]}'], ["", ""], r"line 2: a length that is no number"),
    ],
)
def test_lengths_of_coverage_embeddings_that_do_not_fit(files, lengths, links, message):
    write_lines(files / "translations" / "dev.coverage.jsonl", lengths)
    write_lines(files / "wordalign" / "dev.gdfa", links)
    with pytest.raises(InputError, match=message):
        score_files(files)


def test_links_of_dev_are_turned_into_the_direction(files):
    """Of two German and two English words ab is linked to both English ones; from English, each of these to one."""
    write_lines(files / "translations" / "dev.coverage.jsonl", LENGTHS)
    write_lines(files / "wordalign" / "dev.gdfa", ["0-0 0-1", "0-0 1-0"])
    for direction, linked in (("forward", [[2, 0], [1, 1]]), ("reverse", [[1, 1], [2]])):
        lengths = LENGTHS if direction == "forward" else [LENGTHS[0], '{"first": [1], "last": [1]}']
        write_lines(files / "translations" / "dev.coverage.jsonl", lengths)
        found = read_covered(read_text(files / "corpus", direction), files / "translations", files / "wordalign")
        assert [one.linked.tolist() for one in found] == linked


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
