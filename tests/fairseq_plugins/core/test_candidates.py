"""The softmax that candidate lists restrict: in training, in search and in checkpoints."""

from functools import cache
from pathlib import Path

import pytest
import torch
from torch import Tensor

from fairseq_plugins.kernels import smoothed_nll
from stages.settings.variants import VariantModel
from tests.helpers.candidate_table import TARGET, with_table, write_table
from tests.helpers.support import (
    SOURCE_TYPES,
    TARGET_TYPES,
    Batch,
    Subject,
    build,
    close,
    forward,
    outputs,
    random_batch,
)

from fairseq.sequence_generator import SequenceGenerator

BATCH = random_batch([5, 1, 7, 4], [4, 6, 2, 5], seed=3)


@cache
def restricted(folder: Path, frequent: int = 1) -> Subject:
    lines = [f"w{k}\tw{k + 1} w{k + 2}" for k in range(SOURCE_TYPES) if k % 2] + ["w2 w4\tw9"]
    return build(with_table(write_table(folder, lines), candidate_frequent=frequent))


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


BUFFERS = ("always", "keys", "starts", "tokens")


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
    path = write_table(tmp_path)
    both = build(with_table(path, terms=["source_history"], candidate_frequent=1)).model
    other = build(VariantModel(arch="attnmt", terms=["source_history"])).model
    logits, full = forward(both, BATCH)[0], forward(other, BATCH)[0]
    assert 0 < logits.isinf().sum() < logits.numel()
    close(logits[logits.isfinite()], full[logits.isfinite()], 0)
