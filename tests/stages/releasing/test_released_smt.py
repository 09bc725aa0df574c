"""The phrase-based system of one machine in a report of another one."""

import json
import shutil
from pathlib import Path

import pytest
import yaml

from stages import released_smt
from stages.files.errors import InputError
from stages.pipeline import release
from stages.pipeline.jobs import Job
from stages.releasing.results_file import read_results, results_path, write_results
from stages.releasing.smt import SCORES
from stages.reporting import preconditions
from stages.reporting.results import read_systems
from stages.scoring.inputs import read_text
from stages.scoring.sentence_files import write_counts
from stages.settings.systems import study_systems
from tests.helpers.report_study import RECIPE, SOURCE, TARGET, counts, metrics, rows_of_counts, write
from tests.stages.releasing.conftest import RUN, settings

PATH = results_path("demo", "forward", "bpe", "smt", None)
FOLDERS = (RUN / "translations/smt", RUN / "scores/smt")


@pytest.fixture
def made(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project where SMT has been made too, of the words of the text."""
    settings(smt=["smt"])
    measured = metrics(20.0, 10.0, 1)
    tests = {name: measured for name in ("test", "test2")}
    scores = {"metrics": measured, "tests": tests, "dev": measured, "transform": None, "recipe": RECIPE}
    write(FOLDERS[1] / "scores.json", json.dumps(scores))
    for name in ("dev", "test", "test2"):
        write_counts(FOLDERS[1] / f"{name}.csv", counts(name, 1, False), 2)
    write_counts(FOLDERS[1] / "gold.csv", rows_of_counts(["aer"], 1), 2)
    for name in ("dev.jsonl", "test.jsonl", "test2.jsonl", "gold.forced.jsonl"):
        targets = TARGET if "gold" in name else ["he came", "a talk"]
        each = {"attention": None, "positional": None, "finished": True}
        lines = [
            json.dumps({"source": [*s.split(), "</s>"], "target": [*t.split(), "</s>"]} | each, ensure_ascii=False)
            for s, t in zip(SOURCE, targets, strict=True)
        ]
        write(FOLDERS[0] / name, "\n".join(lines) + "\n")
    for stage in ("smt", "score_smt"):
        write(Path("work/manifest") / stage, f"{stage}\n")
    pipeline = release.Pipeline()
    pipeline.jobs[Job(("smt@small-smt",), frozenset({"small", "smt"}))] = set()
    monkeypatch.setattr(release, "Pipeline", lambda: pipeline)
    return project


def elsewhere() -> None:
    """The same project where SMT has not been made."""
    for folder in FOLDERS:
        shutil.rmtree(folder)
    settings(released_smt=["smt"])


def take() -> None:
    """The stage."""
    released_smt.released_smt(study_systems(), "smt")


def test_what_a_report_reads_comes_back(made: Path) -> None:
    text, titles = read_text(Path("work/demo/corpus"), "forward"), {"smt": "SMT"}
    (before,) = read_systems(RUN, text, titles, (1, 2), ())
    files = {path: path.read_bytes() for folder in FOLDERS for path in folder.iterdir() if path.name != "dev.jsonl"}
    release.main()
    elsewhere()
    take()
    record = FOLDERS[0] / "released.json"
    again = {path: path.read_bytes() for folder in FOLDERS for path in folder.iterdir() if path != record}
    lines = {
        path: [json.loads(line) for line in data.splitlines()]
        for path, data in files.items()
        if path.suffix == ".jsonl"
    }
    assert again.keys() == files.keys()
    assert {path: data for path, data in again.items() if path not in lines} == {
        path: data for path, data in files.items() if path not in lines
    }
    assert all([json.loads(line) for line in again[path].splitlines()] == of for path, of in lines.items())
    (after,) = read_systems(RUN, text, titles, (1, 2), ())
    assert after.runs[0].metrics == before.runs[0].metrics
    assert after.runs[0].recipe == RECIPE | {"released": "trained elsewhere, at commit 0123456"}


def test_settings_of_old_names_are_shown_under_those_of_today(made: Path) -> None:
    path = FOLDERS[1] / SCORES
    scores = json.loads(path.read_text())
    old = {"lm_order": 4, "decoder": {"w": 10, "heuristic": 6}, "tuning": {"s": 2}}
    path.write_text(json.dumps(scores | {"recipe": scores["recipe"] | {"settings": old}}))
    release.main()
    elsewhere()
    take()
    new = {"lm_order": 4, "decoder": {"phrase_translations": 10, "heuristic": 6}, "tuning": {"stack": 2}}
    text = read_text(Path("work/demo/corpus"), "forward")
    (found,) = read_systems(RUN, text, {"smt": "SMT"}, (1, 2), ())
    assert found.runs[0].recipe["settings"] == new


def test_no_sentence_of_the_corpus_is_released_and_the_same_results_are_the_same_bytes(made, monkeypatch, capsys):
    release.main()
    about, files = read_results(PATH, (SCORES,))
    assert (about["seed"], about["pieces"]) == (None, None) and set(about["code"]) == {"smt", "score_smt"}
    whole = "".join(data.decode() for name, data in files.items() if name != "scores.json")
    assert not any(line in whole for line in (*SOURCE, *TARGET)) and "he" in whole
    before = PATH.read_bytes()
    monkeypatch.setattr(release, "_commit", lambda: "fedcba9" * 6)
    release.main()
    assert PATH.read_bytes() == before and capsys.readouterr().out.endswith(f"{PATH}: as it was\n")


def test_what_is_not_up_to_date_is_not_released(made, monkeypatch, capsys):
    pipeline = release.Pipeline()
    pipeline.changed = lambda stages, say: [stage for stage in stages if "smt" in stage]
    release.main()
    assert "smt: not up to date, or not there" in capsys.readouterr().out and not PATH.exists()


def test_one_that_this_machine_has_not_is_not_released(made, capsys):
    write(FOLDERS[1] / "left_out.json", json.dumps({"why": "no wheel"}))
    release.main()
    assert "smt is left out: no wheel" in capsys.readouterr().out and not PATH.exists()


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("smt", {"lm_order": 2}, r"corpora\.demo\.smt\.lm_order: 4 there, 2 here"),
        ("score", {"bleu_tokenize": "13a"}, r"corpora\.demo\.score\.bleu_tokenize: none there, 13a here"),
    ],
)
def test_results_of_other_settings_are_refused(made, key, value, message):
    release.main()
    elsewhere()
    content = yaml.safe_load(Path("params.yaml").read_text())
    content["corpora"]["demo"][key] |= value
    write(Path("params.yaml"), yaml.safe_dump(content, sort_keys=False))
    for refuse in (take, lambda: preconditions.check_smt(study_systems())):
        with pytest.raises(InputError, match=message + ".*from `released_smt` to `smt`"):
            refuse()
    assert not FOLDERS[1].exists()


def test_results_of_before_have_no_value_of_no_unk_and_are_of_any_vocabulary(made):
    path = FOLDERS[1] / SCORES
    scores = json.loads(path.read_text())
    without = {"bleu_no_unk": None, "no_unk_sentences": None}
    scores |= {name: scores[name] | without for name in ("metrics", "dev")}
    scores["tests"] = {name: of | without for name, of in scores["tests"].items()}
    path.write_text(json.dumps(scores))
    release.main()
    about, files = read_results(PATH, (SCORES,))
    for change in ({"settings": {k: v for k, v in about["settings"].items() if k != "corpora.demo.segmentation"}}, {}):
        write_results(PATH, about | change, files)
        settings(released_smt=["smt"])
        content = yaml.safe_load(Path("params.yaml").read_text())
        content["corpora"]["demo"]["segmentation"]["merges"] += 1
        write(Path("params.yaml"), yaml.safe_dump(content, sort_keys=False))
        if change:
            take()
            text = read_text(Path("work/demo/corpus"), "forward")
            (found,) = read_systems(RUN, text, {"smt": "SMT"}, (1, 2), ())
            assert found.runs[0].metrics["tests"]["average"]["bleu_no_unk"] is None
        else:
            with pytest.raises(InputError, match=r"corpora\.demo\.segmentation\.merges: 2000 there, 2001 here"):
                take()


def test_results_of_another_text_are_refused(made):
    release.main()
    elsewhere()
    write(Path("work/demo/corpus/train.zh"), "\n".join(reversed(SOURCE)) + "\n")
    with pytest.raises(InputError, match="results are of another text of the corpus than this machine has; have it"):
        take()


def test_what_lacks_its_scores_or_is_missing_is_one_clear_error(made):
    release.main()
    elsewhere()
    about, files = read_results(PATH, (SCORES,))
    write_results(PATH, about, {name: data for name, data in files.items() if name != "scores.json"})
    with pytest.raises(InputError, match=r"smt\.tar\.xz lacks scores\.json; restore it with git"):
        take()
    PATH.unlink()
    with pytest.raises(InputError, match=r"released_smt: there is no .*smt\.tar\.xz; have it made here"):
        preconditions.check_smt(study_systems())


def test_it_is_made_here_or_taken_and_not_both(made):
    settings(smt=["smt"], released_smt=["smt"])
    with pytest.raises(InputError, match="released_smt: smt is made by this study too"):
        study_systems()
