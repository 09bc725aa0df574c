"""What the checkpoint is chosen by: BLEU of dev's translation, in words and without regard to case."""

from argparse import Namespace

import pytest
import sacrebleu

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.files.text import write_lines
from stages.settings.training import Training
from stages.training import run
from stages.translating.decoding import Decoded
from tests.helpers import tiny

SETTINGS = Training(**tiny.params()["corpora"][tiny.CORPUS]["training"] | {"dev_beam": 4, "threads": 1})
FOUND = [("THE c@@ at sat down </s>", True), ("a dog ran o@@ ff too late", False), ("Stop here , please </s>", True)]
WORDS = ["THE cat sat down", "a dog ran off too late", "Stop here , please"]
REFERENCES = ["the cat sat down now", "a dog ran off late", "STOP here , please !"]


class Model:
    """What ``dev_bleu`` asks of a model."""

    encoder = decoder = Namespace(dictionary=None)

    def __init__(self, training: bool):
        self.training = training

    def train(self, mode: bool = True) -> None:
        self.training = mode

    def eval(self) -> None:
        self.training = False


@pytest.fixture
def measure(tmp_path, monkeypatch):
    """``dev_bleu`` of a model that finds ``FOUND``; .asked holds its decoding, .sentences what it translates."""
    write_lines(tmp_path / "dev.zh", ["x@@ y z", "u", "v w"])
    write_lines(tmp_path / "dev.en", REFERENCES)
    seen = Namespace()

    def translate(system, sentences, decoding, progress):
        seen.sentences, seen.decoding, seen.training = sentences, decoding, system.model.training
        return [Decoded([], target.split(), None, -1.0, [], finished) for target, finished in FOUND]

    monkeypatch.setattr(run, "translate", translate)
    return run.dev_bleu(SETTINGS, tmp_path, tmp_path, ("zh", "en")), seen


def test_it_is_that_of_sacrebleu_on_words_and_in_lower_case(measure):
    bleu, seen = measure
    expected = {
        lower: sacrebleu.corpus_bleu(WORDS, [REFERENCES], tokenize="none", lowercase=lower, force=True).score
        for lower in (True, False)
    }
    assert bleu(Model(training=True)) == pytest.approx(expected[True])
    assert expected[True] > expected[False] + 10
    assert seen.sentences == [["x@@", "y", "z"], ["u"], ["v", "w"]]


def test_it_translates_as_the_settings_say(measure):
    bleu, seen = measure
    bleu(Model(training=True))
    decoding = seen.decoding
    assert (decoding.beam, decoding.length_penalty, decoding.max_len_a, decoding.max_len_b) == (4, 1.0, 1.5, 10)


@pytest.mark.parametrize("mode", [True, False])
def test_a_model_translates_in_evaluation_mode_and_goes_on_as_before(measure, mode):
    bleu, seen = measure
    model = Model(training=mode)
    bleu(model)
    assert (seen.training, model.training) == (False, mode)
