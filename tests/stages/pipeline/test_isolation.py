"""What an edit of params.yaml or of the code reruns: tried where nothing is trained."""

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dvc.dependency import ParamsDependency
from dvc.stage import PipelineStage

from stages.files.atomic import remove
from stages.pipeline import graph
from stages.pipeline.graph import Pipeline
from stages.pipeline.up_to_date import stale_results
from stages.releasing.training import Training
from tests.helpers.project import (
    CHECK,
    CORPUS,
    FOLDER,
    INITIALISE,
    MANIFEST,
    PARAMS,
    REPORT,
    ROWS,
    RUN,
    STUDY,
    TUNED,
    Project,
    jobs,
    paths,
    stand_in,
)

pytestmark = pytest.mark.dvc

pytest_plugins = ["tests.helpers.project"]


def test_a_second_look_finds_nothing_to_do(project):
    assert project.changed() == set()


def test_every_edit_of_settings_is_checked(project, edited):
    assert not project.is_to_be_checked()
    edited["corpora"]["multi30k-de-en"]["training"]["lr"] = 0.5
    project.write(edited)
    assert project.is_to_be_checked() and project.changed() == set()


def test_an_edited_model_concerns_its_system_and_what_lists_all(project, edited):
    edited["variants"]["ba_nmt"]["history_dim"] = 5
    project.write(edited)
    assert project.changed() == {MANIFEST, f"supervision@{FOLDER}", f"train@{FOLDER}-ba_nmt-1", REPORT}


def test_an_edited_fine_tuned_system_concerns_itself(project, edited):
    edited["variants"]["bridging_direct"]["training"] = {"max_epoch": 99}
    project.write(edited)
    assert project.changed() == {MANIFEST, f"supervision@{FOLDER}", f"fine_tune@{FOLDER}-bridging_direct-1", REPORT}


def test_an_edited_title_concerns_the_report_alone(project, edited):
    edited["titles"]["ba_nmt"] += "!"
    project.write(edited)
    assert project.changed() == {REPORT}


def test_an_added_seed_concerns_its_own_trainings_and_the_report(project, edited):
    edited["seeds"].append(99)
    project.write(edited)
    assert project.changed() == jobs(ROWS, [99]) | INITIALISE | {REPORT}


def test_an_added_variant_concerns_its_own_training_and_what_lists_all(project, edited):
    edited["variants"]["mine"] = {"arch": "attnmt", "terms": []}
    edited["systems"].append("mine")
    project.write(edited)
    own = jobs(["mine"], PARAMS["seeds"], [], [])
    assert project.changed() == own | {MANIFEST, f"supervision@{FOLDER}", REPORT}


def test_a_row_taken_out_of_the_study_trains_nothing(project, edited):
    edited["systems"].remove("supervised_attention")
    project.write(edited)
    assert project.changed() == {f"supervision@{FOLDER}", REPORT}


def test_a_system_whose_links_are_read_out_otherwise_trains_nothing(project, edited):
    project.write(edited | {"read_outs": ["ba_nmt"]})
    assert project.changed() == {f"read_outs@{FOLDER}-ba_nmt", REPORT}


@pytest.fixture
def accept(project) -> Iterator[Callable[[str], None]]:
    """Take a stage, which the committed study lacks, for up to date; all of it is forgotten at the end."""
    lock = (project.root / "dvc.lock").read_bytes()
    made: list[Path] = []

    def accept(name: str) -> None:
        missing = [project.root / path for path in paths(project.stages()[name])]
        made.extend(path for path in missing if not path.exists())
        for path in missing:
            stand_in(path)
        project.accept(name)

    yield accept
    for path in made:
        remove(path)
    (project.root / "dvc.lock").write_bytes(lock)


def test_released_results_concern_what_they_are_compared_by_and_no_more(project, edited, accept):
    edited["systems"].remove("ba_nmt")
    edited["fine_tuned"] = {"bridging_direct": "rnnsearch_star"}
    edited["released"] = {"ba_nmt": None}
    project.write(edited)
    ours = f"released@{FOLDER}-ba_nmt-1"
    accept(ours)
    corpus = edited["corpora"][CORPUS]
    corpus["compare"]["resamples"] = 77
    corpus["smt"]["lm_order"] = 3
    project.write(edited | {"released": {"ba_nmt": None, "supervised_attention": None}})
    assert ours not in project.changed()
    corpus["fine_tuning"]["max_epoch"] = 7
    project.write(edited)
    assert ours in project.changed()


def test_a_wider_beam_reads_no_links_out_anew(project, edited, accept):
    edited["read_outs"] = ["ba_nmt"]
    project.write(edited)
    accept(f"read_outs@{FOLDER}-ba_nmt")
    edited["corpora"][CORPUS]["decoding"]["beam"] = 77
    project.write(edited)
    assert f"read_outs@{FOLDER}-ba_nmt" not in project.changed()


def test_a_released_system_that_is_trained_in_reverse_has_its_supervision_made(project, edited, accept):
    edited["systems"].remove("rnnencdec")
    edited["released"], edited["also_reverse"] = {"rnnencdec": None}, []
    project.write(edited)
    accept(f"supervision@{FOLDER}")
    project.write(edited | {"also_reverse": ["rnnencdec"]})
    assert f"supervision@{FOLDER}" in project.changed()


@pytest.mark.parametrize(
    "key", [("wordalign", "samplers"), ("corpus", "train"), ("segmentation", "merges"), ("training", "lr")]
)
def test_nothing_is_released_while_what_it_was_made_from_is_not_up_to_date(project, edited, monkeypatch, key):
    monkeypatch.chdir(project.root)
    for noted in (graph.packages, graph.given):  # of this machine and a user's own text, which the project lacks
        monkeypatch.setattr(noted, "note", lambda: None)
    system = Training("ba_nmt", 1)
    assert stale_results(Pipeline(), system) == ""
    edited["titles"]["ba_nmt"] += "!"  # the report is another, and the check
    project.write(edited)
    assert stale_results(Pipeline(), system) == ""
    edited["corpora"][CORPUS][key[0]][key[1]] = 7
    project.write(edited)
    assert stale_results(Pipeline(), system).startswith("ba_nmt-1: not up to date")


def test_measures_taken_elsewhere_concern_the_report_alone(project):
    given = project.root / "reports/metrics" / STUDY / "comet.csv"
    given.parent.mkdir()
    given.write_text("# signature: a metric\n", encoding="utf-8")
    assert project.changed() == {REPORT}
    shutil.rmtree(given.parent)
    assert project.changed() == set()


def test_another_study_in_the_folder_trains_nothing_again_nor_does_going_back(project, edited):
    """Both in one folder: what they have in common is made for both."""
    fewer = {"systems": ["rnnencdec", "ba_nmt"], "fine_tuned": {}, "also_reverse": [], "training_sizes": []}
    project.write(edited | {"study": "other"} | fewer)
    assert project.changed() == {"check@other", "manifest@other", f"supervision@{FOLDER}", "report@other"}
    project.write(PARAMS)
    assert project.changed() == set()


def test_what_another_study_in_the_folder_trained_concerns_the_report_alone(project):
    """DVC cannot depend on a list of systems, so the report depends on the folders of all of them."""
    other = project.root / RUN / "models" / "of_another_study" / "content"
    other.parent.mkdir()
    other.write_text("a model")
    try:
        assert project.changed() == {REPORT}
    finally:
        shutil.rmtree(other.parent)


def test_released_results_wait_for_no_training_and_what_reads_them_does(project, edited):
    """In the place of trainings: their outputs are the same files, so no other stage makes them."""
    edited["systems"].remove("ba_nmt")
    edited["fine_tuned"] = {"bridging_direct": "rnnsearch_star"}
    edited["released"] = {"ba_nmt": None, "ba_bridging_direct": "ba_nmt"}
    edited |= {"smt": [], "released_smt": ["smt"]}
    project.write(edited)
    with project.repo() as repo:
        graph = repo.index.graph
        before = {stage.addressing: {one.addressing for one in graph.successors(stage)} for stage in graph.nodes}
        outs = {stage.addressing: {out.def_path for out in stage.outs} for stage in graph.nodes}
    made = {name for name in before if name.startswith("released@")}
    assert made == {f"released@{FOLDER}-{name}-{seed}" for name in edited["released"] for seed in PARAMS["seeds"]}
    assert not any("ba_nmt" in name or "ba_bridging" in name for name in before.keys() - made)
    for name in made:
        system, seed = name.removeprefix(f"released@{FOLDER}-").rsplit("-", 1)
        assert before[name] == {MANIFEST, f"corpus@{CORPUS}", f"bpe@{FOLDER}"}
        places = (f"models/{system}/{seed}", f"translations/{system}-{seed}", f"scores/{system}-{seed}")
        assert outs[name] == {f"{RUN}/{place}" for place in places}
    smt = f"released_smt@{FOLDER}-smt"
    assert before[smt] == {MANIFEST, f"corpus@{CORPUS}"} and not any(name.startswith("smt@") for name in before)
    assert outs[smt] == {f"{RUN}/translations/smt", f"{RUN}/scores/smt"}
    assert made | {smt} <= before[REPORT]


TRAIN = {"train", "train_reverse", "fine_tune"}
EVALUATE = {"evaluate", "evaluate_fine_tuned", "evaluate_reverse"}
SCORES, RELEASED = {"score", "score_fine_tuned", "score_decoded"}, {"released", "released_smt"}


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("corpus.max_length", {"given", "corpus", "report", *RELEASED}),
        ("corpus.source", {"given", "corpus", "binarize", "candidates", "supervision", "smt", "report", *RELEASED}),
        ("segmentation.merges", {"bpe", "binarize", "report", *RELEASED}),
        ("segmentation.joint", {"bpe", "binarize", "report", *RELEASED}),
        ("model.hidden_dim", {*TRAIN, "report", "released"}),
        ("training.lr", {*TRAIN, "report", "released"}),
        ("fine_tuning.max_epoch", {"fine_tune", "report", "released"}),
        ("training.supervision", {*TRAIN, "report", "supervision", "released"}),
        ("wordalign.seed", {"wordalign", *RELEASED}),
        ("decoding.beam", {*EVALUATE, "evaluate_decoded", *SCORES, "score_smt", "released"}),
        ("decoding.precision", {*EVALUATE, "evaluate_decoded", *SCORES, "score_smt", "released", "read_outs"}),
        ("score.detokenise", {*SCORES, "smt", "score_smt", *RELEASED}),
        ("score.aer_eos", {*SCORES, "score_smt", *RELEASED, "read_outs", "report"}),
        ("smt.lm_order", {"smt", "released_smt"}),
        ("smt.aligner.hmm", {"smt", "thotalign", "released_smt"}),
        ("compare.resamples", {"report"}),
        ("report.longest", {"report"}),
    ],
)
def test_a_setting_of_a_corpus_is_tracked_where_it_is_read(every_group, key, expected):
    assert _trackers(every_group, f"corpora.{CORPUS}.{key}") == expected
    other = next(name for name in PARAMS["corpora"] if name != CORPUS)
    assert _trackers(every_group, f"corpora.{other}.{key}") == set()


def _trackers(stages: dict[str, PipelineStage], key: str) -> set[str]:
    """The groups of stages that declare ``key`` or a section around it among their params."""
    return {
        name.partition("@")[0]
        for name, stage in stages.items()
        for dep in stage.deps
        if isinstance(dep, ParamsDependency)
        for tracked in dep.params
        if f"{key}.".startswith(f"{tracked}.")
    }


# What an edit of the code reruns


SCORE = {"score", "score_fine_tuned"}
SCORE_SMT = f"score_smt@{FOLDER}-smt"
SIZES = f"training_sizes@{STUDY}-demo-small"  # a second's work on finished reports, with the code of their tables
SOURCE_HISTORY = {"ba_nmt", "ba_bridging_direct"}
EVERY = {*ROWS, *TUNED}


@pytest.mark.parametrize(
    ("file", "groups", "systems", "others"),
    [
        ("fairseq_plugins/terms/source_history.py", TRAIN | EVALUATE, SOURCE_HISTORY, {REPORT}),
        (
            "stages/measures/aer.py",
            SCORE,
            EVERY,
            {f"wordalign@{CORPUS}", f"thotalign@{CORPUS}", SCORE_SMT, SIZES, REPORT},
        ),
        ("stages/translating/decoding.py", TRAIN | EVALUATE, EVERY, set()),
        ("stages/training/transfer.py", TRAIN, EVERY, set()),
        ("stages/tagging/tagger.py", SCORE, EVERY, {f"tag@{CORPUS}", SCORE_SMT, SIZES, REPORT}),
        ("stages/reporting/heat_map.py", set(), set(), {REPORT}),
        ("stages/pipeline/repro.py", set(), set(), set()),
    ],
)
def test_edited_code_concerns_who_runs_it(project, stages, file, groups, systems, others):
    """By what the stages depend on: DVC itself is asked below, for it takes a while."""
    with _edited_code(project, file):
        project.list_code()
        changed = {path for path, text in project.listed().items() if text != project.code.get(path)}
    own = {name for name in jobs(ROWS, PARAMS["seeds"]) if name.partition("@")[0] in groups and _of(name) in systems}
    # Of the report DVC sees the formulas' files themselves: their docstrings are shown.
    assert _readers(stages, {file}) - {REPORT} == {CHECK, MANIFEST}
    assert _readers(stages, changed | {file}) == {CHECK, MANIFEST} | own | others


def test_dvc_reruns_who_runs_edited_code(project):
    """DVC as it comes; the tests above ask it as the runner does."""
    with _edited_code(project, "fairseq_plugins/terms/source_history.py"):
        assert project.changed_by_plain_dvc() == {MANIFEST, REPORT}
        project.list_code()
        project.accept(MANIFEST)
        own = jobs(ROWS, PARAMS["seeds"])
        expected = {name for name in own if name.partition("@")[0] in TRAIN | EVALUATE and _of(name) in SOURCE_HISTORY}
        assert project.changed_by_plain_dvc() == expected | {REPORT}
    project.list_code()
    project.accept(MANIFEST)
    assert project.changed_by_plain_dvc() == set()


@contextlib.contextmanager
def _edited_code(project: Project, file: str) -> Iterator[None]:
    path = project.root / file
    before = path.read_text(encoding="utf-8")
    path.write_text(before + "\nEXTRA = 1\n", encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(before, encoding="utf-8")


def _readers(stages: dict[str, PipelineStage], files: set[str]) -> set[str]:
    """The stages that depend on one of these files, or on a folder that it is in."""
    return {
        name
        for name, stage in stages.items()
        for dep in stage.deps
        if not isinstance(dep, ParamsDependency) and any(f"{file}/".startswith(f"{dep.def_path}/") for file in files)
    }


def _of(stage: str) -> str:
    """The system of a stage."""
    return stage.removesuffix("-1").rpartition("-")[2]


def test_an_edited_comment_reruns_nothing(project):
    path = project.root / "fairseq_plugins" / "core" / "decoder.py"
    before = path.read_text(encoding="utf-8")
    path.write_text(before + "\n# a thought\n", encoding="utf-8")
    try:
        assert project.changed() == {MANIFEST}
        project.list_code()
        project.accept(MANIFEST)
        assert project.changed() == set()
    finally:
        path.write_text(before, encoding="utf-8")
        project.accept(MANIFEST)
