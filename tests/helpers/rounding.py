"""The mark of tests that train or multiply with factors rounded to bf16."""

import pytest

from fairseq_plugins.kernels import cannot_round

needs_rounding = pytest.mark.skipif(cannot_round() is not None, reason=f"no products in bf16: {cannot_round()}")
