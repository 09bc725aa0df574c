"""Files that do not fit together: one clear error each."""

import pytest

from stages.files.errors import InputError
from stages.scoring.inputs import read_cost, read_gold, read_references, read_text
from tests.stages.scoring.toy_system import score_files, write_lines


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
