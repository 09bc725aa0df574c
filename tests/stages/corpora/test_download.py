"""Downloads: resumed, retried, converted once and verified always; and the mirror instead of them."""

import gzip
from threading import Thread

import pytest

from stages.corpora import fetch as fetching
from stages.corpora.download import Sources, provide
from stages.corpora.fetch import fetch
from stages.files.errors import InputError, OutputError
from stages.files.text import write_lines
from tests.helpers.corpora.made_up import published
from tests.helpers.corpora.server import CONTENT, Server
from tests.helpers.full_disk import fill_disk


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
LIMIT = 2 * len(CONTENT)


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
    fetch(server.url, tmp_path / "deep" / "data.bin", LIMIT, wait=0)
    assert (tmp_path / "deep" / "data.bin").read_bytes() == CONTENT
    assert server.requested == requested
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["data.bin"]


def test_the_next_run_resumes(tmp_path, server):
    server.faults = [("hang up", HALF), ("hang up", 0)]
    with pytest.raises(InputError, match=r"incomplete after 2 attempts .*run again, which goes on from"):
        fetch(server.url, tmp_path / "data.bin", LIMIT, attempts=2, wait=0)
    assert [path.name for path in tmp_path.iterdir()] == ["data.bin.part"]
    fetch(server.url, tmp_path / "data.bin", LIMIT, wait=0)
    assert server.requested[-1] == f"bytes={HALF}-"
    assert (tmp_path / "data.bin").read_bytes() == CONTENT


def test_part_longer_than_the_file_is_dropped(tmp_path, server):
    (tmp_path / "data.bin.part").write_bytes(CONTENT + b"more")
    fetch(server.url, tmp_path / "data.bin", LIMIT, wait=0)
    assert (tmp_path / "data.bin").read_bytes() == CONTENT


def test_refused_download_is_not_retried(tmp_path, server):
    server.faults = [("status", 404)]
    with pytest.raises(InputError, match="the server answered 404"):
        fetch(server.url, tmp_path / "data.bin", LIMIT, wait=0)
    assert server.requested == [None] and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (("length", "12 kB"), "the server announces '12 kB' as the size"),
        (("length", "-5"), "the server announces '-5' as the size"),
        (("length", "5, 7"), "5, 7"),
        (("length", 0), "the server sent nothing"),
        (("status", 204), "the server sent nothing"),
        (("silent", 0), "without response"),
    ],
)
def test_answers_without_sense_are_asked_for_again_and_named(tmp_path, server, fault, reason):
    server.faults = [fault] * 3
    with pytest.raises(InputError, match="incomplete after 3 attempts") as error:
        fetch(server.url, tmp_path / "data.bin", LIMIT, attempts=3, wait=0)
    assert reason in str(error.value) and "\n" not in str(error.value)
    assert len(server.requested) == 3 and not (tmp_path / "data.bin").exists()
    fetch(server.url, tmp_path / "data.bin", LIMIT, attempts=1)
    assert (tmp_path / "data.bin").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("fault", "what"), [(("endless", 0), "does not end"), (("length", 10**12), "announces 1,000,000,000,000 bytes")]
)
def test_more_than_the_published_file_has_is_refused_at_once(tmp_path, server, fault, what):
    server.faults = [fault]
    with pytest.raises(InputError, match=f"{what}, but the published file has at most 2,048,000"):
        fetch(server.url, tmp_path / "data.bin", LIMIT, wait=0)
    assert len(server.requested) == 1 and list(tmp_path.iterdir()) == []


def test_a_stream_that_drips_is_given_up(tmp_path, server, monkeypatch):
    monkeypatch.setattr(fetching, "WATCHED", 0.2)
    server.content, server.faults = CONTENT[:2000], [("drip", 0.01)] * 2
    with pytest.raises(InputError, match=r"incomplete after 2 attempts \(slower than 1000 bytes a second\)"):
        fetch(server.url, tmp_path / "data.bin", LIMIT, attempts=2, wait=0)
    assert server.requested[0] is None and server.requested[1].startswith("bytes=")  # what came is not lost


def test_no_server(tmp_path):
    with pytest.raises(InputError, match="check the network and run again"):
        fetch("http://127.0.0.1:9/data.bin", tmp_path / "data.bin", LIMIT, attempts=2, wait=0)
    assert list(tmp_path.iterdir()) == []


def test_download_into_an_unwritable_folder(tmp_path, server):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="choose a folder"):
        fetch(server.url, tmp_path / "file" / "data.bin", LIMIT, wait=0)


LINES = ["Zwei Hunde\tlaufen  . ", "Ein Meer"]


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
    fill_disk(monkeypatch)
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
