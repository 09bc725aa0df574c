"""How far a kernel's results are from PyTorch's, and what is made of it."""

from types import SimpleNamespace

import pytest
import torch

from fairseq_plugins.kernels import products
from fairseq_plugins.kernels.comparison import TOLERANCE, allowed, difference
from fairseq_plugins.kernels.verdict_file import Verdict

INF, NAN = float("inf"), float("nan")
DIFFERENCES = {
    "nothing": ([], [], 0),
    "equal": ([[1.0, 2]], [[1.0, 2]], 0),
    "by the largest of the tensor": ([[1.0, 2]], [[1.5, 2]], 0.25),
    "of the worst tensor": ([[1.0], [3.0]], [[1.0], [4.0]], 0.25),
    "what is small beside all may be rounding": ([[1000.0], [2e-3]], [[1000.0], [1e-3]], 1e-3),
    "not a number": ([[NAN]], [[1.0]], INF),
    "not a number instead": ([[1.0]], [[NAN]], INF),
    "the same infinities": ([[INF, NAN, -INF, 1.0]], [[INF, NAN, -INF, 2.0]], 0.5),
    "another infinity": ([[INF]], [[-INF]], INF),
    "shapes": ([[1.0, 1.0]], [[1.0]], INF),
    "none": ([None], [None], 0),
    "none on one side": ([None], [[1.0]], INF),
    "none on the other side": ([[1.0]], [None], INF),
    "one too many": ([[1.0], [1.0]], [[1.0]], INF),
    "integers": ([[1, 2]], [[1, 2]], 0),
    "other integers": ([[1, 2]], [[1, 3]], INF),
    "empty": ([[]], [[]], 0),
    "zeros": ([[0.0]], [[0.0]], 0),
    "beside zeros": ([[1e-9]], [[0.0]], 1e-9 / torch.finfo(torch.float64).tiny),
}


@pytest.mark.parametrize(("found", "expected", "apart"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_differences(found, expected, apart):
    def tensors(rows):
        integers = [bool(row) and isinstance(row[0], int) for row in rows]
        kinds = [torch.int64 if integer else torch.float64 for integer in integers]
        return [None if row is None else torch.tensor(row, dtype=kind) for row, kind in zip(rows, kinds, strict=True)]

    assert difference(tensors(found), tensors(expected)) == pytest.approx(apart)


def test_the_coarsest_type_says_what_is_allowed():
    fp32, bf16, integers = torch.zeros(1), torch.zeros(1).bfloat16(), torch.zeros(1).long()
    assert allowed([fp32, None, bf16, integers]) == TOLERANCE[torch.bfloat16]
    assert allowed([integers]) == 0


def test_products_whose_factors_are_rounded_are_as_coarse_as_these(monkeypatch):
    """A rounding may flip where sums have another order. TF32 has as many digits as fp16."""
    on_cpu, integers = torch.zeros(1), torch.zeros(1).long()
    assert allowed([on_cpu]) == TOLERANCE[torch.float32]
    with products("bf16"):
        assert allowed([on_cpu, integers]) == TOLERANCE[torch.bfloat16]
        assert allowed([on_cpu.double()]) == TOLERANCE[torch.float64], "they are not rounded"
    monkeypatch.setattr(torch, "get_float32_matmul_precision", lambda: "high")
    assert allowed([on_cpu]) == TOLERANCE[torch.float32], "CPUs have no TF32"
    for dtype, expected in ((torch.float32, torch.float16), (torch.float64, torch.float64)):
        on_gpu = SimpleNamespace(
            dtype=dtype, device=torch.device("cuda"), is_cuda=True, is_floating_point=lambda: True
        )  # fmt: skip
        assert allowed([on_gpu]) == TOLERANCE[expected]


def test_verdicts():
    assert Verdict(1e-5, None).objection(1e-4) is None
    assert "1.0e-03" in Verdict(1e-3, None).objection(1e-4)
    assert Verdict(NAN, None).objection(1e-4) and Verdict(None, "why").objection(1e-4) == "it fails (why)"
