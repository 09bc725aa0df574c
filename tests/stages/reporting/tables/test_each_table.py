"""What each table of a study holds."""

from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest

from stages.files.errors import InputError
from stages.measures.confusion import CLASSES
from stages.reporting.study_results import StudyResults
from stages.reporting.tables.bridged_words import BOTH, COUNTED, transform
from stages.reporting.tables.data import data, vocabularies
from stages.reporting.tables.differences import differences
from stages.reporting.tables.latex import latex
from stages.reporting.tables.main_table import main_entry
from stages.reporting.tables.measure_tables import ABLATION, COVERAGE_EMBEDDINGS, UNKNOWN_WORDS
from stages.reporting.tables.measured import left_out, measured
from stages.reporting.tables.table import Cell, Column, ReportTable, build
from tests.helpers.table_study import TITLES, grid, put


class TestTables:
    def test_of_several_test_sets_bleu_names_each(self, study: StudyResults):
        row = grid(main_entry(study).parts[""])["BA_NMT"]
        assert [name for name in row if name.startswith("BLEU")][:3] == ["BLEU test ↑", "BLEU late ↑", "BLEU average ↑"]

    def test_ablation(self, study: StudyResults, tables: dict[str, ReportTable]):
        rows = grid(tables["ablation"].parts[""])
        assert list(rows) == ["RNNsearch*", "SA & <NMT>", "BA_NMT"]
        assert list(rows["BA_NMT"]) == ["BLEU test ↑", "BLEU late ↑", "BLEU average ↑", "Δ"]
        bleu = {name: study.document["systems"][name]["mean"]["tests"]["average"]["bleu"] for name in TITLES}
        assert rows["BA_NMT"]["Δ"].number == pytest.approx(bleu["ba_nmt"] - bleu["rnnsearch_star"])
        assert rows["BA_NMT"]["Δ"].text[0] in "+-" and rows["RNNsearch*"]["Δ"].text == "–"

    def test_ablation_is_against_the_baseline_wherever_it_stands(self, study: StudyResults):
        numbers = measured(study.document)
        frame = numbers.frame.loc[["ba_nmt", "rnnsearch_star"]]
        cells = grid(ABLATION.of(study, numbers._replace(frame=frame)).parts[""])
        assert cells["RNNsearch*"]["Δ"].number is None and cells["BA_NMT"]["Δ"].number is not None
        bleu = frame["tests.average.bleu"]
        assert cells["BA_NMT"]["Δ"].number == pytest.approx(bleu["ba_nmt"] - bleu["rnnsearch_star"])

    def test_ablation_without_its_baseline_has_no_differences(self, study: StudyResults):
        numbers = measured(study.document)
        found = ABLATION.of(study, numbers._replace(frame=numbers.frame.drop("rnnsearch_star")))
        assert {row["Δ"].text for row in grid(found.parts[""]).values()} == {"–"}

    def test_alignment(self, tables: dict[str, ReportTable]):
        table = tables["alignment"].parts[""]
        rows = grid(table)
        assert "RNNencdec" not in rows and len(rows) == 4 + 3 + 1
        assert (rows["Statistical alignment, forward (eflomal)"]["AER ↓"].text, table.names[-1]) == ("9.12", "")
        floor = rows["Floor: the best links, one a target word"]
        assert floor["AER ↓"].number == 7.125 and floor["SAER ↓"].text == "–"
        assert not any(cell.best for cells in list(rows.values())[4:] for cell in cells.values())
        length = "words of a sentence: 1.5 (zh) and 2.0 (en) in the gold set, 1.5 (zh) and 2.0 (en) in train"
        assert {"BLEU: mean over the test sets test, late", length} <= set(tables["alignment"].notes)
        assert any(cell.best for cell in rows["BA_NMT"].values()) or any(c.best for c in rows["SA & <NMT>"].values())

    def test_over_translation_is_the_average_of_the_test_sets(
        self, study: StudyResults, tables: dict[str, ReportTable]
    ):
        rows = grid(tables["over_translation"].parts[""])
        average = study.document["systems"]["ba_nmt"]["mean"]["tests"]["average"]
        assert rows["BA_NMT"]["ROT CD ↓"].number == average["rot_CD"]
        assert (rows["RNNencdec"]["ROT ↓"].text, rows["RNNencdec"]["1-gram BLEU ↑"].text[:1].isdigit()) == ("–", True)
        assert "mean over the test sets test, late; of counts, of their totals" in tables["over_translation"].notes

    def test_coverage_embeddings(self, study: StudyResults):
        numbers = measured(study.document)
        assert COVERAGE_EMBEDDINGS.of(study, numbers) is None, "none of these systems has any"
        frame = numbers.frame.copy()
        frame.loc["ba_nmt", ["coverage_left", "coverage_fertility"]] = 12.5, -0.25
        rows = grid(COVERAGE_EMBEDDINGS.of(study, numbers._replace(frame=frame)).parts[""])
        assert list(rows) == ["BA_NMT"]
        assert [cell.text for cell in rows["BA_NMT"].values()] == ["12.50", "-0.250"]

    def test_pos_confusion(self, study: StudyResults, tables: dict[str, ReportTable]):
        entry = tables["pos_confusion"]
        assert len(entry.parts) == 2 * 2
        shares = study.document["systems"]["sa_nmt"]["mean"]["tests"]["late"]["pos_confusion"]
        assert grid(entry.parts["late, same class"])["SA & <NMT>"]["V from V ↑"].number == shares["V"]["V"]
        others = sorted(((share, q) for q, share in shares["V"].items() if q != "V"), reverse=True)
        text = grid(entry.parts["late, largest other classes"])["SA & <NMT>"]["V"].text
        assert text == ", ".join(f"{q} {share:.2f}" for share, q in others[:2])
        assert len(entry.records) == 2 * 4 * len(CLASSES) * (len(CLASSES) + 1)
        of_one = entry.records.query("part == 'test' and variant == 'ba_nmt' and target == 'V'")
        assert of_one["percent"].sum() == pytest.approx(100)

    def test_length_buckets(self, study: StudyResults, tables: dict[str, ReportTable]):
        table = tables["length_buckets"].parts["test"]
        assert table.headings == ("System", "1-10 ↑")
        assert table.rows[0] == ("Sentences", (Cell("2", number=2.0),)) and table.names[0] == ""

    def test_perplexity_of_the_reverse_direction(self, tables: dict[str, ReportTable]):
        rows = grid(tables["perplexity"].parts[""])
        assert [cell.text for cell in rows["RNNsearch*"].values()] == ["5.50 ± 0.00", "8.83 ± 0.58"]
        assert list(rows) == ["RNNsearch*"]  # the only one that is trained in both directions

    def test_whose_values_do_not_compete_is_said_where_they_stand(self):
        why = {"ba_nmt": "", "bridging_direct": "longer", "lvnmt": "candidates", "smt": "", "two": "ensemble"}
        numbers = dict.fromkeys(("bleu", "bleu_sd", "aer", "aer_sd", "perplexity", "perplexity_sd"), 1.0)
        frame = pd.DataFrame.from_dict(
            {name: {"title": name, "apart": of, **numbers} for name, of in why.items()}, "index"
        )

        def said(*measures: str) -> str:
            return left_out([build(frame, [Column(one, one, "high", str) for one in measures], {})])

        any_of = "any of a system that was trained for longer (bridging_direct); any of an ensemble of models (two)"
        assert said("bleu") == any_of
        assert said("bleu", "aer") == f"{any_of}; links of a word aligner (smt)"
        assert said("perplexity") == f"{any_of}; the perplexity of a system that learned among candidates only (lvnmt)"

    def test_cost(self, tables: dict[str, ReportTable]):
        rows = grid(tables["cost"].parts[""])
        assert [cell.text for cell in rows["BA_NMT"].values()][:2] == ["2.50 M", "+1.00 M"]
        assert rows["RNNsearch*"]["more than the baseline"].text == "–"
        assert rows["RNNsearch*"]["wall time"].text == "1:02:05 ± 0:00:00"
        assert rows["RNNsearch*"]["best epoch"].text == "1.7 ± 0.6" and rows["RNNsearch*"]["epochs"].text == "2 ± 0"

    def test_transform(self, tables: dict[str, ReportTable]):
        entry = tables["transform"]
        assert list(entry.parts) == ["Precision", "Direct bridging, bridging_direct"]
        ((word, (count, nearest, lexicon)),) = entry.parts["Direct bridging, bridging_direct"].rows
        assert (word, count.text, nearest.text, lexicon) == ("北京", "1,200", "Beijing a|b", Cell("Beijing", True))
        assert list(grid(entry.parts["Precision"])) == ["Direct bridging"]
        assert "xeCJK" in latex(entry, "x")

    @pytest.mark.parametrize("joint", [True, False])
    def test_transform_says_where_words_are_of_both_languages(self, study: StudyResults, joint: bool):
        recipe = study.document["recipe"] | {"vocabulary": {"joint": joint}}
        of = study._replace(document=study.document | {"recipe": recipe})
        assert (BOTH + COUNTED in transform(of, measured(of.document)).notes) is joint

    def test_nothing_unknown_is_no_table(self, study: StudyResults):
        numbers = measured(study.document)
        above = "tests.average."
        same = {f"{above}{name}": numbers.frame[f"{above}bleu"] for name in ("bleu_unk_kept", "bleu_no_unk")}
        assert UNKNOWN_WORDS.of(study, numbers) is not None
        known = numbers.frame.assign(**same)
        assert UNKNOWN_WORDS.of(study, numbers._replace(frame=known)) is None
        known.loc["ba_nmt", f"{above}bleu_unk_kept"] -= 1
        assert UNKNOWN_WORDS.of(study, numbers._replace(frame=known)) is not None

    def test_data(self, tables: dict[str, ReportTable]):
        rows = grid(tables["data"].parts["Sets"])
        assert list(rows)[:2] == ["train, zh", "train, en"] and len(rows) == 2 * 5
        assert [cell.text for cell in rows["train, zh"].values()] == ["2", "3", "3", "–", "1.50", "3"]
        assert rows["dev, zh"]["known in train (%)"].number == pytest.approx(100 * 2 / 3)
        assert rows["test, en"]["known in train (%)"].text == "50.00"
        assert rows["test, en"]["different words"].text == "3"
        assert grid(tables["data"].parts["Pairs read for train"])["also in dev, test or gold"]["pairs"].text == "7"

    def test_data_says_which_pairs_and_pieces(self, study: StudyResults):
        made = {"train_text": {"max_length": 30}, "vocabulary": {"of": "byte pair encoding", "merges": 8000}}
        of = study._replace(document=study.document | {"recipe": study.document["recipe"] | made})
        assert {"train text: max length 30", "vocabulary: of byte pair encoding, merges 8,000"} <= set(
            data(of, measured(of.document)).notes
        )

    def test_data_in_pieces(self, tables: dict[str, ReportTable]):
        rows = grid(tables["data"].parts["Pieces"])
        assert list(rows)[:2] == ["train, zh", "train, en"] and len(rows) == 2 * 5
        # "a@@ b b", "e e" for what stats.json says are 3 and 4 words; zh knows a, b, c and en a, b, a@@
        assert [cell.text for cell in rows["test, zh"].values()] == ["5", "3", "1.667", "60.00"]
        assert [cell.text for cell in rows["test, en"].values()] == ["5", "3", "1.250", "40.00"]
        assert rows["train, zh"]["unknown to the model (%)"].number == 0
        assert rows["train, en"]["unknown to the model (%)"].number == pytest.approx(100 / 5)
        known = grid(tables["data"].parts["Vocabulary of the systems"])
        assert {language: cells["pieces in the vocabulary"].number for language, cells in known.items()} == {
            "zh": 3,
            "en": 3,
        }

    @pytest.mark.parametrize("line", ["a", "a b", " 3"])
    def test_a_damaged_dictionary_is_one_clear_error(self, tmp_path: Path, line: str):
        put(tmp_path / "dict.zh.txt", f"b 2\n{line}\n")
        with pytest.raises(InputError, match=r"dict\.zh\.txt, line 2: .*run the binarize stage again"):
            vocabularies(tmp_path, ["zh"])

    def test_differences(self, study: StudyResults, tables: dict[str, ReportTable]):
        entry = tables["differences"]
        assert next(iter(entry.parts)) == "BLEU, test set" and "AER, gold set" in entry.parts
        assert "RNNsearch*" not in grid(entry.parts["BLEU, test set"])
        assert entry.about.startswith("Baseline: RNNsearch*. Rivals: none. 19 resamples")
        assert set(entry.records["against"]) == {"rnnsearch_star"}

    def test_what_is_sorted_as_words_and_of_what_less_is_better(self, tables: dict[str, ReportTable]):
        parts = tables["differences"].parts
        assert parts["BLEU, test set"].words == {"over the seeds", "marks"}
        chances = {"p bootstrap", "p randomisation", "p Holm"}
        assert parts["BLEU, test set"].lower == chances
        assert parts["AER, gold set"].lower == chances | {"Δ", "95 % interval"}
        assert "wall time" in tables["cost"].parts[""].lower

    def test_of_a_measure_taken_elsewhere_the_file_says_which_way_is_better(self, study: StudyResults):
        sets = {name: of | {"metricx": of["bleu"]} for name, of in study.compared["sets"].items() if "bleu" in of}
        given = SimpleNamespace(name="metricx", better="low")
        parts = differences(study._replace(compared=study.compared | {"sets": sets}, given=(given,))).parts
        assert "Δ" in parts["metricx, test set"].lower and "Δ" not in parts["BLEU, test set"].lower

    def test_every_column_has_a_heading(self, tables: dict[str, ReportTable]):
        headings = {(name, part): table.headings for name, of in tables.items() for part, table in of.parts.items()}
        assert {place: found for place, found in headings.items() if not all(found)} == {}
