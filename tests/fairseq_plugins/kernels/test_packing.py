"""The functions of MKL that pack weights. Without them everything works, more slowly, so no other test would notice."""

import ctypes
import re
from pathlib import Path

import pytest
import torch

from fairseq_plugins.kernels import native


@pytest.mark.skipif(not torch.backends.mkl.is_available(), reason="this torch has no MKL")
def test_weights_are_packed_where_torch_has_mkl() -> None:
    """torch's library hands out what the kernels ask for by name, so the weak names are found when they are loaded."""
    asked = re.findall(r"\b(cblas_\w+)\(", (native.SOURCES / "factor.cpp").read_text(encoding="utf-8"))
    library = ctypes.CDLL(str(Path(torch.__file__).with_name("lib") / "libtorch_cpu.so"))
    assert set(asked) and [name for name in sorted(set(asked)) if not hasattr(library, name)] == []
