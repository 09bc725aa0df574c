"""Gradient times input, erasure and heads against implementations that go word by word, on systems of a few units."""

import itertools

import numpy as np
import pytest
import torch

from fairseq_plugins import compat  # noqa: F401  makes fairseq importable
from stages.text.pieces import word_starts
from stages.translating.decoding import System, force
from stages.translating.read_outs import attention, erasure, gradient_times_input, heads
from tests.helpers import tiny
from tests.helpers.decoding import first_quickly, untrained

pytestmark = pytest.mark.filterwarnings("ignore:Support for mismatched key_padding_mask")  # fairseq's Transformer
VARIANTS = ["rnnsearch_star", "ba_nmt", "rnnencdec", "transformer", "transformer_aligned", "cohn_all"]
SOURCE, TARGET = ["mao@@", "ma", "yu", "."], ["the", "ca@@", "t", "eats"]


def pairs() -> list[tuple[list[str], list[str]]]:
    given = zip(tiny.pieces("test", tiny.SOURCE)[:3], tiny.pieces("test", tiny.TARGET)[:3], strict=True)
    return [*given, (SOURCE, TARGET)]


def spans(pieces: list[str]) -> list[range]:
    """The places of the pieces of each word; eos is one."""
    starts = [*word_starts(pieces), len(pieces), len(pieces) + 1]
    return [range(a, b) for a, b in itertools.pairwise(starts)]


def log_probabilities(system: System, source: list[str], target: list[str], embeddings: torch.Tensor | None):
    """(T,), with this look-up (S, E) in the place of the source's; and the look-up."""
    places, seen = [], []

    def hook(module, given, output):
        places.append(given)
        if len(places) == 1:
            seen.append(output[0])
            return output if embeddings is None else embeddings[None]
        return None

    handle = system.model.encoder.embed_tokens.register_forward_hook(hook)
    tokens = torch.tensor([[*map(system.source_dictionary.index, source), system.source_dictionary.eos()]])
    wanted = [*map(system.target_dictionary.index, target), system.target_dictionary.eos()]
    fed = torch.tensor([[wanted[-1], *wanted[:-1]]])
    output = system.model(tokens, torch.tensor([tokens.shape[1]]), fed)[0]
    handle.remove()
    return output[0].log_softmax(-1)[torch.arange(len(wanted)), wanted], seen[0].detach()


@pytest.mark.parametrize("variant", first_quickly(VARIANTS))
def test_the_gradient_is_that_of_every_piece_by_itself(variant: str):
    system = untrained(variant)
    for source, target in pairs():
        found = gradient_times_input(system, source, target)
        _, embeddings = log_probabilities(system, source, target, None)
        expected = np.zeros_like(found)
        for i, of_target in enumerate(spans(target)):
            leaf = embeddings.detach().clone().requires_grad_()
            value, _ = log_probabilities(system, source, target, leaf)
            (gradient,) = torch.autograd.grad(sum(value[k] for k in of_target), leaf)
            for j, of_source in enumerate(spans(source)):
                dots = [float(gradient[k] @ leaf[k].detach()) for k in of_source]
                expected[i, j] = abs(sum(dots)) / len(of_target)
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-5)
        assert found.any(1).all()


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="cuDNN needs a GPU")
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_gpu_finds_the_same_gradient(variant: str):
    system = untrained(variant)
    expected = gradient_times_input(system, SOURCE, TARGET)
    system.model.cuda()
    np.testing.assert_allclose(gradient_times_input(system, SOURCE, TARGET), expected, rtol=1e-3, atol=1e-5)


def test_the_gradient_foretells_a_small_change_of_a_word():
    """log P moves by epsilon times the sum of its gradient times input when an embedding grows by 1 + epsilon."""
    system = untrained("rnnsearch_star")
    system.model.double()
    found = gradient_times_input(system, SOURCE, TARGET)
    _, embeddings = log_probabilities(system, SOURCE, TARGET, None)
    step = 1e-3
    for j, of_source in enumerate(spans(SOURCE)):
        more, less = embeddings.detach().clone(), embeddings.detach().clone()
        more[list(of_source)] *= 1 + step
        less[list(of_source)] *= 1 - step
        moved = [log_probabilities(system, SOURCE, TARGET, one)[0].detach() for one in (more, less)]
        each = (moved[0] - moved[1]) / (2 * step)
        for i, of_target in enumerate(spans(TARGET)):
            expected = abs(float(sum(each[k] for k in of_target))) / len(of_target)
            assert found[i, j] == pytest.approx(expected, rel=0.02, abs=2e-3)


@pytest.mark.parametrize("variant", first_quickly(VARIANTS))
def test_erasure_is_what_the_translation_loses_without_each_word(variant: str):
    erased_word_by_word(untrained(variant))


def test_of_embeddings_that_both_sides_share_the_source_s_are_erased_alone():
    system = untrained("rnnsearch_star")
    system.model.decoder.embed_tokens = system.model.encoder.embed_tokens
    erased_word_by_word(system)


def erased_word_by_word(system: System):
    for source, target in pairs():
        found = erasure(system, source, target)
        whole, embeddings = log_probabilities(system, source, target, None)
        expected = np.zeros_like(found)
        for j, of_source in enumerate(spans(source)):
            erased = embeddings.detach().clone()
            erased[list(of_source)] = 0
            lost = (whole - log_probabilities(system, source, target, erased)[0]).detach()
            expected[:, j] = [float(sum(lost[k] for k in of_target)) for of_target in spans(target)]
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)
        assert found.shape == (len(spans(target)), len(spans(source))) and (found > 0).any()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "own"), [("transformer", [(2, 1), (2, 2)]), ("transformer_aligned", [(1, 1)])]
)  # of which attention is the mean
def test_heads_are_those_of_each_layer(variant: str, own: list[tuple[int, int]]):
    system = untrained(variant)
    for source, target in pairs():
        found = heads(system, source, target)
        assert set(found) == {(layer, head) for layer in (1, 2) for head in (1, 2)}
        (forced,) = force(system, [source], [target], 1000, None)
        weights = forced.attention.double().numpy()
        merged = np.array(
            [
                [weights[list(i)][:, list(j)].sum(1).mean() for j in spans(source)]
                for i in spans(target)
            ]
        )  # fmt: skip
        np.testing.assert_allclose(np.mean([found[head] for head in own], axis=0), merged, atol=1e-5)
        np.testing.assert_allclose(attention(system, source, target), merged, atol=1e-5)
        assert not np.allclose(found[2, 1], found[2, 2]) and not np.allclose(found[1, 1], found[2, 1])
        assert all(np.allclose(one.sum(1), 1, atol=1e-5) for one in found.values())
    assert heads(untrained("rnnsearch_star"), SOURCE, TARGET) == {}


def test_nothing_of_it_is_left_in_the_model():
    system = untrained("rnnsearch_star")
    before = force(system, [SOURCE], [TARGET], 1000, None)
    gradient_times_input(system, SOURCE, TARGET)
    erasure(system, SOURCE, TARGET)
    after = force(system, [SOURCE], [TARGET], 1000, None)
    assert before[0].positional == after[0].positional
    assert all(weights.grad is None for weights in system.model.parameters())
