"""The taggers of Chinese, English and German: whole sentences, strange words, numbers and dates."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from jieba import posseg

from stages.tagging import chinese, hanta
from stages.tagging.classes import CLASSES
from stages.tagging.numerals import DATE, NUMERAL
from stages.tagging.tagger import tagger
from tests.helpers.paths import ROOT


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


@pytest.mark.process
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


ENGLISH = "The UN pledged 15 million euros to Afghanistan , but many houses are still badly damaged ."
ENGLISH_CLASSES = "DT NR V CD CD NN OTHER NR OTHER OTHER DT NN V AD AD V OTHER"
GERMAN = "Zwei Männer bauen an einem zugefrorenen See in Kalifornien nicht schnell eine blaue Eisfischerhütte auf ."
GERMAN_CLASSES = "CD NN V OTHER DT JJ NN OTHER NR AD JJ DT JJ NN OTHER OTHER"


@pytest.mark.slow
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
