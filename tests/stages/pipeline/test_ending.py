"""What a run ends with on the terminal."""

import json
from types import SimpleNamespace

import pytest

from stages.pipeline.ending import WIDTH, ending, table
from stages.settings.corpora import DemoSettings
from tests.helpers import committed

LONG = "Coverage embeddings, GRU + Sub + supervised objective, and many words more (Mi et al. 2016)"


def system(title: str, bleu: float, **others: float | None) -> dict:
    """BLEU and ROT are averages of two test sets, of which the first is easier."""
    average = {"bleu": bleu, "rot": others.pop("rot", 1.005)}
    first = {"bleu": bleu + 9, "rot": 0.5}
    tests = {"tests": {"easy": first, "hard": {"bleu": bleu - 9, "rot": 1.51}, "average": average}}
    return {"title": title, "mean": first | {"aer": 50.125, "wall_seconds": 61.7} | tests | others}


SYSTEMS = {
    "rnnencdec": system("RNNencdec", 10.25, aer=None, rot=None),
    "ba_nmt": system("BA-NMT", 36.3),
    "smt": system("SMT", 64.0, aer=13.9, rot=None, wall_seconds=None),
}


def test_the_table_is_one_line_a_system():
    assert list(table(SYSTEMS)) == [
        "System       BLEU     AER     ROT seconds",
        "RNNencdec    10.2       –       –      62",
        "BA-NMT       36.3    50.1    1.00      62",
        "SMT ²        64.0    13.9       –       –",
    ]


def test_the_table_is_narrow_whatever_the_titles():
    lines = list(table(SYSTEMS | {"long": system(LONG, 100.0)}, {"long": "longer"}))
    assert {len(line) for line in lines} == {WIDTH}
    assert not any("²" in line for line in table(SYSTEMS | {"smt": system("SMT", 64.0, aer=None)}))
    assert lines[-1].startswith("Coverage embeddings, GRU + Sub + supervised") and "… ¹   100.0" in lines[-1]


@pytest.fixture
def lines(tmp_path, monkeypatch):
    """The ending of a study of these systems, on text of this kind, with a report of HEAD or none."""
    monkeypatch.chdir(tmp_path)

    def ended(generated: bool, direction: str = "forward", **apart: str) -> list[str]:
        demo = DemoSettings(**committed.params()["corpora"]["demo"]["corpus"])
        corpus = demo if generated else SimpleNamespace(source="de", target="en")
        params = SimpleNamespace(
            study="mine", corpus="text", direction=direction, trained=["rnnencdec", "ba_nmt"],
            corpora={"text": SimpleNamespace(corpus=corpus)},
        )  # fmt: skip
        folder = tmp_path / "reports" / "mine"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "metrics.json").write_text(json.dumps({"systems": SYSTEMS, "apart": apart}))
        return list(ending(params, folder.parent.relative_to(tmp_path)))

    return ended


def test_where_the_report_is_and_nothing_wide(lines):
    said = lines(generated=False)
    assert said[:4] == list(table(SYSTEMS))
    assert "report: reports/mine/README.md" in said and "page: reports/mine/index.html" in said
    assert "  dvc metrics diff --targets reports/mine/metrics.json" in said
    assert all(len(line) <= WIDTH for line in said) and not any("make " in line for line in said)


def test_who_was_trained_for_longer_is_marked(lines):
    said = lines(generated=False, ba_nmt="longer", rnnencdec="candidates", other="longer")
    assert said[1].startswith("RNNencdec    10.2") and said[2].startswith("BA-NMT ¹     36.3")
    assert said[4:6] == ["¹: trained for longer than the others", "²: AER of its word aligner"]
    assert not any(line.startswith("³") for line in said)


def test_an_ensemble_is_marked(lines):
    said = lines(generated=False, ba_nmt="ensemble")
    assert said[2].startswith("BA-NMT ³     36.3")
    assert said[4:6] == ["²: AER of its word aligner", "³: an ensemble of models"]


@pytest.mark.parametrize(("direction", "source"), [("forward", "zh"), ("reverse", "en")])
def test_after_generated_text_it_says_so_and_what_to_run_next(lines, direction, source):
    said = lines(generated=True, direction=direction)
    assert said[4].startswith("²: ") and "supports no claim about translation" in said[5]
    after = "\n".join(said[said.index("next, with times on two cores:") :])
    assert f"head -1 work/text/corpus/test.{source} | make translate SYSTEM=ba_nmt MAP=map.png" in after
    assert "make repro STUDY=hansards-en-fr RELEASED=1" in after and "make repro STUDY=demo\n" in after


def test_the_studies_that_it_names_are_there():
    studies = committed.params()["studies"]
    assert {"demo", "hansards-en-fr"} <= studies.keys()
    assert len(studies["demo"]["systems"]) + len(studies["demo"]["fine_tuned"]) + 1 == 54
