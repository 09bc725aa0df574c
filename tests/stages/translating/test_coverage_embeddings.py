"""How long coverage embeddings are before and after a sentence, by the reference implementation."""

from argparse import Namespace

import numpy as np
import pytest
import torch

from stages.translating.coverage_embeddings import coverage_embeddings
from stages.translating.decoding import force
from tests.helpers import binding, tiny
from tests.helpers.decoding import same, untrained
from tests.helpers.support import Subject
from tests.naive.interface import System
from tests.naive.system import run

SYSTEMS = {
    "covemb_gru": ("coverage_embedding_gru",),
    "covemb_sub": ("coverage_embedding_sub",),
    "covemb_gru_sub": ("coverage_embedding_gru", "coverage_embedding_sub"),
}


def load(arch):
    """With words of one piece and of more, and coverage embeddings of 3 units."""
    return untrained("rnnsearch_star", "--arch", arch, *(("--covemb-dim", "3") if arch.startswith("covemb") else ()))


def texts():
    return tiny.pieces("dev", tiny.SOURCE)[:8], tiny.pieces("dev", tiny.TARGET)[:8]


@pytest.mark.slow
@pytest.mark.parametrize("arch", SYSTEMS)
def test_lengths_are_those_of_the_reference_implementation(arch):
    system, (sources, targets) = load(arch), texts()
    params = binding.parameters(Subject(system.model, Namespace()))
    found = coverage_embeddings(system, sources, targets, 60)  # several batches, with padding
    cut = 0
    for one, source, target in zip(found, sources, targets, strict=True):
        x = [*map(system.source_dictionary.index, source), system.source_dictionary.eos()]
        y = [*map(system.target_dictionary.index, target), system.target_dictionary.eos()]
        params = {name: array.astype(float) for name, array in params.items()}
        result = run(System("d2", SYSTEMS[arch]), params, x, [y[-1], *y[:-1]], y)
        c = np.concatenate([result.histories[name] for name in SYSTEMS[arch]], -1)  # (T + 1, S, D), both as one vector
        for name, state in (("first", c[0]), ("last", c[-1])):
            words, pieces = [], []
            for piece, vector in zip(source, state[:-1], strict=True):  # without the end of sentence
                pieces.append(float(np.sqrt((vector**2).sum())))
                if not piece.endswith("@@"):
                    words.append(sum(pieces) / len(pieces))
                    cut += len(pieces) > 1
                    pieces = []
            assert one[name] == pytest.approx(words, abs=2e-5), name
    assert cut


def test_forced_decoding_is_as_it_was_afterwards():
    """The loop keeps a trace while lengths are measured, and no longer."""
    system, (sources, targets) = load("covemb_gru_sub"), texts()
    before = force(system, sources, targets, 1000, None)
    coverage_embeddings(system, sources, targets, 1000)
    same(force(system, sources, targets, 1000, None), before)
    with torch.inference_mode():
        assert (
            system.model.decoder(torch.tensor([[2]]), system.model.encoder(torch.tensor([[5, 2]]), torch.tensor([2])))[
                1
            ]["trace"]
            is None
        )


@pytest.mark.slow
def test_a_combination_with_another_loss_has_them_too():
    system = untrained(
        "rnnsearch_star", "--arch", "attnmt", "--terms", "source_history,coverage_embedding_sub,direct_bridging",
        "--covemb-dim", "3",
    )  # fmt: skip
    sources, targets = texts()
    K = system.model.decoder.attention.terms["coverage_embedding_sub"].K.weight.detach().double()
    found = coverage_embeddings(system, sources, targets, 1000)
    for one, source in zip(found, sources, strict=True):
        if not any(piece.endswith("@@") for piece in source):
            norms = [float(K[system.source_dictionary.index(piece)].norm()) for piece in source]
            assert one["first"] == pytest.approx(norms, abs=1e-5)
        assert len(one["first"]) == len(one["last"]) == sum(not piece.endswith("@@") for piece in source)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["rnnsearch_star", "rnnencdec", "transformer"])
def test_a_system_without_coverage_embeddings(variant):
    assert coverage_embeddings(untrained(variant), *texts(), 1000) is None


def test_an_ensemble_has_none():
    system = load("covemb_gru")
    assert coverage_embeddings(system._replace(others=(system.model,)), *texts(), 1000) is None
