"""Gold links as files have them: read, written, refused."""

import contextlib
import re
import subprocess
from pathlib import Path

import pytest

from stages.corpora.gold_set import GoldSet, parse_links
from stages.corpora.local import read_gold_set
from stages.corpora.parallel import Sentence
from stages.files.errors import InputError
from stages.files.links import MarkedLink
from stages.files.text import write_lines
from tests.helpers.corpora.made_up import local
from tests.helpers.paths import ROOT

PAIR = Sentence("a b c", "x y")


def test_links_are_read_and_written_sorted():
    text = "2-0 0-1 1?1 0?0"
    links = parse_links(Path("gold.align"), [text, ""], (PAIR, PAIR), Path("gold.en"))
    assert links == (
        frozenset({MarkedLink(2, 0, True), MarkedLink(0, 1, True), MarkedLink(1, 1, False), MarkedLink(0, 0, False)}),
        frozenset(),
    )
    assert GoldSet((PAIR, PAIR), links).alignment_lines() == ["0?0 0-1 1?1 2-0", ""]


def test_a_link_that_is_sure_and_possible_is_sure():
    assert GoldSet((PAIR,), (frozenset({MarkedLink(0, 0, False), MarkedLink(0, 0, True)}),)).alignment_lines() == [
        "0-0"
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["0-0", "0-0 3-1"],
            "gold.align, line 2: link 3-1 lies outside its sentence of 3 source and 2 target words",
        ),
        (["0-2", "0-0"], "gold.align, line 1: link 0-2 lies outside"),
        (["0-0", "1:1"], "gold.align, line 2: '1:1' is not a link"),
        (["0-0", "-1-1"], "gold.align, line 2: '-1-1' is not a link"),
        (["0-0", "1--1"], "gold.align, line 2: '1--1' is not a link"),
        (["0-0"], "gold.align has 1 lines but gold.en has 2"),
    ],
)
def test_bad_links(lines, message):
    with pytest.raises(InputError) as error:
        parse_links(Path("gold.align"), lines, (PAIR, PAIR), Path("gold.en"))
    assert str(error.value).startswith(message)


FORMS = [
    (["1-1 2-2", "3-2"], "they look counted from 1"),
    (["0-2 1-1", "1-0"], "they look reversed"),
    (["1-3", "2-1 1-1"], "they look counted from 1 and reversed"),
    (["0-0:0.93 1-1:0.5", "2-1:1"], "they look like links with scores"),
    (["0:0 1,1", "0/0"], "another sign between the numbers"),
    (["1p1 2-2", ""], "possible links look like ipj"),
    (["1 1 1 S", "1 2 2 P", "2 3 1 S 0.5"], "they look like NAACL's and WPT's lines"),
    (["0001\t1\t1\ts", "0001\t2\t0\ts", "0002\t2\t2\tp"], "they look like NAACL's and WPT's lines"),
    (["0-0<sep>0.9 1-1<sep>0.8", "0-0<sep>1"], "they look like links with scores"),
    (["# Sentence pair (1) source length 2", "a b"], "GIZA"),
]


@pytest.mark.parametrize(("lines", "form"), FORMS)
def test_links_of_another_form_are_recognised(lines, form):
    with pytest.raises(InputError, match=form) as error:
        parse_links(Path("gold.align"), lines, (PAIR, PAIR), Path("gold.en"))
    assert "gold.align" in str(error.value)


FROM_1 = ["1-1 2?1", "", *["1-1"] * 9]
"""Of ten sentences, whose last words have no links: all fit."""


def test_links_from_1_that_fit_are_refused_unless_they_are_said_to_be_from_0(capsys):
    pairs = (PAIR,) * len(FROM_1)
    with pytest.raises(InputError, match="the links look counted from 1, for none is at 0 in 10 sentences"):
        parse_links(Path("gold.align"), FROM_1, pairs, Path("gold.en"))
    assert parse_links(Path("gold.align"), FROM_1, pairs, Path("gold.en"), surely_from_0=True)[2] == {(1, 1, True)}
    for one in ("0-1", "1?0"):
        assert parse_links(Path("gold.align"), [*FROM_1[1:], one], pairs, Path("gold.en"))
    assert capsys.readouterr().out == ""


def test_of_few_sentences_it_is_only_said(capsys):
    parse_links(Path("gold.align"), FROM_1[1:], (PAIR,) * 10, Path("gold.en"))
    assert capsys.readouterr().out.startswith("gold.align: the links may be counted from 1, for none is at 0 in 9 sent")
    parse_links(Path("gold.align"), ["", ""], (PAIR,) * 2, Path("gold.en"))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("more", [{}, {"counted_from": 0}])
def test_the_setting_says_that_links_are_counted_from_0(tmp_path, more):
    for suffix, lines in {"de": ["a b c"] * 11, "en": ["x y"] * 11, "align": FROM_1}.items():
        write_lines(tmp_path / f"gold.{suffix}", lines)
    gold = local(tmp_path).gold
    assert gold is not None
    with contextlib.nullcontext() if more else pytest.raises(InputError, match="write `counted_from: 0` below `gold`"):
        assert read_gold_set(gold.model_copy(update=more)).links[1] == frozenset()


@pytest.mark.process
@pytest.mark.parametrize(
    ("lines", "command"), [(lines, k) for k, (lines, _) in enumerate(FORMS[:-1]) if k != 2] + [(["1-3", "2-1 1-1"], 2)]
)
def test_the_documented_commands_convert_them(lines, command, tmp_path):
    """The commands of docs/corpora.md stand in the order of `FORMS`, but for the third, which is the first two."""
    commands = re.findall(
        r"^    (awk .*|sed .*)$", (ROOT / "docs/corpora.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    one_based, reversed_sides, scores, signs, letters, triples = commands
    chain = [[one_based], [reversed_sides], [one_based, reversed_sides], [scores], [signs], [letters, one_based]]
    chain += [[triples], [triples], [scores]]
    text = "".join(f"{line}\n" for line in lines)
    for each in chain[command]:
        text = subprocess.run(["bash", "-c", each.replace(" theirs > gold.align", "")], input=text, text=True,
                              capture_output=True, check=True).stdout  # fmt: skip
    assert parse_links(Path("gold.align"), text.splitlines(), (PAIR, PAIR), Path("gold.en"))[0]
