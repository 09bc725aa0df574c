"""The benchmark: what it measures is what it says, and it runs. How fast anything is, is not tested here."""

import itertools
import json
import subprocess
import sys

import numpy as np
import pytest
import torch

from benchmarks import decoder_loop, device, limit, parity, rounds, truth
from benchmarks.batches import SPECIAL, sample
from benchmarks.decoding import sentences_per_second
from benchmarks.limit import Limit, ProductTimer
from benchmarks.products.base import attention, conditional
from benchmarks.products.catalogue import TERMS, products_of
from benchmarks.products.product import Product, Products, linear, total_flops
from benchmarks.report import write_report
from benchmarks.results import Row, Visit
from benchmarks.rounds import TUNED
from benchmarks.sizes import FULL, SMOKE, Size
from benchmarks.straightforward import LOOPS, Straightforward, loop
from benchmarks.systems import BASE, FAIRSEQ, FAIRSEQ_PLAIN, build, named, sized, systems, terms_of
from benchmarks.training import Step, Trainer
from tests.helpers.paths import ROOT

CPU = torch.device("cpu")
SPEC = Size("of spec 6.3", 80, 30, 30, 512, 16_000)
TINY = SMOKE[0]


# 1. The straightforward loops


@pytest.mark.parametrize("name", LOOPS)
def test_a_straightforward_loop_equals_the_truth(name):
    tiny = tiny_loop(name)
    batch = sample(Size("", 3, 5, 4, 6, 11), False, CPU)["net_input"]
    logits, weights = tiny(batch["src_tokens"], batch["prev_output_tokens"])
    for row, (source, previous) in enumerate(zip(batch["src_tokens"], batch["prev_output_tokens"], strict=True)):
        found = truth.run(truth.system_of(tiny), truth.parameters(tiny), source.tolist(), previous.tolist())
        np.testing.assert_allclose(logits[row].detach(), found.logits, rtol=0, atol=1e-12)
        np.testing.assert_allclose(weights[row].detach(), found.weights, rtol=0, atol=1e-12)


def tiny_loop(name: str) -> Straightforward:
    """In float64; the second biases of torch's cells, which the papers lack, are zero."""
    torch.manual_seed(3)
    tiny = Straightforward(11, 6, LOOPS[name] != BASE, dropout=0.0, label_smoothing=0.0).double()
    for parameter in tiny.parameters():
        torch.nn.init.uniform_(parameter, -0.7, 0.7)
    for cell in [module for module in tiny.modules() if isinstance(module, torch.nn.GRUCell)]:
        torch.nn.init.zeros_(cell.bias_hh)
    return tiny


def test_the_loss_of_a_straightforward_loop_is_the_likelihood():
    tiny, batch = tiny_loop("straightforward_ba_nmt"), sample(Size("", 3, 5, 4, 6, 11), False, CPU)
    logits, _ = tiny(batch["net_input"]["src_tokens"], batch["net_input"]["prev_output_tokens"])
    expected = -logits.log_softmax(-1).gather(-1, batch["target"].unsqueeze(-1)).sum()
    assert float(tiny.loss(batch).detach()) == pytest.approx(float(expected.detach()), rel=1e-12)


# 2. The products


def forward_gigaflop(products: Products, in_loop: bool) -> float:
    """The forward products in the loop of a step, or a step's share of all of them."""
    forward = [one for one in products if "gradient" not in one.name]
    if in_loop:
        return sum(one.flops / one.times for one in forward if one.times >= SPEC.T - 2) / 1e9
    return total_flops(forward) / SPEC.T / 1e9


def test_the_base_step_is_the_spec_s():
    """0.555 GFLOP, of which v^T tanh is left out: 2 B S A."""
    products = attention(SPEC, SPEC.C) + conditional(SPEC, SPEC.C, SPEC.C, queries=SPEC.H)
    energy = 2 * SPEC.B * SPEC.S * SPEC.H / 1e9
    assert forward_gigaflop(products, in_loop=True) + energy == pytest.approx(0.555, abs=0.005)


@pytest.mark.parametrize(
    ("terms", "hoisted", "expected"),
    [
        (["source_history"], False, 5.03),
        (["target_history"], False, 5.16),
        (["source_history", "target_history"], False, 10.2),
        (["coverage_embedding_gru"], True, 0.41),  # the spec counts W E_y(y_i), which leaves the loop
        (["coverage_embedding_sub"], False, 0.0),
        (["nn_coverage_gru"], False, 0.41),
        (["recurrent_attention"], False, 0.46),
    ],
)
def test_terms_cost_what_the_spec_says(terms, hoisted, expected):
    products = [product for name in terms for product in TERMS[name](SPEC, SPEC.C)]
    assert forward_gigaflop(products, in_loop=not hoisted) == pytest.approx(expected, abs=0.01 + 0.005 * expected)


@pytest.mark.parametrize(("row", "expected"), [("interactive_attention", 2.7), ("gatt", 2.8)])
def test_mechanisms_cost_what_the_spec_says(row, expected):
    base, other = (forward_gigaflop(products_at(name), in_loop=True) for name in (BASE, row))
    assert other - base == pytest.approx(expected, abs=0.05)


def products_at(row: str, size: Size = SPEC) -> Products:
    (system,) = named([row])
    return products_of(sized(system.model, size), terms_of(system.model), size)


def test_what_is_hoisted_is_the_spec_s():
    """Encoder 15.1, U_a h 2.5, words 3.8, readout 5.0, logits 39.3 with 16,000 words."""
    of = {"encoder": 15.1, "U_a": 2.5, "GRU_1, input": 3.8, "L_": 5.0, "W_o": 39.3}
    for start, expected in of.items():
        kept = [one for one in products_at(BASE) if one.name.startswith(start) and "gradient" not in one.name]
        assert total_flops(kept) / 1e9 == pytest.approx(expected, abs=0.06), start


def test_forward_and_backward_of_the_base_are_the_spec_s():
    """82 GFLOP forward with 16,000 words, 247 with the gradients."""
    products = products_at(BASE)
    forward = [one for one in products if "gradient" not in one.name]
    assert total_flops(forward) / 1e9 == pytest.approx(82, abs=1)
    assert total_flops(products) / 1e9 == pytest.approx(247, abs=3)


def test_gradients_of_a_layer_cost_as_much_as_the_layer():
    forward, of_input, of_weights = linear("", rows=3, inputs=5, outputs=7, times=4)
    assert forward.flops == of_input.flops == of_weights.flops == 2 * 3 * 5 * 7 * 4
    assert of_weights.times == 1


@pytest.mark.parametrize("system", systems(), ids=lambda system: system.name)
def test_every_matrix_of_a_model_has_its_product_and_no_other(system):
    """As many entries in the gradients of weights as in the matrices that multiply.

    Left out: embeddings; copies that fairseq's Transformer keeps; columns for a few numbers a source word, which are
    elementwise work; W_l, whose rows beyond the source's length are not needed.
    """
    size = TINY._replace(H=20, V=50, coverage=6, covemb=7, recurrent=8)
    left_out = ("embed_tokens", ".K.", "_weight", ".W_l.")
    weights = build(system, size, CPU).model.named_parameters()
    matrices = [w for name, w in weights if w.dim() == 2 and not any(part in name for part in left_out)]
    products = [one for one in products_at(system.name, size) if one.layout == "tn" and one.batch == 1]
    entries = sum(one.rows * one.columns * one.times for one in products if "W_l" not in one.name)
    assert entries == sum(w.numel() for w in matrices if min(w.shape) > 3)


# 3. What is measured


@pytest.mark.parametrize(("layout", "batch"), [("nn", 1), ("nt", 1), ("tn", 1), ("nn", 3), ("nt", 3), ("tn", 3)])
def test_products_are_timed_at_their_shape(monkeypatch, layout, batch):
    seen = []
    for name in ("mm", "bmm"):
        multiply = getattr(torch, name)

        def watched(first, second, multiply=multiply, **out):
            seen.append((first, second))
            return multiply(first, second, **out)

        monkeypatch.setattr(torch, name, watched)
    product = Product("", layout, rows=5, inner=3, columns=4, batch=batch, times=7)
    found = ProductTimer([product, product], CPU, moment=0.0).limit(breakdown=True)
    assert found.seconds == pytest.approx(14 * found.breakdown[0]["seconds"])
    assert len(seen) == 3  # made, warm and timed: once, though there are two of them
    assert [one["gigaflop_per_second"] * one["seconds"] for one in found.breakdown] == pytest.approx(
        [2e-9 * 5 * 3 * 4 * batch] * 2
    )
    first, second = seen[0]
    assert (first.shape[-2:], second.shape[-2:]) == ((5, 3), (3, 4))
    assert [factor.is_contiguous() for factor in (first, second)] == [letter == "n" for letter in layout]


def test_a_product_of_microseconds_is_not_repeated_without_end(monkeypatch):
    monkeypatch.setattr(limit, "MOST", 4)
    clock = itertools.count(step=limit.MOMENT / 100)
    monkeypatch.setattr(limit, "now", lambda device: next(clock))
    made = []
    timer = ProductTimer([Product("", "nn", rows=1, inner=1, columns=1)], CPU)
    timer.work = {shape: lambda: made.append(1) for shape in timer.work}
    timer.limit()
    assert len(made) == 4


def test_the_fraction_is_that_of_the_same_moment():
    """A machine at half its speed in the second round."""
    row = Row("")
    for slower in (1, 2):
        steps, limits = [Step(0, 0, 1.0 * slower)] * 2, [Limit(10**9, 0.7 * slower, None)] * 2
        row.visits.append(Visit(steps, None, None, None, limits))
    found = row.summary(TINY)
    assert found["fraction_of_limit"] == pytest.approx({"median": 0.7, "min": 0.7, "max": 0.7})
    assert found["product_seconds"] == pytest.approx({"median": 1.05, "min": 0.7, "max": 1.4})
    assert found["gigaflop"] == 1


def test_memory_at_its_peak():
    """40 MB for a moment, beside what is there before."""

    def work() -> None:
        torch.ones(10_000_000)
        torch.ones(1_000_000)

    before = torch.ones(1_000_000)
    assert device.peak_bytes(CPU, work) == 40_000_000
    assert before.all()


def test_steps_are_measured_once_the_process_has_its_memory(monkeypatch):
    """Pages that each step needs from the system, and which steps count: the first that need none, or in their place
    the last that needed some. A limit belongs to the step before it."""

    def measured(pages: list[int]) -> list[int]:
        waiting, supplied = iter([*pages, *[9000] * 20]), [0]
        monkeypatch.setattr(rounds, "pages_supplied", lambda: supplied[0])
        made: list[int] = []

        def step() -> int:
            supplied[0] += next(waiting)
            made.append(len(made) + 1)
            return made[-1]

        def limit() -> int:
            supplied[0] += 9000
            return made[-1]

        steps, limits = rounds.warm_steps(step, limit)
        assert steps == limits
        return steps

    monkeypatch.setattr(rounds, "STEPS", 2)
    assert measured([0, 0]) == [1, 2]
    assert measured([9000, 1, 60, 0, 0]) == [2, 4]
    assert measured([60, 0]) == [rounds.ATTEMPTS, 2]
    assert rounds.warm_steps(lambda: 0) == ([0, 0], [])


@pytest.mark.parametrize("name", [BASE, FAIRSEQ, "transformer", "lvnmt"])
def test_every_translation_has_as_many_pieces(name):
    (system,) = named([name])
    subject = build(system, TINY, CPU)
    assert sentences_per_second(subject.model, TINY, CPU) > 0


@pytest.mark.parametrize("name", ["covemb_gru_sub_supobj", "cohn_agreement", FAIRSEQ, FAIRSEQ_PLAIN])
def test_a_step_trains_with_all_losses(name):
    (system,) = named([name])
    subject = build(system, TINY, CPU)
    trainer = Trainer(subject, TINY, CPU)
    before = [parameter.detach().clone() for parameter in subject.model.parameters()]
    trainer.prepare()
    assert trainer.step().total > 0
    moved = [not torch.equal(old, new) for old, new in zip(before, subject.model.parameters(), strict=True)]
    assert all(moved)


@pytest.mark.parametrize("name", [BASE, FAIRSEQ, *LOOPS])
def test_the_decoder_alone(name):
    """Its weights get gradients, those of the encoder none."""
    model = (loop(name, TINY, CPU) if name in LOOPS else build(*named([name]), TINY, CPU)).model
    assert decoder_loop.seconds(model, TINY, CPU) > 0
    assert [
        name for name, weight in model.named_parameters() if weight.grad is not None and name.startswith("encoder.")
    ] == []
    assert any(weight.grad is not None for weight in model.parameters())


def test_a_batch_is_full_and_shifted():
    batch = sample(TINY, True, CPU)
    target, previous = batch["target"], batch["net_input"]["prev_output_tokens"]
    assert torch.equal(previous[:, 1:], target[:, :-1]) and bool((previous[:, 0] == SPECIAL.eos()).all())
    assert batch["ntokens"] == int(target.ne(SPECIAL.pad()).sum()) == TINY.B * TINY.T
    assert len(batch["alignments"]) == TINY.B * (min(TINY.S, TINY.T) - 1)


def test_rows_that_share_a_model_share_a_figure():
    found = {system.name: system.rows for system in systems()}
    assert found["rnnsearch"] == ("rnnsearch", "rnnsearch_30", "rnnsearch_50", "rnnsearch_50_long")
    assert named(["rnnsearch_50"]) == named(["rnnsearch"])
    assert [*found][-2:] == [FAIRSEQ, FAIRSEQ_PLAIN]


# 4. The whole


def test_a_system_whose_parity_is_broken_is_left_out(monkeypatch):
    passed = {f"test_equals_the_naive_truth[{BASE}]", f"test_losses_equal_the_naive_truths[{BASE}]"}
    monkeypatch.setattr(parity, "_passed", lambda tests: (passed, "====\nE   assert 1 == 2\n\n1 failed\n"))
    found = parity.broken(named([BASE, FAIRSEQ]), [])
    test = f"tests/fairseq_plugins/models/test_invariants.py::test_gradients_equal_the_naive_truths[{BASE}]"
    assert found == {BASE: f"{test} does not pass: assert 1 == 2"}


def test_the_smoke_form(tmp_path):
    """Through the command, parity checks included."""
    command = [sys.executable, "-m", "benchmarks", "--smoke", "--out", str(tmp_path), "--repeats", "2"]
    done = subprocess.run(
        [*command, "--threads", "1", "--systems", BASE, "ba_nmt", FAIRSEQ], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    content = json.loads((tmp_path / "results.json").read_text())
    assert content["dropped"] == {}
    rows = content["sizes"]["smoke"]["systems"]
    loops = [name + end for name in LOOPS for end in ("", TUNED)]
    assert [*rows] == [BASE, "ba_nmt", FAIRSEQ, *loops]
    for name, row in rows.items():
        speed = row["tokens_per_second"]
        assert 0 < speed["min"] <= speed["median"] <= speed["max"]
        assert (row["fraction_of_limit"] is None) == (row["sentences_per_second"] is None) == (name in loops)
        assert (row["products"] is None) == (name in loops or name == FAIRSEQ)
    page = (tmp_path / "results.md").read_text()
    assert "| `ba_nmt` |" in page and "## Growth with the length" in page
    write_report(content, tmp_path / "again.md")
    assert (tmp_path / "again.md").read_text() == page
    for row in rows.values():  # what a GPU adds
        row["decoder_seconds"] = row["step_seconds"]
    write_report(content, tmp_path / "gpu.md")
    assert "of its latency limit" in (tmp_path / "gpu.md").read_text()


@pytest.mark.parametrize("given", [["--systems", "nobody"], ["--sizes", "H9"]])
def test_an_unknown_name_is_refused(given):
    done = subprocess.run([sys.executable, "-m", "benchmarks", *given], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and given[1] in done.stderr and "Traceback" not in done.stderr


def test_sizes_have_names_of_their_own():
    names = [size.name for size in (*FULL, *SMOKE)]
    assert len(set(names)) == len(names)
