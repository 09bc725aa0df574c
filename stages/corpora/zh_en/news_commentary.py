"""The first 10,000 pairs of News Commentary (WMT), Chinese-English: articles of Project Syndicate.

Recognised by their content: GitHub `Exchen0/Chinese-English-NMT`, the data set of a course, names neither corpus nor
version nor licence. The corpus as a whole: https://opus.nlpl.eu/News-Commentary/corpus/version/News-Commentary. The
conversion was run on the file of the commit below and gives these SHA-256; the address itself could not be reached
from where this was written. The dev and test sets beside it are parts of newstest2018, so they are not offered here.
"""

import json
from functools import partial

from stages.corpora.download import Publication
from stages.corpora.published import clean, file_of
from stages.files.errors import InputError

REPOSITORY = "https://github.com/Exchen0/Chinese-English-NMT/raw/53403dabdf09a7748d8a5ae50921fd14d84bc113"
LIMIT = 10_000_000  # bytes
SHA256 = {  # train.en and train.zh: of what is in the .gz files
    "train.en.gz": "a5cef5c8ba77fc40a3681b11f974e83781c824db37ce2e5ccf4ea5b530303986",
    "train.zh.gz": "602d3e705bceabb7619cfde08f7381d041852e087edd6fe79ccba86d05e0a6f8",
    "train.en": "53c67c202f3396d60d3bcea1af106ccd229e83b0fed65ff54e47d1eee7d17a9d",
    "train.zh": "0cd56acd348196be8c8bb45b6bdf6bded601073e983852a0ea33236517f6003b",
}


def field(name: str, lines: list[str], where: str) -> list[str]:
    """One field of lines that are JSON objects."""
    found = []
    for k, line in enumerate(lines, 1):
        try:
            found.append(clean(json.loads(line)[name]))
        except (ValueError, LookupError, TypeError) as error:
            raise InputError(f"{where}, line {k}: no JSON object with text under {name!r}") from error
    return found


TEXTS = {f"train.{language}": partial(field, language) for language in ("en", "zh")}
PUBLICATION = Publication(
    "news-commentary-10k-zh-en", SHA256, (file_of(f"{REPOSITORY}/data/train_10k.jsonl", LIMIT, TEXTS),)
)
