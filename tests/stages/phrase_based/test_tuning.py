"""Rounds of translation and search for weights."""

import numpy as np
import pytest

from stages.files.errors import InputError
from stages.phrase_based.decoder import Hypothesis
from stages.phrase_based.tuning import tune
from stages.settings.smt import Tuning

SETTINGS = Tuning(sentences=None, stack=1, rounds=6, nbest=2, restarts=2, directions=2, seed=1)
REFERENCES = [[f"a{k} b{k} c{k} d{k} e{k}"] for k in range(12)]


class Decoder:
    """Twenty candidates a sentence with features at random; those right have the highest (2, 1) of features. A list
    holds the five best under the weights that it is asked with."""

    def __init__(self) -> None:
        rng = np.random.default_rng(2)
        self.features = rng.normal(size=(len(REFERENCES), 20, 2))
        right = (self.features @ np.array([2.0, 1.0])).argmax(axis=1)
        self.words = [[f"wrong {k} {j} x y" for j in range(20)] for k in range(len(REFERENCES))]
        for k, (best, (reference,)) in enumerate(zip(right, REFERENCES, strict=True)):
            self.words[k][best] = reference
        self.asked: list[tuple[float, ...]] = []

    def __call__(self, weights):
        self.asked.append(tuple(weights))
        order = np.argsort(-(self.features @ np.array(weights)), axis=1)[:, :5]
        return [
            [Hypothesis(tuple(self.words[k][j].split()), tuple(self.features[k, j])) for j in row]
            for k, row in enumerate(order)
        ]


def test_lists_of_all_rounds_lead_to_the_right_translations() -> None:
    decoder = Decoder()
    tuned = tune(decoder, REFERENCES, (-1.0, 1.0), SETTINGS)
    assert tuned.bleu[0] < 50 and max(tuned.bleu) == pytest.approx(100)
    assert tuned.weights == decoder.asked[int(np.argmax(tuned.bleu))]
    assert tune(Decoder(), REFERENCES, (-1.0, 1.0), SETTINGS) == tuned


def test_it_ends_when_the_lists_hold_nothing_new() -> None:
    decoder = Decoder()
    tuned = tune(decoder, REFERENCES, (2.0, 1.0), SETTINGS)
    assert tuned.bleu == pytest.approx([100, 100])
    assert len(decoder.asked) == 2


@pytest.mark.parametrize("right", [(5, 2, 2, 3, 6, 4, 4), (5, 2, 3, 3, 4, 4, 1)])
def test_it_goes_on_while_dev_falls_and_keeps_the_best(right: tuple[int, ...]) -> None:
    """right: by round, in how many sentences the first translation is right; each list has a new translation."""
    asked = []

    def translate(weights):
        good = right[len(asked)]
        asked.append(tuple(weights))
        wrong = [f"wrong {len(asked)} {k} x y" for k in range(len(REFERENCES))]
        lines = [one if k < good else other for k, ((one,), other) in enumerate(zip(REFERENCES, wrong, strict=True))]
        both = zip(lines, wrong, strict=True)
        return [[Hypothesis(tuple(line.split()), (0.5, 1.0 * k)) for k, line in enumerate(pair)] for pair in both]

    tuned = tune(translate, REFERENCES, (2.0, 1.0), SETTINGS)
    assert len(tuned.bleu) == len(right) and np.argsort(tuned.bleu)[-1] == np.argsort(right)[-1]
    assert tuned.weights == asked[int(np.argmax(right))]


def test_without_rounds_the_weights_stay() -> None:
    tuned = tune(Decoder(), REFERENCES, (0.3, 0.7), SETTINGS.model_copy(update={"rounds": 0}))
    assert tuned.weights == (0.3, 0.7) and len(tuned.bleu) == 1


def test_a_sentence_without_translation_is_left_out_and_none_at_all_an_error() -> None:
    decoder = Decoder()
    tuned = tune(lambda weights: [[], *decoder(weights)[1:]], REFERENCES, (2.0, 1.0), SETTINGS)
    assert tuned.bleu[0] == pytest.approx(100)
    with pytest.raises(InputError, match="Thot translates no sentence of dev"):
        tune(lambda weights: [[] for _ in REFERENCES], REFERENCES, (2.0, 1.0), SETTINGS)
