"""TVsub: subtitles of 2,959 television episodes, 2,150,945 pairs (Wang et al. 2018, DCU and Tencent).

For research only, CC BY-NC-ND 4.0; subtitles crawled from http://assrt.net and http://www.zimuzu.tv, whom the publisher
asks to name. Dev has one reference and the test set three, both published as tokenised lower-case text only.

The text is the raw one, so that it is tokenised as that of the other corpora is. What was tried: the conversion below,
on the files of the commit below, gives these SHA-256. What was not: the address, as no publisher could be reached
from where this was written, nor the folder names in the archive; so only the end of a path counts.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from stages.corpora.download import Archive, Publication
from stages.corpora.nist_sgml import parse
from stages.corpora.published import clean, read_members, split_lines
from stages.files.errors import InputError

URL = "https://github.com/longyuewangdcu/tvsub/archive/76a07be477ea311d7ab3becfe7b264936992b20d.tar.gz"
SHA256 = {  # train.en and train.zh: of what is in the .xz files
    "train.en.xz": "727e1aabd429da99adfcc61f95cd970b5808b5dcad6121916e687756a0f77647",
    "train.zh.xz": "09ddfec0f7df01f430ad361a7fcaecb76211c9a56036ea08fa05b4756b547424",
    "train.en": "67881a330b80a50d7e9439462e3cb9c5566540057593c10a734c8190d26ecdd4",
    "train.zh": "afe7c45b21157375ddb042426869a8328e514de74e2298250b42746fe879c955",
    "dev.zh": "5c00a5001dfc4241ca663226606902063643d6905604ed50642c7bede1a693ba",
    "test.zh": "31e59e9e8c196439105ebc92fac9af8c3a27f0bb11d8153a43d76e2e0343432d",
    "dev.tok.en": "6d20ee36ad52de821e658ccfc1a211064deadba13f72d836a9e7665d9b29720a",
    "test.tok.en.ref0": "22d3bc3a39b6fd14e18b5c25d458bf97cc540fcdba30bf381ac74c8aae44ec06",
    "test.tok.en.ref1": "af2a60668e32273c685d5ed62616de91df9b59c31f0db7342d867d77ff4d5b9b",
    "test.tok.en.ref2": "6c7c20ca7ef562ebc0b338c575c0200cde538ad99f3a555734adeb847a5c11a8",
}
UNPACKED = 2_000_000_000  # bytes of the archive, which holds processed text and trees beside the raw text
EPISODE = re.compile(r"/train/separated/([0-9]+)\.(en|zh)$")
HELD_OUT = {"dev.orignal.zh": "dev.zh", "test.orignal.zh": "test.zh"}
REFERENCES = {
    "dev_trg.sgm": ("dev.tok.en",),
    "test_trg.sgm": ("test.tok.en.ref0", "test.tok.en.ref1", "test.tok.en.ref2"),
}


def extract(archive: Path) -> dict[str, Iterable[str]]:
    """The raw texts, episodes in the order of their numbers, and the references, of the repository's .tar.gz."""
    names = (*HELD_OUT, *REFERENCES)
    members = read_members(
        archive, UNPACKED, lambda path: bool(EPISODE.search(path)) or path.rsplit("/", 1)[-1] in names
    )
    for name in names:
        if name not in members:
            raise InputError(f"{archive}: has no file {name}")
    episodes = sorted({int(name.split(".")[0]) for name in members if name not in names})

    def lines(name: str) -> list[str]:
        return split_lines(members[name], f"{archive}: {name}")

    for episode in episodes:
        counts = [len(lines(f"{episode}.{language}")) if f"{episode}.{language}" in members else 0 for language in ENDS]
        if len(set(counts)) != 1:
            raise InputError(f"{archive}: files {episode}.en and {episode}.zh are not a pair: {counts} lines")

    def train(language: str) -> Iterator[str]:
        return (clean(line) for episode in episodes for line in lines(f"{episode}.{language}"))

    texts: dict[str, Iterable[str]] = {f"train.{language}": train(language) for language in ENDS}
    texts |= {text: [clean(line) for line in lines(name)] for name, text in HELD_OUT.items()}
    for name, references in REFERENCES.items():
        systems = parse("\n".join(lines(name)), f"{archive}: {name}")
        if len(systems) != len(references):
            raise InputError(f"{archive}: {name} has {len(systems)} references where {len(references)} are published")
        for text, segments in zip(references, systems.values(), strict=True):
            texts[text] = [clean(segment) for segment in segments.values()]
    return texts


ENDS = ("en", "zh")
TEXTS = tuple(name for name in SHA256 if not name.endswith(".xz"))
PUBLICATION = Publication("tvsub-zh-en", SHA256, (Archive(URL, UNPACKED, TEXTS, extract),))
