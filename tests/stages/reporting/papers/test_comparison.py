"""The study's systems beside those of a paper: values, differences, marks, and whether the signs agree."""

from decimal import Decimal

import pytest

from stages.reporting.papers.comparison import (
    NOT_IN_STUDY,
    NOT_RUN,
    Significance,
    agreement,
    compare_table,
    corpus_summary,
    paper_tables,
    signs_agree,
    value,
)
from stages.reporting.papers.paper_tables import Counterpart
from stages.reporting.recipe import DIFFERS
from tests.helpers.paper_table import FACTS, MEANS, TABLE, TABLES, compared, document, line_of, made_up, measures


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

    def test_another_system_stands_for_a_row_where_the_study_has_only_this(self):
        """And its difference is to that of the paper's base."""
        base, better, *rest = TABLE["rows"]
        own = better | {"base": "ba_nmt", "otherwise": "ta_nmt"}
        table = made_up(rows=[base, own, *rest])
        means = {"rnnsearch_star": measures(30.0, 20.0), "ta_nmt": measures(32.0, 19.0)}
        line = line_of(compared(means, table=table), "better")
        assert (line.row.variant, line.base, line.absent) == ("ta_nmt", "rnnsearch_star", None)
        assert line.comparisons["Avg"].our_difference == 2.0
        both = means | {"sa_nmt": measures(31.0, 20.0), "ba_nmt": measures(30.5, 20.0)}
        line = line_of(compared(both, table=table), "better")
        assert (line.row.variant, line.base, line.comparisons["Avg"].our_difference) == ("sa_nmt", "ba_nmt", 0.5)
        line = line_of(compared({"rnnsearch_star": measures(30.0, 20.0)}, table=table), "better")
        assert (line.row.variant, line.absent) == ("sa_nmt", NOT_IN_STUDY)

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
            "rnnsearch_star": {"pos_confusion": {"V": {"V": 70.0, "AD": 5.0}, "N": {"V": 9.0, "N": 50.0}}},
            "rnnsearch_star_continued": {"pos_confusion": {"V": {"V": 60.0, "AD": 10.0}, "N": {"V": 5.0, "N": 40.0}}},
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
        found = compared(
            {"luong_global_general": measures(20.0, 1.0)}, table=TABLES["review-2018", "Sections 2 to 3.3"]
        )
        line = line_of(found, "Luong et al. 2015, global, En-De")
        assert (line.comparisons["BLEU"].ours, line.comparisons["BLEU"].agrees) == (20.0, None)

    def test_facts_come_from_the_recipe(self):
        data = {"corpus": "demo", "tests": ["test_a", "test_b"], "sets": {"train": {"pairs": 5996}}}
        recipe = {"direction": "zh-en", "model": {"embed_dim": 96, "hidden_dim": 112}, "data": data}
        assert corpus_summary(recipe | {"unknown_words": "replaced by <magic>"}) == FACTS
        assert corpus_summary(recipe) == FACTS._replace(unknown_words=None)
        runs = {"rnnencdec-1": "left", "sa_nmt-1": "replaced", "sa_nmt-2": "replaced"}
        mixed = corpus_summary(recipe | {DIFFERS: {"unknown_words": runs}})
        assert mixed == FACTS._replace(unknown_words="rnnencdec: left; all others: replaced")
        joint = corpus_summary(recipe | {"vocabulary": {"joint": True}})
        assert joint == FACTS._replace(unknown_words=None, shared_vocabulary=True)


class TestMarks:
    def test_stand_behind_differences_to_the_baseline_that_was_tested(self):
        marks = {("sa_nmt", "tests.average.bleu"): "‡", ("sa_nmt", "aer"): "⋆"}
        line = line_of(compared(MEANS, marks), "better")
        assert {label: comparison.mark for label, comparison in line.comparisons.items()} == {"Avg": "‡", "AER": "⋆"}
        other = compare_table("made-up", "Nobody 2000", made_up(), MEANS, Significance("ta_nmt", marks))
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
