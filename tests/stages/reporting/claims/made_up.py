"""A made-up study with known answers."""

from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from stages.reporting.claims.claims import Claim, Compared, PaperClaim
from stages.reporting.claims.counts import Counts
from stages.reporting.claims.judge import judge
from stages.reporting.claims.judged import About, Judged
from stages.scoring.catalogue import GROUPS
from stages.scoring.inputs import Text
from stages.scoring.sentence_files import write_counts

N, SEEDS = 120, (1, 2, 3)
TESTS = ("test", "late")
RATES = {"bad": 0.5, "good": 0.4, "same": 0.5, "lucky": 0.5, "tuned": 0.5, "control": 0.5, "smt": 0.45}


def counts_of(rate: np.ndarray, words: np.ndarray, random: np.random.Generator) -> dict[str, np.ndarray]:
    """Over-translation and links of sentences of so many words, with errors at a rate a sentence."""
    errors = random.binomial(words, np.clip(rate, 0, 1))
    rot = np.zeros((len(words), len(GROUPS["rot"])), int)
    rot[:, 0], rot[:, 1] = errors, words
    right = words - errors
    return {"source": words[:, None], "rot": rot, "aer": np.stack([words, words, right, right], axis=1)}


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`bad` errs in 50 % of the words, `good` in 40 %, `same` as `bad`, `lucky` as `bad` but for one lucky seed of
    three; `smt` in 45 %, once."""
    folder = tmp_path_factory.mktemp("study")
    random = np.random.default_rng(5)
    for name in (*TESTS, "gold"):
        words = random.integers(5, 30, N)
        for language in ("zh", "en"):
            (folder / f"{name}.{language}").write_text("w\n" * N, encoding="utf-8")
        hard = random.normal(0, 0.05, N)
        for variant, rate in RATES.items():
            for seed in SEEDS:
                luck = -0.3 if variant == "lucky" and seed == 1 else 0.0
                shared = (seed - 2) * 0.1 if variant in ("tuned", "control") else 0.0
                gain = -0.05 if variant == "tuned" else 0.0
                place = folder / "scores" / (variant if variant == "smt" else f"{variant}-{seed}")
                place.mkdir(parents=True, exist_ok=True)
                write_counts(place / f"{name}.csv", counts_of(rate + hard + luck + shared + gain, words, random), N)
    return folder


def claim(system: str, against: str | None, measure: str = "tests.average.rot", **more: object) -> PaperClaim:
    about = {"name": "x", "says": "X", "place": "Table 1", "claimed": "lower", "measure": measure}
    printed = more.pop("printed", None)
    found = Claim(ours=Compared(system=system, against=against), **(about | more))
    return PaperClaim("xue-2019", "Xue", found, measure, printed and Decimal(printed))


def judged(
    study: Path,
    one: PaperClaim,
    seeds: tuple[int, ...] = SEEDS,
    gold: bool = True,
    about: About | None = None,
    **base: str,
) -> Judged:
    """In a study of `bad`, `good`, `same`, `smt` and the systems of the claim."""
    text = Text(study, "forward", "zh", "en", TESTS, gold)
    named = {name for name in one.claim.ours.weights if name in RATES}
    systems = sorted({"bad", "good", "same", "smt"} | named | set(base))
    return judge([one], Counts(text, study, seeds, []), systems, base, about or About())[0]
