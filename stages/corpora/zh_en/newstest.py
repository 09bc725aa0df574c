"""Test sets of the news translation tasks of WMT 2017 to 2020, Chinese-English, one reference each.

The publisher, http://www.statmt.org/wmt21/translation-task.html, states no licence. The files are those of GitHub
`Helsinki-NLP/OPUS-MT-testsets` at the commit below: the conversion was run on them and gives these SHA-256; the
address itself could not be reached from where this was written.
"""

from stages.corpora.download import Archive, Publication
from stages.corpora.published import cleaned, file_of

REPOSITORY = "https://github.com/Helsinki-NLP/OPUS-MT-testsets/raw/ac0f19c0be3cb4e0d9450fcb2d7a9847c4bdd180"
LIMIT = 2_000_000  # bytes
SHA256 = {
    "newstest2017.en": "58c844d4e3c0baf7dd9b470868aa0f88ba3951a74be2fe98f7e11e19df622351",
    "newstest2017.zh": "cdb2e71249ad0f39796d13e16723f6d2c4f71c6f3724806e1f46e7810f7355c0",
    "newstest2018.en": "70fbc6b34f64aff7ece36343d05596d52733ac64339d4b04a6ce24382520b275",
    "newstest2018.zh": "e0eec6040f78169cc9ec9d4a2fa88fbb295be987a0bcb2370bf3f3068c80d5fd",
    "newstest2019.en": "8c8ffef4353bf24a685208e8f3d2aa1597ea3b66e6e614d84c850a87303d3900",
    "newstest2019.zh": "394db8239f1bd88d979293c8ce36573a2aaf6b21d5aa25771020f2c865590ffe",
    "newstest2020.en": "622f9c4777743ac05bb8da8123134ec07d590486307e8b4affa22525cbb0ba17",
    "newstest2020.zh": "1685b0bf076ca8f012b0729ac9b74ec626d6e4941dbc598da9ea1797d5e56ec8",
}


def archive_of(name: str) -> Archive:
    """The published file that holds the text `name` (`newstest<year>.<language>`)."""
    year = name[len("newstest") : len("newstest") + 4]
    return file_of(f"{REPOSITORY}/datasets/statmt/wmt_newstest/{year}/zh-en/{name}", LIMIT, {name: cleaned})


PUBLICATION = Publication("wmt-newstest-zh-en", SHA256, tuple(map(archive_of, SHA256)))
