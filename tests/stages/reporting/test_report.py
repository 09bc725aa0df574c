"""The report as a whole: its files, its order, its command, and what stops it."""

import csv
import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from stages import report as stage
from stages.files.errors import InputError
from stages.reporting import outputs
from stages.reporting.study_spec import read_spec
from tests.helpers import committed
from tests.helpers.report_study import ALIGN, FIGURES, TITLES, contents, make, write

pytestmark = pytest.mark.usefixtures("empty_figures")

RULES = ("reordering", "fertility")


def test_report_holds_every_file_and_nothing_else(report: Path) -> None:
    files = set(contents(report))
    papers = {name for name in files if "/papers/" in name}
    assert papers >= {
        "tables/papers/papers.md",
        "tables/papers/xue-2019-table-2.csv",
        "latex/papers/xue-2019-table-2.tex",
    }
    names = {"main", "differences", "quality", "unknown_words", "length_buckets", "alignment", "over_translation"}
    names |= {"eos", "pos_confusion", "transform", "perplexity", "cost", "data", "formulas", "claims"}
    assert {name for name in files - papers if not name.startswith("figures/examples/")} == {
        "README.md",
        "comparisons.json",
        "examples.md",
        "index.html",
        "learning_curves.csv",
        "metrics.json",
        "summary.json",
        "tables/README.md",
        *(f"tables/{name}.{kind}" for name in names for kind in ("md", "csv")),
        *(f"latex/{name}.tex" for name in names),
        *(f"figures/{name}.png" for name in FIGURES),
        *(f"vector/{name}{ending}" for name in FIGURES for ending in (".png", ".svg")),
        *(f"{folder}/attention/{rule}_all.png" for folder in ("figures", "vector") for rule in RULES),
    }
    assert {name.split("/")[0] for name in files} == set(outputs.OUTPUTS)
    assert {path.name for path in report.parent.iterdir()} == {"demo"}


@pytest.mark.slow
def test_rebuilding_gives_the_same_bytes(study: Path, report: Path) -> None:
    """Of the same files elsewhere, and in the place of the last report."""
    shutil.copytree(report, study / "reports/demo")
    assert contents(make(study)) == contents(report)


def test_tags_of_the_gold_set_choose_a_sentence_with_a_swap(study: Path) -> None:
    about = json.loads((study / "tags/about.json").read_text())
    write(study / "tags/about.json", json.dumps(about | {"zh": about["zh"] | {"tagger": "by hand"}}))
    for name in ("test", "test2", "gold"):
        classes = ["OTHER JJ NN OTHER OTHER OTHER" if name == "gold" else "OTHER " * 5 + "OTHER", "V V V V V"]
        write(study / f"tags/{name}.zh", "\n".join(classes) + "\n")
    write(study / "corpus/gold.align", "0-0 1-2 2-1\n\n")
    report = make(study)
    assert {"swap.png", "swap_all.png"} <= {path.name for path in (report / "figures/attention").iterdir()}
    assert "places](figures/attention/swap.png)" in (report / "README.md").read_text(encoding="utf-8")


def test_rows_follow_the_order_of_the_titles_not_of_the_files(report: Path) -> None:
    assert list(TITLES) != sorted(TITLES)
    assert list(json.loads((report / "metrics.json").read_text())["systems"]) == list(TITLES)
    rows = [row["variant"] for row in csv.DictReader((report / "tables/main.csv").open())]
    assert rows == [*TITLES, "eflomal_forward", "eflomal_reverse", "eflomal_gdfa"]


@pytest.mark.slow
def test_a_removed_variant_disappears_everywhere(of_plain_alone: Path) -> None:
    left = contents(of_plain_alone)
    assert not any("star" in name for name in left)
    of_papers = {name for name in left if "papers/" in name or "/claims." in name}
    texts = [text for name, text in left.items() if not name.endswith((".png", ".svg", ".html")) | (name in of_papers)]
    assert not any(re.search(rb"\bstar\b|RNNsearch", text) for text in texts)
    assert b"RNNsearch" in left["tables/papers/papers.md"]  # what the papers print stays


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda s: (s / "forward-bpe/scores/plain-2/scores.json").unlink(), "plain-2/scores.json: no such file"),
        (lambda s: (s / "forward-bpe/models/star/1/curve.csv").unlink(), "curve.csv: no such file"),
        (lambda s: write(s / "forward-bpe/models/star/1/curve.csv", "epoch,updates\n"), "no dev_ppl, dev_bleu"),
        (lambda s: write(s / "forward-bpe/models/star/1/curve.csv", ""), "curve.csv is not a table"),
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
    last = {name: name.encode() for name in ("metrics.json", "tables/main.md", "vector/cost.svg", ".gitignore")}
    for name, content in last.items():
        write(study / "reports/demo" / name, content.decode())
    damage(study)
    with pytest.raises(InputError, match=message):
        make(study)
    assert contents(study / "reports/demo") == dict(sorted(last.items()))
    assert [path.name for path in (study / "reports").iterdir()] == ["demo"]


@pytest.mark.slow
def test_an_error_in_the_middle_leaves_the_last_report_byte_for_byte(
    study: Path, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but the last file of the report is there when it comes."""
    last = contents(shutil.copytree(report, study / "reports/demo"))

    def fail(*_: object) -> None:
        raise RuntimeError("in the middle")

    monkeypatch.setattr(stage, "write_page", fail)
    with pytest.raises(RuntimeError, match="in the middle"):
        make(study, {"plain": TITLES["plain"]})
    assert contents(study / "reports/demo") == last
    assert [path.name for path in (study / "reports").iterdir()] == ["demo"]


ASKED = """
study: small
corpus: demo
run: work/demo/forward-bpe
direction: forward
segmentation: bpe
seeds: [2]
systems: [star]
fine_tuned: {plain: star}
decoded: {}
also_reverse: [star]
read_outs: []
smt: []
training_sizes: []
released: {}
released_smt: []
variants:
  unused: {arch: x}
  plain: {arch: x}
  star: {arch: x}
titles: {unused: not in the study, plain: plain-title, star: star-title}
"""


def settled(study: Path) -> None:
    """params.yaml in the folder `study`, which chooses study small of corpus demo; `study` is that corpus's folder."""
    demo = committed.params()["corpora"]["demo"]
    shown = {key: demo[key] for key in ("corpus", "segmentation", "model", "training", "fine_tuning", "score")}
    shown["compare"] = demo["compare"] | {"baseline": "plain", "resamples": 99}
    settings = {"sentence": 2, "shortest": 4, "longest": 6}
    write(study / "params.yaml", ASKED + yaml.safe_dump({"corpora": {"demo": shown | {"report": settings}}}))
    (study / "work").mkdir(exist_ok=True)
    (study / "work" / "demo").symlink_to(study)


@pytest.mark.slow
def test_command_reads_titles_and_seeds_from_params(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(study)
    settled(study)
    monkeypatch.setattr("sys.argv", ["report", "--study", "small"])
    stage.main()
    out = Path("reports/small")
    systems = json.loads((out / "metrics.json").read_text())["systems"]
    assert {name: system["title"] for name, system in systems.items()} == {name: f"{name}-title" for name in TITLES}
    assert all(list(system["seeds"]) == ["2"] for system in systems.values())
    assert r"\label{tab:small-main-1}" in (out / "latex/main.tex").read_text(encoding="utf-8")
    assert "training_sizes" not in (out / "README.md").read_text(encoding="utf-8")


def test_a_study_that_is_not_chosen_is_refused(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(study)
    settled(study)
    with pytest.raises(InputError, match=r"params\.yaml chooses study small on corpus demo"):
        read_spec("other", "demo")
    monkeypatch.setattr("sys.argv", ["report", "--study", "other"])
    with pytest.raises(InputError, match=r"studies\.other is missing"):
        stage.main()
    assert not Path("reports").exists()
