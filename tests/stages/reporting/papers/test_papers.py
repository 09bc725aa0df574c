"""The papers' figures against their printed tables, and the study's systems beside them."""

import csv
from decimal import Decimal

import pytest
import yaml

from stages.files.errors import InputError
from stages.measures import confusion
from stages.reporting.papers import printed
from stages.reporting.papers.agreement import agreement
from stages.reporting.papers.beside import (
    NOT_IN_STUDY,
    NOT_RUN,
    Beside,
    CorpusFacts,
    Line,
    Significance,
    beside,
    corpus_facts,
    paper_tables,
    signs_agree,
    value,
)
from stages.reporting.papers.page import grid, page
from stages.reporting.papers.printed import NAMES, Counterpart, PaperTable, Word, load, parse
from stages.reporting.papers.write import write_papers
from stages.reporting.tables.markdown import markdown
from stages.scoring import embedding_transform as transform
from stages.scoring.catalogue import MEASURES
from tests.helpers.paths import ROOT

PAPERS = {name: load(name) for name in NAMES}
TABLES = {(name, table.number): table for name, paper in PAPERS.items() for table in paper.tables}
FACTS = CorpusFacts("demo", "zh-en", 5996, ("test_a", "test_b"), 96, 112)

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
review-2018 | In the text | Bahdanau et al. 2014, En-Fr | BLEU | 26.75
review-2018 | In the text | Luong et al. 2015, local, En-De | BLEU | +0.9
review-2018 | In the text | Yang et al. 2016, window 11, Zh-En | BLEU | +1.5
review-2018 | In the text | Zhang et al. 2017, Zh-En | BLEU | +1.66
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
    ("review-2018", "In the text", "Bahdanau et al. 2014, En-Fr", "BLEU", "+8.93"),
    ("review-2018", "In the text", "Zhang et al. 2017, Zh-En", "BLEU", "+1.66"),
    ("bahdanau-2015", "Quantitative results", "RNNsearch-30", "All", "+7.57"),
    ("bahdanau-2015", "Quantitative results", "RNNsearch-50*", "All", "+1.70"),
]

TABLE = {
    "number": "Table 9",
    "caption": "a made-up table",
    "pair": "Zh-En",
    "data": "10 pairs",
    "sizes": "hidden 2",
    "baseline": "base*",
    "columns": [
        {"label": "one"},
        {"label": "two"},
        {"label": "Avg", "mean_of": ["one", "two"], "counterpart": {"measure": "tests.average.bleu", "better": "high"}},
        {"label": "AER", "counterpart": {"measure": "aer", "better": "low"}},
    ],
    "rows": [
        {"label": "base*", "variant": "rnnsearch_star", "figures": "10.00 20.00 15.00 40.0"},
        {"label": "better", "variant": "sa_nmt", "figures": "11.00 21.00‡ 16.00‡ 39.5"},
        {"label": "same", "variant": "ta_nmt", "figures": "10.00 20.00 15.00 –"},
        {"label": "Moses", "not_run": "phrases", "figures": "12.00 22.00 17.00 –"},
    ],
}


def made_up(**changes: object) -> PaperTable:
    return PaperTable.model_validate(TABLE | changes)


def measures(bleu: float | None, aer: float | None) -> dict:
    return {"bleu": 99.0, "aer": aer, "tests": {"test": {"bleu": 99.0}, "average": {"bleu": bleu}}}


def compared(means: dict, marks: dict | None = None, table: PaperTable | None = None) -> Beside:
    return beside("made-up", "Nobody 2000", table or made_up(), means, Significance("rnnsearch_star", marks or {}))


def line_of(each: Beside, heading: str) -> Line:
    return next(line for line in each.lines if line.row.heading == heading)


def document(systems: dict[str, dict]) -> dict:
    marks = {"baseline": "rnnsearch_star", "sets": {"test": {"bleu": {"sa_nmt": "‡"}}}}
    found = {name: {"title": name, "seeds": {}, "mean": mean, "sd": {}} for name, mean in systems.items()}
    return {"systems": found, "marks": marks}


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
            ("review-2018", "In the text"): 9,
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
        params = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
        known = set(params["variants"])
        named = {name for table in TABLES.values() for row in table.rows for name in (row.variant, row.base) if name}
        assert named <= known

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
        assert left_out == {"Moses SMT", "cdec (SMT)", "Tree-to-string", "MaxEnt"}

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
        assert [tuple(figure) for figure in parse(text)] == expected
        assert " ".join(map(str, parse(text))) == text

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
            load("made-up", tmp_path)
        assert "made-up.yaml" in str(error.value)


class TestBeside:
    @pytest.mark.parametrize(
        "paper, ours, agrees",
        [
            ("1.41", 0.3, True),
            ("1.41", -0.3, False),
            ("-1.87", -2.0, True),
            ("-1.87", 2.0, False),
            ("0.00", 1.0, None),
            ("1.41", 0.0, None),
            ("1.41", 0.004, None),  # is written +0.00
            ("1.41", 0.006, True),
            (None, 1.0, None),
            ("1.41", None, None),
        ],
    )
    def test_signs(self, paper, ours, agrees):
        assert signs_agree(None if paper is None else Decimal(paper), ours) is agrees

    def test_values_are_the_average_of_the_test_sets(self):
        found = compared({"rnnsearch_star": measures(30.0, 20.0), "sa_nmt": measures(31.5, 21.0)})
        bleu, aer = line_of(found, "better").comparisons.values()
        assert (bleu.ours, bleu.paper_difference, bleu.our_difference, bleu.agrees) == (
            31.5,
            Decimal("1.00"),
            1.5,
            True,
        )
        assert (aer.ours, aer.paper_difference, aer.our_difference, aer.agrees) == (21.0, Decimal("-0.5"), 1.0, False)
        assert [*line_of(found, "base*").comparisons["Avg"][2:4]] == [None, None]
        assert line_of(found, "base*").against is None

    @pytest.mark.parametrize(
        "means",
        [
            {"rnnsearch_star": measures(30.0, 20.0)},
            {"rnnsearch_star": measures(30.0, 20.0), "sa_nmt": measures(None, None)},
            {"rnnsearch_star": measures(None, None), "sa_nmt": measures(30.0, 20.0)},
            {"sa_nmt": measures(30.0, 20.0)},
            {"rnnsearch_star": measures(30.0, 20.0), "sa_nmt": {"bleu": 31.0}},
        ],
        ids=["no system", "no value", "no value of the baseline", "no baseline", "no measure"],
    )
    def test_what_is_missing_has_no_sign(self, means):
        for comparison in line_of(compared(means), "better").comparisons.values():
            assert comparison.our_difference is None and comparison.agrees is None
            assert comparison.paper_difference is not None

    def test_why_a_row_has_no_values(self):
        found = compared({"rnnsearch_star": measures(30.0, 20.0), "sa_nmt": measures(31.0, 20.0)})
        assert [line.absent for line in found.lines] == [None, None, NOT_IN_STUDY, NOT_RUN]
        assert line_of(found, "Moses").comparisons["Avg"].paper_difference == Decimal("2.00")

    @pytest.mark.parametrize(
        "path, unit, expected",
        [
            ("aer", 1, 20.0),
            ("tests.average.bleu", 1, 30.0),
            ("pos_confusion.V.AD", 1, 12.0),
            ("parameters", 1_000_000, 1.5),
            ("pos_confusion.V.N", 1, None),
            ("pos_confusion.CD.N", 1, None),
            ("aer.V", 1, None),
            ("saer", 1, None),
        ],
    )
    def test_paths_of_nested_measures(self, path, unit, expected):
        mean = measures(30.0, 20.0) | {"pos_confusion": {"V": {"AD": 12.0}}, "parameters": 1_500_000.0}
        counterpart = Counterpart(measure=path, better=None, unit=unit)
        assert value({"sa_nmt": mean}, "sa_nmt", counterpart) == expected

    def test_differences_are_to_the_row_within_the_part_or_to_the_base(self):
        table = TABLES["kuang-2018", "Table 3"]
        means = {
            "rnnsearch_star": {"pos_confusion": {"V": {"V": 60.0, "AD": 10.0}, "N": {"V": 5.0, "N": 40.0}}},
            "bridging_direct": {"pos_confusion": {"V": {"V": 59.0, "AD": 9.0}, "N": {"V": 4.0, "N": 42.0}}},
        }
        found = compared(means, table=table)
        verbs, nouns = line_of(found, "Direct bridging, V"), line_of(found, "Direct bridging, N")
        assert {label: comparison.our_difference for label, comparison in verbs.comparisons.items()} == {
            "V": -1,
            "AD": -1,
        }
        assert {label: comparison.agrees for label, comparison in verbs.comparisons.items()} == {"V": False, "AD": True}
        assert {label: comparison.agrees for label, comparison in nouns.comparisons.items()} == {"V": True, "N": True}

        mi = TABLES["mi-2016", "Table 3"]
        scores = {"lvnmt": 50.0, "rnnsearch_star": 60.0, "covemb_gru": 59.0}
        found = compared({name: {"align_f1_t02": score} for name, score in scores.items()}, table=mi)
        assert line_of(found, "U_GRU").comparisons["F1"].our_difference == -1.0
        assert line_of(found, "U_GRU").against == "LVNMT"

    def test_gains_without_a_base_of_ours_are_not_compared(self):
        found = compared({"luong_global_location": measures(20.0, 1.0)}, table=TABLES["review-2018", "In the text"])
        line = line_of(found, "Luong et al. 2015, global, En-De")
        assert (line.comparisons["BLEU"].ours, line.comparisons["BLEU"].agrees) == (20.0, None)

    def test_facts_come_from_the_recipe(self):
        data = {"corpus": "demo", "tests": ["test_a", "test_b"], "sets": {"train": {"pairs": 5996}}}
        recipe = {"direction": "zh-en", "model": {"embed_dim": 96, "hidden_dim": 112}, "data": data}
        assert corpus_facts(recipe) == FACTS


class TestMarks:
    def test_stand_behind_differences_to_the_baseline_that_was_tested(self):
        marks = {("sa_nmt", "tests.average.bleu"): "‡", ("sa_nmt", "aer"): "⋆"}
        line = line_of(compared(MEANS, marks), "better")
        assert {label: comparison.mark for label, comparison in line.comparisons.items()} == {"Avg": "‡", "AER": "⋆"}
        other = beside("made-up", "Nobody 2000", made_up(), MEANS, Significance("ta_nmt", marks))
        assert {comparison.mark for comparison in line_of(other, "better").comparisons.values()} == {""}

    def test_come_from_metrics_json(self):
        tables = [each for each in paper_tables(document(MEANS)) if each.name == "xue-2019"]
        marks = {comparison.mark for each in tables for line in each.lines for comparison in line.comparisons.values()}
        assert marks == {"", "‡"}


class TestAgreement:
    def test_counts(self):
        means = {
            "rnnsearch_star": measures(30.0, 20.0),
            "sa_nmt": measures(31.0, 21.0),
            "ta_nmt": measures(32.0, 20.0),
        }
        (found,) = agreement([compared(means), compared(means)])
        assert (found.paper, found.printed, found.compared) == ("Nobody 2000", 3, 2)  # Moses is printed, `same` is 0
        assert [(each.line.row.label, each.column) for each in found.disagreeing] == [("better", "AER")]

    def test_measures_that_may_go_either_way_do_not_count(self):
        columns = [*TABLE["columns"][:3], {"label": "AER", "counterpart": {"measure": "aer", "better": None}}]
        means = {"rnnsearch_star": measures(30.0, 20.0), "sa_nmt": measures(31.0, 21.0)}
        (found,) = agreement([compared(means, table=made_up(columns=columns))])
        assert (found.printed, found.compared, found.disagreeing) == (2, 1, ())

    def test_a_difference_in_several_tables_counts_once(self):
        tables = [each for each in paper_tables(document({})) if each.name == "xue-2019"]
        (found,) = agreement(tables)
        assert found.printed == 5 + 2 + 3 + 1  # Table 2; SA and TA of Table 3; Table 4; AER of Table 5


MEANS = {"rnnsearch_star": measures(30.0, 20.0), "sa_nmt": measures(29.0, 19.0)}


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
        text = page([compared(MEANS, table=made_up(notes=["a*b_c | <d>"]))], FACTS)
        assert "Paper: Zh-En; 10 pairs; hidden 2. Here: corpus demo, zh-en, 5,996 training pairs;" in text
        assert "test sets test\\_a, test\\_b. Absolute numbers do not compare." in text
        assert "- a\\*b\\_c \\| \\<d\\>" in text
        assert "- Rows of the study: base\\* `rnnsearch_star`; better `sa_nmt`; same `ta_nmt`." in text
        assert "- Not run: Moses (phrases)." in text
        assert "- Nobody 2000, Table 9, better, Avg: paper +1.00 (better), here -1.00 (worse)" in text
        assert "better, AER" not in text

    def test_headings_are_escaped(self):
        columns = [{"label": "o|ne"}, *TABLE["columns"][1:2], TABLE["columns"][2] | {"mean_of": ["o|ne", "two"]}]
        rows = [{"label": "base*", "variant": "rnnsearch_star", "figures": "10.00 20.00 15.00"}]
        found = compared(MEANS, table=made_up(columns=columns, rows=rows))
        assert grid(found).headings[:4] == ("System", "o|ne", "two", "Avg")
        assert "| o\\|ne |" in page([found], FACTS)

    def test_words(self):
        kuang = compared({}, table=TABLES["kuang-2018", "Table 7"])
        text = page([kuang], FACTS, [Word(source="的", nearest="of|", lexicon="'s")])
        rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines()]
        assert ["1", "–", "is", "is", "的", "of\\|", "'s"] in rows
        assert ["9", "问题", "question", "issue", "–", "–", "–"] in rows

    def test_lower_is_better_in_the_list_of_signs(self):
        means = {"rnnsearch_star": measures(30.0, 20.0), "sa_nmt": measures(31.0, 21.0)}
        assert "better, AER: paper -0.5 (better), here +1.00 (worse)" in page([compared(means)], FACTS)

    def test_every_table_with_equal_bytes(self, tmp_path):
        tables = paper_tables(document(MEANS))
        for name in ("first", "second"):
            found = tables if name == "first" else paper_tables(document(MEANS))
            write_papers(found, FACTS, "demo", tmp_path / name)
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
        write_papers([compared(MEANS, marks, made_up(notes=["50 % of A&B."]))], FACTS, "demo", tmp_path)
        text = (tmp_path / "latex/papers/made-up-table-9.tex").read_text(encoding="utf-8")
        assert r"\caption{Nobody 2000, Table 9: a made-up table}" in text
        assert r"\label{tab:demo-made-up-table-9}" in text
        assert (
            r"\textbf{no}" in text
            and r"21.00\textsuperscript{$\ddagger$}" in text
            and r"$-$1.00\textsuperscript{$\ddagger$}" in text
        )
        assert r"Absolute numbers do not compare; 50 \% of A\&B." in text

    def test_csv(self, tmp_path):
        write_papers([compared(MEANS)], FACTS, "demo", tmp_path)
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
