"""Data that is truncated or made to harm, and models that do not fit: one sentence each, before anything is read."""

import argparse
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from fairseq_plugins import compat, readers
from fairseq_plugins.readers import HEADER, MAGIC, DataError, check_indexed
from tests.helpers.damage import DAMAGES, empty, truncate
from tests.helpers.fairseq_commands import RIGHT_PAD, TRAIN, command, finished

from fairseq.data import Dictionary, data_utils, indexed_dataset

pytest_plugins = ["tests.helpers.fairseq_commands"]

TYPES = 20
SENTENCES = [[4, 5, 2], [2], [6, 7, 8, 19, 2]]


@pytest.fixture
def prefix(tmp_path) -> Path:
    """A data set as fairseq writes it."""
    builder = indexed_dataset.make_builder(f"{tmp_path}/test.bin", "mmap", TYPES)
    for sentence in SENTENCES:
        builder.add_item(torch.tensor(sentence))
    builder.finalize(f"{tmp_path}/test.idx")
    return tmp_path / "test"


def test_a_sound_data_set_passes(prefix):
    check_indexed(prefix, TYPES)
    check_indexed(prefix, None)


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_index_is_refused(prefix, kind):
    DAMAGES[kind](Path(f"{prefix}.idx"))
    with pytest.raises((DataError, FileNotFoundError), match=r"test\.(idx|bin)"):
        check_indexed(prefix, TYPES)


@pytest.mark.parametrize("kind", ["truncated", "emptied", "missing"])
def test_damaged_numbers_are_refused(prefix, kind):
    DAMAGES[kind](Path(f"{prefix}.bin"))
    with pytest.raises((DataError, FileNotFoundError), match=r"test\.bin"):
        check_indexed(prefix, TYPES)


def test_no_flipped_bit_of_an_index_reaches_fairseq_unless_all_it_says_holds(prefix):
    index = Path(f"{prefix}.idx")
    sound, noticed = index.read_bytes(), 0
    for place in range(8 * len(sound)):
        changed = bytearray(sound)
        changed[place // 8] ^= 1 << place % 8
        index.write_bytes(changed)
        try:
            check_indexed(prefix, TYPES)
        except DataError as error:
            assert "\n" not in str(error)
            noticed += 1
        else:  # e.g. signed numbers for unsigned ones
            assert [len(one) for one in SENTENCES] == list(indexed_dataset.MMapIndexedDataset(str(prefix)).sizes)
    assert noticed > 8 * len(sound) - 8


def index_of(lengths: list[int], starts: list[int], sentences: int | None = None, code: int = 8) -> bytes:
    head = HEADER.pack(MAGIC, 1, code, len(lengths) if sentences is None else sentences)
    return head + np.array(lengths, "<i4").tobytes() + np.array(starts, "<i8").tobytes()


HOSTILE: dict[str, tuple[bytes, str]] = {
    "sentences without end": (index_of([3], [0], 2**63), "sentences take"),
    "more than there is": (index_of([3, 1, 5], [0, 6, 8], 4), "sentences take 74 bytes instead of 62"),
    "no sentences": (index_of([], []), "has no sentences"),
    "behind the end": (index_of([3, 1, 5], [0, 6, 2**40]), "do not follow each other"),
    "before the beginning": (index_of([3, 1, 5], [0, -8, 8]), "do not follow each other"),
    "negative lengths": (index_of([3, -1, 7], [0, 6, 4]), "do not follow each other"),
    "longer than the numbers": (index_of([3, 1, 2**31 - 1], [0, 6, 8]), r"test\.bin: damaged or of another index"),
    "fractions": (index_of([3, 1, 5], [0, 6, 8], code=6), "whole numbers"),
    "no such type": (index_of([3, 1, 5], [0, 6, 8], code=99), "whole numbers"),
    "the older format": (b"TNTIDX\x00\x00" + struct.pack("<QQQQQ", 1, 4, 4, 2**40, 2**40), "format mmap"),
    "another version": (HEADER.pack(MAGIC, 2, 8, 0), "format mmap"),
}


@pytest.mark.parametrize(("content", "words"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_index_is_refused(prefix, content, words):
    Path(f"{prefix}.idx").write_bytes(content)
    with pytest.raises(DataError, match=words) as error:
        check_indexed(prefix, TYPES)
    assert "\n" not in str(error.value)


def test_words_that_the_dictionary_does_not_have_are_refused(prefix):
    with pytest.raises(DataError, match=r"test\.bin: .* it has word 19 of 19;"):
        check_indexed(prefix, 19)
    Path(f"{prefix}.idx").write_bytes(index_of([3, 1, 5], [0, 6, 8], code=3))
    Path(f"{prefix}.bin").write_bytes(np.full(9, -1, "<i2").tobytes())
    with pytest.raises(DataError, match="has word -1 of 20"):
        check_indexed(prefix, TYPES)


@pytest.mark.parametrize("kind", ["lazy", "cached", "huffman", "fasta"])
def test_fairseqs_older_formats_are_not_read(prefix, kind):
    with pytest.raises(DataError, match=f"--dataset-impl {kind}: only mmap and raw"):
        readers._indexed(data_utils.load_indexed_dataset)(str(prefix), Dictionary(), kind)


DICTIONARIES: dict[str, tuple[bytes, str]] = {
    "no count": (b"a 3\nb\n", r"dict\.txt, line 2: not a word and its count"),
    "a count that is none": (b"a 3\nb many\n", "line 2: not a word and its count"),
    "an endless count": (b"a " + b"9" * 10_000 + b"\n", "line 1: not a word and its count"),
    "not UTF-8": (b"a 3\n\xff\xfe 2\n", "line 2: not UTF-8"),
    "twice": (b"a 3\na 2\n", "line 2: a word that was there before"),
    "a symbol of fairseq's": (b"</s> 3\n", "line 1: a word that was there before"),
    "zeros": (b"\0" * 100, "line 1: not a word and its count"),
}


@pytest.mark.parametrize(("content", "words"), DICTIONARIES.values(), ids=DICTIONARIES)
def test_a_damaged_dictionary_is_one_sentence(tmp_path, monkeypatch, content, words):
    monkeypatch.setattr(Dictionary, "add_from_file", readers._dictionary(Dictionary.add_from_file))
    path = tmp_path / "dict.txt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=words) as error:
        Dictionary.load(str(path))
    assert "\n" not in str(error.value)


def test_a_sound_dictionary_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(Dictionary, "add_from_file", readers._dictionary(Dictionary.add_from_file))
    (tmp_path / "dict.txt").write_text("a 3\nb 2\n<s> 1 #fairseq:overwrite\n")
    read = Dictionary.load(str(tmp_path / "dict.txt"))
    assert (read[4], read[5]) == ("a", "b")


@pytest.fixture(scope="module")
def model(data, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("model")
    sizes = ["--embed-dim", "8", "--hidden-dim", "8"]
    train = ["train", str(data), "--arch", "rnnsearch_star", *sizes, RIGHT_PAD, "--save-dir", str(folder)]
    finished(*train, *TRAIN.split(), "--max-epoch", "1")
    return folder / "checkpoint_best.pt"


def weights_of_another_kind(path: Path) -> None:
    state = compat.load_checkpoint(path)
    torch.save({"args": argparse.Namespace(arch="no such thing"), "model": state["model"]}, path)


def short_of_a_word(path: Path) -> None:
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")


COMMANDS: dict[str, tuple[str, str, Callable[[Path], None], str]] = {
    "generate, index": ("generate", "test.src-tgt.src.idx", truncate, "test.src-tgt.src.idx: damaged"),
    "generate, numbers": ("generate", "test.src-tgt.tgt.bin", truncate, "test.src-tgt.tgt.bin: damaged"),
    "generate, no numbers": ("generate", "test.src-tgt.src.bin", empty, "test.src-tgt.src.bin: damaged"),
    "generate, dictionary": ("generate", "dict.tgt.txt", truncate, "dict.tgt.txt, line"),
    "interactive, dictionary": ("interactive", "dict.src.txt", short_of_a_word, "does not fit the dictionaries"),
    "interactive, no dictionary": ("interactive", "dict.src.txt", Path.unlink, "dict.src.txt: No such file"),
    "generate, model": ("generate", "model.pt", truncate, "model.pt: not a checkpoint, or damaged"),
    "interactive, model": ("interactive", "model.pt", weights_of_another_kind, "model.pt: not a checkpoint"),
    "generate, no model": ("generate", "model.pt", Path.unlink, "Model file not found"),
}


@pytest.mark.process
@pytest.mark.parametrize(("name", "file", "damage", "words"), COMMANDS.values(), ids=COMMANDS)
def test_commands_end_with_one_sentence(data, model, tmp_path, name, file, damage, words):
    for path in (*data.iterdir(), model):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / model.name).rename(tmp_path / "model.pt")
    damage(tmp_path / file)
    options = ["-s", "src", "-t", "tgt", RIGHT_PAD, "--path", str(tmp_path / "model.pt")]
    done = command(name, str(tmp_path), *options, stdin="a b\n")
    assert done.returncode == 1 and "Traceback" not in done.stderr + done.stdout
    assert words in done.stderr.splitlines()[-1]


@pytest.mark.process
def test_a_model_to_begin_with_that_holds_code_is_refused(data, tmp_path):
    evil = tmp_path / "evil.pt"
    evil.write_bytes(b"cos\nsystem\n(S'touch " + str(tmp_path / "ran").encode() + b"'\ntR.")
    sizes = ["--arch", "rnnsearch_star", "--embed-dim", "8", "--hidden-dim", "8", RIGHT_PAD, *TRAIN.split()]
    for option in ("--finetune-from-model", "--restore-file"):
        done = command("train", str(data), *sizes, "--save-dir", str(tmp_path / "save"), option, str(evil))
        assert done.returncode == 1 and "Traceback" not in done.stderr
        assert f"{evil}: refused, because it holds os.system" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "ran").exists()
