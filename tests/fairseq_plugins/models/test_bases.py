"""Terms on RNNsearch, where Bahdanau's successors had them, in the place of RNNsearch*."""

import re

import pytest
import torch

from tests.helpers.binding import system as reference_of
from tests.helpers.support import BATCH, build, close, forward, of

COVERAGE = ["linguistic_coverage", "linguistic_coverage_fertility", "nn_coverage_gru", "nn_coverage_tanh"]
STRUCTURE = ["position_bias", "markov_bias", "local_fertility_bias"]


def on_rnnsearch(*terms: str, **options):
    return of("attnmt", list(terms), base="rnnsearch", **options)


def test_no_term_on_rnnsearch_is_rnnsearch():
    """In its weights, their shapes and every number."""
    published, combined = build(of("rnnsearch")), build(on_rnnsearch(), seed=2)
    combined.model.load_state_dict(published.model.state_dict())
    for actual, expected in zip(forward(combined.model, BATCH), forward(published.model, BATCH), strict=True):
        close(actual, expected, 0)


def test_the_base_brings_its_readout_and_another_can_be_asked_for():
    assert [reference_of(build(variant)).readout for variant in (on_rnnsearch(), on_rnnsearch(readout="tanh"))] == [
        "maxout", "tanh",
    ]  # fmt: skip
    assert reference_of(build(of("attnmt", []))).readout == "tanh"


@pytest.mark.parametrize("term", [*COVERAGE, *STRUCTURE])
def test_a_term_whose_addend_is_zero_leaves_rnnsearch(term):
    """Tu's V_a and Cohn's W at 0."""
    combined, base = build(on_rnnsearch(term)), build(of("rnnsearch"), seed=2)
    base.model.load_state_dict(
        {name: value for name, value in combined.model.state_dict().items() if ".terms." not in name}
    )
    logits, weights = forward(base.model, BATCH)
    assert (forward(combined.model, BATCH)[0] - logits)[:, 1:].abs().max() > 1e-4
    (outer,) = [one for name, one in combined.model.named_parameters() if re.search(r"\.(V_a|W_[pmf])\.weight$", name)]
    with torch.no_grad():
        outer.zero_()
    for actual, expected in zip(forward(combined.model, BATCH), (logits, weights), strict=True):
        close(actual, expected, 1e-12)


@pytest.mark.parametrize("term", [*COVERAGE, "markov_bias", "local_fertility_bias"])
def test_the_first_word_is_that_of_rnnsearch(term):
    combined, base = build(on_rnnsearch(term)), build(of("rnnsearch"), seed=2)
    shared = base.model.state_dict().keys()
    base.model.load_state_dict({name: combined.model.state_dict()[name] for name in shared})
    for actual, expected in zip(forward(combined.model, BATCH), forward(base.model, BATCH), strict=True):
        close(actual[:, 0], expected[:, 0], 1e-12)
