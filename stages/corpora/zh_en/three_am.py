"""3AM: 25,931 English image captions chosen for ambiguous words, with Chinese translations (Ma et al. 2024).

Licence: MIT. `val` is `dev` here. The conversion was run on the files of the commit below and gives these SHA-256; the
address itself could not be reached from where this was written. 95 of its 1,000 test pairs stand in its training text,
which the filter of overlap removes there.
"""

from stages.corpora.download import Archive, Publication
from stages.corpora.published import cleaned, file_of

RAW = "https://github.com/MaxyLee/3AM/raw/ce8099724d9ecc8e5c77e44f43d9b7924118f037/data"
LIMIT = 5_000_000  # bytes
PUBLISHED_NAME = {"train": "train", "dev": "val", "test": "test"}
SHA256 = {  # train.en and train.zh: of what is in the .gz files
    "train.en.gz": "0caf609328ff289f11014e7ff3986791a3e05cdf027276846cd8f175cb09abbe",
    "train.zh.gz": "dd8db8186d8108e737b8ca3c8a3f85b9f43e78d410640a72964526c0db3738f0",
    "train.en": "3b839b554de9aa369a199d1f1e42779a3c9c3491a9396c5b5b1a0bbd815db175",
    "train.zh": "ef6664af8f0fdfef14ca55ba832b20a73fdcb2576c2de41913f2c53c2f15708d",
    "dev.en": "7143a3ba2e84454b72df30e7248cac15168273c0735d0483360e6b2699e9fabd",
    "dev.zh": "4bb831d994db78b14a2a652cfc6baad264d9d16ccdc4b5650092f94e3bc6af7d",
    "test.en": "a9706d20793389013cbec6e9a4ee9e7b19472fea7bb48589653daae21e07ae3a",
    "test.zh": "989e2c342f4462bbeae71430ad5d7cc557fdcc3e517fdfb3e20a6d2b35d42a53",
}


def archive_of(name: str) -> Archive:
    """The published file that holds the text `name` (`<set>.<language>`)."""
    part, language = name.split(".")
    return file_of(f"{RAW}/{PUBLISHED_NAME[part]}.{language}", LIMIT, {name: cleaned})


TEXTS = tuple(name for name in SHA256 if not name.endswith(".gz"))
PUBLICATION = Publication("3am-zh-en", SHA256, tuple(map(archive_of, TEXTS)))
