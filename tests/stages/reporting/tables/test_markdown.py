"""A table as Markdown, and as lines of a CSV file."""

import csv
import io
import re

import pytest

from stages.reporting.tables import markdown as md
from stages.reporting.tables.markdown import markdown, page
from stages.reporting.tables.table import Cell, Table
from stages.reporting.tables.table_files import COLUMNS, long_format
from tests.helpers.table_study import HOSTILE, TABLE, entry


class TestMarkdown:
    def test_a_table(self):
        assert markdown(TABLE).splitlines() == [
            "| System |      BLEU ↑ | words |",
            "|:------ | -----------:|:----- |",
            "| A\\*    | **30.12**‡⋆ | x y   |",
            "| B      |           – | –     |",
        ]

    @pytest.mark.parametrize(
        ("text", "escaped"),
        [
            ("a|b", r"a\|b"),
            ("RNNsearch*", r"RNNsearch\*"),
            ("s_i ~h", r"s\_i \~h"),
            ("<b>&lt;", r"\<b\>\&lt;"),
            ("[x](y)", r"\[x\](y)"),
            ("`c` \\", r"\`c\` \\"),
            ("$x$ #", r"\$x\$ \#"),
            ("two\nlines", "two lines"),
        ],
    )
    def test_escapes(self, text: str, escaped: str):
        assert md.escape(text) == escaped

    def test_everything_is_escaped_once(self):
        hostile = Table((HOSTILE, HOSTILE), ((HOSTILE, (Cell(HOSTILE, True),)),))
        written = page(entry(hostile, title=HOSTILE, about=HOSTILE, mirrors=HOSTILE, notes=(HOSTILE,)))
        assert written.count(md.escape(HOSTILE)) == 8
        rows = [line for line in written.splitlines() if line.startswith("|")]
        assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {3}

    def test_parts_stand_below_their_names(self):
        written = page(entry(TABLE, parts={"one": TABLE, "two": TABLE}))
        assert [line for line in written.splitlines() if line.startswith("#")] == ["# Title", "## one", "## two"]
        assert written.endswith("Counterpart of Table 1.\n\n- note\n")


class TestCsv:
    def test_a_line_a_cell_in_full_precision(self):
        lines = list(csv.reader(io.StringIO(long_format(entry(TABLE)).to_csv(index=False))))
        assert lines == [
            list(COLUMNS),
            ["", "a", "A*", "BLEU", "30.123456789012344", "0.5", "‡⋆", "yes"],
            ["", "a", "A*", "words", "x y", "", "", ""],
            ["", "b", "B", "BLEU", "", "", "", ""],
            ["", "b", "B", "words", "", "", "", ""],
        ]

    def test_hostile_text_is_read_back(self):
        hostile = Table((HOSTILE, HOSTILE), (('"q", ' + HOSTILE, (Cell(HOSTILE),)),))
        (line,) = csv.DictReader(io.StringIO(long_format(entry(hostile)).to_csv(index=False)))
        assert (line["row"], line["column"], line["value"]) == ('"q", ' + HOSTILE, HOSTILE, HOSTILE)
