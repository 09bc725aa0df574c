"""What `auto` is on GPUs of several kinds and on a CPU; that nothing else is chosen, and that a line says it."""

from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
import yaml

from fairseq_plugins.core.graphs import Trust
from stages.files.errors import InputError
from stages.files.strict_yaml import read_yaml
from stages.releasing.about import require_same_settings
from stages.settings import params
from stages.settings.params import validate
from stages.settings.schema import load
from stages.settings.training import WITHOUT_GPU, Training
from stages.settings.variants import training_sections, training_settings
from stages.training import loop
from stages.training.device import Gpu, at_hand, choice, training_here
from tests.helpers import committed, tiny

GIB = 2**30
H100 = Gpu("NVIDIA H100 80GB HBM3", 79 * GIB, (9, 0))
T4 = Gpu("Tesla T4", 15 * GIB, (7, 5))
GPUS = {
    "H100": (H100, "tf32", 4000),
    "H200": (Gpu("NVIDIA H200", 140 * GIB, (9, 0)), "tf32", 4000),
    "A100": (Gpu("NVIDIA A100-SXM4-40GB", 39 * GIB, (8, 0)), "tf32", 4000),
    "T4": (T4, "fp32", 4000),
    "consumer, 8 GB": (Gpu("NVIDIA GeForce RTX 3070", int(7.7 * GIB), (8, 6)), "tf32", 2000),
    "older, 4 GB": (Gpu("NVIDIA GeForce GTX 1650", int(3.8 * GIB), (7, 5)), "fp32", 1000),
}
ALL = {**dict.fromkeys(WITHOUT_GPU, "auto"), "gpus": 1, "max_length": 50}


@pytest.mark.parametrize(("gpu", "precision", "tokens"), GPUS.values(), ids=GPUS)
def test_a_gpu(gpu, precision, tokens):
    chosen = {"precision": precision, "max_tokens": tokens, "length_multiple": 8, "cuda_graphs": True}
    assert choice(ALL, gpu) == chosen


def test_without_a_gpu_everything_is_what_it_is_by_default():
    training = validate(committed.params()["defaults"]["training"], Training, "training").model_dump()
    assert choice(ALL, None) == WITHOUT_GPU == {name: training[name] for name in WITHOUT_GPU}


def test_what_stands_in_params_yaml_stays():
    assert choice({**ALL, **WITHOUT_GPU}, H100) == {}
    assert choice({**ALL, "precision": "bf16", "max_tokens": None}, H100) == {"length_multiple": 8, "cuda_graphs": True}


def test_lengths_are_padded_where_shapes_are_recorded():
    assert choice({**ALL, "cuda_graphs": False}, H100)["length_multiple"] == 1
    assert choice({**ALL, "cuda_graphs": True}, H100)["length_multiple"] == 8
    several = choice({**ALL, "gpus": 2}, H100)
    assert (several["cuda_graphs"], several["length_multiple"]) == (False, 1)  # recorded on one GPU only


@pytest.mark.parametrize(("graphs", "gpu", "multiple"), [(True, H100, 8), (False, H100, 1), (True, None, 1)])
def test_by_default_lengths_are_padded_for_graphs_alone(asked, graphs, gpu, multiple):
    asked(length_multiple=committed.params()["defaults"]["training"]["length_multiple"], cuda_graphs=graphs)
    here = training_here(training_sections(tiny.CORPUS, "rnnsearch_star"), gpu)
    assert here.settings.length_multiple == multiple
    assert here.chosen == ({"length_multiple": 8} if multiple == 8 else {})
    assert here.said.startswith(f"{H100.name}, 79 GiB: `auto` is length_multiple 8 here") == (multiple == 8)
    assert bool(here.said) == (multiple == 8)
    asked(length_multiple=1, cuda_graphs=graphs)
    assert training_here(training_sections(tiny.CORPUS, "rnnsearch_star"), gpu).settings.length_multiple == 1


@pytest.mark.parametrize(("replayed", "others", "said"), [(1500, 500, "x: 1,500 passes replayed"), (0, 0, "")])
def test_a_training_says_which_share_of_its_passes_was_replayed(monkeypatch, tmp_path, capsys, replayed, others, said):
    monkeypatch.setattr(loop.fairseq_cli.train, "cli_main", lambda: None)
    training = loop.Loop("x", tmp_path, SimpleNamespace(cuda_graphs=False, max_length=None), None, None)
    training.passes = [SimpleNamespace(recorded=62, replayed=replayed, others=others, trust=Trust())]
    training.run([])
    printed = capsys.readouterr().out
    assert printed.startswith(said) and printed.endswith("from 62 CUDA graphs, 500 not: 75%\n" if said else "")


def test_a_batch_has_room_for_the_longest_pair():
    assert choice({**ALL, "max_length": 9000}, H100)["max_tokens"] == 9001


def test_the_gpu_at_hand(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert at_hand() is None
    properties = SimpleNamespace(name=T4.name, total_memory=T4.bytes, major=7, minor=5)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda device: properties)
    assert at_hand() == T4


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """A function that writes a params.yaml with these keys of one corpus's training."""

    def write(**keys) -> dict:
        content = tiny.params()
        content["corpora"][tiny.CORPUS]["training"] |= keys
        Path("params.yaml").write_text(yaml.safe_dump(content))
        return content

    monkeypatch.chdir(tmp_path)
    return write


def test_the_settings_of_a_training(asked):
    asked(precision="auto", max_tokens="auto")
    here = training_here(training_sections(tiny.CORPUS, "rnnsearch_star"), H100)
    assert (here.settings.precision, here.settings.max_tokens, here.settings.cuda_graphs) == ("tf32", 4000, False)
    assert here.chosen == {"precision": "tf32", "max_tokens": 4000, "length_multiple": 1}
    said = "`auto` is precision tf32, max_tokens 4000, length_multiple 1 here"
    assert here.said.startswith(f"{H100.name}, 79 GiB: {said}")
    assert here.said.endswith("max_tokens takes the GPU for its own, so set it where several trainings share one")
    on_cpu = training_here(training_sections(tiny.CORPUS, "rnnsearch_star"), None)
    assert "for its own" not in on_cpu.said
    assert on_cpu.settings == training_settings(tiny.CORPUS, "rnnsearch_star")  # what all else reads
    assert on_cpu.said.startswith("no GPU: `auto` is precision fp32, max_tokens 1000, length_multiple 1 here")


def test_where_nothing_is_auto_nothing_is_said(asked):
    asked()
    here = training_here(training_sections(tiny.CORPUS, "rnnsearch_star"), H100)
    assert here == (training_settings(tiny.CORPUS, "rnnsearch_star"), {}, "")


@pytest.mark.parametrize("key", ["lr", "patience", "label_smoothing"])
def test_nothing_else_can_be_auto(asked, key):
    asked(**{key: "auto"})
    with pytest.raises(InputError, match=f"training over .*{key}|{key}"):
        training_here(training_sections(tiny.CORPUS, "rnnsearch_star"), H100)


LINKS = {"covemb_gru_sub_supobj": True, "rnnsearch_star": False}


@pytest.mark.parametrize(("system", "precision"), [(name, one) for name in LINKS for one in ("fp16", "bf16")])
def test_a_loss_on_links_is_not_for_fp16(asked, system, precision):
    """A weight of 0 on a link has a gradient of 1e8, and fp16 ends at 65,504."""
    content = asked(precision=precision)
    content |= {"systems": [system], "fine_tuned": {}, "also_reverse": []}
    content["variants"] = {system: {"arch": system, "training": {"supervision": "links" if LINKS[system] else None}}}
    content["corpora"][tiny.CORPUS]["compare"] |= {"baseline": system, "rivals": []}
    Path("params.yaml").write_text(yaml.safe_dump(content))
    sections = training_sections(tiny.CORPUS, system)
    if LINKS[system] and precision == "fp16":
        for refuse in (load, lambda: training_here(sections, H100)):
            with pytest.raises(InputError, match=r"training.*: precision fp16 cannot .* a loss on links; .*bf16"):
                refuse()
    else:
        load()
        assert training_here(sections, H100).settings.precision == precision


def test_released_results_are_taken_whatever_their_machine_has_chosen():
    def about(precision: str, lr: float = 1.0) -> dict:
        training = {"precision": precision, "lr": lr}
        return {"variant": "x", "seed": 1, "initialised_from": None, "settings": {"corpora.c.training": training}}

    require_same_settings(Path("x"), about("tf32"), about("auto"))
    for there, here in ((about("auto"), about("fp32")), (about("fp32", lr=2.0), about("auto"))):
        with pytest.raises(InputError, match="the results are of other settings"):
            require_same_settings(Path("x"), there, here)


@pytest.mark.training
def test_a_training_says_it_and_keeps_it(monkeypatch, capfd, asked):
    content = asked(cuda_graphs="auto", length_multiple="auto")
    monkeypatch.chdir(tiny.study())
    path, before = Path("params.yaml"), Path("params.yaml").read_text()
    path.write_text(yaml.safe_dump(content))
    try:
        found = tiny.train("one_epoch", Path("scratch-auto"), Path("models-auto"))
    finally:
        path.write_text(before)
    assert "no GPU: `auto` is length_multiple 1, cuda_graphs false here" in capfd.readouterr().out
    assert tiny.record(found)["auto"] == {"length_multiple": 1, "cuda_graphs": False}


@pytest.mark.training
def test_a_training_reads_params_yaml_once(monkeypatch, tmp_path):
    reads = []
    monkeypatch.setattr(params, "read_yaml", lambda path: reads.append(path) or read_yaml(path))
    tiny.train("one_epoch", tmp_path / "scratch", tmp_path / "out")
    assert len(reads) == 1


def test_fp16_needs_a_gpu(asked):
    asked(precision="fp16")
    sections = training_sections(tiny.CORPUS, "rnnsearch_star")
    assert training_here(sections, H100).settings.precision == "fp16"
    with pytest.raises(InputError, match=r"training.*: precision fp16 needs a GPU; set bf16 or fp32"):
        training_here(sections, None)
