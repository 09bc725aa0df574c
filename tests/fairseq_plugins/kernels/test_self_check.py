"""Kernels for GPUs that are wrong on purpose are left out, alone and with a sentence; verdicts are kept.

On a CPU PyTorch's own operations play the kernels; the real ones, in Triton's interpreter: ``test_triton.py``.
"""

import json
import re
import sys
import warnings
from types import SimpleNamespace

import pytest
import torch
from torch import Tensor

from fairseq_plugins import kernels
from fairseq_plugins.kernels import eager, native, self_check, triton_choice, verdict_file
from fairseq_plugins.kernels.comparison import TOLERANCE
from fairseq_plugins.kernels.triton_choice import Operations
from tests.helpers import support

CPU = torch.device("cpu")
RIGHT = Operations(eager.gated_recurrence, eager.attention_weights, eager.weighted_sum)
NAN = float("nan")


class WrongGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx, grad: Tensor) -> Tensor:
        return grad * 1.001


def raising(*inputs):
    raise RuntimeError("\n  PTX was compiled\nwith an unsupported toolchain")


def last_word_forgotten(weights, values):
    return eager.weighted_sum(weights[:, :-1], values[:, :-1]) + 0 * weights[:, -1:]


WRONG = {
    "a factor": (
        lambda *given: eager.weighted_sum(*given) * 1.001,
        r"it gives differs from what PyTorch's operations give, by \d\.\de",
    ),
    "a word": (last_word_forgotten, "differs"),
    "its gradient": (lambda *given: WrongGradient.apply(eager.weighted_sum(*given)), "differs"),
    "one gradient": (lambda weights, values: eager.weighted_sum(WrongGradient.apply(weights), values), "differs"),
    "no gradient": (lambda weights, values: eager.weighted_sum(weights.detach(), values), "it fails"),
    "no number": (lambda *given: eager.weighted_sum(*given) * NAN, "what it gives is no number"),
    "another shape": (lambda *given: eager.weighted_sum(*given)[:1], "another shape"),
    "it fails": (raising, re.escape("fails (RuntimeError: PTX was compiled)")),
}


@pytest.fixture(autouse=True)
def fresh(monkeypatch, tmp_path):
    """Nothing is known yet, and what is kept is kept in a folder of the test's."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(triton_choice, "version", lambda: "3.7.1")
    self_check.proven.cache_clear()
    yield
    self_check.proven.cache_clear()


@pytest.fixture
def serve(monkeypatch):
    """A function that has these play the kernels, in what is for them a new process; and which checks were made."""
    made: list[str] = []
    check = self_check.checked
    monkeypatch.setattr(self_check, "checked", lambda name, *on: made.append(name) or check(name, *on))

    def served(operations: Operations | None) -> list[str]:
        made.clear()
        self_check.proven.cache_clear()
        monkeypatch.setattr(triton_choice, "operations", lambda: operations)
        return made

    return served


def proven(dtype: torch.dtype = torch.float32) -> frozenset[str]:
    return self_check.proven(CPU, dtype)


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_kernels_that_are_right_serve(serve, dtype):
    serve(RIGHT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert proven(dtype) == set(Operations._fields)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize(("wrong", "said"), WRONG.values(), ids=WRONG)
def test_one_that_is_wrong_is_left_out_alone_with_one_sentence(serve, wrong, said, dtype):
    serve(RIGHT._replace(weighted_sum=wrong))
    with pytest.warns(UserWarning) as warned:
        assert proven(dtype) == {"gated_recurrence", "attention_weights"}
        assert proven(dtype) == {"gated_recurrence", "attention_weights"}
    (sentence,) = [str(one.message) for one in warned]
    assert re.search(said, sentence) and "\n" not in sentence
    kind = str(dtype).removeprefix("torch.")
    assert sentence.startswith(f"the Triton kernel weighted_sum is left out on cpu for {kind}: ")
    assert sentence.endswith("; training goes on with PyTorch's own operations, which are slower")


@pytest.mark.parametrize("name", Operations._fields)
def test_every_kernel_is_looked_at(serve, name):
    wrong = lambda *given: getattr(eager, name)(*given) * 1.001  # noqa: E731
    serve(RIGHT._replace(**{name: wrong}))
    with pytest.warns(UserWarning, match=name):
        assert proven() == set(Operations._fields) - {name}


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_what_is_wrong_in_low_precision_is_more_than_rounding(serve, dtype):
    serve(RIGHT._replace(attention_weights=lambda *given: eager.attention_weights(*given) * 1.2))
    with pytest.warns(UserWarning, match="attention_weights"):
        assert "attention_weights" not in proven(dtype)


def test_what_is_left_out_is_computed_by_pytorch_and_the_others_serve(serve, monkeypatch):
    called = []

    def noted(name):
        return lambda *given: called.append(name) or getattr(eager, name)(*given)

    def system() -> list[Tensor]:
        model = support.build(support.RECURRENT["sa_nmt"]).model
        logits, weights = support.forward(model, support.random_batch((4, 2), (3, 2)))
        logits.logsumexp(-1).sum().backward()
        return [logits, weights, *(p.grad for p in model.parameters() if p.grad is not None)]

    monkeypatch.setattr(native, "operations", lambda: None)
    expected = system()
    serve(Operations(noted("gated_recurrence"), noted("attention_weights"), raising))
    with pytest.warns(UserWarning, match="weighted_sum"):
        assert "weighted_sum" not in proven(torch.float64)
    called.clear()
    monkeypatch.setattr(kernels, "is_triton", lambda name, x: name in self_check.proven(x.device, x.dtype))
    for one, other in zip(system(), expected, strict=True):
        support.close(one, other, tolerance=1e-12)
    assert set(called) == {"gated_recurrence", "attention_weights"}


def test_tensors_on_a_gpu_are_served_by_what_has_proved_itself(serve):
    serve(RIGHT._replace(weighted_sum=raising))
    tensor = SimpleNamespace(is_cuda=True, device=CPU, dtype=torch.float32)
    with pytest.warns(UserWarning, match="weighted_sum"):
        assert [kernels.is_triton(name, tensor) for name in Operations._fields] == [True, True, False]
    assert not kernels.is_triton("gated_recurrence", SimpleNamespace(is_cuda=False))


def test_a_verdict_is_kept_and_the_next_process_says_it_again(serve):
    assert serve(RIGHT._replace(weighted_sum=raising)) == []
    for checks in (list(Operations._fields), []):
        made = serve(RIGHT._replace(weighted_sum=raising))
        with pytest.warns(UserWarning, match="weighted_sum is left out"):
            assert proven() == {"gated_recurrence", "attention_weights"}
        assert made == checks


RENEWED = {
    "torch": lambda patch, folder: patch.setattr(torch, "__version__", "9.0"),
    "Triton": lambda patch, folder: patch.setattr(triton_choice, "version", lambda: "9.0"),
    "device": lambda patch, folder: patch.setattr(verdict_file, "device_name", lambda device: "another"),
    "driver": lambda patch, folder: patch.setattr(verdict_file, "DRIVER", folder / "driver"),
    "interpreter": lambda patch, folder: patch.setenv("TRITON_INTERPRET", "1"),
    "source": lambda patch, folder: patch.setattr(verdict_file, "__file__", str(folder / "verdict_file.py")),
}


@pytest.mark.parametrize("change", RENEWED.values(), ids=RENEWED)
def test_a_change_makes_another_verdict(serve, monkeypatch, tmp_path, change):
    monkeypatch.delenv("TRITON_INTERPRET", raising=False)
    (tmp_path / "driver").write_text("NVRM version: 999\n")
    serve(RIGHT)
    proven()
    with monkeypatch.context() as patch:
        change(patch, tmp_path)
        made = serve(RIGHT)
        assert proven() == set(made) == set(Operations._fields)
    made = serve(RIGHT)
    proven()
    assert made == [], "what was known stays known"


def test_every_source_of_a_verdict_is_there():
    here = verdict_file.Path(verdict_file.__file__).parent
    assert all(list(here.glob(pattern)) for pattern in verdict_file.SOURCES)


def verdict_files(folder):
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


DAMAGED = {
    "empty": "", "no JSON": "{", "a list": "[]", "no verdicts": "{}",
    "other verdicts": '{"of": 1, "kernels": {}}', "bytes": "\udc80",
}  # fmt: skip


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_file_that_cannot_be_read_is_ignored_and_replaced(serve, tmp_path, content):
    serve(RIGHT)
    proven()
    (path,) = (tmp_path / "prefix" / "attention_kernels").iterdir()
    path.write_bytes(content.encode(errors="surrogateescape"))
    made = serve(RIGHT)
    assert proven() == set(made)
    made = serve(RIGHT)
    assert proven() and made == []


@pytest.mark.parametrize("damage", [{"difference": "0.1", "error": None}, {"difference": None, "error": None}, {}, 3])
def test_a_verdict_that_is_none_is_ignored(serve, tmp_path, damage):
    serve(RIGHT)
    proven()
    (path,) = (tmp_path / "prefix" / "attention_kernels").iterdir()
    content = json.loads(path.read_text())
    content["kernels"]["weighted_sum"] = damage
    path.write_text(json.dumps(content))
    made = serve(RIGHT)
    assert proven() == set(made) == set(Operations._fields)


def test_where_the_environment_cannot_be_written_the_cache_of_the_user_is(serve, tmp_path):
    (tmp_path / "prefix").write_text("a file, so no folder can be made in it")
    serve(RIGHT)
    proven()
    assert len(verdict_files(tmp_path / "cache")) == 1
    made = serve(RIGHT)
    assert proven() and made == []
    for path in (tmp_path / "cache").rglob("*.json"):
        path.unlink()
    (tmp_path / "cache" / "attention_kernels").rmdir()
    (tmp_path / "cache" / "attention_kernels").write_text("another file")
    for _ in range(2):
        made = serve(RIGHT)
        assert proven() == set(made), "nothing is kept, and every process checks"


def test_what_a_full_device_is_to_blame_for_is_not_kept(serve):
    def full(*given):
        raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 MiB")

    serve(RIGHT._replace(weighted_sum=full))
    with pytest.warns(UserWarning, match="out of memory"):
        assert "weighted_sum" not in proven()
    made = serve(RIGHT)
    assert "weighted_sum" in proven() and made == ["weighted_sum"]


def test_a_kernel_that_breaks_the_device_is_left_out_by_the_next_process(serve, monkeypatch):
    broken = RIGHT._replace(attention_weights=raising)
    serve(broken)
    with monkeypatch.context() as patch:
        patch.setattr(self_check, "_works", lambda device: False)
        with pytest.raises(RuntimeError, match=r"attention_weights has broken cpu for this process .* start again"):
            proven()
    made = serve(broken)
    with pytest.warns(UserWarning, match="attention_weights is left out"):
        assert proven() == {"gated_recurrence", "weighted_sum"}
    assert made == ["weighted_sum"]


def test_checking_disturbs_nothing(serve):
    """Under ``no_grad`` and ``inference_mode``, as decoding computes, and without drawing from the random numbers."""
    serve(RIGHT)
    before = torch.random.get_rng_state()
    for dtype, mode in ((torch.float32, torch.no_grad), (torch.float64, torch.inference_mode)):
        with mode():
            assert proven(dtype) == set(Operations._fields)
            assert not torch.is_grad_enabled()
    assert torch.equal(torch.random.get_rng_state(), before)


def test_without_triton_or_in_another_type_nothing_is_checked(serve):
    made = serve(None)
    assert proven() == frozenset()
    serve(RIGHT)
    assert proven(torch.complex64) == frozenset()
    assert made == []


def test_a_broken_installation_of_triton_is_said_once(serve, monkeypatch):
    def broken():
        raise ImportError("libcuda.so.1: cannot open shared object file")

    monkeypatch.setattr(triton_choice, "operations", broken)
    with pytest.warns(UserWarning, match=r"Triton cannot be imported \(ImportError: libcuda") as warned:
        assert proven() == proven() == frozenset()
    assert len(warned) == 1
