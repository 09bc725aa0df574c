"""The readers that are fuzzed: what each may raise, sound input to begin with, and what must hold of what it reads."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from fairseq_plugins import compat, readers  # noqa: F401  compat makes fairseq importable
from stages.alignment import pharaoh
from stages.corpora import nist_sgml
from stages.files import links, text
from stages.files.errors import InputError
from stages.measures import gold_links

from fairseq.data import Dictionary, indexed_dataset

TYPES = 20


class Target(NamedTuple):
    """one: reads an input, and raises whatever must not be raised. code: the functions whose branches are followed."""

    one: Callable[[bytes], None]
    sound: list[bytes]
    code: list[Callable]


def indexed(folder: Path) -> Target:
    """.idx and .bin as one input: the length of the first in two bytes, then both."""
    prefix = folder / "data"
    builder = indexed_dataset.make_builder(f"{prefix}.bin", "mmap", TYPES)
    for sentence in ([4, 5, 2], [2], [6, 7, 8, 19, 2]):
        builder.add_item(torch.tensor(sentence))
    builder.finalize(f"{prefix}.idx")
    index, numbers = (Path(f"{prefix}.{end}") for end in ("idx", "bin"))

    def one(content: bytes) -> None:
        cut = 2 + int.from_bytes(content[:2], "little")
        index.write_bytes(content[2:cut])
        numbers.write_bytes(content[cut:])
        try:
            readers.check_indexed(str(prefix), TYPES)
        except readers.DataError as error:
            assert "\n" not in str(error) and str(prefix) in str(error)
            return
        read = indexed_dataset.MMapIndexedDataset(str(prefix))
        assert sum(len(read[k]) for k in range(len(read))) == read.sizes.sum() > 0
        assert all(((row := read[k].numpy()) >= 0).all() and (row < TYPES).all() for k in range(len(read)))
        assert np.asarray(read.sizes).min() >= 0

    both = index.read_bytes(), numbers.read_bytes()
    return Target(
        one, [len(both[0]).to_bytes(2, "little") + b"".join(both)], [readers.check_indexed, readers._read_index]
    )


def dictionary(folder: Path) -> Target:
    path = folder / "dict.txt"
    read = readers._dictionary(Dictionary.add_from_file)  # reads by way of Dictionary's own

    def one(content: bytes) -> None:
        path.write_bytes(content)
        found = Dictionary()
        try:
            read(found, str(path))
        except readers.DataError as error:
            assert "\n" not in str(error) and str(path) in str(error)
            return
        assert len(found.symbols) == len(found.count)

    return Target(
        one,
        [b"a 3\nb 2\n<s> 1 #fairseq:overwrite\n", "词 1\n".encode()],
        [readers._bad_line, read, Dictionary.add_from_file],
    )


def of_links(folder: Path) -> Target:
    """Every reader of links agrees on what is one."""

    def one(content: bytes) -> None:
        line = content.decode(errors="replace")
        try:
            found = links.parse(line)
        except ValueError as error:
            assert "is not a link" in str(error) or "Exceeds the limit" in str(error)
            return
        kinds = {link[:2]: link.sure for link in sorted(found)}
        assert {link[:2]: link.sure for link in links.parse(links.write(found))} == kinds
        gold_links.parse(line)
        if all(link.sure for link in found):
            assert sorted(set(pharaoh.parse(line))) == sorted(kinds)

    return Target(one, [b"0-0 1-1 2?1", b"10-3\t0-12"], [links.parse, links._parse, links.write, pharaoh.parse])


def lines(folder: Path) -> Target:
    path, again = folder / "lines", folder / "again"

    def one(content: bytes) -> None:
        path.write_bytes(content)
        try:
            found = text.read_lines(path, allow_empty=True)
        except InputError as error:
            assert str(path) in str(error) and "\n" not in str(error)
            return
        text.write_lines(again, found)
        assert text.read_lines(again, allow_empty=True) == found

    return Target(
        one, ["\ufeffa b\r\nc\u2028d\n".encode(), "词 \x85\n".encode()], [text.decoded_lines, text.iter_lines]
    )


def sgml(folder: Path) -> Target:
    sound = b'<refset setid="a"><DOC docid="A" sysid="r"><seg id=1> a &amp; b </seg><seg id=2>c</seg></DOC></refset>'

    def one(content: bytes) -> None:
        try:
            found = nist_sgml.parse(content.decode(errors="replace"), "file")
        except InputError as error:
            assert str(error).startswith("file")
            return
        assert found and all(found.values())

    return Target(one, [sound], [nist_sgml.parse, nist_sgml._misplaced])


TARGETS = {"indexed": indexed, "dictionary": dictionary, "links": of_links, "lines": lines, "sgml": sgml}
