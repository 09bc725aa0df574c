"""Results of one machine in a report of another one, and what keeps those of other settings or text out."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from stages import released
from stages.files.errors import InputError
from stages.files.run_directory import RunDirectory
from stages.pipeline import release
from stages.releasing import results_file, reverse
from stages.releasing.results_file import read_about, read_results, results_path, write_results
from stages.reporting import preconditions
from stages.reporting.claims.counts import REVERSE, AbsentError, Counts
from stages.reporting.hours import hours
from stages.reporting.results import read_systems
from stages.scoring.inputs import read_decoded, read_text
from stages.settings.systems import study_systems
from tests.helpers.report_study import SOURCE, TARGET, contents, write
from tests.stages.releasing.conftest import RUN, settings

RELEASED = {"plain": None, "star": "plain"}
KINDS = ("models", "scores", "translations")


def path_of(variant: str, seed: int) -> Path:
    return results_path("demo", "forward", "bpe", variant, seed)


def elsewhere() -> None:
    """The same project where nothing has been trained."""
    for kind in KINDS:
        shutil.rmtree(RUN / kind)
    settings(systems=["other"], fine_tuned={}, released=RELEASED)
    content = yaml.safe_load(Path("params.yaml").read_text())
    content["variants"]["other"] = {"arch": "rnnsearch"}
    write(Path("params.yaml"), yaml.safe_dump(content, sort_keys=False))


def take(variant: str, seed: int) -> None:
    """The stage."""
    released.released(study_systems(), variant, seed)


def take_all() -> None:
    for variant in RELEASED:
        for seed in (1, 2):
            take(variant, seed)


def edit(key: str, value) -> None:
    *above, last = key.split("/")
    content = yaml.safe_load(Path("params.yaml").read_text())
    node = content
    for name in above:
        node = node[name]
    node[last] = value
    write(Path("params.yaml"), yaml.safe_dump(content, sort_keys=False))


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


def both_directions() -> None:
    """The study trains star in the reverse direction too."""
    settings(systems=["plain", "star"], fine_tuned={}, also_reverse=["star"])
    pipeline = release.Pipeline()
    for job in pipeline.jobs:
        if "star" in job.labels:
            job.stages += ("evaluate_reverse@small-star",)


def test_the_reverse_direction_comes_back_too(project: Path) -> None:
    run, text = RunDirectory(RUN), read_text(Path("work/demo/corpus"), "forward")
    titles, seeds = {"plain": "plain", "star": "star"}, (1, 2)
    systems = read_systems(RUN, text, titles, seeds, ("star",))
    sums = [reverse.sums(run, "star", seed, here=True) for seed in seeds]
    cost = hours(run, systems, ("star",))
    assert systems[1].runs[0].metrics["perplexity_en-zh"] == pytest.approx(9) and cost["trainings"] == 6
    both_directions()
    release.main()
    elsewhere()
    edit("released/star", None)
    take_all()
    again = read_systems(RUN, text, titles, seeds, ())
    for one, other in zip(systems, again, strict=True):
        assert [run.metrics for run in one.runs] == [run.metrics for run in other.runs]
    for seed, before in zip(seeds, sums, strict=True):
        assert (reverse.sums(run, "star", seed, here=False) == before).all()
        assert reverse.sums(run, "plain", seed, here=False) is None
    assert hours(run, again, ()) == cost
    with pytest.raises(AbsentError, match="plain is not trained in the reverse direction"):
        Counts(text, RUN, seeds, ()).trainings("plain", REVERSE, None)
    with pytest.raises(AbsentError, match="1 sentences in the set dev, reverse are too few"):
        Counts(text, RUN, seeds, ()).trainings("star", REVERSE, None)


def test_a_study_of_one_direction_leaves_what_was_released_of_both(project: Path, capsys) -> None:
    both_directions()
    release.main()
    before = contents(Path("reports/released"))
    settings(systems=["plain", "star"], fine_tuned={})
    capsys.readouterr()
    release.main()
    assert contents(Path("reports/released")) == before
    assert capsys.readouterr().out.count("as it was") == 4


SUMS_OF_NONE = ["[]", "[1, 2]", "[[1, 2], [3]]", '[["a", "b"]]', "null", "[[1, 2, 3]]", "[[NaN, 1]]"]
MACHINES_OF_NONE = ["null", "[]", '{"threads": "2"}', '{"threads": 0}', '{"gpu": 1}']
TRAININGS_OF_NONE = [
    *("null", "{}", '{"wall_seconds": 1}', '{"wall_seconds": "1", "machine": {}}'),
    *(f'{{"wall_seconds": 1, "machine": {machine}}}' for machine in MACHINES_OF_NONE),
]


@pytest.mark.parametrize(
    "damaged",
    [
        *(f'{{"training": {{"wall_seconds": 1, "machine": {{}}}}, "sums": {sums}}}' for sums in SUMS_OF_NONE),
        *(f'{{"training": {training}, "sums": [[-9, 3]]}}' for training in TRAININGS_OF_NONE),
        "[]",
        "{",
    ],
)
def test_what_is_damaged_of_the_reverse_direction_is_one_error(project: Path, damaged: str) -> None:
    write(RUN / f"models/star/1/{reverse.FILE}", damaged)
    for read in (reverse.training, reverse.sums):
        with pytest.raises(InputError, match=r"reverse\.json.*delete it and run"):
            read(RunDirectory(RUN), "star", 1, here=False)


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
    scores = RUN / "scores/star-2/scores.json"
    scores.write_text(scores.read_text().replace("1", "2", 1))
    path_of("plain", 1).write_text("damaged")
    capsys.readouterr()
    release.main()
    after = contents(Path("reports/released"))
    changed = {Path(name).name for name in before if after[name] != before[name]}
    assert changed == {"star-2.tar.xz", "plain-1.tar.xz"} and after.keys() == before.keys()
    assert read_about(path_of("star", 2))["commit"] == "fedcba9" * 6
    assert [line.rsplit(": ")[-1] for line in capsys.readouterr().out.splitlines()].count("as it was") == 2


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


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("corpora/demo/training/lr", 0.5, r"other settings \(corpora\.demo\.training\.lr: 0\.008 there, 0\.5 here\)"),
        ("corpora/demo/model/hidden_dim", 5, r"corpora\.demo\.model\.hidden_dim: 112 there, 5 here"),
        ("corpora/demo/fine_tuning", {"max_epoch": 9}, r"corpora\.demo\.fine_tuning\.max_epoch: 2 there, 9 here"),
        ("variants/star/arch", "sa_nmt", r"variants\.star\.arch: rnnsearch_star there, sa_nmt here"),
        ("variants/star/training", {"lr": 1}, r"variants\.star\.training\.lr: None there, 1 here"),
        ("variants/star/by_corpus", {"demo": {"training": {"lr": 1}}}, r"star\.training\.lr: None there, 1 here"),
        ("variants/star/by_corpus", {"demo": {"gru_reset_before": True}}, r"gru_reset_before: None there, True"),
        ("released/star", None, r"released: star was initialised from plain; write that there"),
    ],
)
def test_results_of_other_settings_are_refused(project: Path, key: str, value, message: str) -> None:
    release.main()
    elsewhere()
    edit(key, value)
    with pytest.raises(InputError, match=message):
        preconditions._check_released(study_systems())  # before anything is trained
    with pytest.raises(InputError, match=message):
        take("star", 1)
    assert not (RUN / "scores").exists() and not (RUN / "models").exists()


@pytest.mark.parametrize(("key", "value"), [("training/threads", 2), ("training/save_seconds", 5)])
def test_settings_of_a_machine_make_no_other_results(project: Path, key: str, value: int) -> None:
    release.main()
    elsewhere()
    edit(f"corpora/demo/{key}", value)
    take("star", 1)


@pytest.mark.parametrize("own", [{"training": {"lr": 1}}, {"gru_reset_before": True}])
def test_what_a_system_has_on_another_corpus_makes_no_other_results(project: Path, own: dict) -> None:
    release.main()
    elsewhere()
    edit("variants/star/by_corpus", {"other": own})
    take("star", 1)


@pytest.mark.parametrize(
    ("file", "what"),
    [
        ("work/demo/corpus/train.zh", "text of the corpus"),
        ("work/demo/corpus/test2.ref0.en", "text of the corpus"),
        ("work/demo/forward-bpe/bpe/gold.en", "pieces of the text"),
    ],
)
def test_results_of_another_text_are_refused(project: Path, file: str, what: str) -> None:
    release.main()
    elsewhere()
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    write(Path(file), "\n".join(reversed(lines)) + "\n")
    with pytest.raises(InputError, match=f"results are of another {what} than this machine has; train the system here"):
        take("plain", 1)


def test_other_code_is_said(project: Path) -> None:
    release.main()
    elsewhere()
    write(Path("work/manifest/score"), "another\n")
    take("star", 1)
    assert json.loads((RUN / "models/star/1/released.json").read_text()) == {
        "commit": "0123456789abcdef",
        "same_code": False,
    }


def test_results_of_another_system_in_its_place_are_refused(project: Path) -> None:
    release.main()
    elsewhere()
    shutil.copy(path_of("plain", 1), path_of("star", 1))
    with pytest.raises(InputError, match=r"star-1\.tar\.xz: holds variant plain, not star"):
        take("star", 1)
    shutil.copy(path_of("star", 2), path_of("star", 1))
    with pytest.raises(InputError, match=r"star-1\.tar\.xz: holds seed 2, not 1"):
        take("star", 1)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_a_damaged_file_is_one_clear_error(project: Path, share: float) -> None:
    release.main()
    elsewhere()
    path = path_of("star", 1)
    data = path.read_bytes()
    path.write_bytes(data[: int(share * len(data))])
    with pytest.raises(InputError, match=re.escape(str(path))):
        take("star", 1)
    assert not (RUN / "scores").exists()


@pytest.mark.parametrize("name", ["../outside", "/etc/x", "translations/../x", ".hidden", "a/b"])
def test_a_file_with_other_names_is_refused(project: Path, name: str) -> None:
    release.main()
    elsewhere()
    path = path_of("star", 1)
    about, files = read_results(path)
    write_results(path, about, files | {name: b"x"})
    with pytest.raises(InputError, match="which is no file of results, or a huge one"):
        take("star", 1)


@pytest.mark.parametrize("name", ["training.json", "curve.csv", "scores.json"])
def test_a_file_that_lacks_something_is_refused(project: Path, name: str) -> None:
    release.main()
    elsewhere()
    path = path_of("star", 1)
    about, files = read_results(path)
    write_results(path, about, {other: data for other, data in files.items() if other != name})
    with pytest.raises(InputError, match=rf"star-1\.tar\.xz lacks {name}; restore it with git"):
        take("star", 1)


@pytest.mark.parametrize("lines", ["{", "[]", "1", '{"target": 1}\n', "\xff", ""])
def test_translations_that_are_none_are_refused(project: Path, lines: str) -> None:
    release.main()
    elsewhere()
    path = path_of("star", 1)
    about, files = read_results(path)
    write_results(path, about, files | {"translations/test.jsonl": lines.encode()})
    with pytest.raises(InputError, match=r"test\.jsonl"):
        take("star", 1)
    assert not (RUN / "scores").exists()


def test_files_without_end_are_refused_before_they_are_read(project: Path, monkeypatch) -> None:
    release.main()
    elsewhere()
    monkeypatch.setattr(results_file, "KIND", results_file.KIND._replace(largest=2000))
    with pytest.raises(InputError, match="or a huge one"):
        take("star", 1)


def test_a_report_asks_for_all_of_it_before_anything_is_trained(project: Path) -> None:
    release.main()
    elsewhere()
    study = study_systems()
    preconditions._check_released(study)
    assert read_about(path_of("star", 1))["translations"] and not read_about(path_of("star", 2))["translations"]
    with pytest.raises(InputError, match="has no attention, and reports show that of the first seed"):
        preconditions._check_released(study._replace(seeds=[2, 1]))
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
