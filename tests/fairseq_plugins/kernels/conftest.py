"""What the tests of the kernels share."""

import pytest

from fairseq_plugins.kernels import native


@pytest.fixture(params=["eager", "native"])
def implementation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The kernels in PyTorch and those in C++, one after the other."""
    if request.param == "eager":
        monkeypatch.setattr(native, "operations", lambda: None)
    elif native.operations() is None:
        pytest.skip("the kernels in C++ cannot be built here")
    return request.param
