"""Chinese words: the same on every run, and without a file of jieba's."""

import os
import subprocess
import sys

import pytest

from stages.corpora.chinese import straight
from stages.corpora.tokenise import tokeniser
from tests.helpers.paths import ROOT


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("我冒犯你了吗", "我 冒犯 你 了 吗"),
        ("上周，古装剧《美人私房菜》临时停播。", "上周 , 古装剧 《 美人 私房 菜 》 临时 停播 。"),
        ("好  就是它了", "好 就是 它 了"),
        ("“２０１８年”ＮＡＡＣＰ", '" 2018 年 " NAACP'),
        ("", ""),
        ("　", ""),
    ],
)
def test_words(line, words):
    assert tokeniser("zh")(line) == words


def test_straight_quotation_marks():
    assert straight("“It’s ‘so’” „x“ 'y'") == "\"It's 'so'\" \"x\" 'y'"


@pytest.mark.process
def test_no_file_is_written(tmp_path):
    code = "from stages.corpora.chinese import words; print(words('我冒犯你了吗'))"
    environment = os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout == "我 冒犯 你 了 吗\n" and run.stderr == "" and not list(tmp_path.iterdir())
