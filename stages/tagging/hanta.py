"""Tags of English and German words with HanTa (Wartena 2019, KONVENS): a trigram tagger that guesses by morphemes."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import HanTa
from HanTa.HanoverTagger import HanoverTagger

from stages.tagging.classes import classes

MODELS = {"de": ("ger", "STTS"), "en": ("en", "C5")}  # language: name of the model, tagset


def load(language: str) -> Callable[[Sequence[Sequence[str]]], list[list[str]]]:
    """A function from the sentences of a text to the classes of their words.

    Capitals tell a noun from other words, above all in German. A text without any is taken to be in lower case, and its
    words are tagged without regard to case.
    """
    name, tagset = MODELS[language]
    # a whole path, for HanTa prefers a file of that name in the working folder
    model = HanoverTagger(str(Path(HanTa.__file__).parent / f"morphmodel_{name}.pgz"))
    model.analyze_forward = cache(model.analyze_forward)  # of the word alone, and most of the time goes there

    def tag(sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        cased = any(word != word.lower() for sentence in sentences for word in sentence)
        tagged = (model.tag_sent(sentence, taglevel=0, casesensitive=cased) for sentence in sentences)
        return [classes(tags, tagset, "HanTa") for tags in tagged]

    return tag
