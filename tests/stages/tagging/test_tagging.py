"""Parts of speech: every tag has a class, every word gets one, and the stage writes and reads them line for line."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from HanTa.HanoverTagger import HanoverTagger
from jieba import posseg

from stages import tag as stage
from stages.corpora.download import Sources
from stages.corpus import make
from stages.files.errors import InputError
from stages.files.records import write_json
from stages.files.text import read_lines, write_lines
from stages.settings.corpora import DemoSettings
from stages.tagging import chinese, hanta, word_classes
from stages.tagging.classes import CLASS_OF, CLASSES, classes
from stages.tagging.corpus_classes import TAGSETS
from stages.tagging.numerals import DATE, NUMERAL
from stages.tagging.tagger import read_about, read_classes, read_tagger, tagger
from stages.text.symbols import UNKNOWN
from tests.helpers.paths import ROOT

DEMO = DemoSettings(
    kind="demo", source="zh", target="en", limit=None, max_length=50, lowercase=False,
    train=300, dev=40, test=10, gold=10, seed=17,
)  # fmt: skip


# The table

DOCUMENTED = {
    # Xia (2000), table of contents of section 2
    "CTB": "VA VC VE VV NR NT NN LC PN DT CD OD M AD P CC CS DEC DEG DER DEV AS SP ETC MSP IJ ON LB SB BA JJ FW PU",
    # Santorini (1990), table 2, and the treebank's punctuation
    "PTB": "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO UH VB VBD VBG VBN "
    "VBP VBZ WDT WP WP$ WRB # $ . , : ( ) \" ' ` '' `` -LRB- -RRB-",
    # https://ucrel.lancs.ac.uk/claws5tags.html; NULL is not for words
    "C5": "AJ0 AJC AJS AT0 AV0 AVP AVQ CJC CJS CJT CRD DPS DT0 DTQ EX0 ITJ NN0 NN1 NN2 NP0 ORD PNI PNP PNQ PNX POS PRF "
    "PRP PUL PUN PUQ PUR TO0 UNC VBB VBD VBG VBI VBN VBZ VDB VDD VDG VDI VDN VDZ VHB VHD VHG VHI VHN VHZ VM0 VVB VVD "
    "VVG VVI VVN VVZ XX0 ZZ0",
}


@pytest.mark.parametrize("tagset", DOCUMENTED)
def test_every_documented_tag_has_a_class(tagset: str) -> None:
    assert set(DOCUMENTED[tagset].split()) <= set(CLASS_OF[tagset])


@pytest.mark.parametrize(("model", "tagset"), hanta.MODELS.values())
def test_every_tag_of_hanta_has_a_class(model: str, tagset: str) -> None:
    hanover = HanoverTagger(f"morphmodel_{model}.pgz")
    assert {hanover.int2tag[number] for number in hanover.LP_wtag} <= set(CLASS_OF[tagset])


def test_every_tag_of_jieba_has_a_class() -> None:
    tags = set(posseg.dt.word_tag_tab.values()) | {tag for _, tag in posseg.start_P}
    assert tags - chinese.UNTAGGED <= set(CLASS_OF["jieba"])


@pytest.mark.parametrize("tagset", CLASS_OF)
def test_the_table_has_no_other_class(tagset: str) -> None:
    assert set(CLASS_OF[tagset].values()) <= set(CLASSES)


@pytest.mark.parametrize(
    ("tagset", "tags", "expected"),
    [
        ("CTB", "NN NR NT DT CD VV VC VE VA JJ AD M OD PU", "NN NR NT DT CD V V V V JJ AD OTHER OTHER OTHER"),
        ("PTB", "NNS NNP DT CD VBZ MD JJR RB PRP$ WDT .", "NN NR DT CD V V JJ AD OTHER OTHER OTHER"),
        ("jieba", "vn ns t rz m v a d uj x", "NN NR NT DT CD V JJ AD OTHER OTHER"),
        ("C5", "NN2 NP0 AT0 CRD VM0 ORD XX0 DPS", "NN NR DT CD V JJ AD OTHER"),
        ("STTS", "NN NE ART CARD VV(IZU) ADJ(D) PTKNEG PPOSAT", "NN NR DT CD V JJ AD OTHER"),
    ],
)
def test_classes(tagset: str, tags: str, expected: str) -> None:
    assert classes(tags.split(), tagset, "here") == expected.split()


def test_unknown_tag() -> None:
    with pytest.raises(InputError, match=r"dev\.pos\.zh, line 3: 'NNP' is no tag of CTB; it has: NN "):
        classes(["NN", "NNP"], "CTB", "dev.pos.zh, line 3")


# Chinese


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("科学家 一直 猜想 土卫六 上 存在 着 石油 。", "NN AD V NR OTHER V OTHER NN OTHER"),
        ("布什 总统 昨天 访问 了 这 两 个 国家", "NR NN NT V OTHER DT CD OTHER NN"),
        ("各 国 的 重要 代表 不 应该 离开 中国", "DT NN OTHER JJ NN AD V V NR"),
        ("他们 每 年 购买 25 吨 粮食", "OTHER DT OTHER V CD OTHER NN"),  # jieba calls 年 and 吨 numbers
        ("很 多 村", "AD CD NN"),  # its dictionary marks 很 and 村 as zg, which is no part of speech
        ("2003年 5月 22日", "NT NT NT"),
        ("百分之二十七点二 三千 27.2% 1,500 两 〇 廿", "CD CD CD CD CD CD CD"),
        ("库萨姆 波基莱恩 阿什拉夫·哈尼 《人民日报》 WTO A股", "NR NR NR NR NR NN"),  # cut by jieba
        ("( , …… 👍 -", "OTHER OTHER OTHER OTHER OTHER"),
        ("中国2队", "NN"),  # by its last characters, as a team
        ("𠮷 㐀㐁 丐 乩", "NN NN NN NN"),  # characters that its model has never seen, or not as a part of speech
        ("", ""),
    ],
)
def test_chinese(sentence: str, expected: str) -> None:
    assert chinese.tag([sentence.split()]) == [expected.split()]


@pytest.mark.parametrize("word", ["索扎穆", "卡苏", "布基夫", "吴伟丽", "波莱塔", "吴林文", "米利卢夫"])
def test_jieba_s_best_path_is_ours_where_it_keeps_the_word_whole(word: str) -> None:
    tables = (posseg.char_state_tab_P, posseg.start_P, posseg.trans_P, posseg.emit_P)
    _, path = posseg.viterbi(word, *tables)
    assert "".join(position for position, _ in path) == f"B{'M' * (len(word) - 2)}E"
    assert chinese.word_tag(word) == path[0][1]


def test_jieba_leaves_no_trace(tmp_path: Path) -> None:
    """No line in the log, no warning although its code is compiled anew, no file in the folder for temporary files."""
    code = "from stages.tagging import chinese; print(chinese.tag([['索扎穆', '3日', '说', 'WTO']]))"
    temporary, compiled = tmp_path / "temporary", tmp_path / "compiled"
    temporary.mkdir()
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code],
        env=os.environ | {"TMPDIR": str(temporary), "PYTHONPYCACHEPREFIX": str(compiled)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("[['NR', 'NT', 'V', 'NR']]\n", "")
    assert list(temporary.iterdir()) == []


# Numbers and dates by their form


@pytest.mark.parametrize(
    "word", ["7", "27.2", "1,500", "50%", "-3", "１２", "三千二百", "三分之二", "百分之六点三", "10:30"]
)
def test_numeral(word: str) -> None:
    assert NUMERAL.fullmatch(word) and not DATE.fullmatch(word)


@pytest.mark.parametrize("word", ["1998年", "三月", "22日", "8时"])
def test_date(word: str) -> None:
    assert DATE.fullmatch(word) and not NUMERAL.fullmatch(word)


@pytest.mark.parametrize("word", ["", ".", "-", "%", "年", "B-52", "4.5-magnitude", "3rd", "点", "分之"])
def test_neither(word: str) -> None:
    assert not NUMERAL.fullmatch(word) and not DATE.fullmatch(word)


# English and German

ENGLISH = "The UN pledged 15 million euros to Afghanistan , but many houses are still badly damaged ."
ENGLISH_CLASSES = "DT NR V CD CD NN OTHER NR OTHER OTHER DT NN V AD AD V OTHER"
GERMAN = "Zwei Männer bauen an einem zugefrorenen See in Kalifornien nicht schnell eine blaue Eisfischerhütte auf ."
GERMAN_CLASSES = "CD NN V OTHER DT JJ NN OTHER NR AD JJ DT JJ NN OTHER OTHER"


@pytest.mark.parametrize(
    ("language", "sentence", "expected"),
    [
        ("en", ENGLISH, ENGLISH_CLASSES),
        ("en", ENGLISH.lower(), ENGLISH_CLASSES),
        ("en", "a man 's dog might not bark", "DT NN OTHER NN V AD V"),
        ("de", GERMAN, GERMAN_CLASSES),
        ("de", GERMAN.lower(), GERMAN_CLASSES),
        ("de", "diese junge leute tragen viele bunte hüte", "DT JJ NN V DT JJ NN"),
        ("de", "", ""),
    ],
)
def test_hanta(language: str, sentence: str, expected: str) -> None:
    assert hanta.load(language)([sentence.split()]) == [expected.split()]


def test_lower_case_is_of_the_whole_text() -> None:
    """A German noun in lower case stays a noun where no word has a capital; elsewhere its case speaks against it."""
    sentence = ["zwei", "essen", "neben", "einem", "weiß"]
    tag = hanta.load("de")
    assert tag([sentence]) == tag([sentence, ["und"]])[:1] != tag([sentence, ["Und"]])[:1]


STRANGE = "中华人民共和国国务院总理 abc中文123 ' '' `` <unk> 3.5亿 don't Müller-Lüdenscheidt x²+y² ％ — \u00ad 1a"


@pytest.mark.parametrize("language", ["zh", "en", "de"])
def test_a_class_a_word(language: str) -> None:
    """Whatever a system puts out: each word has one class, and none is cut or lost."""
    strange = STRANGE.split()
    tag = tagger(language)
    assert tag is not None
    found = tag([strange, [], strange[::-1], ["ab" * 100]])
    assert [len(names) for names in found] == [len(strange), 0, len(strange), 1]
    assert {name for names in found for name in names} <= set(CLASSES)


# Learned from tagged text

TAGGED = [
    (["The", "plan", "costs", "Bovo", "five", "tons"], ["DT", "NN", "V", "NR", "CD", "NN"]),
    (["the", "plan"], ["DT", "NN"]),
    (["They", "plan"], ["OTHER", "V"]),
    (["5月"], ["NT"]),
]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("plan", "NN"),  # more often than V
        ("Plan", "NN"),  # known in lower case
        ("Zoro", "NR"),
        ("27.2", "CD"),
        ("3日", "NT"),
        ("houses", "NN"),  # of the words without form: the DT, plan NN, costs V, five CD, tons NN
        (UNKNOWN, "NN"),
    ],
)
def test_word_classes(word: str, expected: str) -> None:
    assert word_classes.learn(TAGGED)([[word], []]) == [[expected], []]


def test_word_classes_without_plain_words() -> None:
    assert word_classes.learn([(["Bovo"], ["NR"])])([["houses"]]) == [["NN"]]


def test_accuracy() -> None:
    learned = word_classes.learn(TAGGED)
    dev = [(["They", "plan", "houses"], ["OTHER", "V", "NN"]), (["Zoro"], ["NN"])]
    assert learned.accuracy(dev) == word_classes.Accuracy(words=4, known=50, correct=50, correct_unknown=50)
    assert learned.accuracy([(["plan"], ["NN"])]) == word_classes.Accuracy(1, 100, 100, None)


def test_words_written_and_read(tmp_path: Path) -> None:
    learned = word_classes.learn(TAGGED)
    word_classes.write(tmp_path / "words", learned)
    assert word_classes.read(tmp_path / "words").table == learned.table


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["<unk>\tNN", "house\tNNS"], "line 2: not a word and a class"),
        (["<unk>\tNN", "house NN"], "line 2: not a word and a class"),
        (["house\tNN"], "has no line for <unk>"),
    ],
)
def test_bad_words(tmp_path: Path, lines: list[str], message: str) -> None:
    write_lines(tmp_path / "words", lines)
    with pytest.raises(InputError, match=message):
        word_classes.read(tmp_path / "words")


# The stage


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    make("demo", DEMO, Sources.of_environment(), folder / "corpus")
    stage.main(["--corpus", "demo", "--text", str(folder / "corpus"), "--out", str(folder / "tags")])
    return folder


def test_the_corpus_s_own_tags_are_kept(demo: Path) -> None:
    for language, tagset in TAGSETS.items():
        for name in ("dev", "test", "gold"):
            own = [classes(line.split(), tagset, name) for line in read_lines(demo / f"corpus/{name}.pos.{language}")]
            assert read_classes(demo / "tags", name, language) == own


@pytest.mark.parametrize("language", ["zh", "en"])
def test_new_text_of_a_tagged_corpus(demo: Path, language: str) -> None:
    found, tag = read_about(demo / "tags", language), read_tagger(demo / "tags", language)
    assert tag is not None and found.accuracy is not None and found.why is None
    assert found.tags_of_new_text == word_classes.RULE
    text = [line.split(" ") for line in read_lines(demo / f"corpus/dev.{language}")]
    own = read_classes(demo / "tags", "dev", language)
    pairs = [pair for ours, theirs in zip(tag(text), own, strict=True) for pair in zip(ours, theirs, strict=True)]
    assert found.accuracy["words"] == len(pairs)
    assert found.accuracy["correct"] == pytest.approx(100 * sum(a == b for a, b in pairs) / len(pairs), abs=0.01)
    assert 90 < found.accuracy["correct"] < 100


def corpus(folder: Path, source: str, target: str, lines: dict[str, str]) -> Path:
    """A corpus of one sentence a set; `lines`: file name -> its line."""
    folder.mkdir()
    write_json(folder / "stats.json", {"source": source, "target": target, "tests": ["late"], "gold": False})
    for name, line in lines.items():
        write_lines(folder / name, [line])
    return folder


UNTAGGED = {
    "train.fr": "il dort", "dev.fr": "il dort", "late.fr": "la nuit",
    "train.de": "er schläft", "dev.de": "er schläft", "late.de": "die lange Nacht",
}  # fmt: skip
WITH_TAGS = {
    f"{name}{kind}": line
    for name in ("train", "dev", "late")
    for kind, line in ((".zh", "他 睡觉"), (".pos.zh", "PN VV"), (".fr", "il dort"))
}


def test_a_language_with_a_tagger_and_one_without(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stage.tag(corpus(tmp_path / "corpus", "fr", "de", UNTAGGED), tmp_path / "tags")
    assert sorted(path.name for path in (tmp_path / "tags").iterdir()) == ["about.json", "dev.de", "late.de"]
    assert read_classes(tmp_path / "tags", "late", "de") == [["DT", "JJ", "NN"]]
    assert read_tagger(tmp_path / "tags", "de")([["ein", "Haus"]]) == [["DT", "NN"]]
    assert read_classes(tmp_path / "tags", "late", "fr") is read_tagger(tmp_path / "tags", "fr") is None
    why = "no tagger knows the language 'fr' (those known: de, en, zh), and the corpus has no tags for it"
    assert read_about(tmp_path / "tags", "fr")._asdict() == {
        "tagger": None, "why": why, "tags_of_new_text": None, "words": None, "accuracy": None
    }  # fmt: skip
    assert f"fr: {why}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"late.pos.zh": None}, "has tags for train, dev but no late.pos.zh; tag all sets or none"),
        ({"late.pos.zh": "PN VV PU"}, "late.pos.zh, line 1: 3 tags for 2 words"),
        ({"dev.pos.zh": "PN VBZ"}, "dev.pos.zh, line 1: 'VBZ' is no tag of CTB"),
        ({"train.pos.zh": "PN VV\nPN VV"}, "train.zh has 1 lines but .*train.pos.zh has 2"),
        ({f"{name}.pos.fr": "P V" for name in ("train", "dev", "late")}, "has tags for fr, of an unknown tagset"),
        ({"stats.json": "{}"}, "stats.json lacks source, target, tests, gold"),
        ({"dev.zh": None}, "dev.zh: no such file"),
    ],
)
def test_what_does_not_fit(tmp_path: Path, change: dict[str, str | None], message: str) -> None:
    text = corpus(tmp_path / "corpus", "zh", "fr", WITH_TAGS)
    for name, content in change.items():
        (text / name).unlink(missing_ok=True)
        if content is not None:
            write_lines(text / name, [content])
    with pytest.raises(InputError, match=message):
        stage.tag(text, tmp_path / "tags")
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


@pytest.mark.parametrize(
    ("content", "message"),
    [({"en": {}}, "about.json lacks zh"), ({"zh": {"tagger": "x"}}, "zh lacks tagger, why, tags_of_new_text, words")],
)
def test_damaged_about(tmp_path: Path, content: dict[str, object], message: str) -> None:
    (tmp_path / "about.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match=message):
        read_tagger(tmp_path, "zh")
