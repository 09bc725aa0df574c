"""A mixture of public corpora, from a mirror made up; and the real one where there is a mirror."""

import os

import pytest

from stages.corpora import mix
from stages.corpora.corpus_folder import write_corpus
from stages.corpora.download import Sources
from stages.corpora.filters import Filters
from stages.corpora.selection import select_train
from stages.corpus import make
from stages.files.corpus_record import FILE, STRAIGHT
from stages.files.errors import InputError
from stages.files.records import read_json
from stages.files.text import read_lines
from stages.settings.corpora import CorpusSettings, MixSettings
from stages.settings.params import validate
from tests.helpers.corpora.made_up import COMMON
from tests.helpers.corpora.published_zh_en import mirror

CAPTIONS = [(f"第{k}只狗", f"Dog {k}.") for k in range(40)]
TEXTS = {
    "tvsub": {
        "train.zh": ["抱歉 怎么称呼", "谢谢", "我的天", "我的天", "好"],
        "train.en": ["Sorry, who are you?", "“Thanks”", "Oh, my.", "Oh, my.", "dogs"],
        "dev.zh": ["好  就是它了", "是吗？"],
        "dev.tok.en": ["@-@ okay .  @-@ this is it .", "it &apos;s woo @-@ hoo &amp; so ?"],
        "test.zh": ["我们走吧"],
        "test.tok.en.ref0": ["let &apos;s go ."],
        "test.tok.en.ref1": ["dogs"],
        "test.tok.en.ref2": ["we leave ."],
    },
    "3am": {"train.zh": [zh for zh, _ in CAPTIONS], "train.en": [en for _, en in CAPTIONS]},
    "newstest": {
        "newstest2018.zh": [
            "这是一条很短的新闻。",
            "这一条新闻长得多，因为它有很多很多很多的字。",
            "新闻。",
            "“我的天”",
        ],
        "newstest2018.en": ["This is short news.", "This is long.", "News.", "“My”"],
    },
    "tsinghua": {"gold.zh": ["谢 谢"], "gold.en": ["thank you"], "gold.align": ["0-0 1?1"]},
}
MIX = {
    **{"kind": "mix", "source": "zh", "target": "en", **COMMON, "lowercase": True},
    "train": [{"corpus": "tvsub", "limit": None}, {"corpus": "3am", "limit": 10}],
    "dev": {"set": "tvsub_dev", "limit": None, "max_length": None},
    "tests": {
        "tvsub": {"set": "tvsub_test", "limit": None, "max_length": None},
        "news": {"set": "newstest2018", "limit": 2, "max_length": 8},
    },
    "gold": "tsinghua",
}


def settings(**changes: object) -> MixSettings:
    return validate(MIX | changes, CorpusSettings, "corpora.mine.corpus")


def loaded(tmp_path, **changes: object):
    publications = mirror(tmp_path, TEXTS)
    return mix.load(settings(**changes), Sources(tmp_path, tmp_path), publications)


def test_train_is_raw_text_tokenised_here_with_the_parts_in_their_order(tmp_path):
    kept, counts, parts = select_train(loaded(tmp_path), Filters(50, None, distinct=True))
    assert [pair[:2] for pair in kept[:2]] == [
        ("抱歉 怎么 称呼", "Sorry , who are you ?"),
        ("我 的 天", "Oh , my ."),
    ]
    captions = [int(pair.target.split()[1]) for pair in kept[2:]]
    assert captions == sorted(set(captions)) and len(captions) == 10 and captions != list(range(10))
    # 谢谢 is the gold set's 谢 谢, and "dogs" a second reference of the test set
    assert (parts["tvsub"]["overlap"], parts["tvsub"]["repeated"], counts["kept"]) == (2, 1, 12)
    assert kept == select_train(loaded(tmp_path), Filters(50, None, distinct=True)).kept


def test_references_are_running_text_and_all_translators_are_there(tmp_path):
    corpus = loaded(tmp_path)
    assert not corpus.tokenised
    assert corpus.dev.sentences[1][:2] == ("是 吗 ?", "it 's woo-hoo & so ?")
    assert corpus.dev.source_references == (("好  就是它了", "是吗？"),)
    assert corpus.dev.target_references == (("- okay. - this is it.", "it's woo-hoo & so?"),)
    assert corpus.tests["tvsub"].target_references == (("let's go.",), ("dogs",), ("we leave.",))


def test_the_record_says_that_quotation_marks_are_straight(tmp_path):
    filters = Filters(50, None, languages=mix.LANGUAGES, lowercase=True)
    write_corpus(loaded(tmp_path), "mine", filters, tmp_path / "corpus")
    assert read_json(tmp_path / "corpus" / FILE)[STRAIGHT] is True


def test_short_sentences_of_a_set(tmp_path):
    short = {"news": {"set": "newstest2018", "limit": None, "max_length": 8}}
    found = loaded(tmp_path, tests=short).tests["news"]
    assert found.target_references == (("This is short news.", "News.", "“My”"),)  # as published
    assert found.sentences[2][:2] == ('" 我 的 天 "', '" My "')
    two = loaded(tmp_path).tests["news"]
    assert len(two.sentences) == 2 and set(two.sentences) < set(found.sentences)
    assert two.source_references == (
        tuple(s for s in TEXTS["newstest"]["newstest2018.zh"] if s in {*two.source_references[0]}),
    )


def test_a_set_of_which_nothing_is_short_enough(tmp_path):
    with pytest.raises(InputError, match="newstest2018: no pair has at most 1 words a side; raise its max_length"):
        loaded(tmp_path, tests={"news": {"set": "newstest2018", "limit": None, "max_length": 1}})


def test_the_gold_set_keeps_its_words(tmp_path):
    gold = loaded(tmp_path).gold
    assert gold.sentences[0][:2] == ("谢 谢", "thank you") and gold.alignment_lines() == ["0-0 1?1"]
    assert loaded(tmp_path, gold=None).gold is None


def test_a_file_that_the_mirror_lacks(tmp_path):
    publications = mirror(tmp_path, TEXTS)
    (tmp_path / "tvsub-zh-en" / "test.tok.en.ref2").unlink()
    with pytest.raises(InputError, match=r"test\.tok\.en\.ref2 is missing; correct CORPUS_MIRROR"):
        mix.load(settings(), Sources(tmp_path, tmp_path), publications)


def test_references_that_are_too_few(tmp_path):
    texts = {**TEXTS, "tvsub": TEXTS["tvsub"] | {"test.tok.en.ref1": ["dogs", "more"]}}
    publications = mirror(tmp_path, texts)
    with pytest.raises(InputError, match=r"test\.zh has 1 lines but .*test\.tok\.en\.ref1 has 2"):
        mix.load(settings(), Sources(tmp_path, tmp_path), publications)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"train": []}, "train"),
        ({"train": [{"corpus": "msctd", "limit": None}]}, "train"),
        ({"train": [{"corpus": "tvsub"}]}, "limit: missing key"),
        ({"train": [{"corpus": "3am", "limit": 1}, {"corpus": "3am", "limit": 2}]}, "3am stands there twice"),
        ({"tests": {"one": MIX["dev"]}}, "tvsub_dev stands there twice"),
        ({"tests": {"one": {"set": "newstest2021", "limit": None, "max_length": None}}}, "tests.one.set"),
        ({"match_lengths_of": "gold"}, "match_lengths_of says which pairs limit draws, but limit is null"),
        ({"mismatched_pairs": {"script": True, "undecoded": True, "ratio": 0.5}}, "ratio"),
    ],
)
def test_bad_settings_are_named(change, message):
    with pytest.raises(InputError, match=r"corpora\.mine\.corpus") as error:
        settings(**change)
    assert message in str(error.value)


@pytest.mark.skipif("CORPUS_MIRROR" not in os.environ, reason="needs the mirror of the real corpora")
def test_real_texts_from_the_mirror(tmp_path):
    """Without TVsub's training text, which takes half a minute to read."""
    parts = [{"corpus": name, "limit": 50} for name in ("news_commentary", "tatoeba", "3am")]
    mismatched = {"script": True, "undecoded": True, "ratio": 4.0}
    make(
        "mine",
        settings(train=parts, mismatched_pairs=mismatched, distinct=True),
        Sources.of_environment(),
        tmp_path / "corpus",
    )
    stats = read_json(tmp_path / "corpus" / "stats.json")
    assert [(name, of["read"], of["kept"]) for name, of in stats["train_parts"].items()] == [
        *(("news_commentary", 10000, 50), ("tatoeba", 29155, 50), ("3am", 23931, 50)),
    ]
    sizes = {name: of["pairs"] for name, of in stats["sets"].items()}
    assert sizes == {"train": 150, "dev": 1086, "tvsub": 1154, "news": 2, "gold": 450}
    assert len(read_lines(tmp_path / "corpus" / "tvsub.ref2.en")) == 1154
    assert read_lines(tmp_path / "corpus" / "tvsub.ref0.en")[1] == "no problems. it's all taken care of."
