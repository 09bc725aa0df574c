"""Files of text: whatever stands in them is refused in one sentence or read, and what was read reads back the same."""

import contextlib
import gzip
import io
import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.corpora.gold_set import parse_links
from stages.corpora.parallel import Sentence
from stages.files.errors import InputError
from stages.files.main import run
from stages.files.text import iter_parallel, read_lines, write_lines
from tests.attack import strategies
from tests.attack.refusals import refusal

PACKED = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("text")


@given(content=strategies.files, kind=st.sampled_from(list(PACKED)), cut=st.integers(0, 40), tokenised=st.booleans())
def test_any_file_is_read_or_refused_and_reads_back_the_same(folder, content, kind, cut, tokenised):
    path = folder / f"text{kind}"
    packed = PACKED[kind](content)
    path.write_bytes(packed[: len(packed) - cut] if cut < len(packed) else packed)
    try:
        found = read_lines(path, allow_empty=True, tokenised=tokenised)
    except InputError as error:
        refusal(error, path)
        return
    write_lines(folder / "again", found)
    assert read_lines(folder / "again", allow_empty=True) == found


@given(st.lists(strategies.lines, max_size=6))
def test_lines_of_words_are_read_as_they_were_written_wherever_they_stand(folder, lines):
    """A filter may drop the lines before any of them."""
    path = folder / "lines"
    for first in range(len(lines)):
        write_lines(path, lines)
        read = read_lines(path, allow_empty=True)
        write_lines(path, read[first:])
        assert read_lines(path, allow_empty=True) == read[first:]


@given(st.lists(strategies.files, min_size=2, max_size=2))
def test_pairs_are_those_of_both_files(folder, contents):
    paths = [folder / "one", folder / "other"]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    try:
        found = list(iter_parallel(*paths, allow_empty=True))
    except InputError as error:
        assert "\n" not in str(error)
        return
    assert found == list(zip(*(read_lines(path, allow_empty=True) for path in paths), strict=True))


@given(line=strategies.words)
def test_a_refusal_prints_nothing_that_a_terminal_obeys(folder, line):
    path = folder / "links"
    write_lines(path, [f"x{line}"])
    told = io.StringIO()

    def refuse() -> None:
        try:
            parse_links(path, [line], (Sentence("a", "b"),), path)
        except InputError as error:
            raise InputError(f"{error}\n{line}") from None

    with contextlib.redirect_stderr(told), contextlib.suppress(SystemExit):
        run(refuse)
    assert all(one.isprintable() for one in told.getvalue().split("\n"))


def test_ctrl_c_of_a_stage_is_one_line(capsys):
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(SystemExit) as end:
        run(interrupted)
    assert (end.value.code, capsys.readouterr().err) == (130, "stopped by Ctrl-C\n")
