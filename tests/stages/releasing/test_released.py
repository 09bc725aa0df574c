"""Results of one machine in a report of another one."""

import json
import subprocess
from pathlib import Path

import pytest

from stages.files.errors import InputError
from stages.pipeline import release
from stages.pipeline.lock import RUNS, Busy, only_run
from stages.releasing.results_file import read_about, read_results, write_results
from stages.reporting import preconditions
from stages.reporting.results import read_systems
from stages.scoring.inputs import read_decoded, read_text
from stages.settings.systems import study_systems
from tests.helpers.report_study import SOURCE, TARGET, contents, write
from tests.stages.releasing.conftest import RUN, settings
from tests.stages.releasing.released_results import RELEASED, both_directions, edit, elsewhere, path_of, take, take_all


def test_what_a_report_reads_comes_back(project: Path) -> None:
    text = read_text(Path("work/demo/corpus"), "forward")
    titles = {"plain": "plain", "star": "star"}
    before = read_systems(RUN, text, titles, (1, 2), ())
    scores = contents(RUN / "scores")
    release.main()
    elsewhere()
    take_all()
    assert contents(RUN / "scores") == scores
    after = read_systems(RUN, text, titles, (1, 2), ())
    for one, other in zip(before, after, strict=True):
        for run, again in zip(one.runs, other.runs, strict=True):
            assert run.metrics == again.metrics and run.curve.equals(again.curve)
            assert again.recipe == run.recipe | {"released": "trained elsewhere, at commit 0123456"}


def test_translations_of_all_seeds_come_back_and_the_attention_of_the_first(project: Path) -> None:
    names = ("test.jsonl", "test2.jsonl", "gold.forced.jsonl")
    first, second = RUN / "translations/star-1", RUN / "translations/star-2"

    def read(path):
        return [json.loads(line) for line in path.read_text().splitlines()]

    before = {name: read(first / name) for name in names}
    words = {name: read(second / name) for name in names[:2]}
    release.main()
    elsewhere()
    take("star", 1)
    take("star", 2)
    assert {path.name for path in first.iterdir()} == set(names)
    for name in names:
        for one, other in zip(before[name], read(first / name), strict=True):
            rounded = [[round(weight, 3) for weight in row] for row in one["attention"]]
            assert other == one | {"attention": rounded}
    nothing = {"attention": None, "positional": None}
    assert {path.name: read(path) for path in second.iterdir()} == {
        name: [one | nothing for one in each] for name, each in words.items()
    }
    text = read_text(Path("work/demo/corpus"), "forward")
    again = read_decoded(text, "test", second / "test.jsonl")
    assert [one.target for one in again] == [
        one.target for one in read_decoded(text, "test", first / "test.jsonl")
    ] and again[0].attention is None


def test_without_their_attention_unknown_words_keep_the_source_words_that_they_attend_to(project: Path) -> None:
    """The least that replaces them; of a system that never attends there is nothing."""
    for name in ("star-2", "plain-2"):
        path = RUN / f"translations/{name}/test.jsonl"
        one, two = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
        one["target"][:3] = ["<unk>", "<un", "<unk>"]
        if name == "star-2":
            one["attention"][0], one["attention"][2] = (
                [0.0] * 5 + [0.4, 0.4, 0.2], [0.1, 0.2, 0.1] + [0.0] * 4 + [0.6]
            )  # fmt: skip
        write(path, "".join(f"{json.dumps(it, ensure_ascii=False)}\n" for it in (one, two)))
    text = read_text(Path("work/demo/corpus"), "forward")
    before = {
        name: read_decoded(text, "test", RUN / f"translations/{name}/test.jsonl") for name in ("star-2", "plain-2")
    }
    release.main()
    elsewhere()
    take("star", 2)
    take("plain", 2)
    for name, known in before.items():
        again = read_decoded(text, "test", RUN / f"translations/{name}/test.jsonl")
        assert [one.attended for one in again] == [one.attended for one in known]
        assert [one.unknown for one in again] == [{0, 2}, set()]
    assert before["star-2"][0].attended == {0: 5, 2: 1} and before["plain-2"][0].attended == {}
    released = [
        json.loads(line) for line in read_results(path_of("star", 2))[1]["translations/test.jsonl"].splitlines()
    ]
    assert [one.get("attended") for one in released] == [[5, 1], None]


def test_what_dev_chose_for_the_search_comes_back(project: Path) -> None:
    chosen = '{"coverage_penalty": 0.2}\n'
    write(RUN / "translations/star-2/decoding.json", chosen)
    release.main()
    elsewhere()
    take("star", 1)
    take("star", 2)
    assert (RUN / "translations/star-2/decoding.json").read_text() == chosen
    assert not (RUN / "translations/star-1/decoding.json").exists()


def test_results_of_before_have_translations_of_the_first_seed_only(project: Path) -> None:
    release.main()
    about, files = read_results(path_of("star", 2))
    write_results(path_of("star", 2), about, {name: data for name, data in files.items() if "/" not in name})
    elsewhere()
    take("star", 2)
    assert list((RUN / "translations/star-2").iterdir()) == []


def test_no_sentence_of_the_corpus_is_released(project: Path) -> None:
    release.main()
    for variant in RELEASED:
        for seed in (1, 2):
            about, files = read_results(path_of(variant, seed))
            forced = [data.decode() for name, data in files.items() if name.endswith("gold.forced.jsonl")]
            assert len(forced) == (seed == 1) and "translations/test.jsonl" in files
            whole = json.dumps(about, ensure_ascii=False) + "".join(
                data.decode() for name, data in files.items() if name not in ("scores.json",)
            )
            assert not any(word in whole for line in SOURCE for word in line.split() if word != ".")
            assert not any(line in one for one in forced for line in TARGET)
            assert not any("cooperation" in one for one in forced)


def test_the_same_results_are_the_same_bytes(project: Path) -> None:
    release.main()
    before = contents(Path("reports/released"))
    release.main()
    assert contents(Path("reports/released")) == before and len(before) == 4


def test_only_new_results_change_their_files(project: Path, monkeypatch, capsys) -> None:
    release.main()
    before = contents(Path("reports/released"))
    monkeypatch.setattr(release, "_commit", lambda: "fedcba9" * 6)
    path_of("star", 2).unlink()
    path_of("plain", 1).write_text("damaged")
    capsys.readouterr()
    release.main()
    after = contents(Path("reports/released"))
    changed = {Path(name).name for name in before if after[name] != before[name]}
    assert changed == {"star-2.tar.xz", "plain-1.tar.xz"} and after.keys() == before.keys()
    assert read_about(path_of("star", 2))["commit"] == "fedcba9" * 6
    assert [line.rsplit(": ")[-1] for line in capsys.readouterr().out.splitlines()].count("as it was") == 2


def test_a_training_that_is_repeated_changes_nothing(project: Path, monkeypatch, capsys) -> None:
    """Its times, its machine and the text of the code are other ones, its results are the same."""
    both_directions()
    curve = RUN / "models/star/1/curve.csv"
    curve.write_text("epoch,dev_bleu,tokens_per_second,wall_seconds\n1,9.0,50.0,7.5\n")
    release.main()
    before = contents(Path("reports/released"))
    curve.write_text("epoch,dev_bleu,tokens_per_second,wall_seconds\n1,9.0,60.0,6.5\n")
    _edit(RUN / "models/star/1/training.json", wall_seconds=6.5, machine={"cores": 4, "threads": 2})
    metrics = json.loads((RUN / "scores/star-1/scores.json").read_text())["metrics"]
    _edit(RUN / "scores/star-1/scores.json", metrics=metrics | {"wall_seconds": 6.5}, recipe={})
    _edit(RUN / "models/star/1-reverse/training.json", wall_seconds=8.5)
    write(Path("work/manifest/score"), "another\n")
    monkeypatch.setattr(release, "_commit", lambda: "fedcba9" * 6)
    capsys.readouterr()
    release.main()
    assert contents(Path("reports/released")) == before
    assert capsys.readouterr().out.count("as it was") == 4


def _edit(path: Path, **values) -> None:
    write(path, json.dumps(json.loads(path.read_text()) | values))


def test_other_results_are_left_unless_they_are_to_be_replaced(project: Path, monkeypatch, capsys) -> None:
    release.main()
    before = contents(Path("reports/released"))
    counts = RUN / "scores/star-1/test.csv"
    counts.write_text(counts.read_text()[:-2] + "9\n")
    path_of("star", 2).unlink()
    monkeypatch.setattr(release, "_commit", lambda: "fedcba9" * 6)
    capsys.readouterr()
    with pytest.raises(
        InputError, match=r"star-1\.tar\.xz holds other results \(test\.csv\),.* REPLACE=1 replaces it$"
    ):
        release.main()
    assert path_of("star", 2).exists() and capsys.readouterr().out.count("as it was") == 2
    assert read_about(path_of("star", 1))["commit"] == "0123456789abcdef"
    monkeypatch.setattr("sys.argv", ["release", "--replace", "1"])
    release.main()
    about, files = read_results(path_of("star", 1))
    assert about["commit"] == "fedcba9" * 6 and files["test.csv"] == counts.read_bytes()
    after = contents(Path("reports/released"))
    assert {Path(name).name for name in before if after[name] != before[name]} == {"star-1.tar.xz", "star-2.tar.xz"}


def test_attention_that_a_study_shows_is_put_to_the_same_results_and_stays(project: Path, capsys) -> None:
    release.main()
    both = read_results(path_of("star", 2))
    settings(seeds=[2, 1])
    release.main()
    about, files = read_results(path_of("star", 2))
    assert about == both[0] | {"translations": True} and {*files} - {*both[1]} == {"translations/gold.forced.jsonl"}
    assert json.loads(files["translations/test.jsonl"].splitlines()[0])["attention"]
    before = contents(Path("reports/released"))
    for seeds in ([1, 2], [2, 1]):
        settings(seeds=seeds)
        release.main()
    assert contents(Path("reports/released")) == before


def test_the_same_results_of_other_settings_are_of_todays(project: Path) -> None:
    release.main()
    edit("corpora/demo/training/max_epoch", 99)
    release.main()
    now = read_about(path_of("star", 1))["settings"]
    assert now["corpora.demo.training"]["max_epoch"] == 99


def test_no_run_rewrites_results_while_they_are_released(project: Path, monkeypatch) -> None:
    def refused(*_):
        with pytest.raises(Busy), only_run(RUNS, print):
            pass

    monkeypatch.setattr(release, "_release", refused)
    release.main()


@pytest.mark.parametrize(("both", "stale"), [(False, "star"), (True, "_reverse@")])
def test_what_is_not_up_to_date_is_left_out_and_named(project: Path, monkeypatch, capsys, both, stale) -> None:
    if both:
        both_directions()
    pipeline = release.Pipeline()
    pipeline.changed = lambda stages, say: [stage for stage in stages if stale in stage]
    monkeypatch.setattr(release, "Pipeline", lambda: pipeline)
    release.main()
    assert {path.name for path in Path("reports/released").rglob("*.xz")} == {"plain-1.tar.xz", "plain-2.tar.xz"}
    said = capsys.readouterr().out
    assert "star-1: not up to date" in said and "star-2: not up to date" in said


def test_a_report_asks_for_all_of_it_before_anything_is_trained(project: Path) -> None:
    release.main()
    elsewhere()
    study = study_systems()
    preconditions._check_released(study)
    assert read_about(path_of("star", 1))["translations"] and not read_about(path_of("star", 2))["translations"]
    with pytest.raises(InputError, match="has no attention, and reports show that of the first seed"):
        preconditions._check_released(study.model_copy(update={"seeds": [2, 1]}))
    path_of("star", 2).unlink()
    with pytest.raises(InputError, match=r"there is no .*star-2\.tar\.xz; train the system here"):
        preconditions._check_released(study)


def test_only_committed_code_is_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="git does not say what is committed here"):
        release._commit()
    identity = ["-c", "user.name=n", "-c", "user.email=e@x"]
    write(tmp_path / "stages/a.py", "A = 1\n")
    write(tmp_path / "params.yaml", "a: 1\n")
    for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "first"]):
        subprocess.run(["git", *command], check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
    write(tmp_path / "params.yaml", "a: 2\n")
    assert release._commit() == head
    write(tmp_path / "stages/a.py", "A = 2\n")
    with pytest.raises(InputError, match="code that is not committed: commit it first"):
        release._commit()
