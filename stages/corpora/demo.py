"""The embedded demo corpus: synthetic Chinese-English newswire with alignments, tags and references.

Everything is drawn from `random.Random(seed)`: the same numbers give the same text on every supported Python.
"""

from dataclasses import dataclass
from random import Random

from stages.corpora.demo_language.grammar import Grammar
from stages.corpora.demo_language.notation import Phrase, Word

MAX_WORDS = 50

_USUAL_WORDING = 0.92
_VOWEL_SOUND = frozenset("aeiou")
_SOUNDS_LIKE_CONSONANT = ("uni", "use", "eu", "one")
_VOWEL_NUMBERS = ("8", "11", "18")
_FUNCTION_TAGS = frozenset(("DT", "IN", "TO"))


@dataclass(frozen=True)
class Pair:
    """A sentence pair. `links` are (source index, target index, sure), from 0; `references` are space-joined tokens.

    `references[0]` is the target; dev and test pairs have a second one (the same wording where there is only one).
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    source_tags: tuple[str, ...]
    target_tags: tuple[str, ...]
    links: frozenset[tuple[int, int, bool]]
    references: tuple[str, ...]


def generate(train: int, dev: int, test: int, gold: int, seed: int) -> dict[str, list[Pair]]:
    """The sets `train`, `dev`, `test` and `gold` with as many pairs; no source sentence occurs twice.

    The sets draw from streams of their own: the size of train does not change the others.
    """
    seen: set[tuple[str, ...]] = set()
    sizes = {"gold": gold, "test": test, "dev": dev, "train": train}
    sets = {name: _draw(size, Random(f"{seed} {name}"), name in ("dev", "test"), seen) for name, size in sizes.items()}
    return {name: sets[name] for name in ("train", "dev", "test", "gold")}


def _draw(size: int, rng: Random, two_references: bool, seen: set[tuple[str, ...]]) -> list[Pair]:
    pairs: list[Pair] = []
    while len(pairs) < size:
        derivation = rng.getrandbits(64)
        paraphrase = rng.random() >= _USUAL_WORDING
        phrase = Grammar(Random(derivation), paraphrase).sentence()
        source = tuple(word.text for word in phrase.source)
        if source in seen or max(len(phrase.source), len(phrase.target)) > MAX_WORDS:
            continue
        seen.add(source)
        references = [" ".join(_spell(phrase.target))]
        if two_references:
            references.append(" ".join(_spell(Grammar(Random(derivation), not paraphrase).sentence().target)))
        pairs.append(_pair(source, phrase, tuple(references)))
    return pairs


def _pair(source: tuple[str, ...], phrase: Phrase, references: tuple[str, ...]) -> Pair:
    source_places = {id(word): place for place, word in enumerate(phrase.source)}
    target_places = {id(word): place for place, word in enumerate(phrase.target)}
    links: dict[tuple[int, int], bool] = {}
    for left, right, sure in phrase.links:
        link = source_places[id(left)], target_places[id(right)]
        links[link] = links[link] or sure if link in links else sure
    for link in _of_function_words([word.tag for word in phrase.target], links):
        links.setdefault(link, False)
    return Pair(
        source=source,
        target=_spell(phrase.target),
        source_tags=tuple(word.tag for word in phrase.source),
        target_tags=tuple(word.tag for word in phrase.target),
        links=frozenset((left, right, sure) for (left, right), sure in links.items()),
        references=references,
    )


def _of_function_words(tags: list[str], links: dict[tuple[int, int], bool]) -> list[tuple[int, int]]:
    """Possible links of an article, preposition or "to" that translates no word: to what the words beside it translate.

    Och and Ney's annotators used possible links for such missing function words.
    """
    sure: dict[int, list[int]] = {place: [] for place in range(-1, len(tags) + 1)}
    for (left, right), certain in links.items():
        if certain:
            sure[right].append(left)
    return [
        (left, place)
        for place, tag in enumerate(tags)
        if tag in _FUNCTION_TAGS and not sure[place]
        for left in (*sure[place - 1], *sure[place + 1])
    ]


def _spell(words: tuple[Word, ...]) -> tuple[str, ...]:
    """a or an, and a capital at the beginning."""
    texts = [word.text for word in words]
    for place, text in enumerate(texts[:-1]):
        if text == "a" and _needs_an(texts[place + 1]):
            texts[place] = "an"
    return texts[0][0].upper() + texts[0][1:], *texts[1:]


def _needs_an(following: str) -> bool:
    word = following.lower()
    if word.startswith(_VOWEL_NUMBERS):
        return True
    return word[0] in _VOWEL_SOUND and not word.startswith(_SOUNDS_LIKE_CONSONANT)
