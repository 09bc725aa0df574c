"""The words of the demo: numbers, names, verb forms, plurals, and the templates that join them."""

import pytest

from stages.corpora.demo_language.lexicon import conjugate, pluralise
from stages.corpora.demo_language.notation import join, units
from stages.corpora.demo_language.numbers import chinese_number, english_number, transliterate


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
