"""`make gpu` in its smoke form on a CPU, and what it says where something is missing or wrong."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from benchmarks.gpu import __main__ as command
from benchmarks.gpu import aims, parity, speed, steady, training
from benchmarks.gpu.page import page
from benchmarks.gpu.part import Asked
from benchmarks.gpu.parts import PARTS
from benchmarks.gpu.queue.items import items
from benchmarks.gpu.queue.prepare import has_text, prepare
from benchmarks.systems import BASE, FAIRSEQ, build, named, systems
from benchmarks.training import Trainer
from fairseq_plugins.core.graphs import Trust, replay
from fairseq_plugins.kernels import native, triton_choice
from stages.settings.params import validate
from stages.settings.training import ModelSizes, Training
from tests.helpers.paths import ROOT
from tests.helpers.tapes import OnCpu, on_tapes, tapes  # noqa: F401

CPU = torch.device("cpu")


def asked(out: Path, smoke: bool = True, seconds: float = 60.0) -> Asked:
    return Asked(out, CPU, smoke, time.monotonic() + seconds)


SWITCHED_OFF = "CUDA graphs were switched off: one differs"


def switched_off(model: torch.nn.Module) -> list[SimpleNamespace]:
    """In the place of ``replay``."""
    trust = Trust()
    trust.reason = "one differs"
    return [SimpleNamespace(decoder=SimpleNamespace(teacher_forced=None), replayed=0, trust=trust)]


def found(out: Path):
    return json.loads(out.read_text())


@pytest.mark.process
@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_it_says_so_and_does_nothing(tmp_path):
    run = [sys.executable, "-m", "benchmarks.gpu", "--out", str(tmp_path / "out")]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "no NVIDIA GPU is at hand" in done.stderr and not (tmp_path / "out").exists()


def test_a_torch_without_cuda_beside_a_gpu_is_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.version, "cuda", None)
    monkeypatch.setattr(command, "_driver_sees_one", lambda: True)
    assert "is built without CUDA: delete .venv" in command.missing()


@pytest.mark.process
def test_the_smoke_form(tmp_path):
    """Every part, through the command, without the caller's environment variables for Python."""
    run = [sys.executable, "-m", "benchmarks.gpu", "--smoke", "--out", str(tmp_path)]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(run, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    content = found(tmp_path / "gpu.json")
    assert {name: one["failure"] for name, one in content["parts"].items()} == {part.name: None for part in PARTS}
    of = {name: one["found"] for name, one in content["parts"].items()}
    assert of["waiting_tests"]["counts"]["passed"] > 0
    assert [row["system"] for row in of["parity"]["systems"]] == [BASE, "ba_nmt", FAIRSEQ]
    assert {row["precision"] for row in of["speed"]["rows"]} == {"fp32", "tf32"} and not of["speed"]["missed"]
    assert all(row["tokens_per_second"]["median"] > 0 < row["decoder_share"] for row in of["speed"]["rows"])
    assert all(row["step_seconds"].keys() == {"forward", "backward", "update"} for row in of["speed"]["rows"])
    assert [row["processes"] for row in of["aims"]["rows"]] == [1, 2]
    assert all(row["tokens_per_second"] > 0 for row in of["aims"]["rows"])
    assert len(of["training"]["systems"][0]["curve"]) == 1
    assert of["training"]["systems"][0]["auto"] == {"length_multiple": 1, "cuda_graphs": False}
    text = (tmp_path / "gpu.md").read_text()
    assert all(f"## {part.title}" in text for part in PARTS) and f"| `{BASE}` |" in text and "torch 2" in text
    assert "precision fp32, cuda_graphs false." in text
    assert f"| system | {' | '.join(row.name for row in parity.ROWS)} | verdict |" in text
    share = next(row["decoder_share"] for row in of["speed"]["rows"] if row["system"] == BASE)
    assert f" | {share:.0%} | " in text


# Parity


def test_a_system_that_differs_is_noticed():
    made = build(*named([BASE]), parity.SIZE, CPU)
    right = parity.compared(made, CPU, recurrent=True)
    assert right["failure"] is None and right["fp64"] == 0 < right["fp32"] < 1e-5
    assert right["graphs"] is right["bf16_products"] is None, "graphs need a GPU"

    def spoilt(batch):
        exact = next(made.model.parameters()).dtype == torch.float64
        return made.loss(batch) * (1 if exact else 1.01)

    wrong = parity.compared(made._replace(loss=spoilt), CPU, recurrent=True)
    assert wrong["failure"] == "fp32 differs by 1.0e-02 of the largest number, 1e-03 is allowed"


@on_tapes
def test_products_in_bf16_have_graphs_of_their_own(monkeypatch):
    monkeypatch.setattr(parity, "replay", lambda model: replay(model, OnCpu))
    found = parity.compared(build(*named([BASE]), parity.SIZE, CPU), CPU, recurrent=True)
    assert found["failure"] is None and 0 < found["graphs"] < 1e-5 and found["bf16_products"] == 0


def test_graphs_that_are_switched_off_are_a_failure_with_its_reason(monkeypatch):
    monkeypatch.setattr(parity, "replay", switched_off)
    made = build(*named([BASE]), parity.SIZE, CPU)
    assert parity.compared(made, CPU, recurrent=True)["failure"] == SWITCHED_OFF


def test_a_system_that_fails_costs_itself(monkeypatch, tmp_path):
    monkeypatch.setattr(native, "operations", native.operations)  # which the part replaces in its process

    def compared(made, device, recurrent):
        if recurrent:
            raise RuntimeError("\nCUDA error\nmore")
        return {"failure": None, "fp64": 0.0, "fp32": 0.0, "graphs": None}

    monkeypatch.setattr(parity, "compared", compared)
    parity.run(asked(tmp_path / "found.json"))
    content = found(tmp_path / "found.json")
    assert content["failure"] == f"{BASE}, ba_nmt differ or fail"
    assert [row["failure"] for row in content["systems"]] == ["RuntimeError: CUDA error"] * 2 + [None]


def test_ragged_batches_are_ragged():
    size = parity.SIZE
    batch = parity.ragged(size, links=True)
    inputs = batch["net_input"]
    real = inputs["src_tokens"].ne(1)
    assert real.sum(1).tolist() == inputs["src_lengths"].tolist() == [size.S - k for k in range(size.B)]
    target, previous = batch["target"], inputs["prev_output_tokens"]
    for k in range(size.B):
        T = size.T - k
        assert target[k, T - 1] == 2 and (target[k, T:] == 1).all() and (previous[k, T:] == 1).all()
        assert torch.equal(previous[k, 1:T], target[k, : T - 1])
    assert batch["ntokens"] == sum(size.T - k for k in range(size.B))
    for word, flat in batch["alignments"].tolist():
        row, step = divmod(flat, size.T)
        assert word < size.S - row - 1 and step < size.T - row - 1
    assert len({flat // size.T for _, flat in batch["alignments"].tolist()}) == size.B


# Speed


def test_what_matters_is_measured_first_and_everything_has_a_place():
    order = list(speed.visits(smoke=False))
    names = [visit.name for visit in order]
    assert names[:2] == [BASE, "ba_nmt"] and set(names[:10]) == {*speed.FIRST, *speed.BASELINES}
    everything = {system.name for system in systems()} | set(speed.BASELINES)
    for size in speed.SIZES:
        assert {visit.name for visit in order if visit.size == size and visit.precision == "fp32"} == everything
    each = [(visit.name, visit.size.name, visit.precision) for visit in order]
    assert len(set(each)) == len(each)
    assert [size.H for size in speed.SIZES] == [512, 1000]


def test_what_is_not_reached_is_named_and_what_fails_too(monkeypatch, tmp_path):
    """Time for one visit."""
    clock = iter([0.0, 10.0])
    monkeypatch.setattr(speed, "now", lambda device: next(clock))

    def measured(visit, device, steps):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(speed, "measured", measured)
    monkeypatch.setattr(Asked, "left", lambda asked: speed.RESERVE * 9.0)
    speed.run(asked(tmp_path / "found.json"))
    content = found(tmp_path / "found.json")
    assert [row["failure"] for row in content["rows"]] == ["RuntimeError: out of memory"]
    assert len(content["rows"]) + len(content["missed"]) == len(list(speed.visits(smoke=True)))
    assert f"{speed.FAIRSEQ}, smoke, tf32" in content["missed"]
    assert content["failure"].startswith(f"{BASE} (smoke, fp32)")


@on_tapes
def test_a_step_is_kept_in_its_parts_with_graphs_too(monkeypatch):
    """They say what is worth recording beside the decoder."""
    clock = iter(range(1000))
    monkeypatch.setattr("benchmarks.training.now", lambda device: float(next(clock)))
    monkeypatch.setattr(speed, "replay", lambda model: replay(model, OnCpu))
    monkeypatch.setattr(speed.decoder_loop, "seconds", lambda *of: 1.5)
    made = build(*named([BASE]), speed.IN_SMOKE[0], CPU)
    trainer = Trainer(made, speed.IN_SMOKE[0], CPU)
    trainer.prepare()
    for found in (
        speed.timed(made.model, trainer, speed.IN_SMOKE[0], CPU, steps=2),
        speed.with_graphs(made.model, trainer, speed.IN_SMOKE[0], CPU, steps=2),
    ):
        parts = {"forward": 1.0, "backward": 1.0, "update": 1.0}
        assert [one for name, one in found.items() if name.endswith(("step_seconds", "share"))] == [parts, 0.5]


# One process and several


@pytest.mark.process
def test_processes_that_end_early_are_no_measurement(monkeypatch, tmp_path):
    monkeypatch.setattr(aims, "RUNS", (aims.Run("no_such_system", 2, 1.0),))
    aims.run(asked(tmp_path / "found.json"))
    failure = "no_such_system in 2 processes: one ended before it was warm: it did not say why"
    assert found(tmp_path / "found.json") == {"rows": [], "failure": failure}


def test_a_process_whose_graphs_are_wrong_ends_with_why(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["steady", BASE, "cpu", "0", "smoke"])
    monkeypatch.setattr(steady, "replay", switched_off)
    monkeypatch.setattr(torch, "set_float32_matmul_precision", lambda precision: None)
    threads = torch.get_num_threads()
    with pytest.raises(SystemExit):
        steady.main()
    torch.set_num_threads(threads)
    assert capsys.readouterr().out == f"{SWITCHED_OFF}\n"


@pytest.mark.parametrize(("says", "line"), [("print('a')\nprint('b')", "b"), ("", ""), ("print('ready')", "ready")])
def test_the_last_line_of_a_process(says, line):
    with subprocess.Popen([sys.executable, "-c", says], stdout=subprocess.PIPE, text=True) as process:
        assert aims.last_line(process) == line


ROWS = [
    {"system": BASE, "processes": 1, "aim": 80_000.0, "mps": False, "tokens_per_second": 70_000.0},
    {"system": FAIRSEQ, "processes": 1, "aim": None, "mps": False, "tokens_per_second": 50_000.0},
    {"system": BASE, "processes": 15, "aim": 350_000.0, "mps": True, "tokens_per_second": 200_000.0},
]
SLOW = f"{BASE} in 1: 70,000 tokens/s, at least 80,000 on an H200"
OF_FAIRSEQ = f"{FAIRSEQ} in 1: 50,000 tokens/s, {BASE} is to be 1.5 times as quick"


@pytest.mark.parametrize(
    ("gpu", "mps", "rate", "said"),
    [
        ("NVIDIA H200", True, 70_000.0,
         [SLOW, OF_FAIRSEQ, f"{BASE} in 15: 200,000 tokens/s, at least 350,000 with MPS on an H200"]),
        ("NVIDIA H200", False, 70_000.0, [SLOW, OF_FAIRSEQ]),
        ("NVIDIA H200", False, 80_000.0, []),
        ("Tesla T4", True, 70_000.0, [OF_FAIRSEQ]),
        ("", False, 70_000.0, []),
    ],
)  # fmt: skip
def test_an_aim_that_is_missed_is_a_failure(gpu, mps, rate, said):
    """Of the GPU that it was set for; fifteen processes are held to theirs where they share it by MPS."""
    rows = [ROWS[0] | {"tokens_per_second": rate}, ROWS[1], ROWS[2] | {"mps": mps}]
    assert aims.missed(rows, gpu) == said


def test_a_part_that_misses_an_aim_fails(monkeypatch, tmp_path):
    monkeypatch.setattr(aims, "measured", lambda one, asked: ([100.0] * one.processes, ""))
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "NVIDIA H200")
    aims.run(asked(tmp_path / "found.json", smoke=False)._replace(device=torch.device("cuda")))
    assert "100 tokens/s, at least 80,000 on an H200" in found(tmp_path / "found.json")["failure"]


def test_fifteen_processes_share_the_gpu_by_mps_if_that_is_asked_for(monkeypatch, tmp_path):
    wanted = []

    @contextmanager
    def shared(asked: bool):
        wanted.append(asked)
        yield asked

    monkeypatch.setattr(aims, "measured", lambda one, asked: ([1.0] * one.processes, ""))
    monkeypatch.setattr(aims, "shared_if_possible", shared)
    aims.run(asked(tmp_path / "found.json", smoke=False))
    monkeypatch.setenv(aims.MPS, "1")
    aims.run(asked(tmp_path / "found.json", smoke=False))
    assert wanted == [False] * 7 + [True]
    assert [row["mps"] for row in found(tmp_path / "found.json")["rows"]] == [False] * 3 + [True]


# Training


def test_without_the_text_the_training_is_skipped(monkeypatch, tmp_path):
    monkeypatch.setenv("CORPUS_MIRROR", str(tmp_path))
    training.run(asked(tmp_path / "found.json", smoke=False))
    content = found(tmp_path / "found.json")
    assert content["failure"] == content["skipped"], "it is still to be done"
    assert "is not to be had" in content["skipped"] and "missing" in content["skipped"]


def test_a_training_without_the_graphs_that_it_was_to_have_is_a_failure(monkeypatch, tmp_path):
    monkeypatch.setattr(training, "_text", lambda folder, settings: None)
    monkeypatch.setattr(training, "train_one", lambda *of: {"cuda_graphs_switched_off": "one differs"})
    training.run(asked(tmp_path / "found.json"))
    assert found(tmp_path / "found.json")["failure"] == SWITCHED_OFF


@pytest.mark.training
def test_a_text_made_elsewhere_is_trained_on(monkeypatch, tmp_path):
    """As `queue prepare training` leaves it, carried to where nothing else is; with other settings it is refused."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    for name, value in {"CORPUS": "demo", "SYSTEMS": training.SYSTEMS[:1], "FULL": training.IN_SMOKE}.items():
        monkeypatch.setattr(training, name, value)
    monkeypatch.setattr(training, "FOLDER", tmp_path)
    item = items(smoke=False)["training"]
    assert has_text(item) and not has_text(items(smoke=False)["graphs"])
    prepare(item, tmp_path / "training", smoke=False)
    for link in ("stages", "fairseq_plugins"):
        (tmp_path / "training" / link).unlink()
    monkeypatch.setattr(training, "prepare", None)
    training.run(asked(tmp_path / "found.json", smoke=False))
    content = found(tmp_path / "found.json")
    assert content["failure"] is None and [len(one["curve"]) for one in content["systems"]] == [1]
    monkeypatch.setattr(training, "SYSTEMS", ("ba_nmt",))
    training.run(asked(tmp_path / "found.json", smoke=False))
    assert "was prepared with other settings; delete it" in found(tmp_path / "found.json")["failure"]


def test_the_settings_of_the_training_are_settings():
    for name, changes in (("hansards-en-fr", training.FULL), ("demo", training.IN_SMOKE)):
        of = training.params(name, training.SYSTEMS, changes)["corpora"][name]
        assert validate(of["training"], Training, "training").max_epoch == changes["training"]["max_epoch"]
        assert of["training"]["cuda_graphs"] == "auto"
        assert validate(of["model"], ModelSizes, "model").hidden_dim == changes["model"]["hidden_dim"]


# The page


def test_the_page_of_a_gpu():
    """What a smoke form does not have: a machine's GPU, kernels, graphs, failures."""
    speed_row = {
        "system": BASE, "size": speed.SIZES[0]._asdict(), "precision": "fp32", "failure": None, "peak_bytes": 3e9,
        "tokens_per_second": {"median": 123456.0}, "graphs": {"median": 654321.0}, "decoder_seconds": 0.02,
        "graphs_decoder_seconds": 0.001, "product_seconds": 0.01, "gigaflop": 247.0, "of_flop_limit": 0.5,
        "of_launch_limit": 0.7, "decoder_share": 0.6, "graphs_decoder_share": 0.2, "sentences_per_second": 99.0,
    }  # fmt: skip
    check = {
        "kernel": "weighted_sum", "type": "float32", "difference": None, "allowed": 1e-4, "first_seconds": 1.0,
        "again_seconds": 0.01, "objection": "it fails (a | b)",
    }  # fmt: skip
    failures = {"tests/x.py::y": "why", **{f"tests/x.py::z[a, {k}]": "" for k in range(4)}}
    results = {
        "kernels": {"checks": [check]},
        "waiting_tests": {"counts": {"passed": 1, "failed": 5, "error": 0}, "failures": failures},
        "parity": {"systems": [{"system": BASE, "failure": "RuntimeError: x"}]},
        "aims": {
            "rows": [
                {"system": BASE, "processes": 1, "aim": 80_000.0, "mps": False, "tokens_per_second": 90_000.0},
                {"system": FAIRSEQ, "processes": 1, "aim": None, "mps": False, "tokens_per_second": 45_000.0},
                {"system": BASE, "processes": 15, "aim": 350_000.0, "mps": True, "tokens_per_second": 200_000.0},
            ]
        },
        "speed": {"rows": [speed_row, speed_row | {"failure": "OutOfMemoryError: x"}], "missed": ["gatt, H1000"]},
        "training": {"systems": [], "skipped": "the text is not to be had: no network"},
    }
    content = {
        "smoke": False,
        "machine": {"gpu": "NVIDIA H200", "gpu_bytes": 150 * 2**30, "driver": None},
        "versions": {"torch": "2.11.0", "triton": "3.6.0"},
        "parts": {
            name: {"seconds": 1.0, "limit": 2, "failure": None, "found": one} for name, one in results.items()
        },
    }  # fmt: skip
    content["parts"]["aims"]["failure"] = "it is slow"
    content["parts"]["parity"] |= {"failure": "x differs", "since": "x was corrected.", "date": "2026-11-26"}
    del content["parts"]["training"]
    assert "**Has not run:** A short training." in page(content)
    content["parts"]["training"] = content["parts"]["speed"] | {"found": results["training"]}
    text = page(content)
    for expected in (
        "gpu NVIDIA H200; gpu_bytes 150 GiB; torch 2.11.0; triton 3.6.0.", "it fails (a \\| b)",
        "- `tests/x.py::y`: why",
        "- `tests/x.py::z`, 4 times (a, 0, a, 1, a, 2, …): its reason was not kept", "1 passed, 5 failed.",
        "**Passes:** Triton kernels prove themselves (1 checks); Tests that wait for a GPU (1 of 6 tests); Speed of "
        "every system (2 measurements, 1 not reached)", "**Fails:** Speed of one process and of fifteen: it is slow.",
        f"| `{BASE}` | 1 | no | 90,000 | at least 80,000 on an H200 | 112% |",
        f"| `{FAIRSEQ}` | 1 | no | 45,000 | {BASE} is to be 1.5 times as quick | 133% |",
        f"| `{BASE}` | 15 | yes | 200,000 | at least 350,000 with MPS on an H200 | 57% |",
        "**Fails:** Parity with the CPU: x differs.", "**Since then:** x was corrected.", "| 2026-11-26 | – | 1 of 2 |",
        "| 123,456 | 654,321 | 247 | 50% | 20.0 | 60% | 1.0 | 20% | 70% | 99.0 | 3,000 |", "OutOfMemoryError: x",
        "Not reached within the time: gatt, H1000.", "Skipped: the text is not to be had: no network",
        "All checks take 0.01 s", "| RuntimeError: x |",
    ):  # fmt: skip
        assert expected in text
    content["parts"]["speed"]["found"] = None
    assert page(content)


def test_triton_beside_a_cpu_is_not_asked(monkeypatch, tmp_path):
    """As where torch is built for CUDA and there is no GPU."""
    from benchmarks.gpu import kernels

    monkeypatch.delenv("TRITON_INTERPRET", raising=False)
    monkeypatch.setattr(triton_choice, "operations", lambda: triton_choice.Operations(*[None] * 3))
    kernels.run(asked(tmp_path / "found.json"))
    assert found(tmp_path / "found.json") == {"checks": [], "failure": None}


def test_a_gpu_without_triton_is_a_failure(monkeypatch, tmp_path):
    from benchmarks.gpu import kernels

    monkeypatch.setattr(triton_choice, "operations", lambda: None)
    kernels.run(asked(tmp_path / "found.json")._replace(device=torch.device("cuda")))
    assert "no Triton" in found(tmp_path / "found.json")["failure"]


def test_what_it_needs_without_the_set_up_is_locked():
    lines = (ROOT / "benchmarks/gpu/requirements.txt").read_text().splitlines()
    needed = {line for line in lines if not line.startswith("#")}
    locked = {line.split("==")[0] for line in (ROOT / "requirements.lock").read_text().splitlines()}
    assert needed <= locked and "fairseq" in needed
