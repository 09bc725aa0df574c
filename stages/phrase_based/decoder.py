"""Thot's stack decoder over the files of a model, sentence by sentence."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from stages.alignment.thot import LONGEST, escape, library, unescape
from stages.files.errors import InputError
from stages.settings.smt import Decoder as Options

FEATURES = ("words", "language model", "phrases", "jumps", "lengths", "p(t|s)", "p(s|t)", "sentence length")
"""What Thot adds up, in its order: word penalty, log p of the language model, a constant a phrase, distance skipped in
the source, difference in length of a phrase and its translation, both phrase models, length of the sentence."""
START = (-1.0, 1.0, 0.2, 0.1, 0.2, 0.5, 0.5, 0.2)
"""Weights before tuning; that of the word penalty, a log probability that falls with every word, rewards words."""


class Hypothesis(NamedTuple):
    """A translation and what each of `FEATURES` gives it, unweighted."""

    words: tuple[str, ...]
    features: tuple[float, ...]


class SmtDecoder:
    """A loaded model with weights and a stack that can be changed.

    stack: hypotheses that each stack holds; counts for the weights that are set after it.
    """

    def __init__(self, prefix: Path, options: Options) -> None:
        """prefix: of the files of the translation model, the language model being `<prefix>.lm`.

        Raises:
            InputError: Thot is missing, or a file is missing or damaged.
        """
        model = library("translation").SmtModel(library("alignment").AlignmentModelType.INCR_HMM)
        language_model = prefix.with_name(f"{prefix.name}.lm")
        if not model.load_translation_model(str(prefix)) or not model.load_language_model(str(language_model)):
            raise InputError(f"{prefix}: Thot cannot read the model; remove its folder and run again")
        model.w, model.a, model.e = options.phrase_translations, options.phrase_length, options.search
        model.non_monotonicity, model.heuristic = options.skipped_words, options.heuristic
        self._model, self.stack = model, options.stack  # the decoder does not own its model: it would crash without
        self.weights = START

    @property
    def weights(self) -> tuple[float, ...]:
        """One of each of `FEATURES`."""
        return self._weights

    @weights.setter
    def weights(self, weights: Sequence[float]) -> None:
        if len(weights) != len(FEATURES):
            raise ValueError(f"{len(weights)} weights for {len(FEATURES)} features")
        self._weights = tuple(map(float, weights))
        self._model.weights = list(self._weights)
        self._decoder = library("translation").SmtDecoder(self._model)  # it copies the weights
        self._decoder.s = self.stack
        self._decoder.is_breadth_first = True  # best first would stop at the first whole translation

    def translate(self, words: Sequence[str]) -> list[str]:
        """The best translation; unknown words are copied. More than `LONGEST` words are translated in pieces."""
        found: list[str] = []
        for start in range(0, len(words), LONGEST):
            piece = escape(words[start : start + LONGEST])
            target = unescape(self._decoder.translate(" ".join(piece)).target)
            if not target:
                raise InputError(
                    f"Thot does not translate {' '.join(piece)!r}; raise `stack` of smt.decoder in params.yaml"
                )
            found += target
        return found

    def best(self, words: Sequence[str], most: int) -> list[Hypothesis]:
        """At most `most` different derivations, the best first; none of a sentence of more than `LONGEST` words."""
        if len(words) > LONGEST:
            return []
        found = self._decoder.translate_n(" ".join(escape(words)), most)
        return [Hypothesis(tuple(unescape(one.target)), tuple(one.score_components)) for one in found if one.target]
