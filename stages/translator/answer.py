"""What a system makes of sentences, in words, as the report scores them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stages.files.errors import InputError
from stages.files.records import read_record
from stages.measures.hard_links import link_set, strongest
from stages.releasing.half_precision import check_safe
from stages.scoring.inputs import read_best
from stages.scoring.text_counts import Reading, known_words, written
from stages.settings.training import Decoding
from stages.translating.decoding import NO_CONTROL, Control, Searched, System, search
from stages.translating.evaluation import record
from stages.translating.load import load_ensemble, load_system
from stages.translating.translations import Translation, translation_of
from stages.translator.chosen import Chosen
from stages.translator.sentence import Sentence


class Hypothesis(NamedTuple):
    """A translation: its text, and its words with their attention, unknown ones replaced.

    score: natural log probability, divided by length ** length_penalty, or what its `Control` makes of it.
    """

    text: str
    words: Translation
    score: float


class Answer(NamedTuple):
    """hypotheses: from the best on; none for a line that is passed through as it is."""

    sentence: Sentence
    hypotheses: list[Hypothesis]


class Translator:
    """A trained system with what turns its pieces into text. best: how many hypotheses of each sentence."""

    def __init__(self, chosen: Chosen, best: int) -> None:
        file = chosen.file
        self._system: System = load_ensemble(chosen.model, chosen.data) if file is None else _from_file(chosen, file)
        self._control = _control(chosen.control)
        self._decoding: Decoding = chosen.decoding
        lexicon = read_best(chosen.wordalign, chosen.direction) if chosen.lexicon else {}
        self._reading = Reading(chosen.scoring, chosen.pair[1], lexicon)
        self._best = best

    @property
    def longest(self) -> int:
        """Pieces of a source that the system can read."""
        longest: int = self._system.model.max_positions()[0] - 1  # eos has a position too
        return longest

    def __call__(self, sentences: Sequence[Sentence], progress: str | None) -> list[Answer]:
        """One answer a sentence, in their order; progress: title of a bar, or None for none."""
        rows = [row for row, one in enumerate(sentences) if one.pieces]
        pieces = [sentences[row].pieces for row in rows]
        best, control = self._best, self._control
        found = search(self._system, pieces, self._decoding, progress, best=best, control=control) if rows else []
        hypotheses = self._hypotheses(dict(zip(rows, found, strict=True)))
        return [Answer(one, hypotheses.get(row, [])) for row, one in enumerate(sentences)]

    def _hypotheses(self, found: Mapping[int, Searched]) -> dict[int, list[Hypothesis]]:
        every = [(row, one) for row, of in found.items() for one in (of.translation, *of.others)]
        words = known_words((translation_of(record(one)) for _, one in every), self._reading)
        texts = written([one.target for one in words], self._reading)
        result: dict[int, list[Hypothesis]] = {row: [] for row in found}
        for (row, one), known, text in zip(every, words, texts, strict=True):
            result[row].append(Hypothesis(text, known, one.score))
        return result


def _control(path: Path | None) -> Control:
    """What a system of `decoded` does otherwise, as the stage evaluate has written it; path: None for any other one."""
    if path is None:
        return NO_CONTROL
    said = read_record(path, Control._fields)
    return Control(**{name: said[name] for name in Control._fields})


def _from_file(chosen: Chosen, file: Path) -> System:
    """Of a model file, which may come from anybody, and from another version of the project."""
    check_safe(chosen.model, file, chosen.pair)
    try:
        return load_system(chosen.model, chosen.data)
    except Exception as error:  # whatever fairseq and torch make of weights and settings that do not fit
        said = "".join(str(error).strip().splitlines()[:1]).replace(f"{chosen.model}: ", "")  # a passing file
        cannot = f"this version of the project cannot build {chosen.variant} from it ({said})"
        raise InputError(f"{file}: {cannot}; update the project, or get a file that fits") from None


def pharaoh(one: Translation, chosen: Chosen) -> str:
    """Each target word's strongest source word as `i-j`, 0-based, source word first; as AER counts them."""
    if one.word_attention is None:
        return ""
    links = link_set(strongest(one.word_attention, chosen.scoring.aer_eos))
    return " ".join(f"{i}-{j}" for i, j in sorted(links))
