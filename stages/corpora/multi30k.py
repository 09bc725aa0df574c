"""Multi30k task 1, English-German image captions (Elliott et al. 2016, 2017), raw text.

Non-commercial research and education only (the publisher's README). Text: GitHub `multi30k/dataset` at the commit
below, `data/task1/raw/`; `val` is `dev` here; decompressed, control characters made blanks, white space at line ends
stripped. The conversion was run on the ten files of that commit and gives the SHA-256 below; the address itself could
not be reached from where this was written, so the download was tried against a local server only.
"""

from stages.corpora.download import Archive, Publication, Sources, provide
from stages.corpora.local import TextPairs, Words
from stages.corpora.parallel import ParallelSet
from stages.corpora.published import cleaned, file_of
from stages.corpora.raw_corpus import Corpus, whole
from stages.files.text import check_counts, read_lines
from stages.settings.corpora import Multi30kSettings

RAW = "https://github.com/multi30k/dataset/raw/a3d2e0d26b56f3846f66a952536ffed4e401d05a/data/task1/raw"
LIMIT = 2_500_000  # bytes of a file, compressed or not
PUBLISHED_NAME = {
    "train": "train",
    "dev": "val",
    "test_2016_flickr": "test_2016_flickr",
    "test_2017_flickr": "test_2017_flickr",
    "test_2017_mscoco": "test_2017_mscoco",
}
SHA256 = {  # train.de and train.en: of what is in the .gz files
    "train.de.gz": "09473b4e750fba39c0a3192282b35dd676b309d9fa7c26e038428a397cf00b0e",
    "train.en.gz": "ffdb848427a3fccff4f5c9c848dff8b8b5745e8f464f44341b6c5c5288f265db",
    "train.de": "128675a4ceba176e2180e4f71ba3095b0b896475204506bc8b21ab4189a9f033",
    "train.en": "460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6",
    "dev.de": "660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660",
    "dev.en": "1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227",
    "test_2016_flickr.de": "4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16",
    "test_2016_flickr.en": "399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182",
    "test_2017_flickr.de": "c3078bc3b36808bf9d20eb2347ed6137016179ef59ec0d2b9b8ecc3fb2880081",
    "test_2017_flickr.en": "ce1450ddc5ab0834502579d77a170849952e15a2938b34cc503bdc25ebb4fb98",
    "test_2017_mscoco.de": "6fa27772f7927065df845bac373d0d743fe91930f83f541ff320b7e6398d394c",
    "test_2017_mscoco.en": "43051fdfa86fd5395182e718a94ca67b1b227b9f7c79596ff0f6b813216981d2",
}


def archive_of(name: str) -> Archive:
    """The published file that holds the text `name` (`<set>.<language>`)."""
    part, language = name.split(".")
    return file_of(f"{RAW}/{PUBLISHED_NAME[part]}.{language}.gz", LIMIT, {name: cleaned})


TEXTS = tuple(name for name in SHA256 if not name.endswith(".gz"))
PUBLICATION = Publication("multi30k-en-de", SHA256, tuple(map(archive_of, TEXTS)))


def load(settings: Multi30kSettings, sources: Sources, publication: Publication = PUBLICATION) -> Corpus:
    """Multi30k as a corpus: Moses-tokenised text, the raw lines as references; errors as `provide`."""
    languages = (settings.source, settings.target)
    sets = ("train", "dev", *settings.tests)
    files = provide(publication, [f"{part}.{language}" for part in sets for language in languages], sources)
    words = Words(*languages, tokenised=False)

    def held_out(part: str) -> ParallelSet:
        paths = [files[f"{part}.{language}"] for language in languages]
        source, target = map(read_lines, paths)
        check_counts((paths[0], len(source)), (paths[1], len(target)))
        sentences = tuple(words(*pair) for pair in zip(source, target, strict=True))
        return ParallelSet(sentences, (source,), (target,))

    return Corpus(
        train=whole(TextPairs(files[f"train.{settings.source}"], files[f"train.{settings.target}"], words)),
        dev=held_out("dev"),
        tests={part: held_out(part) for part in settings.tests},
        gold=None,
        tokenised=False,
        held_out=0,
    )
