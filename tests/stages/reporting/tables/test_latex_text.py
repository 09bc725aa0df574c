"""A table as LaTeX: its text."""

import re

import numpy as np
import pytest

from stages.reporting.tables import latex as tex
from stages.reporting.tables.latex import latex
from stages.reporting.tables.table import Cell, Table
from tests.helpers.table_study import HOSTILE, TABLE, entry


class TestLatex:
    def test_a_table(self):
        assert latex(entry(TABLE), "demo-name").splitlines() == [
            r"% Needs \usepackage{booktabs,adjustbox}.",
            r"\begin{table}",
            r"  \centering",
            r"  \caption{Title}",
            r"  \label{tab:demo-name}",
            r"  \begin{adjustbox}{max width=\linewidth, max totalheight=0.85\textheight}",
            r"  \begin{tabular}{lrl}",
            r"    \toprule",
            r"    System & BLEU $\uparrow$ & words \\",
            r"    \midrule",
            r"    A* & \textbf{30.12}\textsuperscript{$\ddagger$$\star$} & x y \\",
            r"    B & -- & -- \\",
            r"    \bottomrule",
            r"  \end{tabular}",
            r"  \end{adjustbox}",
            r"  \par\smallskip\footnotesize note.",
            r"\end{table}",
        ]

    @pytest.mark.parametrize(
        ("text", "escaped"),
        [
            ("&%$#_{}", r"\&\%\$\#\_\{\}"),
            ("~h^2", r"\textasciitilde{}h\textasciicircum{}2"),
            ("\\x", r"\textbackslash{}x"),
            ("a<b>|c", r"a\textless{}b\textgreater{}\textbar{}c"),
            ("-1.20 to +0.5", "$-$1.20 to +0.5"),
            ("BA-NMT, 2-3", "BA-NMT, 2-3"),
            ("31.5 ± 0.7", r"31.5 $\pm$ 0.7"),
            ("(TER−BLEU)/2", "(TER$-$BLEU)/2"),
            ("zh → en", r"zh $\to$ en"),
            ("α 0.2", r"$\alpha$ 0.2"),
            ("two\nlines", "two lines"),
        ],
    )
    def test_escapes(self, text: str, escaped: str):
        assert tex.escape_latex(text) == escaped

    def test_hostile_text_leaves_the_structure(self):
        """As TeX reads it: braces match, no bare special character, as many columns in every row as the head names."""
        hostile = Table((HOSTILE, HOSTILE), ((HOSTILE, (Cell(HOSTILE, True, "‡"),)), ("[0]", (Cell("*"),))))
        written = latex(entry(hostile, title=HOSTILE, notes=(HOSTILE,)), "demo-na_me")
        body = "\n".join(line for line in written.splitlines() if not line.startswith("%"))
        bare = re.sub(r"\\[&%$#_{}]", "", body)
        depth = np.cumsum([(char == "{") - (char == "}") for char in bare])
        assert depth.min() == 0 and depth[-1] == 0
        assert not re.search(r"[%#_~^]", bare) and bare.count("$") % 2 == 0
        rows = [line for line in bare.splitlines() if line.endswith(r"\\")]
        assert [row.count("&") for row in rows] == [1, 1, 1]
        assert rows[2].startswith("    {}[0]")  # or the line break before it would take it for a length
        assert r"\label{tab:demo-na-me}" in written
        known = {"textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "textbar"}
        known |= {"begin", "end", "centering", "caption", "label", "linewidth", "textheight", "toprule", "midrule"}
        known |= {"bottomrule", "textbf", "textsuperscript", "ddagger", "par", "smallskip", "footnotesize"}
        assert set(re.findall(r"\\([A-Za-z]+)", body)) <= known

    @pytest.mark.parametrize(("word", "said"), [("中国", True), ("é", False)])
    def test_says_what_chinese_needs(self, word: str, said: bool):
        assert ("xeCJK" in latex(entry(Table(("System",), ((word, ()),))), "x")) is said

    def test_parts_have_their_own_captions_and_labels(self):
        written = latex(entry(TABLE, parts={"one": TABLE, "two": TABLE}), "x")
        assert re.findall(r"\\caption\{(.*)\}", written) == ["Title: one", "Title: two"]
        assert re.findall(r"\\label\{(.*)\}", written) == ["tab:x-1", "tab:x-2"]
