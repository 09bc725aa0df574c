"""The matrix products that a system needs are those that were counted by hand, and those of its weights."""

import pytest
import torch

from benchmarks import rounds
from benchmarks.products.catalogue import products_of
from benchmarks.products.mechanisms import MECHANISMS, attention, conditional
from benchmarks.products.product import Products, linear, total_flops
from benchmarks.products.terms import TERMS
from benchmarks.results import Row
from benchmarks.sizes import SMOKE, Size
from benchmarks.systems import BASE, System, build, named, sized, systems, terms_of

CPU = torch.device("cpu")
BY_HAND = Size("counted by hand", 80, 30, 30, 512, 16_000)
TINY = SMOKE[0]


def forward_gigaflop(products: Products, in_loop: bool) -> float:
    """The forward products in the loop of a step, or a step's share of all of them."""
    forward = [one for one in products if "gradient" not in one.name]
    if in_loop:
        return sum(one.flops / one.times for one in forward if one.times >= BY_HAND.T - 2) / 1e9
    return total_flops(forward) / BY_HAND.T / 1e9


def test_the_base_step_is_as_counted_by_hand():
    """0.555 GFLOP, of which v^T tanh is left out: 2 B S A."""
    products = attention(BY_HAND, BY_HAND.C) + conditional(BY_HAND, BY_HAND.C, BY_HAND.C, queries=BY_HAND.H)
    energy = 2 * BY_HAND.B * BY_HAND.S * BY_HAND.H / 1e9
    assert forward_gigaflop(products, in_loop=True) + energy == pytest.approx(0.555, abs=0.005)


@pytest.mark.parametrize(
    ("terms", "hoisted", "expected"),
    [
        (["source_history"], False, 5.03),
        (["target_history"], False, 5.16),
        (["source_history", "target_history"], False, 10.2),
        (["coverage_embedding_gru"], True, 0.41),  # with W E_y(y_i), which leaves the loop
        (["coverage_embedding_sub"], False, 0.0),
        (["nn_coverage_gru"], False, 0.41),
        (["recurrent_attention"], False, 0.46),
    ],
)
def test_terms_cost_what_was_counted_by_hand(terms, hoisted, expected):
    products = [product for name in terms for product in TERMS[name](BY_HAND, BY_HAND.C)]
    assert forward_gigaflop(products, in_loop=not hoisted) == pytest.approx(expected, abs=0.01 + 0.005 * expected)


@pytest.mark.parametrize(("row", "expected"), [("interactive_attention", 2.7), ("gatt", 2.8)])
def test_mechanisms_cost_what_was_counted_by_hand(row, expected):
    base, other = (forward_gigaflop(products_at(name), in_loop=True) for name in (BASE, row))
    assert other - base == pytest.approx(expected, abs=0.05)


def products_at(row: str, size: Size = BY_HAND) -> Products:
    (system,) = named([row])
    return products_of(sized(system.model, size), terms_of(system.model), size)


def test_what_is_hoisted_is_as_counted_by_hand():
    """Encoder 15.1, U_a h 2.5, words 3.8, readout 5.0, logits 39.3 with 16,000 words."""
    of = {"encoder": 15.1, "U_a": 2.5, "GRU_1, input": 3.8, "L_": 5.0, "W_o": 39.3}
    for start, expected in of.items():
        kept = [one for one in products_at(BASE) if one.name.startswith(start) and "gradient" not in one.name]
        assert total_flops(kept) / 1e9 == pytest.approx(expected, abs=0.06), start


def test_forward_and_backward_of_the_base_are_as_counted_by_hand():
    """82 GFLOP forward with 16,000 words, 247 with the gradients."""
    products = products_at(BASE)
    forward = [one for one in products if "gradient" not in one.name]
    assert total_flops(forward) / 1e9 == pytest.approx(82, abs=1)
    assert total_flops(products) / 1e9 == pytest.approx(247, abs=3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "entry", "name"), [(TERMS, "source_history", "ba_nmt"), (MECHANISMS, "gatt", "gatt")]
)
def test_a_system_that_nobody_counted_is_measured_without_a_limit(monkeypatch, table, entry, name):
    monkeypatch.delitem(table, entry)
    subject, *_ = rounds.subjects(named([name]), TINY, CPU, {})
    visited = rounds.visit(subject, TINY, CPU, first=True)
    assert len(visited.sentences_per_second) == rounds.STEPS
    row = Row("")
    row.visits.append(visited)
    found = row.summary(TINY)
    assert (subject.products, found["fraction_of_limit"], found["gigaflop"]) == (None, None, None)
    assert found["tokens_per_second"]["median"] > 0 and found["sentences_per_second"]["median"] > 0


def test_a_layer_of_the_stacked_decoder_has_two_products_a_step():
    """As the code makes them, of what comes from below and of the layer's own state; not one of twice the width."""
    forward = [one for one in products_at("luong_global_dot") if "gradient" not in one.name]
    found = [one[1:] for one in forward if one.name.startswith("decoder") and one.times > 1]
    assert found == [("nt", BY_HAND.B, BY_HAND.H, 4 * BY_HAND.H, 1, BY_HAND.T)] * 4


def test_gradients_of_a_layer_cost_as_much_as_the_layer():
    forward, of_input, of_weights = linear("", rows=3, inputs=5, outputs=7, times=4)
    assert forward.flops == of_input.flops == of_weights.flops == 2 * 3 * 5 * 7 * 4
    assert of_weights.times == 1


def counted() -> list[System]:
    return [system for system in systems() if products_of(system.model, terms_of(system.model), TINY) is not None]


@pytest.mark.parametrize("system", counted(), ids=lambda system: system.name)
def test_every_matrix_of_a_model_has_its_product_and_no_other(system):
    """As many entries in the gradients of weights as in the matrices that multiply.

    Left out: embeddings, but not the output matrix where it is one of them too; copies that fairseq's Transformer
    keeps; columns for a few numbers a source word, which are elementwise work; W_l, whose rows beyond the source's
    length are not needed.
    """
    size = TINY._replace(H=20, V=50, coverage=6, covemb=7, recurrent=8)
    left_out = ("embed_tokens", ".K.", "_weight", ".W_l.")
    weights = build(system, size, CPU).model.named_parameters(remove_duplicate=False)
    matrices = [w for name, w in weights if w.dim() == 2 and not any(part in name for part in left_out)]
    products = products_of(sized(system.model, size), terms_of(system.model), size)
    products = [one for one in products if one.layout == "tn" and one.batch == 1]
    entries = sum(one.rows * one.columns * one.times for one in products if "W_l" not in one.name)
    assert entries == sum(w.numel() for w in matrices if min(w.shape) > 3)
