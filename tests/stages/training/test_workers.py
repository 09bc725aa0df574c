"""One training in two processes: what one process with both batches would do, and no trace of a death in the result."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch

from fairseq_plugins import compat, registry  # noqa: F401  compat makes fairseq importable
from stages.files.errors import InputError
from stages.settings.training import ModelSizes, Training
from stages.settings.variants import VariantModel
from stages.training import run
from stages.training.arguments import training_arguments
from stages.training.supervision import supervised_data
from stages.training.workers import WITHOUT_GPUS, check_gpus, run_workers
from tests.helpers import tiny, together
from tests.helpers.paths import ROOT

from fairseq import metrics, options, tasks, utils
from fairseq.dataclass.utils import convert_namespace_to_omegaconf

PAIR = (tiny.SOURCE, tiny.TARGET)
PARAMS = tiny.params()
SETTINGS = PARAMS["corpora"][tiny.CORPUS]["training"] | {"gpus": 2, "clip_norm": 0}
SIZES = ModelSizes(**PARAMS["corpora"][tiny.CORPUS]["model"])
NO_DROPOUT = ("embed_dropout", "annotation_dropout", "readout_dropout", "dropout")
DECAYED = {"name": "adam", "betas": [0.9, 0.98], "eps": 1e-8, "weight_decay": 0.1}


@pytest.fixture(autouse=True)
def without_gpus(monkeypatch):
    monkeypatch.setenv(WITHOUT_GPUS, "gloo")


def arguments_of(model: dict, settings: Training, supervision: Path, folder: Path) -> list[str]:
    """Of ``fairseq-train``, as the train stage gives them, without dropout."""
    folder.mkdir()
    study = tiny.study()
    data, further = supervised_data(study / tiny.DATA, supervision, folder / "data", PAIR)
    arguments = run.model_arguments_of(VariantModel(**model), SIZES, "tested")
    arguments += training_arguments(settings, tiny.SEED, data, folder, PAIR) + further
    for name in NO_DROPOUT:
        flag = f"--{name.replace('_', '-')}"
        if flag in arguments or (name == "dropout" and model["arch"] == "transformer"):
            arguments += [flag, "0"]
    return arguments


def in_one_process(arguments: list[str], ids: list[int]) -> tuple[dict, dict]:
    """Gradients and logged values of one batch of the sentences ``ids``."""
    config = convert_namespace_to_omegaconf(options.parse_args_and_arch(options.get_training_parser(), arguments))
    utils.set_torch_seed(tiny.SEED)
    task = tasks.setup_task(config.task)
    model, criterion = task.build_model(config.model).train(), task.build_criterion(config.criterion)
    task.load_dataset("train")
    dataset = task.dataset("train")
    loss, denominator, logged = criterion(model, dataset.collater([dataset[number] for number in ids]))
    (loss / denominator).backward()
    with metrics.aggregate(new_root=True) as found:
        criterion.reduce_metrics([logged])
    return {name: weight.grad for name, weight in model.named_parameters()}, found.get_smoothed_values()


def of(name: str) -> dict[str, Any]:
    """Its architecture and options."""
    return {key: value for key, value in PARAMS["variants"][name].items() if key != "training"}


CASES = {
    "plain": ("rnnsearch_star", {"arch": "rnnsearch_star"}, {}),
    "by sentences": ("rnnsearch_star", {"arch": "rnnsearch_star"}, {"sentence_avg": True}),
    "idle": ("rnnsearch_star", {"arch": "rnnsearch_star"}, {"max_tokens": None, "max_sentences": 62}),  # all there are
    "objective": ("rnnsearch_star", {"arch": "covemb_gru_sub_obj"}, {}),
    "supervised": ("supervised_attention", {"arch": "supervised_attention"}, {}),
    "candidates": ("mi_whole", of("mi_whole"), {}),
    "agreement": ("cohn_agreement", {"arch": "cohn_agreement"}, {}),
    "transformer": ("transformer", of("transformer"), {"optimizer": DECAYED}),
}


def updated(cases: Iterable[str], folder: Path) -> dict[str, tuple[Path, list[str], Training]]:
    """The first update of each case, all by the same processes: what these left, and what they were given."""
    found = {}
    for case in cases:
        name, model, changes = CASES[case]
        settings = Training(**SETTINGS | changes)
        (folder / case).mkdir()
        supervision = tiny.study() / tiny.SUPERVISION / name
        found[case] = (folder / case, arguments_of(model, settings, supervision, folder / case / "scratch"), settings)
    given = {left: (arguments, settings) for left, arguments, settings in found.values()}
    (gpus,) = {settings.gpus for _, settings in given.values()}
    run_workers(gpus, partial(together.first_updates, given))
    return found


@pytest.fixture(scope="module")
def by_two(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(WITHOUT_GPUS, "gloo")
        yield updated(CASES, tmp_path_factory.mktemp("two"))


def assert_gradients_of_one_process(case: str, folder: Path, arguments: list[str], settings: Training) -> None:
    """That what the workers left in ``folder`` is what one process finds with the sentences of all of them."""
    workers = [torch.load(folder / f"{rank}.pt") for rank in range(settings.gpus)]
    ids = [number for worker in workers for number in worker["ids"]]
    assert len(set(ids)) == len(ids) and workers[0]["ids"] and bool(workers[1]["ids"]) == (case != "idle")
    assert len(workers[0]["ids"]) != len(workers[1]["ids"])
    gradients, logged = in_one_process(arguments, ids)
    assert any(gradient.abs().max() > 1e-3 for gradient in gradients.values() if gradient is not None)
    for worker in workers:
        assert worker["gradients"].keys() == gradients.keys()
        for key, expected in gradients.items():
            found = worker["gradients"][key]
            assert (found is None) == (expected is None), key
            if expected is not None:
                torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-6)
        for key in ("loss", "nll_loss", *(key for key in logged if key.startswith("aux_"))):
            assert worker["logged"][key] == pytest.approx(float(logged[key]), abs=2e-3)  # three decimals are logged
    plain = CASES[case][1]["arch"] in ("rnnsearch_star", "transformer")
    assert any(key.startswith("aux_") for key in logged) != plain


@pytest.mark.training
@pytest.mark.parametrize("case", CASES)
def test_gradients_are_those_of_one_process_with_all_sentences(by_two, case):
    assert_gradients_of_one_process(case, *by_two[case])


@pytest.mark.training
def test_one_process_writes_and_all_see_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "_train", together.train_where_only_the_first_writes)
    folder = tiny.train("two_often_saved", tmp_path / "scratch", tmp_path / "out")
    record, curve = tiny.record(folder), tiny.curve(folder)
    assert (record["epochs"], record["machine"]["gpus"]) == (tiny.EPOCHS, 2)
    assert list(curve["epoch"]) == list(range(1, tiny.EPOCHS + 1))
    assert len(tiny.log(folder, "valid")) == len(tiny.log(folder, "train")) == tiny.EPOCHS
    alone = tiny.trained("rnnsearch_star")
    assert record["parameters"] == tiny.record(alone)["parameters"]
    batches = tiny.record(alone)["updates"] // tiny.EPOCHS
    assert record["updates"] == tiny.EPOCHS * -(-batches // 2)  # two batches an update
    assert tiny.same_weights(folder, tiny.trained("two"))  # and saves in between change nothing


DEATHS = ((0, 3), (together.WHOLE_GROUP, 3), (1, 4), (together.PARENT, 3), (together.ASKED, 3))
"""Who is killed, and after how many updates of each process."""


@pytest.mark.training
def test_deaths_end_all_and_change_nothing(tmp_path):
    """Of one training, which goes on after each."""
    scratch = tmp_path / "scratch"
    for who, update in DEATHS:
        death = together.train_until_a_death("two_often_saved", scratch, who, update)
        assert death.left == [], who
        if isinstance(who, int):
            assert (death.status, death.sentence) == (
                1,
                f"error: process {who + 1} of 2 that train together was killed by SIGKILL; run again, and training "
                "goes on from the last save",
            )
        else:
            assert death.status == (143 if who == together.ASKED else -9), who
        assert list(scratch.glob("*/saves/*/checkpoint_last.pt"))
    resumed, expected = tiny.train("two_often_saved", scratch, tmp_path / "out"), tiny.trained("two")
    tiny.assert_same(resumed, expected)


@pytest.mark.training
def test_a_fine_tuned_system_begins_with_its_base_everywhere(tmp_path):
    folder = tiny.train("two_unmoved", tmp_path / "scratch", tmp_path / "out")
    found, base = (tiny.checkpoint(path)["model"] for path in (folder, tiny.trained("rnnsearch_star")))
    assert all(torch.allclose(found[name], base[name], atol=1e-6) for name in base)


@pytest.mark.training
def test_all_stop_when_the_first_says_so(tmp_path):
    record = tiny.record(tiny.train("two_never_better", tmp_path / "scratch", tmp_path / "out"))
    assert (record["epochs"], record["best_epoch"]) == (3, 1)


def refuse(group) -> None:
    if group.first:
        raise InputError("the disk is full")
    group.agree(None)


@pytest.mark.process
def test_what_one_process_refuses_is_the_sentence_of_all(capfd):
    with pytest.raises(InputError, match=r"^the disk is full$"):
        run_workers(2, refuse)


def leave_after_saving(group) -> None:
    """What SIGTERM makes of a group: the first process is on its way out when the other has lost it already."""
    if group.first:
        time.sleep(0.5)
        os._exit(128 + signal.SIGTERM)
    os.abort()


@pytest.mark.process
def test_the_first_which_has_saved_says_how_all_end():
    with pytest.raises(SystemExit) as ending:
        run_workers(2, leave_after_saving)
    assert ending.value.code == 128 + signal.SIGTERM


def begin_and_wait(group) -> None:
    os.write(1, b"begun\n")  # at once: print() of two processes with PYTHONUNBUFFERED may mix words and line ends
    time.sleep(120)


@pytest.mark.process
@pytest.mark.parametrize("send", [os.killpg, os.kill])  # as the runner does; to the stage's process alone
def test_sigterm_before_the_loop_ends_all(send):
    module = begin_and_wait.__module__
    code = f"from stages.files.main import run; import {module} as t; run(lambda: t.run_workers(2, t.begin_and_wait))"
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": ROOT}
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True, **pipes)
    assert [process.stdout.readline() for _ in range(2)] == ["begun\n"] * 2
    send(process.pid, signal.SIGTERM)
    errors = process.communicate(timeout=60)[1]
    assert process.returncode == 1
    assert errors.splitlines()[-1].startswith("error: process 1 of 2 that train together was killed by SIGTERM; run")


@pytest.mark.parametrize(
    ("there", "refusal"),
    [(0, "no GPU; set 1"), (1, "1 GPU; set 1"), (2, "2 GPUs; set 2"), (3, None), (4, None)],
)
def test_more_gpus_than_there_are(monkeypatch, there, refusal):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: there)
    monkeypatch.setenv(WITHOUT_GPUS, "")
    if refusal is None:
        return check_gpus(3)
    with pytest.raises(InputError) as error:
        check_gpus(3)
    assert str(error.value) == f"params.yaml: training.gpus is 3, but this machine has {refusal}"


@pytest.mark.process
def test_one_process_imports_nothing_for_several():
    code = "import sys, stages.training.run; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert "stages.training.loop" in found.split()
    assert {"stages.training.workers", "stages.training.distributed"}.isdisjoint(found.split())
