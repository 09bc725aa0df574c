"""Candidate lists: phrases extracted from links, the table of the candidates stage, and the softmax it restricts."""

import random
from functools import cache
from pathlib import Path

import pytest
import torch
from torch import Tensor

from fairseq_plugins.core.candidates import CandidateLists, read_table
from fairseq_plugins.kernels import smoothed_nll
from stages import candidates
from stages.alignment.phrases import best_words, count_phrases, phrase_pairs
from stages.files.errors import InputError
from stages.files.text import read_lines, write_lines
from stages.settings.variants import VariantModel
from tests.helpers.support import (
    SOURCE_TYPES,
    TARGET_TYPES,
    Batch,
    Subject,
    build,
    close,
    dictionary,
    forward,
    outputs,
    random_batch,
)

from fairseq.sequence_generator import SequenceGenerator

# Phrase pairs

SPANISH = ["Maria", "no", "daba", "una", "bofetada", "a", "la", "bruja", "verde"]
ENGLISH = ["Mary", "did", "not", "slap", "the", "green", "witch"]
LINKS = [(0, 0), (1, 1), (1, 2), (2, 3), (3, 3), (4, 3), (5, 4), (6, 4), (7, 6), (8, 5)]
PHRASES = """
Maria | Mary
no | did not
daba una bofetada | slap
a la | the
bruja | witch
verde | green
Maria no | Mary did not
no daba una bofetada | did not slap
daba una bofetada a la | slap the
bruja verde | green witch
Maria no daba una bofetada | Mary did not slap
no daba una bofetada a la | did not slap the
a la bruja verde | the green witch
Maria no daba una bofetada a la | Mary did not slap the
daba una bofetada a la bruja verde | slap the green witch
no daba una bofetada a la bruja verde | did not slap the green witch
Maria no daba una bofetada a la bruja verde | Mary did not slap the green witch
"""  # Koehn's example, all of it


def spelled(source: list[str], target: list[str], pairs) -> list[tuple[str, str]]:
    return sorted((" ".join(source[p.j : p.j_end]), " ".join(target[p.i : p.i_end])) for p in pairs)


@pytest.mark.parametrize("longest", [9, 4, 1])
def test_phrases_of_koehns_example(longest):
    lines = [tuple(line.split(" | ")) for line in PHRASES.strip().splitlines()]
    expected = sorted(pair for pair in lines if len(pair[0].split()) <= longest)
    assert spelled(SPANISH, ENGLISH, phrase_pairs(LINKS, 9, 7, longest, 7)) == expected


@pytest.mark.parametrize(
    ("links", "S", "T", "longest_target", "expected"),
    [
        ([], 2, 2, 7, []),
        ([(0, 0)], 1, 1, 7, ["x0 | y0"]),
        # unlinked words at the borders, on either side
        ([(0, 1)], 1, 3, 7, ["x0 | y0 y1", "x0 | y0 y1 y2", "x0 | y1", "x0 | y1 y2"]),
        ([(0, 1)], 1, 3, 2, ["x0 | y0 y1", "x0 | y1", "x0 | y1 y2"]),
        ([(1, 0)], 3, 1, 7, ["x0 x1 | y0", "x0 x1 x2 | y0", "x1 | y0", "x1 x2 | y0"]),
        # an unlinked word inside belongs to the phrase
        ([(0, 0), (0, 2)], 1, 3, 7, ["x0 | y0 y1 y2"]),
        # a link that leaves the span
        ([(0, 0), (1, 0)], 2, 1, 7, ["x0 x1 | y0"]),
        ([(0, 0), (0, 2), (1, 1)], 2, 3, 7, ["x0 x1 | y0 y1 y2", "x1 | y1"]),
        ([(0, 0), (0, 2), (1, 1)], 2, 3, 2, ["x1 | y1"]),
        ([(0, 1), (1, 0)], 2, 2, 7, ["x0 | y1", "x0 x1 | y0 y1", "x1 | y0"]),
    ],
)
def test_phrases_by_hand(links, S, T, longest_target, expected):
    source, target = [f"x{j}" for j in range(S)], [f"y{i}" for i in range(T)]
    found = spelled(source, target, phrase_pairs(links, S, T, 4, longest_target))
    assert found == sorted(tuple(line.split(" | ")) for line in expected)


@pytest.mark.parametrize("link", [(2, 0), (0, 3), (-1, 0)])
def test_a_link_outside_the_sentence(link):
    with pytest.raises(ValueError, match=r"link -?\d-\d lies outside its sentence of 2 source and 3 target tokens"):
        list(phrase_pairs([link], 2, 3, 4, 7))


def test_words_of_the_best_phrases():
    same = [(0, 0), (1, 1)]
    sentences = [
        (["a", "b"], ["the", "cat"], same), (["a", "b"], ["the", "dog"], same), (["a", "c"], ["one", "dog"], same),
        (["a", "b"], ["the", "dog"], same),
    ]  # fmt: skip
    counts = count_phrases(sentences, 4, 7)
    assert counts["a",] == {("the",): 3, ("one",): 1}
    assert counts["a", "b"] == {("the", "cat"): 1, ("the", "dog"): 2}
    assert best_words(counts["a", "b"], 10) == ["the", "dog", "cat"]
    assert best_words(counts["a", "b"], 2) == ["the", "dog"]
    assert best_words({("x", "a"): 1, ("z",): 1, ("y",): 1}, 10) == ["y", "z", "x", "a"]  # shorter, then by letters


# The stage


FORWARD = {
    "w@@ ohnung": "house",
    "w@@ ohnung ist": "house",
    "ist rot": "re@@ d",
    "rot": "re@@ d",
    "w@@ ohnung ist rot": "re@@ d house",
}
REVERSE = {"re@@ d": "rot ist", "house": "w@@ ohnung ist", "re@@ d house": "w@@ ohnung ist rot"}


@pytest.mark.parametrize(("direction", "expected"), [("forward", FORWARD), ("reverse", REVERSE)])
def test_the_stage_writes_tokens_of_the_run(tmp_path, monkeypatch, direction, expected):
    """Links of words, in the direction of the corpus, become phrases of pieces in that of the run."""
    write_lines(tmp_path / "params.yaml", ["corpora: {toy: {corpus: {source: de, target: en}}}"])
    write_lines(tmp_path / "bpe" / "train.de", ["w@@ ohnung ist rot"] * 2)
    write_lines(tmp_path / "bpe" / "train.en", ["re@@ d house"] * 2)
    write_lines(tmp_path / "wordalign" / "train.gdfa", ["0-1 2-0", ""])
    monkeypatch.chdir(tmp_path)
    arguments = ["--corpus", "toy", "--direction", direction, "--bpe", "bpe", "--wordalign", "wordalign"]
    candidates.main([*arguments, "--out", "table.tsv"])
    assert list(read_lines(tmp_path / "table.tsv")) == sorted(f"{key}\t{words}" for key, words in expected.items())
    write_lines(tmp_path / "wordalign" / "train.gdfa", ["0-1 1-2", ""])
    with pytest.raises(InputError, match=r"train\.gdfa, line 1: link 1-2"):
        candidates.main([*arguments, "--out", "other.tsv"])
    assert not (tmp_path / "other.tsv").exists()


# The table as the model reads it

SOURCE, TARGET = dictionary(SOURCE_TYPES), dictionary(TARGET_TYPES)
TABLE = ["w0\tw3 w1 w2", "w0 w1\tw9", "w1 w0 w2\tw10 w11", "w5\tw12"]


def write_table(folder: Path, lines: list[str] = TABLE) -> Path:
    write_lines(folder / "candidates.tsv", lines)
    return folder / "candidates.tsv"


def ids(words: str) -> list[int]:
    return [TARGET.index(word) for word in words.split()]


def test_the_table_in_ids(tmp_path):
    lines = [*TABLE, "w0 never\tw1", "w6\tnever w1 w2 w3", "w7\tnever", "never\tw1", "ever\tw1", "<pad>\tw1"]
    table = read_table(write_table(tmp_path, lines), SOURCE, TARGET, most=2)
    expected = {"w0": "w3 w1", "w0 w1": "w9", "w1 w0 w2": "w10 w11", "w5": "w12", "w6": "w1 w2", "w7": ""}
    assert table == {tuple(map(SOURCE.index, ngram.split())): ids(words) for ngram, words in expected.items()}


@pytest.mark.parametrize(
    ("line", "message"),
    [("w1", "line 2 is no"), ("w1\tw1\tw1", "line 2 is no"), ("w1\t", "line 2 is no"), ("w1  w2\tw1", "line 2 is no"),
     ("", "line 2 is no"), ("w0\tw1", "line 2: 'w0' stands twice")],
)  # fmt: skip
def test_a_damaged_table(tmp_path, line, message):
    path = write_table(tmp_path, [TABLE[0], line])
    with pytest.raises(ValueError, match=rf"candidates\.tsv: .*{message}.*run the candidates stage again"):
        read_table(path, SOURCE, TARGET, 10)


def test_a_missing_table(tmp_path):
    with pytest.raises(ValueError, match=r"absent\.tsv: no table.*run the candidates stage"):
        build(VariantModel(arch="lvnmt", candidate_table=str(tmp_path / "absent.tsv")))


# Candidate sets


def sets(lists: CandidateLists, source: list[list[int]], words: list[list[int]]) -> list[set[int]]:
    width = max(map(len, source))
    padded = torch.tensor([[*row, *[SOURCE.pad()] * (width - len(row))] for row in source])
    allowed = lists(padded, torch.tensor(words))
    return [set(row.nonzero().flatten().tolist()) for row in allowed]


@pytest.mark.parametrize(
    ("sentence", "words", "expected"),
    [
        ("w4", "", ""),
        ("w0", "", "w1 w2 w3"),
        ("w4 w0 w4", "", "w1 w2 w3"),
        ("w0 w1", "", "w1 w2 w3 w9"),
        ("w1 w0", "", "w1 w2 w3"),  # the beginning of a longer n-gram is no n-gram
        ("w1 w0 w2", "", "w1 w2 w3 w10 w11"),
        ("w1 w0 w4 w2", "", "w1 w2 w3"),
        ("w1 w0 w1 w0 w2 w5", "w7 w8", "w1 w2 w3 w7 w8 w9 w10 w11 w12"),
        ("<unk> w5", "w0", "w0 w12"),
    ],
)
def test_candidates_by_hand(tmp_path, sentence, words, expected):
    lists = CandidateLists(read_table(write_table(tmp_path), SOURCE, TARGET, 10), len(SOURCE), len(TARGET), always=5)
    source = [*map(SOURCE.index, sentence.split()), SOURCE.eos()]
    longer = [SOURCE.index("w0"), *[SOURCE.index("w4")] * 8, SOURCE.eos()]
    always = {TARGET.bos(), TARGET.pad(), TARGET.eos(), TARGET.unk(), TARGET.index("w0")}  # w0 is the most frequent
    given = [TARGET.eos(), *ids(words)]
    alone, (together, _) = sets(lists, [source], [given]), sets(lists, [source, longer], [given, given])
    assert alone == [together] == [always | set(ids(expected))]


def test_a_table_of_nothing():
    lists = CandidateLists({}, len(SOURCE), len(TARGET), always=6)
    assert sets(lists, [[4, 5, 2]], [[2, 9]]) == [{0, 1, 2, 3, 4, 5, 9}]


def test_candidates_equal_plain_loops():
    draw = random.Random(1)

    def ngrams(types: int, longest: int, count: int) -> list[tuple[int, ...]]:
        return [tuple(draw.choices(range(4, types), k=draw.randint(1, longest))) for _ in range(count)]

    table = {ngram: draw.sample(range(4, 900), draw.randint(0, 3)) for ngram in ngrams(9, 4, 150)}
    lists = CandidateLists(table, source_types=9, target_types=900, always=4)
    sentences = [[*words, 2] for words in ngrams(9, 12, 60)]
    found = sets(lists, sentences, [[2]] * 60)
    for sentence, candidates_found in zip(sentences, found, strict=True):
        spans = [tuple(sentence[j : j + n]) for n in range(1, 5) for j in range(len(sentence) - n + 1)]
        assert candidates_found == {0, 1, 2, 3}.union(*(table.get(span, ()) for span in spans))


# The model

BATCH = random_batch([5, 1, 7, 4], [4, 6, 2, 5], seed=3)


@cache
def restricted(folder: Path, frequent: int = 1) -> Subject:
    lines = [f"w{k}\tw{k + 1} w{k + 2}" for k in range(SOURCE_TYPES) if k % 2] + ["w2 w4\tw9"]
    table = str(write_table(folder, lines))
    return build(VariantModel(arch="lvnmt", candidate_frequent=frequent, candidate_table=table))


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return restricted(tmp_path_factory.mktemp("table")).model


@cache
def unrestricted() -> Subject:
    """RNNsearch* with the weights of every ``restricted``."""
    return build(VariantModel(arch="rnnsearch_star"))


def candidates_of(model, batch: Batch) -> Tensor:
    return model.decoder.candidates(batch.source, batch.previous[:, :1])


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("frequent", [TARGET_TYPES, 2000])
def test_all_words_are_the_full_softmax(tmp_path, frequent, training):
    some, full = restricted(tmp_path, frequent).model, unrestricted().model
    assert not set(some.state_dict()) - set(full.state_dict()) - {f"decoder.candidates.{name}" for name in BUFFERS}
    for actual, expected in zip(forward(some.train(training), BATCH), forward(full, BATCH), strict=True):
        close(actual, expected, 0)


def test_other_words_have_no_probability_and_candidates_have_more(model):
    """Those of the table and the reference; eos, unk and the most frequent word are everyone's."""
    logits, full = forward(model, BATCH)[0], forward(unrestricted().model, BATCH)[0]
    allowed = candidates_of(model, BATCH)
    assert 0 < (~allowed).sum() < allowed.numel()
    expected = allowed.scatter(1, BATCH.target, True).unsqueeze(1).expand_as(full)
    assert torch.equal(logits.isfinite(), expected)
    close(logits[expected], full[expected], 0)
    gain = (logits.log_softmax(-1) - full.log_softmax(-1))[expected]
    assert (gain > 1e-6).all()
    close(logits.softmax(-1).sum(-1), torch.ones(full.shape[:2], dtype=full.dtype), 1e-12)


@pytest.mark.parametrize("training", [False, True])
def test_reference_words_are_candidates_wherever_there_is_a_reference(model, training):
    logits, _ = forward(model.train(training), BATCH)
    model.eval()
    assert not candidates_of(model, BATCH).gather(1, BATCH.target).all()  # not by their sources alone
    assert logits.gather(2, BATCH.target.unsqueeze(2)).isfinite().all()


def test_training_moves_the_candidates_alone(model):
    batch = BATCH.sentence(2)
    model.zero_grad()
    logits, _ = forward(model, batch)
    loss, _ = smoothed_nll(logits.flatten(0, 1), batch.target.flatten(), 0.1, TARGET.pad())
    loss.backward()
    assert loss.isfinite() and all(parameter.grad.isfinite().all() for parameter in model.parameters())
    moved = model.decoder.W_o.bias.grad != 0
    assert moved.tolist() == candidates_of(model, batch).scatter(1, batch.target, True)[0].tolist()
    assert not moved.all()


def within_candidates(model, batch: Batch) -> Batch:
    """The batch with every reference word that is no candidate replaced by unk: search could have found it."""
    allowed, real = candidates_of(model, batch), batch.real
    target = torch.where(allowed.gather(1, batch.target), batch.target, TARGET.unk())
    previous = torch.cat((batch.previous[:, :1], target[:, :-1]), 1).masked_fill(~real, TARGET.pad())
    return batch._replace(target=target, previous=previous)


def step(model, batch: Batch, i: int, encoded, state: dict) -> Tensor:
    return outputs(model.decoder(batch.previous[:, : i + 1], encoder_out=encoded, incremental_state=state))[0]


@pytest.mark.parametrize(
    "orders",
    [
        [[0, 1, 2, 3]] * 3,
        [[1, 0, 3, 3], [2, 2, 0, 1], [0, 1, 2, 3]],  # rows change places, repeat and are lost
        [[2, 3, 0], [2, 1], [1]],  # sentences finish
    ],
)
def test_candidates_follow_their_sentences(model, orders):
    batch = within_candidates(model, random_batch([5, 1, 7, 4], [4, 4, 4, 4], seed=4))
    expected, _ = forward(model, batch)
    rows = torch.arange(4)
    encoded, state = model.encoder(batch.source, batch.lengths), {}
    for i, order in enumerate([*orders, None]):
        close(step(model, batch.rows(rows), i, encoded, state)[:, 0], expected[rows, i], 1e-12)
        if order is not None:
            new_order = torch.tensor(order)
            rows = rows[new_order]
            encoded = model.encoder.reorder_encoder_out(encoded, new_order)
            model.decoder.reorder_incremental_state(state, new_order)


def test_features_are_in_front_of_the_restriction(model):
    encoded = model.encoder(BATCH.source, BATCH.lengths)
    features, _ = model.decoder.extract_features(BATCH.previous, encoded)
    assert features.isfinite().all()


def search(model, batch: Batch, beam: int) -> list[list[dict]]:
    generator = SequenceGenerator([model], TARGET, beam_size=beam, max_len_a=0, max_len_b=8)
    return generator.generate([model], {"net_input": {"src_tokens": batch.source, "src_lengths": batch.lengths}})


@pytest.mark.parametrize("beam", [1, 3])
def test_search_finds_candidates_and_no_others(model, beam):
    batch = random_batch([5, 1, 7, 4], [1] * 4, seed=5)
    allowed = candidates_of(model, batch)

    def are_candidates(found: list[list[dict]]) -> list[bool]:
        return [bool(allowed[row, one["tokens"]].all()) for row, hypotheses in enumerate(found) for one in hypotheses]

    found = search(model, batch, beam)
    assert all(are_candidates(found)) and not all(are_candidates(search(unrestricted().model, batch, beam)))
    for row, hypotheses in enumerate(found):
        (alone,) = search(model, batch.sentence(row), beam)
        assert len(hypotheses) == beam
        for hypothesis, same in zip(hypotheses, alone, strict=True):
            assert hypothesis["tokens"].tolist() == same["tokens"].tolist()
            assert hypothesis["positional_scores"].isfinite().all()


# Checkpoints

BUFFERS = ("keys", "starts", "tokens")


def test_a_checkpoint_brings_its_table(tmp_path):
    saved = restricted(tmp_path)
    assert saved.args.candidate_table is None  # nor does it name the file
    torch.save(saved.model.state_dict(), tmp_path / "model.pt")
    (tmp_path / "candidates.tsv").unlink()
    fresh = build(VariantModel(arch="lvnmt", candidate_frequent=1), seed=2).model
    assert len(fresh.decoder.candidates.keys) == 0
    fresh.load_state_dict(torch.load(tmp_path / "model.pt"))
    for name in BUFFERS:
        loaded, written = getattr(fresh.decoder.candidates, name), getattr(saved.model.decoder.candidates, name)
        assert torch.equal(loaded, written) and len(written) and loaded.data_ptr() != written.data_ptr()
    close(forward(fresh, BATCH)[0], forward(saved.model, BATCH)[0], 0)
    with pytest.raises(RuntimeError, match=r"Missing key.*decoder\.candidates\.keys"):
        fresh.load_state_dict(unrestricted().model.state_dict())


def test_half_precision_keeps_the_table(tmp_path):
    saved = restricted(tmp_path).model
    before = candidates_of(saved, BATCH)
    assert torch.equal(candidates_of(saved.half(), BATCH), before)


def test_terms_may_stand_in_the_tanh(tmp_path):
    """The systems of Mi et al. 2016 are LVNMT with coverage."""
    path = str(write_table(tmp_path))
    both = build(VariantModel(arch="lvnmt", terms=["source_history"], candidate_frequent=1, candidate_table=path)).model
    other = build(VariantModel(arch="attnmt", terms=["source_history"])).model
    logits, full = forward(both, BATCH)[0], forward(other, BATCH)[0]
    assert 0 < logits.isinf().sum() < logits.numel()
    close(logits[logits.isfinite()], full[logits.isfinite()], 0)
