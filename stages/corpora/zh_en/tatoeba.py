"""Tatoeba: 29,155 sentences for learners, Mandarin-English, as manythings.org/anki exports them.

CC BY 2.0 France: the third column names the authors of each pair, and is kept beside the text. manythings.org replaces
its export from time to time; this one is that of GitHub `DaoChaShao/py-st-dl-translater-2.0` at the commit below: the
conversion was run on it and gives these SHA-256; the address itself could not be reached from where this was written.
"""

from functools import partial

from stages.corpora.download import Publication
from stages.corpora.published import column, file_of

REPOSITORY = "https://github.com/DaoChaShao/py-st-dl-translater-2.0/raw/620408eda1721f683e2413778ad19e4f94691053"
LIMIT = 10_000_000  # bytes
SHA256 = {  # without suffix: of what is in the .gz files
    "train.en.gz": "ee7f4cc566b49a06c945ff3d39c762153c90767c46ce2c3f7d59bffd10cec251",
    "train.zh.gz": "7715fc9a9a4cad133b2ee4ad67af8646ea8493d1f9fac0eeb7b8ff5d64917b31",
    "train.attribution.gz": "a0e20273acfb3be9096f8dda8fb23281868358ae0f71ef13fc5e910f9f1b79a3",
    "train.en": "72d18ce2c294c81079155a9b12392d21b2f8dfc726f6fcf31e683f6453ffef87",
    "train.zh": "b3dbbfd76b0d3d3551ea47afa2b6cd518a34845b981796bfef6bc97c3819dc28",
    "train.attribution": "0ac6db63885ebd4ee66031dffcdbd51ee502e4b70217d32016bdf37a0e8965a7",
}
COLUMNS = ("train.en", "train.zh", "train.attribution")
TEXTS = {name: partial(column, number, "\t", len(COLUMNS)) for number, name in enumerate(COLUMNS)}
PUBLICATION = Publication("tatoeba-zh-en", SHA256, (file_of(f"{REPOSITORY}/data/cmn.txt", LIMIT, TEXTS),))
