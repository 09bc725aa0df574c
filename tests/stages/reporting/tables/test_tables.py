"""Every table of a report: the three formats, and what each holds for studies of every shape."""

import copy
import csv
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stages.files.errors import InputError
from stages.measures.confusion import CLASSES
from stages.reporting import recipe
from stages.reporting.smaller import Smaller
from stages.reporting.study import Asked, Folders, Study, read_study
from stages.reporting.table import Cell, Column, Table
from stages.reporting.tables import latex as tex
from stages.reporting.tables import markdown as md
from stages.reporting.tables.ablation import ablation
from stages.reporting.tables.contents import entries
from stages.reporting.tables.entry import Entry
from stages.reporting.tables.formulas import formula
from stages.reporting.tables.latex import latex
from stages.reporting.tables.markdown import markdown, page
from stages.reporting.tables.measured import SHARED_MARKS, measured, notes, shown
from stages.reporting.tables.pieces import vocabularies
from stages.reporting.tables.tidy import COLUMNS, tidy
from stages.reporting.tables.training_sizes import MARKED, NOT_MARKED
from stages.reporting.tables.unknown_words import unknown_words
from stages.reporting.tables.write import listing, write_tables
from stages.scoring.catalogue import GROUPS
from stages.scoring.embedding_transform import transform_metrics
from stages.scoring.sentence_files import write_counts
from stages.scoring.values import values
from stages.settings.comparison import CompareSettings
from stages.settings.report import ReportSettings
from stages.settings.variants import VariantModel

HOSTILE = "a&b 50% $x$ #1 s_i {y} ~h ^2 \\n | *c* <d> [e] 中国"
SETTINGS = ReportSettings(sentence=None, shortest=4, longest=6, smaller=None)


def entry(table: Table, **changes: Any) -> Entry:
    return Entry("name", "Title", "About.", "Table 1", {"": table}, ("note",))._replace(**changes)


TABLE = Table(
    ("System", "BLEU ↑", "words"),
    (("A*", (Cell("30.12", True, "‡⋆", 30.123456789012345, 0.5), Cell("x y"))), ("B", (Cell("–"), Cell("–")))),
    ("a", "b"),
    frozenset({"words"}),
)


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
            ("two\nlines", "two lines"),
        ],
    )
    def test_escapes(self, text: str, escaped: str):
        assert tex.escape(text) == escaped

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


class TestCsv:
    def test_a_line_a_cell_in_full_precision(self):
        lines = list(csv.reader(io.StringIO(tidy(entry(TABLE)).to_csv(index=False))))
        assert lines == [
            list(COLUMNS),
            ["", "a", "A*", "BLEU", "30.123456789012344", "0.5", "‡⋆", "yes"],
            ["", "a", "A*", "words", "x y", "", "", ""],
            ["", "b", "B", "BLEU", "", "", "", ""],
            ["", "b", "B", "words", "", "", "", ""],
        ]

    def test_hostile_text_is_read_back(self):
        hostile = Table((HOSTILE, HOSTILE), (('"q", ' + HOSTILE, (Cell(HOSTILE),)),))
        (line,) = csv.DictReader(io.StringIO(tidy(entry(hostile)).to_csv(index=False)))
        assert (line["row"], line["column"], line["value"]) == ('"q", ' + HOSTILE, HOSTILE, HOSTILE)


# Made-up studies

ATTENTION = ("rot", "eos", "entropy", "coverage", "confusion")
ALIGNMENT = ("aer", "aer_renorm", "saer", "threshold")
TITLES = {
    "rnnencdec": "RNNencdec",
    "rnnsearch_star": "RNNsearch*",
    "sa_nmt": "SA & <NMT>",
    "ba_nmt": "BA_NMT",
    "bridging_direct": "Direct bridging",
}
WORDS = {
    "train": ("a b c", "a b"),
    "dev": ("a d", "b"),
    "gold": ("a", "c c"),
    "test": ("a b", "e e"),
    "late": ("c", "a"),
}
PIECES = WORDS | {"test": ("a@@ b b", "e e"), "dev": ("a@@ a d", "b")}
DICTIONARIES = {"zh": "a 2\nb 2\nc 1\nmadeupword0000 0\n", "en": "a 2\nb 2\na@@ 1\n"}
"""What the stages bpe and binarize left; fairseq fills dictionaries up with pieces of frequency 0."""


class Shape:
    """What a made-up study has."""

    def __init__(self, tests: tuple[str, ...] = ("test",), seeds: tuple[int, ...] = (1,), **lacks: bool):
        self.tests, self.seeds = tests, seeds
        self.gold, self.tags, self.attention = (lacks.get(name, True) for name in ("gold", "tags", "attention"))

    def counts(self, name: str, variant: str, seed: int) -> dict[str, np.ndarray]:
        attends = self.attention and variant != "rnnencdec"
        text = [group for group in GROUPS if group not in (*ATTENTION, *ALIGNMENT, "perplexity")]
        attention = [group for group in ATTENTION if self.tags or group != "confusion"]
        groups = [*text, *(attention if attends else ())] if name != "gold" else ALIGNMENT if attends else ()
        random = np.random.default_rng([seed, list(TITLES).index(variant), len(name)])
        found = {group: random.integers(1, 9, size=(2, len(GROUPS[group]))) for group in groups}
        if "rot" in found and not self.tags:
            found["rot"][:, 2:] = 0
        return found


def put(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), encoding="utf-8")


def made(folder: Path, shape: Shape, titles: Mapping[str, str] = TITLES) -> Study:
    """The files of a study of this shape, read."""
    sets = ["train", "dev", *shape.tests, *(["gold"] if shape.gold else [])]
    numbers = {"zh": 3, "en": 4}
    each = {"pairs": 2, "tokens": numbers, "mean_length": {"zh": 1.5, "en": 2.0}, "max_length": numbers}
    stats = {"corpus": "demo", "source": "zh", "target": "en", "tests": list(shape.tests), "gold": shape.gold}
    stats |= {"lowercase": False, "train_pairs": {"read": 9, "overlap": 7, "kept": 2}}
    stats |= {"sets": dict.fromkeys(sets, each)}
    put(folder / "corpus/stats.json", stats)
    for name in sets:
        for language in ("zh", "en"):
            put(folder / f"corpus/{name}.{language}", "".join(f"{line}\n" for line in WORDS[name]))
            put(folder / f"forward-bpe/bpe/{name}.{language}", "".join(f"{line}\n" for line in PIECES[name]))
    for language, frequencies in DICTIONARIES.items():
        put(folder / f"forward-bpe/bin/dict.{language}.txt", frequencies)
    aligned = {"aer": 9.125, "align_precision": 91.5, "align_recall": 90.5}
    aligners = dict.fromkeys(("forward", "reverse", "gdfa"), aligned if shape.gold else dict.fromkeys(aligned))
    put(folder / "wordalign/scores.json", {"aligners": aligners, "recipe": {"program": "eflomal"}})
    axis = folder / "forward-bpe"
    for variant in titles:
        for seed in shape.seeds:
            _put_run(axis, shape, variant, seed)
    compared = CompareSettings(baseline="rnnsearch_star", rivals=[], resamples=19, level=0.05, seed=1)
    models = {name: VariantModel(arch=name) for name in titles}
    asked = Asked(titles, shape.seeds, ["rnnsearch_star"], SETTINGS, compared, {}, models)
    return read_study(Folders(axis, *(folder / stage for stage in ("corpus", "wordalign", "tags"))), asked)


def _put_run(axis: Path, shape: Shape, variant: str, seed: int) -> None:
    cell = f"{variant}-{seed}"
    rows = {name: shape.counts(name, variant, seed) for name in (*shape.tests, "gold", "dev")}
    tests = {name: values(rows[name], "tests") for name in shape.tests}
    size = {"parameters": 1_000_000 + 500_000 * list(TITLES).index(variant)}
    metrics = tests[shape.tests[0]] | values(rows["gold"] if shape.gold else {}, "gold") | transform_metrics(None, {})
    metrics |= size | {"perplexity": 5.5, "perplexity_zh-en": 5.5, "aer_floor": 7.125 if shape.gold else None}
    metrics |= {"train_tokens_per_second": 4321.5, "wall_seconds": 3725.0}
    words = [{"word": "北京", "count": 1200, "nearest": ["Beijing", "a|b"], "lexicon": "Beijing"}]
    bridged = words if variant == "bridging_direct" else None
    if bridged:
        metrics |= {"transform_p1": 40.0, "transform_p5": 60.0, "transform_words": 1000.0}
    scores = {"metrics": metrics, "tests": tests, "dev": values(rows["dev"], "tests"), "transform": bridged}
    about = {"bleu": "tok:none|nrefs:1", "alignment": "gold", "decoding": "beam 10"}
    put(axis / f"scores/{cell}/scores.json", scores | {"recipe": about})
    for name in (*shape.tests, *(["gold"] if shape.gold else [])):
        write_counts(axis / f"scores/{cell}/{name}.csv", rows[name], 2)
    training = {"best_epoch": 1 + seed % 2, "versions": {}, "machine": {"cores": 2}}
    curve = "epoch,updates,dev_ppl,dev_bleu\n1,10,9.5,1.0\n2,20,8.5,2.0\n"
    for model in (axis / f"models/{cell}", axis / f"opposite/models/{cell}"):
        put(model / "training.json", training)
        put(model / "curve.csv", curve)


def found_in(study: Study) -> dict[str, Entry]:
    return {each.name: each for each in entries(study)}


def grid(table: Table) -> dict[str, dict[str, Cell]]:
    """Row -> heading -> cell."""
    return {title: dict(zip(table.headings[1:], cells, strict=True)) for title, cells in table.rows}


ALL = (
    *("main", "differences", "quality", "ablation", "length_buckets", "unknown_words", "alignment"),
    *("over_translation", "eos", "pos_confusion", "transform", "perplexity", "cost", "data", "formulas"),
)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Two test sets, three seeds."""
    return made(tmp_path_factory.mktemp("study"), Shape(("test", "late"), (1, 2, 3)))


@pytest.fixture(scope="module")
def tables(study: Study) -> dict[str, Entry]:
    return found_in(study)


class TestContents:
    def test_every_table_of_a_whole_study(self, tables: dict[str, Entry]):
        assert tuple(tables) == ALL

    def test_without_models_there_are_no_formulas(self, study: Study):
        assert "formulas" not in found_in(study._replace(asked=study.asked._replace(models={})))

    @pytest.mark.parametrize(
        ("shape", "without"),
        [
            (Shape(), set()),
            (Shape(gold=False), {"alignment"}),
            (Shape(tags=False), {"pos_confusion"}),
            (Shape(attention=False), {"alignment", "eos", "pos_confusion"}),
        ],
        ids=["one test set, one seed", "no gold set", "no tags", "no attention"],
    )
    def test_what_a_study_lacks_has_no_table(self, tmp_path: Path, shape: Shape, without: set[str]):
        found = found_in(made(tmp_path, shape))
        assert set(found) == set(ALL) - without
        for each in found.values():
            assert "nan" not in page(each) and "nan" not in latex(each, "x")

    def test_one_row_is_a_report_too(self, tmp_path: Path):
        found = found_in(made(tmp_path, Shape(), {"rnnsearch_star": "RNNsearch*"}))
        assert set(found) == set(ALL) - {"ablation", "transform"}

    def test_rows_follow_params(self, tables: dict[str, Entry]):
        for name in ("quality", "over_translation", "cost", "perplexity", "formulas"):
            for table in tables[name].parts.values():
                left = [variant for variant in TITLES if variant in table.names]
                assert list(table.names) == left, name

    def test_one_seed_has_no_deviation(self, tmp_path: Path):
        for each in found_in(made(tmp_path, Shape())).values():
            assert not any("±" in cell.text for table in each.parts.values() for cell in table.cells)
            assert not any("mean ±" in note for note in each.notes)

    def test_several_seeds_have_mean_and_deviation(self, study: Study, tables: dict[str, Entry]):
        system = study.document["systems"]["ba_nmt"]
        cell = grid(tables["quality"].parts["late"])["BA_NMT"]["BLEU ↑"]
        mean, sd = (system[part]["tests"]["late"]["bleu"] for part in ("mean", "sd"))
        assert (cell.number, cell.sd) == (mean, sd) and sd > 0
        assert cell.text == f"{mean:.2f} ± {sd:.2f}"
        assert "mean ± standard deviation over the seeds 1, 2, 3" in tables["quality"].notes

    def test_columns_without_a_value_are_left_out(self, tmp_path: Path):
        found = found_in(made(tmp_path, Shape(tags=False)))
        assert not any("NN" in heading for heading in found["over_translation"].parts[""].headings)
        assert "RNNencdec" not in grid(found["eos"].parts[""])

    def test_marks_and_best(self, study: Study):
        numbers = measured(study.document, study.compared)
        column = Column("tests.test.bleu", "BLEU", "high", "{:.2f}".format, spread=False)
        marks = {("sa_nmt", "tests.test.bleu"): "‡"}
        cells = {title: cell for title, (cell,) in shown(numbers._replace(marks=marks), [column]).rows}
        assert {title for title, cell in cells.items() if cell.marks} == {"SA & <NMT>"}
        assert max(cell.number for cell in cells.values()) == next(c.number for c in cells.values() if c.best)

    def test_an_average_has_the_marks_of_every_test_set(self):
        def sets(**marks: str) -> dict[str, Any]:
            of = {name: {"bleu": {"sa_nmt": {"marks": mark}, "rnnencdec": None}} for name, mark in marks.items()}
            return {"settings": {"baseline": "rnnsearch_star"}, "left_out": [], "sets": of}

        document = {"systems": {"sa_nmt": {"title": "SA", "mean": {"aer": 1.0}, "sd": {"aer": None}}}}
        marks = measured(document, sets(test="‡⋆", late="‡")).marks
        assert [marks["sa_nmt", f"tests.{name}.bleu"] for name in ("test", "late", "average")] == ["‡⋆", "‡", "‡"]
        assert not any(variant == "rnnencdec" for variant, _ in marks)

    def test_the_footnote_explains_marks_where_there_are_some(self, study: Study):
        marked = Table(("System", "x"), (("A", (Cell("1", marks="‡"),)),))
        assert any(note.startswith("marks: ‡ better than rnnsearch_star") for note in notes(study, [marked], ()))
        assert SHARED_MARKS in notes(study, [marked], ())
        assert not any("marks:" in note for note in notes(study, [TABLE._replace(rows=())], ()))


class TestTables:
    def test_ablation(self, study: Study, tables: dict[str, Entry]):
        rows = grid(tables["ablation"].parts[""])
        assert list(rows) == ["RNNsearch*", "SA & <NMT>", "BA_NMT"]
        assert list(rows["BA_NMT"]) == ["BLEU test ↑", "BLEU late ↑", "BLEU average ↑", "Δ"]
        bleu = {name: study.document["systems"][name]["mean"]["tests"]["average"]["bleu"] for name in TITLES}
        assert rows["BA_NMT"]["Δ"].number == pytest.approx(bleu["ba_nmt"] - bleu["rnnsearch_star"])
        assert rows["BA_NMT"]["Δ"].text[0] in "+-" and rows["RNNsearch*"]["Δ"].text == "–"

    def test_ablation_is_against_the_baseline_wherever_it_stands(self, study: Study):
        numbers = measured(study.document, study.compared)
        frame = numbers.frame.loc[["ba_nmt", "rnnsearch_star"]]
        cells = grid(ablation(study, numbers._replace(frame=frame)).parts[""])
        assert cells["RNNsearch*"]["Δ"].number is None and cells["BA_NMT"]["Δ"].number is not None
        bleu = frame["tests.average.bleu"]
        assert cells["BA_NMT"]["Δ"].number == pytest.approx(bleu["ba_nmt"] - bleu["rnnsearch_star"])

    def test_ablation_without_its_baseline_has_no_differences(self, study: Study):
        numbers = measured(study.document, study.compared)
        found = ablation(study, numbers._replace(frame=numbers.frame.drop("rnnsearch_star")))
        assert {row["Δ"].text for row in grid(found.parts[""]).values()} == {"–"}

    def test_alignment(self, tables: dict[str, Entry]):
        table = tables["alignment"].parts[""]
        rows = grid(table)
        assert "RNNencdec" not in rows and len(rows) == 4 + 3 + 1
        assert (rows["Statistical alignment, forward (eflomal)"]["AER ↓"].text, table.names[-1]) == ("9.12", "")
        floor = rows["Floor: the best links, one a target word"]
        assert floor["AER ↓"].number == 7.125 and floor["SAER ↓"].text == "–"
        assert not any(cell.best for cells in list(rows.values())[4:] for cell in cells.values())
        assert any(cell.best for cell in rows["BA_NMT"].values()) or any(c.best for c in rows["SA & <NMT>"].values())

    def test_over_translation_is_the_average_of_the_test_sets(self, study: Study, tables: dict[str, Entry]):
        rows = grid(tables["over_translation"].parts[""])
        average = study.document["systems"]["ba_nmt"]["mean"]["tests"]["average"]
        assert rows["BA_NMT"]["ROT CD ↓"].number == average["rot_CD"]
        assert (rows["RNNencdec"]["ROT ↓"].text, rows["RNNencdec"]["1-gram BLEU ↑"].text[:1].isdigit()) == ("–", True)
        assert "mean over the test sets test, late" in tables["over_translation"].notes

    def test_pos_confusion(self, study: Study, tables: dict[str, Entry]):
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

    def test_length_buckets(self, study: Study, tables: dict[str, Entry]):
        table = tables["length_buckets"].parts["test"]
        assert table.headings == ("System", "1-10 ↑")
        assert table.rows[0] == ("Sentences", (Cell("2", number=2.0),)) and table.names[0] == ""

    def test_perplexity_of_the_opposite_direction(self, tables: dict[str, Entry]):
        rows = grid(tables["perplexity"].parts[""])
        assert [cell.text for cell in rows["RNNsearch*"].values()] == ["5.50 ± 0.00", "8.83 ± 0.58"]
        assert list(rows) == ["RNNsearch*"]  # the only one that is trained in both directions

    def test_cost(self, tables: dict[str, Entry]):
        rows = grid(tables["cost"].parts[""])
        assert [cell.text for cell in rows["BA_NMT"].values()][:2] == ["2.50 M", "+1.00 M"]
        assert rows["RNNsearch*"]["more than the baseline"].text == "–"
        assert rows["RNNsearch*"]["wall time"].text == "1:02:05 ± 0:00:00"
        assert rows["RNNsearch*"]["best epoch"].text == "1.7 ± 0.6" and rows["RNNsearch*"]["epochs"].text == "2 ± 0"

    def test_transform(self, tables: dict[str, Entry]):
        entry = tables["transform"]
        assert list(entry.parts) == ["Precision", "Direct bridging, bridging_direct"]
        ((word, (count, nearest, lexicon)),) = entry.parts["Direct bridging, bridging_direct"].rows
        assert (word, count.text, nearest.text, lexicon) == ("北京", "1,200", "Beijing a|b", Cell("Beijing", True))
        assert list(grid(entry.parts["Precision"])) == ["Direct bridging"]
        assert "xeCJK" in latex(entry, "x")

    def test_nothing_unknown_is_no_table(self, study: Study):
        numbers = measured(study.document, study.compared)
        above = "tests.average."
        same = {f"{above}{name}": numbers.frame[f"{above}bleu"] for name in ("bleu_unk_kept", "bleu_no_unk")}
        assert unknown_words(study, numbers) is not None
        known = numbers.frame.assign(**same)
        assert unknown_words(study, numbers._replace(frame=known)) is None
        known.loc["ba_nmt", f"{above}bleu_unk_kept"] -= 1
        assert unknown_words(study, numbers._replace(frame=known)) is not None

    def test_data(self, tables: dict[str, Entry]):
        rows = grid(tables["data"].parts["Sets"])
        assert list(rows)[:2] == ["train, zh", "train, en"] and len(rows) == 2 * 5
        assert [cell.text for cell in rows["train, zh"].values()] == ["2", "3", "3", "–", "1.50", "3"]
        assert rows["dev, zh"]["known in train (%)"].number == pytest.approx(100 * 2 / 3)
        assert rows["test, en"]["known in train (%)"].text == "50.00"
        assert rows["test, en"]["different words"].text == "3"
        assert grid(tables["data"].parts["Pairs read for train"])["also in dev, test or gold"]["pairs"].text == "7"

    def test_data_in_pieces(self, tables: dict[str, Entry]):
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

    def test_differences(self, study: Study, tables: dict[str, Entry]):
        entry = tables["differences"]
        assert next(iter(entry.parts)) == "BLEU, test set" and "AER, gold set" in entry.parts
        assert "RNNsearch*" not in grid(entry.parts["BLEU, test set"])
        assert entry.about.startswith("Baseline: RNNsearch*. Rivals: none. 19 resamples")
        assert set(entry.records["against"]) == {"rnnsearch_star"}


def beside(study: Study, document: dict[str, Any] | None) -> Study:
    """`study` with the report of a smaller one."""
    files = (Path(f"reports/{corpus}/metrics.json") for corpus in ("demo-small", "demo"))
    return study._replace(smaller=Smaller(*files, document))


def of_half(study: Study) -> dict[str, Any]:
    """metrics.json of a study like this one, but for a training pair less, other numbers and a row less."""
    document = copy.deepcopy(study.document)
    document["recipe"]["data"]["sets"]["train"] |= {"pairs": 1, "tokens": {"zh": 1, "en": 2}}
    del document["systems"]["sa_nmt"]
    for rank, system in enumerate(document["systems"].values()):
        system["mean"]["tests"]["average"] |= {"bleu": 10.0 + rank**2, "ter_minus_bleu_half": 50.0 - rank}
    return document


def marked(study: Study, *marks: tuple[str, str, str, str]) -> dict[str, Any]:
    """comparisons.json of the study with these marks and no others: set, measure, row, marks."""
    compared = copy.deepcopy(study.compared)
    for measures in compared["sets"].values():
        for entry in (entry for rows in measures.values() for entry in rows.values() if entry):
            entry["marks"] = ""
    for name, measure, row, mark in marks:
        compared["sets"][name][measure][row]["marks"] = mark
    return compared


def changed(document: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """`document` with another value at a dotted path."""
    node = document
    *above, last = path.split(".")
    for key in above:
        node = node[key]
    node[last] = value
    return document


class TestTrainingSizes:
    def test_has_both_sizes_and_at_each_the_difference_to_the_baseline(self, study: Study):
        entry = found_in(beside(study, of_half(study)))["training_sizes"]
        assert list(entry.parts) == ["BLEU", "(TER−BLEU)/2", "AER", "dev perplexity"]
        table = entry.parts["BLEU"]
        assert table.headings == ("System", "BLEU, 1 pairs ↑", "Δ, 1 pairs", "BLEU, 2 pairs ↑", "Δ, 2 pairs")
        assert table.names == ("rnnencdec", "rnnsearch_star", "ba_nmt", "bridging_direct")
        cells = grid(table)
        large = {name: system["mean"]["tests"]["average"]["bleu"] for name, system in study.document["systems"].items()}
        assert [cells["BA_NMT"][heading].number for heading in table.headings[1:]] == pytest.approx(
            [14.0, 3.0, large["ba_nmt"], large["ba_nmt"] - large["rnnsearch_star"]]
        )
        assert cells["BA_NMT"]["Δ, 1 pairs"].text == "+3.00" and cells["RNNencdec"]["Δ, 1 pairs"].text == "-1.00"
        assert [cells["RNNsearch*"][heading].text for heading in ("Δ, 1 pairs", "Δ, 2 pairs")] == ["–", "–"]
        best = [title for title, row in cells.items() if row["BLEU, 1 pairs ↑"].best]
        assert best == ["Direct bridging"]
        assert grid(entry.parts["AER"])["RNNencdec"]["AER, 1 pairs ↓"].text == "–"
        assert entry.mirrors == "Mi et al. (2016), Table 2"
        assert "the smaller size: corpus demo-small" in entry.notes
        assert not any(note.startswith("not only") for note in entry.notes)

    def test_differences_are_marked_by_the_comparisons_of_their_size(self, study: Study):
        """An average has the marks that every test set has; AER those of the gold set."""
        small = marked(
            study,
            *(("test", "bleu", "ba_nmt", "‡⋆"), ("late", "bleu", "ba_nmt", "‡"), ("late", "bleu", "rnnencdec", "‡")),
            ("gold", "aer", "ba_nmt", "⋆"),
        )
        large = marked(study, *((name, "bleu", "bridging_direct", "‡") for name in ("test", "late")))
        both = beside(study._replace(compared=large), of_half(study))
        entry = found_in(both._replace(smaller=both.smaller._replace(compared=small)))["training_sizes"]
        found = {
            (part, title, heading): cell.marks
            for part, table in entry.parts.items()
            for title, row in grid(table).items()
            for heading, cell in row.items()
            if cell.marks
        }
        assert found == {
            ("BLEU", "BA_NMT", "Δ, 1 pairs"): "‡",
            ("AER", "BA_NMT", "Δ, 1 pairs"): "⋆",
            ("BLEU", "Direct bridging", "Δ, 2 pairs"): "‡",
        }
        assert any(note.startswith("marks: ‡ better than rnnsearch_star: approximate") for note in entry.notes)
        assert MARKED in entry.notes and NOT_MARKED not in entry.notes

    def test_where_nothing_is_more_than_chance_nothing_is_said_of_marks(self, study: Study):
        both = beside(study._replace(compared=marked(study)), of_half(study))
        entry = found_in(both._replace(smaller=both.smaller._replace(compared=marked(study))))["training_sizes"]
        assert not any("marks" in note for note in entry.notes)

    @pytest.mark.parametrize("other", [None, "‡ better than ba_nmt: another test"], ids=["missing", "of another kind"])
    def test_comparisons_that_are_not_alike_mark_nothing(self, study: Study, other: str | None):
        compared = marked(study, *((name, "bleu", "ba_nmt", "‡") for name in ("test", "late")))
        both = beside(study._replace(compared=compared), of_half(study))
        if other:
            changed(both.smaller.document, "recipe.differences", other)
            both = both._replace(smaller=both.smaller._replace(compared=compared))
        entry = found_in(both)["training_sizes"]
        assert not any(cell.marks for table in entry.parts.values() for cell in table.cells)
        assert NOT_MARKED in entry.notes and MARKED not in entry.notes
        assert not any(note.startswith("marks:") for note in entry.notes)

    def test_is_written_like_every_table(self, study: Study, tmp_path: Path):
        both = beside(study, of_half(study))
        write_tables(both, entries(both), tmp_path)
        assert r"\label{tab:demo-training-sizes-1}" in (tmp_path / "training_sizes.tex").read_text(encoding="utf-8")
        lines = list(csv.DictReader((tmp_path / "training_sizes.csv").open(encoding="utf-8")))
        assert {line["column"] for line in lines if line["part"] == "AER"} == {
            *("AER, 1 pairs", "AER, 2 pairs", "Δ, 1 pairs", "Δ, 2 pairs")
        }
        assert "](training_sizes.md)" in (tmp_path / "README.md").read_text(encoding="utf-8")

    def test_a_size_without_the_baseline_has_no_differences(self, study: Study):
        document = of_half(study)
        del document["systems"]["rnnsearch_star"]
        cells = grid(found_in(beside(study, document))["training_sizes"].parts["BLEU"])
        assert {row["Δ, 1 pairs"].text for row in cells.values()} == {"–"}
        assert all(row["Δ, 2 pairs"].number is not None for row in cells.values())

    def test_a_measure_that_one_size_lacks_has_no_part(self, study: Study):
        """Without a gold set it has no value; a report of an older version may not name it."""
        document = of_half(study)
        for system in document["systems"].values():
            system["mean"]["aer"] = None
            del system["mean"]["perplexity"], system["sd"]["perplexity"]
        parts = found_in(beside(study, document))["training_sizes"].parts
        assert list(parts) == ["BLEU", "(TER−BLEU)/2"]

    def test_without_a_row_in_common_there_is_no_table(self, study: Study):
        document = of_half(study)
        document["systems"] = {"other": document["systems"]["ba_nmt"]}
        assert "training_sizes" not in found_in(beside(study, document))

    @pytest.mark.parametrize(
        ("betas", "seeds", "other"), [([0.9, 0.98], [7], "seeds"), ([0.9, 0.99], [1, 2, 3], "training")]
    )
    def test_says_what_else_differs(self, study: Study, betas: list[float], seeds: list[int], other: str):
        """The recipe of params.yaml has tuples where that of a file has lists."""
        of_file = changed(changed(of_half(study), "recipe.training", {"adam_betas": betas}), "recipe.seeds", seeds)
        document = changed(copy.deepcopy(study.document), "recipe.training", {"adam_betas": (0.9, 0.98)})
        notes = found_in(beside(study._replace(document=document), of_file))["training_sizes"].notes
        assert [note for note in notes if note.startswith("not only")] == [
            f"not only the training text differs: {other}"
        ]

    def test_a_report_that_was_not_made_is_one_line_of_notes(self, study: Study):
        found = found_in(beside(study, None))
        assert "training_sizes" not in found
        (line,) = set(found["quality"].notes) - set(found_in(study)["quality"].notes)
        assert line.startswith(
            "no table of two training sizes: reports/demo-small/metrics.json is missing; set corpus: "
        )
        assert "make repro" in line

    def test_where_params_names_none_nothing_is_said(self, tables: dict[str, Entry]):
        assert not any("two training sizes" in note for note in tables["quality"].notes)

    @pytest.mark.parametrize(
        ("path", "value", "message"),
        [
            ("bleu", "tok:13a|nrefs:1", r"BLEU signature: tok:13a\|nrefs:1, tok:none\|nrefs:1"),
            ("segmentation", "words", "segmentation: words, bpe"),
            ("data.tests", ["test"], "test sets: test; test, late"),
            ("data.sets.late.pairs", 3, "sentences of late: 3, 2"),
            ("data.sets.gold.tokens", {"zh": 3, "en": 5}, "words of gold: 3 zh and 5 en, 3 zh and 4 en"),
            ("data.sets.train.pairs", 2, "training pairs: 2 are not fewer than 2"),
        ],
    )
    def test_what_does_not_compare_is_one_clear_error(self, study: Study, path: str, value: Any, message: str):
        document = changed(of_half(study), f"recipe.{path}", value)
        files = r"reports/demo-small/metrics\.json and reports/demo/metrics\.json do not compare: "
        with pytest.raises(InputError, match=files + message + r"\. .*corpora\.demo\.report\.smaller to null"):
            found_in(beside(study, document))

    def test_another_direction_is_one_clear_error(self, study: Study):
        document = of_half(study)
        both = changed(copy.deepcopy(study.document), "recipe.direction", "zh-en")
        document["recipe"]["direction"] = "en-zh"
        with pytest.raises(InputError, match="direction: en-zh, zh-en"):
            found_in(beside(study._replace(document=both), document))


class TestFormulas:
    @pytest.mark.parametrize(
        ("model", "expected"),
        [
            (VariantModel(arch="rnnsearch"), "e_ij = v^T tanh(W_a s_{i-1} + U_a h_j)"),
            (
                VariantModel(arch="attnmt", terms=["source_history", "markov_bias"]),
                "e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a + V_h ~h_j^{i-1} + W_m xi(alpha_{i-1}, j))",
            ),
            (VariantModel(arch="attnmt", terms=["direct_bridging"]), "e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a)"),
            (VariantModel(arch="transformer"), "–"),
        ],
    )
    def test_is_read_from_the_code(self, model: VariantModel, expected: str):
        assert formula(model) == expected

    def test_is_that_of_the_list_of_variants(self):
        from fairseq_plugins import registry
        from fairseq_plugins.listing.architectures import paragraphs, system

        for name in registry.names():
            listed = paragraphs(system(name))["Formula"]
            assert formula(VariantModel(arch=name)) == listed.replace(" + the terms named", "") != ""

    def test_follows_params(self, tables: dict[str, Entry]):
        table = tables["formulas"].parts[""]
        assert table.names == tuple(TITLES)
        assert "V_h ~h_j^{i-1} + V_s ~s_j^{i-1}" in grid(table)["BA_NMT"]["formula"].text


RECIPE = {"bleu": "tok:none|nrefs:1", "model": {"embed_dim": 8}, "aer_floor": 1.25}


class TestRecipe:
    def test_short_takes_what_is_asked_and_there(self):
        assert recipe.short(RECIPE, ["model", "gone", "bleu"]) == ("model: embed dim 8", "BLEU: tok:none|nrefs:1")

    def test_footnotes_escape(self):
        assert "- BLEU: tok:none\\|nrefs:1\n" in recipe.footnotes(RECIPE)


class TestFiles:
    def test_three_files_a_table_and_a_list(self, study: Study, tmp_path: Path):
        write_tables(study, entries(study), tmp_path)
        files = {path.name for path in tmp_path.iterdir()}
        assert files == {"README.md", *(f"{name}.{kind}" for name in ALL for kind in ("md", "csv", "tex"))}
        listed = (tmp_path / "README.md").read_text(encoding="utf-8")
        linked = set(re.findall(r"\]\(([\w.]+)\)", listed))
        assert linked == files - {"README.md"}
        main = list(csv.DictReader((tmp_path / "main.csv").open(encoding="utf-8")))
        assert [row["variant"] for row in main][: len(TITLES)] == list(TITLES)
        assert float(main[0]["bleu"]) == study.frame["bleu"].iloc[0]
        assert r"tok:none\|nrefs:1" in (tmp_path / "main.md").read_text(encoding="utf-8")
        assert r"\label{tab:demo-main}" in (tmp_path / "main.tex").read_text(encoding="utf-8")

    def test_writing_again_gives_the_same_bytes(self, tmp_path: Path):
        for name in ("first", "second"):
            (tmp_path / name).mkdir()
            study = made(tmp_path / f"study_{name}", Shape())
            write_tables(study, entries(study), tmp_path / name)
        for path in (tmp_path / "first").iterdir():
            assert path.read_bytes() == (tmp_path / "second" / path.name).read_bytes()

    def test_a_removed_row_disappears_everywhere(self, tmp_path: Path):
        study = made(tmp_path / "study", Shape(), {k: v for k, v in TITLES.items() if k != "sa_nmt"})
        write_tables(study, entries(study), tmp_path)
        for path in tmp_path.iterdir():
            if path.is_file():
                text = path.read_text(encoding="utf-8")
                assert "sa_nmt" not in text and "SA &" not in text, path.name

    def test_the_list_names_the_counterparts(self, tables: dict[str, Entry]):
        line = next(line for line in listing(list(tables.values())).splitlines() if "](eos.md)" in line)
        assert line.endswith("Counterpart of Kuang et al. (2018), Table 2.")
