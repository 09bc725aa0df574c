import numpy as np
import pytest

from tests.stages.statistics.pairs import sentences, translate


@pytest.fixture(scope="module", params=[(0.30, 0.30), (0.30, 0.33), (0.25, 0.35)], ids=["alike", "near", "apart"])
def texts(request):
    """Translations by two systems, and their references."""
    random = np.random.default_rng(7)
    words = sentences(random, 80)
    system, baseline = (translate(random, words, error) for error in request.param)
    return system, baseline, [" ".join(line) for line in words]
