"""450 hand-aligned pairs of newswire from TsinghuaAligner's evaluation data (Liu and Sun 2015), tokenised.

No licence is stated. http://nlp.csai.tsinghua.edu.cn/~ly/systems/TsinghuaAligner/TsinghuaAligner.html has more of them,
and which split these are is not known: they are what GitHub `neulab/awesome-align` scores as Zh-En, at the commit
below. The conversion was run on its files and gives these SHA-256; the address itself could not be reached from where
this was written.
"""

import re
from functools import partial

from stages.corpora.download import Publication
from stages.corpora.parallel import single_spaced
from stages.corpora.published import column, file_of
from stages.files import links
from stages.files.errors import InputError
from stages.files.links import MarkedLink

REPOSITORY = "https://github.com/neulab/awesome-align/raw/5f150d45bbe51e167daf0a84abebaeb07c3323d1"
LIMIT = 1_000_000  # bytes
SHA256 = {
    "gold.align": "85bc39b24a506d204ed6a47dcb47ce0460f132239c12e063be51e6690f86491c",
    "gold.en": "a569f08a75d5b8f0bf9131de256de1a871951d1da0d31363f71e93ef06aecf77",
    "gold.zh": "b7e2190197a35302e7446e8eb1712fd28cb6e336c9ed1a11e0fc8df570fb0370",
}
LINK = re.compile(r"([0-9]+)([-p])([0-9]+)")


def side(number: int, lines: list[str], where: str) -> list[str]:
    """The source (0) or the target (1) of lines `source ||| target`."""
    return list(map(single_spaced, column(number, " ||| ", 2, lines, where)))


def convert_links(lines: list[str], where: str) -> list[str]:
    """Links from 0, sure `i-j` and possible `i?j`, of lines with links from 1, sure `i-j` and possible `ipj`."""
    return [links.write(map(partial(_link, f"{where}, line {k}"), line.split())) for k, line in enumerate(lines, 1)]


def _link(where: str, text: str) -> MarkedLink:
    match = LINK.fullmatch(text)
    if match is None or not (int(match[1]) and int(match[3])):
        raise InputError(f"{where}: {text!r} is not a link of words that are counted from 1")
    return MarkedLink(int(match[1]) - 1, int(match[3]) - 1, match[2] == "-")


PUBLICATION = Publication(
    "tsinghua-alignment-zh-en",
    SHA256,
    (
        file_of(
            f"{REPOSITORY}/examples/zhen.src-tgt",
            LIMIT,
            {"gold.zh": partial(side, 0), "gold.en": partial(side, 1)},
        ),
        file_of(f"{REPOSITORY}/examples/zhen.gold", LIMIT, {"gold.align": convert_links}),
    ),
)
