"""Tags of Chinese words with jieba, a tag for each word as it is given.

jieba tags while it segments; our words are segmented already, and must not be cut again. Its tags need no context: a
word has one tag in its dictionary, and what is not there is tagged by a hidden Markov model over characters. So each
word is tagged by itself: by the dictionary, else by that model, of whose paths only those count that keep the word
whole. The prefix tree that jieba cuts with, and its cache in the folder for temporary files, are never made.

Two of its tags are no good to us. It has no determiners: most are pronouns (r) there, so they are known by their words.
And it calls some measure words numbers (m: 年 月 日 元 吨), so a single character is a number only if it is one.
"""

import re
import warnings
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from stages.tagging.classes import classes
from stages.tagging.numerals import DATE, NUMERAL

with warnings.catch_warnings():  # it has invalid escapes in its patterns, and asks for pkg_resources
    warnings.simplefilter("ignore")
    from jieba import posseg

# The determiners of Xia (2000) without those that are localisers or question words more often (上 下 前 后 头 何 什么),
# and what segmenters make of them with a measure word. As a pronoun ("这 是") each counts as a determiner too.
DETERMINERS = frozenset({
    "这", "那", "此", "该", "本", "各", "每", "某", "另", "诸", "全", "这些", "那些", "某些", "有些", "有的", "任何",
    "所有", "一切", "全体", "整个", "其他", "其它", "其余", "另外", "这个", "那个", "这种", "那种", "各个", "各种",
    "每个", "另一", "另一个", "本次", "此次", "这次", "那次", "该项", "这项", "那项", "这位", "那位",
})  # fmt: skip
QUANTITIES = frozenset("两俩多几半数余")  # single characters that are numbers though Unicode gives them no value
UNTAGGED = frozenset({"g", "x", "zg"})  # the dictionary's marks of characters that it has no tag for
HAN = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]+")
IMPOSSIBLE = float("-inf")
NEVER = -1e100  # below any sum of log-probabilities, above jieba's "minus infinity"


def tag(sentences: Sequence[Sequence[str]]) -> list[list[str]]:
    """The classes of the words of each sentence."""
    return [list(map(_class, sentence)) for sentence in sentences]


@cache
def _class(word: str) -> str:
    return "DT" if word in DETERMINERS else classes([word_tag(word)], "jieba", "jieba")[0]


def word_tag(word: str) -> str:
    """jieba's tag of a word, but q for a measure word that it calls a number.

    A word that is neither in the dictionary nor all Chinese characters is tagged by its form: a number m, a date t,
    letters eng, punctuation x; one with Chinese characters in it by the last run of them, for the head stands last.
    """
    tag = posseg.dt.word_tag_tab.get(word)
    if tag == "m" and len(word) == 1 and not word.isnumeric() and word not in QUANTITIES:
        return "q"
    if tag is not None and tag not in UNTAGGED:
        return tag
    if NUMERAL.fullmatch(word):
        return "m"
    if DATE.fullmatch(word):
        return "t"
    runs = HAN.findall(word)
    if runs:
        return _whole(word) if runs == [word] else word_tag(runs[-1])
    return "eng" if any(map(str.isalpha, word)) else "x"


def _whole(word: str) -> str:
    """The tag of the hidden Markov model's best path that keeps the word whole; n if the model knows no character."""
    positions = "S" if len(word) == 1 else "B" + "M" * (len(word) - 2) + "E"
    tags = sorted({tag for _, tag in posseg.start_P} - UNTAGGED)
    scores = {tag: _score(word, [(position, tag) for position in positions]) for tag in tags}
    best = max(tags, key=scores.__getitem__)
    return best if scores[best][0] > -len(word) else "n"


def _score(word: str, path: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """(- characters never seen in their state, log-probability of the rest), -inf for a path that cannot be.

    jieba gives the unseen -3.14e100 each, which leaves no digit of the other summands; otherwise this is its score.
    """
    transitions = sum(posseg.trans_P[state].get(after, IMPOSSIBLE) for state, after in pairwise(path))
    if posseg.start_P[path[0]] + transitions < NEVER:
        return IMPOSSIBLE, IMPOSSIBLE
    emissions = [posseg.emit_P[state].get(character) for state, character in zip(path, word, strict=True)]
    seen = [emission for emission in emissions if emission is not None]
    return len(seen) - len(word), posseg.start_P[path[0]] + transitions + sum(seen)
