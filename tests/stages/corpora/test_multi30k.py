"""Multi30k: its addresses, from a mirror made up, and the real one where there is a mirror."""

import gzip
import hashlib
import os
from dataclasses import replace

import pytest

from stages.corpora import hansards, multi30k
from stages.corpora.download import Sources
from stages.corpora.filters import Filters
from stages.corpora.selection import select_train
from stages.corpus import make
from stages.files.errors import InputError
from stages.files.records import read_json
from stages.files.text import write_lines
from stages.settings.corpora import Multi30kSettings
from tests.helpers.corpora.made_up import COMMON


def test_every_published_address():
    assert [archive.url.rsplit("/", 1)[1] for archive in multi30k.PUBLICATION.archives] == [
        f"{name}.{language}.gz"
        for name in ("train", "val", "test_2016_flickr", "test_2017_flickr", "test_2017_mscoco")
        for language in ("de", "en")
    ]
    for publication in (multi30k.PUBLICATION, hansards.PUBLICATION):
        names = [name for archive in publication.archives for name in archive.names]
        assert set(names) == {name for name in publication.sha256 if not name.endswith((".gz", ".xz"))}


def test_a_file_that_unpacks_to_too_much(tmp_path):
    path = tmp_path / "train.de.gz"
    path.write_bytes(gzip.compress(b"a\n" * (1 << 24)))
    with pytest.raises(InputError, match=r"train\.de\.gz: unpacks to more than 2,500,000 bytes"):
        multi30k.archive_of("train.de").extract(path)


def test_multi30k_from_a_mirror(tmp_path):
    texts = {
        **{"train.de": ["Zwei Hunde.", "Ein Meer."], "train.en": ["Two dogs.", "A sea."]},
        **{"dev.de": ["Ein Haus!"], "dev.en": ["A house!"]},
        **{"test_2016_flickr.de": ["Ein MEER."], "test_2016_flickr.en": ["An ocean."]},
    }
    for name, lines in texts.items():
        write_lines(tmp_path / "multi30k-en-de" / name, lines)
    hashes = {name: hashlib.sha256((tmp_path / "multi30k-en-de" / name).read_bytes()).hexdigest() for name in texts}
    publication = replace(multi30k.PUBLICATION, sha256=hashes)
    settings = Multi30kSettings(
        **{"kind": "multi30k", "source": "de", "target": "en", **COMMON, "tests": ["test_2016_flickr"]}
    )
    corpus = multi30k.load(settings, Sources(tmp_path, tmp_path), publication)
    kept, counts, _ = select_train(corpus, Filters(max_length=50, limit=None))
    assert [pair[:2] for pair in kept] == [("Zwei Hunde .", "Two dogs .")] and counts["overlap"] == 1
    assert corpus.dev.sentences[0][:2] == ("Ein Haus !", "A house !")
    assert corpus.dev.target_references == (("A house!",),) and not corpus.tokenised


@pytest.mark.slow
@pytest.mark.skipif("CORPUS_MIRROR" not in os.environ, reason="needs the mirror of the real corpora")
def test_real_multi30k(tmp_path):
    settings = Multi30kSettings(
        **{"kind": "multi30k", "source": "de", "target": "en", **COMMON, "tests": ["test_2017_flickr"], "limit": 100}
    )
    make("multi30k-de-en", settings, Sources.of_environment(), tmp_path / "corpus")
    stats = read_json(tmp_path / "corpus" / "stats.json")
    # The publication's own count: 1 source and 1 target side in dev, 1 and 4 in test_2017_flickr.
    assert (stats["train_pairs"]["read"], stats["train_pairs"]["kept"], stats["sets"]["dev"]["pairs"]) == (
        29000,
        100,
        1014,
    )
    assert 4 <= stats["train_pairs"]["overlap"] <= 7
