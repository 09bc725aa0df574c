"""The embedded corpus has the properties that attention papers need, and reads as correct English on its surface."""

import os
import subprocess
import sys
import time
from collections import Counter
from random import Random
from statistics import mean

import pytest

from stages.corpora.demo import MAX_WORDS, Pair, generate
from stages.corpora.demo_grammar import Grammar
from stages.corpora.demo_lexicon import conjugate, pluralise
from stages.corpora.demo_numbers import chinese_number, english_number, transliterate
from stages.corpora.demo_phrase import join, units
from tests.helpers.paths import ROOT

SETS = ("train", "dev", "test", "gold")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@pytest.fixture(scope="module")
def sets() -> dict[str, list[Pair]]:
    return generate(train=2000, dev=300, test=300, gold=200, seed=1)


@pytest.fixture(scope="module")
def pairs(sets: dict[str, list[Pair]]) -> list[Pair]:
    return [pair for name in SETS for pair in sets[name]]


def test_sizes(sets: dict[str, list[Pair]]) -> None:
    assert {name: len(sets[name]) for name in sets} == {"train": 2000, "dev": 300, "test": 300, "gold": 200}


def test_empty_sets() -> None:
    assert generate(0, 0, 0, 0, seed=3) == {name: [] for name in SETS}


def test_same_seed_same_text_other_seed_other_text() -> None:
    assert generate(50, 20, 20, 20, seed=5) == generate(50, 20, 20, 20, seed=5)
    assert generate(50, 20, 20, 20, seed=5) != generate(50, 20, 20, 20, seed=6)


def test_size_of_train_leaves_the_other_sets_alone() -> None:
    small, large = generate(10, 30, 30, 30, seed=2), generate(400, 30, 30, 30, seed=2)
    for name in ("dev", "test", "gold"):
        assert small[name] == large[name]
    assert large["train"][:10] == small["train"]


def test_text_does_not_depend_on_the_hash_seed() -> None:
    code = (
        "import hashlib; from stages.corpora.demo import generate; sets = generate(200, 20, 20, 20, seed=1);"
        "text = repr([(p.source, p.target, p.references, sorted(p.links)) for k in sets for p in sets[k]]);"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("1", "2")
    }
    assert len(digests) == 1


def test_words_tags_and_links_fit(pairs: list[Pair]) -> None:
    for pair in pairs:
        assert len(pair.source) == len(pair.source_tags)
        assert len(pair.target) == len(pair.target_tags)
        for word in (*pair.source, *pair.target, *pair.source_tags, *pair.target_tags):
            assert word
            assert not any(mark.isspace() for mark in word)
            assert not set(word) & set("{}^+|"), f"{word!r} has a mark of the notation in it"
        assert all(0 <= i < len(pair.source) and 0 <= j < len(pair.target) for i, j, _ in pair.links)
        assert len({(i, j) for i, j, _ in pair.links}) == len(pair.links)
        assert any(sure for _, _, sure in pair.links)


def test_scripts_are_not_mixed(pairs: list[Pair]) -> None:
    def han(word: str) -> bool:
        return any("\u4e00" <= mark <= "\u9fff" for mark in word)

    for pair in pairs:
        assert not any(han(word) for word in pair.target)
        assert all(han(word) or tag == "PU" for word, tag in zip(pair.source, pair.source_tags, strict=True))


def test_tagsets(pairs: list[Pair]) -> None:
    source = {tag for pair in pairs for tag in pair.source_tags}
    target = {tag for pair in pairs for tag in pair.target_tags}
    assert source <= _words("AD AS BA CC CD CS DEC DEG DT JJ LB LC M NN NR NT OD P PN PU SB SP VA VC VE VV")
    assert {"NN", "NR", "NT", "VV", "VA", "VC", "VE", "P", "CD", "M", "DEC", "DEG", "CC", "LC", "PU", "PN"} <= source
    assert target <= _words(
        "CC CD DT EX IN JJ JJR JJS MD NN NNP NNPS NNS POS PRP RB RP TO VB VBD VBG VBN VBP VBZ WDT WP . ,"
    )


def test_lengths(pairs: list[Pair]) -> None:
    for side in ("source", "target"):
        lengths = [len(getattr(pair, side)) for pair in pairs]
        assert 9 <= mean(lengths) <= 14
        assert min(lengths) >= 3
        assert 40 <= max(lengths) <= MAX_WORDS


def test_no_source_sentence_occurs_twice(pairs: list[Pair]) -> None:
    assert len({pair.source for pair in pairs}) == len(pairs)


def test_references(sets: dict[str, list[Pair]]) -> None:
    for name in SETS:
        for pair in sets[name]:
            assert len(pair.references) == (2 if name in ("dev", "test") else 1)
            assert pair.references[0] == " ".join(pair.target)
            assert all(text[0].isupper() or text[0].isdigit() for text in pair.references)
            assert all(len(text.split(" ")) <= MAX_WORDS + 10 for text in pair.references)
    two = [pair.references for name in ("dev", "test") for pair in sets[name]]
    assert sum(first != second for first, second in two) > 0.6 * len(two)


def test_the_paraphrase_translates_the_same_chinese() -> None:
    for number in range(500):
        usual, other = (Grammar(Random(number), paraphrase).sentence() for paraphrase in (False, True))
        assert [(word.text, word.tag) for word in usual.source] == [(word.text, word.tag) for word in other.source]


def test_articles_agree(pairs: list[Pair]) -> None:
    vowel = set("aeiou")
    for pair in pairs:
        for article, following in zip(pair.target, pair.target[1:], strict=False):
            word = following.lower()
            if article.lower() == "a":
                assert (word[0] not in vowel and word[0] != "8") or word.startswith(("uni", "use")), pair.target
            if article.lower() == "an":
                assert word[0] in vowel or word.startswith(("8", "11", "18")), pair.target


def test_number_agrees_with_the_count(pairs: list[Pair]) -> None:
    plural_after_number = Counter()
    for pair in pairs:
        for word, tag, following in zip(pair.target, pair.target_tags, pair.target_tags[1:], strict=False):
            if tag == "CD" and word.lower() in ("two", "three", "four", "five", "six", "seven", "eight", "nine"):
                plural_after_number[following] += 1
    assert plural_after_number["NNS"] > 50
    assert plural_after_number["NNP"] == 0


@pytest.mark.parametrize(
    "first, second",
    [("a", "a"), ("the", "the"), ("the", "a"), ("a", "the"), ("of", "of"), ("to", "to"), (",", ",")],
)
def test_no_stuttering(pairs: list[Pair], first: str, second: str) -> None:
    for pair in pairs:
        assert (first, second) not in {
            (left.lower(), right) for left, right in zip(pair.target, pair.target[1:], strict=False)
        }


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


def test_speed() -> None:
    """A free core makes 8,000 pairs in 2 s; a busy one may take ten times as long, but no more."""
    start = time.process_time()
    generate(1000, 0, 0, 0, seed=9)
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    "number, zh, en",
    [
        (2, "两", "two"),
        (10, "十", "10"),
        (12, "十二", "12"),
        (35, "三十五", "35"),
        (200, "两百", "200"),
        (3100, "三千一百", "3,100"),
        (76000, "七万六千", "76,000"),
        (3 * 10**6, "三百万", "3+million"),
        (2 * 10**8, "两亿", "200+million"),
        (3 * 10**9, "三十亿", "3+billion"),
    ],
)
def test_numbers(number: int, zh: str, en: str) -> None:
    assert chinese_number(number, before_measure=True) == zh
    assert english_number(number) == en


def test_a_number_with_a_gap_is_refused() -> None:
    with pytest.raises(ValueError, match="gap"):
        chinese_number(1001)


@pytest.mark.parametrize("zh, en", [("卡洛斯", "Kalos"), ("莫塔夫", "Motav"), ("托马拉", "Tomala")])
def test_names(zh: str, en: str) -> None:
    assert transliterate(zh) == en


@pytest.mark.parametrize(
    "verb, third, past, gerund",
    [
        ("visit", "visits", "visited", "visiting"),
        ("study", "studies", "studied", "studying"),
        ("veto", "vetoes", "vetoed", "vetoing"),
        ("expel", "expels", "expelled", "expelling"),
        ("meet with", "meets", "met", "meeting"),
        ("agree", "agrees", "agreed", "agreeing"),
    ],
)
def test_verb_forms(verb: str, third: str, past: str, gerund: str) -> None:
    forms = conjugate("", verb)
    assert (forms.third, forms.past, forms.gerund) == (third, past, gerund)


@pytest.mark.parametrize(
    "singular, plural",
    [
        ("company", "companies/NNS"),
        ("car plant", "car plants/NNS"),
        ("spokesman", "spokesmen/NNS"),
        ("aircraft", "aircraft/NNS"),
        ("bus", "buses/NNS"),
    ],
)
def test_plurals(singular: str, plural: str) -> None:
    assert pluralise(singular) == plural


def test_templates_link_words_and_heads() -> None:
    owner, thing = units("法国", "France", "NR", "NNP"), units("核+武器", "nuclear+weapons", "NN", "NNS")
    phrase = join("{0} 的/DEG:a? ^{1}", "the/DT:1? ^{1} of/IN:a? {0}", owner, thing)
    assert [word.text for word in phrase.source] == ["法国", "的", "核", "武器"]
    assert [word.text for word in phrase.target] == ["the", "nuclear", "weapons", "of", "France"]
    assert [word.text for word in phrase.target_heads] == ["nuclear", "weapons"]
    links = {(left.text, right.text, sure) for left, right, sure in phrase.links}
    assert links == {
        ("法国", "France", True),
        ("的", "of", False),
        ("核", "the", False),
        ("武器", "the", False),
        ("核", "nuclear", True),
        ("核", "weapons", True),
        ("武器", "nuclear", True),
        ("武器", "weapons", True),
    }


def test_a_malformed_template_is_refused() -> None:
    with pytest.raises(ValueError, match="neither a slot nor"):
        join("word", "word/NN")
