"""Corpora: filters, the corpus folder, gold links, local files, public corpora and every bad input."""

import gzip
import hashlib
import io
import os
import subprocess
import sys
import tarfile
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import yaml

from stages.corpora import hansards, multi30k
from stages.corpora.download import Archive, Publication, Sources, fetch, provide
from stages.corpora.filters import Filters, draw, key, select_train
from stages.corpora.gold_set import GoldSet, parse_links
from stages.corpora.parallel import Sentence, own_references, single_spaced
from stages.corpora.raw_corpus import Corpus
from stages.corpora.tokenise import tokeniser
from stages.corpus import make
from stages.files import text as textio
from stages.files.errors import InputError, OutputError
from stages.files.links import MarkedLink
from stages.files.records import read_json
from stages.files.text import read_lines, write_lines
from stages.settings.corpora import CorpusSettings, DemoSettings, HansardsSettings, LocalSettings, Multi30kSettings
from stages.settings.params import validate
from tests.helpers.paths import ROOT

COMMON = {"limit": None, "max_length": 50, "lowercase": False}


def corpus_of(train: list[tuple[str, str]], dev: list[tuple[str, str]], gold: GoldSet | None = None) -> Corpus:
    held = own_references(Sentence(*pair) for pair in dev)
    return Corpus([Sentence(*pair) for pair in train], held, {"test": held}, gold, tokenised=True, held_out=0)


# Filters


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Der Hund .", "der hund.", True),
        ("ﬁve ５", "FIVE 5", True),  # ligature and full-width digit
        ("a\u00a0b", "ab", True),
        ("a\u3000b", "a b", True),
        ("Ünder", "U\u0308nder", True),
        ("under", "ünder", False),
    ],
)
def test_key(one, other, same):
    assert (key(one) == key(other)) is same


@pytest.mark.parametrize("line", ["a b", "a  b", " a b ", "a\tb", "a\u00a0b", "a\u3000b", "a b\u2003"])
def test_single_spaced(line):
    assert single_spaced(line) == "a b"


def test_train_is_cleared_of_long_and_overlapping_pairs():
    train = [
        ("a b c", "x"),  # too long
        ("kept", "one"),
        ("Dev A", "other"),  # source side in dev
        ("other", "deva."),  # target side in dev
        ("gold G", "other"),  # source side in gold
        ("cut@@ word", "y"),
        ("kept", "one"),
    ]
    gold = GoldSet((Sentence("GOLD g", "z"),), (frozenset(),))
    kept, counts = select_train(corpus_of(train, [("dev a", "Dev a .")], gold), Filters(max_length=2, limit=None))
    assert [pair[:2] for pair in kept] == [("kept", "one")] * 2
    assert counts == {
        **{"read": 7, "held_out": 0, "too_long": 1, "separator": 1, "overlap": 3, "over_limit": 0, "kept": 2}
    }


def test_references_of_a_held_out_set_count_as_overlap():
    corpus = corpus_of([("a", "second reference"), ("b", "y")], [("dev", "first")])
    dev = replace(corpus.dev, target_references=(("first",), ("Second reference",)))
    kept, counts = select_train(replace(corpus, dev=dev), Filters(max_length=9, limit=None))
    assert ([pair.source for pair in kept], counts["overlap"]) == (["b"], 1)


def test_limit_draws_the_same_ordered_nested_sample_from_everywhere():
    pairs = [Sentence(f"s{k:04}", f"t{k:04}") for k in range(1000)]
    small, again, large = (draw(pairs, count, "limit") for count in (100, 100, 300))
    assert small == again == sorted(small) and len(small) == 100
    assert set(small) < set(large)
    assert {int(pair.source[1:]) // 100 for pair in small} == set(range(10))
    assert draw(pairs, 5000, "limit") == pairs and draw(pairs, 100, "other purpose") != small


def test_nothing_left_to_train_on():
    with pytest.raises(InputError, match=r"no training pair is left of 1 \(1 too long"):
        select_train(corpus_of([("a b", "x")], [("c", "d")]), Filters(max_length=1, limit=None))


# Gold links

PAIR = Sentence("a b c", "x y")


def test_links_are_read_and_written_sorted():
    text = "2-0 0-1 1?1 0?0"
    links = parse_links(Path("gold.align"), [text, ""], (PAIR, PAIR), Path("gold.en"))
    assert links == (
        frozenset({MarkedLink(2, 0, True), MarkedLink(0, 1, True), MarkedLink(1, 1, False), MarkedLink(0, 0, False)}),
        frozenset(),
    )
    assert GoldSet((PAIR, PAIR), links).alignment_lines() == ["0?0 0-1 1?1 2-0", ""]


def test_a_link_that_is_sure_and_possible_is_sure():
    both = frozenset({MarkedLink(0, 0, False), MarkedLink(0, 0, True)})
    assert GoldSet((PAIR,), (both,)).alignment_lines() == ["0-0"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["0-0", "0-0 3-1"],
            "gold.align, line 2: link 3-1 lies outside its sentence of 3 source and 2 target words",
        ),
        (["0-2", "0-0"], "gold.align, line 1: link 0-2 lies outside"),
        (["0-0", "1:1"], "gold.align, line 2: '1:1' is not a link"),
        (["0-0", "-1-1"], "gold.align, line 2: '-1-1' is not a link"),
        (["0-0", "1--1"], "gold.align, line 2: '1--1' is not a link"),
        (["0-0"], "gold.align has 1 lines but gold.en has 2"),
    ],
)
def test_bad_links(lines, message):
    with pytest.raises(InputError) as error:
        parse_links(Path("gold.align"), lines, (PAIR, PAIR), Path("gold.en"))
    assert str(error.value).startswith(message)


# Local files

LOCAL = {
    "train.de": ["der Hund bellt .", "die Katze .", "Ein Baum !", "zu lang " * 30],
    "train.en": ["the dog barks .", "the cat .", "a tree !", "too long"],
    "dev.de": ["ein  Haus ,", "das Meer"],
    "dev.en": ["A house ,", "the sea"],
    "dev.second.en": ["one house ,", "the ocean"],
    "test.de": ["EIN BAUM!"],
    "test.en": ["one tree"],
    "gold.de": ["der Hund"],
    "gold.en": ["The dog"],
    "gold.align": ["0-0 1?1"],
}


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, lines in LOCAL.items():
        write_lines(folder / name, lines)
    return folder


def local(folder: Path, **changes: object) -> LocalSettings:
    content = {
        **{"kind": "local", "source": "de", "target": "en", "tokenised": True, **COMMON},
        "train": (folder / "train.de", folder / "train.en"),
        "dev": {"source": folder / "dev.de", "target": [folder / "dev.en", folder / "dev.second.en"]},
        "tests": {"test": {"source": folder / "test.de", "target": folder / "test.en"}},
        "gold": {part: folder / f"gold.{suffix}" for part, suffix in zip(GOLD, ("de", "en", "align"), strict=True)},
    }
    return LocalSettings(**(content | changes))


GOLD = ("source", "target", "align")
NOWHERE = Sources(None, Path("unused"))


def test_local_corpus_folder(tmp_path, files):
    out = tmp_path / "work" / "corpus"
    make("mine", local(files, lowercase=True), NOWHERE, out)
    content = {path.name: list(read_lines(path)) for path in out.iterdir() if path.suffix != ".json"}
    assert content == {
        **{"train.de": ["der hund bellt .", "die katze ."], "train.en": ["the dog barks .", "the cat ."]},
        **{"dev.de": ["ein haus ,", "das meer"], "dev.en": ["a house ,", "the sea"]},
        **{"dev.ref0.de": ["ein  Haus ,", "das Meer"], "dev.ref0.en": LOCAL["dev.en"]},
        **{"dev.ref1.en": LOCAL["dev.second.en"]},
        **{"test.de": ["ein baum!"], "test.en": ["one tree"]},
        **{"test.ref0.de": LOCAL["test.de"], "test.ref0.en": LOCAL["test.en"]},
        **{"gold.de": ["der hund"], "gold.en": ["the dog"], "gold.align": ["0-0 1?1"]},
    }
    stats = read_json(out / "stats.json")
    assert {name: stats[name] for name in ("corpus", "source", "target", "tests", "gold", "tokenised")} == {
        **{"corpus": "mine", "source": "de", "target": "en", "tests": ["test"], "gold": True, "tokenised": True}
    }
    assert stats["train_pairs"]["too_long"] == stats["train_pairs"]["overlap"] == 1
    assert stats["sets"]["train"] == {
        **{"pairs": 2, "tokens": {"de": 7, "en": 7}, "mean_length": {"de": 3.5, "en": 3.5}},
        "max_length": {"de": 4, "en": 4},
    }


def test_local_compressed_and_without_gold(tmp_path, files):
    for name in ("train.de", "train.en"):
        (files / f"{name}.gz").write_bytes(gzip.compress((files / name).read_bytes()))
    settings = local(files, train=(files / "train.de.gz", files / "train.en.gz"), gold=None, limit=1)
    make("mine", settings, NOWHERE, tmp_path / "corpus")
    assert len(read_lines(tmp_path / "corpus" / "train.en")) == 1
    assert not list((tmp_path / "corpus").glob("gold*"))
    assert read_json(tmp_path / "corpus" / "stats.json")["train_pairs"]["over_limit"] == 1


def test_raw_text_is_tokenised_and_references_stay_raw(tmp_path, files):
    write_lines(files / "dev.en", ['A "house", don\'t & <you>!', "the sea."])
    make("mine", local(files, tokenised=False), NOWHERE, tmp_path / "corpus")
    assert read_lines(tmp_path / "corpus" / "dev.en") == ('A " house " , don \'t & < you > !', "the sea .")
    assert read_lines(tmp_path / "corpus" / "dev.ref0.en") == ('A "house", don\'t & <you>!', "the sea.")


def test_untokenised_chinese_is_refused():
    with pytest.raises(InputError, match=r"segment it first, e\.g\. with jieba"):
        tokeniser("zh")


BAD_LOCAL = [
    ("train.en", b"the dog barks .\nthe cat .\n", "train.de has 4 lines but {}/train.en has 2"),
    ("dev.second.en", b"one house ,\n", "dev.de has 2 lines but {}/dev.second.en has 1"),
    ("train.de", b"a\nb\nc\n\xff\n", "train.de, line 4: byte 1 of the line (0xff) is not UTF-8"),
    ("test.en", b"one tr\xe9e\n", "test.en, line 1: byte 7 of the line (0xe9) is not UTF-8"),
    ("train.en", b"a\n\nc\nd\n", "train.en, line 2: empty line"),
    ("dev.de", b"a\n \n", "dev.de, line 2: empty line"),
    ("gold.align", b"0-0 1-2\n", "gold.align, line 1: link 1-2 lies outside its sentence"),
    ("gold.align", b"0-0\n0-0\n", "gold.align has 2 lines but {}/gold.de has 1"),
    ("gold.align", b"0/0\n", "gold.align, line 1: '0/0' is not a link"),
    ("gold.en", b"the dog\nand\n", "gold.de has 1 lines but {}/gold.en has 2"),
    ("test.de", b"ein Ba@@ um\n", "test, line 1: a word ends in '@@'"),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD_LOCAL)
def test_bad_local_file(tmp_path, files, name, content, message):
    (files / name).write_bytes(content)
    with pytest.raises(InputError) as error:
        make("mine", local(files), NOWHERE, tmp_path / "work" / "corpus")
    assert message.format(files) in str(error.value)
    assert not list((tmp_path / "work").glob("*"))


def test_full_disk_leaves_no_corpus(tmp_path, files, monkeypatch):
    def opening(path, mode, **options):
        return open("/dev/full" if "w" in mode and path.name.endswith("dev.en.partial") else path, mode, **options)

    monkeypatch.setattr(textio, "open", opening, raising=False)
    with pytest.raises(OutputError, match="no space left"):
        make("mine", local(files), NOWHERE, tmp_path / "work" / "corpus")
    assert not list((tmp_path / "work").glob("*"))


def test_output_below_a_file(files):
    with pytest.raises(OutputError, match="choose a folder that exists and is writable"):
        make("mine", local(files), NOWHERE, files / "dev.de" / "corpus")


def test_stage_prints_one_line_and_exits_with_1(tmp_path, files):
    settings = local(files).model_dump(mode="json")
    (tmp_path / "params.yaml").write_text(yaml.safe_dump({"corpora": {"mine": {"corpus": settings}}}))
    command = [sys.executable, "-m", "stages.corpus", "--corpus", "mine", "--out", "corpus"]
    run = partial(subprocess.run, command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, text=True)
    assert run().returncode == 0 and (tmp_path / "corpus" / "train.de").exists()
    (files / "dev.en").write_bytes(b"\xff\n")
    failed = run(capture_output=True)
    assert failed.returncode == 1 and failed.stderr.startswith(f"error: {files}/dev.en, line 1: ")
    assert failed.stderr.count("\n") == 1


# Settings


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "locale"}, "corpora.mine.corpus"),
        ({"limt": 3}, "limt: unknown key"),
        ({"limit": 0}, "limit"),
        ({"target": "de"}, "source and target are both 'de'"),
        ({"source": "de-AT"}, "source"),
        ({"tests": {}}, "tests"),
        ({"tests": {"gold": {"source": "a", "target": "b"}}}, "a test set cannot be named 'gold'"),
        ({"tests": {"a.b": {"source": "a", "target": "b"}}}, "tests"),
    ],
)
def test_bad_settings_are_named(files, change, message):
    content = local(files).model_dump() | change
    with pytest.raises(InputError) as error:
        validate(content, CorpusSettings, "corpora.mine.corpus")
    assert message in str(error.value) and "corpora.mine.corpus" in str(error.value)


# Demo


def test_demo_corpus_folder(tmp_path):
    settings = DemoSettings(
        **{"kind": "demo", "source": "zh", "target": "en", **COMMON, "train": 60, "dev": 5, "test": 6, "gold": 7},
        seed=3,
    )
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        make("demo", settings, NOWHERE, folder)
    texts = [{path.name: path.read_bytes() for path in folder.iterdir()} for folder in folders]
    assert texts[0] == texts[1]
    for part, size in {"dev": 5, "test": 6, "gold": 7}.items():
        for language in ("zh", "en"):
            words, tags = (read_lines(folders[0] / f"{part}.{kind}{language}") for kind in ("", "pos."))
            assert len(words) == size
            assert [len(line.split()) for line in words] == [len(line.split()) for line in tags]
    assert read_lines(folders[0] / "test.ref0.en") == read_lines(folders[0] / "test.en")
    sentences = map(Sentence, *(read_lines(folders[0] / f"gold.{language}") for language in ("zh", "en")))
    path = folders[0] / "gold.align"
    assert all(parse_links(path, read_lines(path), tuple(sentences), path))


# Downloads

CONTENT = bytes(range(256)) * 4000  # 1,024,000 bytes


class Server(ThreadingHTTPServer):
    """Serves CONTENT; `faults` are used up one a request: a status, or how many bytes to send before hanging up."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = CONTENT
        self.ranges = True
        self.faults: list[tuple[str, int]] = []
        self.requested: list[str | None] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/data.bin"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.server.requested.append(wanted)
        kind, value = self.server.faults.pop(0) if self.server.faults else ("", 0)
        content = self.server.content
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and self.server.ranges else 0
        if kind == "status":
            self.send_error(value)
            return
        if start >= len(content):
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        self.wfile.write(content[start : start + value] if kind == "hang up" else content[start:])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server():
    with Server() as running:
        thread = Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


BLOCK = 1 << 14  # what is lost when a transfer breaks off is less than a block of the downloader
HALF = 32 * BLOCK


@pytest.mark.parametrize(
    ("faults", "ranges", "requested"),
    [
        ([], True, [None]),
        ([("hang up", HALF)], True, [None, f"bytes={HALF}-"]),
        ([("hang up", HALF), ("hang up", BLOCK)], True, [None, f"bytes={HALF}-", f"bytes={HALF + BLOCK}-"]),
        ([("hang up", HALF)], False, [None, f"bytes={HALF}-"]),  # a server that always sends everything
        ([("status", 503), ("status", 429)], True, [None, None, None]),
    ],
)
def test_download_resumes_and_retries(tmp_path, server, faults, ranges, requested):
    server.faults, server.ranges = faults, ranges
    fetch(server.url, tmp_path / "deep" / "data.bin", wait=0)
    assert (tmp_path / "deep" / "data.bin").read_bytes() == CONTENT
    assert server.requested == requested
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["data.bin"]


def test_the_next_run_resumes(tmp_path, server):
    server.faults = [("hang up", HALF), ("hang up", 0)]
    with pytest.raises(InputError, match=r"incomplete after 2 attempts .*run again, which goes on from"):
        fetch(server.url, tmp_path / "data.bin", attempts=2, wait=0)
    assert [path.name for path in tmp_path.iterdir()] == ["data.bin.part"]
    fetch(server.url, tmp_path / "data.bin", wait=0)
    assert server.requested[-1] == f"bytes={HALF}-"
    assert (tmp_path / "data.bin").read_bytes() == CONTENT


def test_part_longer_than_the_file_is_dropped(tmp_path, server):
    (tmp_path / "data.bin.part").write_bytes(CONTENT + b"more")
    fetch(server.url, tmp_path / "data.bin", wait=0)
    assert (tmp_path / "data.bin").read_bytes() == CONTENT


def test_refused_download_is_not_retried(tmp_path, server):
    server.faults = [("status", 404)]
    with pytest.raises(InputError, match="the server answered 404"):
        fetch(server.url, tmp_path / "data.bin", wait=0)
    assert server.requested == [None] and list(tmp_path.iterdir()) == []


def test_no_server(tmp_path):
    with pytest.raises(InputError, match="check the network and run again"):
        fetch("http://127.0.0.1:9/data.bin", tmp_path / "data.bin", attempts=2, wait=0)
    assert list(tmp_path.iterdir()) == []


def test_download_into_an_unwritable_folder(tmp_path, server):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="choose a folder"):
        fetch(server.url, tmp_path / "file" / "data.bin", wait=0)


LINES = ["Zwei Hunde\tlaufen  . ", "Ein Meer"]


def published(url: str, lines: list[str]) -> Publication:
    text = "".join(f"{line}\n" for line in lines)
    sha256 = {"dev.de": hashlib.sha256(text.encode()).hexdigest()}
    return Publication("folder", sha256, (Archive(url, ("dev.de",), partial(multi30k.extract, "dev.de")),))


def test_download_is_converted_once_and_verified_always(tmp_path, server):
    server.content = gzip.compress("".join(f"{line}\n" for line in LINES).encode())
    publication = published(server.url.replace(".bin", ".gz"), ["Zwei Hunde laufen  .", "Ein Meer"])
    for _ in range(2):
        files = provide(publication, ["dev.de"], Sources(None, tmp_path))
        assert files["dev.de"].read_text() == "Zwei Hunde laufen  .\nEin Meer\n"
    assert len(server.requested) == 1
    files["dev.de"].write_text("Zwei Hunde laufen  .\n")
    with pytest.raises(InputError, match=r"dev\.de: not the published text .* delete it and run again"):
        provide(publication, ["dev.de"], Sources(None, tmp_path))


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: whole[:-12],  # truncated at the publisher's: the announced size is right
        lambda whole: whole[:30] + bytes([whole[30] ^ 255]) + whole[31:],
        lambda whole: b"<html>moved</html>",
        lambda whole: gzip.compress(b"another text\n"),
    ],
)
def test_damaged_download_leaves_nothing(tmp_path, server, damage):
    server.content = damage(gzip.compress("".join(f"{line}\n" for line in LINES * 50).encode()))
    publication = published(server.url.replace(".bin", ".gz"), LINES * 50)
    with pytest.raises(InputError, match=r"data\.gz was deleted, run again to fetch it anew"):
        provide(publication, ["dev.de"], Sources(None, tmp_path))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_full_disk_while_converting_keeps_the_download(tmp_path, server, monkeypatch):
    server.content = gzip.compress(b"a\n")

    def opening(path, mode, **options):
        return open("/dev/full" if "w" in mode else path, mode, **options)

    monkeypatch.setattr(textio, "open", opening, raising=False)
    with pytest.raises(OutputError, match="no space left"):
        provide(published(server.url.replace(".bin", ".gz"), ["a"]), ["dev.de"], Sources(None, tmp_path))
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["data.gz"]


def test_mirror(tmp_path, monkeypatch):
    monkeypatch.setenv("CORPUS_MIRROR", str(tmp_path))
    sources = Sources.of_environment()
    publication = published("http://127.0.0.1:9/never.gz", ["a"])
    path = tmp_path / "folder" / "dev.de"
    with pytest.raises(InputError, match=r"dev\.de is missing; correct CORPUS_MIRROR"):
        provide(publication, ["dev.de"], sources)
    write_lines(path, ["a"])
    assert provide(publication, ["dev.de"], sources) == {"dev.de": path}
    write_lines(path, ["b"])
    with pytest.raises(InputError, match=r"dev\.de: not the published text .* unset CORPUS_MIRROR"):
        provide(publication, ["dev.de"], sources)


# Multi30k and Hansards


def test_every_published_address():
    assert [archive.url.rsplit("/", 1)[1] for archive in multi30k.PUBLICATION.archives] == [
        f"{name}.{language}.gz"
        for name in ("train", "val", "test_2016_flickr", "test_2017_flickr", "test_2017_mscoco")
        for language in ("de", "en")
    ]
    for publication in (multi30k.PUBLICATION, hansards.PUBLICATION):
        names = [name for archive in publication.archives for name in archive.names]
        assert set(names) == {name for name in publication.sha256 if not name.endswith((".gz", ".xz"))}


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
    kept, counts = select_train(corpus, Filters(max_length=50, limit=None))
    assert [pair[:2] for pair in kept] == [("Zwei Hunde .", "Two dogs .")] and counts["overlap"] == 1
    assert corpus.dev.sentences[0][:2] == ("Ein Haus !", "A house !")
    assert corpus.dev.target_references == (("A house!",),) and not corpus.tokenised


def tar_of(folder: Path, name: str, members: dict[str, str]) -> Path:
    path = folder / name
    with tarfile.open(path, "w:gz") as tar:
        for member, text in members.items():
            content = text.encode("latin-1")
            info = tarfile.TarInfo(f"English-French/{member}")
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return path


TRAINING = {  # the listed order is not the alphabetical one
    "FilePairs.training": "house.2.e house.2.f\nhouse.1.e house.1.f\n",
    "training/house.1.e": "first \n",
    "training/house.1.f": " première\n",
    "training/house.2.e": "second\nthe\x1eend\n",
    "training/house.2.f": "deuxième\nla\x85fin\n",
}
TEST = {
    "test/test.e": "<s snum=0007> a b c  </s>\n<s snum=0009> d </s>\n",
    "test/test.f": "<s snum=0007> à b </s>\n<s snum=0009> é </s>\n",
    "answers/test.wa.nonullalign": "0007 3 2 P\n0007 1 1 S\n0007 3 1 P\n0007 3 1 S\n0009 1 1 S 0.5\n",
}
extract_gold = partial(hansards.extract_aligned, "gold", "test", "test.wa.nonullalign")


def test_hansards_training_archive(tmp_path):
    texts = hansards.extract_training(tar_of(tmp_path, "training.tar.gz", TRAINING))
    assert {name: list(lines) for name, lines in texts.items()} == {
        "train.en": ["second", "the end", "first"],
        "train.fr": ["deuxième", "la fin", "première"],
    }


def test_hansards_test_archive(tmp_path):
    assert extract_gold(tar_of(tmp_path, "test.tar.gz", TEST)) == {
        "gold.en": ["a b c", "d"],
        "gold.fr": ["à b", "é"],
        "gold.align": ["0-0 2-0 2?1", "0-0"],
    }


@pytest.mark.parametrize(
    ("extract", "members", "change", "message"),
    [
        (hansards.extract_training, TRAINING, {"training/house.1.e": "first\nmore\n"}, "not a pair of equal length"),
        (hansards.extract_training, TRAINING, {"FilePairs.training": "house.3.e house.3.f\n"}, "has no file house.3.e"),
        (extract_gold, TEST, {"test/test.e": "<s snum=0007> a\n"}, "test.e, line 1: not of the form <s snum=…>"),
        (extract_gold, TEST, {"test/test.e": "<s snum=0007> a </s>\n"}, "the sentence numbers of"),
        (extract_gold, TEST, {"answers/test.wa.nonullalign": "0007 4 1 S\n"}, "line 1: link 3-0 lies outside"),
        (extract_gold, TEST, {"answers/test.wa.nonullalign": "0007 0 1 S\n"}, "line 1: link -1-0 lies outside"),
        (extract_gold, TEST, {"answers/test.wa.nonullalign": "0008 1 1 S\n"}, "line 1: there is no sentence 8"),
        (extract_gold, TEST, {"answers/test.wa.nonullalign": "0007 1 1 X\n"}, "line 1: not of the form"),
    ],
)
def test_bad_hansards_archive(tmp_path, extract, members, change, message):
    with pytest.raises(InputError) as error:
        extract(tar_of(tmp_path, "bad.tar.gz", members | change))
    assert message in str(error.value)


@pytest.mark.parametrize("damage", [lambda whole: whole[:-40], lambda whole: b"<html>" + whole[6:]])
def test_damaged_archive(tmp_path, damage):
    path = tar_of(tmp_path, "test.tar.gz", TEST)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match="truncated or corrupted"):
        extract_gold(path)


def hansards_mirror(folder: Path, train: list[tuple[str, str]]) -> Publication:
    texts = {
        **{"train.en": [pair[0] for pair in train], "train.fr": [pair[1] for pair in train]},
        **{"gold.en": ["oh , oh !", "gold"], "gold.fr": ["oh !", "or"], "gold.align": ["0-0 1?0", "0-0"]},
    }
    for name, lines in texts.items():
        write_lines(folder / "wpt03-hansards-en-fr" / name, lines)
    sha256 = {name: hashlib.sha256((folder / "wpt03-hansards-en-fr" / name).read_bytes()).hexdigest() for name in texts}
    return replace(hansards.PUBLICATION, sha256=sha256)


STOCK = [("some members :", "des députés :"), ("oh , oh !", "oh !")] * 30
UNIQUE = [(f"question {k} of the day", f"la question {k}") for k in range(60)]
LONG = [(f"{k} " + "word " * 40, f"mot {k}") for k in range(40)]
HANSARDS = {"kind": "hansards", "source": "en", "target": "fr", **COMMON, "max_length": 20}


def test_hansards_hold_out_of_unique_short_pairs(tmp_path):
    publication = hansards_mirror(tmp_path, STOCK + UNIQUE + LONG)
    settings = HansardsSettings(**HANSARDS, dev=7, test=9)
    corpus, again = (hansards.load(settings, Sources(tmp_path, tmp_path), publication) for _ in range(2))
    dev, test = corpus.dev.sentences, corpus.tests["test"].sentences
    assert (dev, test) == (again.dev.sentences, again.tests["test"].sentences)
    assert (len(dev), len(set(dev)), len(test), len(set(test))) == (7, 7, 9, 9) and not set(dev) & set(test)
    assert {pair[:2] for pair in dev + test} < set(UNIQUE)
    assert corpus.tests["gold447"].sentences == corpus.gold.sentences
    kept, counts = select_train(corpus, Filters(settings.max_length, None))
    assert {pair[:2] for pair in kept} == set(UNIQUE + STOCK[:1]) - {pair[:2] for pair in dev + test}
    assert counts == {
        **{"read": 160, "held_out": 16, "too_long": 40, "separator": 0, "overlap": 30, "over_limit": 0, "kept": 74}
    }


def test_hansards_too_few_to_hold_out(tmp_path):
    publication = hansards_mirror(tmp_path, STOCK + UNIQUE)
    with pytest.raises(InputError, match="only 60 of the 70 pairs wanted for dev and test"):
        hansards.load(HansardsSettings(**HANSARDS, dev=35, test=35), Sources(tmp_path, tmp_path), publication)


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
