"""The papers' figures against their printed tables."""

from decimal import Decimal

import pytest
import yaml

from stages.files.errors import InputError
from stages.files.run_directory import STATISTICAL
from stages.measures import confusion
from stages.reporting.papers import paper_tables as printed
from stages.reporting.papers.paper_tables import NAMES, load_paper, parse_numbers
from stages.scoring import embedding_transform as transform
from stages.scoring.catalogue import MEASURES
from tests.helpers import committed
from tests.helpers.paper_table import TABLE, TABLES, compared, line_of

# Typed in from the papers' texts: paper, table, row, column, figure with its marks.
FIGURES = """
xue-2019 | Table 2 | RNNsearch | MT03 | 35.75
xue-2019 | Table 2 | RNNsearch | Average | 36.68
xue-2019 | Table 2 | RNNsearch* | MT05 | 42.33
xue-2019 | Table 2 | NN-Coverage | MT06 | 42.79
xue-2019 | Table 2 | IA-Model | MT04 | 45.14
xue-2019 | Table 2 | Transformer-base | Average | 44.45
xue-2019 | Table 2 | BA-NMT | MT03 | 43.73‡
xue-2019 | Table 2 | BA-NMT | MT06 | 43.91‡⋆
xue-2019 | Table 2 | BA-NMT | Average | 44.25
xue-2019 | Table 3 | + SA-NMT | Zh→En | 43.52
xue-2019 | Table 3 | + TA-NMT | Zh→En | 43.83
xue-2019 | Table 4 | RNNsearch* | En→De | 25.76
xue-2019 | Table 4 | + BA-NMT | En→De | 26.58
xue-2019 | Table 5 | RNNsearch* | AER | 44.03
xue-2019 | Table 5 | BA-NMT | AER | 42.16
kuang-2018 | Table 1 (BLEU) | cdec (SMT) | NIST08 | 25.28
kuang-2018 | Table 1 (BLEU) | RNNSearch* | NIST02 | 37.88
kuang-2018 | Table 1 (BLEU) | Source bridging | NIST06 | 36.79‡
kuang-2018 | Table 1 (BLEU) | Target bridging | NIST08 | 27.98
kuang-2018 | Table 1 (BLEU) | Direct bridging | NIST08 | 27.85‡
kuang-2018 | Table 1 (BLEU) | Direct bridging | Avg | 36.62
kuang-2018 | Table 1 (TER) | cdec (SMT) | Avg | 59.64
kuang-2018 | Table 1 (TER) | RNNSearch* | NIST08 | 64.22
kuang-2018 | Table 1 (TER) | Source bridging | NIST03 | 57.33
kuang-2018 | Table 1 (TER) | Target bridging | NIST04 | 56.33
kuang-2018 | Table 1 (TER) | Direct bridging | NIST06 | 57.20
kuang-2018 | Section 3.2 | RNNSearch* | parameters (M) | 74.8
kuang-2018 | Section 3.2 | Direct bridging | parameters (M) | +4.1
kuang-2018 | Table 2 | RNNSearch* | Percentage (%) | 49.82
kuang-2018 | Table 2 | Direct bridging | Percentage (%) | 81.30
kuang-2018 | Table 3 | RNNSearch*, V | V | 64.95
kuang-2018 | Table 3 | RNNSearch*, V | AD | 12.09
kuang-2018 | Table 3 | RNNSearch*, V | N | –
kuang-2018 | Table 3 | RNNSearch*, CD | N | 33.37
kuang-2018 | Table 3 | Direct bridging, N | N | 39.71
kuang-2018 | Table 3 | Direct bridging, JJ | JJ | 15.22
kuang-2018 | Table 4 | RNNSearch* | SAER | 62.68
kuang-2018 | Table 4 | Direct bridging | AER | 44.71
kuang-2018 | Table 5 | RNNSearch*, NR | ROT (%) | 12.92
kuang-2018 | Table 5 | Direct bridging, DT | ROT (%) | 2.37
kuang-2018 | Table 5 | Direct bridging, ALL | ROT (%) | 4.49
kuang-2018 | Table 6 | cdec (SMT) | 1-gram BLEU | 77.09
kuang-2018 | Table 6 | Direct bridging | 1-gram BLEU | 74.22
mi-2016 | Table 1 | Tree-to-string | Web T-B | 17.72
mi-2016 | Table 1 | LVNMT | MT06 BP | 0.96
mi-2016 | Table 1 | LVNMT | avg. T-B | 15.74
mi-2016 | Table 1 | U_GRU | News BLEU | 30.18
mi-2016 | Table 1 | U_Sub | News BP | 0.88
mi-2016 | Table 1 | U_GRU+U_Sub | MT06 T-B | 9.36
mi-2016 | Table 1 | +Obj. | Web BLEU | 28.28
mi-2016 | Table 2 | Tree-to-string | News BP | 0.84
mi-2016 | Table 2 | LVNMT | Web T-B | 15.89
mi-2016 | Table 2 | U_GRU | avg. T-B | 12.31
mi-2016 | Table 3 | MaxEnt | rec. | 77.10
mi-2016 | Table 3 | U_Sub | F1 | 45.55
mi-2016 | Table 3 | +Obj. | pre. | 49.78
mi-2016 | Section 5.3 | LVNMT | 5M pairs | 209
mi-2016 | Section 5.3 | U_GRU+U_Sub | 5M pairs | 50
mi-2016 | Section 5.3 | U_GRU | 11M pairs | 16
review-2018 | Table 1 | Cho et al. 2014 | Zh-En | 5.35
review-2018 | Table 1 | Bahdanau et al. 2014 | EN-Ru | 43.0
review-2018 | Table 1 | Cohn et al. 2016 | En-Zh | 6.24
review-2018 | Table 1 | Cohn et al. 2016 | Ro-En | 5.89
review-2018 | Sections 2 to 3.3 | Bahdanau et al. 2014, En-Fr | BLEU | 26.75
review-2018 | Sections 2 to 3.3 | Luong et al. 2015, local, En-De | BLEU | +0.9
review-2018 | Sections 2 to 3.3 | Yang et al. 2016, Zh-En | BLEU | +1.5
review-2018 | Sections 2 to 3.3 | Zhang et al. 2017, Zh-En | BLEU | +1.66
bahdanau-2015 | Quantitative results | RNNencdec-30 | All | 13.93
bahdanau-2015 | Quantitative results | RNNsearch-30 | No UNK | 31.44
bahdanau-2015 | Quantitative results | RNNencdec-50 | No UNK | 26.71
bahdanau-2015 | Quantitative results | RNNsearch-50* | All | 28.45
bahdanau-2015 | Quantitative results | Moses SMT | No UNK | 35.63
"""


# Section 8 of the specification, and the papers' texts: which difference the tables must show.
DIFFERENCES = [
    ("xue-2019", "Table 2", "BA-NMT", "Average", "+1.41"),
    ("xue-2019", "Table 3", "+ SA-NMT", "Zh→En", "+0.68"),
    ("xue-2019", "Table 3", "+ TA-NMT", "Zh→En", "+0.99"),
    ("kuang-2018", "Table 1 (BLEU)", "Direct bridging", "Avg", "+1.81"),
    ("kuang-2018", "Table 5", "Direct bridging, ALL", "ROT (%)", "-0.79"),
    ("kuang-2018", "Table 3", "Direct bridging, CD", "CD", "+2.89"),
    ("kuang-2018", "Section 3.2", "Source bridging", "parameters (M)", "+3.7"),
    ("mi-2016", "Table 1", "U_GRU+U_Sub", "avg. T-B", "-2.60"),
    ("mi-2016", "Table 3", "U_GRU+U_Sub", "F1", "+2.26"),
    ("review-2018", "Sections 2 to 3.3", "Bahdanau et al. 2014, En-Fr", "BLEU", "+8.93"),
    ("review-2018", "Sections 2 to 3.3", "Zhang et al. 2017, Zh-En", "BLEU", "+1.66"),
    ("bahdanau-2015", "Quantitative results", "RNNsearch-30", "All", "+7.57"),
    ("bahdanau-2015", "Quantitative results", "RNNsearch-50*", "All", "+1.70"),
]


class TestFigures:
    @pytest.mark.parametrize("case", FIGURES.strip().splitlines())
    def test_are_those_of_the_papers(self, case):
        name, number, row, column, figure = case.split(" | ")
        table = TABLES[name, number]
        found = next(each for each in table.rows if each.heading == row)
        assert str(table.figures(found)[column]) == figure

    @pytest.mark.parametrize("case", DIFFERENCES, ids=lambda case: f"{case[0]} {case[2]} {case[3]}")
    def test_differences_are_those_of_the_papers(self, case):
        name, number, row, column, difference = case
        line = line_of(compared({}, table=TABLES[name, number]), row)
        assert f"{line.comparisons[column].paper_difference:+}" == difference

    def test_number_of_figures_of_each_table(self):
        """Counted in the papers: nothing that they print is left out."""
        counts = {
            key: sum(figure.number is not None for row in table.rows for figure in row.figures)
            for key, table in TABLES.items()
        }
        assert counts == {
            ("bahdanau-2015", "Quantitative results"): 12,
            ("mi-2016", "Table 1"): 60,
            ("mi-2016", "Table 2"): 21,
            ("mi-2016", "Table 3"): 18,
            ("mi-2016", "Section 5.3"): 6,
            ("review-2018", "Table 1"): 24,
            ("review-2018", "Sections 2 to 3.3"): 9,
            ("kuang-2018", "Table 1 (BLEU)"): 30,
            ("kuang-2018", "Table 1 (TER)"): 30,
            ("kuang-2018", "Section 3.2"): 4,
            ("kuang-2018", "Table 2"): 2,
            ("kuang-2018", "Table 3"): 16,
            ("kuang-2018", "Table 4"): 4,
            ("kuang-2018", "Table 5"): 10,
            ("kuang-2018", "Table 6"): 3,
            ("kuang-2018", "Table 7"): 1,
            ("xue-2019", "Table 2"): 30,
            ("xue-2019", "Table 3"): 5,
            ("xue-2019", "Table 4"): 4,
            ("xue-2019", "Table 5"): 4,
        }

    @pytest.mark.parametrize(
        "name, number, column",
        [
            ("xue-2019", "Table 2", "Average"),
            ("kuang-2018", "Table 1 (BLEU)", "Avg"),
            ("kuang-2018", "Table 1 (TER)", "Avg"),
            ("mi-2016", "Table 1", "avg. T-B"),
            ("mi-2016", "Table 2", "avg. T-B"),
        ],
    )
    def test_averages_recompute_but_for_the_one_of_mi(self, name, number, column):
        table = TABLES[name, number]
        parts = next(each for each in table.columns if each.label == column).mean_of
        wrong = []
        for row in table.rows:
            figures = table.figures(row)
            mean = sum(float(figures[part].number) for part in parts) / len(parts)
            if abs(mean - float(figures[column].number)) > 0.0101:
                wrong.append((row.label, round(mean, 2)))
        assert wrong == ([("U_GRU", 12.25)] if (name, number) == ("mi-2016", "Table 2") else [])
        assert table.misprinted == [label for label, _ in wrong]

    def test_the_dev_set_of_kuang_is_not_in_the_average(self):
        column = TABLES["kuang-2018", "Table 1 (BLEU)"].columns[-1]
        assert "NIST06" not in column.mean_of and len(column.mean_of) == 4

    def test_f1_of_mi_recomputes(self):
        table = TABLES["mi-2016", "Table 3"]
        for row in table.rows:
            precision, recall, f1 = (float(figure.number) for figure in row.figures)
            assert 2 * precision * recall / (precision + recall) == pytest.approx(f1, abs=0.011)

    def test_means_that_are_not_printed(self):
        table = TABLES["mi-2016", "Table 1"]
        lvnmt = table.figures(next(row for row in table.rows if row.label == "LVNMT"))
        assert str(lvnmt["mean BLEU"]) == "30.06"  # (34.53 + 28.86 + 26.78) / 3
        assert str(lvnmt["mean BP"]) == "0.95"


class TestData:
    def test_variants_are_rows_of_params(self):
        params = committed.params()
        known = {*params["variants"], *STATISTICAL}
        rows = [row for table in TABLES.values() for row in table.rows]
        assert {name for row in rows for name in (row.variant, row.base, row.otherwise) if name} <= known

    def test_counterparts_are_measures_of_the_study(self):
        averaged = {f"tests.average.{name}" for name, measure in MEASURES.items() if measure.sets == "tests"}
        aligned = {name for name, measure in MEASURES.items() if measure.sets == "gold"}
        classes = {f"pos_confusion.{p}.{q}" for p in confusion.CLASSES for q in confusion.SOURCES}
        others = {"dev.eos_aligned", "parameters", "perplexity_zh-en", "perplexity_en-zh", *transform.KEYS}
        named = {
            counterpart.measure
            for table in TABLES.values()
            for counterpart in [
                *(column.counterpart for column in table.columns if column.counterpart),
                *(counterpart for row in table.rows for counterpart in row.counterparts.values()),
            ]
        }
        assert named <= averaged | aligned | classes | others

    def test_words_of_kuang(self):
        words = TABLES["kuang-2018", "Table 7"].words
        assert len(words) == 10
        assert [(word.source, word.lexicon) for word in words if word.nearest != word.lexicon] == [("问题", "issue")]

    def test_every_file_is_listed(self):
        assert {path.stem for path in printed.FOLDER.glob("*.yaml")} == set(NAMES)

    def test_systems_that_are_not_run(self):
        left_out = {row.label for table in TABLES.values() for row in table.rows if row.not_run}
        assert left_out == {"MaxEnt"}

    def test_single_test_sets_and_languages_without_data_have_no_counterpart(self):
        for (name, number), labels in {
            ("xue-2019", "Table 2"): ["MT03", "MT04", "MT05", "MT06"],
            ("review-2018", "Table 1"): ["Ru-En", "EN-Ru", "Et-En", "En-Et", "Ro-En", "En-Ro"],
        }.items():
            bare = [column.label for column in TABLES[name, number].columns if column.counterpart is None]
            assert bare == labels

    @pytest.mark.parametrize(
        "text, figures",
        [
            ("44.25", [("44.25", False, "")]),
            ("43.58‡⋆ –", [("43.58", False, "‡⋆"), None]),
            ("+0.9 -1.20", [("0.9", True, ""), ("-1.20", True, "")]),
        ],
    )
    def test_figures_are_parsed(self, text, figures):
        expected = [(None, False, "") if each is None else (Decimal(each[0]), *each[1:]) for each in figures]
        assert [tuple(figure) for figure in parse_numbers(text)] == expected
        assert " ".join(map(str, parse_numbers(text))) == text

    @pytest.mark.parametrize(
        "changes, message",
        [
            ({"baselines": "base*"}, "unknown key"),
            ({"pair": 3}, "valid string"),
            ({"baseline": "nobody"}, "no row nobody"),
            ({"misprinted": ["nobody"]}, "misprinted names no row: nobody"),
            ({"misprinted": ["better"]}, "correct its mean"),
            ({"rows": [TABLE["rows"][0] | {"figures": "10.00 20.00 15.50 40.0"}]}, "correct its mean"),
            ({"rows": [TABLE["rows"][0] | {"figures": "10.00 20.00 15.00"}]}, "3 figures for 4 columns"),
            ({"rows": [TABLE["rows"][0] | {"figures": "10.00 20.00 15.00 40,0"}]}, "not a figure"),
            ({"rows": [TABLE["rows"][0] | {"figures": 40.0}]}, "quote a figure"),
            ({"rows": [TABLE["rows"][0] | {"figures": "– 20.00 15.00 40.0"}]}, "lacks one of the figures"),
            ({"rows": [TABLE["rows"][0], TABLE["rows"][0]]}, "same label"),
            ({"rows": [TABLE["rows"][0], TABLE["rows"][1] | {"part": "V"}]}, "no row base. of the same part"),
            ({"rows": [{"label": "base*", "figures": "10.00 20.00 15.00 40.0"}]}, "either variant or not_run"),
            ({"rows": [TABLE["rows"][0] | {"not_run": "why"}]}, "either variant or not_run"),
            ({"rows": [TABLE["rows"][0] | {"counterparts": {"three": TABLE["columns"][3]["counterpart"]}}]}, "three"),
            ({"columns": [{"label": "one", "computed": "yes", "mean_of": ["one"]}]}, "valid boolean"),
            ({"columns": [{"label": "one", "computed": True}]}, "needs mean_of"),
            ({"columns": [{"label": "one", "mean_of": ["six"]}]}, "names no column: six"),
            ({"columns": [{"label": "one", "counterpart": {"measure": "aer", "better": "lower"}}]}, "better"),
        ],
    )
    def test_mistakes_are_errors_that_name_the_file(self, tmp_path, changes, message):
        paper = {"paper": "Nobody 2000", "title": "Nothing", "tables": [TABLE | changes]}
        (tmp_path / "made-up.yaml").write_text(yaml.safe_dump(paper), encoding="utf-8")
        with pytest.raises(InputError, match=message) as error:
            load_paper("made-up", tmp_path)
        assert "made-up.yaml" in str(error.value)
