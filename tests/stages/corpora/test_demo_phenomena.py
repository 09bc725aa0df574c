"""The demo has what attention papers need: links that cross, words of several links and of none, ambiguity."""

from collections import Counter
from statistics import mean

import pytest

from stages.corpora.demo import Pair


def _crossing(pair: Pair) -> bool:
    sure = sorted((i, j) for i, j, is_sure in pair.links if is_sure)
    return any(i < k and j > m for i, j in sure for k, m in sure)


def _fertile(pair: Pair, side: int) -> bool:
    """A word of `side` has several sure links."""
    return max(Counter(link[side] for link in pair.links if link[2]).values()) > 1


def _unlinked(pair: Pair, side: int) -> set[str]:
    words = pair.target if side else pair.source
    linked = {link[side] for link in pair.links}
    return {word for place, word in enumerate(words) if place not in linked}


def _without_counterpart(pair: Pair) -> set[int]:
    """Target words that translate no source word: unlinked, or possibly linked to what their neighbours translate."""
    return set(range(len(pair.target))) - {j for _, j, sure in pair.links if sure}


def test_articles_and_prepositions_that_translate_nothing_are_possible_links(pairs: list[Pair]) -> None:
    for pair in pairs:
        sure = [{i for i, j, certain in pair.links if certain and j == place} for place in range(len(pair.target))]
        for place, tag in enumerate(pair.target_tags):
            if tag in ("DT", "IN", "TO") and not sure[place]:
                beside = set().union(*sure[max(place - 1, 0) : place], *sure[place + 1 : place + 2])
                assert beside <= {i for i, j, _ in pair.links if j == place}


def test_phenomena(pairs: list[Pair]) -> None:
    def share(holds) -> float:
        return sum(map(bool, map(holds, pairs))) / len(pairs)

    assert share(_crossing) > 0.4
    assert share(lambda pair: _fertile(pair, 0)) > 0.4
    assert share(lambda pair: _fertile(pair, 1)) > 0.1
    assert share(lambda pair: any(not sure for _, _, sure in pair.links)) > 0.5
    assert share(lambda pair: _unlinked(pair, 0)) > 0.1
    assert share(_without_counterpart) > 0.2
    assert share(lambda pair: _unlinked(pair, 1)) > 0.02
    assert share(lambda pair: "的" in pair.source) > 0.15
    assert share(lambda pair: "、" in pair.source) > 0.05
    assert share(lambda pair: "NT" in pair.source_tags) > 0.2
    assert share(lambda pair: "CD" in pair.source_tags) > 0.25


@pytest.mark.parametrize(
    "word",
    ["把", "被", "了", "过", "已经", "正在", "将", "没有", "不", "吗", "如果", "虽然", "因为", "之后", "据", "比"],
)
def test_function_words(pairs: list[Pair], word: str) -> None:
    assert sum(word in pair.source for pair in pairs) >= 5


@pytest.mark.parametrize(
    "word, translations",
    [
        ("提高", {"raise", "improve"}),
        ("发表", {"deliver", "issue", "publish"}),
        ("开", {"drive", "open", "hold"}),
        ("问题", {"issue", "problem", "questions"}),
        ("打", {"make", "fight"}),
    ],
)
def test_ambiguous_words(pairs: list[Pair], word: str, translations: set[str]) -> None:
    found = {pair.target[j].lower() for pair in pairs for i, j, sure in pair.links if sure and pair.source[i] == word}
    stems = {stem for stem in translations if any(form.startswith(stem[:3]) for form in found)}
    irregular = {"make": "made", "drive": "drove", "hold": "held", "fight": "fought"}
    stems |= {base for base, past in irregular.items() if base in translations and past in found}
    assert stems == translations


def test_repeated_phrases(pairs: list[Pair]) -> None:
    def repeats(pair: Pair) -> bool:
        grams = Counter(pair.target[place : place + 3] for place in range(len(pair.target) - 2))
        return max(grams.values()) > 1

    assert sum(map(repeats, pairs)) > 0.02 * len(pairs)


@pytest.mark.parametrize("name", ["dev", "test", "gold"])
def test_many_names_are_unseen_in_train(sets: dict[str, list[Pair]], name: str) -> None:
    known = {word for pair in sets["train"] for word in pair.source}
    new = [
        any(tag == "NR" and word not in known for word, tag in zip(pair.source, pair.source_tags, strict=True))
        for pair in sets[name]
    ]
    assert mean(new) > 0.2


def test_other_words_are_known(sets: dict[str, list[Pair]]) -> None:
    """Only names and numbers are rare."""
    known = {word for pair in sets["train"] for word in pair.source}
    rest = [
        word in known
        for name in ("dev", "test", "gold")
        for pair in sets[name]
        for word, tag in zip(pair.source, pair.source_tags, strict=True)
        if tag not in ("NR", "CD")
    ]
    assert mean(rest) > 0.995


def test_vocabulary(sets: dict[str, list[Pair]]) -> None:
    words = {
        word
        for pair in sets["train"]
        for word, tag in zip(pair.source, pair.source_tags, strict=True)
        if tag not in ("NR", "CD")
    }
    assert 300 <= len(words) <= 900


def test_one_link_per_target_word_is_nearly_enough(sets: dict[str, list[Pair]]) -> None:
    """The best AER that an attention arg-max can reach on the gold set is far under 25 percent."""
    both = chosen = gold = 0
    for pair in sets["gold"]:
        best: dict[int, bool] = {}
        for _, j, sure in pair.links:
            best[j] = best.get(j, False) or sure
        chosen += len(best)
        both += len(best) + sum(best.values())
        gold += sum(sure for _, _, sure in pair.links)
    assert 0 < 100 * (1 - both / (chosen + gold)) < 15
