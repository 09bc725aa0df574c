"""Gold links as files have them: read, written, refused."""

import re
import subprocess
from pathlib import Path

import pytest

from stages.corpora.gold_set import GoldSet, parse_links
from stages.corpora.parallel import Sentence
from stages.files.errors import InputError
from stages.files.links import MarkedLink
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
