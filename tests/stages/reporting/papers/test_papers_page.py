"""The papers' tables with ours as a page, as LaTeX and as CSV."""

import csv

from stages.reporting.papers.comparison import (
    NOT_IN_STUDY,
    NOT_RUN,
    paper_tables,
)
from stages.reporting.papers.paper_tables import PaperWord
from stages.reporting.papers.papers_page import grid, papers_page, write_papers
from stages.reporting.tables.markdown import markdown
from tests.helpers.paper_table import FACTS, MEANS, TABLE, TABLES, compared, document, made_up, measures


class TestWriting:
    def test_grid(self):
        marks = {("sa_nmt", "aer"): "†"}
        lines = markdown(grid(compared(MEANS, marks))).splitlines()
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if not line.startswith("|:")]
        ours = ["ours {} {}", "Δ paper {}", "Δ ours {}", "sign agrees {}"]
        avg, aer = ([text.format(label, way) for text in ours] for label, way in (("Avg", "↑"), ("AER", "↓")))
        assert cells[0] == ["System", "one", "two", "Avg", "AER", *avg, *aer]
        none = ["–"] * 3
        assert cells[1:] == [
            ["base\\*", "10.00", "20.00", "15.00", "40.0", "30.00", *none, "20.00", *none],
            [
                *("better", "11.00", "21.00‡", "16.00‡", "39.5"),
                *("29.00", "+1.00", "-1.00", "**no**"),
                *("19.00", "-0.5", "-1.00†", "yes"),
            ],
            ["same", "10.00", "20.00", "15.00", "–", NOT_IN_STUDY, "+0.00", "–", "–", NOT_IN_STUDY, *none],
            ["Moses", "12.00", "22.00", "17.00", "–", NOT_RUN, "+2.00", "–", "–", NOT_RUN, *none],
        ]

    def test_page_names_data_and_sizes_and_escapes(self):
        text = papers_page([compared(MEANS, table=made_up(notes=["a*b_c | <d>"]))], FACTS, [])
        assert "Paper: Zh-En; 10 pairs; hidden 2. Here: corpus demo, zh-en, 5,996 training pairs;" in text
        assert "test sets test\\_a, test\\_b. Absolute numbers do not compare." in text
        assert "- a\\*b\\_c \\| \\<d\\>" in text
        assert "- Systems of the study: base\\* `rnnsearch_star`; better `sa_nmt`; same `ta_nmt`." in text
        assert "- Not run: Moses (phrases)." in text
        assert "- Nobody 2000, Table 9, better, Avg: paper +1.00 (better), here -1.00 (worse)" in text
        assert "better, AER" not in text

    def test_what_becomes_of_unknown_words_is_said_where_words_are_counted(self):
        note = "- Unknown words in ours: replaced by \\<magic\\>."
        of_kuang = {place: table for (name, place), table in TABLES.items() if name == "kuang-2018"}
        means = {"rnnsearch_star": {}, "bridging_direct": {}}
        said = {
            place for place, table in of_kuang.items() if note in papers_page([compared(means, table=table)], FACTS, [])
        }
        assert said == {"Table 1 (BLEU)", "Table 1 (TER)", "Table 3", "Table 5", "Table 6"}
        assert note not in papers_page(
            [compared(means, table=of_kuang["Table 6"])], FACTS._replace(unknown_words=None), []
        )

    def test_headings_are_escaped(self):
        columns = [{"label": "o|ne"}, *TABLE["columns"][1:2], TABLE["columns"][2] | {"mean_of": ["o|ne", "two"]}]
        rows = [{"label": "base*", "variant": "rnnsearch_star", "figures": "10.00 20.00 15.00"}]
        found = compared(MEANS, table=made_up(columns=columns, rows=rows))
        assert grid(found).headings[:4] == ("System", "o|ne", "two", "Avg")
        assert "| o\\|ne |" in papers_page([found], FACTS, [])

    def test_words(self):
        kuang = compared({}, table=TABLES["kuang-2018", "Table 7"])
        text = papers_page([kuang], FACTS, [PaperWord(source="的", nearest="of|", lexicon="'s")])
        rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines()]
        assert ["1", "–", "is", "is", "的", "of\\|", "'s"] in rows
        assert ["9", "问题", "question", "issue", "–", "–", "–"] in rows

    def test_lower_is_better_in_the_list_of_signs(self):
        means = {"rnnsearch_star": measures(30.0, 20.0), "sa_nmt": measures(31.0, 21.0)}
        assert "better, AER: paper -0.5 (better), here +1.00 (worse)" in papers_page([compared(means)], FACTS, [])

    def test_every_table_with_equal_bytes(self, tmp_path):
        tables = paper_tables(document(MEANS))
        for name in ("first", "second"):
            found = tables if name == "first" else paper_tables(document(MEANS))
            write_papers(found, FACTS, "demo", tmp_path / name, ())
        first = tmp_path / "first"
        files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
        assert len(files) == 2 * len(TABLES) + 1  # a CSV and a LaTeX file each, and the page
        for name in files:
            assert (first / name).read_bytes() == (tmp_path / "second" / name).read_bytes()
        text = (first / "tables/papers/papers.md").read_text(encoding="utf-8")
        assert text.count("Absolute numbers do not compare.") == len(TABLES)
        assert text.count("\n### ") == len(TABLES)

    def test_latex(self, tmp_path):
        marks = {("sa_nmt", "aer"): "‡"}
        write_papers([compared(MEANS, marks, made_up(notes=["50 % of A&B."]))], FACTS, "demo", tmp_path, ())
        text = (tmp_path / "latex/papers/made-up-table-9.tex").read_text(encoding="utf-8")
        assert r"\caption{Nobody 2000, Table 9: a made-up table}" in text
        assert r"\label{tab:demo-made-up-table-9}" in text
        assert (
            r"\textbf{no}" in text
            and r"21.00\textsuperscript{$\ddagger$}" in text
            and r"$-$1.00\textsuperscript{$\ddagger$}" in text
        )
        assert r"replaced by \textless{}magic\textgreater{}; 50 \% of A\&B." in text

    def test_csv(self, tmp_path):
        write_papers([compared(MEANS)], FACTS, "demo", tmp_path, ())
        with open(tmp_path / "tables/papers/made-up-table-9.csv", encoding="utf-8", newline="") as file:
            records = list(csv.DictReader(file))
        assert len(records) == 4 * 4
        (found,) = [record for record in records if (record["system"], record["column"]) == ("better", "Avg")]
        assert found == {
            "system": "better",
            "column": "Avg",
            "figure": "16.00",
            "marks": "‡",
            "variant": "sa_nmt",
            "measure": "tests.average.bleu",
            "ours": "29.0",
            "against": "base*",
            "base": "rnnsearch_star",
            "paper_difference": "1.00",
            "our_difference": "-1.0",
            "our_mark": "",
            "sign_agrees": "no",
        }
