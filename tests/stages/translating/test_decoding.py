"""Translation and forced decoding with systems of the miniature study, and the evaluate stage around them."""

import contextlib
import json
import math
import os
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages import evaluate
from stages.files.errors import InputError
from stages.files.main import run
from stages.files.text import read_lines, write_lines
from stages.settings.training import Decoding
from stages.translating.decoding import Decoded, System, force, search, translate, without_unk
from stages.translating.load import load_system
from stages.translating.translations import read_no_unk, read_translations
from tests.helpers import tiny

pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask")  # fairseq's Transformer

ATTENTIVE = ["rnnsearch_star", "my_combination", "transformer"]
SYSTEMS = [*ATTENTIVE, "rnnencdec"]
DECODING = Decoding(beam=3, length_penalty=1.0, max_len_a=1.5, max_len_b=10, max_tokens=1000, threads=1)
FIELDS = {"source", "target", "attention", "score", "positional", "finished"}


def load(variant: str) -> System:
    return load_system(tiny.trained(variant) / "model.pt", tiny.study() / tiny.DATA)


def sentences() -> list[list[str]]:
    """Sentences of 3 to 30 pieces, unordered."""
    return [*tiny.pieces("test", tiny.SOURCE)[:9], ["mao", ".", "yu"]]


def with_eos(system: System, bias: float) -> System:
    """The system with its liking for the end of sentence changed."""
    return biased(system, system.target_dictionary.eos(), bias)


def biased(system: System, token: int, bias: float) -> System:
    with torch.no_grad():
        system.model.decoder.W_o.bias[token] = bias
    return system


def same(found: list[Decoded], expected: list[Decoded]) -> None:
    for one, other in zip(found, expected, strict=True):
        assert (one.source, one.target, one.finished) == (other.source, other.target, other.finished)
        assert one.score == pytest.approx(other.score, abs=1e-4)
        assert one.positional == pytest.approx(other.positional, abs=1e-4)
        torch.testing.assert_close(one.attention, other.attention, rtol=0, atol=1e-5)


# Search


@pytest.mark.parametrize("variant", ATTENTIVE)
def test_a_translation_does_not_depend_on_its_companions_or_their_order(variant):
    system, given = load(variant), sentences()
    assert len({len(sentence) // 8 for sentence in given}) > 2  # several widths
    together = translate(system, given, DECODING, progress=None)
    assert [one.source for one in together] == [[*sentence, "</s>"] for sentence in given]
    same([translate(system, [sentence], DECODING, progress=None)[0] for sentence in given], together)
    same(translate(system, given[::-1], DECODING, progress=None)[::-1], together)
    small = DECODING.model_copy(update={"max_tokens": 40})
    same(translate(system, given + given[:3], small, progress=None), together + together[:3])


def test_the_length_limit_does_not_depend_on_companions_either():
    system, given = with_eos(load("rnnsearch_star"), -1e4), sentences()
    together = translate(system, given, DECODING, progress=None)
    same([translate(system, [sentence], DECODING, progress=None)[0] for sentence in given], together)


@pytest.mark.parametrize("limit", [1, 4])
def test_what_the_length_limit_cuts_off_is_unfinished_and_has_no_eos(limit):
    system = with_eos(load("rnnsearch_star"), -1e4)
    decoding = DECODING.model_copy(update={"max_len_a": 0.0, "max_len_b": limit})
    for one in translate(system, sentences(), decoding, progress=None):
        assert not one.finished
        assert len(one.target) == len(one.positional) == limit and "</s>" not in one.target
        assert one.attention.shape == (limit, len(one.source))


def test_a_translation_within_the_limit_is_finished_by_eos():
    system = with_eos(load("rnnsearch_star"), 1e4)
    decoding = DECODING.model_copy(update={"max_len_a": 0.0, "max_len_b": 2})
    for one in translate(system, sentences(), decoding, progress=None):
        assert one.finished and len(one.target) == 2 and one.target[-1] == "</s>"  # fairseq wants one piece at least
        assert one.attention.shape == (2, len(one.source))


def test_a_wider_beam_finds_no_worse_translation():
    system = load("rnnsearch_star")
    greedy, wide = (
        translate(system, sentences(), DECODING.model_copy(update={"beam": beam}), progress=None) for beam in (1, 8)
    )
    assert sum(one.score for one in wide) >= sum(one.score for one in greedy)


def test_a_system_without_attention_has_none():
    system = load("rnnencdec")
    found = translate(system, sentences(), DECODING, progress=None)
    forced = force(system, tiny.pieces("gold", tiny.SOURCE), tiny.pieces("gold", tiny.TARGET), 1000, progress=None)
    assert {one.attention for one in (*found, *forced)} == {None}


# Without <unk>

RECURRENT = ["rnnsearch_star", "my_combination"]
STRONG = 8.0  # a bias with which <unk> is every sentence's favourite


def competing(system: System, given: list[list[str]], bias: float) -> int:
    """In how many sentences <unk> competes when the system likes it that much."""
    biased(system, system.target_dictionary.unk(), bias)
    return sum(one.unk_competed for one in search(system, given, DECODING, progress=None))


def with_unk_in_some(system: System, given: list[list[str]]) -> System:
    """The system with <unk> so likely that it competes in some of the sentences."""
    weak, strong = -STRONG, STRONG
    assert (competing(system, given, weak), competing(system, given, strong)) == (0, len(given))
    while (count := competing(system, given, (weak + strong) / 2)) in (0, len(given)):
        weak, strong = ((weak + strong) / 2, strong) if count == 0 else (weak, (weak + strong) / 2)
    return system


def with_unk_in_all(system: System, given: list[list[str]]) -> System:
    assert competing(system, given, STRONG) == len(given)
    return system


@pytest.mark.parametrize("variant", RECURRENT)
@pytest.mark.parametrize("with_unk", [with_unk_in_some, with_unk_in_all])
def test_without_unk_is_a_search_of_all_sentences_that_may_not_choose_it(variant, with_unk):
    given = sentences()
    system = with_unk(load(variant), given)
    several_batches = DECODING.model_copy(update={"max_tokens": 40})
    searched = search(system, given, several_batches, progress=None)
    if with_unk is with_unk_in_all:
        assert all("<unk>" in one.translation.target for one in searched)
    allowed = without_unk(system, searched, several_batches, progress=None)
    fresh = search(system, given, DECODING, progress=None, unk_penalty=math.inf)
    same(allowed, [one.translation for one in fresh])
    assert not any(one.unk_competed for one in fresh)
    assert not any("<unk>" in one.target for one in allowed)
    for one, before in zip(allowed, searched, strict=True):
        assert one is before.translation or before.unk_competed


@pytest.mark.parametrize("variant", RECURRENT)
def test_the_other_words_keep_their_probabilities_when_unk_is_forbidden(variant):
    given = sentences()
    system = with_unk_in_all(load(variant), given)
    allowed = without_unk(system, search(system, given, DECODING, progress=None), DECODING, progress=None)
    references = [one.target[: len(one.target) - one.finished] for one in allowed]
    for one, forced in zip(allowed, force(system, given, references, 1000, progress=None), strict=True):
        assert one.positional == pytest.approx(forced.positional[: len(one.positional)], abs=1e-4)


def test_unk_does_not_compete_where_nothing_but_the_end_may_come():
    system = load("rnnsearch_star")
    biased(system, system.target_dictionary.unk(), -1e4)
    decoding = DECODING.model_copy(update={"max_len_a": 0.0, "max_len_b": 2})
    searched = search(with_eos(system, -1e4), sentences(), decoding, progress=None)
    assert not any(one.unk_competed for one in searched)


def test_no_sentence_at_all():
    assert without_unk(load("rnnsearch_star"), [], DECODING, progress="translating") == []


# Forced decoding


@pytest.mark.parametrize("variant", ATTENTIVE)
def test_forced_decoding_of_a_translation_repeats_its_search(variant):
    system, given = load(variant), sentences()
    found = translate(system, given, DECODING, progress=None)
    references = [one.target[: len(one.target) - one.finished] for one in found]
    forced = force(system, given, references, 60, progress=None)
    for searched, again, reference in zip(found, forced, references, strict=True):
        assert again.target == [*reference, "</s>"] and again.finished
        T = len(searched.target)
        assert searched.positional == pytest.approx(again.positional[:T], abs=1e-4)
        torch.testing.assert_close(searched.attention, again.attention[:T], rtol=0, atol=1e-5)
        assert again.score == pytest.approx(math.fsum(again.positional), abs=1e-4)
        if searched.finished:
            assert searched.score == pytest.approx(again.score / T, abs=1e-4)


@pytest.mark.parametrize("variant", ATTENTIVE)
def test_weights_of_every_step_sum_to_one(variant):
    system = load(variant)
    given, references = tiny.pieces("dev", tiny.SOURCE), tiny.pieces("dev", tiny.TARGET)
    forced = force(system, given, references, 60, progress=None)
    for one in (*forced, *translate(system, given, DECODING, progress=None)):
        assert one.attention.shape == (len(one.target), len(one.source))
        assert (one.attention >= 0).all()
        torch.testing.assert_close(one.attention.sum(1), torch.ones(len(one.target)), rtol=0, atol=1e-5)
        assert len(one.positional) == len(one.target) and max(one.positional) <= 0


def test_forced_decoding_does_not_depend_on_companions():
    system = load("rnnsearch_star")
    given, references = tiny.pieces("dev", tiny.SOURCE), tiny.pieces("dev", tiny.TARGET)
    together = force(system, given, references, 1000, progress=None)
    same([force(system, [s], [r], 1000, None)[0] for s, r in zip(given, references, strict=True)], together)


# Checkpoints


class Code:
    """Unpickling it runs a command."""

    def __init__(self, command: str):
        self.command = command

    def __reduce__(self):
        return os.system, (self.command,)


def refused(checkpoint: Path) -> str:
    with pytest.raises(InputError) as error:
        load_system(checkpoint, tiny.study() / tiny.DATA)
    message = str(error.value)
    assert "\n" not in message and str(checkpoint) in message
    return message


def test_a_checkpoint_that_holds_code(tmp_path):
    file, trace = tmp_path / "model.pt", tmp_path / "trace"
    torch.save(tiny.checkpoint(tiny.trained("rnnsearch_star")) | {"extra": Code(f"touch {trace}")}, file)
    assert "could run code" in refused(file)
    assert not trace.exists()


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_truncated_checkpoint(tmp_path, share):
    whole = (tiny.trained("rnnsearch_star") / "model.pt").read_bytes()
    (tmp_path / "model.pt").write_bytes(whole[: int(share * len(whole))])
    assert "damaged" in refused(tmp_path / "model.pt")


def test_a_checkpoint_of_something_else(tmp_path):
    torch.save({"weights": torch.zeros(3)}, tmp_path / "model.pt")
    assert "not a checkpoint" in refused(tmp_path / "model.pt")


def test_a_checkpoint_that_is_not_there(tmp_path):
    assert "missing" in refused(tmp_path / "model.pt")


# The stage


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("variant", SYSTEMS)
def test_the_stage_writes_every_set(variant):
    folder = tiny.evaluated(variant)
    whole = ["dev.jsonl", "test.jsonl", "dev.forced.jsonl", "gold.forced.jsonl"]
    assert names(folder) == {*whole, "test.no_unk.jsonl", "transform.json"}
    for file in map(folder.joinpath, whole):
        part = file.name.split(".")[0]
        text = tiny.study() / tiny.TEXT
        source, target = (read_lines(text / f"{part}.{language}") for language in (tiny.SOURCE, tiny.TARGET))
        translations = read_translations(file)
        assert [" ".join(one.source) for one in translations] == list(source)
        if "forced" in file.name:
            assert [" ".join(one.target) for one in translations] == list(target)
        assert [one.word_attention is None for one in translations] == [variant == "rnnencdec"] * len(source)


@pytest.mark.parametrize("variant", ATTENTIVE)
def test_lines_of_the_stage(variant):
    for file in tiny.evaluated(variant).glob("*.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            assert record.keys() == (FIELDS | {"row"} if "no_unk" in file.name else FIELDS)
            weights = np.array(record["attention"])
            assert weights.shape == (len(record["target"]), len(record["source"]))
            assert weights.sum(1) == pytest.approx(1, abs=1e-5 * len(record["source"]))
            assert record["source"][-1] == "</s>" and record["finished"] == (record["target"][-1] == "</s>")


@pytest.mark.parametrize("variant", SYSTEMS)
def test_the_stage_forbids_unk_where_no_piece_is_unknown(variant):
    system, given = load(variant), tiny.pieces("test", tiny.SOURCE)
    decoding = Decoding.model_validate(tiny.params()["corpora"]["tiny"]["decoding"])
    expected = without_unk(system, search(system, given, decoding, progress=None), decoding, progress=None)
    file = tiny.evaluated(variant) / "test.no_unk.jsonl"
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [one["row"] for one in records] == list(range(1, len(given)))  # row 0 has letters that train lacks
    for one in records:
        assert (one["source"], one["target"]) == (expected[one["row"]].source, expected[one["row"]].target)
        assert one["positional"] == pytest.approx(expected[one["row"]].positional, abs=1e-4)


@pytest.mark.parametrize(("side", "letters"), [(tiny.SOURCE, "Xq"), (tiny.TARGET, "Xq")])
def test_an_unknown_piece_on_either_side_keeps_a_sentence_out(tmp_path, side, letters):
    bpe = tmp_path / "bpe"
    shutil.copytree(tiny.study() / tiny.BPE, bpe)
    lines = read_lines(bpe / f"test.{side}")
    write_lines(bpe / f"test.{side}", [*lines[:4], letters, *lines[5:]])
    model = tiny.trained("rnnsearch_star") / "model.pt"
    options = {"text": tiny.TEXT, "bpe": bpe, "data": tiny.DATA, "model": model, "out": tmp_path / "out"}
    with contextlib.chdir(tiny.study()):
        tiny.run(evaluate.main, corpus=tiny.CORPUS, direction="forward", **options)
    rows = set(read_no_unk(tmp_path / "out" / "test.no_unk.jsonl"))
    assert rows == set(range(len(lines))) - {0, 4}


def write_no_unk(path: Path, *rows: object) -> None:
    record = {"source": ["a", "</s>"], "target": ["b", "</s>"], "attention": None, "positional": [-1, -1]}
    write_lines(path, [json.dumps(record | {"finished": True, "row": row}) for row in rows])


def test_reading_translations_without_unk(tmp_path):
    path = tmp_path / "test.no_unk.jsonl"
    write_no_unk(path, 1, 5)
    found = read_no_unk(path)
    assert list(found) == [1, 5] and found[5].target == ["b"]
    write_lines(path, [])
    assert read_no_unk(path) == {}


@pytest.mark.parametrize("rows", [(0, 0), (0, -1), (0, "1"), (0, None), (0, 1.5)])
def test_rows_that_are_no_rows(tmp_path, rows):
    path = tmp_path / "test.no_unk.jsonl"
    write_no_unk(path, *rows)
    with pytest.raises(InputError, match=r"no_unk\.jsonl, line 2: row .* run the evaluate stage again"):
        read_no_unk(path)


def test_translations_without_rows(tmp_path):
    path = tmp_path / "test.no_unk.jsonl"
    write_no_unk(path, 0)
    path.write_text(path.read_text().replace('"row"', '"place"'))
    with pytest.raises(InputError, match=r"line 1 lacks row"):
        read_no_unk(path)


def test_the_stage_leaves_nothing_behind_after_an_error(tmp_path, capsys):
    (tmp_path / "model.pt").write_bytes(b"no checkpoint")
    options = {"text": tiny.TEXT, "bpe": tiny.BPE, "data": tiny.DATA, "model": tmp_path / "model.pt"}
    with contextlib.chdir(tiny.study()), pytest.raises(SystemExit) as end:
        run(lambda: tiny.run(evaluate.main, corpus=tiny.CORPUS, direction="forward", out=tmp_path / "out", **options))
    assert end.value.code == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert names(tmp_path) == {"model.pt"}


@pytest.mark.parametrize(
    ("lines", "message"),
    [(None, r"gold\.en: no such file"), (["the cat"], r"gold\.zh has 3 lines but .*gold\.en has 1")],
)
def test_a_set_that_does_not_fit_leaves_nothing_behind(tmp_path, lines, message):
    bpe = tmp_path / "bpe"
    shutil.copytree(tiny.study() / tiny.BPE, bpe)
    (bpe / "gold.en").unlink()
    if lines:
        write_lines(bpe / "gold.en", lines)
    model = tiny.trained("rnnsearch_star") / "model.pt"
    options = {"text": tiny.TEXT, "bpe": bpe, "data": tiny.DATA, "model": model, "out": tmp_path / "out"}
    with contextlib.chdir(tiny.study()), pytest.raises(InputError, match=message):
        tiny.run(evaluate.main, corpus=tiny.CORPUS, direction="forward", **options)
    assert names(tmp_path) == {"bpe"}
