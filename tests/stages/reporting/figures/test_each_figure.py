"""What each figure of a study shows."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stages.measures import bleu
from stages.measures.gold_links import parse
from stages.reporting.chosen_sentences import Shown
from stages.reporting.claims.judged import Judged
from stages.reporting.figures import attention_maps
from stages.reporting.figures import bleu_by_length as by_length
from stages.reporting.figures import claims as claims_figure
from stages.reporting.figures import effects as forest
from stages.reporting.figures import learning_curves as curves
from stages.reporting.figures.attention_maps import selected
from stages.reporting.figures.bleu_by_cost import COSTS, caption, front
from stages.reporting.figures.completion import completion
from stages.reporting.figures.families import (
    OTHER,
    families_of,
    grouped,
)
from stages.reporting.figures.layout import short_titles
from stages.reporting.figures.scatter import Point, crowd, margins
from stages.reporting.heat_map import HeatMap
from stages.reporting.results import SeedResults, SystemResults
from stages.reporting.study_results import StudyResults
from stages.reporting.style import rc
from stages.reporting.tables.claims import spoken_of
from stages.scoring.sentence_files import write_counts
from tests.helpers.figure_study import BASELINE, FAMILY, FEW, SEEDS, TITLES, attends, drawn, overlaps, study_of
from tests.helpers.paper_claims import CLAIMS
from tests.helpers.report_study import write


@pytest.mark.slow
def test_the_baseline_is_in_every_panel_of_the_learning_curves(
    large: StudyResults, of_large: dict[str, Figure]
) -> None:
    figure = of_large["learning_curves"]
    assert len(figure.axes) == len(grouped(families_of(large.spec.models), curves.TOGETHER))
    assert all(BASELINE in [text.get_text() for text in axis.texts] for axis in figure.axes)
    shown = [text.get_text() for axis in figure.axes for text in axis.texts if text.get_text() != BASELINE]
    assert len(shown) == len(large.spec.titles) - 1 - len(large.spec.decoded)


def test_the_mean_ends_with_the_first_seed_and_the_band_is_the_range(tmp_path: Path) -> None:
    def run(seed: int, values: list[float]) -> SeedResults:
        epochs = range(1, len(values) + 1)
        return SeedResults(seed, {}, {}, pd.DataFrame({"epoch": epochs, "dev_bleu": values}), 2, None)

    curve = curves.curve_of(SystemResults("a", "A", (run(1, [1.0, 2.0, 9.0]), run(2, [3.0, 6.0]))), "dev_bleu")
    assert list(curve.mean) == [2.0, 4.0]
    assert (list(curve.low), list(curve.high)) == ([1.0, 2.0, 9.0], [3.0, 6.0, 9.0])
    assert curve.kept == [(2, 2.0), (2, 6.0)]


@pytest.mark.parametrize(("seeds", "bands"), [((1,), 0), (SEEDS, 1)])
def test_several_seeds_give_bands(tmp_path: Path, seeds: tuple[int, ...], bands: int) -> None:
    study = study_of(tmp_path, FEW, seeds)
    for axis in drawn(study, "learning_curves").axes:
        assert min(len(axis.collections), 1) == bands
    assert min(len(drawn(study, "bleu_by_length").axes[-1].collections), 1) == bands


@pytest.mark.slow
def test_lengths_show_the_papers_systems_the_best_and_how_many_sentences(
    large: StudyResults, of_large: dict[str, Figure]
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


@pytest.mark.slow
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


def test_where_long_sentences_are_a_set_of_their_own_all_sets_are_counted_together(tmp_path: Path) -> None:
    """BLEU of their sentences as one text, of every seed, and as many as there are."""
    seeds, random = (1, 2), np.random.default_rng(1)
    study = study_of(tmp_path, FEW, seeds)
    of_length = {"test": [3] * 40 + [15] * 30, "long": [15] * 5 + [55] * 50}
    sums = defaultdict(lambda: np.zeros(10))
    for name, words in of_length.items():
        write(tmp_path / f"{name}.en", "w\n" * len(words))
        for variant in FEW:
            for seed in seeds:
                total = np.maximum(np.array(words)[:, None] - np.arange(4), 0)
                correct = random.binomial(total, [0.6, 0.4, 0.3, 0.2])
                counts = np.concatenate([np.array(words)[:, None]] * 2 + [correct, total], axis=1)
                place = tmp_path / "scores" / f"{variant}-{seed}"
                place.mkdir(parents=True, exist_ok=True)
                write_counts(
                    place / f"{name}.csv", {"source": np.array(words)[:, None], "bleu_unk_kept": counts}, len(words)
                )
                for length in (3, 15, 55):
                    sums[variant, seed, length] += counts[np.array(words) == length].sum(0)
    study = study._replace(text=study.text._replace(tests=(*of_length,)))
    found = {bucket.name: bucket for bucket in by_length._buckets(study)}
    assert {name: one.sentences for name, one in found.items()} == {"1-10": 40, "11-20": 35, ">50": 50}
    for name, length in {"1-10": 3, "11-20": 15, ">50": 55}.items():
        for variant in FEW:
            expected = [bleu.of_totals(sums[variant, seed, length]).score for seed in seeds]
            assert found[name].scores[variant] == pytest.approx(expected)
    assert "of the sentences of all test sets of each length" in by_length.caption(study).about
    figure = drawn(study, "bleu_by_length")
    ticks = [label.get_text() for label in figure.axes[-1].get_xticklabels()]
    assert ticks == ["1–10\nn = 40", "11–20\nn = 35", ">50\nn = 50"]
    assert figure.texts[-1].get_text().startswith("BLEU on test, long over words")


@pytest.mark.slow
def test_every_system_is_named_beside_its_point(large: StudyResults, of_large: dict[str, Figure]) -> None:
    overview, close_up = of_large["aer_bleu"].axes
    texts = [text for axis in (overview, close_up) for text in axis.texts if text.get_text()]
    systems = sorted(text.get_text() for text in texts if text.get_rotation() == 0)
    assert systems == sorted(large.frame.index[large.frame["aer"].notna()])


def test_every_line_of_an_aligner_is_named_above_it(tmp_path: Path) -> None:
    study = study_of(tmp_path, FEW)
    rates = {f"thot_{k}": 3.0 + 0.1 * k for k in range(8)} | {"eflomal_gdfa": 30.0}
    aligners = study.frame.iloc[:1].reindex(list(rates)).assign(aer=list(rates.values()))
    figure = drawn(study._replace(aligners=aligners), "aer_bleu")
    (axis,) = figure.axes
    named = [text for text in axis.texts if text.get_rotation() == 90]
    assert sorted(text.get_text() for text in named) == sorted(name.replace("_", " ") for name in rates)
    lines = {line.get_xdata()[0] for line in axis.get_lines() if line.get_linestyle() == "--"}
    assert set(rates.values()) <= lines
    assert overlaps(figure, 1.0) == []
    (far,) = [text for text in named if text.get_text() == "eflomal gdfa"]
    left, right = axis.get_xlim()
    assert far.get_position()[0] == pytest.approx((30.0 - left) / (right - left))


def test_axes_do_not_make_a_gulf_of_a_tenth_of_a_point() -> None:
    assert margins([30.0, 30.1], 0.1, 2.0) == pytest.approx((29.05, 31.05))
    assert margins([30.0, 40.0], 0.1, 2.0) == pytest.approx((29.0, 41.0))


@pytest.mark.slow
def test_learning_curves_begin_near_the_first_value_and_name_their_axes(of_large: dict[str, Figure]) -> None:
    for name, title in (("learning_curves", "BLEU on dev"), ("learning_curves_perplexity", "Perplexity on dev")):
        axes = of_large[name].axes
        assert {axis.get_xlabel() for axis in axes} == {"epoch"}
        assert {axis.get_ylabel() for axis in axes[:: curves.GRID.columns]} == {title}
    lowest = min(min(line.get_ydata()) for axis in of_large["learning_curves"].axes for line in axis.get_lines())
    low, high = of_large["learning_curves"].axes[0].get_ylim()
    assert lowest > 1 and lowest - low < 0.1 * (high - low)


def points(values: list[tuple[float, float]]) -> list[Point]:
    return [Point(str(k), x, y, np.nan, np.nan, OTHER) for k, (x, y) in enumerate(values)]


def test_the_crowd_is_what_lies_near_the_quartiles() -> None:
    crowded = points([(k % 4, k % 3) for k in range(20)])
    far = points([(90, 1), (1, -70)])
    assert crowd([*crowded, *far]) == crowded
    assert crowd(far) == far


@pytest.mark.parametrize("name", ["aer_bleu", "cost"])
def test_no_error_bar_is_cut_at_the_frame(tmp_path: Path, name: str) -> None:
    study = study_of(tmp_path, FEW, SEEDS)
    wide = {"bleu_sd": [9.0, 0.1, 7.0, 0.1], "aer_sd": [0.1, 8.0, 9.0, 0.1], "wall_seconds_sd": [30.0, 1.0, 1.0, 25.0]}
    for axis in drawn(study._replace(frame=study.frame.assign(**wide)), name).axes:
        (left, right), (low, high) = axis.get_xlim(), axis.get_ylim()
        ends = np.concatenate([path for bars in axis.collections for path in bars.get_segments()])
        assert len(ends) >= 4 * (3 if name == "aer_bleu" else 4)
        assert left <= ends[:, 0].min() and ends[:, 0].max() <= right
        assert low <= ends[:, 1].min() and ends[:, 1].max() <= high


def test_a_close_up_holds_the_error_bars_of_all_that_lies_in_it(tmp_path: Path) -> None:
    """Where that is more than the crowd is, too."""
    names = list(TITLES)[:30]
    study = study_of(tmp_path, {name: TITLES[name] for name in dict.fromkeys([*names, BASELINE])}, SEEDS)
    sd = np.where(np.arange(len(study.frame)) % 7, 0.3, 6.0)
    _, close_up = drawn(study._replace(frame=study.frame.assign(bleu_sd=sd)), "aer_bleu").axes
    (low, high) = close_up.get_ylim()
    ends = np.concatenate([path for bars in close_up.collections for path in bars.get_segments()])[:, 1]
    assert low <= ends.min() and ends.max() <= high


def test_the_front_is_what_nothing_cheaper_beats() -> None:
    found = points([(1, 5), (2, 4), (3, 9), (3, 8), (4, 9), (9, 10)])
    assert [(point.x, point.y) for point in front(found, "low")] == [(1, 5), (3, 9), (9, 10)]
    assert [(point.x, point.y) for point in front(found, "high")] == [(9, 10)]


def test_no_step_is_above_what_is_as_cheap(tmp_path: Path) -> None:
    """Of three systems, the slower the better, the line between two speeds is at the BLEU of the faster one."""
    study = study_of(tmp_path, FEW)
    frame = study.frame.assign(bleu=[10.0, 20.0, 15.0, 30.0], train_tokens_per_second=[4000.0, 2000.0, 1500.0, 1000.0])
    _, speed, _ = drawn(study._replace(frame=frame), "cost").axes
    (steps,) = [line for line in speed.get_lines() if line.get_drawstyle() == "steps-post"]
    assert list(zip(steps.get_xdata(), steps.get_ydata(), strict=True)) == [(4.0, 10.0), (2.0, 20.0), (1.0, 30.0)]


def test_the_legend_of_cost_names_what_is_drawn(tmp_path: Path) -> None:
    study = study_of(tmp_path, FEW)
    costs = [one.measure for one in COSTS]
    others = study.frame.assign(**dict.fromkeys(costs, 1000.0))
    others.loc[BASELINE, costs] = np.nan
    legend = drawn(study._replace(frame=others), "cost").legends[0]
    assert not any("baseline" in text.get_text() for text in legend.get_texts())
    legend = drawn(study, "cost").legends[0]
    assert any("baseline" in text.get_text() for text in legend.get_texts())


def test_captions_name_only_what_is_drawn(tmp_path: Path) -> None:
    few, links = study_of(tmp_path, FEW), "alignment error rate"
    assert "light grey" not in by_length.caption(few).text and links in forest.caption(few).text
    without = {name: of if name != "gold" else {"aer": {}} for name, of in few.compared["sets"].items()}
    assert links not in forest.caption(few._replace(compared=few.compared | {"sets": without})).text
    assert "The baseline" in attention_maps.caption("swap", True, True, False).text
    assert ". The system of each family that has the lowest" in attention_maps.caption("swap", False, True, False).text


def test_a_training_on_a_gpu_is_no_step_among_those_on_cpus(tmp_path: Path) -> None:
    study = study_of(tmp_path, FEW)
    assert "ollow" not in caption(study).text and "named" in caption(study).text
    frame = study.frame.assign(bleu=[10.0, 20.0, 99.0, 30.0], wall_seconds=[60.0, 120.0, 6.0, 240.0])
    quick = study.systems[2]
    on_gpu = replace(quick, runs=tuple(replace(run, recipe={"machine": {"gpu": "H200"}}) for run in quick.runs))
    mixed = study._replace(frame=frame, systems=(*study.systems[:2], on_gpu, study.systems[3]))
    assert "Hollow" in caption(mixed).text
    figure = drawn(mixed, "cost")
    assert "on another machine" in [text.get_text() for text in figure.legends[0].get_texts()]
    size, _, time = figure.axes
    assert quick.variant in [text.get_text() for text in size.texts]
    assert quick.variant not in [text.get_text() for text in time.texts]
    (steps,) = [line for line in time.get_lines() if line.get_drawstyle() == "steps-post"]
    assert list(steps.get_ydata()) == [10.0, 20.0, 30.0]
    for axis, hollow in ((size, 0), (time, 1)):
        fills = [line.get_markerfacecolor() for line in axis.get_lines() if len(line.get_xdata()) == 1]
        assert fills.count("white") == hollow


def dots(axis: Axes) -> list[Line2D]:
    """Of the forest plot, arrows in their place included; its intervals have two points and no marker, their ends
    beyond the scale smaller arrows."""
    return [line for line in axis.get_lines() if line.get_marker() in ("o", "<", ">") and line.get_markersize() > 3]


def test_an_interval_that_is_cut_ends_in_an_arrow() -> None:
    axis = Figure().subplots()
    reach = {"low": -1.0, "high": 1.0, "p_holm": 0.5}
    entries = {"a": reach | {"difference": 0.0}, "b": reach | {"difference": 0.9, "high": 9.0}}
    forest._draw(axis, forest.Panel("BLEU", "high", entries | {"c": entries["a"]}), ["a", "b", "c"], 0.05)
    limit = axis.get_xlim()[1]
    assert limit < 9
    (arrow,) = [line for line in axis.get_lines() if line.get_marker() in ("<", ">")]
    assert (arrow.get_marker(), arrow.get_ydata()[0]) == (">", 1) and len(dots(axis)) == 3


@pytest.mark.slow
def test_effects_are_in_the_order_of_the_rows_and_filled_where_significant(
    large: StudyResults, of_large: dict[str, Figure]
) -> None:
    figure = of_large["effects"]
    bleu, aer = figure.axes
    titles = short_titles(large.spec.titles)
    assert [label.get_text() for label in bleu.get_yticklabels()] == [
        titles[name] for name in large.spec.titles if name != BASELINE
    ]
    names = [name for name in large.spec.titles if name != BASELINE]
    limit = bleu.get_xlim()[1]
    marks = {line.get_ydata()[0]: line for line in dots(bleu)}
    assert len(marks) == len(names)
    for row, name in enumerate(names):
        of = large.compared["sets"]["test"]["bleu"][name]["baseline"]
        assert (marks[row].get_markerfacecolor() != "white") == (of["p_holm"] <= 0.05)
        assert (marks[row].get_marker() == "o") == (abs(of["difference"]) <= 0.9 * limit)
    assert len(dots(aer)) == sum(map(attends, names))


def test_the_scale_of_effects_leaves_out_what_is_far_beyond() -> None:
    assert forest.scale([1, 2, 2, 6, 50]) == pytest.approx(1.08 * 6)
    assert forest.scale([4.0]) == pytest.approx(1.08 * 4)
    assert forest.scale([0.0]) == 1.0


@pytest.mark.slow
def test_many_claims_have_a_figure_of_each_paper(large: StudyResults, of_large: dict[str, Figure]) -> None:
    judged = spoken_of(large.judged)
    assert len(judged) > claims_figure.MOST
    found = {name.removeprefix("claims_"): figure for name, figure in of_large.items() if name.startswith("claims")}
    assert list(found) == list(dict.fromkeys(one.claim.file for one in judged))
    for file, figure in found.items():
        (axis,) = figure.axes
        heading, *rows = [label.get_text() for label in axis.get_yticklabels()]
        of = [one.claim for one in judged if one.claim.file == file]
        assert heading == of[0].paper and claims_figure.caption(large, file).title == f"Claims of {heading}"
        assert len(rows) == len(of) and all(
            row.startswith(claim.claim.says) for row, claim in zip(rows, of, strict=True)
        )


@pytest.mark.slow
def test_claims_stand_below_their_paper(large: StudyResults, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims_figure, "MOST", 1000)
    (axis,) = drawn(large, "claims").axes
    labels = axis.get_yticklabels()
    headings = [row for row, label in enumerate(labels) if label.get_fontweight() == "bold"]
    papers = [labels[row].get_text() for row in headings]
    judged = spoken_of(large.judged)
    assert papers == list(dict.fromkeys(one.claim.paper for one in judged)) and len(papers) > 1
    marked = {line.get_ydata()[0] for line in dots(axis)}
    assert marked == set(range(len(labels))) - set(headings)
    ends = [*headings[1:], len(labels)]
    for paper, start, end in zip(papers, headings, ends, strict=True):
        said = [one.claim.claim.says for one in judged if one.claim.paper == paper]
        rows = labels[start + 1 : end]
        assert all(label.get_text().startswith(says) for label, says in zip(rows, said, strict=True))


@pytest.mark.slow
def test_dots_are_hollow_where_the_printed_gain_is_excluded(
    large: StudyResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = [one._replace(printed_gain="excluded" if k % 3 == 0 else None) for k, one in enumerate(large.judged)]
    monkeypatch.setattr(claims_figure, "MOST", 1000)
    (axis,) = drawn(large._replace(judged=judged), "claims").axes
    hollow = [line.get_markerfacecolor() == "white" for line in dots(axis)]
    assert hollow == [one.printed_gain == "excluded" for one in spoken_of(judged)] and {*hollow} == {True, False}


def test_our_own_claims_have_no_paper_in_their_figure(small: StudyResults, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Judged(CLAIMS["beyond/no-repeats-rot"], "agrees", -1.0, -1.5, -0.5, 3, 500)
    both = small._replace(judged=[*small.judged, own])
    assert claims_figure.caption(small).title == "The papers' claims"
    assert claims_figure.caption(both).title == "The papers' claims, and our own"
    assert claims_figure.caption(both, "beyond").title == "Claims of our own"
    assert "diamond" in claims_figure.caption(both).text
    assert "diamond" not in claims_figure.caption(both, "beyond").text
    monkeypatch.setattr(claims_figure, "MOST", 1)
    legends = {
        file: [text.get_text() for text in drawn(both, f"claims_{file}").legends[0].get_texts()]
        for file in ("beyond", "xue-2019")
    }
    assert legends["beyond"] == ["agrees"] and legends["xue-2019"][0] == "paper"


@pytest.mark.slow
def test_coverage_has_a_row_for_each_system_that_attends(large: StudyResults, of_large: dict[str, Figure]) -> None:
    histograms, sums = of_large["coverage"].axes
    attending = [name for name in large.spec.titles if attends(name)]
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
