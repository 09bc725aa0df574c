"""Which figures of a study are written, with which captions."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from stages.files.errors import InputError
from stages.measures.coverage import BINS
from stages.measures.gold_links import Gold, parse
from stages.reporting import style
from stages.reporting.chosen_sentences import choices
from stages.reporting.figures.all_figures import captions, write_figures
from stages.reporting.figures.layout import blank
from stages.reporting.heat_map import COLORS, SCALE, HeatMap, heat_maps
from stages.reporting.metrics_document import metrics_document, results_frame
from stages.reporting.results import SeedResults, SystemResults
from stages.reporting.study_results import StudyResults
from stages.reporting.style import SMALL
from stages.settings.report import ReportSettings
from tests.helpers.figure_study import BASELINE, FEW, SEEDS, SOURCE, TARGET, drawn, record, study_of
from tests.helpers.paths import files

BOTH = {"learning_curves", "learning_curves_perplexity", "bleu_by_length", "cost", "effects", "claims"}


OF_ATTENTION = {"aer_bleu", "coverage", "completion", "attention/reordering", "attention/fertility"}


def named(stems: set[str]) -> set[str]:
    return {f"{stem}{ending}" for stem in stems for ending in (".png", ".svg")}


@pytest.mark.slow
def test_every_figure_is_written_as_png_and_svg(written: Path) -> None:
    posters = {"attention/reordering_all.png", "attention/fertility_all.png"}
    assert files(written) == named(BOTH | OF_ATTENTION) | posters
    assert all(500 < (written / file).stat().st_size < 400_000 for file in files(written))


@pytest.mark.slow
def test_git_gets_every_figure_in_fewer_dots(written: Path) -> None:
    small = written.with_name("figures")
    assert files(small) == {name for name in files(written) if name.endswith(".png")}
    for name in files(small):
        assert (small / name).stat().st_size <= SMALL
        fewer = 1.0 if name.endswith("_all.png") else 0.6
        assert Image.open(small / name).width < fewer * Image.open(written / name).width


def test_a_figure_that_would_be_large_has_fewer_colours_and_then_fewer_dots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = blank(4, 3)
    axis = figure.subplots()
    axis.imshow(np.random.default_rng(1).random((60, 80)), "viridis")
    axis.plot([10, 20], [10, 10], color=style.GOLD, linewidth=3)

    def saved(limit: int) -> tuple[list[tuple[int, ...]], int, int]:
        """Colours, dots across, bytes."""
        monkeypatch.setattr(style, "SMALL", limit)
        style.save_small(figure, tmp_path / "figure")
        image, size = Image.open(tmp_path / "figure.png"), (tmp_path / "figure.png").stat().st_size
        assert size <= limit
        shown = [color for _, color in image.convert("RGB").getcolors(10**6)]
        return shown, image.width, size

    most, wide, size = saved(10**9)
    fewer, as_wide, _ = saved(size - 1)
    assert len(most) > len(fewer) and wide == as_wide
    assert min(np.abs(np.subtract(color, to_rgb(style.GOLD) * np.array(255))).sum() for color in fewer) < 5
    assert saved(size // 10)[1] < wide


@pytest.mark.parametrize(("colors", "near"), [(256, 4), (64, 8), (24, 16)])
def test_weights_keep_their_colours_in_the_smallest_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, colors: int, near: int
) -> None:
    """A ramp of weights among many that are next to nothing, as in a poster of all systems."""
    weights = np.zeros((21, 21))
    weights[10], weights[3, ::2] = np.linspace(0, 1, 21), 0.02
    words = tuple(f"word{k}" for k in range(21))
    figure = heat_maps([HeatMap("A system", words, words, weights, parse("0-0 1-1 2?2"))], "sentence", columns=1)
    monkeypatch.setattr(style, "TIGHT", {})
    monkeypatch.setattr(style, "FEWER_COLORS", (colors,))
    style.save_small(figure, tmp_path / "figure")
    image = Image.open(tmp_path / "figure.png").convert("RGB")
    assert len(image.getcolors()) <= colors
    centres = figure.axes[0].transData.transform([(k + 0.5, 10.5) for k in range(21)]) * image.width / figure.bbox.width
    found = np.array([image.getpixel((int(x), int(image.height - y))) for x, y in centres], dtype=int)
    assert np.abs(found - 255 * COLORS(SCALE(weights[10]))[:, :3]).max() <= near
    assert (np.diff(found.sum(axis=1)) <= 0).all() and len(np.unique(found, axis=0)) >= 12
    gold = np.array(to_rgb(style.GOLD)) * 255
    assert min(np.abs(np.subtract(color, gold)).max() for _, color in image.getcolors()) < 5


@pytest.mark.slow
def test_a_figure_that_is_much_too_large_is_not_drawn_in_every_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figure = blank(6, 6)
    figure.subplots().imshow(np.random.default_rng(2).random((400, 400)), "viridis")
    sizes = []
    drawn = style._drawn
    monkeypatch.setattr(style, "_drawn", lambda figure, dpi: (sizes.append(dpi), drawn(figure, dpi))[1])
    monkeypatch.setattr(style, "SMALL", 3000)
    style.save_small(figure, tmp_path / "figure")
    in_turn = [style.SCREEN_DPI]
    while in_turn[-1] > sizes[-1]:
        in_turn.append(int(style.FEWER_DOTS * in_turn[-1]))
    assert in_turn[-1] == sizes[-1] and len(sizes) * 2 < len(in_turn)


@pytest.mark.slow
def test_the_same_study_gives_the_same_bytes(small: StudyResults, written: Path, tmp_path: Path) -> None:
    write_figures(small, tmp_path / "again", None)
    for file in files(written):
        assert (written / file).read_bytes() == (tmp_path / "again/vector" / file).read_bytes(), file


@pytest.mark.usefixtures("unrendered")
def test_without_a_gold_set_the_sentence_is_one_of_the_test_set(tmp_path: Path) -> None:
    write_figures(study_of(tmp_path, FEW, gold=False), tmp_path / "report", None)
    attention = {"completion", "attention/longest"}
    assert files(tmp_path / "report/vector") == named(BOTH | attention) | {"attention/longest_all.png"}


@pytest.mark.usefixtures("unrendered")
def test_one_system_without_attention_is_a_study_too(tmp_path: Path) -> None:
    only = study_of(tmp_path, {BASELINE: "No attention"})
    line = [record(*pair, False, 1) for pair in zip(SOURCE, TARGET, strict=True)]
    (tmp_path / f"translations/{BASELINE}-1/gold.forced.jsonl").write_text("\n".join(line) + "\n", encoding="utf-8")
    metrics = only.systems[0].runs[0].metrics | {"aer": None, "coverage_histogram": dict.fromkeys(BINS)}
    system = SystemResults(
        BASELINE, "No attention", (SeedResults(1, metrics, {}, only.systems[0].runs[0].curve, 2, None),)
    )
    document = metrics_document([system], {}, {})
    bare = only._replace(systems=(system,), document=document, frame=results_frame(document))
    write_figures(bare, tmp_path / "report", None)
    assert files(tmp_path / "report/vector") == named(BOTH - {"effects"})


def test_a_missing_translation_is_one_clear_error(small: StudyResults, tmp_path: Path) -> None:
    (tmp_path / "translations/cohn_all-1/gold.forced.jsonl").unlink()
    with pytest.raises(InputError, match=r"cohn_all-1/gold.forced.jsonl: no such file"):
        write_figures(small, tmp_path / "report", None)


@pytest.mark.slow
def test_svg_holds_no_text_that_needs_a_font_and_no_date(written: Path) -> None:
    for path in written.rglob("*.svg"):
        svg = path.read_text(encoding="utf-8")
        assert "<text" not in svg and "dc:date" not in svg, path


@pytest.mark.slow
def test_every_figure_that_is_written_has_a_caption(small: StudyResults, written: Path) -> None:
    assert {file.rsplit(".", 1)[0] for file in files(written)} <= set(captions(small))


@pytest.mark.parametrize(
    ("golds", "sentence"), [([parse("0-1 1-0")] * 2, None), (None, None), (None, 1)], ids=["gold", "none", "named"]
)
def test_every_rule_that_chooses_a_sentence_has_captions(
    small: StudyResults, golds: list[Gold] | None, sentence: int | None
) -> None:
    settings = ReportSettings(sentence=sentence, shortest=4, longest=6)
    for rule in choices([5, 5], golds, settings, [["JJ", "NN"]] * 2):
        assert {f"attention/{rule}", f"attention/{rule}_all"} <= set(captions(small))


@pytest.mark.slow
def test_a_caption_says_what_is_seen_and_which_way_is_better(large: StudyResults) -> None:
    found = captions(large)
    for name, caption in found.items():
        assert any(word in caption.about for word in ("better", "Best", "is right if")), name
        assert caption.about.endswith(".") and not caption.title.endswith("."), name
    assert len({caption.title for caption in found.values()}) == len(found)
    assert found["bleu_by_length"].text.endswith(
        "Counterpart of Bahdanau et al. (2015), Figure 2, and Kuang et al. (2018), Figure 6."
    )


SAID = {
    "several seeds": ("over the seeds", {"learning_curves", "learning_curves_perplexity", "bleu_by_length", "cost"}),
    "a gold set": ("gold link", {"completion", "attention/reordering", "attention/reordering_all"}),
    "papers' systems": ("Counterpart of Bahdanau et al. (2015)", {"bleu_by_length"}),
    "few sentences": ("Hollow points", {"bleu_by_length"}),
    "statistical aligners": ("dotted lines", {"aer_bleu"}),
    "a close-up": ("lower panel enlarges", {"aer_bleu"}),
    "what lies beyond": ("arrow heads", {"effects"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", SAID)
def test_a_caption_speaks_only_of_what_is_drawn(large: StudyResults, tmp_path: Path, what: str) -> None:
    phrase, names = SAID[what]
    titles = {name: FEW[name] for name in ("rnnsearch_star", "ba_nmt")}
    many = study_of(_folder(tmp_path / "many"), FEW, SEEDS)
    if what == "what lies beyond":
        entries = many.compared["sets"]["test"]["bleu"].values()
        far = next(entry["baseline"] for entry in entries if entry["baseline"])
        far |= {"difference": 900.0, "low": 899.0, "high": 901.0}
    bare = study_of(_folder(tmp_path / "bare"), titles, gold=False, lengths={"1-10": 90})
    with_it = many if what in ("several seeds", "what lies beyond") else large
    assert {name for name in names if phrase not in captions(with_it)[name].text} == set()
    assert {name for name, caption in captions(bare).items() if phrase in caption.text} == set()


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


@pytest.mark.parametrize(
    ("systems", "title"),
    [(["rnnsearch_star", "ba_nmt"], "rnnsearch_star and the best other"), (["rnnsearch_star"], "rnnsearch_star")],
)
def test_a_figure_of_a_paper_without_its_systems_is_left_out(tmp_path: Path, systems: list[str], title: str) -> None:
    """The baseline alone, which every study has, is not Kuang's figure."""
    alone = study_of(tmp_path, {name: FEW[name] for name in systems})
    panels = drawn(alone, "bleu_by_length").axes
    assert [axis.get_title(loc="left") for axis in panels] == [title]
    assert "Counterpart" not in captions(alone)["bleu_by_length"].text


def test_a_legend_has_no_entry_for_what_is_not_drawn(tmp_path: Path) -> None:
    study = study_of(tmp_path, FEW)
    (legend,) = drawn(study, "effects").legends
    beyond = "arrow heads" in captions(study)["effects"].about
    assert ("beyond the scale" in [text.get_text() for text in legend.get_texts()]) == beyond
