import json
from itertools import combinations
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest
import yaml
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text as Label

from stages.files.errors import InputError
from stages.measures.coverage import BINS
from stages.measures.gold_links import Gold, parse
from stages.measures.length_buckets import BUCKETS
from stages.reporting import summary
from stages.reporting.attention import Shown
from stages.reporting.figures import bleu_by_length as by_length
from stages.reporting.figures import effects as forest
from stages.reporting.figures import learning_curves as curves
from stages.reporting.figures import write
from stages.reporting.figures.attention import selected
from stages.reporting.figures.completion import completion
from stages.reporting.figures.contents import CAPTIONS, OF_STUDY
from stages.reporting.figures.cost import front
from stages.reporting.figures.families import (
    FAMILIES,
    OTHER,
    families_of,
    family_of,
    grouped,
    label_of,
    present,
)
from stages.reporting.figures.labels import place, spread
from stages.reporting.figures.order import short_titles
from stages.reporting.figures.scatter import Point, crowd
from stages.reporting.figures.write import write_figures
from stages.reporting.heat_map import HeatMap
from stages.reporting.results import Run, System
from stages.reporting.sentence import choices
from stages.reporting.study import Asked, Folders, Study
from stages.reporting.style import rc
from stages.scoring.inputs import Text
from stages.settings.comparison import CompareSettings
from stages.settings.report import ReportSettings
from stages.settings.variants import VariantModel
from tests.helpers.paths import ROOT

SOURCE = ["昨天 他 到 了 北京", "代表团 讨论 合作 计划"]
TARGET = ["he arrived in Beijing yesterday", "the delegation discussed cooperation plans"]
ALIGN = ["0-4 1-0 2-1 3?1 4-3", "0-0 0-1 1-2 2-3 3-4"]

COMMITTED = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
ROWS = COMMITTED["variants"] | COMMITTED["continued"]
TITLES = {name: row["title"] for name, row in ROWS.items()}
MODELS = {name: VariantModel(**row["model"]) for name, row in ROWS.items()}
FAMILY = families_of(MODELS)
FEW = {name: TITLES[name] for name in ("rnnencdec", "rnnsearch_star", "ba_nmt", "cohn_all")}
BASELINE = "rnnsearch_star"
LENGTHS = {"1-10": 90, "11-20": 200, "21-30": 7}
SEEDS = (1, 2, 3)
STRAIGHT, CROSSED, FERTILE = parse("0-0 1-1"), parse("0-1 1-0"), parse("0-0 0-1 1-2")


def attends(name: str) -> bool:
    return not name.startswith("rnnencdec")


def metrics_of(rank: int, seed: int, attending: bool, lengths: dict[str, int]) -> dict[str, Any]:
    """Most systems lie close together, a few far off, as in a real study."""
    rng = np.random.default_rng([rank, seed])
    bleu = 82 + rng.normal(0, 2) if rank % 7 else 40 + rng.normal(0, 8)
    shares = rng.dirichlet(np.ones(len(BINS))) * 100
    return {
        "bleu": bleu,
        "aer": 100 - bleu + rng.normal(0, 2) if attending else None,
        "parameters": 900_000 + 1000 * rank,
        "train_tokens_per_second": 5000 + rng.normal(0, 900),
        "wall_seconds": 50 + rng.normal(0, 9),
        "bleu_by_length": {
            name: {"bleu": bleu - 3 * k if lengths.get(name) else None, "sentences": lengths.get(name, 0)}
            for k, name in enumerate(BUCKETS)
        },
        "coverage_histogram": dict(zip(BINS, shares if attending else [None] * len(BINS), strict=True)),
        "tests": {"test": {"bleu": bleu}, "average": {"bleu": bleu}},
    }


def run_of(rank: int, seed: int, attending: bool, lengths: dict[str, int]) -> Run:
    metrics = metrics_of(rank, seed, attending, lengths)
    epoch = np.arange(1, 4 if rank % 5 else 3)
    curve = {"epoch": epoch, "updates": 10 * epoch, "dev_ppl": 9 / epoch, "dev_bleu": metrics["bleu"] * epoch / 3}
    return Run(seed, metrics, {}, pd.DataFrame(curve), 2, None)


def entry(rank: int, better: int) -> dict[str, Any]:
    difference = better * ((rank % 9) - 3.0) * (1 if rank % 11 else 12)
    found = {"difference": difference, "low": difference - 1.5, "high": difference + 1.5, "p_holm": 0.02 * (rank % 5)}
    return {"baseline": found, "rivals": {}, "marks": ""}


def compared_of(titles: dict[str, str], gold: bool) -> dict[str, Any]:
    def entries(better: int, measured: list[str]) -> dict[str, Any]:
        own = {"baseline": None, "rivals": {}, "marks": ""}
        return {
            name: (own if name == BASELINE else entry(k, better)) if name in measured else None
            for k, name in enumerate(titles)
        }

    sets = {"test": {"bleu": entries(1, list(titles))}}
    return {"sets": sets | ({"gold": {"aer": entries(-1, list(filter(attends, titles)))}} if gold else {})}


def record(source: str, target: str, attending: bool, seed: int) -> str:
    pieces, targets = [*source.split(), "</s>"], [*target.split(), "</s>"]
    weights = np.random.default_rng(seed).dirichlet(np.full(len(pieces), 0.3), size=len(targets)).round(6)
    return json.dumps(
        {
            "source": pieces,
            "target": targets,
            "attention": weights.tolist() if attending else None,
            "positional": [-0.5] * len(targets),
            "finished": True,
        }
    )


def study_of(
    folder: Path,
    titles: dict[str, str],
    seeds: tuple[int, ...] = (1,),
    gold: bool = True,
    lengths: dict[str, int] = LENGTHS,
) -> Study:
    """A study as `read_study` gives it, with the files from which the heat maps are drawn."""
    for name in ("gold", "test"):
        for language, lines in (("zh", SOURCE), ("en", TARGET)):
            (folder / f"{name}.{language}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "gold.align").write_text("\n".join(ALIGN) + "\n", encoding="utf-8")
    for rank, name in enumerate(titles):
        lines = [record(*pair, attends(name), rank) for pair in zip(SOURCE, TARGET, strict=True)]
        cell = folder / "translations" / f"{name}-{seeds[0]}"
        cell.mkdir(parents=True, exist_ok=True)
        (cell / ("gold.forced.jsonl" if gold else "test.jsonl")).write_text("\n".join(lines) + "\n", encoding="utf-8")
    systems = tuple(
        System(name, title, tuple(run_of(rank, seed, gold and attends(name), lengths) for seed in seeds))
        for rank, (name, title) in enumerate(titles.items())
    )
    document = summary.metrics_document(systems, {}, {})
    compare = CompareSettings(baseline=BASELINE, rivals=[], resamples=9, level=0.05, seed=1)
    settings = ReportSettings(sentence=None, shortest=4, longest=6, smaller=None)
    models = {name: MODELS[name] if name in MODELS else VariantModel(arch="mine") for name in titles}
    asked = Asked(titles, seeds, [], settings, compare, {}, models)
    text = Text(folder, "forward", "zh", "en", ["test"], gold)
    frame, compared = summary.frame(document), compared_of(titles, gold)
    aligners = pd.DataFrame({"aer": [9.0, 7.5] if gold else []})
    return Study(Folders(folder, folder, folder, folder), asked, text, systems, document, compared, frame, aligners, {})


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """All rows of params.yaml, and one that no family knows."""
    return study_of(tmp_path_factory.mktemp("large"), TITLES | {"my_own": "My own system"})


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return study_of(tmp_path, FEW)


def drawn(study: Study, name: str) -> Figure | None:
    with matplotlib.rc_context(rc()):
        return OF_STUDY[name].draw(study)


@pytest.fixture(scope="module")
def of_large(large: Study) -> dict[str, Figure]:
    """The figures of all systems, drawn once for the tests that only look at them."""
    return {name: drawn(large, name) for name in OF_STUDY}


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


BOTH = {"learning_curves", "learning_curves_perplexity", "bleu_by_length", "cost", "effects"}
OF_ATTENTION = {"aer_bleu", "coverage", "completion", "attention/reordering", "attention/fertility"}


def named(stems: set[str]) -> set[str]:
    return {f"{stem}{ending}" for stem in stems for ending in (".png", ".svg")}


# What is written


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `figures` of a small study."""
    folder = tmp_path_factory.mktemp("small")
    write_figures(study_of(folder, FEW), folder / "figures")
    return folder / "figures"


def test_every_figure_is_written_as_png_and_svg(written: Path) -> None:
    posters = {"attention/reordering_all.png", "attention/fertility_all.png"}
    assert files(written) == named(BOTH | OF_ATTENTION) | posters
    assert all(500 < (written / file).stat().st_size < 400_000 for file in files(written))


def test_the_same_study_gives_the_same_bytes(small: Study, written: Path, tmp_path: Path) -> None:
    write_figures(small, tmp_path / "again")
    for file in files(written):
        assert (written / file).read_bytes() == (tmp_path / "again" / file).read_bytes(), file


@pytest.fixture
def unrendered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are drawn, but their files are empty: rendering is what takes time."""

    def save_png(_: Figure, stem: Path, dpi: int = 0) -> None:
        stem.parent.mkdir(parents=True, exist_ok=True)
        stem.with_name(f"{stem.name}.png").touch()

    def save(figure: Figure, stem: Path) -> None:
        save_png(figure, stem)
        stem.with_name(f"{stem.name}.svg").touch()

    monkeypatch.setattr(write, "save_png", save_png)
    monkeypatch.setattr(write, "save", save)


@pytest.mark.usefixtures("unrendered")
def test_without_a_gold_set_the_sentence_is_one_of_the_test_set(tmp_path: Path) -> None:
    write_figures(study_of(tmp_path, FEW, gold=False), tmp_path / "figures")
    attention = {"completion", "attention/longest"}
    assert files(tmp_path / "figures") == named(BOTH | attention) | {"attention/longest_all.png"}


@pytest.mark.usefixtures("unrendered")
def test_one_system_without_attention_is_a_study_too(tmp_path: Path) -> None:
    only = study_of(tmp_path, {BASELINE: "No attention"})
    line = [record(*pair, False, 1) for pair in zip(SOURCE, TARGET, strict=True)]
    (tmp_path / f"translations/{BASELINE}-1/gold.forced.jsonl").write_text("\n".join(line) + "\n", encoding="utf-8")
    metrics = only.systems[0].runs[0].metrics | {"aer": None, "coverage_histogram": dict.fromkeys(BINS)}
    system = System(BASELINE, "No attention", (Run(1, metrics, {}, only.systems[0].runs[0].curve, 2, None),))
    document = summary.metrics_document([system], {}, {})
    bare = only._replace(systems=(system,), document=document, frame=summary.frame(document))
    write_figures(bare, tmp_path / "figures")
    assert files(tmp_path / "figures") == named(BOTH - {"effects"})


def test_a_missing_translation_is_one_clear_error(small: Study, tmp_path: Path) -> None:
    (tmp_path / "translations/cohn_all-1/gold.forced.jsonl").unlink()
    with pytest.raises(InputError, match=r"cohn_all-1/gold.forced.jsonl: no such file"):
        write_figures(small, tmp_path / "figures")


def test_svg_holds_no_text_that_needs_a_font_and_no_date(written: Path) -> None:
    for path in written.rglob("*.svg"):
        svg = path.read_text(encoding="utf-8")
        assert "<text" not in svg and "dc:date" not in svg, path


# What can be read


def labels(figure: Figure) -> list[Label]:
    """Every text that is seen: ticks beyond the limits are not."""
    found = [*figure.texts, *(text for legend in figure.legends for text in legend.get_texts())]
    for axis in figure.axes:
        found += [*axis.texts, axis.title, axis._left_title, axis.xaxis.label, axis.yaxis.label]
        for side in (axis.xaxis, axis.yaxis):
            low, high = sorted(side.get_view_interval())
            found += [tick.label1 for tick in side.get_major_ticks() if low <= tick.get_loc() <= high]
    return [label for label in found if label.get_visible() and label.get_text().strip()]


def overlaps(figure: Figure, tolerance: float) -> list[tuple[str, str]]:
    """Pairs of texts that share more than `tolerance` pixels both ways."""
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    texts = labels(figure)
    boxes = np.array([Label.get_window_extent(label, renderer).extents for label in texts])
    return [
        (texts[a].get_text(), texts[b].get_text())
        for a, b in combinations(range(len(texts)), 2)
        if (np.minimum(boxes[a, 2:], boxes[b, 2:]) - np.maximum(boxes[a, :2], boxes[b, :2]) > tolerance).all()
    ]


@pytest.mark.parametrize("name", OF_STUDY)
def test_no_label_lies_on_another_with_all_systems(name: str, of_large: dict[str, Figure]) -> None:
    assert overlaps(of_large[name], tolerance=1.0) == []


@pytest.mark.parametrize("name", OF_STUDY)
def test_no_label_lies_on_another_with_few_systems(name: str, small: Study) -> None:
    assert overlaps(drawn(small, name), tolerance=1.0) == []


@pytest.mark.parametrize("name", OF_STUDY)
def test_labels_stay_near_the_page(name: str, of_large: dict[str, Figure]) -> None:
    """Figures are cut to what they hold: a label far outside would make the rest small."""
    figure = of_large[name]
    box = figure.get_tightbbox(figure.canvas.get_renderer())
    width, height = figure.get_size_inches()
    assert box.width <= width + 0.4 and box.height <= height + 0.4
    assert width <= 9.5


def test_families_are_told_apart_without_colour() -> None:
    markers = [family.marker for family in FAMILIES]
    assert len(set(markers)) == len(markers)
    shared = [(a, b) for a, b in combinations(FAMILIES, 2) if a.color == b.color]
    assert all(a.marker != b.marker for a, b in shared)


def luminance(color: str) -> float:
    return float(np.dot(to_rgb(color), (0.2126, 0.7152, 0.0722)))


def test_significance_is_seen_without_colour(of_large: dict[str, Figure]) -> None:
    axis = of_large["effects"].axes[0]
    faces = {luminance(line.get_markerfacecolor()) for line in axis.get_lines() if line.get_marker() == "o"}
    assert max(faces) == 1.0 and min(faces) < 0.2


# Families


def test_every_committed_row_but_the_references_has_a_family() -> None:
    found = [name for name, family in FAMILY.items() if family is OTHER]
    assert found == ["supervised_attention", "lvnmt", "transformer"]


@pytest.mark.parametrize(
    ("name", "title", "label"),
    [
        ("rnnsearch_50", "RNNencdec and RNNsearch", "rnnsearch_50"),
        ("rnnsearch_star_continued", "RNNsearch* (dl4mt)", "rnnsearch_star_continued"),
        ("luong_global_general_no_feeding", "Luong et al. 2015", "global_general_no_feeding"),
        ("ba_nmt", "History (Xue et al. 2019)", "ba_nmt"),
        ("ba_coverage", "Combinations", "ba_coverage"),
        ("covemb_gru", "Coverage embeddings (Mi et al. 2016)", "gru"),
    ],
)
def test_a_committed_row_stands_with_its_like(name: str, title: str, label: str) -> None:
    assert (FAMILY[name].title, label_of(name, FAMILY[name])) == (title, label)


@pytest.mark.parametrize(
    ("terms", "like"),
    [
        (["target_history", "source_history"], "ba_nmt"),
        (["nn_coverage_gru"], "coverage_nn_gru"),
        (["position_bias", "markov_bias"], "cohn_all"),
        (["source_bridging", "markov_bias"], "ba_coverage"),
        (["recurrent_attention"], "recurrent_attention"),
        (["source_history", "supervised_attention"], "ba_coverage"),
        ([], "rnnsearch_star"),
        (["supervised_attention"], "supervised_attention"),
        (["a_term_of_mine"], "transformer"),
    ],
)
def test_a_combination_of_a_user_has_the_family_of_its_terms_whatever_its_name(terms: list[str], like: str) -> None:
    families = families_of({"cohn_by_name_only": VariantModel(arch="attnmt", terms=terms, history_dim=3)})
    assert families["cohn_by_name_only"] is FAMILY[like]


def test_a_row_has_the_family_of_its_architecture_whatever_its_name() -> None:
    assert family_of(VariantModel(arch="luong_local_m", local_window=3)) is FAMILY["luong_local_m"]
    assert label_of("mine", FAMILY["luong_local_m"]) == "mine"


def test_the_terms_of_the_families_are_files() -> None:
    terms = {path.stem for path in (ROOT / "fairseq_plugins/terms").glob("[!_]*.py")}
    assert {term for family in FAMILIES for term in family.terms} == terms - {"supervised_attention"}


def test_a_large_family_has_several_groups_and_no_row_is_lost() -> None:
    rows = {**{f"mine_{k}": FAMILY["ba_coverage"] for k in range(5)}, "cohn_all": FAMILY["cohn_all"], "zzz": OTHER}
    groups = grouped(rows, most=2)
    assert [len(group.variants) for group in groups] == [1, 2, 2, 1, 1]
    assert sorted(name for group in groups for name in group.variants) == sorted(rows)
    assert len({group.title for group in groups if "Combinations" in group.title}) == 2
    assert present(rows.values()) == [FAMILY["cohn_all"], FAMILY["ba_coverage"], OTHER]


# Captions


def test_every_figure_that_is_written_has_a_caption(written: Path) -> None:
    assert {file.rsplit(".", 1)[0] for file in files(written)} <= set(CAPTIONS)


@pytest.mark.parametrize(
    ("golds", "sentence"), [([CROSSED] * 2, None), (None, None), (None, 1)], ids=["gold", "none", "named"]
)
def test_every_rule_that_chooses_a_sentence_has_captions(golds: list[Gold] | None, sentence: int | None) -> None:
    settings = ReportSettings(sentence=sentence, shortest=4, longest=6, smaller=None)
    for rule in choices([5, 5], golds, settings):
        assert {f"attention/{rule}", f"attention/{rule}_all"} <= set(CAPTIONS)


def test_a_caption_says_what_is_seen_and_which_way_is_better() -> None:
    for name, caption in CAPTIONS.items():
        assert "better" in caption.about or "Best" in caption.about, name
        assert caption.about.endswith(".") and not caption.title.endswith("."), name
    assert len({caption.title for caption in CAPTIONS.values()}) == len(CAPTIONS)
    assert CAPTIONS["bleu_by_length"].text.endswith(
        "Counterpart of Bahdanau et al. (2015), Figure 2, and Kuang et al. (2018), Figure 6."
    )


# Labels


@pytest.mark.parametrize(
    ("wanted", "placed"),
    [
        ([], []),
        ([5.0], [5.0]),
        ([5.0, 5.0], [4.5, 5.5]),
        ([2.0, 1.0, 9.0], [2.0, 1.0, 9.0]),
        ([5.0, 5.2, 5.1], [4.1, 6.1, 5.1]),
        ([0.0, 0.0], [0.0, 1.0]),
        ([10.0, 10.0], [9.0, 10.0]),
    ],
)
def test_labels_are_pushed_apart_no_further_than_needed(wanted: list[float], placed: list[float]) -> None:
    np.testing.assert_allclose(spread(wanted, 1.0, 0.0, 10.0), placed, atol=1e-12)


def test_labels_keep_their_distance_and_order() -> None:
    wanted = np.random.default_rng(3).uniform(0, 50, 30)
    found = np.array(spread(list(wanted), 1.5, 0.0, 60.0))
    order = np.argsort(wanted)
    assert (np.diff(found[order]) >= 1.5 - 1e-9).all() and found.min() >= 0 and found.max() <= 60


def test_placed_labels_overlap_neither_each_other_nor_the_edge() -> None:
    anchors = np.random.default_rng(1).normal((250, 200), 60, (40, 2))
    sizes = np.tile([55.0, 8.0], (40, 1))
    bounds = np.array([(0, 0), (500, 400)])
    corners = place(anchors, sizes, np.zeros((0, 2)), bounds, 3.0)
    for a, b in combinations(range(40), 2):
        assert not (np.abs(corners[a] - corners[b]) < sizes[0]).all()
    assert (corners >= 0).all() and (corners + sizes <= bounds[1]).all()


# The figures


def test_the_baseline_is_in_every_panel_of_the_learning_curves(large: Study, of_large: dict[str, Figure]) -> None:
    figure = of_large["learning_curves"]
    assert len(figure.axes) == len(grouped(families_of(large.asked.models), curves.TOGETHER))
    assert all(BASELINE in [text.get_text() for text in axis.texts] for axis in figure.axes)
    shown = [text.get_text() for axis in figure.axes for text in axis.texts if text.get_text() != BASELINE]
    assert len(shown) == len(large.asked.titles) - 1


def test_the_mean_ends_with_the_first_seed_and_the_band_is_the_range(tmp_path: Path) -> None:
    def run(seed: int, values: list[float]) -> Run:
        epochs = range(1, len(values) + 1)
        return Run(seed, {}, {}, pd.DataFrame({"epoch": epochs, "dev_bleu": values}), 2, None)

    curve = curves.curve_of(System("a", "A", (run(1, [1.0, 2.0, 9.0]), run(2, [3.0, 6.0]))), "dev_bleu")
    assert list(curve.mean) == [2.0, 4.0]
    assert (list(curve.low), list(curve.high)) == ([1.0, 2.0, 9.0], [3.0, 6.0, 9.0])
    assert curve.kept == [(2, 2.0), (2, 6.0)]


@pytest.mark.parametrize(("seeds", "bands"), [((1,), 0), (SEEDS, 1)])
def test_several_seeds_give_bands(tmp_path: Path, seeds: tuple[int, ...], bands: int) -> None:
    study = study_of(tmp_path, FEW, seeds)
    for axis in drawn(study, "learning_curves").axes:
        assert min(len(axis.collections), 1) == bands
    assert min(len(drawn(study, "bleu_by_length").axes[-1].collections), 1) == bands


def test_lengths_show_the_papers_systems_the_best_and_how_many_sentences(
    large: Study, of_large: dict[str, Figure]
) -> None:
    figure = of_large["bleu_by_length"]
    titles = [axis.get_title(loc="left") for axis in figure.axes]
    assert titles[:2] == [one.title for one in by_length.IN_PAPERS]
    kuang = [text.get_text() for text in figure.axes[1].texts]
    assert kuang == ["rnnsearch_star", "bridging_direct"]
    best = large.frame["bleu"].drop(BASELINE).nlargest(by_length.BEST).index
    assert [text.get_text() for text in figure.axes[2].texts][1:] == list(best)
    ticks = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert ticks == ["1–10\nn = 90", "11–20\nn = 200", "21–30\nn = 7"]


def test_few_sentences_are_hollow(of_large: dict[str, Figure]) -> None:
    dots = [line for line in of_large["bleu_by_length"].axes[1].get_lines() if line.get_marker() == "o"]
    hollow = {line.get_xdata()[0] for line in dots if line.get_markerfacecolor() == "white"}
    assert hollow == {2}


def test_one_bucket_of_lengths_is_drawn_as_points(tmp_path: Path) -> None:
    figure = drawn(study_of(tmp_path, FEW, lengths={"1-10": 40}), "bleu_by_length")
    assert len(figure.axes[-1].get_xticks()) == 1
    assert overlaps(figure, 1.0) == []


def test_no_bucket_of_lengths_is_no_figure(tmp_path: Path) -> None:
    assert drawn(study_of(tmp_path, FEW, lengths={}), "bleu_by_length") is None


def test_every_system_is_named_beside_its_point(large: Study, of_large: dict[str, Figure]) -> None:
    overview, close_up = of_large["aer_bleu"].axes
    names = [text.get_text() for axis in (overview, close_up) for text in axis.texts if text.get_text()]
    assert sorted(names) == sorted(large.frame.index[large.frame["aer"].notna()])


def points(values: list[tuple[float, float]]) -> list[Point]:
    return [Point(str(k), x, y, np.nan, np.nan, OTHER) for k, (x, y) in enumerate(values)]


def test_the_crowd_is_what_lies_near_the_quartiles() -> None:
    crowded = points([(k % 4, k % 3) for k in range(20)])
    far = points([(90, 1), (1, -70)])
    assert crowd([*crowded, *far]) == crowded
    assert crowd(far) == far


def test_the_front_is_what_nothing_cheaper_beats() -> None:
    found = points([(1, 5), (2, 4), (3, 9), (3, 8), (4, 9), (9, 10)])
    assert [(point.x, point.y) for point in front(found, "low")] == [(1, 5), (3, 9), (9, 10)]
    assert [(point.x, point.y) for point in front(found, "high")] == [(9, 10)]


def dots(axis: Axes) -> list[Line2D]:
    """Of the forest plot; its intervals have two points and no marker."""
    return [line for line in axis.get_lines() if line.get_marker() in ("o", "<", ">")]


def test_effects_are_in_the_order_of_the_rows_and_filled_where_significant(
    large: Study, of_large: dict[str, Figure]
) -> None:
    figure = of_large["effects"]
    bleu, aer = figure.axes
    titles = short_titles(large.asked.titles)
    assert [label.get_text() for label in bleu.get_yticklabels()] == [
        titles[name] for name in large.asked.titles if name != BASELINE
    ]
    names = [name for name in large.asked.titles if name != BASELINE]
    limit = bleu.get_xlim()[1]
    marks = {line.get_ydata()[0]: line for line in dots(bleu)}
    assert len(marks) == len(names)
    for row, name in enumerate(names):
        of = large.compared["sets"]["test"]["bleu"][name]["baseline"]
        assert (marks[row].get_markerfacecolor() != "white") == (of["p_holm"] <= 0.05)
        assert (marks[row].get_marker() == "o") == (abs(of["difference"]) <= limit)
    assert len(dots(aer)) == sum(map(attends, names))


def test_the_scale_of_effects_leaves_out_what_is_far_beyond() -> None:
    assert forest.scale([1, 2, 2, 6, 50]) == pytest.approx(1.08 * 6)
    assert forest.scale([4.0]) == pytest.approx(1.08 * 4)
    assert forest.scale([0.0]) == 1.0


def test_titles_lose_the_paper_unless_two_would_be_the_same() -> None:
    titles = {"a": "GAtt (Zhang 2017)", "b": "Mine (with)", "c": "Mine (without)"}
    assert short_titles(titles) == {"a": "GAtt", "b": "Mine (with)", "c": "Mine (without)"}


def test_coverage_has_a_row_for_each_system_that_attends(large: Study, of_large: dict[str, Figure]) -> None:
    histograms, sums = of_large["coverage"].axes
    attending = [name for name in large.asked.titles if attends(name)]
    assert len(histograms.get_yticklabels()) == len(attending)
    under = next(line for line in sums.get_lines() if line.get_marker() == "o")
    first = large.document["systems"][attending[0]]["mean"]["coverage_histogram"]
    assert under.get_xdata()[0] == pytest.approx(first["0.0-0.1"] + first["0.1-0.3"])


GOLD = parse("0-0 1?1")


def shown_of(*names: str, target: tuple[str, ...] = ("x", "</s>")) -> Shown:
    weights = np.array([[0.7, 0.2, 0.1], [0.5, 0.4, 0.1]])[: len(target)]
    return Shown({name: HeatMap(name, ("北京", "b", "</s>"), target, weights, GOLD) for name in names}, "caption")


def test_completion_is_the_attention_so_far_of_each_source_word() -> None:
    with matplotlib.rc_context(rc()):
        figure = completion(shown_of(BASELINE, "cohn_all", "ba_nmt"), FAMILY, BASELINE)
    assert [axis.get_title(loc="left") for axis in figure.axes] == ["1  北京", "2  b"]
    lines = [line for line in figure.axes[0].get_lines() if len(line.get_xdata()) == 3]
    assert len(lines) == 2
    np.testing.assert_allclose(lines[0].get_ydata(), [0, 0.7, 1.2])
    links = [[line for line in axis.get_lines() if line.get_marker() == "^"] for axis in figure.axes]
    assert [line.get_xdata()[0] for (line,) in links] == [1, 2]
    assert [line.get_markerfacecolor() == "white" for (line,) in links] == [False, True]
    assert overlaps(figure, 1.0) == []


@pytest.mark.parametrize(("names", "panels"), [((BASELINE, "cohn_all"), None), (("sa_nmt",), 2)])
def test_completion_needs_a_history_model_but_no_baseline(names: tuple[str, ...], panels: int | None) -> None:
    with matplotlib.rc_context(rc()):
        figure = completion(shown_of(*names), FAMILY, BASELINE)
    assert (None if figure is None else len(figure.axes)) == panels


def test_heat_maps_for_print_are_the_baseline_and_the_best_of_each_family() -> None:
    names = ["sa_nmt", "ba_nmt", BASELINE, "cohn_all", "zzz"]
    frame = pd.DataFrame({"aer": [10.0, 9.0, 12.0, 7.0, np.nan], "bleu": 50.0}, index=names)
    families = FAMILY | {"zzz": OTHER}
    assert selected(names, frame, families, BASELINE) == [BASELINE, "ba_nmt", "cohn_all", "zzz"]
    frame["aer"] = np.nan
    assert selected(names, frame.assign(bleu=[3, 2, 1, 1, 1]), families, BASELINE)[1] == "sa_nmt"


@pytest.mark.parametrize(
    ("lengths", "golds", "sentence", "chosen"),
    [
        ([5, 5, 5], [STRAIGHT, CROSSED, FERTILE], None, {"reordering": 1, "fertility": 2}),
        ([5, 5, 5], [CROSSED, STRAIGHT, STRAIGHT], None, {"reordering": 0, "fertility": 1}),
        ([9, 5, 5], [CROSSED, STRAIGHT, STRAIGHT], None, {"reordering": 1, "fertility": 2}),
        ([5], [CROSSED], None, {"reordering": 0}),
        ([4, 6, 5, 6], None, None, {"longest": 1}),
        ([9, 5], [CROSSED, STRAIGHT], 2, {"named": 1}),
    ],
)
def test_sentences_are_chosen_by_rule(
    lengths: list[int], golds: list[Gold] | None, sentence: int | None, chosen: dict[str, int]
) -> None:
    settings = ReportSettings(sentence=sentence, shortest=4, longest=6, smaller=None)
    assert choices(lengths, golds, settings) == chosen
