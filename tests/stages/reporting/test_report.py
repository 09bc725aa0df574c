import csv
import json
import re
import warnings
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
import yaml
from fontTools.ttLib import TTFont
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont

from stages.files.errors import InputError
from stages.measures.gold_links import parse
from stages.report import main, report
from stages.reporting import fonts, recipe, summary
from stages.reporting.aligners import TITLES as ALIGNERS
from stages.reporting.aligners import aligner_frame
from stages.reporting.attention import read_chosen
from stages.reporting.curves import curves_frame
from stages.reporting.figures import write as figures
from stages.reporting.figures.contents import OF_STUDY
from stages.reporting.heat_map import HeatMap, heat_maps
from stages.reporting.main_table import main_table
from stages.reporting.results import Run, System, leaves
from stages.reporting.sentence import choices, crossings
from stages.reporting.study import Asked, Folders, read_study
from stages.reporting.style import line_of, rc, save
from stages.reporting.table import Cell, Column, build
from stages.reporting.tables.markdown import markdown
from stages.scoring.catalogue import GROUPS
from stages.scoring.embedding_transform import transform_metrics
from stages.scoring.inputs import read_text
from stages.scoring.sentence_files import write_counts
from stages.scoring.values import values
from stages.settings.comparison import CompareSettings
from stages.settings.report import ReportSettings
from stages.settings.variants import VariantModel
from tests.helpers.paths import ROOT

TITLES = {"star": "RNNsearch*", "plain": "RNNencdec (Cho et al.)"}
RECIPE = {"test_set": "test", "direction": "zh-en"}
BRIDGED = [{"word": "北京", "count": 12, "nearest": ["Beijing", "a|b"], "lexicon": "Beijing"}]
SETTINGS = ReportSettings(sentence=None, shortest=4, longest=6, smaller=None)
SOURCE = ["昨天 他 到 了 北京 。", "代表团 讨论 了 合作 计划"]
TARGET = ["he arrived in Beijing yesterday .", "the delegation discussed cooperation"]
STATISTICAL = {
    "forward": {"aer": 9.125, "align_precision": 91.5, "align_recall": 90.5},
    "reverse": {"aer": 8.125, "align_precision": 93.5, "align_recall": 92.5},
    "gdfa": {"aer": 7.125, "align_precision": 95.5, "align_recall": 94.5},
}
ALIGN = ["0-4 1-0 2-1 2?2 3?1 4-3 5-5", "0-1 1-2 3-3"]


FIGURES = (*OF_STUDY, "attention/reordering", "attention/fertility")

ATTENTION = ("rot", "eos", "entropy", "coverage", "confusion")
GOLD = ("aer", "aer_renorm", "saer", "threshold")


def rows_of_counts(groups: Iterable[str], seed: int) -> dict[str, np.ndarray]:
    """Counts of two sentences, as the score stage might have found them."""
    rng = np.random.default_rng(seed)
    return {group: rng.integers(1, 9, size=(2, len(GROUPS[group]))) for group in groups}


def counts(name: str, seed: int, attends: bool) -> dict[str, np.ndarray]:
    """Of the set `name`."""
    if name == "gold":
        return rows_of_counts(GOLD, seed) if attends else {}
    text = [group for group in GROUPS if group not in (*GOLD, *ATTENTION, "perplexity")]
    return rows_of_counts([*text, *(ATTENTION if attends else ())], seed)


def metrics(bleu: float, aer: float | None, seed: int) -> dict:
    """Of a first test set and the gold set; without `aer` those of a system that does not attend."""
    attends = aer is not None
    found = values(counts("test", seed, attends), "tests") | values(counts("gold", seed, attends), "gold")
    aligned = dict.fromkeys(("aer", "saer", "align_precision", "align_recall", "rot"), aer)
    return found | {
        "bleu": bleu,
        "bleu_cased": bleu - 1,
        "perplexity": 5.25,
        "perplexity_zh-en": 5.25,
        **aligned,
        **transform_metrics(None, {}),
        "aer_floor": 7.125,
        "repeated_phrases": 3,
        "parameters": 1_234_567,
        "train_tokens_per_second": 4321.9,
        "wall_seconds": 3725.0,
    }


def run_of(seed: int, bleu: float, aer: float | None = 20.0, epochs: int = 3) -> Run:
    epoch = range(1, epochs + 1)
    curve = pd.DataFrame(
        {
            "epoch": epoch,
            "updates": [10 * e for e in epoch],
            "train_loss": [5.0 / e for e in epoch],
            "dev_ppl": [50.0 / e for e in epoch],
            "dev_bleu": [bleu * e / epochs for e in epoch],
        }
    )
    recipe = {"test_set": "test", "machine": {"cores": 2}}
    tests = {name: {"bleu": bleu} for name in ("test", "test2", "average")}
    measured = metrics(bleu, aer, seed) | {"tests": tests, "dev": {"bleu": bleu}}
    return Run(seed, measured, recipe, curve, epochs, None)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def record(source: str, target: str, attends: bool) -> str:
    """A line of the evaluate stage; the last source word is in two pieces, and attention is even over the pieces."""
    *words, last = source.split()
    pieces, targets = [*words, f"{last}@@", "x", "</s>"], [*target.split(), "</s>"]
    rows = [[1 / len(pieces)] * len(pieces)] * len(targets) if attends else None
    return json.dumps(
        {
            "source": pieces,
            "target": targets,
            "attention": rows,
            "score": -1.0,
            "positional": [-0.5] * len(targets),
            "finished": True,
        },
        ensure_ascii=False,
    )


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Files of the stages before, for two systems with two seeds; `plain` has no attention."""
    corpus, axis = tmp_path / "corpus", tmp_path / "forward-bpe"
    stats = {"corpus": "demo", "source": "zh", "target": "en", "tests": ["test", "test2"], "gold": True}
    each = {"mean_length": {"zh": 5.5, "en": 5.0}, "max_length": {"zh": 6, "en": 6}}
    sets = {name: each | {"pairs": 2, "tokens": {"zh": 11, "en": 10}} for name in ("dev", "test", "test2", "gold")}
    stats |= {"sets": {"train": each | {"pairs": 6000, "tokens": {"zh": 61234, "en": 70001}}, **sets}}
    stats |= {"lowercase": False, "train_pairs": {"read": 6012, "overlap": 12, "kept": 6000}}
    write(corpus / "stats.json", json.dumps(stats))
    for name in ("train", "dev", "gold", "test", "test2"):
        write(corpus / f"{name}.zh", "\n".join(SOURCE) + "\n")
        write(corpus / f"{name}.en", "\n".join(TARGET) + "\n")
        write(axis / f"bpe/{name}.zh", "\n".join(SOURCE) + "\n")
        write(axis / f"bpe/{name}.en", "\n".join(TARGET) + "\n")
        write(corpus / f"{name}.ref0.en", "\n".join(TARGET) + "\n")
    for language, lines in (("zh", SOURCE), ("en", TARGET)):
        write(
            axis / f"bin/dict.{language}.txt", "".join(f"{word} 1\n" for word in sorted(set(" ".join(lines).split())))
        )
    write(corpus / "gold.align", "\n".join(ALIGN) + "\n")
    aligned = {"program": "eflomal 2.0.0", "text": "train, gold are aligned together"}
    write(tmp_path / "wordalign/scores.json", json.dumps({"aligners": STATISTICAL, "recipe": aligned}))
    untagged = {"tagger": None, "why": "none knows it", "tags_of_new_text": None, "words": None, "accuracy": None}
    write(tmp_path / "tags/about.json", json.dumps({"zh": untagged, "en": untagged}))
    for variant, bleu, attends in (("star", 30.0, True), ("plain", 10.0, False)):
        for seed in (1, 2):
            cell = f"{variant}-{seed}"
            run = run_of(seed, bleu + seed, 20.0 if attends else None)
            measured = metrics(bleu + seed, 20.0 if attends else None, seed)
            tests = {name: measured | {"bleu": bleu + seed + k} for k, name in enumerate(("test", "test2"))}
            scores = {"variant": variant, "seed": seed, "metrics": measured, "tests": tests, "dev": measured}
            scores |= {"transform": BRIDGED if attends else None, "recipe": {**RECIPE, "rule": "a|b*c"}}
            write(axis / f"scores/{cell}/scores.json", json.dumps(scores))
            for name in ("test", "test2", "gold"):
                write_counts(axis / f"scores/{cell}/{name}.csv", counts(name, seed, attends), len(SOURCE))
            training = {"best_epoch": 2, "versions": {"torch": "2.13.0"}, "machine": {"cores": 2}}
            write(axis / f"models/{cell}/training.json", json.dumps(training))
            run.curve.to_csv(axis / f"models/{cell}/curve.csv", index=False)
            if variant == "star":
                opposite = axis / f"opposite/models/{cell}"
                write(opposite / "training.json", json.dumps(training))
                run.curve.assign(dev_ppl=[9.0, 8.0 + seed, 7.0]).to_csv(opposite / "curve.csv", index=False)
            lines = [record(source, target, attends) for source, target in zip(SOURCE, TARGET, strict=True)]
            for file in ("gold.forced.jsonl", "test.jsonl", "test2.jsonl"):
                write(axis / f"translations/{cell}/{file}", "\n".join(lines) + "\n")
    return tmp_path


@pytest.fixture(autouse=True)
def empty_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures have tests of their own: here they are drawn, but their files are empty."""

    def touch(*endings: str) -> Callable[..., None]:
        def save(_: Figure, stem: Path, dpi: int = 0) -> None:
            for ending in endings:
                write(stem.with_name(stem.name + ending), "")

        return save

    monkeypatch.setattr(figures, "save", touch(".png", ".svg"))
    monkeypatch.setattr(figures, "save_png", touch(".png"))


def make(study: Path, titles: dict[str, str] = TITLES, seeds: tuple[int, ...] = (1, 2)) -> Path:
    compare = CompareSettings(baseline="plain", rivals=["gone"], resamples=99, level=0.05, seed=1)
    opposite = [variant for variant in titles if variant == "star"]
    recipes = {"training": {"lr": 0.01}, "model": {"embed_dim": 8, "hidden_dim": 9}}
    folders = Folders(study / "forward-bpe", *(study / stage for stage in ("corpus", "wordalign", "tags")))
    models = {name: VariantModel(arch={"star": "rnnsearch_star", "plain": "rnnencdec"}[name]) for name in titles}
    asked = Asked(titles, seeds, opposite, SETTINGS, compare, recipes, models)
    report(read_study(folders, asked), study / "reports/demo")
    return study / "reports/demo"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


# The report as a whole


def test_report_holds_every_file_and_nothing_else(study: Path) -> None:
    files = set(contents(make(study)))
    assert {name for name in files if name.startswith("tables/papers/")} >= {"tables/papers/papers.md"}
    names = {"main", "differences", "quality", "unknown_words", "length_buckets", "alignment", "over_translation"}
    names |= {"eos", "pos_confusion", "transform", "perplexity", "cost", "data", "formulas"}
    assert {name for name in files if not name.startswith(("tables/papers/", "figures/examples/"))} == {
        "comparisons.json",
        "examples.md",
        "index.html",
        "learning_curves.csv",
        "metrics.json",
        "summary.json",
        "tables/README.md",
        *(f"tables/{name}.{kind}" for name in names for kind in ("md", "csv", "tex")),
        *(f"figures/{name}{ending}" for name in FIGURES for ending in (".png", ".svg")),
        "figures/attention/reordering_all.png",
        "figures/attention/fertility_all.png",
    }
    assert {path.name for path in (study / "reports").iterdir()} == {"demo"}


def test_rebuilding_gives_the_same_bytes(study: Path) -> None:
    assert contents(make(study)) == contents(make(study))


def test_rows_follow_the_order_of_the_titles_not_of_the_files(study: Path) -> None:
    out = make(study)
    assert list(TITLES) != sorted(TITLES)
    assert list(json.loads((out / "metrics.json").read_text())["systems"]) == list(TITLES)
    rows = [row["variant"] for row in csv.DictReader((out / "tables/main.csv").open())]
    assert rows == [*TITLES, "eflomal_forward", "eflomal_reverse", "eflomal_gdfa"]


def test_a_removed_variant_disappears_everywhere(study: Path) -> None:
    make(study)
    left = contents(make(study, {"plain": TITLES["plain"]}))
    assert not any("star" in name for name in left)
    texts = [
        text for name, text in left.items() if not name.endswith((".png", ".svg", ".html")) and "papers/" not in name
    ]
    assert not any(re.search(rb"\bstar\b|RNNsearch", text) for text in texts)
    assert b"RNNsearch" in left["tables/papers/papers.md"]  # what the papers print stays


def test_metrics_document(study: Path) -> None:
    document = json.loads((make(study) / "metrics.json").read_text(encoding="utf-8"))
    assert set(document) == {"systems", "aligners", "recipe"}
    assert document["aligners"] == STATISTICAL
    assert document["recipe"]["aligners"]["program"] == "eflomal 2.0.0"
    star, plain = document["systems"]["star"], document["systems"]["plain"]
    assert set(star) == {"title", "seeds", "mean", "sd"}
    assert (star["title"], list(star["seeds"])) == ("RNNsearch*", ["1", "2"])
    assert star["seeds"]["2"]["bleu"] == star["seeds"]["2"]["tests"]["test"]["bleu"] == 32.0
    assert star["seeds"]["2"]["tests"]["test2"]["bleu"] == 33.0
    assert star["seeds"]["2"]["tests"]["average"]["bleu"] == 32.5
    assert star["mean"]["tests"]["average"]["bleu"] == 32.0
    assert star["mean"]["perplexity_zh-en"] == 5.25
    assert star["mean"]["perplexity_en-zh"] == 9.5  # of the epoch that was kept
    assert plain["mean"]["perplexity_en-zh"] is None
    assert set(star["mean"]["bleu_by_length"]["1-10"]) == {"bleu", "sentences"}
    assert star["mean"]["bleu"] == 31.5
    assert star["sd"]["bleu"] == pytest.approx(0.5**0.5)
    assert plain["seeds"]["1"]["aer"] is plain["mean"]["aer"] is plain["sd"]["aer"] is None
    assert document["recipe"]["seeds"] == [1, 2]
    assert document["recipe"]["data"]["train_pairs"]["overlap"] == 12
    assert document["recipe"]["aer_floor"] == 7.12


def test_summary_is_what_dvc_compares(study: Path) -> None:
    summary = json.loads((make(study) / "summary.json").read_text(encoding="utf-8"))
    assert list(summary) == list(TITLES)
    assert summary["star"]["bleu"] == 31.5
    assert summary["plain"]["aer"] is None


def test_main_table_and_its_footnotes(study: Path) -> None:
    text = (make(study) / "tables/main.md").read_text(encoding="utf-8")
    star = next(line for line in text.splitlines() if "RNNsearch" in line)
    cells = [cell.strip() for cell in star.strip("|").split("|")]
    assert cells[0] == r"RNNsearch\*"
    assert "**31.50 ± 0.71**" in cells
    assert {"1.23 M", "1:02:05 ± 0:00:00", "**3 ± 0**"} < set(cells)
    for note in (r"a\|b\*c", "torch 2.13.0", "AER floor", "7.12", "tokens (zh 61,234, en 70,001)", "overlap 12"):
        assert note in text


def rows_of(out: Path) -> dict[str, dict[str, str]]:
    """Title -> heading without arrow -> cell, of the written table."""
    heading, _, *rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in (out / "tables/main.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    return {row[0]: dict(zip((name.rstrip(" ↑↓") for name in heading), row, strict=True)) for row in rows}


def test_aligners_stand_below_the_systems_and_have_an_error_rate_only(study: Path) -> None:
    out = make(study)
    rows = rows_of(out)
    assert list(rows)[len(TITLES) :] == list(ALIGNERS.values())
    for method, title in ALIGNERS.items():
        written = {heading: cell for heading, cell in rows[title].items() if cell != "–"}
        values = {key: f"{value:.2f}" for key, value in STATISTICAL[method].items()}
        assert written == {
            "System": title,
            "AER": values["aer"],
            "align precision": values["align_precision"],
            "align recall": values["align_recall"],
        }
    note = "- statistical alignment: program eflomal 2.0.0, text train, gold are aligned together\n"
    assert note in (out / "tables/main.md").read_text(encoding="utf-8")


def test_an_aligner_is_not_the_best_of_the_systems(study: Path) -> None:
    for seed in (1, 2):
        path = study / f"forward-bpe/scores/plain-{seed}/scores.json"
        scores = json.loads(path.read_text())
        scores["metrics"]["aer"] = 30.0
        write(path, json.dumps(scores))
    rows = rows_of(make(study))
    assert min(values["aer"] for values in STATISTICAL.values()) < 20
    assert [row["AER"].startswith("**") for row in rows.values()] == [True, False, False, False, False]


def test_without_a_gold_set_the_table_has_no_aligners(study: Path) -> None:
    path = study / "wordalign/scores.json"
    scores = json.loads(path.read_text())
    none = {method: dict.fromkeys(values) for method, values in STATISTICAL.items()}
    write(path, json.dumps(scores | {"aligners": none}))
    out = make(study)
    assert list(rows_of(out)) == [r"RNNsearch\*", TITLES["plain"]]
    assert json.loads((out / "metrics.json").read_text())["aligners"] == none
    assert len(list(csv.DictReader((out / "tables/main.csv").open()))) == len(TITLES)


def test_without_a_gold_set_the_heat_maps_show_the_first_test_set(study: Path) -> None:
    stats = json.loads((study / "corpus/stats.json").read_text())
    write(study / "corpus/stats.json", json.dumps(stats | {"gold": False}))
    (study / "corpus/gold.align").unlink()
    text = read_text(study / "corpus", "forward")
    (shown,) = read_chosen(study / "forward-bpe", text, TITLES, 1, SETTINGS).values()
    assert shown.caption.startswith("test set, sentence 1")
    assert not shown.maps["star"].gold.possible


def test_reverse_direction_turns_the_gold_links(study: Path) -> None:
    axis = study / "forward-bpe"
    lines = [record(target, source, True) for source, target in zip(SOURCE, TARGET, strict=True)]
    write(axis / "translations/star-1/gold.forced.jsonl", "\n".join(lines) + "\n")
    shown = read_chosen(axis, read_text(study / "corpus", "reverse"), {"star": "S"}, 1, SETTINGS)["reordering"]
    assert shown.maps["star"].source == (*TARGET[0].split(), "</s>")
    assert (4, 0) in shown.maps["star"].gold.sure


def test_heat_map_data_are_words_and_their_links(study: Path) -> None:
    text = read_text(study / "corpus", "forward")
    shown = read_chosen(study / "forward-bpe", text, TITLES, 2, SETTINGS)["reordering"]
    assert list(shown.maps) == ["star"]
    star = shown.maps["star"]
    assert (star.source, star.target) == ((*SOURCE[0].split(), "</s>"), (*TARGET[0].split(), "</s>"))
    assert star.gold == parse(ALIGN[0])
    np.testing.assert_allclose(star.weights, np.tile([1, 1, 1, 1, 1, 2, 1], (7, 1)) / 8)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda s: (s / "forward-bpe/scores/plain-2/scores.json").unlink(), "plain-2/scores.json: no such file"),
        (lambda s: (s / "forward-bpe/models/star-1/curve.csv").unlink(), "curve.csv: no such file"),
        (lambda s: write(s / "forward-bpe/models/star-1/curve.csv", "epoch,updates\n"), "no dev_ppl, dev_bleu"),
        (lambda s: write(s / "forward-bpe/models/star-1/curve.csv", ""), "curve.csv is not a table"),
        (lambda s: write(s / "forward-bpe/scores/star-1/scores.json", "{"), "star-1/scores.json: not valid JSON"),
        (lambda s: write(s / "corpus/gold.align", ALIGN[0] + "\n9-9\n"), "gold.align"),
        (lambda s: write(s / "forward-bpe/translations/star-1/gold.forced.jsonl", ""), "gold.forced.jsonl"),
        (lambda s: (s / "wordalign/scores.json").unlink(), "wordalign/scores.json: no such file"),
        (
            lambda s: write(s / "wordalign/scores.json", json.dumps({"aligners": {"forward": {}}, "recipe": {}})),
            "scores.json lacks the aer, align_precision, align_recall of forward",
        ),
    ],
)
def test_bad_input_is_one_clear_error_and_leaves_the_last_report(study: Path, damage, message: str) -> None:
    write(study / "reports/demo/last", "report")
    damage(study)
    with pytest.raises(InputError, match=message):
        make(study)
    assert contents(study / "reports/demo") == {"last": b"report"}
    assert [path.name for path in (study / "reports").iterdir()] == ["demo"]


def test_command_reads_titles_and_seeds_from_params(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variants = "\n".join(f"  {name}: {{title: {name}-title, model: {{arch: x}}, training: {{}}}}" for name in TITLES)
    committed = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    shown = {key: committed["corpora"]["demo"][key] for key in ("model", "training")}
    shown["compare"] = committed["corpora"]["demo"]["compare"] | {"baseline": "plain", "resamples": 99}
    settings = {"sentence": 2, "shortest": 4, "longest": 6, "smaller": "little"}
    section = yaml.safe_dump({"corpora": {"demo": shown | {"report": settings}, "little": {}}})
    write(study / "smaller.json", '{"metrics": null, "comparisons": null}\n')
    others = "continued: {}\nstarts: {}\nopposite: [star]"
    write(study / "params.yaml", f"seeds: [2]\nvariants:\n{variants}\n{others}\n{section}")
    monkeypatch.chdir(study)
    main(
        [
            "--corpus",
            "demo",
            "--axis",
            "forward-bpe",
            "--text",
            "corpus",
            "--wordalign",
            "wordalign",
            "--tags",
            "tags",
            "--smaller",
            "smaller.json",
            "--out",
            "out",
        ]
    )
    systems = json.loads(Path("out/metrics.json").read_text())["systems"]
    assert {name: system["title"] for name, system in systems.items()} == {name: f"{name}-title" for name in TITLES}
    assert all(list(system["seeds"]) == ["2"] for system in systems.values())
    quality = Path("out/tables/quality.md").read_text(encoding="utf-8")
    assert "no table of two training sizes: little/metrics.json is missing; set corpus: little" in quality


def test_what_is_more_than_chance_is_marked_and_listed(study: Path) -> None:
    """Sixty sentences that `star` has all right and `plain` all wrong."""
    sentences = 60
    for name in ("gold", "test", "test2"):
        for language, line in (("zh", SOURCE[0]), ("en", TARGET[0]), ("ref0.en", TARGET[0])):
            write(study / f"corpus/{name}.{language}", f"{line}\n" * sentences)
    write(study / "corpus/gold.align", f"{ALIGN[0]}\n" * sentences)
    for variant, correct in (("star", 5), ("plain", 2)):
        bleu = np.tile([6, 6, correct, correct, correct - 1, 1, 6, 5, 4, 3], (sentences, 1))
        for name, rows in {"test": {"bleu": bleu}, "test2": {"bleu": bleu}, "gold": {}}.items():
            write_counts(study / f"forward-bpe/scores/{variant}-1/{name}.csv", rows, sentences)
        for file in ("gold.forced.jsonl", "test.jsonl", "test2.jsonl"):
            line = record(SOURCE[0], TARGET[0], variant == "star")
            write(study / f"forward-bpe/translations/{variant}-1/{file}", f"{line}\n" * sentences)
    out = make(study, seeds=(1,))
    compared = json.loads((out / "comparisons.json").read_text())["sets"]["test"]["bleu"]
    assert (compared["star"]["marks"], compared["plain"]["marks"]) == ("‡", "")
    assert rows_of(out)[r"RNNsearch\*"]["BLEU"] == "**31.00**‡"
    page = (out / "tables/differences.md").read_text(encoding="utf-8")
    assert "Rivals: none" in page
    (row,) = [line for line in page.splitlines() if line.startswith(r"| RNNsearch\*")][:1]
    assert r"60 – 0, \< 0.0001" in row and "one seed: unknown" in row
    records = list(csv.DictReader((out / "tables/differences.csv").open()))
    assert {(one["set"], one["measure"], one["variant"], one["against"]) for one in records} == {
        (name, measure, "star", "plain") for name in ("test", "test2") for measure in ("bleu", "bleu1")
    }


def test_words_of_an_embedding_transform_are_listed(study: Path) -> None:
    page = (make(study) / "tables/transform.md").read_text(encoding="utf-8")
    assert r"| 北京" in page and r"Beijing a\|b" in page and "**Beijing**" in page
    make(study, {"plain": TITLES["plain"]})
    assert not (study / "reports/demo/tables/transform.md").exists()


# Its parts


TWO = [Column("up", "Up", "high", "{:.1f}".format), Column("down", "Down", "low", "{:.1f}".format)]


def frame_of(up: list[float | None], down: list[float | None]) -> pd.DataFrame:
    none = [None] * len(up)
    titles = [f"s{i}" for i in range(len(up))]
    frame = pd.DataFrame({"title": titles, "up": up, "up_sd": none, "down": down, "down_sd": none})
    return frame.astype(dict.fromkeys(("up", "up_sd", "down", "down_sd"), float))


@pytest.mark.parametrize(
    ("up", "down", "best"),
    [
        ([1.0, 3.0, 2.0], [1.0, 3.0, 2.0], [(1, 0), (0, 1)]),
        ([3.01, 3.04, 2.0], [9.0, 9.0, 9.0], [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1)]),
        ([None, 3.0, 2.0], [None, None, None], [(1, 0)]),
        ([None, 3.0, None], [1.0, None, 2.0], [(0, 1)]),
    ],
)
def test_best_is_marked_as_it_is_written(up: list, down: list, best: list[tuple[int, int]]) -> None:
    rows = build(frame_of(up, down), TWO, {}).rows
    marked = {(r, c) for r, (_, cells) in enumerate(rows) for c, cell in enumerate(cells) if cell.best}
    assert marked == set(best)


def test_marks_stand_behind_the_value_and_do_not_compete() -> None:
    table = build(frame_of([2.0, 1.0], [2.0, 3.0]), TWO, {(0, "up"): "‡⋆", (1, "down"): "‡"})
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown(table).splitlines()[2:]]
    assert [line[1:] for line in lines] == [["**2.0**‡⋆", "**2.0**"], ["1.0", "3.0‡"]]


def test_missing_value_is_a_dash() -> None:
    _, cells = build(frame_of([None, 1.0], [2.0, 3.0]), TWO, {}).rows[0]
    assert cells == (Cell("–"), Cell("2.0", True, number=2.0))


def test_markdown_is_a_table_whatever_the_title() -> None:
    frame = frame_of([1.0], [2.0]).assign(title=["a|b*<c>"])
    heading, rule, row = markdown(build(frame, TWO, {})).splitlines()
    assert heading.split() == ["|", "System", "|", "Up", "↑", "|", "Down", "↓", "|"]
    assert rule.count("|") == heading.count("|") == 4
    assert r"a\|b\*\<c\>" in row


def test_one_seed_has_no_deviation() -> None:
    document = summary.metrics_document([System("a", "A", (run_of(1, 20.0),))], STATISTICAL, {})
    assert {value for _, value in leaves(document["systems"]["a"]["sd"])} == {None}
    frame = summary.frame(document)
    assert "±" not in markdown(main_table(frame, aligner_frame(document, frame), {}))


def test_runs_with_different_measures_are_refused() -> None:
    odd = run_of(2, 20.0)
    del odd.metrics["rot"]
    with pytest.raises(InputError, match=r"a-2.*rot"):
        summary.metrics_document([System("a", "A", (run_of(1, 20.0), odd))], {}, {})


def test_recipes_that_differ_are_named() -> None:
    runs = [Run(seed, metrics(1, 1, 0), {"same": 1, "gpu": gpu}, None, 1, None) for seed, gpu in ((1, "x"), (2, None))]
    shared = recipe.shared([System("a", "A", tuple(runs))])
    assert shared == {"same": 1, "aer_floor": 7.12, recipe.DIFFERS: {"gpu": {"a-1": "x", "a-2": None}}}
    assert "gpu: a-1 x, a-2 –" in recipe.footnotes(shared)


def test_curves_are_one_long_table() -> None:
    systems = [System("b", "B", (run_of(1, 20.0), run_of(2, 22.0, epochs=2))), System("a", "A", (run_of(1, 5.0),))]
    curves = curves_frame(systems)
    assert list(curves.columns[:4]) == ["variant", "seed", "epoch", "updates"]
    assert list(zip(curves["variant"], curves["seed"], strict=True)) == [("b", 1)] * 3 + [("b", 2)] * 2 + [("a", 1)] * 3


def test_lines_are_told_apart_by_colour_and_by_dashes() -> None:
    lines = [line_of(rank) for rank in range(42)]
    assert len(set(lines)) == 42
    assert all(a.color != b.color and a.dashes != b.dashes for a, b in pairwise(lines))


@pytest.mark.parametrize(
    ("links", "count"),
    [
        ("", 0),
        ("0-0 1-1 2-2", 0),
        ("0-1 1-0", 1),
        ("0-2 1-1 2-0", 3),
        ("0-0 0-1 1-0 1-1", 0),
        ("0-0 0-1 1-0 1-1 2-3 3-2", 1),
    ],
)
def test_crossings(links: str, count: int) -> None:
    assert crossings(parse(links).sure) == count


@pytest.mark.parametrize(("lengths", "sentence"), [([5, 5], 3), ([], None)])
def test_sentence_that_does_not_exist_is_refused(lengths: list[int], sentence: int | None) -> None:
    with pytest.raises(InputError):
        choices(lengths, None, ReportSettings(sentence=sentence, shortest=4, longest=6, smaller=None))


def test_settings_with_the_range_reversed_are_refused() -> None:
    with pytest.raises(ValueError, match="shortest"):
        ReportSettings(sentence=None, shortest=9, longest=6, smaller=None)


# Figures


def test_the_font_holds_the_characters_of_chinese_news() -> None:
    families = fonts.families()
    assert families[0] == fonts.LATIN
    cmap = TTFont(findfont(FontProperties(family=families[1]), fallback_to_default=False)).getBestCmap()
    assert not [
        char for char in "昨天中国代表团在北京与俄罗斯总统讨论了合作计划龘镕喆。,、《》“”%" if ord(char) not in cmap
    ]


def panel(words: str, weights: np.ndarray | None = None, title: str = "RNNsearch*") -> HeatMap:
    source = tuple(words.split())
    weights = np.eye(len(source)) if weights is None else weights
    return HeatMap(title, source, source, weights, parse("0-0 1?0"))


@pytest.mark.parametrize("words", ["中国 代表团 讨论 了 2003 年 计划 。", "$ _ $x$ <b> & ' é ß œ ¿"])
def test_every_glyph_is_drawn_as_it_is_written(words: str, tmp_path: Path) -> None:
    with warnings.catch_warnings(), matplotlib.rc_context(rc()):
        warnings.simplefilter("error")
        save(heat_maps([panel(words)] * 2, "caption", columns=2), tmp_path / "x")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    assert "<text" not in (tmp_path / "x.svg").read_text(encoding="utf-8")


def test_without_the_chinese_font_the_glyph_test_would_fail(tmp_path: Path) -> None:
    latin_only = rc() | {"font.family": [fonts.LATIN]}
    with pytest.warns(UserWarning, match="Glyph"), matplotlib.rc_context(latin_only):
        save(heat_maps([panel("中国 北京")], "caption", columns=1), tmp_path / "x")


@pytest.mark.parametrize(
    ("text", "is_cjk"), [("中国", True), ("2003", False), ("A股", False), ("。", False), ("", False)]
)
def test_is_cjk(text: str, is_cjk: bool) -> None:
    assert fonts.is_cjk(text) is is_cjk


def test_heat_map_has_source_across_target_down_and_a_square_per_link() -> None:
    gold = parse("0-2 1?0")
    each = HeatMap("t", ("a", "b"), ("x", "y", "z"), np.array([[0.1, 0.9], [0.5, 0.5], [1.0, 0.0]]), gold)
    with matplotlib.rc_context(rc()):
        axes = heat_maps([each], "caption", columns=1).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["x", "y", "z"]
    assert axes.yaxis_inverted()
    np.testing.assert_array_equal(axes.images[0].get_array(), each.weights)
    squares = {(int(p.get_x()), int(p.get_y())): p.get_linestyle() for p in axes.patches}
    assert set(squares) == gold.possible
    assert squares[0, 2] == "solid" != squares[1, 0]


def test_shared_target_words_stand_once_a_row() -> None:
    maps = [panel("a b c")] * 3
    with matplotlib.rc_context(rc()):
        shared = heat_maps(maps, "caption", columns=2).axes[:3]
        own = heat_maps([*maps[:2], HeatMap("t", maps[0].source, ("z",), np.eye(1, 3), maps[0].gold)], "c", 2).axes[:3]
    assert [bool(axes.get_yticklabels()[0].get_text()) for axes in shared] == [True, False, True]
    assert all(axes.get_yticklabels()[0].get_text() for axes in own)
